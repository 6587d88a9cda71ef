//! The Paxos case study in lockstep: the step correspondence as it stands, and the naive one, which the paper found
//! wrong in two ways.

mod common;

use std::fs;
use std::path::Path;

use interpreter::run::{Ending, How, Options, Weights};
use interpreter::trace::Recorder;
use interpreter::{Change, Instance, Reason};
use ioa_lang::{Sources, Value};
use paired_exec::{Cause, Driver, Failure, PairError, Report, run};

struct Study {
    sources: Sources,
    instance: Instance,
}

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies/paxos");
    fs::read_to_string(folder.join(name)).expect("the case study is there")
}

impl Study {
    /// The case study with its relation and proof block replaced, and with one more schedule.
    fn new(refinement: &str, schedule: &str) -> Self {
        let mut sources = Sources::new();
        for name in ["cons.ioa", "global1.ioa", "normal.ndr", "contention.ndr"] {
            sources.add(name, text(name));
        }
        sources.add("refinement.ioa", refinement);
        sources.add("extra.ndr", schedule);
        let sizes = [("Node", 3), ("Value", 2), ("Ballot", 3)];
        let instance = common::instance(&sources, &sizes);
        Self { sources, instance }
    }

    fn run(&self, driver: Driver<'_>, seed: u64) -> Report {
        let options = Options { seed, steps: 1_000 };
        run(&self.instance, 0, driver, options, &mut ()).expect("it can be run")
    }

    fn schedule(&self, name: &str) -> Driver<'static> {
        let schedules = &self.instance.model().schedules;
        Driver::Schedule(
            schedules
                .iter()
                .position(|s| *s.name == *name)
                .expect("it is declared"),
            &Weights::DRAWN,
        )
    }

    fn failure(&self, name: &str) -> Failure {
        let report = self.run(self.schedule(name), 1);
        assert_eq!(report.low.ending, Ending::Stopped);
        report.failure.expect("it fails")
    }

    /// A reason as one line: the formula, and what the bound variables are.
    fn reason(&self, reason: &Reason) -> String {
        let bindings = reason.bindings.iter();
        let bindings = bindings.map(|(n, v)| format!(" [{n} = {}]", self.show(v)));
        format!(
            "{}{}",
            self.sources.one_line(reason.span),
            bindings.collect::<String>()
        )
    }

    fn show(&self, value: &Value) -> String {
        value.display(self.instance.model())
    }

    fn change(&self, change: &Change) -> String {
        format!(
            "{}: {} -> {}",
            change.variable,
            self.show(&change.before),
            self.show(&change.after)
        )
    }
}

/// chooseVal is fired whenever a ballot with a value is decided, and at no other time.
fn naive() -> String {
    let sound = text("refinement.ioa");
    let careful = "if Cons.chosen = {} /\\ Global1.val[b] ~= nil then";
    let late = "if b \\in Global1.succeeded /\\ Cons.chosen = {} then\n        fire internal chooseVal(v)\n      fi";
    assert!(sound.contains(careful) && sound.contains(late));
    let naive = sound.replace(careful, "if Global1.val[b] ~= nil then");
    naive.replace(late, "if false then fire internal chooseVal(v) fi")
}

