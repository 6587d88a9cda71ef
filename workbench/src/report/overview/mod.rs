//! All findings of a study in one view: a row for each claim, with what runs, explorations and proofs say about it.

mod sentences;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use session::finding::{Finding, Kind, Scope, Stage, Status, Verdict};
use session::numbers::counted;
use session::story::Statement;

use self::sentences::sentences;
use super::defects::{Defect, defects, is_told_elsewhere, violation};

/// What is known about a study.
#[derive(Debug, Default)]
pub struct Overview {
    /// What was established, a sentence each.
    pub sentences: Vec<String>,
    /// The automata and simulations, in the order in which they were asked about.
    pub subjects: Vec<Subject>,
    /// What does not belong to a claim, such as candidates, a line each.
    pub beside: Vec<String>,
    /// Why some claims are not established, a line each.
    pub open: Vec<String>,
}

/// An automaton or a simulation, with what is claimed of it.
#[derive(Debug)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// For each stage, what was looked at: sizes, and how many runs or states there were, a line each.
    pub looked: [Vec<String>; STAGES],
    /// What is claimed.
    pub claims: Vec<Claim>,
}

/// A claim, with its verdict at each stage.
#[derive(Debug)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// What it says, where that is stated in the source.
    pub statement: Option<Statement>,
    /// The verdict at each stage; none where it was not asked.
    pub verdicts: [Option<Verdict>; STAGES],
}

/// How many stages there are.
pub const STAGES: usize = Stage::ALL.len();

/// The overview of the findings of a study, which all have a stage.
#[must_use]
pub fn overview(findings: &[Finding]) -> Overview {
    let defects = defects(findings);
    let mut overview = Overview::default();
    for position in 0..findings.len() {
        overview.take_in(position, findings, &defects);
    }
    overview.sentences = violated(&defects).into_iter().collect();
    overview.sentences.extend(sentences(findings));
    overview
}

impl Overview {
    /// The stages at which something was asked.
    #[must_use]
    pub fn stages(&self) -> Vec<Stage> {
        let is_asked = |stage: &Stage| {
            let at = *stage as usize;
            let of_claims = |s: &Subject| s.claims.iter().any(|c| c.verdicts[at].is_some());
            let mut subjects = self.subjects.iter();
            subjects.any(|s| !s.looked[at].is_empty() || of_claims(s))
        };
        Stage::ALL.into_iter().filter(is_asked).collect()
    }

    fn take_in(&mut self, position: usize, all: &[Finding], defects: &[Defect<'_>]) {
        let finding = &all[position];
        let Some(stage) = finding.stage else {
            return;
        };
        if finding.kind == Kind::Lemmas {
            // What they are for has a row of its own.
            let line = format!("lemmas {}: {}", finding.name, finding.summary);
            return self.beside.push(line);
        }
        if finding.status() != Status::Holds && !is_told_elsewhere(finding) {
            match violation(position, defects) {
                // One line tells it, at the first of the findings that it showed in.
                Some(defect) if defect.first() == position => self.open.push(how_violated(defect)),
                Some(_) => {}
                None => self.open.push(why_open(finding, stage)),
            }
        }
        if matches!(finding.kind, Kind::Infer | Kind::Opinion) {
            let what = finding.kind.word();
            let line = format!("{what} {}: {}", finding.automaton, finding.summary);
            return self.beside.push(line);
        }
        let subject = self.subject(subject_of(finding, all));
        subject.look(finding, stage);
        if let Some(name) = claim_of(finding).filter(|_| !is_told_elsewhere(finding)) {
            let claim = subject.claim(name);
            claim.statement.clone_from(&finding.statement);
            let verdict = &mut claim.verdicts[stage as usize];
            *verdict =
                Some(verdict.map_or(finding.verdict, |known| graver(known, finding.verdict)));
        }
    }

    fn subject(&mut self, name: &str) -> &mut Subject {
        let position = self.subjects.iter().position(|s| s.name == name);
        let position = position.unwrap_or_else(|| {
            self.subjects.push(Subject {
                name: name.to_owned(),
                looked: Default::default(),
                claims: Vec::new(),
            });
            self.subjects.len() - 1
        });
        &mut self.subjects[position]
    }
}

impl Subject {
    fn claim(&mut self, name: &str) -> &mut Claim {
        let position = self.claims.iter().position(|c| c.name == name);
        let position = position.unwrap_or_else(|| {
            self.claims.push(Claim {
                name: name.to_owned(),
                statement: None,
                verdicts: Default::default(),
            });
            self.claims.len() - 1
        });
        &mut self.claims[position]
    }

