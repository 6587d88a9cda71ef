//! Nested quantifiers: formulas over a frame that are used like atoms.
//!
//! `\E y (p /\ q)`: something with one or two properties, an element of a sort or a message on the way.
//! `\E y \A z (g(y, z) => p \/ q)`: something all of whose parts, by a predicate of a theory, have one of two properties, such as a
//! quorum all of whose members voted. Their negations are the forms that begin with `\A`. What they are true of is computed from the
//! columns of the literals in them.

mod bodies;
mod formula;
mod truth;

use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Function, FunctionId, Local, Meaning, Model, Type,
};
use rustc_hash::FxHashSet;

use super::atom::atoms;
use super::columns::{Column, Columns, Unknown, opposite, signature};
use super::evidence::Evidence;
use super::frame::{Frame, quantified};
use super::term::{Term, joined};
use crate::build::formula;
use crate::focus::About;

/// Of each form of nesting, only so many formulas with one literal are taken, the simplest of those that differ.
const MAX_TAKEN: usize = 24;
/// The same below several variables of the frame, where formulas are about one of these each.
const MAX_TAKEN_BELOW_SEVERAL: usize = 8;
/// Below several variables, only so many formulas with two literals are taken of each nesting that goes through the parts of something.
const MAX_PAIRS_BELOW_SEVERAL: usize = 48;
/// Only so many literals of the inner variables are looked at.
const MAX_INNER: usize = 48;

/// A way to quantify further variables over a frame.
pub(crate) struct Nesting {
    frame: Frame,
    /// The variables of the frame, then those that are bound in atoms.
    locals: Vec<Local>,
    /// The predicate that guards the second variable, where there are two.
    guard: Option<Term>,
    /// The atoms that mention the innermost variable.
    atoms: Vec<Term>,
}

/// An atom of a nesting by its position, and whether it is to be true.
pub(crate) type Literal = (usize, bool);

/// A nested formula: which nesting, and which of its literals.
#[derive(Clone, Debug)]
pub(crate) struct Nested {
    nesting: usize,
    literals: Vec<Literal>,
}

/// The columns of a nesting's atoms in a block: for each assignment of the frame, with its values, for each value of the first
/// variable, for each value of the second (one where there is none), the guard's column and those of the atoms.
type Inner = Vec<(Vec<Expr>, Vec<Vec<(Option<Column>, Vec<Column>)>>)>;

/// The nestings of a frame.
pub(crate) fn nestings(evidence: &dyn Evidence, about: About<'_>, frame: &Frame) -> Vec<Nesting> {
    let (model, automaton) = (about.model, about.automaton);
    let universes = evidence.universes();
    let Some(universe) = universes.first() else {
        return Vec::new();
    };
    let outer = frame.binders.len();
    let some = |inner: Frame, is_fit: fn(&Term) -> bool| {
        let (mut atoms, locals) = atoms(about, &inner);
        atoms.iter_mut().for_each(|atom| atom.restrict(&inner));
        atoms.retain(|atom| atom.binders >> outer & 1 == 1 && is_fit(atom));
        atoms.truncate(MAX_INNER);
        Nesting {
            frame: inner,
            locals,
            guard: None,
            atoms,
        }
    };
    let of_types = quantified(about, universe).into_iter();
    let of_types = of_types.map(|ty| frame.extended(model, automaton, &[ty]));
    let elements = frame.with_elements(about, evidence).into_iter();
    let mut out: Vec<Nesting> = of_types
        .map(|inner| some(inner, |atom| atom.reads_state))
        .chain(elements.map(|inner| some(inner, |atom| !atom.guards.contains(&atom.expr))))
        .collect();
    out.extend(through_groups(about, frame, atoms));
    out
}

