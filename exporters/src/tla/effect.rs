//! Effects as relations: statements are executed symbolically, on terms instead of values.
//!
//! Every assignment gives a variable a new term. A term that a later statement reads gets a name in a `LET`; the others
//! go into the `x' = ..` at the end. A `choose` becomes an `\E`, a loop a recursive operator that takes one element after
//! the other (their order does not matter, which the front end has checked).

use ioa_lang::core::{Expr, LocalId, Place, Projection, Range, Stmt, StmtKind, Store, Type, VarId};

use super::helpers::Helper;
use super::names::field;
use super::syntax::{Definition, Step, Term};
use super::syntax::{Infix, Prefix};
use super::writer::Writer;

/// Something between the guards and the new values.
#[derive(Clone, Debug)]
enum Line {
    /// A name for an intermediate term.
    Let(String, Term),
    /// A definition that is more than a name.
    Define(Definition),
    /// `\E name \in set :`
    Choose(String, Term),
}

/// The state of running an effect on terms.
#[derive(Debug, Default)]
pub(super) struct Effect {
    lines: Vec<Line>,
    /// The conditions under which the current statement is reached.
    reached: Vec<Term>,
    /// Whether this is the body of a loop, where nothing can be chosen.
    looping: bool,
    /// The variables' own names, and their types.
    variables: Vec<String>,
    types: Vec<Type>,
}

impl Effect {
    /// The formula for an effect: `last` builds the formula inside all definitions and choices from the final terms of the
    /// variables.
    pub(super) fn run<'a>(
        writer: &mut Writer<'a>,
        variables: &[(String, Type)],
        body: &'a [Stmt],
        last: impl FnOnce(&mut Writer<'a>, Vec<Term>) -> Term,
    ) -> Term {
        let mut effect = Self {
            variables: variables.iter().map(|(name, _)| name.clone()).collect(),
            types: variables.iter().map(|(_, ty)| ty.clone()).collect(),
            ..Self::default()
        };
        effect.block(writer, body);
        let ends = effect.inlined(writer);
        let inner = last(writer, ends);
        effect.lines.into_iter().rev().fold(inner, wrapped)
    }