    /// Says at a stage what a finding looked at, each once.
    fn look(&mut self, finding: &Finding, stage: Stage) {
        let looked = &mut self.looked[stage as usize];
        let mut say = |line: String| {
            if !line.is_empty() && !looked.contains(&line) {
                looked.push(line);
            }
        };
        let scope = finding.scope.words();
        // What an exploration visited is said with its sizes, for there may be several; and the sizes of a counterexample
        // are no scope of a proof.
        let says_scope = match stage {
            Stage::Run => true,
            Stage::Explored => finding.kind == Kind::Pair,
            Stage::Proved => finding.scope == Scope::UNBOUNDED,
        };
        if says_scope {
            say(scope.clone());
        }
        let figure = |name| finding.figures.get(name).copied();
        match finding.kind {
            Kind::Run => say(format!(
                "{}: {}",
                finding.name,
                counted(figure("runs").unwrap_or(0), "run")
            )),
            Kind::Exploration => {
                let states = counted(figure("distinct_states").unwrap_or(0), "state");
                let at = match scope.is_empty() {
                    true => states,
                    false => format!("{states} at {scope}"),
                };
                say(match (finding.verdict, &finding.bound) {
                    (Verdict::Explored, _) => at,
                    (_, Some(bound)) => format!("{at}, not all ({bound})"),
                    (_, None) => format!("{at}, not all"),
                });
            }
            Kind::Pair if figure("runs").is_some() => {
                let driven_by = finding.summary.split(':').next().unwrap_or_default();
                say(format!(
                    "{driven_by}: {}",
                    counted(figure("runs").unwrap_or(0), "run")
                ));
            }
            _ => {}
        }
    }
}

/// What a finding is about: a simulation, or an automaton.
fn subject_of<'f>(finding: &'f Finding, all: &[Finding]) -> &'f str {
    let is_simulation = |kind| matches!(kind, Kind::Simulation | Kind::Pair);
    let names_one = || {
        let mut others = all.iter();
        others.any(|other| is_simulation(other.kind) && other.name == finding.name)
    };
    match finding.kind {
        kind if is_simulation(kind) => &finding.name,
        Kind::Definedness if names_one() => &finding.name,
        _ => &finding.automaton,
    }
}

/// The name of what a finding is a verdict on; none where it only says what was looked at and nothing is wrong with it.
fn claim_of(finding: &Finding) -> Option<&str> {
    match finding.kind {
        Kind::Run | Kind::Exploration if finding.status() == Status::Holds => None,
        Kind::Exploration if finding.verdict == Verdict::Explored => None,
        Kind::Exploration => Some("all states are visited"),
        Kind::Simulation | Kind::Pair => Some("simulation"),
        Kind::Definedness => Some("definedness"),
        Kind::Requirement => Some("components fit"),
        _ => Some(&finding.name),
    }
}

fn graver(one: Verdict, other: Verdict) -> Verdict {
    [one, other]
        .into_iter()
        .min_by_key(|verdict| (Reverse(verdict.status()), *verdict))
        .expect("there are two")
}

/// What is violated, at which stages that was seen, and what the shortest execution says about it.
fn how_violated(defect: &Defect<'_>) -> String {
    let is_violated = |f: &&Finding| f.verdict == Verdict::Violated;
    let stages = defect
        .findings()
        .filter(is_violated)
        .filter_map(|f| f.stage);
    let stages: BTreeSet<Stage> = stages.collect();
    let stages: Vec<&str> = stages.into_iter().map(Stage::word).collect();
    let (name, summary) = (&defect.finding.name, &defect.finding.summary);
    let verdict = Verdict::Violated.word();
    format!("{name} ({}): {verdict}: {summary}", stages.join(", "))
}

