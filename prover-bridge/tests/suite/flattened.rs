//! A composition and its flattened form are one automaton, and are judged alike.

use crate::common::{model, prove_all, unproved};
use ioa_lang::core::Model;

/// Compositions of one run of the test.
const CASES: u64 = 40;

/// A source of numbers that are alike on every run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: u64) -> u64 {
        // Knuth's multiplier; the high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }

    fn pick<'p>(&mut self, choices: &[&'p str]) -> &'p str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// An automaton with a clause of `ask` for each of some cases, not all of which need be any.
fn gate(name: &str, draws: &mut Draws) -> String {
    let cases = [
        "n < limit",
        "n >= limit",
        "n = limit /\\ n < 0",
        "n = 3",
        "n ~= 3",
        "true",
    ];
    // Now and then one that no state satisfies.
    let pre = match draws.below(4) {
        0 => ["pre held > 9 /\\ held < 5\n      ", ""],
        _ => ["pre held = 0\n      ", ""],
    };
    let kind = draws.pick(&["input", "input", "output"]);
    let mut text = format!(
        "automaton {name}(limit: Int)
  signature
    {kind} ask(n: Int)
    internal rest
  states
    held: Int := {}
  transitions
",
        draws.below(2)
    );
    for _ in 0..=draws.below(2) {
        let guard = match kind {
            "output" => draws.pick(&pre),
            _ => "",
        };
        let (case, held) = (draws.pick(&cases), draws.below(4));
        text.push_str(&format!(
            "    {kind} ask(n) where {case}\n      {guard}eff held := {held}\n"
        ));
    }
    let (guard, held) = (draws.pick(&pre), draws.below(4));
    text.push_str(&format!(
        "    internal rest\n      {guard}eff held := {held}\n"
    ));
    text
}

/// A composition of up to three gates, one of which may ask, with invariants about them.
fn composition(seed: u64) -> String {
    let mut draws = Draws(seed);
    let mut text = String::new();
    let (mut components, mut asks) = (Vec::new(), false);
    for name in ["U", "V", "W"] {
        let gate = gate(&format!("Gate{name}"), &mut draws);
        // An action is the output of one component at most.
        if gate.contains("output ask") && std::mem::replace(&mut asks, true) {
            continue;
        }
        text.push_str(&gate);
        let limit = draws.below(5);
        components.push((name, format!("    {name}: Gate{name}({limit})")));
    }
    let listed: Vec<&str> = components.iter().map(|(_, text)| text.as_str()).collect();
    text.push_str(&format!(
        "automaton All\n  components\n{}\n",
        listed.join(";\n")
    ));
    for (number, (name, _)) in components.iter().enumerate() {
        let bound = 2 + draws.below(3);
        text.push_str(&format!(
            "invariant I{number} of All: {name}.held <= {bound}\n"
        ));
    }
    text
}

/// The same model with the composition as the primitive automaton that it expands into.
fn flattened(model: &Model) -> Model {
    let mut flat = model.clone();
    flat.automata
        .iter_mut()
        .for_each(|automaton| automaton.components.clear());
    flat
}

#[test]
fn random_compositions_are_judged_as_their_flattened_forms_are() {
    let (mut vacuous, mut proved) = (0, 0);
    for seed in 0..CASES {
        let text = composition(seed);
        let composed = model(&[&text]);
        let verdicts = unproved(&prove_all(&composed));
        let flat = unproved(&prove_all(&flattened(&composed)));
        assert_eq!(verdicts, flat, "seed {seed}:\n{text}");
        vacuous += usize::from(verdicts.contains("vacuous"));
        proved += usize::from(!verdicts.contains("All."));
    }
    println!("{vacuous} vacuous, {proved} proved of {CASES}");
    assert!(
        vacuous >= 5 && proved >= 3,
        "{vacuous} vacuous, {proved} proved"
    );
}