    fn block<'a>(&mut self, writer: &mut Writer<'a>, body: &'a [Stmt]) {
        for statement in body {
            self.statement(writer, statement);
        }
    }

    fn statement<'a>(&mut self, writer: &mut Writer<'a>, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let value = writer.term(value);
                self.assign(writer, place, value);
            }
            StmtKind::Choose {
                place,
                binder,
                predicate,
                ..
            } => self.choose(writer, place, *binder, predicate),
            StmtKind::If {
                branches,
                otherwise,
            } => self.branch(writer, branches, otherwise),
            StmtKind::For {
                binder,
                range,
                body,
            } => self.for_each(writer, *binder, range, body),
            StmtKind::While(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => {
                unreachable!("the front end lets only schedules and proof blocks loop and fire")
            }
        }
    }

    fn assign<'a>(&mut self, writer: &mut Writer<'a>, place: &'a Place, value: Term) {
        let value = match &place.path[..] {
            [] => value,
            path => {
                let whole = writer.variable(place.root, place.span);
                let ty = self.types[place.root.var.index()].clone();
                writer.updated(whole, &ty, path, value)
            }
        };
        self.bind(writer, place.root.var, value);
    }

    /// Assigns a new term to a variable, under a name.
    fn bind(&mut self, writer: &mut Writer<'_>, var: VarId, value: Term) {
        let name = writer.names.enter(&self.variables[var.index()]);
        writer.reads.insert(name.clone(), 0);
        set(writer, var, Term::name(&*name));
        self.lines.push(Line::Let(name, value));
    }

    fn choose<'a>(
        &mut self,
        writer: &mut Writer<'a>,
        place: &'a Place,
        binder: LocalId,
        predicate: &'a Expr,
    ) {
        if self.looping {
            writer.unsayable(
                place.span,
                "a choice is made in a loop",
                "choose a whole array or set at once, before the loop",
            );
            return;
        }
        let base = writer.range(binder, &predicate.conjuncts());
        let name = writer.enter(binder);
        let set = if predicate.is_true() {
            base
        } else {
            let inner = writer.names.enter(&format!("{name}_0"));
            writer.bound.insert(binder, inner.clone());
            let formula = writer.term(predicate);
            writer.bound.insert(binder, name.clone());
            let set = Term::filter(inner, base, formula);
            writer.call(Helper::Some, vec![set])
        };
        let set = match &self.reached[..] {
            [] => set,
            conditions => {
                let nothing = Term::Set(vec![Term::Tuple(Vec::new())]);
                Term::conditional(Term::all(conditions.to_vec()), set, nothing)
            }
        };
        self.lines.push(Line::Choose(name.clone(), set));
        self.assign(writer, place, Term::name(name));
    }

    fn branch<'a>(
        &mut self,
        writer: &mut Writer<'a>,
        branches: &'a [(Expr, Vec<Stmt>)],
        otherwise: &'a [Stmt],
    ) {
        let before = writer.stores[&Store::Pre].clone();
        let depth = self.reached.len();
        let mut arms = Vec::new();
        for (condition, body) in branches {
            writer.stores.insert(Store::Pre, before.clone());
            let name = writer.names.enter("holds");
            let condition = writer.term(condition);
            self.lines.push(Line::Let(name.clone(), condition));
            writer.reads.insert(name.clone(), 2);
            let holds = Term::name(name);
            self.reached.push(holds.clone());
            self.block(writer, body);
            arms.push((holds.clone(), writer.stores[&Store::Pre].clone()));
            self.reached.pop();
            self.reached.push(Term::prefix(Prefix::Not, holds));
        }
        writer.stores.insert(Store::Pre, before.clone());
        self.block(writer, otherwise);
        self.reached.truncate(depth);
        let last = writer.stores[&Store::Pre].clone();
        for (at, old) in before.iter().enumerate() {
            let mut ends = arms.iter().map(|(_, state)| &state[at]).chain([&last[at]]);
            if ends.all(|end| end == old) {
                continue;
            }
            let ends = arms.iter().map(|(_, state)| &state[at]).chain([&last[at]]);
            ends.for_each(|end| writer.read(end));
            let value = arms.iter().rev().fold(last[at].clone(), |rest, arm| {
                let (condition, state) = arm;
                Term::conditional(condition.clone(), state[at].clone(), rest)
            });
            self.bind(writer, VarId::at(at), value);
        }
    }

    fn for_each<'a>(
        &mut self,
        writer: &mut Writer<'a>,
        binder: LocalId,
        range: &'a Range,
        body: &'a [Stmt],
    ) {
        let elements = match range {
            Range::In(set) => match &set.ty {
                Type::Seq(_) => {
                    let sequence = writer.term(set);
                    writer.call(Helper::Range, vec![sequence])
                }
                Type::Mset(_) => Term::call("BagToSet", vec![writer.term(set)]),
                _ => writer.term(set),
            },
            Range::Where(condition) => {
                let base = writer.range(binder, &condition.conjuncts());
                match condition.is_true() {
                    true => base,
                    false => {
                        let name = writer.enter(binder);
                        let condition = writer.term(condition);
                        Term::filter(name, base, condition)
                    }
                }
            }
        };
        self.fold(writer, binder, elements, body);
    }

    /// A recursive operator over the remaining elements and the values of what the body writes.
    fn fold<'a>(
        &mut self,
        writer: &mut Writer<'a>,
        binder: LocalId,
        elements: Term,
        body: &'a [Stmt],
    ) {
        let mut written = Vec::new();
        ioa_lang::core::places_of_stmts(body, &mut |place| written.push(place.root.var));
        written.sort_unstable();
        written.dedup();
        let before = writer.stores[&Store::Pre].clone();
        let [name, rest, values] = ["loop", "rest", "values"].map(|n| writer.names.enter(n));
        let labels: Vec<String> = self.variables.iter().map(|name| field(name)).collect();
        let label = |var: &VarId| labels[var.index()].clone();
        let record = |state: &[Term]| {
            let fields = written.iter();
            let fields = fields.map(|var| (label(var), state[var.index()].clone()));
            Term::Record(fields.collect())
        };
        let start = record(&before);
        for var in &written {
            writer.read(&before[var.index()]);
            set(writer, *var, Term::field(Term::name(&*values), label(var)));
        }
        let element = writer.enter(binder);
        let mut inner = Self {
            looping: true,
            variables: self.variables.clone(),
            types: self.types.clone(),
            ..Self::default()
        };
        inner.block(writer, body);
        let next = record(&inner.inlined(writer));
        let turn = RecursionNames {
            name: &name,
            rest: &rest,
            values: &values,
            element: &element,
        };
        let step = inner
            .lines
            .into_iter()
            .rev()
            .fold(turn.again(next), wrapped);
        self.lines.push(Line::Define(turn.operator(step)));
        let result = writer.names.enter("result");
        writer.reads.insert(result.clone(), 2);
        let call = Term::call(name, vec![elements, start]);
        self.lines.push(Line::Let(result.clone(), call));
        writer.stores.insert(Store::Pre, before);
        for var in &written {
            let value = Term::field(Term::name(&*result), label(var));
            self.bind(writer, *var, value);
        }
    }

    /// The final terms of the variables; a name that nothing else reads is replaced by its definition.
    fn inlined(&mut self, writer: &mut Writer<'_>) -> Vec<Term> {
        let mut ends = writer.stores[&Store::Pre].clone();
        let reads = &writer.reads;
        self.lines.retain(|line| {
            let Line::Let(name, value) = line else {
                return true;
            };
            if reads.get(name).is_some_and(|count| *count > 0) {
                return true;
            }
            let name = Term::name(&**name);
            for end in ends.iter_mut().filter(|end| **end == name) {
                *end = value.clone();
            }
            false
        });
        ends
    }
}

