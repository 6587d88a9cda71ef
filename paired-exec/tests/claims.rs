//! Each claim of a forward simulation, broken by itself in a small pair of automata.

mod common;

use interpreter::run::{Ending, Options, Weights};
use interpreter::trace::Recorder;
use ioa_lang::Sources;
use paired_exec::{Cause, Driver, PairError, Report, Side, answers, run};

/// A counter that forgets, and one that may count in larger steps.
const PAIR: &str = r"
automaton Low
  signature
    input    add(n: Nat)
    internal step(k: Nat), tidy
    output   show(n: Nat)
  states sum: Nat := 0, done: Nat := 0
  transitions
    input add(n) eff sum := sum + n
    internal step(k) pre 0 < k /\ k <= 2 /\ done + k <= sum eff done := done + k
    internal tidy
    output show(n) pre n = done

automaton High
  signature
    input    add(n: Nat)
    internal bump(k: Nat)
    output   show(n: Nat)
  states total: Nat := 0, rest: Nat := choose k where 0 <= k /\ k <= 3
  transitions
    input add(n) eff total := total + n; rest := rest + n
    internal bump(k)
      choose less: Nat where less <= 1
      pre k <= rest
      eff rest := rest - k - less
    output show(n) pre n = total - rest

forward simulation from Low to High:
  High.total = Low.sum /\ High.rest + Low.done = Low.sum /\ count <= 100
  proof
    states count: Nat := 0
    initially High.rest := 0
    for input add(n: Nat) do fire input add(n); count := count + 1 od
    for internal step(k: Nat) do fire internal bump(k) using 0 for less od
    for internal tidy ignore
    for output show(n: Nat) do fire output show(n) od

schedule S of Low
  do
    fire input add(3);
    fire internal step(2);
    fire internal tidy;
    fire output show(2);
    fire internal step(1)
  od
";

fn pair(from: &str, to: &str) -> Result<Report, PairError> {
    assert!(from.is_empty() || PAIR.contains(from), "{from}");
    let mut sources = Sources::new();
    sources.add(
        "pair",
        if from.is_empty() {
            PAIR.to_owned()
        } else {
            PAIR.replace(from, to)
        },
    );
    let instance = common::instance(&sources, &[]);
    run(
        &instance,
        0,
        Driver::Schedule(0, &Weights::DRAWN),
        Options {
            seed: 1,
            steps: 100,
        },
        &mut (),
    )
}

/// The step at which a variant fails, and why.
fn failure(from: &str, to: &str) -> (u64, Cause) {
    let failure = pair(from, to)
        .expect("it can be run")
        .failure
        .expect("it fails");
    (failure.step, failure.cause)
}

#[test]
fn the_pair_as_it_stands_holds() {
    let report = pair("", "").expect("it can be run");
    assert_eq!(
        (report.failure, report.low.ending, report.high_steps),
        (None, Ending::Finished, 4)
    );
}

#[test]
fn a_high_state_that_is_no_start_state_is_refused() {
    assert_eq!(
        failure("initially High.rest := 0", "initially High.rest := 4"),
        (0, Cause::NotAStart)
    );
}

#[test]
fn start_states_that_are_not_related_are_refused() {
    let (step, cause) = failure("initially High.rest := 0", "initially High.rest := 2");
    assert!(
        matches!((step, &cause), (0, Cause::NotRelated(reasons)) if reasons.len() == 1),
        "{cause:?}"
    );
}

#[test]
fn a_high_action_that_is_not_enabled_is_refused() {
    let (step, cause) = failure(
        "fire internal bump(k) using",
        "fire internal bump(k + 9) using",
    );
    assert!(
        matches!((step, &cause), (2, Cause::Disabled(refusal)) if refusal.applies && refusal.reasons.len() == 1),
        "{cause:?}"
    );
}

#[test]
fn a_value_that_breaks_the_high_choice_is_refused() {
    let (step, cause) = failure("using 0 for less", "using 2 for less");
    assert!(
        matches!((step, &cause), (2, Cause::Disabled(refusal)) if refusal.applies && refusal.reasons.len() == 1),
        "{cause:?}"
    );
}

#[test]
fn an_action_of_which_no_clause_is_for_the_parameters_is_refused() {
    let (step, cause) = failure(
        "output show(n) pre n = total - rest",
        "output show(n) where n > 2 pre n = total - rest",
    );
    assert!(
        matches!((step, &cause), (4, Cause::Disabled(refusal)) if !refusal.applies),
        "{cause:?}"
    );
}

