//! A composition expanded into one automaton: its core as text, to be parsed again.

use ioa_lang::Span;
use ioa_lang::core::{
    Automaton, AutomatonId, Expr, ExprKind, FunctionId, Local, LocalId, Model, Op, Place,
    Projection, Range, Stmt, StmtKind, Store, Transition, Type,
};
use ioa_lang::print::{self, Context};
use num_bigint::BigInt;

/// The name of the automaton that is written.
pub const NAME: &str = "Flat";

/// An automaton of the same model with the same behaviour as another, as text; none if there is a type without a value that
/// can be written.
///
/// Instead of the start states of the other, it has a state from which its action `begin` leads to them: the start states of
/// a family of components can be expressed by an effect, but not by initial values. All its actions are internal.
#[must_use]
pub fn flattened(model: &Model, automaton: AutomatonId) -> Option<String> {
    let mut model = model.clone();
    let flat = &mut model.automata[automaton.index()];
    rename(flat);
    let blank: Option<Vec<Expr>> = (flat.variables.clone().iter())
        .map(|variable| some_value(&model, &variable.ty))
        .collect();
    Some(Writer { model, automaton }.automaton(&blank?))
}

/// Renames variables, actions and bound variables to distinct names that can be declared.
fn rename(automaton: &mut Automaton) {
    automaton.components.clear();
    for (n, variable) in automaton.variables.iter_mut().enumerate() {
        variable.name = format!("w{n}").into();
        variable.component = None;
    }
    for (n, action) in automaton.actions.iter_mut().enumerate() {
        action.name = format!("step{n}").into();
    }
    rename_locals(&mut automaton.start.program.locals);
    rename_locals(&mut automaton.start.locals);
    for clause in &mut automaton.transitions {
        rename_locals(&mut clause.locals);
    }
}

fn rename_locals(locals: &mut [Local]) {
    for (n, local) in locals.iter_mut().enumerate() {
        local.name = format!("l{n}").into();
    }
}

/// A term for some value of a type.
fn some_value(model: &Model, ty: &Type) -> Option<Expr> {
    let term = |kind| Expr::new(kind, ty.clone(), Span::default());
    let apply = |op, args| Some(term(ExprKind::Apply(op, args)));
    match ty {
        Type::Bool => Some(term(ExprKind::Bool(false))),
        Type::Nat | Type::Int => Some(term(ExprKind::Int(BigInt::ZERO))),
        Type::Enum(_) => Some(term(ExprKind::Enumerator(0))),
        Type::Sort(_) => {
            let functions = (0..).map(FunctionId).zip(&model.functions);
            let mut constants = functions.filter(|(_, f)| f.params.is_empty() && f.result == *ty);
            // An operator of a vocabulary, and not the parameter of an automaton.
            let constant = constants.find(|(_, f)| !f.name.contains('.'));
            constant.map(|(id, _)| term(ExprKind::Theory(id, Vec::new())))
        }
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter();
            let fields = fields.map(|(_, ty)| some_value(model, ty));
            apply(Op::Tuple, fields.collect::<Option<_>>()?)
        }
        Type::Union(id) => {
            let (_, carried) = model.unions[id.index()].variants.first()?;
            apply(Op::Variant(0), vec![some_value(model, carried)?])
        }
        Type::Array(_, element) => apply(Op::Constant, vec![some_value(model, element)?]),
        other => apply(other.constructor()?.empty?, Vec::new()),
    }
}

/// Writes an automaton whose names can be declared.
struct Writer {
    model: Model,
    automaton: AutomatonId,
}

impl Writer {
    fn core(&self) -> &Automaton {
        self.model.automaton(self.automaton)
    }

    fn automaton(&self, blank: &[Expr]) -> String {
        let core = self.core();
        let mut out = format!("automaton {NAME}\n  signature\n    internal begin\n");
        for action in &core.actions {
            let types = action.params.iter().enumerate();
            let params: Vec<String> = types
                .map(|(n, (_, ty))| format!("p{n}: {}", self.model.type_name(ty)))
                .collect();
            out.push_str(&format!(
                "    internal {}{}\n",
                action.name,
                listed(&params)
            ));
        }
        out.push_str("  states\n");
        for (variable, value) in core.variables.iter().zip(blank) {
            let (name, ty) = (&variable.name, self.model.type_name(&variable.ty));
            let value = self.expr(&[], value);
            out.push_str(&format!("    {name}: {ty} := {value},\n"));
        }
        out.push_str("    begun: Bool := false\n  transitions\n");
        out.push_str(&self.begin());
        for clause in &core.transitions {
            out.push_str(&self.clause(clause));
        }
        out
    }

    /// The statements that create the start states.
    fn begin(&self) -> String {
        let start = &self.core().start;
        let mut body = self.statements(&start.program.locals, &start.program.body);
        body.push("begun := true".into());
        let mut out = format!(
            "    internal begin\n      pre ~begun\n      eff {}\n",
            body.join(";\n          ")
        );
        if !start.so_that.is_true() {
            let mut so_that = start.so_that.clone();
            after(&mut so_that);
            let so_that = self.expr(&start.locals, &so_that);
            out.push_str(&format!("      ensuring {so_that}\n"));
        }
        out
    }

