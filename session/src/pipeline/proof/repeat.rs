//! The same proof several times, in other words: what wavers, and what each answer costs from least to most.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use prover_bridge::{Kind as Question, Report, Verdict as Answer};

use crate::finding::{Finding, Verdict};
use crate::numbers::{count, counted};

/// What came of deciding the obligations several times, each time with other names, another order of the assumptions and
/// another seed of the solver.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// How many times were asked for.
    wanted: u32,
    /// How many there were.
    rounds: u32,
    rows: BTreeMap<String, Row>,
}

/// What came of one obligation.
#[derive(Clone, Debug)]
struct Row {
    /// How many times there was each answer.
    answers: BTreeMap<String, u32>,
    /// The least and the most work, in Z3's own unit.
    work: RangeInclusive<u64>,
}

impl Row {
    fn wavers(&self) -> bool {
        self.answers.len() > 1
    }

    /// How many times the least work the most is.
    fn spread(&self) -> f64 {
        *self.work.end() as f64 / (*self.work.start()).max(1) as f64
    }

    /// `wavers: proved 18 times, timeout twice`
    fn told(&self) -> String {
        let times = |n: u32| match n {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            n => format!("{n} times"),
        };
        let answers = self.answers.iter();
        let answers: Vec<String> = answers.map(|(a, n)| format!("{a} {}", times(*n))).collect();
        format!("wavers: {}", answers.join(", "))
    }
}

impl Repeated {
    /// Compares the reports of deciding the same `wanted` times, of which the first is known. `again` decides it in the
    /// variation of a number, where names may differ; it returns nothing if it is interrupted.
    pub(super) fn after(
        first: &Report,
        wanted: u32,
        mut again: impl FnMut(u32) -> Option<Report>,
    ) -> Self {
        let mut repeated = Self {
            wanted,
            rounds: 0,
            rows: BTreeMap::new(),
        };
        let names: BTreeMap<Question, &String> = (first.outcomes.iter())
            .map(|o| (o.obligation.kind, &o.obligation.name))
            .collect();
        repeated.count(first, &names);
        for report in (1..wanted).map_while(&mut again) {
            repeated.count(&report, &names);
        }
        repeated
    }

    /// Counts the answers of one round; `names` are the names of the obligations in the study, which a round may have changed.
    fn count(&mut self, report: &Report, names: &BTreeMap<Question, &String>) {
        self.rounds += 1;
        for outcome in &report.outcomes {
            let Some(name) = names.get(&outcome.obligation.kind) else {
                continue;
            };
            let work = outcome.resources;
            let row = self.rows.entry((*name).clone()).or_insert_with(|| Row {
                answers: BTreeMap::new(),
                work: work..=work,
            });
            *row.answers.entry(said(&outcome.verdict)).or_default() += 1;
            row.work = work.min(*row.work.start())..=work.max(*row.work.end());
        }
    }

    /// Writes into the findings what each obligation costs from least to most; what wavers is not called proved.
    pub(super) fn judge(&self, findings: &mut [Finding]) {
        for finding in findings {
            let mut wavering = Vec::new();
            for item in &mut finding.items {
                let Some(row) = self.rows.get(&item.name) else {
                    continue;
                };
                item.figures.insert("least resources", *row.work.start());
                item.figures.insert("most resources", *row.work.end());
                if row.wavers() {
                    item.text = row.told();
                    item.verdict = Some(Verdict::Unknown);
                    wavering.push(format!("{} {}", item.name, row.told()));
                }
            }
            if !wavering.is_empty() && finding.verdict == Verdict::Proved {
                finding.verdict = Verdict::Unknown;
                finding.summary = wavering.join("; ");
            }
        }
    }
}

/// An answer in a word or two; the reason, where there is none.
fn said(answer: &Answer) -> String {
    match answer {
        Answer::Proved(_) => "proved".into(),
        Answer::Vacuous(_) => "vacuous".into(),
        Answer::Refuted(_) => "refuted".into(),
        Answer::ProvedIf(_) => "conditional".into(),
        Answer::Unknown(reason) => reason.to_string(),
    }
}

impl fmt::Display for Repeated {
    /// How many verdicts waver, which do, and where the work differs most.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = match self.rounds == self.wanted {
            true => counted(self.rounds.into(), "time"),
            false => format!("{} of {}", self.rounds, counted(self.wanted.into(), "time")),
        };
        write!(f, "decided {times}, with other names, orders and seeds: ")?;
        let wavering: Vec<_> = self.rows.iter().filter(|(_, row)| row.wavers()).collect();
        let all = self.rows.len() as u64;
        match wavering.len() as u64 {
            0 => writeln!(f, "no verdict wavers")?,
            1 => writeln!(f, "1 of {} wavers", counted(all, "verdict"))?,
            n => writeln!(f, "{} of {} waver", count(n), counted(all, "verdict"))?,
        }
        for (name, row) in wavering {
            writeln!(f, "  {name} {}", row.told())?;
        }
        let most = (self.rows.iter()).max_by(|(_, a), (_, b)| a.spread().total_cmp(&b.spread()));
        let Some((name, row)) = most else {
            return Ok(());
        };
        let (least, most) = (count(*row.work.start()), count(*row.work.end()));
        writeln!(f, "the work differs most for {name}: {least} to {most}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Repeated, Row};
    use crate::finding::{Finding, Item, Kind, Scope, Verdict};

    fn item(name: &str) -> Item {
        Item {
            name: name.into(),
            text: String::new(),
            verdict: Some(Verdict::Proved),
            needed_for: Vec::new(),
            figures: [].into(),
            seconds: None,
            opinion: None,
        }
    }

    fn row(answers: &[(&str, u32)], least: u64, most: u64) -> Row {
        let answers = answers.iter().map(|(said, n)| ((*said).to_owned(), *n));
        Row {
            answers: answers.collect(),
            work: least..=most,
        }
    }

    #[test]
    fn what_wavers_is_not_called_proved_and_what_does_not_is() {
        let wavering = row(&[("proved", 4), ("timeout", 1)], 100, 900);
        let firm = row(&[("proved", 5)], 7, 8);
        let repeated = Repeated {
            wanted: 5,
            rounds: 5,
            rows: [("A.I / go".into(), wavering), ("A.J / go".into(), firm)].into(),
        };
        let finding = |name: &str, item: Item| {
            let scope = Scope::UNBOUNDED;
            let mut finding = Finding::new(Kind::Invariant, name, "A", Verdict::Proved, scope);
            finding.items = vec![item];
            finding
        };
        let mut findings = [
            finding("I", item("A.I / go")),
            finding("J", item("A.J / go")),
        ];
        repeated.judge(&mut findings);
        let verdicts = findings.each_ref().map(|f| (f.verdict, f.items[0].verdict));
        let [unknown, proved] = [Verdict::Unknown, Verdict::Proved];
        assert_eq!(verdicts, [(unknown, Some(unknown)), (proved, Some(proved))]);
        assert_eq!(
            findings[0].summary,
            "A.I / go wavers: proved 4 times, timeout once"
        );
        assert_eq!(findings[0].items[0].figures["most resources"], 900);
        assert_eq!(
            repeated.to_string(),
            "decided 5 times, with other names, orders and seeds: 1 of 2 verdicts wavers
  A.I / go wavers: proved 4 times, timeout once
the work differs most for A.I / go: 100 to 900
"
        );
    }
}
