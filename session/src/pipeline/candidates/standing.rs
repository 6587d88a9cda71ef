//! Where a formula stands among the candidates: whether one of them says it, or several together do.

use ioa_lang::core::{Expr, ExprKind, Invariant, Quantifier};

use super::Proposal;
use super::focus::variables_in;
use super::implied::{Limits, follows};
use crate::host::{Host, Stopwatch};
use crate::study::Study;

/// Work for one question, in the solver's own unit.
const WORK: u32 = 1_000_000;

/// Where a formula stands among the candidates, which are told by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A candidate is equivalent to it.
    Reported(usize),
    /// These candidates together imply it, and none of them can be left out.
    Implied(Vec<usize>),
    /// It was not looked for: it reads these variables, which were left out.
    LeftOut(Vec<String>),
    /// Nobody has shown that the candidates imply it.
    Missed,
    /// There was no time to find out.
    Open,
}

/// Where a formula stands among the candidates, unless it is time to stop before that is known.
pub(super) fn standing(
    study: &Study,
    proposal: &Proposal,
    asked: &Invariant,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Standing {
    let candidates = proposal.invariants();
    let limits = Limits {
        work: WORK,
        is_over,
    };
    let implied = |facts: &[usize], goal: &Invariant| {
        let facts: Vec<&Invariant> = facts.iter().map(|at| &candidates[*at]).collect();
        !is_over() && follows(study, proposal.automaton, &facts, goal, limits)
    };
    let stronger: Vec<usize> = (0..candidates.len())
        .filter(|at| implied(&[*at], asked))
        .collect();
    let is_weaker = |at: &&usize| {
        let asked = [asked];
        !is_over() && follows(study, proposal.automaton, &asked, &candidates[**at], limits)
    };
    if let Some(same) = stronger.iter().find(is_weaker) {
        return Standing::Reported(*same);
    }
    if let Some(one) = stronger.first() {
        return Standing::Implied(vec![*one]);
    }
    let mut attempts = attempts(&candidates, asked).into_iter();
    let Some(mut used) = attempts.find(|used: &Vec<usize>| implied(used, asked)) else {
        let unseen = proposal.focused.unseen(&study.model, asked);
        return match (is_over(), &unseen[..]) {
            (true, _) => Standing::Open,
            (false, []) => Standing::Missed,
            (false, _) => Standing::LeftOut(unseen),
        };
    };
    for at in used.clone() {
        let fewer: Vec<usize> = used.iter().copied().filter(|other| *other != at).collect();
        if implied(&fewer, asked) {
            used = fewer;
        }
    }
    Standing::Implied(used)
}

/// The sets of candidates, by position, that are tried as premises, in this order: few at first, because the solver needs longer where
/// there are premises that do not matter. These are mostly such as read other variables than the formula, or say that something exists;
/// of the latter one is often needed, such as a quorum, but rarely several.
fn attempts(candidates: &[Invariant], asked: &Invariant) -> Vec<Vec<usize>> {
    let read = variables_in(&asked.formula);
    let chosen = |wanted: &dyn Fn(&Expr) -> bool| -> Vec<usize> {
        let all = candidates.iter().enumerate();
        all.filter(|(_, candidate)| wanted(&candidate.formula))
            .map(|(at, _)| at)
            .collect()
    };
    let is_close = |formula: &Expr| variables_in(formula).is_subset(&read);
    let is_near = |formula: &Expr| !variables_in(formula).is_disjoint(&read);
    let universal = chosen(&is_universal);
    let mut attempts = vec![
        chosen(&|formula| is_close(formula) && is_universal(formula)),
        chosen(&is_close),
        chosen(&|formula| is_near(formula) && is_universal(formula)),
        universal.clone(),
    ];
    let others = chosen(&|formula| is_near(formula) && !is_universal(formula));
    let with = |other| [&universal[..], &[other]].concat();
    attempts.extend(others.into_iter().map(with));
    attempts.push(chosen(&|_| true));
    attempts.dedup();
    attempts
}

/// Whether a formula has no existential quantifier, written as such or negated.
fn is_universal(formula: &Expr) -> bool {
    let mut count = 0;
    formula.walk(&mut |part| {
        count += usize::from(matches!(part.kind, ExprKind::Quantified(..)));
    });
    let is_outermost = matches!(formula.kind, ExprKind::Quantified(Quantifier::ForAll, ..));
    count == usize::from(is_outermost)
}

/// Where the invariants that are stated of the automaton stand among the candidates, each with its name, as far as that is known
/// after so many seconds.
#[must_use]
pub fn recalled(
    study: &Study,
    proposal: &Proposal,
    seconds: f64,
    host: &dyn Host,
) -> Vec<(String, Standing)> {
    let mut progress = host.begins("comparing candidates with what is stated", None);
    let started = Stopwatch::start(host);
    let is_over = || host.stopped().is_some() || started.seconds() > seconds;
    let stated = study.model.invariants.iter();
    let own = stated.filter(|invariant| invariant.automaton == proposal.automaton);
    let mut found = Vec::new();
    for invariant in own {
        progress.say(&invariant.name);
        let standing = standing(study, proposal, invariant, &is_over);
        found.push((invariant.name.to_string(), standing));
    }
    found
}

impl Standing {
    /// What it is in words; the names are those of the candidates.
    #[must_use]
    pub fn words(&self, names: &[String]) -> String {
        let named = |at: &usize| names[*at].clone();
        match self {
            Self::Reported(same) => format!("reported as {}", names[*same]),
            Self::Implied(used) => {
                let used: Vec<String> = used.iter().map(named).collect();
                format!("implied by what is reported: {}", used.join("; "))
            }
            Self::LeftOut(unseen) => {
                let unseen = unseen.join(", ");
                format!("not looked for: it reads {unseen}, which was not looked at")
            }
            Self::Open => "not compared: the comparison ended too soon".to_owned(),
            Self::Missed => "missed: it was not shown to follow from the candidates".to_owned(),
        }
    }
}
