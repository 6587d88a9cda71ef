//! What a command found out: one finding for each thing it was asked about, and the exit status they add up to.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::numbers::counted;
use crate::story::{Statement, Story};

pub use crate::verdict::{Scope, Status, Unbounded, Verdict};

/// What kind of question was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Runs under a schedule or a random scheduler.
    Run,
    /// A visit to all reachable states.
    Exploration,
    /// A state that was looked for.
    Find,
    /// A formula that is to hold in every reachable state.
    Check,
    /// That the automaton can always go on, by itself or by an input.
    Deadlock,
    /// A stated invariant.
    Invariant,
    /// A stated liveness property.
    Liveness,
    /// A formula that is to be reachable from every reachable state.
    Possible,
    /// Paired runs through a proof block.
    Pair,
    /// The detector's candidates.
    Infer,
    /// Lemmas that were looked for.
    Lemmas,
    /// A simulation.
    Simulation,
    /// That no partial operator is used outside its domain.
    Definedness,
    /// What a composition or an instance requires of the theories in use.
    Requirement,
    /// What a second solver says.
    Opinion,
}

impl Kind {
    /// The word for tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Exploration => "exploration",
            Self::Find => "find",
            Self::Check => "check",
            Self::Deadlock => "deadlock",
            Self::Invariant => "invariant",
            Self::Liveness => "liveness",
            Self::Possible => "possible",
            Self::Pair => "pair",
            Self::Infer => "infer",
            Self::Lemmas => "lemmas",
            Self::Simulation => "simulation",
            Self::Definedness => "definedness",
            Self::Requirement => "requirement",
            Self::Opinion => "opinion",
        }
    }
}

/// By what means a question about a study was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// By runs.
    Run,
    /// By visiting all reachable states of an instance.
    Explored,
    /// By proof.
    Proved,
}

impl Stage {
    /// All of them, from the weakest to the strongest.
    pub const ALL: [Self; 3] = [Self::Run, Self::Explored, Self::Proved];

    /// The word for tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Run => "runs",
            Self::Explored => "all states",
            Self::Proved => "proof",
        }
    }
}

/// The answer to one question, with its evidence.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What kind of question.
    pub kind: Kind,
    /// By what means it was put, where that is one of several for the same study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// What it was about: a schedule, an invariant, a simulation.
    pub name: String,
    /// What is claimed, in the user's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<Statement>,
    /// The automaton (the low one of a simulation).
    pub automaton: String,
    /// The answer.
    pub verdict: Verdict,
    /// What the answer covers.
    pub scope: Scope,
    /// The bound that was asked for and is why the verdict is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// What the study expects to be found beside the verdict, and was not, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmet: Option<String>,
    /// One line for people: how much was done, or what went wrong.
    pub summary: String,
    /// What is true and hardly meant, with the reason: a clause that never happens, an invariant that says nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Counts, by name: runs, steps, states, obligations ...
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<&'static str, u64>,
    /// Wall time; the only field that differs between two equal invocations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What went wrong, step by step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stories: Vec<Story>,
    /// The command that shows it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    /// The invariants that its proof needs, by name, where that was found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Vec<String>>,
    /// Texts that the finding consists of, such as the detector's candidates or the obligations' verdicts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Item>,
}

/// One line of a finding's evidence.
#[derive(Clone, Debug, Serialize)]
pub struct Item {
    /// What it is called.
    pub name: String,
    /// Its text: a formula, a reason.
    pub text: String,
    /// Its own verdict, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What needs it, by name, for a lemma.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needed_for: Vec<String>,
    /// Counts, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<&'static str, u64>,
    /// Wall time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What a second solver says, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
}

/// What a second solver says about an obligation.
#[derive(Clone, Debug, Serialize)]
pub struct Opinion {
    /// Its name.
    pub solver: String,
    /// Its answer: `unsat`, `sat`, `unknown`, `timeout`, or `error` where it could not read the question.
    pub answer: &'static str,
    /// Whether that is what the first solver answered; nothing where one of them has no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
    /// The same for people.
    pub text: String,
    /// Wall time.
    pub seconds: f64,
}

impl Item {
    /// A text and nothing else.
    #[must_use]
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            verdict: None,
            needed_for: Vec::new(),
            figures: BTreeMap::new(),
            seconds: None,
            opinion: None,
        }
    }

    /// How often a clause fired, and why it never did if that is known.
    #[must_use]
    pub fn fired(clause: String, times: u64, why_never: impl FnOnce() -> String) -> Self {
        let text = match times {
            0 => format!("never fired{}", why_never()),
            times => format!("fired {}", counted(times, "time")),
        };
        Self {
            figures: BTreeMap::from([("fired", times)]),
            ..Self::text(clause, text)
        }
    }
}

impl Finding {
    /// A finding with no evidence yet.
    #[must_use]
    pub fn new(
        kind: Kind,
        name: impl Into<String>,
        automaton: impl Into<String>,
        verdict: Verdict,
        scope: Scope,
    ) -> Self {
        Self {
            kind,
            stage: None,
            name: name.into(),
            statement: None,
            automaton: automaton.into(),
            verdict,
            scope,
            bound: None,
            unmet: None,
            summary: String::new(),
            warnings: Vec::new(),
            figures: BTreeMap::new(),
            seconds: None,
            stories: Vec::new(),
            replay: None,
            needs: None,
            items: Vec::new(),
        }
    }