/// What executions violate.
fn violated(defects: &[Defect<'_>]) -> Option<String> {
    let shown = defects
        .iter()
        .filter(|d| d.finding.verdict == Verdict::Violated);
    let mut claims: Vec<String> = Vec::new();
    for claim in shown.map(|defect| defect.finding) {
        let name = format!("{} of {}", claim.name, claim.automaton);
        let name = match claim.kind {
            Kind::Invariant => name,
            Kind::Run => format!("a {} run of {}", claim.name, claim.automaton),
            _ => claim.name.clone(),
        };
        if !claims.contains(&name) {
            claims.push(name);
        }
    }
    let (last, first) = claims.split_last()?;
    Some(match first {
        [] => format!("An execution shows a violation: {last}."),
        _ => format!(
            "Executions show violations: {} and {last}.",
            first.join(", ")
        ),
    })
}

fn why_open(finding: &Finding, stage: Stage) -> String {
    let Finding {
        name,
        verdict,
        summary,
        ..
    } = finding;
    format!("{name} ({}): {}: {summary}", stage.word(), verdict.word())
}

#[cfg(test)]
mod tests {
    use session::finding::Item;

    use super::*;

    fn finding(kind: Kind, name: &str, verdict: Verdict, stage: Stage) -> Finding {
        Finding::new(kind, name, "Low", verdict, Scope::UNBOUNDED).at(stage)
    }

    #[test]
    fn a_claim_has_one_row_and_the_gravest_verdict_of_each_stage() {
        let invariant = |verdict, stage| finding(Kind::Invariant, "Inv", verdict, stage);
        let findings = [
            invariant(Verdict::Tested, Stage::Run),
            invariant(Verdict::Explored, Stage::Explored),
            invariant(Verdict::Unknown, Stage::Explored),
            invariant(Verdict::Proved, Stage::Proved),
            finding(
                Kind::Simulation,
                "Low to High",
                Verdict::Proved,
                Stage::Proved,
            ),
        ];
        let overview = overview(&findings);
        assert_eq!(
            overview.sentences,
            ["Low implements High for every size, by 1 lemma."]
        );
        let names: Vec<&str> = overview.subjects.iter().map(|s| &*s.name).collect();
        assert_eq!(names, ["Low", "Low to High"]);
        let [claim] = &overview.subjects[0].claims[..] else {
            panic!("{:?}", overview.subjects[0].claims);
        };
        let expected = [Verdict::Tested, Verdict::Unknown, Verdict::Proved].map(Some);
        assert_eq!(claim.verdicts, expected);
        assert_eq!(overview.open.len(), 1, "{:?}", overview.open);
    }

    /// The findings of a search for lemmas: two goals need three lemmas, each of which is needed for the one before it.
    fn found() -> Vec<Finding> {
        let proved = |kind, name: &str, needs: &[&str]| Finding {
            needs: Some(needs.iter().map(ToString::to_string).collect()),
            ..finding(kind, name, Verdict::Proved, Stage::Proved)
        };
        let lemmas = ["Lemma1", "Lemma2", "Lemma3"];
        vec![
            proved(Kind::Invariant, lemmas[0], &lemmas[1..2]),
            proved(Kind::Invariant, lemmas[1], &lemmas[2..]),
            Finding {
                automaton: "High".into(),
                ..proved(Kind::Invariant, lemmas[2], &[])
            },
            proved(Kind::Invariant, "Goal", &lemmas[1..2]),
            Finding {
                automaton: String::new(),
                items: lemmas.map(|name| Item::text(name, "")).into(),
                summary: "3 lemmas: found before".into(),
                ..proved(Kind::Lemmas, "for 2 goals", &[])
            },
            proved(Kind::Simulation, "Low to High", &lemmas[..1]),
        ]
    }

    #[test]
    fn lemmas_that_were_found_are_counted_as_the_search_counts_them() {
        let found = found();
        let overview = overview(&found);
        assert_eq!(
            overview.sentences,
            ["Low implements High for every size, by 3 lemmas."]
        );
        let without = overview_of_invariants(&found);
        assert_eq!(
            without.sentences,
            ["The invariant of Low holds for every size, by 2 lemmas."]
        );
    }

    fn overview_of_invariants(found: &[Finding]) -> Overview {
        let invariants = found.iter().filter(|f| f.kind != Kind::Simulation);
        overview(&invariants.cloned().collect::<Vec<_>>())
    }

    #[test]
    fn a_search_for_lemmas_is_no_claim_of_an_automaton_without_a_name() {
        let overview = overview(&found());
        assert!(overview.subjects.iter().all(|s| !s.name.is_empty()));
        assert_eq!(
            overview.beside,
            ["lemmas for 2 goals: 3 lemmas: found before"]
        );
    }

    #[test]
    fn what_is_not_proved_is_not_said_to_hold() {
        let proof = |name, verdict| finding(Kind::Invariant, name, verdict, Stage::Proved);
        let some = [
            proof("One", Verdict::Proved),
            proof("Two", Verdict::Refuted),
        ];
        let said = overview(&some).sentences;
        assert_eq!(
            said,
            ["1 of the 2 invariants of Low are proved for every size."]
        );
        assert!(overview(&some[1..]).sentences.is_empty());
        let simulation = finding(
            Kind::Simulation,
            "Low to High",
            Verdict::Unknown,
            Stage::Proved,
        );
        assert!(overview(&[simulation]).sentences.is_empty());
    }
}
