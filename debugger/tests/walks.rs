//! Sessions of the debugger, as text in and text out.

use debugger::{Command, Debugger, Item, Reply};
use interpreter::Instance;
use interpreter::trace::Trace;
use ioa_lang::Sources;
use ioa_lang::core::AutomatonId;
use session::host::Silent;
use session::instances::Instances;
use session::manifest::Manifest;
use session::setup::Setup;
use session::study::Study;

/// Processes share a lock; who holds it when it crashes keeps it forever.
const LOCK: &str = "\
type P
automaton Lock
  signature
    internal ask(p: P), take(p: P), leave(p: P), crash(p: P)
  states
    asking: Set[P] := {},
    dead: Set[P] := {},
    holder: Null[P] := nil
  transitions
    internal ask(p)
      pre p \\notin asking /\\ holder ~= embed(p) /\\ p \\notin dead
      eff asking := insert(p, asking)
    internal take(p)
      pre p \\in asking /\\ p \\notin dead /\\ holder = nil
      eff asking := delete(p, asking);
          holder := embed(p)
    internal leave(p)
      pre holder = embed(p) /\\ p \\notin dead
      eff holder := nil
    internal crash(p)
      pre p \\notin dead
      eff dead := insert(p, dead)
invariant Patient of Lock: \\A p: P (p \\in dead => p \\notin asking)
";

/// Two cells with a wire between them; only the wire counts.
const WIRE: &str = "\
type Cell
automaton Sender(c: Cell)
  signature
    output put(const c: Cell, n: Nat)
  states
    next: Nat := 0
  transitions
    output put(c, n)
      pre n = next /\\ next < 2
      eff next := next + 1
automaton Wire
  signature
    input put(c: Cell, n: Nat)
    output lose(c: Cell)
  states
    last: Array[Cell, Nat] := constant(0),
    lost: Nat := 0
  transitions
    input put(c, n)
      eff last[c] := n + 1
    output lose(c)
      pre last[c] > 0
      eff last[c] := 0;
          lost := lost + 1
automaton Net
  components
    S[c: Cell]: Sender(c);
    W: Wire
";

struct Model {
    study: Study,
    instance: std::sync::Arc<Instance>,
    automaton: AutomatonId,
}

fn model(text: &str, automaton: &str, sort: &str) -> Model {
    let mut sources = Sources::new();
    sources.add("model.ioa", text);
    let study = Study::from_sources(Manifest::default(), "model.ioa".into(), sources);
    let study = study.unwrap_or_else(|bad| panic!("{}", bad.render(false)));
    let setup = Setup {
        sorts: vec![(sort.into(), 2)],
        ..Setup::default()
    };
    let automaton = study.automaton(Some(automaton)).expect("the automaton");
    let instances = Instances::new(&study, &setup);
    let each = instances.each(automaton).expect("sizes that fit");
    let instance = std::sync::Arc::clone(each.of_run(0).1);
    Model {
        study,
        instance,
        automaton,
    }
}

fn lock() -> Model {
    model(LOCK, "Lock", "P")
}

impl Model {
    fn debugger(&self) -> Debugger<'_> {
        Debugger::fresh(&self.study, &self.instance, self.automaton, 1).expect("a start state")
    }
}

/// What a line is answered with, mistakes included.
fn ask(debugger: &mut Debugger<'_>, line: &str) -> String {
    let answer = Command::parse(line).and_then(|command| match command {
        Some(command) => debugger.execute(&command, &Silent),
        None => Ok(Reply::default()),
    });
    match answer {
        Ok(reply) => reply.items.iter().map(text).collect(),
        Err(bad) => bad.render(false),
    }
}

fn text(part: &Item) -> String {
    match part {
        Item::Line(line) => format!("{line}\n"),
        Item::Frame(frame) => {
            let values = frame.values.iter();
            let values: Vec<String> = values
                .map(|v| format!("{} = {}", v.name, v.value))
                .collect();
            let step = frame.step.map_or(String::new(), |n| format!("{n}: "));
            format!("{step}{} | {}\n", frame.title, values.join(", "))
        }
        Item::False(blame, since) => {
            let values = blame.bindings.iter();
            let values: Vec<String> = values
                .map(|v| format!("{} = {}", v.name, v.value))
                .collect();
            format!(
                "false: {} with {}; {since}\n",
                blame.formula,
                values.join(", ")
            )
        }
    }
}