#[test]
fn the_invariants_of_the_high_automaton_are_checked() {
    let stated = |invariant: &str| format!("{invariant}\nforward simulation");
    let (step, cause) = failure(
        "forward simulation",
        &stated("invariant Small of High: rest <= total /\\ total < 3"),
    );
    let Cause::Violated(violations) = &cause else {
        panic!("{cause:?}");
    };
    assert_eq!((step, &*violations[0].name), (1, "Small"));
    assert_eq!(violations[0].reasons.len(), 1);
    let (step, cause) = failure(
        "forward simulation",
        &stated("invariant Some of High: total > 0"),
    );
    assert!(
        matches!((step, &cause), (0, Cause::Violated(_))),
        "{cause:?}"
    );
    let (step, cause) = failure(
        "forward simulation",
        &stated("invariant Odd of High: div(7, rest) > 0"),
    );
    assert!(
        matches!((step, &cause), (0, Cause::Fault(Side::High, _))),
        "{cause:?}"
    );
}

#[test]
fn an_external_action_must_be_shown_and_an_internal_one_must_not() {
    let (step, cause) = failure("do fire output show(n) od", "ignore");
    let shown = ("show".into(), vec![ioa_lang::Value::int(2)]);
    assert_eq!(
        (step, cause),
        (
            4,
            Cause::Trace {
                low: Some(shown),
                high: vec![]
            }
        )
    );
    let (step, cause) = failure(
        "for internal tidy ignore",
        "for internal tidy do fire output show(2) od",
    );
    assert!(
        matches!((step, &cause), (3, Cause::Trace { low: None, high }) if high.len() == 1),
        "{cause:?}"
    );
}

#[test]
fn the_relation_is_checked_after_every_step() {
    let (step, cause) = failure("using 0 for less", "using 1 for less");
    assert!(
        matches!((step, &cause), (2, Cause::NotRelated(_))),
        "{cause:?}"
    );
    let (step, cause) = failure("count <= 100", "count <= 0");
    assert!(
        matches!((step, &cause), (1, Cause::NotRelated(_))),
        "{cause:?}"
    );
}

#[test]
fn a_run_time_error_says_on_which_side_it_happened() {
    let (step, cause) = failure("pre k <= rest", "pre k <= rest + 1 - 9");
    assert!(
        matches!((step, &cause), (2, Cause::Fault(Side::High, _))),
        "{cause:?}"
    );
    let (step, cause) = failure("count := count + 1", "count := count - 1");
    assert!(
        matches!((step, &cause), (1, Cause::Fault(Side::Block, _))),
        "{cause:?}"
    );
    let (step, cause) = failure("count <= 100", "div(1, count) = 1");
    assert!(
        matches!((step, &cause), (0, Cause::Fault(Side::Relation, _))),
        "{cause:?}"
    );
}

#[test]
fn without_a_proof_block_there_is_nothing_to_run() {
    let block = &PAIR[PAIR.find("  proof").unwrap()..PAIR.find("schedule S").unwrap()];
    let Err(PairError::CannotRun(errors)) = pair(&format!(" /\\ count <= 100\n{block}"), "\n")
    else {
        panic!("it is refused")
    };
    assert!(
        errors[0].message.contains("no proof block"),
        "{}",
        errors[0].message
    );
}

#[test]
fn what_the_high_automaton_answers_is_told_step_by_step() {
    let mut sources = Sources::new();
    sources.add("pair", PAIR.to_owned());
    let instance = common::instance(&sources, &[]);
    let mut recorder = Recorder::new(instance.model().simulations[0].low);
    let options = Options {
        seed: 1,
        steps: 100,
    };
    let driver = Driver::Schedule(0, &Weights::DRAWN);
    run(&instance, 0, driver, options, &mut recorder).expect("a pair");
    let trace = recorder.trace().expect("it has begun");
    let answered = answers(&instance, 0, (&trace, 1)).expect("the same execution");
    let told: Vec<(usize, String)> = answered
        .iter()
        .map(|answer| (answer.steps.len(), format!("{:?}", answer.state[1].1)))
        .collect();
    // The start state, `add`, `step`, `tidy`, which nothing answers, `show` and `step`.
    let rest = [0, 3, 1, 1, 1, 0];
    let number = |n: i64| format!("{:?}", ioa_lang::Value::int(n));
    let expected: Vec<(usize, String)> = [0, 1, 1, 0, 1, 1]
        .into_iter()
        .zip(rest.map(number))
        .collect();
    assert_eq!(told, expected);
}
