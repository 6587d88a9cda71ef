//! What went wrong, each defect once, however many findings show it.

use session::finding::{Finding, Kind, Verdict};

/// A defect: the finding that tells it best, and how else it showed.
#[derive(Debug)]
pub struct Defect<'f> {
    /// The finding whose stories are told.
    pub finding: &'f Finding,
    /// The other findings that it showed in.
    pub others: Vec<&'f Finding>,
    /// The positions among all findings of those that it showed in, the best one first.
    positions: Vec<usize>,
}

impl<'f> Defect<'f> {
    /// The other ways in which it showed, a line each.
    #[must_use]
    pub fn also(&self) -> Vec<String> {
        self.others.iter().map(|finding| also(finding)).collect()
    }

    /// All findings that it showed in, the best one first.
    pub fn findings(&self) -> impl Iterator<Item = &'f Finding> {
        std::iter::once(self.finding).chain(self.others.iter().copied())
    }

    /// The position of the finding that tells it best.
    #[must_use]
    pub fn best(&self) -> usize {
        self.positions[0]
    }

    /// The position of the first of the findings that it showed in.
    #[must_use]
    pub fn first(&self) -> usize {
        let first = self.positions.iter().min();
        *first.expect("it showed in one finding at least")
    }
}

/// What went wrong, each once. What several executions violate is told by the shortest of them; and where there is one,
/// no counterexample to induction is told about the same claim.
#[must_use]
pub fn defects(findings: &[Finding]) -> Vec<Defect<'_>> {
    let wrong = findings.iter().enumerate();
    let mut wrong: Vec<(usize, &Finding)> = wrong
        .filter(|(_, f)| !f.stories.is_empty() || f.replay.is_some())
        .collect();
    let mut defects: Vec<Defect<'_>> = Vec::new();
    while !wrong.is_empty() {
        let first = wrong.remove(0);
        let (mut same, others): (Vec<_>, Vec<_>) = wrong
            .into_iter()
            .partition(|(_, other)| is_same_defect(first.1, other));
        wrong = others;
        same.insert(0, first);
        // Of those that are equally good, the first.
        same.sort_by_key(|(_, finding)| (finding.verdict != Verdict::Violated, length(finding)));
        let positions = same.iter().map(|(position, _)| *position).collect();
        let mut findings = same.into_iter().map(|(_, finding)| finding);
        defects.push(Defect {
            finding: findings.next().expect("the first one is among them"),
            others: findings.collect(),
            positions,
        });
    }
    defects
}

/// Whether a finding is of runs in which something is violated that has a finding of its own.
#[must_use]
pub fn is_told_elsewhere(finding: &Finding) -> bool {
    let is_violated_run = (finding.kind, finding.verdict) == (Kind::Run, Verdict::Violated);
    is_violated_run && finding.stories.is_empty()
}

/// The defect that the finding at a position shows, if some execution shows it.
#[must_use]
pub fn violation<'d>(position: usize, defects: &'d [Defect<'d>]) -> Option<&'d Defect<'d>> {
    let mut violations = defects
        .iter()
        .filter(|d| d.finding.verdict == Verdict::Violated);
    violations.find(|defect| defect.positions.contains(&position))
}

/// Whether two findings are about one claim, of which an execution shows that it is wrong, or executions show both to be
/// wrong by the same formula: a run in lockstep meets the violated invariants of its low automaton, too.
fn is_same_defect(one: &Finding, other: &Finding) -> bool {
    let claim = |f: &Finding| (f.kind, f.automaton.clone(), f.name.clone());
    let violated = [one, other].map(|f| f.verdict == Verdict::Violated);
    match violated {
        [true, true] => is_same_formula(one, other) || claim(one) == claim(other),
        _ => violated.contains(&true) && claim(one) == claim(other),
    }
}

/// Whether what is false in the end stands at one place.
fn is_same_formula(one: &Finding, other: &Finding) -> bool {
    let [one, other] = [one, other].map(|finding| {
        let story = finding.stories.first()?;
        story.blame.first().map(|blame| &blame.location)
    });
    one.is_some() && one == other
}

/// How many states its stories have.
fn length(finding: &Finding) -> usize {
    finding.stories.iter().map(|story| story.frames.len()).sum()
}

fn also(finding: &Finding) -> String {
    let replay = finding.replay.as_ref();
    let replay = replay.map_or(String::new(), |command| format!("; {command}"));
    format!(
        "also {}: {}{replay}",
        finding.verdict.word(),
        finding.summary
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use session::finding::{Scope, Stage};
    use session::story::{Blame, Frame, Story};

    use super::*;

    /// A finding that is told by so many states.
    fn told(verdict: Verdict, stage: Stage, states: usize) -> Finding {
        let frame = Frame {
            title: "a state".into(),
            step: None,
            values: Vec::new(),
        };
        let mut finding =
            Finding::new(Kind::Invariant, "Inv", "Low", verdict, Scope::UNBOUNDED).at(stage);
        finding.stories = vec![Story {
            frames: vec![frame; states],
            ..Story::bare("Inv is false", Vec::new())
        }];
        finding.summary = format!("{states} states");
        finding
    }

    #[test]
    fn a_defect_is_told_once_by_its_shortest_execution() {
        let findings = [
            told(Verdict::Violated, Stage::Run, 9),
            told(Verdict::Violated, Stage::Explored, 3),
            told(Verdict::Refuted, Stage::Proved, 2),
        ];
        let [defect] = &defects(&findings)[..] else {
            panic!("told more than once");
        };
        assert_eq!(defect.finding.stage, Some(Stage::Explored));
        assert_eq!(
            defect.also(),
            ["also violated: 9 states", "also refuted: 2 states"]
        );
    }

    #[test]
    fn a_formula_that_two_claims_meet_is_one_defect() {
        let blame = |line: u32| Blame {
            formula: "x < 3".into(),
            location: format!("low.ioa:{line}:5"),
            bindings: Vec::new(),
            reads: BTreeSet::new(),
        };
        let shown = |verdict, states, line| {
            let mut finding = told(verdict, Stage::Run, states);
            finding.stories[0].blame = vec![blame(line)];
            finding
        };
        let mut pair = shown(Verdict::Violated, 3, 7);
        (pair.kind, pair.name) = (Kind::Pair, "Low to High".into());
        let invariant = shown(Verdict::Violated, 4, 7);
        assert_eq!(defects(&[invariant.clone(), pair.clone()]).len(), 1);
        pair.stories[0].blame = vec![blame(9)];
        assert_eq!(defects(&[invariant.clone(), pair.clone()]).len(), 2);
        pair.stories[0].blame = vec![blame(7)];
        pair.verdict = Verdict::Refuted;
        assert_eq!(defects(&[invariant, pair]).len(), 2);
    }

    #[test]
    fn counterexamples_to_induction_of_different_claims_are_all_told() {
        let mut other = told(Verdict::Refuted, Stage::Proved, 2);
        other.name = "Other".into();
        let findings = [told(Verdict::Refuted, Stage::Proved, 2), other];
        assert_eq!(defects(&findings).len(), 2);
    }
}