/// Puts lines one after the other; each has to be answered by a text that holds the one beside it.
fn session(debugger: &mut Debugger<'_>, lines: &[(&str, &str)]) {
    for (line, says) in lines {
        let said = ask(debugger, line);
        assert!(said.contains(says), "{line}: expected {says:?} in {said}");
    }
}

fn all(debugger: &mut Debugger<'_>, lines: &[&str]) {
    for line in lines {
        let said = ask(debugger, line);
        assert!(!said.contains("error"), "{line}: {said}");
    }
}

#[test]
fn steps_are_taken_and_taken_back() {
    let model = lock();
    let mut debugger = model.debugger();
    session(
        &mut debugger,
        &[
            (
                "here",
                "0: the first state | asking = {}, dead = {}, holder = nil",
            ),
            ("enabled", "4  internal crash(P#1)"),
            ("take 2", "1: internal ask(P#1)"),
            ("fire take(P#1)", "holder = embed(P#1)"),
            ("back", "1: internal ask(P#1)"),
            ("forward", "2: internal take(P#1)"),
            ("go 0", "0: the first state"),
            ("path", ">   0  the first state"),
            ("end", "2: internal take(P#1)"),
            ("eval asking", "{}"),
            ("eval holder = embed(P#1)", "true"),
            ("diff 1 2", "holder = embed(P#1)"),
            ("diff 1 1", "the two states are equal"),
        ],
    );
    assert_eq!(debugger.position(), (2, 2));
    assert_eq!(debugger.run_number(), (1, 1), "nothing branched off");
}

#[test]
fn another_step_from_the_middle_is_a_branch_and_the_next_one_is_none() {
    let model = lock();
    let mut debugger = model.debugger();
    all(
        &mut debugger,
        &["fire ask(P#0)", "fire take(P#0)", "back", "fire take(P#0)"],
    );
    assert_eq!(debugger.run_number(), (1, 1));
    session(
        &mut debugger,
        &[
            ("back", "1: internal ask(P#0)"),
            ("fire crash(P#0)", "run 2 branches off run 1 after 1 step"),
            (
                "branches",
                ">run 2: 2 steps, branched off run 1 after 1 step",
            ),
            (
                "compare 1",
                "run 1 has 1 more step: internal take(P#0) first",
            ),
            ("compare 1", "holder = nil"),
            ("compare 2", "run 2 is this run itself"),
            ("switch 1", "1: internal ask(P#0)"),
            ("end", "2: internal take(P#0)"),
            ("switch 3", "there is no run 3"),
            ("start 1", "0: the first state"),
            ("branches", ">run 3: 0 steps"),
            ("start 2", "there is no start state 2"),
        ],
    );
}

#[test]
fn why_an_action_is_disabled_and_since_when() {
    let model = lock();
    let mut debugger = model.debugger();
    all(
        &mut debugger,
        &[
            "fire ask(P#0)",
            "fire ask(P#1)",
            "fire take(P#0)",
            "fire crash(P#1)",
        ],
    );
    session(
        &mut debugger,
        &[
            ("why take(P#1)", "false: p \\notin dead with p = P#1"),
            ("why take(P#1)", "since step 4: internal crash(P#1)"),
            (
                "why take(P#1)",
                "false: holder = nil with p = P#1, holder = embed(P#0); since step 3",
            ),
            ("why leave(P#1)", "since the first state"),
            ("why leave(P#0)", "leave(P#0) is enabled here"),
            (
                "why take",
                "false: p \\notin dead with ; for all values of the parameters that",
            ),
            ("why leave", "leave is enabled here for some values"),
            ("why tak(P#1)", "did you mean `take`?"),
            (
                "why take(P#1, P#0)",
                "2 values are given, and `take` takes 1",
            ),
            ("why take(P#7)", "P#7"),
        ],
    );
    let said = ask(&mut debugger, "fire take(P#1)");
    assert!(said.contains("is not enabled here"), "{said}");
    assert_eq!(debugger.position(), (4, 4));
}

#[test]
fn what_is_watched_is_shown_in_every_state() {
    let model = lock();
    let mut debugger = model.debugger();
    session(
        &mut debugger,
        &[
            ("watch size(asking)", "watch 1: size(asking) = 0"),
            ("fire ask(P#0)", "watch: size(asking) = 1   (was 0)"),
            ("watch holder.val", "no value: nil has no value"),
            ("unwatch 1", "watched term 1 is forgotten"),
            ("unwatch 2", "there is no watched term 2"),
            ("break holder ~= nil", "breakpoint 1"),
            ("fire crash(P#0)", "violated: invariant Patient"),
            ("invariants", "false: p \\notin asking with p = P#0"),
            ("go 0", "0:"),
            ("continue", "stopped: invariant Patient is violated"),
            ("continue", "this is the end of the run"),
            ("rewind asking = {}", "0: the first state"),
            ("rewind asking = {}", "holds in no earlier state"),
        ],
    );
}

