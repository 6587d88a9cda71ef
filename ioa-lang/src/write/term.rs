//! Terms and formulas as text.

use num_bigint::BigInt;

use super::context::Context;
use super::names::Names;
use super::places::Places;
use super::qualified::Qualified;
use crate::core::{
    Automaton, Expr, ExprKind, Level, Liveness, LocalId, Model, Op, Quantifier, Rational, StateRef,
    Store, Temporal, Type,
};
use crate::notation;

pub(super) struct Printer<'a> {
    pub(super) model: &'a Model,
    context: &'a Context<'a>,
    names: Names<'a>,
    /// The terms that are written with their types.
    pub(super) qualified: &'a Qualified,
    pub(super) out: String,
    /// Where the terms stand in what is written.
    places: Places,
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        model: &'a Model,
        context: &'a Context<'a>,
        names: Names<'a>,
        qualified: &'a Qualified,
    ) -> Self {
        Self {
            model,
            context,
            names,
            qualified,
            out: String::new(),
            places: Places::default(),
        }
    }

    pub(super) fn print(mut self, expr: &Expr) -> (String, Places) {
        self.at(expr, Level::Choice);
        (self.out, self.places)
    }

    pub(super) fn progress(mut self, property: &Liveness) -> String {
        self.temporal(&property.formula);
        let binders: Vec<String> = property
            .params
            .iter()
            .map(|id| format!("{}: {}", self.names.of(*id), self.binder_type(*id)))
            .collect();
        if !binders.is_empty() {
            self.out.push_str(&format!(" for {}", binders.join(", ")));
        }
        self.out
    }

    /// Writes a temporal formula; those that another one consists of stand in parentheses.
    fn temporal(&mut self, formula: &Temporal<Expr>) {
        match formula {
            Temporal::AlwaysEventually(goal) => {
                self.out.push_str("always eventually ");
                self.at(goal, Level::Choice);
            }
            Temporal::EventuallyAlways(goal) => {
                self.out.push_str("eventually always ");
                self.at(goal, Level::Choice);
            }
            Temporal::LeadsTo(premise, goal) => {
                self.at(premise, Level::Choice);
                self.out.push_str(" leads to ");
                self.at(goal, Level::Choice);
            }
            Temporal::Not(inner) => {
                self.out.push('~');
                self.enclosed(inner);
            }
            Temporal::Joined(connective, sides) => {
                self.enclosed(&sides[0]);
                self.out.push_str(&format!(" {} ", connective.sign()));
                self.enclosed(&sides[1]);
            }
        }
    }

    fn enclosed(&mut self, formula: &Temporal<Expr>) {
        self.out.push('(');
        self.temporal(formula);
        self.out.push(')');
    }

    /// Writes an expression where the grammar wants one of at least this level.
    pub(super) fn at(&mut self, expr: &Expr, wanted: Level) {
        if !self.qualified.contains(expr) {
            return self.unqualified(expr, wanted);
        }
        let (enclose, start) = (wanted == Level::Postfix, self.out.len());
        if enclose {
            self.out.push('(');
        }
        // A term that ends with the parentheses of a quantifier's body cannot be an operand of `:`.
        let ends_in_body = matches!(expr.kind, ExprKind::Quantified(..));
        if ends_in_body {
            self.out.push('(');
        }
        self.unqualified(expr, Level::Postfix);
        if ends_in_body {
            self.out.push(')');
        }
        self.out.push(':');
        self.out.push_str(&self.model.type_name(&expr.ty));
        if enclose {
            self.out.push(')');
        }
        self.places.add(expr, start..self.out.len());
    }

    fn unqualified(&mut self, expr: &Expr, wanted: Level) {
        if let ExprKind::Apply(Op::ToReal, args) = &expr.kind {
            let start = self.out.len();
            self.at(&args[0], wanted);
            self.places.add(expr, start..self.out.len());
            return;
        }
        let (enclose, start) = (self.level(expr) < wanted, self.out.len());
        if enclose {
            self.out.push('(');
        }
        self.form(expr);
        if enclose {
            self.out.push(')');
        }
        self.places.add(expr, start..self.out.len());
    }

    fn level(&self, expr: &Expr) -> Level {
        match &expr.kind {
            ExprKind::If(..) => Level::Choice,
            ExprKind::Int(n) if n.sign() == num_bigint::Sign::Minus => Level::Negative,
            ExprKind::Real(n) if notation::decimal(n).is_none() => Level::Product,
            ExprKind::Real(n) if *n.numer() < BigInt::ZERO => Level::Negative,
            ExprKind::Theory(function, _) => match self.theory_sign(*function, false) {
                Some(_) => Level::Comparison,
                None => Level::Postfix,
            },
            ExprKind::Apply(Op::Not, args) if self.negatable(&args[0]) => Level::Comparison,
            // A quantified formula ends with a parenthesis, but nothing may follow it.
            ExprKind::Quantified(..) => Level::Negative,
            ExprKind::Apply(op, _) => op.level(),
            _ => Level::Postfix,
        }
    }

    /// Whether the negation of this has a sign of its own, such as `~=`.
    pub(super) fn negatable(&self, expr: &Expr) -> bool {
        !self.qualified.contains(expr)
            && match &expr.kind {
                ExprKind::Apply(op, _) => op.negation().is_some(),
                kind => matches!(kind, ExprKind::Theory(..)),
            }
    }

    pub(super) fn form(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            ExprKind::Int(n) => self.out.push_str(&n.to_string()),
            ExprKind::Real(n) => self.out.push_str(&fraction(n)),
            ExprKind::Char(c) => self.out.push_str(&notation::character(*c)),
            ExprKind::Text(text) => self.out.push_str(&notation::string(text)),
            ExprKind::Enumerator(position) => self.enumerator(&expr.ty, *position),
            ExprKind::Element(index) => {
                let element = format!("{}#{index}", self.model.type_name(&expr.ty));
                self.out.push_str(&element);
            }
            ExprKind::State(state) => self.state(*state),
            ExprKind::Local(id) => self.out.push_str(self.names.get(*id)),
            ExprKind::Apply(op, args) => self.apply(*op, args, expr),
            ExprKind::Theory(function, args) => self.theory(*function, args),
            ExprKind::If(condition, then, otherwise) => {
                self.out.push_str("if ");
                self.at(condition, Level::Choice);
                self.out.push_str(" then ");
                self.at(then, Level::Choice);
                self.out.push_str(" else ");
                self.at(otherwise, Level::Choice);
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body);
            }
            ExprKind::Comprehension(binder, body) => {
                let name = self.names.enter(*binder);
                let ty = self.binder_type(*binder);
                self.out.push_str(&format!("{{{name}: {ty} where "));
                self.at(body, Level::Choice);
                self.out.push('}');
                self.names.leave(*binder);
            }
            ExprKind::Entries(..) => self.entries(expr),
            ExprKind::Random(draw, args) => self.function(draw.row().name, args),
        }
    }

    /// Writes `[x: T, y: U -> e]`, with the indices of all dimensions.
    fn entries(&mut self, whole: &Expr) {
        let (mut entry, mut indices) = (whole, Vec::new());
        while let ExprKind::Entries(index, body) = &entry.kind
            && (indices.is_empty() || !self.qualified.contains(entry))
        {
            let name = self.names.enter(*index);
            let ty = self.binder_type(*index);
            indices.push((index, format!("{name}: {ty}")));
            entry = body;
        }
        let written: Vec<&str> = indices.iter().map(|(_, written)| &**written).collect();
        self.out.push_str(&format!("[{} -> ", written.join(", ")));
        self.at(entry, Level::Choice);
        self.out.push(']');
        for (index, _) in indices.into_iter().rev() {
            self.names.leave(*index);
        }
    }

    fn enumerator(&mut self, ty: &Type, position: u32) {
        if let Type::Enum(id) = ty {
            let enumeration = &self.model.enumerations[id.index()];
            let value = &enumeration.values[position as usize];
            if self.is_ambiguous(value) {
                self.out.push_str(&format!("{}.", enumeration.name));
            }
            self.out.push_str(value);
        }
    }

    /// Whether a value of an enumeration shares its name with another one's, or with a variable.
    fn is_ambiguous(&self, value: &str) -> bool {
        let enumerations = &self.model.enumerations;
        let bearers = enumerations.iter().flat_map(|e| &e.values);
        bearers.filter(|name| ***name == *value).count() > 1 || self.is_variable(value)
    }

    pub(super) fn is_variable(&self, name: &str) -> bool {
        let own = self.context.automaton.iter().flat_map(|a| &a.variables);
        let mut variables = own.chain(self.context.block);
        variables.any(|variable| *variable.name == *name)
    }

    fn state(&mut self, state: StateRef) {
        let name = match self.context.automaton_of(state) {
            Some(automaton) => automaton.variables[state.var.index()].name.to_string(),
            None => self.context.block[state.var.index()].name.to_string(),
        };
        self.store(state);
        self.out.push_str(&name);
        self.prime(state);
    }

    /// Writes what stands before the name of a variable to tell its store.
    fn store(&mut self, state: StateRef) {
        if let (Store::Low | Store::High, Some(automaton)) =
            (state.store, self.context.automaton_of(state))
        {
            self.out.push_str(&automaton.name);
            self.out.push('.');
        }
    }

    /// Writes what stands after the name of a variable to tell its store.
    fn prime(&mut self, state: StateRef) {
        if state.store == Store::Post {
            self.out.push('\'');
        }
    }

    /// Writes `P[i].x` where a component's variable is read at all of the component's indices.
    pub(super) fn component_part(&mut self, whole: &Expr) -> bool {
        let (mut at, mut indices) = (whole, Vec::new());
        while let ExprKind::Apply(Op::Select, args) = &at.kind {
            indices.push(&args[1]);
            at = &args[0];
        }
        let ExprKind::State(state) = at.kind else {
            return false;
        };
        let Some(automaton) = self.context.automaton_of(state) else {
            return false;
        };
        let variable = &automaton.variables[state.var.index()];
        let Some(component) = variable.component else {
            return false;
        };
        let component = &automaton.components[component.index()];
        let arity = component.indices.len();
        if arity == 0 || indices.len() < arity {
            return false;
        }
        indices.reverse();
        self.store(state);
        for part in parts_of_path(automaton, &component.path, arity) {
            match part {
                PathPart::Name(name) => self.out.push_str(name),
                PathPart::Index(position) => self.index(indices[position]),
            }
        }
        self.out.push_str(&variable.name[component.path.len()..]);
        self.prime(state);
        indices[arity..].iter().for_each(|index| self.index(index));
        true
    }

    fn index(&mut self, index: &Expr) {
        self.out.push('[');
        self.at(index, Level::Choice);
        self.out.push(']');
    }

    fn binder_type(&self, id: LocalId) -> String {
        self.model.type_name(&self.context.locals[id.index()].ty)
    }

    /// `\A x, y: T \A z: U (body)`: one group for each run of binders of one type.
    fn quantified(&mut self, quantifier: Quantifier, binders: &[LocalId], body: &Expr) {
        let sign = match quantifier {
            Quantifier::ForAll => "\\A",
            Quantifier::Exists => "\\E",
        };
        let locals = self.context.locals;
        let groups = binders.chunk_by(|a, b| locals[a.index()].ty == locals[b.index()].ty);
        for group in groups {
            let names: Vec<String> = group.iter().map(|id| self.names.enter(*id)).collect();
            let ty = self.binder_type(group[0]);
            self.out
                .push_str(&format!("{sign} {}: {ty} ", names.join(", ")));
        }
        let start = self.out.len();
        if matches!(body.kind, ExprKind::Quantified(..)) {
            self.form(body);
        } else {
            self.out.push('(');
            self.at(body, Level::Choice);
            self.out.push(')');
        }
        self.places.add(body, start..self.out.len());
        for binder in binders {
            self.names.leave(*binder);
        }
    }
}

/// A part of a component's path.
pub(super) enum PathPart<'p> {
    /// Names with what separates them.
    Name(&'p str),
    /// One of the indices, by position.
    Index(usize),
}

/// The path of a component, with so many indices where they belong: `P[i].Q[j]`.
pub(super) fn parts_of_path<'p>(
    automaton: &Automaton,
    path: &'p str,
    indices: usize,
) -> Vec<PathPart<'p>> {
    let mut parts = Vec::new();
    let (mut start, mut written) = (0, 0);
    let ends = path.match_indices('.').map(|(end, _)| end);
    for end in ends.chain([path.len()]) {
        parts.push(PathPart::Name(&path[start..end]));
        let prefix = &path[..end];
        let component = automaton.components.iter().find(|c| *c.path == *prefix);
        let upto = component.map_or(written, |c| c.indices.len().min(indices));
        parts.extend((written..upto).map(PathPart::Index));
        written = written.max(upto);
        start = end;
    }
    parts
}

/// A fraction as a term: a decimal number, or else a division of two.
fn fraction(n: &Rational) -> String {
    notation::decimal(n).unwrap_or_else(|| format!("{}.0 / {}.0", n.numer(), n.denom()))
}
