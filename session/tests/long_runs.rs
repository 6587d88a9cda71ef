//! Many random runs are made with packed states, and are the same runs as few of them.

use interpreter::run::Observer;
use ioa_lang::Sources;
use session::host::Silent;
use session::instances::Instances;
use session::manifest::Manifest;
use session::pipeline::plan::{Driver, Plan};
use session::pipeline::runs::{self, Tally};
use session::setup::Setup;
use session::study::Study;

/// Records of 72 kinds in a set, a channel and a number. Where `STEP` stands, the number grows.
const TEXT: &str = "\
type Node
type Kind = enumeration of ask, answer
type Message = tuple of kind: Kind, from: Node, to: Node, again: Bool, late: Bool
automaton Post
  signature internal send(m: Message), read, end
  states sent: Set[Message] := {}, line: Seq[Message] := {}, number: Nat := 0
  transitions
    internal send(m)
      pre m \\notin sent /\\ m.from ~= m.to
      eff sent := insert(m, sent); line := line |- m; number := STEP
    internal read
      pre line ~= {}
      eff line := tail(line)
    internal end
      pre len(line) > 7
      eff sent := {}; line := {}; number := 0
invariant Short of Post: len(line) < 49
invariant Small of Post: number < MOST
";

/// What so many runs come to, the first of which has a seed.
fn tally(
    text: &str,
    (first, count): (u64, u64),
    steps: u64,
    observer: &mut (dyn Observer + Send),
) -> Tally {
    let mut sources = Sources::new();
    sources.add("post.ioa", text);
    let study = Study::from_sources(Manifest::default(), "post.ioa".into(), sources);
    let study = study.expect("a right model");
    let setup = Setup {
        sorts: vec![("Node".into(), 3)],
        seed: first,
        ..Setup::default()
    };
    let driver = Driver {
        random: true,
        runs: Some(count),
        steps: Some(steps),
        ..Driver::default()
    };
    let plan = Plan::asked(&study, &setup, &driver).expect("a plan");
    let plan = plan.into_iter().next().expect("a plan");
    let instances = Instances::new(&study, &setup);
    let each = instances.each(plan.drive.automaton(&study));
    let each = each.expect("sizes that fit");
    runs::all(&study, &each, &plan, &setup, &Silent, observer).expect("runs")
}

fn is_packed(tally: &Tally) -> bool {
    let automaton = ioa_lang::core::AutomatonId::at(0);
    tally.instance.layout(automaton).is_packed()
}

fn text(step: &str, most: &str) -> String {
    TEXT.replace("STEP", step).replace("MOST", most)
}

/// Looks at all steps, so that runs are made once, with the states that there are.
struct Looking;

impl Observer for Looking {}

#[test]
fn many_runs_are_the_same_with_packed_states() {
    let text = text("number + 1", "1000000");
    let packed = tally(&text, (1, 1_000), 100, &mut ());
    let general = tally(&text, (1, 1_000), 100, &mut Looking);
    assert!(is_packed(&packed) && !is_packed(&general));
    assert!(!is_packed(&tally(&text, (1, 900), 100, &mut ())));
    let counts = |tally: &Tally| (tally.runs, tally.steps, tally.states);
    assert_eq!(counts(&packed), counts(&general));
    assert_eq!(packed.runs, 1_000);
    assert!(packed.failure.is_none());
}

#[test]
fn numbers_that_fit_nowhere_are_general_values() {
    let text = text("1000 * number + 1000", "10 ** 400");
    let grown = tally(&text, (1, 1_000), 100, &mut ());
    assert!(!is_packed(&grown));
    assert_eq!(grown.runs, 1_000);
    assert!(grown.failure.is_none());
}

#[test]
fn a_run_that_fails_is_the_same_one() {
    let text = text("number + 1", "30");
    let of_many = tally(&text, (7, 1_000), 100, &mut ());
    let of_few = tally(&text, (7, 900), 100, &mut ());
    assert!(is_packed(&of_many) && !is_packed(&of_few));
    let [many, few] = [&of_many, &of_few].map(|tally| {
        let failure = tally.failure.as_ref().expect("a violation");
        let trace = failure.trace.as_ref().expect("a trace");
        (failure.turn.options.seed, trace.steps.len())
    });
    assert_eq!(many, few);
}
