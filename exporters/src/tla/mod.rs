//! Finite instances as TLA+ modules for TLC.
//!
//! An automaton becomes a module: sorts are constants that the `.cfg` fills, each transition clause is a definition,
//! `Next` is their disjunction over all parameters, invariants are definitions that the `.cfg` names. A simulation
//! whose relation gives each variable of the specification as a function of the implementation's becomes a module with
//! `INSTANCE .. WITH` and the property that the implementation's steps are the specification's.
//!
//! A liveness property becomes a temporal one, which TLC checks of the executions that are weakly fair to each task. In TLA+
//! a step that changes nothing does not count as a step, and so not as a step of a task: if a task has such steps as well as
//! others, TLC considers fewer executions than the fairness of I/O automata allows.
//!
//! TLC and `ioa explore` count the same states, with two differences. TLA+ has states but no action labels, so only
//! `ioa pair` and `ioa prove` check that the traces agree. And TLC may not notice an error of the model: a `choose` from
//! nothing, `x.val` of nil and the like stop it with a message, but it ignores an `ensuring` that no outcome satisfies, and
//! an undefined term after one that determines a formula.

mod assembly;
mod automaton;
mod effect;
mod helpers;
mod liveness;
mod names;
mod range;
mod refinement;
mod syntax;
mod term;
mod types;
mod writer;

use std::cmp::Reverse;

use finite::Universe;
use ioa_lang::core::{AutomatonId, Model};
use ioa_lang::{Diagnostic, Span};

use automaton::Parts;
use names::Names;
use writer::Writer;

pub use syntax::{
    Bound, Connective, Definition, Infix, Module, Prefix, Quantifier, Step, Term, Unit,
};

/// The beginning of every file.
pub const MARK: &str = "\\* Exported from an IOA model";

/// The module of an automaton.
///
/// # Errors
/// Everything in the automaton and its invariants that cannot be expressed.
pub fn automaton(
    model: &Model,
    universe: &Universe,
    id: AutomatonId,
) -> Result<Module, Vec<Diagnostic>> {
    let (mut writer, parts) = written(model, universe, id);
    let about = about(model, universe);
    finish(&mut writer, |writer| {
        assembly::assembled(writer, parts, &about)
    })
}

/// The module of a simulation, given by its position in the model. It is used together with the modules of its two automata.
///
/// # Errors
/// Everything in the automata that cannot be expressed, and why the relation is not a refinement mapping, if it is not.
pub fn simulation(
    model: &Model,
    universe: &Universe,
    position: usize,
) -> Result<Module, Vec<Diagnostic>> {
    let simulation = &model.simulations[position];
    let (mut specification, high) = written(model, universe, simulation.high);
    let sorts = assembly::closed(&mut specification).sorts;
    let (mut writer, low) = written(model, universe, simulation.low);
    writer.problems.extend(specification.problems);
    let about = about(model, universe);
    finish(&mut writer, |writer| {
        refinement::module(writer, simulation, &low, (&high, &sorts), &about)
    })
}

fn written<'a>(model: &'a Model, universe: &'a Universe, id: AutomatonId) -> (Writer<'a>, Parts) {
    let mut writer = Writer::new(model, universe, Names::new());
    let parts = automaton::parts(&mut writer, id);
    (writer, parts)
}

fn finish<'a>(
    writer: &mut Writer<'a>,
    make: impl FnOnce(&mut Writer<'a>) -> Module,
) -> Result<Module, Vec<Diagnostic>> {
    let module = make(writer);
    let problems = std::mem::take(&mut writer.problems);
    if problems.is_empty() {
        return Ok(module);
    }
    Err(once_each(problems))
}

/// Maximum number of places of one problem that are shown in addition to the first.
const MAX_PLACES: usize = 3;

/// Each problem once, at its first place, with the next places where it occurs.
fn once_each(mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // If both a term and its parts are reported, only the term is kept.
    problems.sort_by_key(|problem| {
        (
            problem.span.file,
            problem.span.start,
            Reverse(problem.span.end),
        )
    });
    let mut told: Vec<(Diagnostic, Vec<Span>)> = Vec::new();
    for problem in problems {
        let same = told
            .iter_mut()
            .find(|(first, _)| first.message == problem.message);
        match same {
            Some((first, again)) => {
                let before = again.last().copied().unwrap_or(first.span);
                if !covers(before, problem.span) {
                    again.push(problem.span);
                }
            }
            None => told.push((problem, Vec::new())),
        }
    }
    told.into_iter()
        .map(|(first, again)| with_places(first, &again))
        .collect()
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn with_places(first: Diagnostic, again: &[Span]) -> Diagnostic {
    let shown = again.iter().take(MAX_PLACES);
    let first = shown.fold(first, |first, span| first.related(*span, "and here"));
    match again.len().saturating_sub(MAX_PLACES) {
        0 => first,
        1 => first.help("and in one more place"),
        more => first.help(format!("and in {more} more places")),
    }
}

fn about(model: &Model, universe: &Universe) -> String {
    let sizes = universe.sizes(model);
    let sizes: Vec<String> = sizes
        .iter()
        .map(|(sort, size)| format!("{sort}={size}"))
        .collect();
    format!("{MARK} at {}.", sizes.join(" ")).replace(" at .", ".")
}
