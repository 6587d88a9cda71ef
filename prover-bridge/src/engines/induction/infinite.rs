//! Theories that no finite instance interprets, as far as that is known: what is proved under them cannot be run.

use ioa_lang::core::{AutomatonId, Axiom};
use z3::ast::Bool;

use super::vacuity;
use crate::logic::{Logic, Size};
use crate::obligations::{Background, FACT, Target};
use crate::options::Options;
use crate::report::{About, Warning};
use crate::solver::{Solver, in_context};

/// The names of axioms that an automaton uses and that have no interpretation in the small instance, if there are some.
pub(super) fn lacking_small_instance<'l>(
    target: &Target<'l>,
    small: &'l Logic<'l>,
    automaton: AutomatonId,
    options: &Options<'_>,
) -> Option<Vec<String>> {
    let setting = target.model.setting([automaton]);
    let has_axioms = target.model.axioms_in(&setting).next().is_some();
    match has_axioms && !target.model.sorts.is_empty() {
        true => contradictory(target, small, automaton, options),
        false => None,
    }
}

/// That no finite instance of an automaton was found for want of an interpretation of its theories, of which the small one
/// is known to have none. Where they have none at all, the proofs are vacuous, and say so.
pub(super) fn without_instance(
    target: &Target<'_>,
    options: &Options<'_>,
    automaton: AutomatonId,
) -> Option<Warning> {
    let axioms = target.model.axioms_in(&target.model.setting([automaton]));
    let axioms: Vec<&Axiom> = axioms.map(|(_, axiom)| axiom).collect();
    let mut names = None;
    for sizes in tried(target.model.sorts.len()) {
        names = Some(in_context(|| {
            let logic = vacuity::instance_of(target, sizes).ok()?;
            contradictory(target, &logic, automaton, options)
        })?);
    }
    let names = names?;
    let at_every_size = in_context(|| {
        let mut logic = Logic::new(target.model, Size::Any);
        logic.declare_theories().ok()?;
        contradictory(target, &logic, automaton, options)
    });
    if at_every_size.is_some() {
        return None;
    }
    let named = axioms.iter();
    let named = named.filter(|axiom| names.iter().any(|name| **name == *axiom.name));
    let mut places = named.map(|axiom| axiom.span);
    let automaton_span = target.model.automaton(automaton).span;
    Some(Warning {
        about: About::Theories(automaton),
        what: format!(
            "no finite instance of {} was found",
            target.model.automaton(automaton).name
        ),
        because: format!(
            "{} cannot hold with up to {TRIED} elements of each sort, so nothing can be run",
            names.join(", ")
        ),
        span: places.next().unwrap_or(automaton_span),
        with: places.collect(),
    })
}

/// The names of axioms that an automaton uses and that contradict each other in this reading, if some do.
fn contradictory<'l>(
    target: &Target<'l>,
    logic: &'l Logic<'l>,
    automaton: AutomatonId,
    options: &Options<'_>,
) -> Option<Vec<String>> {
    let ground = logic.ground(
        target,
        Background::Start(automaton),
        &vec![false; target.invariants.len()],
    );
    let assumed = ground.ok()?.assume;
    let mut solver = Solver::new(options);
    let mut literals = Vec::new();
    for (position, piece) in assumed.iter().enumerate() {
        if piece.label == FACT {
            solver.assert(piece.formula.clone());
            continue;
        }
        let literal = Bool::new_const(format!("axiom!{position}"));
        solver.assert(literal.implies(&piece.formula));
        literals.push((position, literal));
    }
    let core = solver.minimal_core(literals)?.into_iter();
    Some(core.map(|i| assumed[i].label.clone()).collect())
}

/// The most elements of a sort in the instances that are looked for.
const TRIED: u32 = 3;

/// The sizes of the instances that are looked for, the likeliest first: all that there are for a few sorts, and equal
/// ones for more.
fn tried(sorts: usize) -> Vec<Vec<u32>> {
    if sorts == 0 {
        return Vec::new();
    }
    let mut all: Vec<Vec<u32>> = [2, 1].map(|size| vec![size; sorts]).to_vec();
    if sorts <= 3 {
        let mut mixed: Vec<Vec<u32>> = vec![Vec::new()];
        for _ in 0..sorts {
            let longer = |sizes: &Vec<u32>| -> Vec<Vec<u32>> {
                let with = |size| [sizes.as_slice(), &[size]].concat();
                (1..=TRIED).map(with).collect()
            };
            mixed = mixed.iter().flat_map(longer).collect();
        }
        mixed.retain(|sizes| sizes.iter().any(|size| *size != sizes[0]));
        all.extend(mixed);
    }
    all.push(vec![TRIED; sorts]);
    all
}
