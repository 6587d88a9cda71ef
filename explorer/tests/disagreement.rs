//! An engine that lies: the path that the search finds is kept, and the lie is named.

use std::collections::BTreeMap;
use std::sync::Arc;

use explorer::Represented;
use explorer::symmetry::{Orbits, Symmetry};
use explorer::{Bounds, Instead, Labelled, Question, Search, Status};
use finite::Universe;
use interpreter::{
    Batch, Broken, Executor, Instance, Interpreted, Rows, Successors, TransitionSystem, Unexpanded,
};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Sources, load};

const FIRST: AutomatonId = AutomatonId(0);

/// A token that each of two nodes may take once it is given back. The state is `holders` in the two lowest bits, then
/// `free`.
const TOKEN: &str = "
type Node
automaton Token
  signature internal take(n: Node), give(n: Node)
  states holders: Set[Node] := {}, free: Bool := true
  transitions
    internal take(n)
      pre free
      eff holders := insert(n, holders); free := false
    internal give(n)
      pre n \\in holders
      eff holders := delete(n, holders); free := true
invariant One of Token: \\A m, n: Node (m \\in holders /\\ n \\in holders => m = n)
";

/// What is made of the right successors.
type Lie = fn(&mut Batch);

/// Steps that are right but for a lie about the successors.
struct Liar<'i> {
    steps: Interpreted<'i>,
    lie: Lie,
}

impl Successors for Liar<'_> {
    fn engine(&self) -> &'static str {
        "a liar"
    }

    fn words(&self) -> usize {
        self.steps.words()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        let result = self.steps.expand(states, batch);
        (self.lie)(batch);
        result
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        self.steps.check(states, broken);
    }
}

fn instance() -> Instance {
    let mut sources = Sources::new();
    sources.add("token.ioa", TOKEN);
    let model = Arc::new(load(&sources).model);
    let sizes = BTreeMap::from([("Node".to_owned(), 2)]);
    let universe = Universe::new(&model, model.every_setting(), &sizes).expect("sizes that fit");
    Instance::new(model, universe)
}

/// The rows on the path to the violation, and what comes of giving its steps labels.
fn labelled(lie: Lie, is_reduced: bool) -> (Vec<u64>, Labelled) {
    let instance = instance();
    let rows = Rows::new(&instance, FIRST);
    let steps = Interpreted::new(&instance, FIRST, &[0], rows.clone()).expect("it can be run");
    let symmetry = Arc::new(Symmetry::of(&instance, FIRST, &[0]));
    let liar = Liar { steps, lie };
    let steps: Box<dyn Successors> = match is_reduced {
        true => Box::new(Represented::new(liar, Orbits::of(Arc::clone(&symmetry)))),
        false => Box::new(liar),
    };
    let bounds = Bounds {
        depth: None,
        states: None,
        memory: u64::MAX,
    };
    let mut search = Search::begin(vec![steps], bounds);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let canonical = |row: &mut [u64]| {
        if is_reduced {
            symmetry.canonicalise(row);
        }
    };
    let started = search.start(&mut executor, &rows, &canonical);
    assert_eq!(started, Ok(Status::Going));
    while search.advance() == Status::Going {}
    let violated = search.findings().iter();
    let mut violated = violated.filter(|f| f.question == Question::Invariant(0));
    let violated = violated.next().expect("the lie violates it").clone();
    let path = search.path(&violated).expect("a path");
    assert_eq!(path.engine, "a liar");
    let words = path.rows().map(|row| row[0]).collect();
    let canonical = is_reduced.then_some(&canonical as &explorer::Canonical<'_>);
    (
        words,
        explorer::label(&path, &mut executor, &rows, canonical),
    )
}

/// Whoever takes the token from node 1 has it beside node 0.
fn other_state(batch: &mut Batch) {
    for word in batch.words.iter_mut().filter(|word| **word == 0b010) {
        *word = 0b011;
    }
}

/// There is one more step from the last state.
fn one_more(batch: &mut Batch) {
    batch.words.push(0b111);
    *batch.ends.last_mut().expect("a state") += 1;
}

#[test]
fn a_successor_that_is_another_one_is_named_with_its_label() {
    let (path, labelled) = labelled(other_state, false);
    assert_eq!(path, [0b100, 0b011]);
    let disagreement = labelled.disagreement.expect("the liar is found out");
    assert_eq!(disagreement.step, 1);
    assert_eq!(disagreement.found.words(), [0b011]);
    assert_eq!(
        disagreement.before.as_ref().expect("a step").words(),
        [0b100]
    );
    let Instead::Step(step) = &disagreement.instead else {
        panic!("the label leads elsewhere: {disagreement:?}");
    };
    assert_eq!(step.state.words(), [0b010]);
    // The label is that of `take(Node#1)`.
    let instance = instance();
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let before = disagreement.before.as_ref().expect("a step");
    let again = executor.successor(before, &step.label);
    assert_eq!(again, Ok(Some(step.state.clone())));
    assert_eq!(step.label.firing.params, [interpreter::Cell::Word(1)]);
    assert_eq!(
        disagreement.to_string(),
        "a liar took step 1 to a state for which the interpreter has another one, by the same label"
    );
    // What both agree on is kept.
    assert_eq!(
        labelled.trace.expect("a start state").start.words(),
        [0b100]
    );
}

#[test]
fn a_successor_too_many_has_no_label() {
    let (path, labelled) = labelled(one_more, false);
    assert_eq!(path, [0b100, 0b111]);
    let disagreement = labelled.disagreement.expect("the liar is found out");
    assert_eq!(disagreement.instead, Instead::Nothing);
    assert_eq!(disagreement.found.words(), [0b111]);
}

#[test]
fn a_lie_behind_a_symmetry_is_found_out() {
    let (path, labelled) = labelled(one_more, true);
    assert_eq!(path.len(), 2);
    let disagreement = labelled.disagreement.expect("the liar is found out");
    assert_eq!(
        (disagreement.step, disagreement.instead),
        (1, Instead::Nothing)
    );
}
