//! What becomes of a finding when the engine of the search lies.

use std::sync::Arc;

use explorer::{Bounds, Search, Status};
use interpreter::{Batch, Broken, Executor, Instance, Interpreted, Rows, Successors, Unexpanded};

use super::exploration::Exploration;
use super::findings::findings;
use super::plan::ExplorePlan;
use super::visit::{Steps, look_back, summed_up};
use crate::finding::{Kind, Verdict};
use crate::host::Silent;
use crate::setup::Setup;
use crate::study::Study;

/// The state is `holders` in the two lowest bits, then `free`.
const LOCK: &str = "\
type Client
automaton Lock
  signature internal take(c: Client)
  states holders: Set[Client] := {}, free: Bool := true
  transitions
    internal take(c)
      pre free
      eff holders := insert(c, holders); free := false
invariant OneHolder of Lock: \\A a, b: Client (a \\in holders /\\ b \\in holders => a = b)
";

/// Gives the lock to both clients whenever the second one takes it.
struct Liar<'i>(Interpreted<'i>);

impl Successors for Liar<'_> {
    fn engine(&self) -> &'static str {
        "a liar"
    }

    fn words(&self) -> usize {
        self.0.words()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        let result = self.0.expand(states, batch);
        let taken = batch.words.iter_mut().filter(|word| **word == 0b010);
        taken.for_each(|word| *word = 0b011);
        result
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        self.0.check(states, broken);
    }
}

#[test]
fn an_engine_that_lies_makes_an_internal_error_that_keeps_the_finding() {
    let study = Study::of_text(LOCK);
    let setup = Setup {
        sorts: vec![("Client".into(), 2)],
        ..Setup::default()
    };
    let mut plan = ExplorePlan::planned(&study, &setup, true)
        .expect("a plan")
        .remove(0);
    plan.keep_going = true;
    plan.allow_deadlock = true;
    let setting = study.model.setting([plan.automaton]);
    let shared = Arc::new(study.instance(&setup, setting).expect("sizes that fit"));
    let instance: &Instance = &shared;
    let rows = Rows::new(instance, plan.automaton);
    let steps = Interpreted::new(instance, plan.automaton, &[0], rows.clone());
    let liar: Steps<'_> = Box::new(Liar(steps.expect("it can be run")));
    let bounds = Bounds {
        depth: None,
        states: None,
        memory: u64::MAX,
    };
    let mut search = Search::begin(vec![liar], bounds);
    let mut executor = Executor::new(instance, plan.automaton).expect("it can be run");
    let started = search.start(&mut executor, &rows, &|_| {});
    assert_eq!(started, Ok(Status::Going));
    while search.advance() == Status::Going {}
    let mut exploration: Exploration = summed_up(&search, &shared, plan.automaton, vec![0]);
    look_back(
        &mut exploration,
        &mut search,
        (&study, &plan),
        (&mut executor, &rows),
        &Silent,
    );
    let findings = findings(&study, &setup, &plan, &exploration);
    let violated = findings.iter().find(|f| f.kind == Kind::Invariant);
    let violated = violated.expect("the invariant is answered");
    assert_eq!(violated.verdict, Verdict::Error);
    assert!(
        violated
            .summary
            .starts_with("internal error: a liar took step 1"),
        "{}",
        violated.summary
    );
    assert!(violated.replay.is_some());
    let [story] = &violated.stories[..] else {
        panic!("one story: {:?}", violated.stories);
    };
    let titles: Vec<&str> = story.frames.iter().map(|f| &*f.title).collect();
    assert_eq!(
        titles,
        [
            "a start state of Lock",
            "state after step 1, by a liar",
            "state after step 1, by the interpreter: internal take(Client#1)",
            "the state that was found",
        ]
    );
    let holders: Vec<&str> = story.frames.iter().map(|f| &*f.values[0].value).collect();
    assert_eq!(
        holders,
        [
            "{}",
            "{Client#0, Client#1}",
            "{Client#1}",
            "{Client#0, Client#1}"
        ]
    );
    // The invariant is false where the liar went: what is to blame is still said.
    assert!(!story.blame.is_empty());
}
