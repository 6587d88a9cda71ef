//! Terms and formulas as text.

use num_bigint::BigInt;

use super::context::Context;
use super::names::Names;
use crate::check::reread::{self, Qualified};
use crate::core::{
    Automaton, Expr, ExprKind, Form, FunctionId, Infix, Level, Liveness, LocalId, Meaning, Model,
    Op, Prefix, Quantifier, Rational, Side, StateRef, Store, Temporal, Type,
};
use crate::notation;

pub(super) struct Printer<'a> {
    model: &'a Model,
    context: &'a Context<'a>,
    names: Names<'a>,
    /// The terms that are written with their types.
    qualified: Qualified,
    out: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(model: &'a Model, context: &'a Context<'a>, names: Names<'a>) -> Self {
        Self {
            model,
            context,
            names,
            qualified: Qualified::default(),
            out: String::new(),
        }
    }

    pub(super) fn print(mut self, expr: &Expr) -> String {
        self.whole(expr);
        self.out
    }

    /// Writes an expression that stands where its type is known.
    fn whole(&mut self, expr: &Expr) {
        self.qualified = reread::qualified(self.model, expr, &|e| self.declared_type(e));
        self.at(expr, Level::Choice);
    }

    /// The declared type of a (state or bound) variable; the type of any other term.
    fn declared_type(&self, expr: &Expr) -> Type {
        match expr.kind {
            ExprKind::State(state) => {
                let automaton = self.automaton_of(state);
                let variables = automaton.map_or(self.context.block, |a| &a.variables);
                variables[state.var.index()].ty.clone()
            }
            ExprKind::Local(id) => self.context.locals[id.index()].ty.clone(),
            _ => expr.ty.clone(),
        }
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
                self.whole(goal);
            }
            Temporal::EventuallyAlways(goal) => {
                self.out.push_str("eventually always ");
                self.whole(goal);
            }
            Temporal::LeadsTo(premise, goal) => {
                self.whole(premise);
                self.out.push_str(" leads to ");
                self.whole(goal);
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
    fn at(&mut self, expr: &Expr, wanted: Level) {
        if !self.qualified.contains(expr) {
            return self.unqualified(expr, wanted);
        }
        let enclose = wanted == Level::Postfix;
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
    }

    fn unqualified(&mut self, expr: &Expr, wanted: Level) {
        if let ExprKind::Apply(Op::ToReal, args) = &expr.kind {
            return self.at(&args[0], wanted);
        }
        let enclose = self.level(expr) < wanted;
        if enclose {
            self.out.push('(');
        }
        self.form(expr);
        if enclose {
            self.out.push(')');
        }
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
    fn negatable(&self, expr: &Expr) -> bool {
        !self.qualified.contains(expr)
            && match &expr.kind {
                ExprKind::Apply(op, _) => negation(*op).is_some(),
                kind => matches!(kind, ExprKind::Theory(..)),
            }
    }

    fn form(&mut self, expr: &Expr) {
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
            ExprKind::Random(draw, args) => self.function(draw.row().name, args),
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

    fn is_variable(&self, name: &str) -> bool {
        let own = self.context.automaton.iter().flat_map(|a| &a.variables);
        let mut variables = own.chain(self.context.block);
        variables.any(|variable| *variable.name == *name)
    }

    fn state(&mut self, state: StateRef) {
        let name = match self.automaton_of(state) {
            Some(automaton) => automaton.variables[state.var.index()].name.to_string(),
            None => self.context.block[state.var.index()].name.to_string(),
        };
        self.qualified(state, &name);
    }

    /// The automaton whose variable it is; `None` for an own variable of a schedule or proof block.
    fn automaton_of(&self, state: StateRef) -> Option<&'a Automaton> {
        match state.store {
            Store::Pre | Store::Post => self.context.automaton,
            Store::Block => None,
            Store::Low => self.context.low,
            Store::High => self.context.high,
        }
    }

    /// The name of a variable, with what tells its store.
    fn qualified(&mut self, state: StateRef, name: &str) {
        if let (Store::Low | Store::High, Some(automaton)) = (state.store, self.automaton_of(state))
        {
            self.out.push_str(&automaton.name);
            self.out.push('.');
        }
        self.out.push_str(name);
        if state.store == Store::Post {
            self.out.push('\'');
        }
    }

    /// Writes `P[i].x` where a component's variable is read at all of the component's indices.
    fn component_part(&mut self, whole: &Expr) -> bool {
        let (mut at, mut indices) = (whole, Vec::new());
        while let ExprKind::Apply(Op::Select, args) = &at.kind {
            indices.push(&args[1]);
            at = &args[0];
        }
        let ExprKind::State(state) = at.kind else {
            return false;
        };
        let Some(automaton) = self.automaton_of(state) else {
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
        let texts: Vec<String> = indices.iter().map(|index| self.text(index)).collect();
        let own = &variable.name[component.path.len()..];
        let name = path(automaton, &component.path, &texts[..arity]) + own;
        self.qualified(state, &name);
        for index in &texts[arity..] {
            self.out.push_str(&format!("[{index}]"));
        }
        true
    }

    /// An expression by itself.
    fn text(&mut self, expr: &Expr) -> String {
        let before = std::mem::take(&mut self.out);
        self.at(expr, Level::Choice);
        std::mem::replace(&mut self.out, before)
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
        if matches!(body.kind, ExprKind::Quantified(..)) {
            self.form(body);
        } else {
            self.out.push('(');
            self.at(body, Level::Choice);
            self.out.push(')');
        }
        for binder in binders {
            self.names.leave(*binder);
        }
    }

    fn apply(&mut self, op: Op, args: &[Expr], whole: &Expr) {
        match op.form() {
            Form::Infix(sign) => self.infix(sign, op, args),
            Form::Prefix(Prefix::Not) => self.not(&args[0]),
            Form::Prefix(sign) => {
                self.out.push_str(sign.text());
                self.at(&args[0], Level::Postfix);
            }
            Form::Function(name) if op.is_like(Op::Insert) => self.insert(name, args, whole),
            Form::Function(name) if args.is_empty() && self.is_variable(name) => {
                self.call(name, args);
            }
            Form::Function(name) => self.function(name, args),
            Form::Literal(text) => self.out.push_str(text),
            Form::Index if op == Op::Select && self.component_part(whole) => {}
            Form::Index => {
                self.at(&args[0], Level::Postfix);
                self.list("[", &args[1..], "]");
            }
            Form::Part => {
                let part = self.model.part_name(&args[0].ty, op.part());
                self.at(&args[0], Level::Postfix);
                self.out.push('.');
                self.out.push_str(&part);
            }
            Form::Update => {
                let part = self.model.part_name(&args[0].ty, op.part());
                self.call(&format!("set_{part}"), args);
            }
            Form::Variant => {
                let tag = self.model.part_name(&whole.ty, op.part());
                self.call(&tag, args);
            }
            Form::Brackets => self.list("[", args, "]"),
            Form::Silent => self.form(&args[0]),
        }
    }

    fn infix(&mut self, sign: Infix, op: Op, args: &[Expr]) {
        let (level, side) = (sign.row().level, sign.row().side);
        let last = args.len() - 1;
        for (position, arg) in args.iter().enumerate() {
            if position > 0 {
                self.out.push_str(&format!(" {sign} "));
            }
            // At the level of sequences the operators lean to different sides, so only the same one may repeat.
            let repeats = level != Level::Sequence
                || matches!(&arg.kind, ExprKind::Apply(inner, _) if *inner == op);
            let leans = match side {
                Side::Left => position == 0,
                Side::Right => position == last,
                Side::Neither => false,
            };
            let wanted = if leans && repeats {
                level
            } else {
                level.above()
            };
            self.at(arg, wanted);
        }
    }

    /// A theory's operator: a sign between its arguments, or a function.
    fn theory(&mut self, function: FunctionId, args: &[Expr]) {
        let name = &self.model.functions[function.index()].name;
        match self.theory_sign(function, false) {
            Some(sign) => self.related(&args[0], sign, &args[1]),
            None => self.function(name, args),
        }
    }

    /// The sign of a theory's relation or of its negation; `None` for what is written as a function.
    fn theory_sign(&self, function: FunctionId, negated: bool) -> Option<Infix> {
        match (self.model.functions[function.index()].meaning, negated) {
            (Meaning::Less(_), false) => Some(Infix::Lt),
            (Meaning::Less(_), true) => Some(Infix::Le),
            (Meaning::InGroup { .. }, false) => Some(Infix::In),
            (Meaning::InGroup { .. }, true) => Some(Infix::NotIn),
            (Meaning::Axioms, _) => None,
        }
    }

    fn related(&mut self, left: &Expr, sign: Infix, right: &Expr) {
        let level = sign.row().level.above();
        self.at(left, level);
        self.out.push_str(&format!(" {sign} "));
        self.at(right, level);
    }

    fn not(&mut self, negated: &Expr) {
        if !self.negatable(negated) {
            return self.negation(negated);
        }
        match &negated.kind {
            ExprKind::Apply(op, args) => match negation(*op) {
                Some(sign) => self.related(&args[0], sign, &args[1]),
                None => self.negation(negated),
            },
            ExprKind::Theory(function, args) => match self.theory_sign(*function, true) {
                // `~(b < a)` on a sort is how `a <= b` is written in the core.
                Some(Infix::Le) => self.related(&args[1], Infix::Le, &args[0]),
                Some(sign) => self.related(&args[0], sign, &args[1]),
                None => self.negation(negated),
            },
            _ => self.negation(negated),
        }
    }

    fn negation(&mut self, negated: &Expr) {
        self.out.push_str(Prefix::Not.text());
        self.at(negated, Prefix::Not.level());
    }

    /// Insertions into the empty collection are a literal.
    fn insert(&mut self, name: &str, args: &[Expr], whole: &Expr) {
        let mut elements = Vec::new();
        let mut rest = whole;
        while let ExprKind::Apply(op, args) = &rest.kind
            && op.is_like(Op::Insert)
        {
            elements.push(&args[0]);
            rest = &args[1];
        }
        if !matches!(rest.kind, ExprKind::Apply(op, _) if op.is_like(Op::EmptySet)) {
            return self.call(name, args);
        }
        // `{x:T` is how a set begins whose elements are those of a type.
        let first = elements.remove(0);
        let first_level = match self.qualified.contains(first) && is_name(first) {
            true => Level::Postfix,
            false => Level::Choice,
        };
        self.out.push('{');
        self.at(first, first_level);
        for element in elements {
            self.out.push_str(", ");
            self.at(element, Level::Choice);
        }
        self.out.push('}');
    }

    /// An application of a function; without arguments, it is only the name.
    fn function(&mut self, name: &str, args: &[Expr]) {
        match args {
            [] => self.out.push_str(name),
            args => self.call(name, args),
        }
    }

    fn call(&mut self, name: &str, args: &[Expr]) {
        self.out.push_str(name);
        self.list("(", args, ")");
    }

    fn list<'e>(&mut self, open: &str, items: impl IntoIterator<Item = &'e Expr>, close: &str) {
        self.out.push_str(open);
        for (position, item) in items.into_iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.at(item, Level::Choice);
        }
        self.out.push_str(close);
    }
}

