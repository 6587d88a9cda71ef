//! Relations of numbers that hold in a case: which conditions are looked at without being named.

mod common;

use common::{Dice, samples, texts};
use invariants::{Options, detect};
use ioa_lang::core::SortId;
use ioa_lang::value::Value;

/// What is found in states of an automaton.
fn found(
    (text, sizes): (&str, &[(&str, u64)]),
    state: impl Fn(&mut Dice) -> Vec<i64>,
) -> Vec<String> {
    let mut samples = samples(text, sizes);
    let mut dice = Dice::new(3);
    for _ in 0..400 {
        let words: Vec<u64> = state(&mut dice).into_iter().map(|n| n as u64).collect();
        samples.add_state(&words).expect("a state");
    }
    texts(&samples, &detect(&samples, &Options::default()))
}

fn has(found: &[String], text: &str) -> bool {
    found.iter().any(|own| own == text)
}

const GEARS: &str = "type Gear = enumeration of low, mid, top
    automaton A states gear: Gear, x, y, z: Int";

/// A gear and three numbers, of which the last depends on the gear.
fn geared(dice: &mut Dice) -> Vec<i64> {
    let [gear, x, y] = [3, 500, 500].map(|n| dice.below(n) as i64);
    let z = match gear {
        0 => x + y,
        1 => 2 * x,
        _ => 400,
    };
    vec![gear, x, y, z]
}

#[test]
fn each_value_of_an_enumeration_is_a_case() {
    let found = found((GEARS, &[]), geared);
    assert!(has(&found, "gear = low => z = x + y"), "{found:#?}");
    assert!(has(&found, "gear = mid => z = 2 * x"), "{found:#?}");
    assert!(has(&found, "gear = top => z = 400"), "{found:#?}");
    // What holds in a case is not said of all, and of numbers alone.
    assert!(!has(&found, "z = x + y") && !has(&found, "gear = low => gear = low"));
}

#[test]
fn one_state_in_which_it_does_not_hold_is_enough() {
    let found = found((GEARS, &[]), |dice| {
        let mut state = geared(dice);
        state[3] += i64::from(state[0] == 0 && state[1] > 480);
        state
    });
    assert!(has(&found, "gear = mid => z = 2 * x"), "{found:#?}");
    let of_low = |text: &&String| text.starts_with("gear = low =>") && text.contains('z');
    let equation = |text: &&String| of_low(text) && !text.contains("<=");
    assert_eq!(found.iter().find(equation), None);
}

#[test]
fn what_holds_everywhere_is_not_said_again_in_a_case() {
    let text = "automaton A states busy: Bool, x, y, z: Int";
    let found = found((text, &[]), |dice| {
        let [busy, x, y] = [2, 500, 500].map(|n| dice.below(n) as i64);
        vec![busy, x, y, x + y]
    });
    assert!(has(&found, "z = x + y"), "{found:#?}");
    assert!(
        found.iter().all(|text| !text.ends_with("=> z = x + y")),
        "{found:#?}"
    );
}

/// Two numbers and the distance between them, if the text compares them.
fn distance(text: &str) -> Vec<String> {
    found((text, &[]), |dice| {
        let [x, y] = [0, 1].map(|_| dice.below(90) as i64);
        vec![x, y, (x - y).abs()]
    })
}

#[test]
fn a_comparison_in_the_text_is_a_case() {
    let text = "automaton A signature internal go states x, y, d: Int
        transitions internal go eff if x < y then d := y - x else d := x - y fi";
    let found = distance(text);
    assert!(has(&found, "x < y => y = x + d"), "{found:#?}");
    assert!(has(&found, "y <= x => x = y + d"), "{found:#?}");
    let silent = distance("automaton A states x, y, d: Int");
    assert!(!silent.iter().any(|text| text.contains("=> y = x + d")));
}

#[test]
fn a_bound_in_the_text_is_a_case_of_the_number() {
    let text = "automaton A signature internal go states x, d: Nat
        transitions internal go pre x >= 40 eff d := x - 40";
    let found = found((text, &[]), |dice| {
        let x = dice.below(90) as i64;
        vec![x, (x - 40).max(0)]
    });
    assert!(has(&found, "x < 40 => d = 0"), "{found:#?}");
    // Of a number that the case supposes something of, only what relates it to others is said.
    assert!(has(&found, "40 <= x => d + 40 = x"), "{found:#?}");
}

#[test]
fn a_remainder_in_the_text_is_a_case_of_the_number() {
    let text = "automaton A signature internal step states n, left, right: Nat transitions
        internal step eff if mod(n, 2) = 0 then left := left + 1 else right := right + 1 fi; n := n + 1";
    let found = found((text, &[]), |dice| {
        let n = dice.below(90) as i64;
        vec![n, (n + 1) / 2, n / 2]
    });
    assert!(has(&found, "mod(n, 2) = 0 => right = left"), "{found:#?}");
    let odd = "mod(n, 2) ~= 0 => left = right + 1";
    let turned = "mod(n, 2) ~= 0 => right + 1 = left";
    assert!(has(&found, odd) || has(&found, turned), "{found:#?}");
}

