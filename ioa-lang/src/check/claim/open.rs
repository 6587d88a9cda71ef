//! Terms with open variables: a name that stands for nothing else is a variable of a sort or an enumeration, of which one the
//! term shows by what it does with it.

use std::collections::BTreeSet;

use super::properties::about;
use crate::check::checker::Want;
use crate::check::report::Report;
use crate::check::world::World;
use crate::core::{AutomatonId, EnumId, Extent, OpenTerm, SortId, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident};

/// A term has no more open variables than this.
const MAX_OPEN: usize = 2;

/// The open variables with their types.
type Open = Vec<(Ident, Type)>;

/// Checks a term with open variables over the states of an automaton, with the expected type if there is one.
pub(in crate::check) fn open_term(
    automaton: AutomatonId,
    term: &ast::Expr,
    wanted: Option<&Type>,
    world: &World,
    report: &mut Report,
) -> Option<OpenTerm> {
    let reading = Reading {
        automaton,
        term,
        wanted,
        world,
    };
    let mut found = Vec::new();
    reading.readings(Vec::new(), &mut found);
    match &found[..] {
        [] => {
            reading.refuse(report);
            None
        }
        [open] => reading.checked(open, report),
        [first, others @ ..] => {
            report.add(ambiguous(first, others, world));
            None
        }
    }
}

/// A term that is to be read.
struct Reading<'w> {
    automaton: AutomatonId,
    term: &'w ast::Expr,
    wanted: Option<&'w Type>,
    world: &'w World,
}

impl Reading<'_> {
    /// Adds each choice of variables, those that are given among them, with which the term has a meaning.
    fn readings(&self, open: Open, found: &mut Vec<Open>) {
        let mut scratch = Report::new(BTreeSet::new());
        let checked = self.checked(&open, &mut scratch);
        let Some((name, has_near)) = scratch.first_unknown() else {
            found.extend(
                checked
                    .is_some_and(|_| scratch.errors() == 0)
                    .then_some(open),
            );
            return;
        };
        // A name that is nearly another one was misspelt.
        if *has_near || open.len() == MAX_OPEN {
            return;
        }
        for ty in self.types() {
            let more = (name.clone(), ty);
            self.readings([&open[..], &[more]].concat(), found);
        }
    }

    /// What a variable may be of.
    fn types(&self) -> impl Iterator<Item = Type> {
        let model = &self.world.model;
        let sorts = (0..model.sorts.len()).map(|at| Type::Sort(SortId::at(at)));
        let enumerations = (0..model.enumerations.len()).map(|at| Type::Enum(EnumId::at(at)));
        sorts.chain(enumerations)
    }

    /// The term with these variables.
    fn checked(&self, open: &Open, report: &mut Report) -> Option<OpenTerm> {
        let of = (self.automaton, Extent::EverySize);
        let mut checker = about(of, self.world, report);
        for (name, ty) in open {
            checker.bind(name, Some(ty.clone()))?;
        }
        let want = self
            .wanted
            .map_or(Want::Anything, |ty| Want::Type(ty, None));
        let term = checker.term(self.term, want)?;
        Some(OpenTerm {
            open: open.len(),
            locals: checker.scope.locals,
            term,
        })
    }

    /// Reports why the term has no meaning.
    fn refuse(&self, report: &mut Report) {
        self.checked(&Vec::new(), report);
        let Some((name, false)) = report.first_unknown().cloned() else {
            return;
        };
        let header = self.world.header(self.automaton);
        let variables = header.variables.list.iter().map(|v| &*v.name.name);
        let variables: Vec<&str> = variables.collect();
        let known = match variables.is_empty() {
            true => "nothing".to_owned(),
            false => variables.join(", "),
        };
        let note = format!(
            "`{}` could be a variable of a sort, but the term has no meaning with any",
            name.name
        );
        report.advise(&name, [note, format!("the state has {known}")]);
    }
}

/// That a variable may be of several types.
fn ambiguous(first: &Open, others: &[Open], world: &World) -> Diagnostic {
    let differs = |at: &usize| others.iter().any(|other| other[*at].1 != first[*at].1);
    let at = (0..first.len()).find(differs).unwrap_or(0);
    let mut types: Vec<&Type> = Vec::new();
    for (_, ty) in std::iter::once(first)
        .chain(others)
        .filter_map(|open| open.get(at))
    {
        if !types.contains(&ty) {
            types.push(ty);
        }
    }
    let names: Vec<String> = types.iter().map(|ty| world.model.type_name(ty)).collect();
    let name = &first[at].0;
    let message = format!(
        "`{}` may be a variable of {}",
        name.name,
        names.join(" or of ")
    );
    Diagnostic::error(Code::Ambiguous, name.span, message)
        .label("nothing here says which is meant")
        .help(format!("write `({}:{})` once", name.name, names[0]))
}
