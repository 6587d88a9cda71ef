//! What the random scheduler draws, and what its runs are said to have exercised.

use interpreter::Instance;
use interpreter::run::{self, Coverage, Ending, How, Options, Report, Weights};
use ioa_lang::core::{ActionId, AutomatonId, TransitionId, VarId};

use crate::common;

fn instance(text: &str) -> Instance {
    common::instance(common::model(&[text]), &[])
}

const A: AutomatonId = AutomatonId(0);

fn drawn(instance: &Instance, seed: u64, steps: u64, weights: Weights) -> Report {
    let how = How {
        weights,
        ..How::default()
    };
    let options = Options { seed, steps };
    run::random_by(instance, A, options, &mut (), how).expect("it can be run")
}

fn fired(coverage: &Coverage, clause: u32) -> u64 {
    coverage.fired(TransitionId(clause)).steps
}

/// Three steps of `go` lead to the end; `look` never changes anything.
const LOOKING: &str = "
automaton Looking
  signature internal go, look(k: Bool)
  states n: Nat := 0, still: Bool := true
  transitions
    internal go pre n < 3 eff n := n + 1
    internal look(k) eff still := true
";

#[test]
fn a_step_that_changes_nothing_is_taken_once_from_a_state_by_each_of_its_parameters() {
    let instance = instance(LOOKING);
    for seed in 0..50 {
        let report = drawn(&instance, seed, 1_000, Weights::default());
        assert_eq!(report.ending, Ending::NothingNew, "seed {seed}");
        let coverage = &report.coverage;
        assert_eq!(fired(coverage, 0), 3, "seed {seed}");
        let looked = fired(coverage, 1);
        assert!((2..=8).contains(&looked), "seed {seed}: {looked}");
        assert_eq!(coverage.idle(), looked);
        assert_eq!(coverage.steps(), report.steps);
        assert!(coverage.is_changed(VarId(0)) && !coverage.is_changed(VarId(1)));
    }
}

#[test]
fn an_effect_that_may_change_nothing_by_chance_has_more_than_one_chance() {
    let instance = instance(
        "automaton Dice
           signature internal roll
           states n: Bool := false, rolled: Nat := 0
           transitions internal roll pre ~n eff n := choose b where true",
    );
    let ends = (0..40).map(|seed| drawn(&instance, seed, 100, Weights::default()));
    let ended: Vec<Ending> = ends.map(|report| report.ending).collect();
    let done = ended.iter().filter(|e| **e == Ending::Deadlock).count();
    assert!(done >= 38, "{done} of 40 rolls came out true");
}

/// Two actions that are always enabled.
const TWO: &str = "
automaton Two
  signature internal often, seldom
  states a: Int := 0, b: Int := 0
  transitions
    internal often eff a := a + 1
    internal seldom eff b := b + 1
";

#[test]
fn weights_say_how_often_an_action_is_drawn() {
    let instance = instance(TWO);
    let automaton = instance.model().automaton(A);
    let weighed = |weight| Weights::given(automaton, &[(ActionId(1), weight)]);
    let seldom = |weight| fired(&drawn(&instance, 7, 20_000, weighed(weight)).coverage, 1);
    assert!((160..=240).contains(&seldom(0.01)), "{}", seldom(0.01));
    assert!((9_600..=10_400).contains(&seldom(1.0)), "{}", seldom(1.0));
    assert!(
        (19_700..=19_900).contains(&seldom(99.0)),
        "{}",
        seldom(99.0)
    );
    assert_eq!(seldom(0.0), 0);
}

#[test]
fn an_action_of_weight_0_is_not_said_to_be_disabled() {
    let instance = instance(LOOKING);
    let automaton = instance.model().automaton(A);
    let weights = Weights::given(automaton, &[(ActionId(1), 0.0)]);
    let report = drawn(&instance, 1, 100, weights);
    assert_eq!((report.ending, report.steps), (Ending::NothingNew, 3));
}

#[test]
fn runs_differ_in_what_they_do_often_unless_weights_are_given() {
    let instance = instance(TWO);
    let share = |seed, weights| fired(&drawn(&instance, seed, 1_000, weights).coverage, 1);
    let drawn: Vec<u64> = (0..40).map(|s| share(s, Weights::default())).collect();
    assert!(
        drawn.iter().any(|n| *n < 150) && drawn.iter().any(|n| *n > 850),
        "{drawn:?}"
    );
    let uniform = Weights::given(instance.model().automaton(A), &[]);
    let even: Vec<u64> = (0..40).map(|s| share(s, uniform.clone())).collect();
    assert!(even.iter().all(|n| (400..=600).contains(n)), "{even:?}");
}
