//! A term that is written with its type means what it says wherever it stands: no type that is written around it, and no
//! parameter that it is given for, makes a number of what has no value.

use ioa_lang::core::TransitionId;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::case::{Case, Executed};
use super::{STATES, generate, instance};

/// Random automata that are compared. The executor alone takes part, so there can be many.
const CASES: u64 = 400;

/// What becomes of every transition of an automaton in some random states, and which of it is a fault.
///
/// # Errors
/// Why the front end refuses the text.
fn outcomes(text: &str, seed: u64) -> Result<Vec<(String, bool)>, String> {
    let instance = instance(text)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut outcomes = Vec::new();
    for _ in 0..4 * STATES {
        let case = Case::draw(&instance, false, &mut rng);
        for id in 0..instance.model().automata[0].transitions.len() {
            outcomes.push(match case.outcome(TransitionId::at(id), &mut rng) {
                // The two are written differently, so that their faults are in different places.
                Some(Executed::Undefined(fault)) => (fault.kind.to_string(), true),
                other => (format!("{other:?}"), false),
            });
        }
    }
    Ok(outcomes)
}

#[test]
fn what_is_written_with_its_type_means_what_it_says() {
    let (mut annotated, mut faults, mut refused) = (0, 0, 0);
    for seed in 0..CASES {
        let text = generate::automaton(seed, false);
        let plain = generate::without_annotations(seed);
        if text == plain {
            continue;
        }
        // What is of type Int without its annotation may stand where a Nat is asked for.
        let (Ok(one), Ok(other)) = (outcomes(&text, seed), outcomes(&plain, seed)) else {
            refused += 1;
            continue;
        };
        annotated += 1;
        assert_eq!(one, other, "seed {seed}:\n{text}\n{plain}");
        faults += one.iter().filter(|(_, is_fault)| *is_fault).count();
    }
    assert!(refused * 50 < CASES, "{refused} are refused");
    assert!(annotated * 4 > CASES, "only {annotated} have annotations");
    assert!(faults as u64 * 4 > CASES, "only {faults} faults");
}