const TWO_BALLOTS: &str = r"
schedule TwoBallots of Global1
  do
    for i: Node where true do fire input init(i, Value#1) od;
    for b: Ballot in {Ballot#0, Ballot#1} do
      fire internal makeBallot(b);
      fire internal assignVal(b, Value#1);
      for i: Node where true do fire internal vote(i, b) od
    od;
    fire internal internalDecide(Ballot#0);
    fire internal internalDecide(Ballot#1)
  od
";

const LATE_VALUE: &str = r"
schedule LateValue of Global1
  do
    fire input init(Node#0, Value#0);
    fire input init(Node#1, Value#1);
    fire internal makeBallot(Ballot#0);
    fire internal vote(Node#0, Ballot#0);
    fire internal vote(Node#1, Ballot#0);
    fire internal internalDecide(Ballot#0);
    fire internal assignVal(Ballot#0, Value#1)
  od
";

#[test]
fn the_step_correspondence_holds_on_every_run() {
    let study = Study::new(
        &text("refinement.ioa"),
        &format!("{TWO_BALLOTS}{LATE_VALUE}"),
    );
    let mut high_steps = 0;
    for seed in 0..100 {
        for name in ["Normal", "Contention", "TwoBallots", "LateValue"] {
            let report = study.run(study.schedule(name), seed);
            assert_eq!(
                (report.failure, report.low.ending),
                (None, Ending::Finished),
                "{name}"
            );
            high_steps += report.high_steps;
        }
        let report = study.run(Driver::Random(How::default()), seed);
        assert_eq!(
            (report.failure, report.low.ending),
            (None, Ending::NothingNew)
        );
    }
    assert!(
        high_steps > 1_500,
        "the high automaton hardly moved: {high_steps} steps"
    );
}

#[test]
fn the_naive_block_fires_the_choice_twice() {
    let study = Study::new(&naive(), TWO_BALLOTS);
    let failure = study.failure("TwoBallots");
    let low = failure.low.as_ref().expect("it is a step");
    assert_eq!((failure.step, &*low.action), (15, "internalDecide"));
    let [tried] = &failure.high[..] else {
        panic!("one high step: {:?}", failure.high)
    };
    assert_eq!(
        (&*tried.action, study.show(&tried.params[0]), tried.taken),
        ("chooseVal", "Value#1".into(), false)
    );
    assert_eq!(
        study.sources.one_line(tried.span),
        "fire internal chooseVal(Global1.val[b].val)"
    );
    let Cause::Disabled(refusal) = &failure.cause else {
        panic!("{:?}", failure.cause)
    };
    let [reason] = &refusal.reasons[..] else {
        panic!("one conjunct: {refusal:?}")
    };
    assert_eq!(study.reason(reason), "chosen = {} [v = Value#1]");
    assert_eq!(study.show(&reason.terms[0].1), "{Value#1}");
    let changes: Vec<String> = failure
        .low_state
        .changes
        .iter()
        .map(|c| study.change(c))
        .collect();
    assert_eq!(changes, ["succeeded: {Ballot#0} -> {Ballot#0, Ballot#1}"]);
}

#[test]
fn the_naive_block_misses_a_value_that_comes_late() {
    let study = Study::new(&naive(), LATE_VALUE);
    let failure = study.failure("LateValue");
    let low = failure.low.as_ref().expect("it is a step");
    assert_eq!((failure.step, &*low.action), (7, "assignVal"));
    assert_eq!(failure.high, []);
    let Cause::NotRelated(reasons) = &failure.cause else {
        panic!("{:?}", failure.cause)
    };
    let [reason] = &reasons[..] else {
        panic!("one conjunct: {reasons:?}")
    };
    assert_eq!(
        study.reason(reason),
        "(v \\in Cons.chosen <=> \\E b: Ballot (b \\in Global1.succeeded /\\ Global1.val[b] = embed(v))) [v = Value#1]"
    );
    let changes: Vec<String> = failure
        .low_state
        .changes
        .iter()
        .map(|c| study.change(c))
        .collect();
    assert_eq!(
        changes,
        [
            "val: [Ballot#0 -> nil, Ballot#1 -> nil, Ballot#2 -> nil] -> \
          [Ballot#0 -> embed(Value#1), Ballot#1 -> nil, Ballot#2 -> nil]"
        ]
    );
    assert_eq!(
        failure.high_state.expect("there is a high state").changes,
        []
    );
}

#[test]
fn a_recorded_run_fails_again_in_the_same_way() {
    let study = Study::new(&naive(), LATE_VALUE);
    let low = study.instance.model().simulations[0].low;
    let mut recorder = Recorder::new(low);
    let options = Options {
        seed: 1,
        steps: 100,
    };
    let driver = study.schedule("LateValue");
    let first = run(&study.instance, 0, driver, options, &mut recorder).expect("it can be run");
    let trace = recorder.trace().expect("there is a start state");
    assert_eq!(trace.steps.len(), 7);
    let again = study.run(Driver::Replay(&trace), 1);
    assert_eq!(again.failure, first.failure);
}

#[test]
fn a_schedule_of_another_automaton_is_refused() {
    let study = Study::new(
        &text("refinement.ioa"),
        "schedule High of Cons do fire input fail(Node#0) od",
    );
    let options = Options { seed: 1, steps: 10 };
    let refused = run(&study.instance, 0, study.schedule("High"), options, &mut ());
    let Err(PairError::CannotRun(errors)) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(
        errors[0].message,
        "this simulation is from Global1, but the run is of Cons"
    );
}
