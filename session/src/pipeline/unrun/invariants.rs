//! Invariants that cannot be evaluated in a finite instance, though they may be proved: what is run says nothing about them.

use ioa_lang::core::AutomatonId;

use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::study::{Study, Unevaluable};

/// What is said about such invariants where an automaton was run.
pub(in crate::pipeline) fn findings(
    study: &Study,
    automaton: AutomatonId,
    scope: &Scope,
) -> Vec<Finding> {
    let subject = &*study.model.automaton(automaton).name;
    let own = study.unevaluable.iter();
    let own = own.filter(|one| one.invariant.automaton == automaton);
    let finding = |one: &Unevaluable| {
        let name = &*one.invariant.name;
        let verdict = Verdict::Unknown;
        let mut finding = Finding::new(Kind::Invariant, name, subject, verdict, scope.clone());
        finding.summary = format!("not evaluated: {}", one.why);
        finding
    };
    own.map(finding).collect()
}

/// Says of what could not be evaluated, but was proved, that no more was needed.
pub(in crate::pipeline) fn excuse(study: &Study, findings: &mut [Finding]) {
    for one in &study.unevaluable {
        let name = &*one.invariant.name;
        let mut proofs = findings.iter().filter(|finding| finding.name == name);
        if !proofs.any(|finding| finding.verdict == Verdict::Proved) {
            continue;
        }
        let of_it =
            |finding: &&mut Finding| finding.name == name && finding.verdict == Verdict::Unknown;
        for finding in findings.iter_mut().filter(of_it) {
            finding.bound = Some("what can be evaluated".to_owned());
            finding.summary.push_str("; it is proved");
        }
    }
}
