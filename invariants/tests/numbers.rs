//! Relations of numbers with fitted constants: remainders, and planes through three numbers.

mod common;

use common::{Dice, samples, texts};
use invariants::{Options, detect};

/// What is found of numbers `x`, `y`, `z` of a type.
fn found(ty: &str, rows: u64, row: impl Fn(&mut Dice) -> [i64; 3]) -> Vec<String> {
    let mut samples = samples(&format!("automaton A states x, y, z: {ty}"), &[]);
    let mut dice = Dice::new(7);
    for _ in 0..rows {
        let words = row(&mut dice).map(|n| n as u64);
        samples.add_state(&words).expect("a state");
    }
    texts(&samples, &detect(&samples, &Options::default()))
}

fn has(found: &[String], text: &str) -> bool {
    found.iter().any(|own| own == text)
}

#[test]
fn three_numbers_in_a_plane_are_related() {
    let plane = found("Int", 200, |dice| {
        let [x, y] = [dice.below(500), dice.below(500)].map(|n| n as i64);
        [x, y, 2 * x - 3 * y + 5]
    });
    assert!(has(&plane, "2 * x + 5 = 3 * y + z"), "{plane:#?}");
    // Nothing is subtracted, for a difference of natural numbers may have no value.
    let natural = found("Nat", 200, |dice| {
        let [x, y] = [dice.below(500), dice.below(500)].map(|n| n as i64);
        [x, y, 4 * x + y + 1]
    });
    assert!(has(&natural, "z = 4 * x + y + 1"), "{natural:#?}");
    let sum = found("Nat", 200, |dice| {
        let [y, z] = [dice.below(500), dice.below(500)].map(|n| n as i64);
        [y + z, y, z]
    });
    assert!(has(&sum, "x = y + z"), "{sum:#?}");
}

#[test]
fn numbers_are_in_no_plane_if_one_sample_is_outside() {
    let broken = found("Int", 300, |dice| {
        let [x, y] = [dice.below(500), dice.below(500)].map(|n| n as i64);
        [x, y, 2 * x - 3 * y + 5 + i64::from(x % 100 == 99)]
    });
    let relates =
        |text: &&String| text.contains('=') && ["x", "y", "z"].iter().all(|n| text.contains(n));
    assert_eq!(broken.iter().find(relates), None);
}

#[test]
fn few_samples_show_no_plane() {
    let few = found("Int", 4, |dice| [0, 1, 2].map(|_| dice.below(500) as i64));
    assert!(few.iter().all(|text| !text.contains('+')), "{few:#?}");
}

#[test]
fn a_remainder_is_found_also_of_negative_numbers() {
    let found = found("Int", 200, |dice| {
        let n = dice.below(300) as i64 - 150;
        [6 * n + 1, dice.below(999) as i64, 4 * n * n]
    });
    assert!(has(&found, "mod(x, 6) = 1"), "{found:#?}");
    assert!(has(&found, "mod(z, 4) = 0"), "{found:#?}");
    assert!(
        found.iter().all(|text| !text.starts_with("mod(y")),
        "{found:#?}"
    );
}

#[test]
fn what_an_array_maps_to_a_value_is_counted() {
    let text = "type Node type Phase = enumeration of outside, inside automaton A states
        phase: Array[Node, Phase], free: Nat, owner: Array[Node, Null[Node]], owners: Nat";
    let mut samples = samples(text, &[("Node", 4)]);
    let mut dice = Dice::new(7);
    for _ in 0..200 {
        let phases = dice.below(1 << 4);
        let owners: Vec<u64> = (0..4).map(|_| dice.below(5)).collect();
        let word = owners.iter().rev().fold(0, |word, owner| word << 3 | owner);
        let owned = owners.iter().filter(|owner| **owner != 0).count() as u64;
        let free = 4 - u64::from(phases.count_ones());
        samples
            .add_state(&[phases, free, word, owned])
            .expect("a state");
    }
    let found = texts(&samples, &detect(&samples, &Options::default()));
    let counted = "free = size({n: Node where phase[n] = outside})";
    let turned = "size({n: Node where phase[n] = outside}) = free";
    assert!(has(&found, counted) || has(&found, turned), "{found:#?}");
    let counted = "owners = size({n: Node where owner[n] ~= nil})";
    let turned = "size({n: Node where owner[n] ~= nil}) = owners";
    assert!(has(&found, counted) || has(&found, turned), "{found:#?}");
    assert!(
        !found
            .iter()
            .any(|text| text.starts_with("free = size({n: Node where phase[n] = inside"))
    );
}