    /// The same, put by some means.
    #[must_use]
    pub fn at(self, stage: Stage) -> Self {
        Self {
            stage: Some(stage),
            ..self
        }
    }

    /// The exit status that this finding alone would give. That a bound which the user set was reached is no failure.
    #[must_use]
    pub fn status(&self) -> Status {
        let status = match self.is_bounded() {
            true => Status::Holds,
            false => self.verdict.status(),
        };
        match self.unmet {
            Some(_) => status.max(Status::NotEstablished),
            None => status,
        }
    }

    /// Whether nothing more is known because of a bound that was asked for.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.verdict == Verdict::Unknown && self.bound.is_some()
    }
}

/// The findings' exit status, given what a study expects of some names (`[expect]` in `ioa.toml`).
///
/// A name that is expected to come to something is judged by all findings about it together: the strongest evidence
/// against it counts. An expectation that is not met is "not established", for the violation that was asked for was
/// not found (or a proof that was not asked for was).
#[must_use]
pub fn status(findings: &[Finding], expect: &BTreeMap<String, Verdict>) -> Status {
    let unexpected = findings
        .iter()
        .filter(|finding| !expect.contains_key(&finding.name))
        .map(Finding::status);
    let expected = expect.iter();
    let expected = expected.map(|(name, verdict)| status_as_expected(findings, name, *verdict));
    unexpected.chain(expected).max().unwrap_or(Status::Holds)
}

/// The exit status that one of the findings of a study would give, if nothing but its name were asked about.
#[must_use]
pub fn status_of(
    finding: &Finding,
    findings: &[Finding],
    expect: &BTreeMap<String, Verdict>,
) -> Status {
    match expect.get(&finding.name) {
        Some(verdict) => status_as_expected(findings, &finding.name, *verdict),
        None => finding.status(),
    }
}

/// The exit status of all findings about a name together, which are expected to come to this.
fn status_as_expected(findings: &[Finding], name: &str, expected: Verdict) -> Status {
    match verdict_on(findings, name) {
        Some(found) if found == expected => Status::Holds,
        Some(found) => found.status().max(Status::NotEstablished),
        None => Status::NotEstablished,
    }
}

/// What a study expects and does not get, a sentence for each name and for each other expectation.
#[must_use]
pub fn unmet(findings: &[Finding], expect: &BTreeMap<String, Verdict>) -> Vec<String> {
    let told = |(name, expected): (&String, &Verdict)| {
        let wanted = expected.word();
        match verdict_on(findings, name) {
            Some(found) if found == *expected => None,
            Some(found) => Some(format!(
                "{name} is {}, but {wanted} is expected",
                found.word()
            )),
            None => Some(format!(
                "{name} is expected to be {wanted}, but nothing was asked about it"
            )),
        }
    };
    let others = findings.iter().filter_map(|finding| finding.unmet.clone());
    expect.iter().filter_map(told).chain(others).collect()
}

/// What all findings about a name come to: the one with the gravest status, and of equal ones the first.
#[must_use]
pub fn verdict_on(findings: &[Finding], name: &str) -> Option<Verdict> {
    findings
        .iter()
        .filter(|finding| finding.name == name)
        .map(|finding| finding.verdict)
        .min_by_key(|verdict| (std::cmp::Reverse(verdict.status()), *verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(name: &str, verdict: Verdict) -> Finding {
        Finding::new(Kind::Invariant, name, "A", verdict, Scope::UNBOUNDED)
    }

    fn code(findings: &[Finding], expect: &[(&str, Verdict)]) -> u8 {
        let expect = expect.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        status(findings, &expect).code()
    }

    #[test]
    fn bad_input_outranks_a_violation_and_a_violation_outranks_a_failed_proof() {
        let (holds, refuted) = (
            finding("a", Verdict::Proved),
            finding("b", Verdict::Refuted),
        );
        let (violated, error) = (
            finding("c", Verdict::Violated),
            finding("d", Verdict::Error),
        );
        assert_eq!(code(std::slice::from_ref(&holds), &[]), 0);
        assert_eq!(code(&[holds, refuted.clone()], &[]), 3);
        assert_eq!(code(&[refuted.clone(), violated.clone()], &[]), 1);
        assert_eq!(code(&[refuted, violated, error], &[]), 2);
    }

    #[test]
    fn an_expected_violation_is_fine_and_its_absence_is_not() {
        let found = [
            finding("Broken", Verdict::Violated),
            finding("Broken", Verdict::Refuted),
        ];
        assert_eq!(code(&found, &[("Broken", Verdict::Violated)]), 0);
        assert_eq!(
            code(
                &[finding("Broken", Verdict::Proved)],
                &[("Broken", Verdict::Violated)]
            ),
            3
        );
        assert_eq!(code(&[], &[("Broken", Verdict::Violated)]), 3);
    }
}
