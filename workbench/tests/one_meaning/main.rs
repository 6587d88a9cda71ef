//! One meaning: the executor and the logic are two readings of the core, and they must agree.
//!
//! Random small automata, given as text, take random steps from random small states. The interpreter takes each step;
//! Z3 is asked for the same transition, under the same finite sizes, through the encoding that proofs use. Enabledness,
//! definedness and every variable of the state afterwards are compared, and so is the truth of invariants. What could
//! not be compared is counted with its reason, so that a campaign that tested nothing cannot look like a success.
//!
//! `ONE_MEANING_CASES=5000 cargo test --release -p workbench --test one_meaning` runs a longer campaign;
//! `ONE_MEANING_FROM=5000` lets it start at another seed.

mod annotations;
mod case;
mod independence;
mod operators;
mod proved;
mod round_trip;
mod theories;

use std::collections::BTreeMap;
use std::sync::Arc;

use case::{Agreed, Case, Verdict};
use finite::Universe;
use interpreter::Instance;
use ioa_lang::core::{Model, TransitionId};
use ioa_lang::{Severity, Sources};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use test_support::generate;

/// Automata of one campaign, where nothing else is asked for.
const CASES: u64 = 120;

/// States in which each transition and each invariant of an automaton is tried.
const STATES: usize = 2;

/// How often each outcome must occur, at least once in so many automata.
const SELDOM: [(Agreed, u64); 7] = [
    (Agreed::Taken, 1),
    (Agreed::Disabled, 1),
    (Agreed::Rejected, 20),
    (Agreed::Undefined, 10),
    (Agreed::NothingToChoose, 40),
    (Agreed::Holds, 2),
    (Agreed::Violated, 2),
];

/// What became of the comparisons.
#[derive(Debug, Default)]
struct Campaign {
    agreed: BTreeMap<Agreed, u64>,
    /// Cases that could not be compared, by reason.
    skipped: BTreeMap<String, u64>,
    disagreements: Vec<String>,
}

#[test]
fn the_executor_and_the_logic_agree() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let cases = asked("ONE_MEANING_CASES").unwrap_or(CASES);
    let from = asked("ONE_MEANING_FROM").unwrap_or(0);
    let half = |parity: u64| {
        let mut campaign = Campaign::default();
        for seed in (from..from + cases).filter(|s| s % 2 == parity) {
            campaign.automaton(seed);
        }
        campaign
    };
    let (even, odd) = std::thread::scope(|scope| {
        let even = scope.spawn(|| half(0));
        let odd = half(1);
        (even.join().expect("the other half runs through"), odd)
    });
    even.and(odd).judge(cases);
}

impl Campaign {
    fn and(mut self, other: Self) -> Self {
        for (outcome, count) in other.agreed {
            *self.agreed.entry(outcome).or_default() += count;
        }
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.disagreements.extend(other.disagreements);
        self
    }

    /// Panics unless much was compared, in every respect, and nothing differed.
    fn judge(&self, cases: u64) {
        println!("{:#?}\n{:#?}", self.agreed, self.skipped);
        assert!(
            self.disagreements.is_empty(),
            "{} disagreements:\n{}",
            self.disagreements.len(),
            self.disagreements.join("\n\n")
        );
        let skipped: u64 = self.skipped.values().sum();
        let compared: u64 = self.agreed.values().sum();
        assert!(
            compared > 4 * skipped,
            "{compared} compared, {skipped} skipped"
        );
        for (outcome, seldom) in SELDOM {
            let count = self.agreed.get(&outcome).copied().unwrap_or(0);
            assert!(
                count * seldom >= cases,
                "{outcome:?} only {count} times in {cases} automata"
            );
        }
    }

    fn record(&mut self, verdict: Verdict, (seed, text): (u64, &str)) {
        match verdict {
            Verdict::Agreed(outcome) => *self.agreed.entry(outcome).or_default() += 1,
            Verdict::Skipped(reason) => *self.skipped.entry(reason).or_default() += 1,
            Verdict::Disagreed(how) => {
                self.disagreements
                    .push(format!("seed {seed}: {how}\n{text}"));
            }
        }
    }

    fn automaton(&mut self, seed: u64) {
        let text = generate::automaton(seed, false);
        let instance = match instance(&text) {
            Ok(instance) => instance,
            Err(error) => return self.record(Verdict::Disagreed(error), (seed, &text)),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let model = instance.model();
        for _ in 0..STATES {
            let case = Case::draw(&instance, seed.is_multiple_of(4), &mut rng);
            for id in (0..model.automata[0].transitions.len()).map(TransitionId::at) {
                self.record(case.transition(id, &mut rng), (seed, &text));
            }
            for index in 0..model.invariants.len() {
                self.record(case.invariant(index), (seed, &text));
            }
        }
    }
}

/// The generated automaton with three nodes and two ballots, or why the front end refuses it.
fn instance(text: &str) -> Result<Instance, String> {
    let model = model_of(text)?;
    let sizes = [("Node", 3), ("Ballot", 2)].map(|(name, size)| (name.to_owned(), size));
    let universe = Universe::new(&model, model.every_setting(), &BTreeMap::from(sizes))
        .expect("sizes that fit");
    Ok(Instance::new(Arc::new(model), universe))
}

/// The model of a text, or why the front end refuses it.
fn model_of(text: &str) -> Result<Model, String> {
    let mut sources = Sources::new();
    sources.add("random.ioa", text);
    let loaded = ioa_lang::load(&sources);
    let mut errors = loaded.diagnostics.iter();
    match errors.find(|d| d.severity == Severity::Error) {
        Some(error) => {
            let place = sources.text(error.span);
            Err(format!("not well-typed: {} at `{place}`", error.message))
        }
        None => Ok(loaded.model),
    }
}