    fn clause(&self, clause: &Transition) -> String {
        let names = |locals: &[LocalId]| -> Vec<String> {
            let names = locals
                .iter()
                .map(|l| clause.locals[l.index()].name.to_string());
            names.collect()
        };
        let name = &self.core().actions[clause.action.index()].name;
        let mut out = format!("    internal {name}{}", listed(&names(&clause.params)));
        if !clause.applies.is_true() {
            out.push_str(&format!(
                " where {}",
                self.expr(&clause.locals, &clause.applies)
            ));
        }
        for hidden in &clause.hidden {
            let Local { name, ty, .. } = &clause.locals[hidden.index()];
            let sign = match Some(hidden) == clause.hidden.first() {
                true => "\n      choose ",
                false => ", ",
            };
            out.push_str(&format!("{sign}{name}: {}", self.model.type_name(ty)));
        }
        out.push_str("\n      pre begun");
        if !clause.pre.is_true() {
            out.push_str(&format!(
                " /\\ ({})",
                self.expr(&clause.locals, &clause.pre)
            ));
        }
        let body = self.statements(&clause.locals, &clause.effect);
        if !body.is_empty() {
            out.push_str(&format!("\n      eff {}", body.join(";\n          ")));
        }
        if !clause.ensuring.is_true() {
            let ensuring = self.expr(&clause.locals, &clause.ensuring);
            out.push_str(&format!("\n      ensuring {ensuring}"));
        }
        out + "\n"
    }

    fn expr(&self, locals: &[Local], expr: &Expr) -> String {
        let context = Context::automaton(&self.model, self.automaton, locals);
        print::expr(&self.model, &context, expr)
    }

    fn statements(&self, locals: &[Local], body: &[Stmt]) -> Vec<String> {
        body.iter().map(|s| self.statement(locals, s)).collect()
    }

    /// Statements combined into one, which does nothing if there are none.
    fn block(&self, locals: &[Local], body: &[Stmt]) -> String {
        match body.is_empty() {
            true => "begun := begun".into(),
            false => self.statements(locals, body).join("; "),
        }
    }

    fn statement(&self, locals: &[Local], statement: &Stmt) -> String {
        let name = |local: &LocalId| &locals[local.index()].name;
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let place = self.place(locals, place);
                format!("{place} := {}", self.expr(locals, value))
            }
            StmtKind::Choose {
                place,
                binder,
                predicate,
                ..
            } => {
                let (place, predicate) = (self.place(locals, place), self.expr(locals, predicate));
                format!("{place} := choose {} where {predicate}", name(binder))
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                let written = branches.iter().map(|(condition, body)| {
                    let condition = self.expr(locals, condition);
                    format!("if {condition} then {}", self.block(locals, body))
                });
                let written: Vec<String> = written.collect();
                let otherwise = self.block(locals, otherwise);
                format!("{} else {otherwise} fi", written.join(" else"))
            }
            StmtKind::For {
                binder,
                range,
                body,
            } => {
                let range = match range {
                    Range::In(set) => format!("in {}", self.expr(locals, set)),
                    Range::Where(predicate) => format!("where {}", self.expr(locals, predicate)),
                };
                let ty = self.model.type_name(&locals[binder.index()].ty);
                let body = self.block(locals, body);
                format!("for {}: {ty} {range} do {body} od", name(binder))
            }
            StmtKind::While(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => {
                unreachable!("only schedules have these")
            }
        }
    }

    fn place(&self, locals: &[Local], place: &Place) -> String {
        let variable = &self.core().variables[place.root.var.index()];
        let (mut out, mut ty) = (variable.name.to_string(), &variable.ty);
        for step in &place.path {
            match (step, ty) {
                (Projection::Index(i), Type::Array(_, part))
                | (Projection::Entry(i), Type::Map(_, part)) => {
                    out.push_str(&format!("[{}]", self.expr(locals, i)));
                    ty = part;
                }
                (Projection::Field(f), Type::Tuple(id)) => {
                    let (field, part) = &self.model.tuples[id.index()].fields[*f as usize];
                    out.push_str(&format!(".{field}"));
                    ty = part;
                }
                (step, ty) => unreachable!("{step:?} is no part of a value of type {ty:?}"),
            }
        }
        out
    }
}

/// A list in parentheses; nothing for an empty one.
fn listed(items: &[String]) -> String {
    match items.is_empty() {
        true => String::new(),
        false => format!("({})", items.join(", ")),
    }
}

/// Turns a formula over the state into one over the state after a step.
fn after(formula: &mut Expr) {
    match &mut formula.kind {
        ExprKind::State(state) => state.store = Store::Post,
        ExprKind::Apply(_, args) | ExprKind::Theory(_, args) | ExprKind::Random(_, args) => {
            args.iter_mut().for_each(after);
        }
        ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|part| after(part)),
        ExprKind::Quantified(_, _, body)
        | ExprKind::Comprehension(_, body)
        | ExprKind::Entries(_, body) => after(body),
        _ => {}
    }
}
