//! Why a formula is among the candidates, or is not.

use std::collections::BTreeMap;
use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Extent, Invariant};

use super::standing::{Standing, standing};
use super::states::StatePool;
use super::{Focused, Naming, Proposal, Thoroughness, propose};
use crate::finding::{Finding, Kind, Verdict};
use crate::host::Host;
use crate::pipeline::explore::{self, ExplorePlan, Limits};
use crate::pipeline::plan::Plan;
use crate::setup::Setup;
use crate::study::{BadInput, Formula, Study};

/// Says of a formula that it is false in some instance, with a shortest run to such a state; or that it is a candidate; or what
/// implies it; or that it says nothing of the automaton; or else that it holds wherever it was tested.
///
/// # Errors
/// Mistakes in the formula, and whatever keeps candidates from being proposed.
pub fn why(
    (study, setup): (&Study, &Setup),
    text: &str,
    (plans, naming): (&[Plan], &Naming),
    how: Thoroughness,
    host: &dyn Host,
) -> Result<Vec<Finding>, BadInput> {
    let Some(automaton) = plans.first().map(|p| p.drive.automaton(study)) else {
        return Err(BadInput::message("name the automaton with --automaton"));
    };
    let asked = Formula {
        place: "--why",
        name: text,
        text,
    };
    let (_, mut stated) = study.formulas((automaton, Extent::EverySize), [asked])?;
    let asked = stated.swap_remove(0);
    // Mistakes in what is named are told before anything takes time.
    Focused::of(study, automaton, naming)?;
    let spending = (how.budget, Rc::default());
    let mut pool = StatePool::gather((study, setup), automaton, spending, host)?;
    let refuting = pool.refuting(&asked, setup);
    if let Some(setup) = refuting.map_err(BadInput::message)? {
        return refutation((study, &setup), automaton, text, host);
    }
    let says_nothing = pool.says_nothing(&asked).map_err(BadInput::message)?;
    drop(pool);
    let proposal = propose((study, setup), (plans, naming), how, host)?;
    let verdict = match proposal.looked.states {
        0 => Verdict::Unknown,
        _ => Verdict::Tested,
    };
    let scope = study.scope(&proposal.instance);
    let subject = &*study.model.automaton(automaton).name;
    let mut finding = Finding::new(Kind::Infer, text, subject, verdict, scope);
    finding.figures = BTreeMap::from([("states", proposal.looked.states)]);
    let is_over = || host.stopped().is_some();
    finding.summary = explanation(study, &proposal, &asked, (says_nothing, &is_over));
    for line in proposal.focused.lines.iter().chain(&proposal.constant) {
        finding.summary.push_str(&format!("; {line}"));
    }
    Ok(vec![finding])
}

/// What an exploration finds out about a formula that is false somewhere.
fn refutation(
    (study, setup): (&Study, &Setup),
    automaton: AutomatonId,
    text: &str,
    host: &dyn Host,
) -> Result<Vec<Finding>, BadInput> {
    // The search ends at the first such state, for there may be states without end; so nothing else is asked of it.
    let study = &study.stating(study.sources.clone(), Vec::new());
    let plan = ExplorePlan {
        check: vec![text.to_owned()],
        keep_going: false,
        ..ExplorePlan::survey(automaton, Limits::default())
    };
    let asked = plan.asked(study)?;
    let found = explore::in_each_interpretation(&asked, setup, &plan, host)?;
    let mut findings = explore::findings(&asked, setup, &plan, &found);
    findings.retain(|finding| finding.name == text);
    Ok(findings)
}

/// Why a formula that holds wherever it was tested is shown or not.
fn explanation(
    study: &Study,
    proposal: &Proposal,
    asked: &Invariant,
    (says_nothing, is_over): (bool, &dyn Fn() -> bool),
) -> String {
    if says_nothing {
        return "holds, but also in all made-up states of the right types: it says nothing of the automaton".into();
    }
    let standing = standing(study, proposal, asked, is_over);
    if standing != Standing::Missed {
        return format!(
            "holds, and is {}",
            standing.words(&proposal.formulas(study))
        );
    }
    let unseen = proposal.focused.unseen(&study.model, asked);
    if !unseen.is_empty() {
        return format!(
            "holds wherever it was tested; it reads {}, which was not looked at",
            unseen.join(", ")
        );
    }
    match proposal.learnt.is_settled {
        true => "holds wherever it was tested; it is of no form that is tried, or nobody has shown that the candidates imply it".into(),
        false => "holds wherever it was tested, which was not everywhere: there is too little evidence to report it".into(),
    }
}
