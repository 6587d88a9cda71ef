//! Effects as relations: statements are run on terms instead of values.
//!
//! Every assignment gives a variable a new term. A term that a later statement reads gets a name in a `LET`; the others
//! go into the `x' = ..` at the end. A `choose` becomes an `\E`, a loop a recursive operator that takes one element after
//! the other (their order does not matter, which the front end has checked).

use ioa_lang::core::{Expr, LocalId, Place, Projection, Range, Stmt, StmtKind, Store, Type, VarId};

use super::helpers::Helper;
use super::names::field;
use super::text::{Doc, Level, Text};
use super::writer::Writer;

/// Something between the guards and the new values.
#[derive(Clone, Debug)]
enum Line {
    /// A name for an intermediate term.
    Let(String, Text),
    /// A definition that is more than a name.
    Define(String),
    /// `\E name \in set :`
    Choose(String, String),
}

/// The state of running an effect on terms.
#[derive(Debug, Default)]
pub(super) struct Effect {
    lines: Vec<Line>,
    /// The conditions under which the statement at hand is reached.
    reached: Vec<String>,
    /// Whether this is the body of a loop, where nothing can be chosen.
    looping: bool,
    /// The variables' own names, and their types.
    variables: Vec<String>,
    types: Vec<Type>,
}

impl Effect {
    /// The formula that says what an effect does: `last` is what stands under all its definitions and choices, made
    /// from the terms of the variables in the end.
    pub(super) fn run<'a>(
        writer: &mut Writer<'a>,
        variables: &[(String, Type)],
        body: &'a [Stmt],
        last: impl FnOnce(&mut Writer<'a>, Vec<Text>) -> Doc,
    ) -> Doc {
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
                self.assign(writer, place, &value);
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
            StmtKind::While(..) | StmtKind::Fire(_) => {
                unreachable!("the front end lets only schedules and proof blocks loop and fire")
            }
        }
    }

    fn assign<'a>(&mut self, writer: &mut Writer<'a>, place: &'a Place, value: &Text) {
        let value = match &place.path[..] {
            [] => value.clone(),
            path => {
                let whole = writer.variable(place.root, place.span);
                let ty = self.types[place.root.var.index()].clone();
                writer.updated(&whole, &ty, path, value)
            }
        };
        self.bind(writer, place.root.var, value);
    }

    /// Gives a variable a new term, under a name.
    fn bind(&mut self, writer: &mut Writer<'_>, var: VarId, value: Text) {
        let name = writer.names.enter(&self.variables[var.index()]);
        writer.reads.insert(name.clone(), 0);
        set(writer, var, Text::atom(&*name));
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
            let set = format!("{{{inner} \\in {base} : {}}}", formula.plain());
            writer
                .call(Helper::Some, &[Text::atom(set)])
                .plain()
                .to_owned()
        };
        let set = match &self.reached[..] {
            [] => set,
            conditions => format!("(IF {} THEN {set} ELSE {{<<>>}})", conditions.join(" /\\ ")),
        };
        self.lines.push(Line::Choose(name.clone(), set));
        self.assign(writer, place, &Text::atom(name));
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
            self.reached.push(name.clone());
            self.block(writer, body);
            arms.push((name.clone(), writer.stores[&Store::Pre].clone()));
            self.reached.pop();
            self.reached.push(format!("~{name}"));
        }
        writer.stores.insert(Store::Pre, before.clone());
        self.block(writer, otherwise);
        self.reached.truncate(depth);
        let last = writer.stores[&Store::Pre].clone();
        for (at, old) in before.iter().enumerate() {
            let value_of = |state: &[Text]| state[at].plain().to_owned();
            let unchanged = |state: &[Text]| state[at].plain() == old.plain();
            if unchanged(&last) && arms.iter().all(|(_, state)| unchanged(state)) {
                continue;
            }
            let mut text = String::new();
            for (condition, state) in &arms {
                text.push_str(&format!("IF {condition} THEN {} ELSE ", value_of(state)));
            }
            text.push_str(&value_of(&last));
            let ends = arms.iter().map(|(_, state)| value_of(state));
            for read in ends.chain([value_of(&last)]) {
                writer.reads.entry(read).and_modify(|count| *count += 1);
            }
            self.bind(writer, VarId::at(at), Text::new(Level::Open, text));
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
                    writer.call(Helper::Range, &[sequence])
                }
                Type::Mset(_) => Text::call("BagToSet", &[writer.term(set)]),
                _ => writer.term(set),
            },
            Range::Where(condition) => {
                let base = writer.range(binder, &condition.conjuncts());
                match condition.is_true() {
                    true => Text::new(Level::Infix, base),
                    false => {
                        let name = writer.enter(binder);
                        let condition = writer.term(condition);
                        Text::atom(format!("{{{name} \\in {base} : {}}}", condition.plain()))
                    }
                }
            }
        };
        self.fold(writer, binder, &elements, body);
    }

    /// A recursive operator over the elements that are left and the values of what the body writes.
    fn fold<'a>(
        &mut self,
        writer: &mut Writer<'a>,
        binder: LocalId,
        elements: &Text,
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
        let start = record(
            written
                .iter()
                .map(|var| (label(var), before[var.index()].plain())),
        );
        for var in &written {
            read(writer, before[var.index()].plain());
            set(writer, *var, Text::atom(format!("{values}.{}", label(var))));
        }
        let element = writer.enter(binder);
        let mut inner = Self {
            looping: true,
            variables: self.variables.clone(),
            types: self.types.clone(),
            ..Self::default()
        };
        inner.block(writer, body);
        let ends = inner.inlined(writer);
        let next = record(
            written
                .iter()
                .map(|var| (label(var), ends[var.index()].plain())),
        );
        let step = Doc::Line(format!("{name}({rest} \\ {{{element}}}, {next})"));
        let step = inner.lines.into_iter().rev().fold(step, wrapped);
        let head = format!("{element} == CHOOSE {element}_ \\in {rest} : TRUE");
        let step = wrapped(step, Line::Define(head)).lines().join("\n       ");
        self.lines.push(Line::Define(format!(
            "RECURSIVE {name}(_, _)\n{name}({rest}, {values}) ==\n  IF {rest} = {{}} THEN {values}\n  ELSE {step}"
        )));
        let result = writer.names.enter("result");
        let call = Text::atom(format!("{name}({}, {start})", elements.plain()));
        writer.reads.insert(result.clone(), 2);
        self.lines.push(Line::Let(result.clone(), call));
        writer.stores.insert(Store::Pre, before);
        for var in written {
            let value = Text::atom(format!("{result}.{}", label(&var)));
            self.bind(writer, var, value);
        }
    }

    /// The terms of the variables in the end, where a name that nothing else reads is replaced by what it stands for.
    fn inlined(&mut self, writer: &mut Writer<'_>) -> Vec<Text> {
        let mut ends = writer.stores[&Store::Pre].clone();
        let reads = &writer.reads;
        self.lines.retain(|line| {
            let Line::Let(name, value) = line else {
                return true;
            };
            if reads.get(name).is_some_and(|count| *count > 0) {
                return true;
            }
            for end in ends.iter_mut().filter(|end| end.plain() == name) {
                *end = value.clone();
            }
            false
        });
        ends
    }
}

