//! Which of the detector's candidates are inductive.

use invariants::{Candidate, Report};
use ioa_lang::core::{AutomatonId, Invariant};
use prover_bridge::{Options, Stated, houdini};

use super::proof::{TIMEOUT, proved};
use crate::finding::{Finding, Verdict};
use crate::host::Host;
use crate::study::{BadInput, Study};

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
    let candidates = stated(study, automaton, report)?;
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

/// The candidates as invariants of the automaton.
fn stated(
    study: &Study,
    automaton: AutomatonId,
    report: &Report,
) -> Result<Vec<Invariant>, BadInput> {
    let mut sources = study.sources.clone();
    let mut diagnostics = Vec::new();
    let mut stated = Vec::new();
    for Candidate { name, formula, .. } in &report.candidates {
        let file = sources.add(name.clone(), formula.clone());
        match ioa_lang::formula(
            &study.names,
            (file, formula),
            automaton,
            &name.as_str().into(),
        ) {
            Ok(invariant) => stated.push(invariant),
            Err(mistakes) => diagnostics.extend(mistakes),
        }
    }
    match diagnostics.is_empty() {
        true => Ok(stated),
        false => Err(BadInput {
            sources,
            diagnostics,
            messages: Vec::new(),
        }),
    }
}
