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

/// Messages with thousands of codes, most of which do not occur: their elements have numbers. What is drawn are messages, payloads
/// without numbers, payloads that are nodes, and numbers.
const NUMBERED: &str = "\
type Node
type Path = tuple of from: Node, to: Node, by: Seq[Node], dark: Bool
type Bill = tuple of owed: Nat, by: Node, old: Set[Node]
type Message = union of path: Path, bill: Bill, call: Node, total: Nat
automaton Mail
  signature internal go(i: Node, k: Node), pass(p: Path, k: Node), charge(i: Node, n: Nat), pay(b: Bill, i: Node), ring(i: Node),
                     hear(i: Node, k: Node), read(m: Message), tell(n: Nat), forget(n: Nat)
  states sent: Set[Message] := {}, seen: Array[Node, Set[Message]] := constant({}), told: Set[Nat] := {}, turns: Nat := 0
  transitions
    internal go(i, k)
      pre i ~= k /\\ size(sent) < 6
      eff sent := insert(path([i, k, {} |- i, false]), sent); turns := mod(turns + 1, 5)
    internal pass(p, k)
      pre path(p) \\in sent /\\ len(p.by) < 3 /\\ k ~= p.from
      eff sent := insert(path([k, p.to, p.by |- k, ~p.dark]), delete(path(p), sent))
    internal charge(i, n)
      pre n = turns * 30 /\\ bill([n, i, {}]) \\notin sent /\\ size(sent) < 7
      eff sent := insert(bill([n, i, {}]), sent)
    internal pay(b, i)
      pre bill(b) \\in sent /\\ i ~= b.by
      eff sent := insert(bill([b.owed, i, insert(b.by, b.old)]), delete(bill(b), sent))
    internal ring(i)
      pre call(i) \\notin sent
      eff sent := insert(call(i), sent)
    internal hear(i, k)
      pre call(i) \\in sent /\\ k ~= i
      eff sent := delete(call(i), sent); seen[k] := insert(call(i), seen[k])
    internal read(m)
      pre m \\in sent /\\ tag(m) ~= call
      eff seen := constant(sent); sent := {x: Message where x \\in sent /\\ x ~= m}
    internal tell(n)
      pre n = 100 * turns /\\ size(told) < 4
      eff told := insert(n, told); sent := insert(total(n), sent); turns := mod(turns + 2, 5)
    internal forget(n)
      pre n \\in told /\\ total(n) \\in sent
      eff told := delete(n, told); sent := delete(total(n), sent)
invariant Few of Mail: size(sent) < MOST
";

#[test]
fn runs_are_the_same_where_elements_have_numbers() {
    let text = NUMBERED.replace("MOST", "100");
    let packed = tally(&text, (1, 1_500), 100, &mut ());
    let general = tally(&text, (1, 1_500), 100, &mut Looking);
    assert!(is_packed(&packed) && !is_packed(&general));
    let ranges = packed.instance.universe().ranges();
    let known = ranges.into_iter().flat_map(finite::Ranges::dictionaries);
    assert!(known.map(|(_, own)| own.len()).sum::<usize>() > 100);
    let counts = |tally: &Tally| {
        let fired = format!("{:?}", tally.coverage);
        (tally.runs, tally.steps, tally.states, fired)
    };
    assert_eq!(counts(&packed), counts(&general));
    let text = NUMBERED.replace("MOST", "9");
    let [many, few] = [1_500, 900].map(|count| tally(&text, (3, count), 100, &mut ()));
    assert!(is_packed(&many) && !is_packed(&few));
    let [many, few] = [&many, &few].map(|tally| {
        let failure = tally.failure.as_ref().expect("a violation");
        let trace = failure.trace.as_ref().expect("a trace");
        let layout = tally.instance.layout(ioa_lang::core::AutomatonId::at(0));
        let values = |state| layout.values(state).collect::<Vec<_>>();
        let states = trace.steps.iter().map(|step| values(&step.state));
        (failure.turn.options.seed, states.collect::<Vec<_>>())
    });
    assert_eq!(many, few);
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