#[test]
fn counts_are_compared_with_numbers_of_the_model_alone() {
    let text = "type Node type Phase = enumeration of outside, waiting, inside
        automaton A states phase: Array[Node, Phase], busy: Nat";
    let mut samples = samples(text, &[("Node", 3)]);
    for word in 0..27_u64 {
        let phases = [word % 3, word / 3 % 3, word / 9];
        let word = phases.iter().rev().fold(0, |word, phase| word << 2 | phase);
        let busy = phases.iter().filter(|phase| **phase != 0).count() as u64;
        samples.add_state(&[word, busy]).expect("a state");
    }
    let found = texts(&samples, &detect(&samples, &Options { confidence: 0.0 }));
    let sum =
        "busy = size({n: Node where phase[n] = waiting}) + size({n: Node where phase[n] = inside})";
    assert!(has(&found, sum), "{found:#?}");
    let about_counts = |text: &&String| text.contains("size(") && !text.contains("busy");
    assert_eq!(found.iter().find(about_counts), None);
}

#[test]
fn of_many_planes_only_those_are_told_that_do_not_follow_from_others() {
    let mut samples = samples("automaton A states a, b, c, d, e: Int", &[]);
    let mut dice = Dice::new(7);
    for _ in 0..200 {
        let [a, b] = [dice.below(500), dice.below(500)];
        samples
            .add_state(&[a, b, a + b, 2 * a + b, 3 * a + b])
            .expect("a state");
    }
    let found = texts(&samples, &detect(&samples, &Options::default()));
    assert!(
        has(&found, "c = a + b") && has(&found, "d = a + c"),
        "{found:#?}"
    );
    let planes = found.iter().filter(|text| text.contains(" = "));
    assert_eq!(planes.count(), 3, "{found:#?}");
}

#[test]
fn evidence_is_counted_by_samples_where_no_constants_are_fitted() {
    // Few values, which 200 samples show to be all there are: the third number makes the samples distinct.
    let small = found("Nat", 200, |dice| {
        let y = dice.below(2) as i64;
        [y + dice.below(2) as i64, y, dice.below(500) as i64]
    });
    assert!(has(&small, "y <= x"), "{small:#?}");
    // The same of four samples may be an accident.
    let few = found("Nat", 4, |dice| {
        let y = dice.below(2) as i64;
        [y + dice.below(2) as i64, y, dice.below(500) as i64]
    });
    assert!(!has(&few, "y <= x"), "{few:#?}");
}

#[test]
fn samples_that_repeat_two_points_show_no_line() {
    let two = found("Nat", 200, |dice| {
        let at = dice.below(2) as i64;
        [2 + 5 * at, 3 + 7 * at, dice.below(500) as i64]
    });
    let relates = |text: &&String| text.contains('x') && text.contains('y') && text.contains('=');
    let lines: Vec<&String> = two
        .iter()
        .filter(relates)
        .filter(|t| t.contains('*'))
        .collect();
    assert!(lines.is_empty(), "{two:#?}");
}

#[test]
fn a_sample_that_is_seen_again_is_no_more_evidence() {
    let one = found("Nat", 200, |_| [1, 0, 5]);
    assert!(!has(&one, "y <= x"), "{one:#?}");
}
