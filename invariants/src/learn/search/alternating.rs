//! Atoms of diagrams with further quantifiers in them: that there is a quorum, say, all of whose members have one of two
//! properties. These may mention two of the diagram's variables.
//!
//! A diagram speaks of the elements that it names and of no others, and whatever is said of a few of these is false where there are
//! more. That a value cannot be chosen any more, because in each quorum somebody will not vote for it, is of this kind.

use ioa_lang::core::{Expr, Local, LocalId, Type};
use rustc_hash::FxHashSet;

use super::super::atom::relations;
use super::super::columns::{Columns, Unknown};
use super::super::evidence::Evidence;
use super::super::frame::Frame;
use super::super::nested::{Wanted, choose, through_groups};
use super::super::term::Term;
use super::chosen::telling;
use super::renamed::renamed;
use crate::build::{mask, with_variables};
use crate::focus::About;

/// For each pair of types, formulas of one literal, and of two, at most.
const ROOM: [usize; 2] = [8, 24];
/// Atoms of a diagram, the simplest ones, at most.
const MAX_ATOMS: usize = 240;
/// Literals of the innermost variable come from so many atoms, at most.
const MAX_INNER: usize = 120;

/// Atoms about one or two variables of a frame, the simplest first, and the locals that there are with those that are bound in them.
///
/// # Errors
/// Why it is not known which of them say different things.
pub(super) fn alternating(
    about: About<'_>,
    (frame, mut locals): (&Frame, Vec<Local>),
    evidence: &mut dyn Evidence,
    columns: &mut Columns,
) -> Result<(Vec<Term>, Vec<Local>), Unknown> {
    let mut types: Vec<Type> = Vec::new();
    for binder in &frame.binders {
        if !types.contains(&binder.ty) {
            types.push(binder.ty.clone());
        }
    }
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    let mut atoms: Vec<Term> = Vec::new();
    for (at, one) in types.iter().enumerate() {
        for other in &types[at + 1..] {
            let pair = Frame::of(about.model, about.automaton, &[one.clone(), other.clone()]);
            let (terms, bound) = of_pair(about, &pair, evidence, columns)?;
            let shift = locals.len() - pair.binders.len();
            locals.extend(bound);
            for places in places(&pair, frame) {
                let placed = terms
                    .iter()
                    .map(|term| placed(term, frame, (&places, shift)));
                atoms.extend(placed.filter(|atom| seen.insert(renamed(&atom.expr, frame))));
            }
        }
    }
    atoms.sort_by_key(|atom| atom.cost);
    atoms.truncate(MAX_ATOMS);
    Ok((atoms, locals))
}

/// The formulas about two variables, or one of them, that say different things; and the locals that are bound in them.
fn of_pair(
    about: About<'_>,
    pair: &Frame,
    evidence: &mut dyn Evidence,
    columns: &mut Columns,
) -> Result<(Vec<Term>, Vec<Local>), Unknown> {
    let made = |about: About<'_>, frame: &Frame| relations(about, frame, MAX_INNER);
    let nestings = through_groups(about, pair, made);
    let inner = telling(&nestings, (about.model, pair), evidence, columns)?;
    let wanted = Wanted::OfFrame { room: ROOM };
    let about = (pair, pair.binders.clone());
    let (_, terms, locals) = choose(&nestings, &inner, about, &wanted, &mut FxHashSet::default());
    Ok((terms, locals[pair.binders.len()..].to_vec()))
}

/// The ways to put two variables of a frame in the places of a pair's, by position.
fn places(pair: &Frame, frame: &Frame) -> Vec<[usize; 2]> {
    let own = |at: usize| {
        let binders = frame.binders.iter().enumerate();
        binders.filter(move |(_, binder)| binder.ty == pair.binders[at].ty)
    };
    let first = own(0).map(|(first, _)| first);
    first
        .flat_map(|first| own(1).map(move |(second, _)| [first, second]))
        .collect()
}

/// A formula about a pair with the variables of a frame in their places; what it binds is so much further back.
fn placed(term: &Term, frame: &Frame, (places, shift): (&[usize; 2], usize)) -> Term {
    let id = |id: LocalId| match places.get(id.index()) {
        Some(place) => LocalId::at(*place),
        None => LocalId::at(id.index() + shift),
    };
    let expr = with_variables(&term.expr, &id);
    Term {
        binders: mask(&expr, frame.binders.len()),
        expr,
        ..term.clone()
    }
}
