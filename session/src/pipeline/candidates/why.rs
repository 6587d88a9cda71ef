//! Why a formula is among the candidates, or is not.

use std::collections::BTreeMap;
use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Expr, ExprKind, Extent, Invariant, Op, Quantifier};

use super::standing::{Standing, standing};
use super::states::StatePool;
use super::{Focused, Naming, Proposal, SUPPORT, Thoroughness, formula_text, proposed};
use crate::finding::{Finding, Kind, Verdict};
use crate::host::Host;
use crate::numbers::counted;
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
    let about = (study, setup);
    let proposal = proposed(about, (plans, naming), (how, Some(&asked)), host)?;
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

/// Candidates have so many variables at most, and so many literals.
const MOST: (usize, usize) = (3, 4);

/// Why a formula that holds is not among the candidates: by its form, or by how many made-up states it alone excludes.
fn unreported(formula: &Expr, open: u64) -> String {
    let (mut variables, mut body) = (0, formula);
    while let ExprKind::Quantified(Quantifier::ForAll, bound, inner) = &body.kind {
        variables += bound.len();
        body = inner;
    }
    match (variables, literals(body)) {
        (variables, _) if variables > MOST.0 => format!(
            "it is about {variables} variables, and candidates are about {} at most",
            MOST.0
        ),
        (_, literals) if literals > MOST.1 => format!(
            "it consists of {literals} conditions, and candidates of {} at most",
            MOST.1
        ),
        _ if open == 0 => {
            "the candidates exclude all made-up states that it excludes, but it was not shown to follow from them".into()
        }
        _ => format!(
            "it excludes {} that the candidates do not exclude, so it relates terms that are not tried together, or relates them in a way that is not tried",
            counted(open, "made-up state")
        ),
    }
}

/// How many conditions a formula combines.
fn literals(formula: &Expr) -> usize {
    match &formula.kind {
        ExprKind::Apply(Op::Not | Op::And | Op::Or | Op::Implies | Op::Iff, parts) => {
            parts.iter().map(literals).sum()
        }
        _ => 1,
    }
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
    (says_nothing, is_over): (bool, &(dyn Fn() -> bool + Sync)),
) -> String {
    if says_nothing {
        return "holds, but also in all made-up states of the right types: it says nothing of the automaton".into();
    }
    match standing(study, proposal, asked, is_over) {
        Standing::Missed => {}
        Standing::LeftOut(unseen) => {
            return format!(
                "holds wherever it was tested; it reads {}, which was not looked at",
                unseen.join(", ")
            );
        }
        known => return format!("holds, and is {}", known.words(&proposal.formulas(study))),
    }
    if let Some(little) = little_evidence(study, proposal) {
        return format!(
            "holds in the states of runs and in those that were visited, which are not all of any instance; {little}"
        );
    }
    let unfinished = |advice: &str| {
        format!(
            "holds wherever it was tested, but the search was not finished ({}): give it {advice}",
            proposal.unfinished().join("; ")
        )
    };
    let open = proposal.question.as_ref().map_or(0, |asked| asked.open);
    match proposal.learnt.is_settled {
        true if proposal.lacks_memory() => {
            unfinished("more with --memory, or less to do with --look-at")
        }
        true => format!(
            "holds wherever it was tested; {}: state it as an invariant to have it proved, name what it is about with --look-at, a term of it with --term, or a case with --split",
            unreported(&asked.formula, open)
        ),
        false => unfinished(
            "more time with --time, less to do with --look-at, or name a term of the formula with --term",
        ),
    }
}

/// What is missing for a formula to be reported, and how much of it, if too few states speak for one of its conditions.
fn little_evidence(study: &Study, proposal: &Proposal) -> Option<String> {
    let least = proposal.question.as_ref()?.support.as_ref()?;
    let condition = formula_text(&study.model, &least.condition);
    (least.states < SUPPORT).then(|| {
        format!(
            "there is too little evidence to report it: in {} it is true only because of `{condition}`, and that must be so in {SUPPORT}: make more runs with --runs, or longer ones with --steps",
            counted(least.states, "state")
        )
    })
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_formula_that_is_too_large_for_a_candidate_is_told_so() {
        let text = "\
type N
automaton A
  signature internal a
  states on: Set[N] := {}
  transitions internal a eff on := on
invariant Wide of A: \\A a, b, c, d: N (a \\in on => b \\in on \\/ c = d)
invariant Long of A: \\A a, b: N (a \\in on => ~(b \\in on) \\/ a = b \\/ on = {} \\/ size(on) < 3)
invariant Small of A: \\A a: N (a \\in on => size(on) < 3)
";
        let study = Study::of_text(text);
        let why = study
            .model
            .invariants
            .iter()
            .map(|i| unreported(&i.formula, 3));
        let why: Vec<String> = why.collect();
        assert!(why[0].contains("4 variables"), "{why:?}");
        assert!(why[1].contains("5 conditions"), "{why:?}");
        assert!(why[2].contains("excludes 3 made-up states"), "{why:?}");
        let known = unreported(&study.model.invariants[2].formula, 0);
        assert!(known.contains("exclude all"), "{known}");
    }
}
