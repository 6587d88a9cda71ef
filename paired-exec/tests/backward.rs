//! Backward simulations of finite instances: what holds, and each part of the definition failing.

mod common;

use common::instance;
use interpreter::run::{How, Options};
use ioa_lang::Sources;
use paired_exec::{DefinitionFailure, Driver, Exhausted, PairError, by_definition, run};

/// `Late` chooses a value when it shows it, `Early` when it begins.
const AUTOMATA: &str = "type Value
type Phase = enumeration of idle, begun, over
automaton Late
  signature output begin, show(v: Value)
  states phase: Phase := idle
  transitions
    output begin pre phase = idle eff phase := begun
    output show(v) pre phase = begun eff phase := over
automaton Early
  signature output begin, show(v: Value) internal choose_
  states phase: Phase := idle, chosen: Null[Value] := nil
  transitions
    internal choose_
      choose x: Value
      pre phase = idle /\\ chosen = nil
      eff chosen := embed(x)
    output begin pre phase = idle /\\ chosen ~= nil eff phase := begun
    output show(v) pre phase = begun /\\ chosen = embed(v) eff phase := over; chosen := nil
";

const RELATION: &str = "Late.phase = Early.phase /\\ (Late.phase = idle => Early.chosen = nil)";

fn check(automata: &str, relation: &str) -> Exhausted {
    let mut sources = Sources::new();
    let text = format!("{automata}backward simulation from Late to Early: {relation}");
    sources.add("late.ioa", text.replace("choose_", "pick"));
    by_definition(&instance(&sources, &[("Value", 3)]), 0).expect("a pair that can be run")
}

#[test]
fn it_holds_of_all_reachable_states() {
    let checked = check(AUTOMATA, RELATION);
    assert_eq!(checked.failure, None);
    // Idle, begun and over; of the high ones begun with each value and idle with each value too.
    assert_eq!((checked.low_states, checked.high_states), (3, 8));
    assert_eq!(checked.related, 1 + 3 + 1);
}

#[test]
fn what_is_related_to_a_start_state_has_to_be_one() {
    let broken = check(AUTOMATA, "Late.phase = Early.phase").failure;
    assert!(
        matches!(broken, Some(DefinitionFailure::NotAStart { .. })),
        "{broken:?}"
    );
}

#[test]
fn every_low_state_has_to_be_related() {
    let broken = check(AUTOMATA, "Late.phase = Early.phase /\\ Late.phase ~= over").failure;
    assert!(
        matches!(broken, Some(DefinitionFailure::Unrelated { .. })),
        "{broken:?}"
    );
}

#[test]
fn each_related_state_has_to_be_led_to() {
    // A state with another value than the one that is shown.
    let automata = AUTOMATA.replace("phase := over; chosen := nil", "phase := over");
    let Some(DefinitionFailure::NoWay { step, .. }) = check(&automata, RELATION).failure else {
        panic!("a step that no fragment answers");
    };
    assert_eq!(&*step.action, "show");
}

#[test]
fn it_cannot_be_followed_along_a_run() {
    let mut sources = Sources::new();
    let text = format!("{AUTOMATA}backward simulation from Late to Early: {RELATION}");
    sources.add("late.ioa", text.replace("choose_", "pick"));
    let instance = instance(&sources, &[("Value", 2)]);
    let options = Options { seed: 1, steps: 5 };
    let refused = run(
        &instance,
        0,
        Driver::Random(How::default()),
        options,
        &mut (),
    );
    assert!(matches!(refused, Err(PairError::CannotRun(_))));
}
