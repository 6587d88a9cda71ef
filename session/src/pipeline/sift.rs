//! Which of the detector's candidates are inductive.

use prover_bridge::{Options, Stated, houdini};

use super::candidates::Proposal;
use super::proof::{TIMEOUT, proved};
use crate::finding::{Finding, Verdict};
use crate::host::Host;
use crate::study::Study;

/// Work for one question, in Z3's own unit. Of many candidates with quantifiers in each other Z3 may find out nothing for long;
/// what it does not find out soon is not called inductive.
const WORK: u32 = 400_000;

/// Marks the candidates that are inductive together, and says how many there are.
pub fn sift(
    study: &Study,
    proposal: &Proposal,
    finding: &mut Finding,
    (threads, host): (usize, &dyn Host),
) {
    let candidates = proposal.invariants();
    let _progress = host.begins("sifting candidates", None);
    let options = Options {
        timeout: TIMEOUT,
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
    for (position, item) in finding.items.iter_mut().enumerate() {
        item.verdict = Some(match kept.kept.contains(&position) {
            true => inductive,
            false => Verdict::Tested,
        });
    }
    finding.figures.insert("inductive", kept.kept.len() as u64);
    finding
        .summary
        .push_str(&format!("; {} inductive", kept.kept.len()));
}