/// The nestings of a frame that go through the parts of something; `atoms` makes what is said of these.
pub(crate) fn through_groups(
    about: About<'_>,
    frame: &Frame,
    atoms: impl Fn(About<'_>, &Frame) -> (Vec<Term>, Vec<Local>),
) -> Vec<Nesting> {
    let groups = groups(about.model, about.automaton).into_iter();
    groups
        .map(|membership| Nesting::through(about, frame, membership, (&atoms, MAX_INNER)))
        .collect()
}

/// The predicates of the theories that relate two sorts, that of the parts and that of the wholes.
fn groups(model: &Model, automaton: AutomatonId) -> Vec<FunctionId> {
    let setting = model.setting([automaton]);
    let relates = |function: &Function| match &function.params[..] {
        [a @ Type::Sort(_), b @ Type::Sort(_)] => {
            let is_order = matches!(function.meaning, Meaning::Less(_));
            a != b && function.result == Type::Bool && !is_order
        }
        _ => false,
    };
    let known = model.known_operators(&setting);
    known
        .filter_map(|(id, function)| relates(function).then_some(id))
        .collect()
}

impl Nesting {
    /// The way to go through the parts of something, by a predicate that relates a sort of parts to one of wholes; of the atoms that are
    /// made those are taken, so many at most, that say something of the parts.
    pub(crate) fn through(
        about: About<'_>,
        frame: &Frame,
        membership: FunctionId,
        (atoms, most): (impl Fn(About<'_>, &Frame) -> (Vec<Term>, Vec<Local>), usize),
    ) -> Self {
        let (model, automaton) = (about.model, about.automaton);
        let outer = frame.binders.len();
        let [part, whole] = &model.functions[membership.index()].params[..] else {
            unreachable!("the predicate relates two sorts");
        };
        let inner = frame.extended(model, automaton, &[whole.clone(), part.clone()]);
        let (mut atoms, locals) = atoms(about, &inner);
        let parts: Vec<Expr> = inner.variables().skip(outer).collect();
        let args = vec![parts[1].clone(), parts[0].clone()];
        let guard = joined(&[], formula(ExprKind::Theory(membership, args)));
        atoms.retain(|a| a.binders >> outer & 0b11 == 0b10 && a.reads_state);
        atoms.truncate(most);
        Self {
            frame: inner,
            locals,
            guard: Some(guard),
            atoms,
        }
    }

    /// The columns of its atoms in a block; none where its variables have too many values.
    fn inner(
        &self,
        (model, outer): (&Model, &Frame),
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
        block: usize,
    ) -> Result<Option<Inner>, Unknown> {
        let mut all = Vec::new();
        let assigned = |frame: &Frame| frame.assignments(model, evidence, block);
        let (Some(assignments), Some(outers)) = (assigned(&self.frame), assigned(outer)) else {
            return Ok(None);
        };
        let mut terms = self.atoms.clone();
        terms.extend(self.guard.clone());
        let table = columns.of(evidence, block, (&self.locals, &terms), &assignments)?;
        let mut rows = table.into_iter().zip(&assignments).peekable();
        for values in &outers {
            let mut wholes: Vec<Vec<(Option<Column>, Vec<Column>)>> = Vec::new();
            let mut last: Option<Expr> = None;
            while let Some((_, assigned)) = rows.peek() {
                if assigned[..values.len()] != values[..] {
                    break;
                }
                let whole = assigned[values.len()].clone();
                let is_new = self.guard.is_none() || last.as_ref() != Some(&whole);
                last = Some(whole);
                let Some((mut row, _)) = rows.next() else {
                    break;
                };
                let guard = self.guard.is_some().then(|| row.pop()).flatten();
                match is_new {
                    true => wholes.push(vec![(guard, row)]),
                    false => wholes
                        .last_mut()
                        .expect("one was pushed")
                        .push((guard, row)),
                }
            }
            all.push((values.clone(), wholes));
        }
        Ok(Some(all))
    }

    /// How many formulas of one literal are taken, and of two.
    fn room(&self, outer: usize, pairs: usize) -> [usize; 2] {
        match (outer, &self.guard) {
            (0 | 1, _) => [MAX_TAKEN, pairs],
            (_, Some(_)) if pairs > 0 => [MAX_TAKEN_BELOW_SEVERAL, MAX_PAIRS_BELOW_SEVERAL],
            _ if self.frame.is_ranged() => [MAX_TAKEN_BELOW_SEVERAL, pairs],
            _ => [MAX_TAKEN_BELOW_SEVERAL, 0],
        }
    }

    pub(crate) fn locals(&self, outer: usize) -> &[Local] {
        &self.locals[outer..]
    }
}

/// What formulas of nestings are chosen.
pub(crate) enum Wanted {
    /// The simplest of each nesting, so many of them with two literals.
    Simple { pairs: usize },
    /// What speaks of the variables of the frame: so many formulas of each nesting with one literal, and so many with two.
    OfFrame { room: [usize; 2] },
}

impl Wanted {
    /// How many formulas of a nesting have one literal, at most, and how many two.
    fn room(&self, nesting: &Nesting, outer: usize) -> [usize; 2] {
        match self {
            Self::Simple { pairs } => nesting.room(outer, *pairs),
            Self::OfFrame { room } => *room,
        }
    }

    /// Whether literals of a nesting are wanted.
    fn takes(&self, nesting: &Nesting, literals: &[Literal], outer: usize) -> bool {
        let mentioned = nesting.mentioned(literals, outer).count_ones() as usize;
        match self {
            Self::OfFrame { .. } => mentioned > 0,
            // What is about none of them is said in frames of fewer variables.
            Self::Simple { .. } => {
                let wanted = match nesting.is_join(literals, outer) {
                    true => literals.len(),
                    false => 1,
                };
                outer <= 1 || mentioned == wanted
            }
        }
    }
}

/// The formulas of nestings that say something else than what is `seen`, judged by the columns in some blocks, with their
/// terms, and the locals of all of them, beginning with those that there are.
pub(crate) fn choose(
    nestings: &[Nesting],
    blocks: &[InBlock],
    (frame, mut locals): (&Frame, Vec<Local>),
    wanted: &Wanted,
    seen: &mut FxHashSet<u64>,
) -> (Vec<Nested>, Vec<Term>, Vec<Local>) {
    let outer = frame.binders.len();
    let (mut chosen, mut terms) = (Vec::new(), Vec::new());
    for (at, nesting) in nestings.iter().enumerate() {
        let shift = (locals.len() - outer) as u32;
        locals.extend(nesting.locals(outer).iter().cloned());
        // How many of one literal, and of two, may still be taken.
        let mut room = wanted.room(nesting, outer);
        for literals in nesting.bodies(outer, room[1] > 0) {
            if room[literals.len() - 1] == 0 {
                continue;
            }
            if !wanted.takes(nesting, &literals, outer) {
                continue;
            }
            let columns = blocks
                .iter()
                .flat_map(|(inner, counts)| nesting.columns(&inner[at], &literals, *counts));
            let columns: Vec<Column> = columns.collect();
            if !seen.insert(signature(&columns)) || !seen.insert(opposite(&columns)) {
                continue;
            }
            room[literals.len() - 1] -= 1;
            terms.push(nesting.term(&literals, outer, shift));
            chosen.push(Nested {
                nesting: at,
                literals,
            });
        }
    }
    (chosen, terms, locals)
}

impl Nested {
    /// Its columns in a block whose inner columns are known.
    pub(crate) fn columns(
        &self,
        nestings: &[Nesting],
        inner: &[Inner],
        counts: (usize, usize),
    ) -> Vec<Column> {
        nestings[self.nesting].columns(&inner[self.nesting], &self.literals, counts)
    }
}

/// The columns of the atoms of nestings over a frame in a block; none where variables have too many values.
///
/// # Errors
/// Why they are not known.
pub(crate) fn inner_columns(
    nestings: &[Nesting],
    frame: (&Model, &Frame),
    evidence: &mut dyn Evidence,
    columns: &mut Columns,
    block: usize,
) -> Result<Option<Vec<InnerColumns>>, Unknown> {
    let each = nestings.iter();
    let each = each.map(|n| n.inner(frame, evidence, columns, block));
    let each: Vec<Option<InnerColumns>> = each.collect::<Result<_, Unknown>>()?;
    Ok(each.into_iter().collect())
}

pub(crate) type InnerColumns = Inner;

/// The columns of nestings in a block, and how many of its states were reached, and how many are made up.
pub(crate) type InBlock = (Vec<InnerColumns>, (usize, usize));
