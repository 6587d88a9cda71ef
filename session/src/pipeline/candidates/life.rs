//! What tells states from which a formula stays possible from the dead ones, and so becomes false on the way to a dead state: a
//! safety property, found from a violation of liveness (Killian, Anderson, Jhala and Vahdat, NSDI 2007, section 6).

use std::rc::Rc;

use invariants::Report;
use invariants::learn::{Preference, learn};
use ioa_lang::core::{Extent, Invariant};

use super::states::StatePool;
use super::{Focused, Naming, Proposal, Purpose, SUPPORT, Thoroughness, ordered, rename};
use crate::host::Host;
use crate::instances::Instances;
use crate::setup::Setup;
use crate::study::{BadInput, Formula, Study};

/// Proposes formulas that are true in all states of small instances from which a formula stays possible, and false in dead ones;
/// those first that are false in most.
///
/// # Errors
/// Mistakes in the formula and in what is named; no instance all of whose states can be visited, or none with a state in which the formula holds.
pub fn separating(
    (study, setup): (&Study, &Setup),
    (text, naming): (&str, &Naming),
    how: Thoroughness,
    host: &dyn Host,
) -> Result<Proposal, BadInput> {
    let automaton = study.automaton(setup.automaton.as_deref())?;
    let asked = Formula {
        place: "--possible",
        name: text,
        text,
    };
    let (_, mut stated) = study.formulas((automaton, Extent::EverySize), [asked])?;
    let focused = Focused::of(study, automaton, naming)?;
    let spending = (how.budget, Rc::default());
    let mut pool = StatePool::alive((study, setup), stated.swap_remove(0), spending, host)?;
    let mut effort = how.effort;
    effort.prefers = Preference::Strong;
    if !pool.is_exhaustive() {
        effort.support = SUPPORT;
    }
    let relations = pool.relations(&focused.focus);
    let relations = relations.map_err(BadInput::message)?;
    let given = ordered(&study.model, relations);
    let about = (&*study.model, automaton);
    let constant = pool.constant(&focused).map_err(BadInput::message)?;
    let learnt = learn(about, &focused.focus, given, &mut pool, effort);
    let mut learnt = learnt.map_err(BadInput::message)?;
    rename(&study.model, &mut learnt);
    let mut formulas: Vec<Invariant> = Vec::new();
    formulas.extend(learnt.lemmas.iter().map(|lemma| lemma.invariant.clone()));
    let (falsified, dead, open) = pool.falsified(&formulas).map_err(BadInput::message)?;
    for (lemma, count) in learnt.lemmas.iter_mut().zip(falsified) {
        lemma.excludes = count;
    }
    Ok(Proposal {
        instance: Instances::new(study, setup).of(automaton)?,
        automaton,
        focused,
        constant,
        runs: Report {
            subject: study.model.automaton(automaton).name.to_string(),
            ..Report::default()
        },
        learnt,
        looked: pool.looked(),
        question: None,
        stopped: host.stopped(),
        purpose: Some(Purpose::Life {
            formula: text.to_owned(),
            dead,
            open,
        }),
    })
}
