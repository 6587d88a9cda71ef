//! Native code finds the steps and the broken invariants that interpretation finds, for random automata: those of the
//! agreement tests, and by their comparison.
#![no_main]

#[path = "../../native/tests/compare/mod.rs"]
mod compare;

use compare::{Compared, FIRST, random_instance, random_states, ranged_instance};
use libfuzzer_sys::fuzz_target;
use test_support::generate;

fuzz_target!(|seeds: (u64, u64)| {
    let (automaton, states) = seeds;
    let (text, instance) = match automaton % 3 {
        0 => with(generate::ranged(automaton), |text| {
            ranged_instance(text, states)
        }),
        kind => with(generate::automaton(automaton, kind == 1), random_instance),
    };
    let mut compared = Compared::default();
    let drawn = random_states(&instance, states);
    compared.compare(&instance, FIRST, &drawn, &text);
    compared.bounds(&instance, &drawn, &text);
    compared.compare_with_general(&instance, states, &text);
});

/// A text with what is made of it.
fn with<T>(text: String, make: impl FnOnce(&str) -> T) -> (String, T) {
    let made = make(&text);
    (text, made)
}
