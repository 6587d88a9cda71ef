//! Which of the detector's candidates are inductive.

use std::time::Duration;

use ioa_lang::core::{ExprKind, Invariant, Quantifier};
use prover_bridge::{Options, Stated, houdini};

use super::candidates::Proposal;
use super::proof::proved;
use crate::finding::{Finding, Verdict};
use crate::host::{Host, Stop};
use crate::study::Study;

/// Work for one question, in Z3's own unit. Of many candidates with quantifiers in each other Z3 may find out nothing for long;
/// what it does not find out soon is not called inductive.
const WORK: u32 = 100_000;

/// The work is what ends a question: the outcome must not depend on how busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// Which candidates are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All of them.
    All,
    /// Those without quantifiers in each other: about these the solver finds out all that there is to find out, and soon.
    Plain,
}

impl Asked {
    fn takes(self, candidate: &Invariant) -> bool {
        let mut quantifiers = 0;
        candidate.formula.walk(&mut |term| {
            quantifiers += usize::from(matches!(term.kind, ExprKind::Quantified(..)));
        });
        let is_outermost = matches!(
            candidate.formula.kind,
            ExprKind::Quantified(Quantifier::ForAll, ..)
        );
        self == Self::All || quantifiers == usize::from(is_outermost)
    }
}

/// Marks those of the candidates that are asked about and are inductive together, and says how many there are, if nothing stops
/// it before that is found out.
pub fn sift(
    study: &Study,
    proposal: &Proposal,
    finding: &mut Finding,
    asked: Asked,
    (threads, host): (usize, &dyn Host),
) {
    let all = proposal.invariants().into_iter().enumerate();
    let (positions, candidates): (Vec<usize>, Vec<Invariant>) =
        all.filter(|(_, candidate)| asked.takes(candidate)).unzip();
    let _progress = host.begins("sifting candidates", None);
    let stop = || host.stopped().is_some();
    let options = Options {
        stop: Some(&stop),
        timeout: PATIENCE,
        resource_limit: WORK,
        threads,
        ..Options::default()
    };
    let kept = houdini(
        &study.model,
        proposal.automaton,
        &candidates,
        Stated::Ignored,
        &options,
    );
    if let Some(stop) = host.stopped() {
        let said = format!(
            "; which of them are inductive was not found out: {}",
            stop.words()
        );
        finding.summary.push_str(&said);
        finding.verdict = Verdict::Unknown;
        finding.bound = (stop == Stop::Time).then(|| "time".into());
        return;
    }
    // What is inductive for want of a start is proved of nothing.
    let inductive = match &kept.basis {
        Ok(grounded) => proved(*grounded),
        Err(why) => {
            finding
                .warnings
                .push(format!("what is inductive is proved of nothing: {why}"));
            Verdict::Vacuous
        }
    };
    let kept: Vec<usize> = kept.kept.iter().map(|at| positions[*at]).collect();
    for (position, item) in finding.items.iter_mut().enumerate() {
        item.verdict = Some(match kept.contains(&position) {
            true => inductive,
            false => Verdict::Tested,
        });
    }
    finding.figures.insert("inductive", kept.len() as u64);
    finding
        .summary
        .push_str(&format!("; {} inductive", kept.len()));
}
