//! Steps beside one that has no result: those by the same clause with other parameters, or with other choices.

use std::ops::ControlFlow;

use interpreter::limits::FUEL;
use interpreter::{
    Batch, Blocked, Executor, Instance, Interpreted, Interrupt, Rows, Successors, TransitionSystem,
    Why,
};
use ioa_lang::core::{AutomatonId, TransitionId};

use crate::common::{instance, model};

const FIRST: AutomatonId = AutomatonId(0);

/// In the start state each of the first three clauses is undefined for one parameter, or for one choice. The last one is never
/// enabled, but its first two conditions are true for two parameters.
const PARTIAL: &str = r"
automaton Partial
  signature internal divide(n: Nat), pick, look(m: Nat, b: Bool), never(n: Nat)
  states
    x: Int := 0,
    k: Int := 0,
    v: Array[Bool, Null[Bool]] := [b: Bool -> if b then embed(true) else nil]
  transitions
    internal divide(n) pre n < 3 /\ div(10, n) > 3 eff x := n
    internal pick eff k := choose i where 0 <= i /\ i <= 2; x := div(10, k)
    internal look(m, b) pre m < 2 /\ v[b].val eff x := 20 + m
    internal never(n) pre n < 3 /\ div(10, n) > 3 /\ x = 77
";

/// The steps from the start state that have a result, each with its parameters and `x` after it.
fn steps(instance: &Instance) -> (Vec<String>, Result<ControlFlow<()>, Interrupt>) {
    let mut executor = Executor::new(instance, FIRST).expect("it can be run");
    let other = Executor::new(instance, FIRST).expect("it can be run");
    let start = executor.starts().expect("there is one")[0].state.clone();
    let layout = instance.layout(FIRST);
    let mut found = Vec::new();
    let all = executor.each_step(&start, &mut |firing, _, after| {
        let model = instance.model();
        let name = &model.automaton(FIRST).action_of(firing.transition).name;
        let params = other.values(firing).0.into_iter();
        let params: Vec<String> = params.map(|value| value.display(model)).collect();
        let (_, x) = layout.values(after).next().expect("a variable");
        found.push(format!(
            "{name}({}): {}",
            params.join(", "),
            x.display(model)
        ));
        ControlFlow::Continue(())
    });
    (found, all)
}

#[test]
fn they_are_taken() {
    let instance = instance(model(&[PARTIAL]), &[]);
    let (found, all) = steps(&instance);
    let expected = [
        "divide(1): 1",
        "divide(2): 2",
        "pick(): 10",
        "pick(): 5",
        "look(0, true): 20",
        "look(1, true): 21",
    ];
    assert_eq!(found, expected);
    let Err(Interrupt::Fault(fault)) = all else {
        panic!("a division by zero: {all:?}");
    };
    let bound: Vec<String> = fault
        .bindings
        .iter()
        .map(|(name, value)| format!("{name} = {}", value.display(instance.model())))
        .collect();
    assert_eq!(bound, ["n = 0"]);
}

#[test]
fn a_search_takes_them_too() {
    let instance = instance(model(&[PARTIAL]), &[]);
    let rows = Rows::new(&instance, FIRST);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let mut start = Vec::new();
    rows.push(
        &executor.starts().expect("there is one")[0].state,
        &mut start,
    );
    let mut steps = Interpreted::new(&instance, FIRST, &[], rows).expect("it can be run");
    let mut batch = Batch::default();
    let unexpanded = steps.expand(&start, &mut batch).expect_err("a fault");
    assert_eq!(unexpanded.why, Why::NoResult { dead: false });
    assert_eq!(batch.fired, [2, 2, 2, 0]);
}

#[test]
fn a_condition_that_is_true_for_some_parameter_does_not_block_a_clause() {
    let instance = instance(model(&[PARTIAL]), &[]);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let start = executor.starts().expect("there is one")[0].state.clone();
    let blocked = [0, 2, 3].map(|clause| {
        let conditions = executor.conditions(TransitionId::at(clause));
        executor.blocked(&start, (&conditions, 0), FUEL)
    });
    assert_eq!(blocked, [Blocked::No, Blocked::No, Blocked::By(2)]);
}

#[test]
fn no_condition_is_to_blame_where_one_before_it_may_be() {
    let instance = instance(model(&[PARTIAL]), &[]);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let start = executor.starts().expect("there is one")[0].state.clone();
    let conditions = executor.conditions(TransitionId::at(3));
    let blocked = executor.blocked(&start, (&conditions, 0), 0);
    assert_eq!(blocked, Blocked::Unknown);
    instance.cancel().set(true);
    let blocked = executor.blocked(&start, (&conditions, 0), FUEL);
    // What is short is not worth a look at whether it is still wanted.
    assert_eq!(blocked, Blocked::By(2));
}