#[test]
fn what_the_text_computes_may_tell_cases_apart() {
    let text = "automaton A signature internal ride states short, long, fee: Nat transitions
        internal ride eff fee := fee + (if short + 2 * long < 60 then 3 else 2)";
    let found = found((text, &[]), |dice| {
        let [short, long] = [0, 1].map(|_| dice.below(50) as i64);
        let both = short + 2 * long;
        vec![short, long, if both < 60 { 3 * both } else { both + 120 }]
    });
    let near = "short + 2 * long < 60 => fee = 3 * short + 6 * long";
    let far = "60 <= short + 2 * long => fee = short + 2 * long + 120";
    assert!(has(&found, near) && has(&found, far), "{found:#?}");
    // Of what is only compared nothing is said but how large it is.
    let alone = |text: &&String| text.starts_with("short + 2 * long") && !text.contains("=>");
    let is_bound = |text: &String| text.starts_with("short + 2 * long <= ");
    assert!(found.iter().filter(alone).all(is_bound), "{found:#?}");
}

#[test]
fn what_the_text_compares_is_bounded() {
    let text = |bound: &str| {
        format!(
            "automaton A signature internal sell states teas, soups: Nat transitions
            internal sell pre {bound} eff teas := teas + 1"
        )
    };
    let few = |text: String| {
        found((&text, &[]), |dice| {
            let [teas, soups] = [0, 1].map(|_| dice.below(90) as i64);
            vec![teas, soups.min(90 - teas)]
        })
    };
    let told = few(text("teas + soups < 90"));
    assert!(has(&told, "teas + soups <= 90"), "{told:#?}");
    let silent = few(text("teas < 90"));
    assert!(!has(&silent, "teas + soups <= 90"), "{silent:#?}");
}

#[test]
fn what_may_be_nil_has_two_cases() {
    let text = "type Node automaton A states owner: Null[Node], lent, left: Nat";
    let found = found((text, &[("Node", 3)]), |dice| {
        let [owner, lent] = [4, 90].map(|n| dice.below(n) as i64);
        let left = if owner == 0 { 90 } else { 90 - lent };
        vec![owner, lent, left]
    });
    assert!(has(&found, "owner = nil => left = 90"), "{found:#?}");
    assert!(
        has(&found, "owner ~= nil => 90 = left + lent")
            || has(&found, "owner ~= nil => left + lent = 90"),
        "{found:#?}"
    );
}

/// An array over four nodes.
fn array(each: impl Fn(u32) -> Value) -> Value {
    let node = |at: u32| Value::Element(SortId(0), at);
    Value::Array {
        entries: (0..4).map(|at| (node(at), each(at))).collect(),
        default: None,
    }
}

#[test]
fn a_variable_of_the_frame_may_be_what_another_term_is() {
    let text =
        "type Node automaton A states parent: Array[Node, Null[Node]], dist: Array[Node, Nat]";
    let mut samples = samples(text, &[("Node", 4)]);
    let mut dice = Dice::new(5);
    for _ in 0..200 {
        // The parent of a node has a smaller number, and the first may be any number of steps away.
        let parents: Vec<usize> = (1..4).map(|at| dice.below(at) as usize).collect();
        let mut dist = vec![dice.below(90)];
        parents
            .iter()
            .for_each(|parent| dist.push(dist[*parent] + 1));
        let parent = |at: u32| {
            let own = (at as usize).checked_sub(1).map(|at| parents[at] as u32);
            Value::Null(own.map(|own| Value::Element(SortId(0), own).into()))
        };
        let values = [array(parent), array(|at| Value::int(dist[at as usize]))];
        let row = samples.encode_state(&values).expect("values");
        samples.add_state(&row).expect("a state");
    }
    let found = texts(&samples, &detect(&samples, &Options::default()));
    let equation = r"\A n, p: Node (n ~= p /\ parent[n] = embed(p) => dist[p] + 1 = dist[n])";
    assert!(has(&found, equation), "{found:#?}");
    let of_all = r"\A n, p: Node (n ~= p => dist[p] + 1 = dist[n])";
    assert!(!has(&found, of_all), "{found:#?}");
}

#[test]
fn where_there_are_too_many_numbers_it_is_said_that_not_all_cases_were_tried() {
    let numbers: Vec<String> = (0..25).map(|at| format!("x{at}")).collect();
    let text = format!("automaton A states busy: Bool, {}: Int", numbers.join(", "));
    let mut samples = samples(&text, &[]);
    let mut dice = Dice::new(5);
    for _ in 0..50 {
        let row: Vec<u64> = (0..26).map(|_| dice.below(2)).collect();
        samples.add_state(&row).expect("a state");
    }
    let report = detect(&samples, &Options::default());
    let said = report
        .notes
        .iter()
        .any(|note| note.contains("in all cases"));
    assert!(said, "{:?}", report.notes);
}