/// The names in a recursive operator that processes one element after the other.
struct RecursionNames<'n> {
    /// The operator.
    name: &'n str,
    /// The remaining elements.
    rest: &'n str,
    /// The values of the variables that the body writes.
    values: &'n str,
    /// The current element.
    element: &'n str,
}

impl RecursionNames<'_> {
    /// The recursive call, given what this iteration has written.
    fn again(&self, next: Term) -> Term {
        let taken = Term::Set(vec![Term::name(self.element)]);
        let rest = Term::infix(Infix::Difference, Term::name(self.rest), taken);
        Term::call(self.name, vec![rest, next])
    }

    /// The definition of the operator, given the body of an iteration.
    fn operator(&self, step: Term) -> Definition {
        let [rest, values] = [self.rest, self.values].map(Term::name);
        let some = Term::choose(
            format!("{}_", self.element),
            rest.clone(),
            Term::truth(true),
        );
        let step = Term::defining(Definition::new(self.element, some), step);
        let none_left = Term::infix(Infix::Equal, rest, Term::Set(Vec::new()));
        Definition {
            name: self.name.to_owned(),
            params: vec![self.rest.to_owned(), self.values.to_owned()],
            recursive: true,
            body: Term::conditional(none_left, values, step),
        }
    }
}

/// Puts one more line around a term.
fn wrapped(inner: Term, line: Line) -> Term {
    match line {
        Line::Choose(name, set) => Term::exists(name, set, inner),
        Line::Let(name, value) => Term::defining(Definition::new(name, value), inner),
        Line::Define(definition) => Term::defining(definition, inner),
    }
}

fn set(writer: &mut Writer<'_>, var: VarId, value: Term) {
    if let Some(variables) = writer.stores.get_mut(&Store::Pre) {
        variables[var.index()] = value;
    }
}

impl<'a> Writer<'a> {
    /// A value of some type with one part of it replaced.
    fn updated(&mut self, whole: Term, ty: &Type, path: &'a [Projection], value: Term) -> Term {
        if let ([Projection::Entry(key), rest @ ..], Type::Map(_, range)) = (path, ty) {
            let key = self.term(key);
            let entry = Term::at(whole.clone(), vec![key.clone()]);
            let entry = self.updated(entry, range, rest, value);
            return self.call(Helper::Updated, vec![whole, key, entry]);
        }
        let (way, part_type, rest) = self.way(ty, path);
        if way.is_empty() {
            return value;
        }
        let part = way.iter().fold(whole.clone(), |part, step| match step {
            Step::At(index) => Term::at(part, vec![index.clone()]),
            Step::Field(name) => Term::field(part, &**name),
        });
        let part = self.updated(part, &part_type, rest, value);
        Term::except(whole, way, part)
    }

    /// The steps of a path that `EXCEPT` can take at once, the type that they lead to, and the steps after them.
    fn way(
        &mut self,
        ty: &Type,
        mut path: &'a [Projection],
    ) -> (Vec<Step>, Type, &'a [Projection]) {
        let (mut way, mut ty) = (Vec::new(), ty.clone());
        while let [first, rest @ ..] = path {
            let (step, part) = match (first, &ty) {
                (Projection::Index(index), Type::Array(_, element)) => {
                    (Step::At(self.term(index)), (**element).clone())
                }
                (Projection::Field(position), Type::Tuple(id)) => {
                    let fields = &self.model.tuples[id.index()].fields;
                    let part = fields[*position as usize].1.clone();
                    (Step::Field(self.field_of(&ty, *position)), part)
                }
                _ => break,
            };
            way.push(step);
            (ty, path) = (part, rest);
        }
        (way, ty, path)
    }
}