#[test]
fn searches_are_shortest_and_exact() {
    let model = lock();
    let mut debugger = model.debugger();
    session(
        &mut debugger,
        &[(
            "find \\A p: P (p \\in dead) /\\ holder ~= nil",
            "4 steps from here, and no way is shorter",
        )],
    );
    assert_eq!(debugger.position(), (4, 4));
    let said = ask(&mut debugger, "find holder = nil");
    assert!(said.contains("holds in none of the"), "{said}");
    let said = ask(&mut debugger, "sibling size(asking) = 3");
    assert!(
        said.contains("can be reached from any state of this run"),
        "{said}"
    );
    let said = ask(&mut debugger, "sibling size(dead) = 2");
    assert!(
        said.contains("can be reached from the end of this run"),
        "{said}"
    );
    assert_eq!(
        debugger.position(),
        (4, 4),
        "questions without an answer change nothing"
    );
}

/// The last state from which the lock can be free again is the one before its holder crashes, wherever in the run that is.
#[test]
fn the_critical_transition_is_the_crash_of_the_holder() {
    let model = lock();
    let others = ["fire ask(P#1)", "fire crash(P#1)"];
    for before in 0..3 {
        let mut debugger = model.debugger();
        all(&mut debugger, &["fire ask(P#0)", "fire take(P#0)"]);
        all(&mut debugger, &others[..before]);
        all(&mut debugger, &["fire crash(P#0)"]);
        all(&mut debugger, &others[before..]);
        let said = ask(&mut debugger, "sibling holder = nil");
        let critical = format!(
            "step {} of run 1 is critical: internal crash(P#0)",
            before + 3
        );
        assert!(said.contains(&critical), "{said}");
        assert!(said.contains("internal leave(P#0)"), "{said}");
        assert_eq!(debugger.run_number(), (2, 2));
    }
}

#[test]
fn draws_go_on_from_the_end_and_leave_nothing_behind_if_they_fail() {
    let model = lock();
    let mut debugger = model.debugger();
    session(
        &mut debugger,
        &[
            ("only P#1 2", "2: internal"),
            (
                "only nobody",
                "no action, component or element is named nobody",
            ),
            ("go 0", "0:"),
            ("until size(dead) = 2", "internal crash("),
        ],
    );
    let (at, of) = debugger.position();
    assert_eq!(at, of);
    for event in debugger.events().iter().take(2) {
        assert!(event.title.contains("P#1"), "{event:?}");
    }
    let said = ask(&mut debugger, "until size(dead) = 3");
    assert!(
        said.contains("can be taken here") || said.contains("in no later state"),
        "{said}"
    );
    assert_eq!(
        debugger.position(),
        (at, of),
        "what was drawn in vain is gone"
    );
}

#[test]
fn a_drawn_run_that_ends_without_the_formula_is_not_said_to_end_here() {
    let model = model(WIRE, "Net", "Cell");
    let mut debugger = model.debugger();
    let said = ask(&mut debugger, "until W.lost > 4");
    let ended = "and the run that was drawn on from its end ended after";
    assert!(
        said.contains(ended) && said.contains("steps without it"),
        "{said}"
    );
    assert!(!said.contains("can be taken here"), "{said}");
    assert_eq!(debugger.position(), (0, 0));
    ask(&mut debugger, "random 100");
    ask(&mut debugger, "back");
    let said = ask(&mut debugger, "until W.lost > 4");
    assert!(
        said.contains("and no step can be taken at its end"),
        "{said}"
    );
}

#[test]
fn components_are_stepped_and_filtered_one_by_one() {
    let model = model(WIRE, "Net", "Cell");
    let mut debugger = model.debugger();
    session(
        &mut debugger,
        &[
            ("only S[Cell#1]", "1: output put(Cell#1, 0)"),
            ("only S[Cell#1]", "2: output put(Cell#1, 1)"),
            ("only S[Cell#1]", "no step of S[Cell#1] can be taken here"),
            ("fire put(Cell#0, 0)", "W.last[Cell#0] = 1"),
            ("enabled S", "output put(Cell#0, 1)"),
            ("enabled putt", "is named putt; did you mean put?"),
            ("filter S nowhere", "is named nowhere; there is "),
            ("path", "    1  output put(Cell#1, 0)"),
            ("filter S[Cell#0]", "only steps of S[Cell#0] are listed"),
            ("path", ">   3  output put(Cell#0, 0)"),
        ],
    );
    let events = debugger.events();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].components, ["S[Cell#0]", "W"]);
    all(&mut debugger, &["filter"]);
    assert_eq!(debugger.events().len(), 3);
}

