//! Which of the detector's candidates are inductive.

use invariants::Report;
use ioa_lang::core::Extent;
use prover_bridge::{Options, Stated, houdini};

use super::proof::{TIMEOUT, proved};
use crate::finding::{Finding, Verdict};
use crate::host::Host;
use crate::study::{BadInput, Formula, Study};

/// Marks the candidates that are inductive together, and says how many there are.
///
/// # Errors
/// None that a user can cause: the candidates are legal IOA text.
pub fn sift(
    study: &Study,
    report: &Report,
    finding: &mut Finding,
    (threads, host): (usize, &dyn Host),
) -> Result<(), BadInput> {
    let Some(automaton) = study.model.automaton_named(&report.subject) else {
        return Ok(());
    };
    let formulas = report.candidates.iter().map(|candidate| Formula {
        place: &candidate.name,
        name: &candidate.name,
        text: &candidate.formula,
    });
    let (_, candidates) = study.formulas((automaton, Extent::EverySize), formulas)?;
    let _progress = host.begins("sifting candidates", None);
    let options = Options {
        timeout: TIMEOUT,
        threads,
        ..Options::default()
    };
    let kept = houdini(
        &study.model,
        automaton,
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
    Ok(())
}
