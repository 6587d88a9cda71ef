//! Many models, judged one after the other.

use std::collections::BTreeMap;
use std::fmt::Write;

use test_support::generate::{Draft, Drafts};

use crate::verdict::{self, Difference, Seen, Shape, Verdict, judge};

/// The parts of a draft, beside the one about the whole.
const PARTS: usize = 7;

/// How often it is tried to make a model smaller.
const ATTEMPTS: usize = 1_500;

/// How many ways of being different are shown.
const SHOWN: usize = 12;

/// The drafts of the models.
pub(crate) fn drafts() -> Drafts {
    Drafts::of_parts(PARTS)
}

/// What came of the models so far.
#[derive(Debug, Default)]
pub(crate) struct Campaign {
    /// How many were compared.
    pub(crate) compared: u64,
    pub(crate) seen: BTreeMap<Seen, u64>,
    /// How many were not compared, by reason.
    pub(crate) skipped: BTreeMap<String, u64>,
    /// How many differ, by how they do, each with the first seed.
    pub(crate) different: BTreeMap<String, (u64, u64)>,
}

impl Campaign {
    /// Judges the models of a shape with these seeds.
    pub(crate) fn run(&mut self, shape: Shape, seeds: impl Iterator<Item = u64>) {
        let drafts = drafts();
        for seed in seeds {
            match judge(shape, &drafts.draft(seed)) {
                Verdict::Agreed(seen) => {
                    self.compared += 1;
                    for fact in seen {
                        *self.seen.entry(fact).or_default() += 1;
                    }
                }
                Verdict::Skipped(why) => *self.skipped.entry(why).or_default() += 1,
                Verdict::Differs(Difference { what, .. }) => {
                    self.compared += 1;
                    self.different.entry(what).or_insert((0, seed)).0 += 1;
                }
            }
        }
    }

    /// Adds what another came to.
    pub(crate) fn add(&mut self, other: Self) {
        self.compared += other.compared;
        for (fact, count) in other.seen {
            *self.seen.entry(fact).or_default() += count;
        }
        for (why, count) in other.skipped {
            *self.skipped.entry(why).or_default() += count;
        }
        for (what, (count, seed)) in other.different {
            let entry = self.different.entry(what).or_insert((0, seed));
            *entry = (entry.0 + count, entry.1.min(seed));
        }
    }

    /// What was compared, what was not and why, and the smallest model for each way of being different.
    pub(crate) fn report(&self, shape: Shape) -> String {
        let skipped: u64 = self.skipped.values().sum();
        let mut out = format!(
            "{shape:?}: {} models compared, {skipped} skipped\n",
            self.compared
        );
        for (fact, count) in &self.seen {
            let _ = writeln!(out, "  {count} with {fact:?}");
        }
        for (why, count) in &self.skipped {
            let _ = writeln!(out, "  {count} skipped: {why}");
        }
        for (n, (what, (count, seed))) in self.different.iter().enumerate() {
            let _ = writeln!(out, "{count} differ, the first with seed {seed}: {what}");
            if n < SHOWN {
                out.push_str(&smallest(shape, *seed, what));
            }
        }
        out
    }

    /// How many models were not compared.
    pub(crate) fn skipped(&self) -> u64 {
        self.skipped.values().sum()
    }
}

/// The text of the model with a seed, and the sizes of its sorts.
#[allow(dead_code, reason = "the tests print models only where they differ")]
pub(crate) fn text(shape: Shape, seed: u64) -> String {
    verdict::text(shape, &drafts().draft(seed))
}

/// The smallest model that differs in the same way as that of a seed.
fn smallest(shape: Shape, seed: u64, what: &str) -> String {
    let mut last = None;
    let mut still = |draft: &Draft| match judge(shape, draft) {
        Verdict::Differs(difference) if difference.what == what => {
            last = Some(difference);
            true
        }
        _ => false,
    };
    drafts().shrunk(seed, ATTEMPTS, &mut still);
    last.map_or(String::new(), |Difference { text, shown, .. }| {
        let model = text.split_once("imports Names\n");
        let model = model.map_or(&*text, |(_, model)| model.trim_start());
        format!("{model}{shown}\n\n")
    })
}
