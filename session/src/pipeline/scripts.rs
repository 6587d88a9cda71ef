//! Obligations as files for any SMT solver, and in which fragment of logic they lie.

use prover_bridge::{Target, fragment, smt_lib};

use super::proof::{Request, wanted_obligations};
use crate::finding::{Finding, Item, Verdict};
use crate::study::Study;

/// An obligation as a file.
pub struct Script {
    /// The name of the obligation.
    pub name: String,
    /// The name of the file.
    pub file: String,
    /// What is in it, or why the obligation has no reading in logic.
    pub text: Result<String, String>,
}

/// Every obligation that a request is about as a file, which also says what came of it in these findings.
#[must_use]
pub fn scripts(study: &Study, request: &Request, findings: &[Finding]) -> Vec<Script> {
    let target = Target::everything(&study.model);
    let numbered = (1..).zip(wanted_obligations(study, request, &target));
    let script = |(number, obligation): (usize, prover_bridge::Obligation)| {
        let items = || findings.iter().flat_map(|finding| &finding.items);
        let item = items().find(|item| item.name == obligation.name);
        let text = smt_lib(&target, &obligation).map_err(|reason| reason.to_string());
        Script {
            file: format!("{number:03}-{}.smt2", file_name(&obligation.name)),
            text: text.map(|text| {
                let found = item.map_or_else(String::new, found);
                format!("; Obligation {}\n{found}{text}", obligation.name)
            }),
            name: obligation.name,
        }
    };
    numbered.map(script).collect()
}

/// Says of each obligation in some findings in which fragment of logic it lies.
pub fn say_fragments(study: &Study, request: &Request, findings: &mut [Finding]) {
    let target = Target::everything(&study.model);
    for obligation in wanted_obligations(study, request, &target) {
        let mut items = findings.iter_mut().flat_map(|finding| &mut finding.items);
        let Some(item) = items.find(|item| item.name == obligation.name) else {
            continue;
        };
        let lies = match fragment(&target, &obligation) {
            Ok(fragment) => fragment.to_string(),
            Err(reason) => format!("in no fragment: {reason}"),
        };
        item.text = match item.text.is_empty() {
            true => lies,
            false => format!("{}; {lies}", item.text),
        };
    }
}

/// What came of an obligation, as a line of a script.
fn found(item: &Item) -> String {
    let because = match item.verdict {
        Some(Verdict::Proved) => "the answer is unsat",
        Some(Verdict::Vacuous) => "the answer is unsat, but what is assumed cannot be",
        Some(Verdict::Refuted) => "the answer is sat, with a counterexample",
        Some(Verdict::Conditional) => {
            "the answer is unsat, but not all invariants that are assumed are established"
        }
        _ => "there is no answer",
    };
    let verdict = item.verdict.map_or("unknown", Verdict::word);
    format!("; What ioa prove found: {verdict} ({because})\n")
}

/// A name with only such characters as every file system takes.
fn file_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '.' {
                c
            } else {
                '-'
            }
        })
        .collect();
    plain
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}