#[test]
fn mistakes_have_their_own_messages_and_change_nothing() {
    let model = lock();
    let mut debugger = model.debugger();
    all(&mut debugger, &["random 3"]);
    let before = debugger.trace().clone();
    let mistakes = [
        (
            "go 1000000000",
            "there is no step 1000000000: the run has 3 steps",
        ),
        ("forward 99", "there is no step 102"),
        ("back 4", "only 3 steps lead here"),
        ("take 0", "there is no step 0 in the list"),
        ("take 99", "there is no step 99 in the list"),
        ("eval nobody", "unknown name `nobody`"),
        ("eval", "`eval` wants term"),
        ("until size(asking)", "expected Bool"),
        ("watch {}", "error"),
        ("eval asking +", "error"),
        ("fire take(", "a `)` is missing here"),
        ("fire take()", "0 values are given, and `take` takes 1"),
        ("fire take(,)", "2 values are given"),
        ("fire take(holder)", "error"),
        ("fire take", "take has parameters"),
        ("path 3 1", "there are no steps 3 to 1"),
        ("diff 0 9", "there is no step 9"),
        ("compare 2", "there is no run 2"),
        ("unbreak 1", "there is no breakpoint 1"),
    ];
    for (line, says) in mistakes {
        let said = ask(&mut debugger, line);
        assert!(said.contains(says), "{line}: expected {says:?} in {said}");
        assert!(said.starts_with("error"), "{line}: {said}");
    }
    assert_eq!(*debugger.trace(), before);
    assert_eq!(debugger.position(), (3, 3));
}

/// The text before a term is blanked out when the term is read; the mistake still points into the line.
#[test]
fn a_mistake_in_a_term_points_into_the_line() {
    let model = lock();
    let mut debugger = model.debugger();
    let said = ask(&mut debugger, "until  size(asking) > limit");
    let lines: Vec<&str> = said.lines().collect();
    let shown = lines
        .iter()
        .position(|line| line.contains("until  size(asking) > limit"));
    let shown = shown.unwrap_or_else(|| panic!("{said}"));
    let column = lines[shown].find("limit");
    assert_eq!(lines[shown + 1].find('^'), column, "{said}");
}

#[test]
fn a_trace_is_opened_only_if_its_steps_are_steps() {
    let model = lock();
    let mut debugger = model.debugger();
    all(
        &mut debugger,
        &["fire ask(P#0)", "fire take(P#0)", "fire leave(P#0)"],
    );
    let trace = debugger.trace().clone();
    let open = |trace: Trace| {
        let opened = Debugger::of_trace(&model.study, &model.instance, (trace, None), 1);
        opened.map(|(debugger, reply)| (debugger.position(), reply))
    };
    let (position, reply) = open(trace.clone()).expect("steps of the model");
    assert_eq!((position, reply), ((0, 3), Reply::default()));
    let mut skipped = trace.clone();
    skipped.steps.remove(1);
    let bad = open(skipped).expect_err("no step");
    assert!(
        bad.render(false)
            .contains("step 2 of the trace, internal leave(P#0)")
    );
    let mut late = trace;
    late.start = late.steps.remove(0).state;
    let (position, reply) = open(late).expect("steps, though from no start state");
    assert_eq!(position, (0, 2));
    assert!(format!("{reply:?}").contains("no start state"));
}

#[test]
fn commas_inside_of_brackets_separate_no_parameters() {
    let text = "\
type P
automaton Box
  signature
    internal put(s: Set[P], n: Int, m: Set[Int])
  states
    kept: Set[P] := {}
  transitions
    internal put(s, n, m)
      pre n \\in m
      eff kept := s
";
    let model = model(text, "Box", "P");
    let mut debugger = model.debugger();
    session(
        &mut debugger,
        &[
            (
                "fire put({P#0, P#1}, size(insert(P#0, kept)), {1, 2})",
                "kept = {P#0, P#1}",
            ),
            (
                "fire put({P#0, P#1}, 3)",
                "2 values are given, and `put` takes 3",
            ),
            ("why put({}, , {})", "a term should stand here"),
            ("why put({}, 7, {1, 2})", "false: n \\in m"),
        ],
    );
}