/// The path of a component with the indices where they belong: `P[i].Q[j]`.
pub(super) fn path(automaton: &Automaton, path: &str, indices: &[String]) -> String {
    let mut text = String::new();
    let mut written = 0;
    let ends = path.match_indices('.').map(|(end, _)| end);
    let mut start = 0;
    for end in ends.chain([path.len()]) {
        text.push_str(&path[start..end]);
        let prefix = &path[..end];
        let component = automaton.components.iter().find(|c| *c.path == *prefix);
        let upto = component.map_or(written, |c| c.indices.len().min(indices.len()));
        if upto > written {
            for index in &indices[written..upto] {
                text.push_str(&format!("[{index}]"));
            }
            written = upto;
        }
        start = end;
    }
    text
}

/// The sign for the negation of an operator, if there is one: `~=` for `=`.
fn negation(op: Op) -> Option<Infix> {
    op.infix()?.negation()
}

/// Whether a term is written as a name and nothing else.
fn is_name(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::State(_) | ExprKind::Local(_) | ExprKind::Enumerator(_) => true,
        ExprKind::Apply(op, args) => match op.form() {
            Form::Silent => is_name(&args[0]),
            Form::Function(_) => args.is_empty(),
            form => form == Op::Nil.form(),
        },
        ExprKind::Theory(_, args) => args.is_empty(),
        _ => false,
    }
}

/// A fraction as a term: a decimal number, or else a division of two.
fn fraction(n: &Rational) -> String {
    notation::decimal(n).unwrap_or_else(|| format!("{}.0 / {}.0", n.numer(), n.denom()))
}
