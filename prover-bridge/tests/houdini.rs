//! The largest inductive subset of candidates.

mod common;

use common::{CONS, GLOBAL1, REFINEMENT, model};
use ioa_lang::core::{Invariant, Model};
use prover_bridge::{Options, Stated, houdini};

const CANDIDATES: &str = "
invariant TooStrong of Global1: \\A b: Ballot (b \\notin dead)
invariant Decided of Global1: \\A i: Node (i \\in decided => \\E b: Ballot (b \\in succeeded))
invariant DecidedInitiated of Global1: decided \\subseteq initiated
invariant Unfailing of Global1: failed = {}
invariant Same of Global1: \\A b: Ballot \\A c: Ballot (b \\in succeeded /\\ c \\in succeeded => val[b] = val[c])
invariant Voted of Global1: \\A i: Node \\A b: Ballot (b \\in voted[i] => b \\in ballots)
";

fn kept(model: &Model, candidates: &[Invariant], stated: Stated) -> Vec<String> {
    let automaton = model.automaton_named("Global1").expect("Global1");
    let found = houdini(model, automaton, candidates, stated, &Options::default());
    assert_eq!(found.undecided, Vec::<usize>::new());
    found
        .kept
        .iter()
        .map(|i| candidates[*i].name.to_string())
        .collect()
}

fn with_candidates() -> (Model, Vec<Invariant>) {
    let mut model = model(&[CONS, GLOBAL1, REFINEMENT, CANDIDATES]);
    let is_candidate = |i: &Invariant| !i.name.starts_with("Inv") && i.automaton.0 == 1;
    let candidates = model
        .invariants
        .iter()
        .filter(|i| is_candidate(i))
        .cloned()
        .collect();
    model.invariants.retain(|i| !is_candidate(i));
    (model, candidates)
}

#[test]
fn falsehoods_are_dropped_and_lemmas_are_kept() {
    let (model, mut candidates) = with_candidates();
    assert_eq!(
        kept(&model, &candidates, Stated::Assumed),
        ["Decided", "DecidedInitiated", "Voted"]
    );
    // With the stated invariants among the candidates the same are found without assuming anything.
    candidates.extend(
        model
            .invariants
            .iter()
            .filter(|i| i.automaton.0 == 1)
            .cloned(),
    );
    assert_eq!(
        kept(&model, &candidates, Stated::Ignored),
        [
            "Decided",
            "DecidedInitiated",
            "Voted",
            "Inv1",
            "Inv2",
            "Inv3",
            "Inv4",
            "Inv5"
        ]
    );
}

#[test]
fn a_candidate_that_needs_a_dropped_one_is_dropped_too() {
    let (model, _) = with_candidates();
    let without: Vec<Invariant> = model
        .invariants
        .iter()
        .filter(|i| ["Inv3", "Inv5"].contains(&&*i.name))
        .cloned()
        .collect();
    assert_eq!(kept(&model, &without, Stated::Ignored), ["Inv3", "Inv5"]);
    assert_eq!(kept(&model, &[], Stated::Ignored), Vec::<String>::new());
}