/// One more line around what stands under it.
fn wrapped(inner: Doc, line: Line) -> Doc {
    let definition = match line {
        Line::Choose(name, set) => {
            return Doc::Under(format!("\\E {name} \\in {set} :"), Box::new(inner));
        }
        Line::Let(name, value) => format!("{name} == {}", value.plain()),
        Line::Define(definition) => definition,
    };
    match inner {
        Doc::Let(mut definitions, body) => {
            definitions.insert(0, definition);
            Doc::Let(definitions, body)
        }
        other => Doc::Let(vec![definition], Box::new(other)),
    }
}

fn set(writer: &mut Writer<'_>, var: VarId, value: Text) {
    if let Some(variables) = writer.stores.get_mut(&Store::Pre) {
        variables[var.index()] = value;
    }
}

fn read(writer: &mut Writer<'_>, name: &str) {
    if let Some(count) = writer.reads.get_mut(name) {
        *count += 1;
    }
}

fn record<'t>(fields: impl Iterator<Item = (String, &'t str)>) -> String {
    let fields: Vec<String> = fields
        .map(|(name, value)| format!("{name} |-> {value}"))
        .collect();
    format!("[{}]", fields.join(", "))
}

impl<'a> Writer<'a> {
    /// A value of some type with one part of it replaced.
    fn updated(&mut self, whole: &Text, ty: &Type, path: &'a [Projection], value: &Text) -> Text {
        if let ([Projection::Entry(key), rest @ ..], Type::Map(_, range)) = (path, ty) {
            let key = self.term(key);
            let entry = Text::atom(format!("{}[{}]", whole.at(Level::Atom), key.plain()));
            let entry = self.updated(&entry, range, rest, value);
            return self.call(Helper::Updated, &[whole.clone(), key, entry]);
        }
        let (way, part_type, rest) = self.way(ty, path);
        if way.is_empty() {
            return value.clone();
        }
        let part = Text::atom(format!("{}{way}", whole.at(Level::Atom)));
        let part = self.updated(&part, &part_type, rest, value);
        Text::atom(format!(
            "[{} EXCEPT !{way} = {}]",
            whole.plain(),
            part.plain()
        ))
    }

    /// The steps of a path that `EXCEPT` can take at once, the type that they lead to, and the steps after them.
    fn way(&mut self, ty: &Type, mut path: &'a [Projection]) -> (String, Type, &'a [Projection]) {
        let (mut way, mut ty) = (String::new(), ty.clone());
        while let [first, rest @ ..] = path {
            let (step, part) = match (first, &ty) {
                (Projection::Index(index), Type::Array(_, element)) => (
                    format!("[{}]", self.term(index).plain()),
                    (**element).clone(),
                ),
                (Projection::Field(position), Type::Tuple(id)) => {
                    let fields = &self.model.tuples[id.index()].fields;
                    let part = fields[*position as usize].1.clone();
                    (format!(".{}", self.field_of(&ty, *position)), part)
                }
                _ => break,
            };
            way.push_str(&step);
            (ty, path) = (part, rest);
        }
        (way, ty, path)
    }
}
