//! Runs that fail are shortened to runs that fail in the same way.

use interpreter::run::{self, Ending, Options, Shortened};
use interpreter::trace::{Recorder, Trace};
use interpreter::{Executor, Fault, FaultKind, Instance, Item};
use ioa_lang::core::{ActionId, AutomatonId};

use crate::common;

/// Three tokens are needed, and much else happens. Tokens can be lost. `Even` is violated by other steps.
const TOKENS: &str = "
automaton Tokens
  signature internal token, lose, noise(k: Bool), tick
  states tokens: Nat := 0, noisy: Bool := false, ticks: Nat := 0
  transitions
    internal token eff tokens := tokens + 1
    internal lose pre tokens > 0 eff tokens := tokens - 1
    internal noise(k) eff noisy := k
    internal tick eff ticks := ticks + 1
invariant Few of Tokens: tokens < 5
invariant Early of Tokens: ticks < 30
";

const A: AutomatonId = AutomatonId(0);
const MOST: u64 = 100_000;

fn instance() -> Instance {
    common::instance(common::model(&[TOKENS]), &[])
}

/// The first run with more than the given number of steps that violates an invariant.
fn failing(instance: &Instance, longer: usize, name: &str) -> (Trace, Ending) {
    failing_so(instance, longer, &|ending| is(ending, name))
}

/// The first run with more than the given number of steps that fails in a certain way.
fn failing_so(
    instance: &Instance,
    longer: usize,
    fails: &dyn Fn(&Ending) -> bool,
) -> (Trace, Ending) {
    let runs = (0..).map(|seed| {
        let mut recorder = Recorder::new(A);
        let options = Options { seed, steps: 500 };
        let report = run::random(instance, A, options, &mut recorder).expect("it can be run");
        (recorder.trace().expect("a start state"), report.ending)
    });
    let mut fitting = runs.filter(|(trace, ending)| trace.steps.len() > longer && fails(ending));
    fitting.next().expect("one of them")
}

fn is(ending: &Ending, name: &str) -> bool {
    matches!(ending, Ending::Violated(all) if all.iter().any(|v| &*v.name == name))
}

fn shortened(instance: &Instance, run: &(Trace, Ending), most: u64) -> Option<Shortened> {
    run::shorten(instance, &run.0, &run.1, most)
}

#[test]
fn what_the_failure_does_not_need_is_left_out() {
    let instance = instance();
    let run = failing(&instance, 30, "Few");
    let found = shortened(&instance, &run, MOST).expect("it is shorter");
    assert!(found.is_minimal && is(&found.ending, "Few"));
    assert_eq!(found.trace.steps.len(), 5);
    let report = run::replay(&instance, &found.trace, &mut ()).expect("it is an execution");
    assert_eq!(report.ending, found.ending);
}

#[test]
fn it_fails_in_the_same_way() {
    let instance = instance();
    let run = failing(&instance, 60, "Early");
    let found = shortened(&instance, &run, MOST).expect("it is shorter");
    assert!(is(&found.ending, "Early") && !is(&found.ending, "Few"));
    assert_eq!(found.trace.steps.len(), 30);
    let mut executor = Executor::new(&instance, A).expect("it can be run");
    let before = found.trace.steps.iter().rev().skip(1);
    for step in before {
        assert_eq!(executor.violated(&step.state), Ok(Vec::new()));
    }
}

/// The third token is one too many for a number that is subtracted; a division by zero is another error.
const ERRORS: &str = "
automaton Errors
  signature internal token, tick, share, use
  states tokens: Nat := 0, ticks: Nat := 0, left: Nat := 2, part: Int := 0
  transitions
    internal token eff tokens := tokens + 1
    internal tick eff ticks := ticks + 1
    internal share pre ticks > 9 eff part := div(1, tokens - tokens)
    internal use pre tokens > 2 /\\ ticks > 1 eff left := left - tokens
";

#[test]
fn a_run_with_an_error_is_shortened_to_one_with_the_same_error() {
    let instance = common::instance(common::model(&[ERRORS]), &[]);
    let is_fault = |kind: FaultKind| move |ending: &Ending| matches!(ending, Ending::Fault(fault) if fault.kind == kind);
    for (kind, steps) in [(FaultKind::NegativeNat, 5), (FaultKind::DivisionByZero, 10)] {
        let is_it = is_fault(kind);
        let run = failing_so(&instance, steps, &is_it);
        let found = shortened(&instance, &run, MOST).expect("it is shorter");
        assert!(found.is_minimal && is_it(&found.ending), "{found:?}");
        assert_eq!(found.trace.steps.len(), steps, "{found:?}");
    }
}

/// The same kind of error is much nearer in another action, which takes no part in the run that is shortened.
const TWO_ERRORS: &str = "
automaton Errors
  signature internal tick, near, far
  states ticks: Nat := 0, left: Nat := 0
  transitions
    internal tick eff ticks := ticks + 1
    internal near pre ticks = 4 eff left := 0 - 1
    internal far pre ticks > 6 eff left := 0 - 1
";

#[test]
fn the_same_error_in_another_action_is_another_error() {
    let instance = common::instance(common::model(&[TWO_ERRORS]), &[]);
    let of_action = |ending: &Ending, action: u32| {
        let of = Item::Action(ActionId(action));
        matches!(ending, Ending::Fault(fault) if fault.item == of)
    };
    let near = failing_so(&instance, 3, &|ending| of_action(ending, 1));
    assert_eq!(shortened(&instance, &near, MOST), None);
    // On the way to the far one, the near one would be met: nothing is taken for it.
    let Ending::Fault(fault) = &near.1 else {
        panic!("an error");
    };
    let far = Fault {
        item: Item::Action(ActionId(2)),
        ..fault.clone()
    };
    assert!(!fault.is_alike(&far));
    let claimed = (near.0.clone(), Ending::Fault(far));
    assert_eq!(shortened(&instance, &claimed, MOST), None);
}

#[test]
fn a_run_of_which_nothing_can_be_left_out_stays_as_it_is() {
    let instance = instance();
    let run = failing(&instance, 30, "Few");
    let found = shortened(&instance, &run, MOST).expect("it is shorter");
    let again = (found.trace, found.ending);
    assert_eq!(shortened(&instance, &again, MOST), None);
}

#[test]
fn what_was_not_gone_through_is_not_called_minimal() {
    let instance = instance();
    let run = failing(&instance, 100, "Few");
    for most in [0, 10, 50, 100, 200] {
        if let Some(found) = shortened(&instance, &run, most) {
            assert!(!found.is_minimal || found.trace.steps.len() == 5, "{most}");
            assert!(is(&found.ending, "Few"));
        }
    }
    assert_eq!(shortened(&instance, &run, 0), None);
}

#[test]
fn a_run_that_does_not_fail_has_no_shorter_one() {
    let instance = instance();
    let (trace, _) = failing(&instance, 30, "Few");
    assert_eq!(
        run::shorten(&instance, &trace, &Ending::StepLimit, MOST),
        None
    );
}
