//! `ioa explore` as its users meet it: questions, bounds, checkpoints, bad requests.

mod checkpoints;
mod disk;
mod ignore;
mod indirect;
mod interpretations;
mod memory;
mod orders;
mod packing;
mod reductions;
mod requests;
mod simulations;
mod starts;
mod swarms;
mod symmetry;
mod undefined;
mod violations;
mod when;
mod within;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value as Json;
use test_support::generate;

/// A counter that stops at a limit, and a variable that is not of a finite type.
const COUNTER: &str = "\
automaton Counter
  signature
    internal up, reset
  states
    count: Nat := 0,
    seen: Mset[Nat] := {}
  transitions
    internal up
      pre count < 6
      eff count := count + 1;
          seen := insert(count, seen)
    internal reset
      pre count > 100
      eff count := 0
invariant Small of Counter: count < 4
";

/// A folder of its own, in which `ioa` is run.
struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn with(name: &str, text: &str) -> Self {
        let sandbox = Self::new();
        fs::write(sandbox.path(name), text).expect("a written file");
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &str) -> Command {
        self.ioa(&format!("explore {args}"))
    }

    fn ioa(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ioa"));
        command.args(args.split_whitespace());
        // Wide enough for no line of a table to be broken.
        command.current_dir(self.0.path()).env("COLUMNS", "400");
        command.env("IOA_CACHE", "");
        command
    }

    /// Runs `ioa explore`, with arguments that hold no blanks.
    fn explore(&self, args: &str) -> Answer {
        Answer::of(&self.command(args).output().expect("ioa runs"))
    }

    /// Runs any command, with arguments that hold no blanks.
    fn run(&self, args: &str) -> Answer {
        Answer::of(&self.ioa(args).output().expect("ioa runs"))
    }

    /// What `ioa explore --json` says.
    fn json(&self, args: &str) -> Json {
        let answer = self.explore(&format!("{args} --json"));
        serde_json::from_str(&answer.out).unwrap_or_else(|e| panic!("{e}: {answer:?}"))
    }

    fn start(&self, args: &str) -> Child {
        let mut command = self.command(args);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("ioa runs")
    }
}

/// What a command said, and its exit status.
#[derive(Debug)]
struct Answer {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Answer {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    #[track_caller]
    fn says(&self, code: i32, what: &str) {
        let said = if code == 2 { &self.err } else { &self.out };
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(said.contains(what), "expected {what:?} in {self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
    }
}

fn study(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies");
    let path = root.join(name).canonicalize().expect("the study is there");
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// A study that explores an automaton of a file, with sizes and what else is said of the exploration, each as lines of its own.
fn exploring((file, automaton): (&str, &str), sizes: &str, more: &str) -> String {
    format!(
        "[study]\nname = \"{automaton}\"\nsources = [\"{file}\"]\n[sizes]\n{sizes}\n[[explore]]\nautomaton = \"{automaton}\"\n{more}\n"
    )
}

fn two_phase(size: u64) -> String {
    let study = study("two-phase-commit");
    format!("{study} --automaton TwoPhase --sort RM={size}")
}

/// The document without what may differ between two invocations: time, and the memory that it takes.
fn plain(mut document: Json) -> Json {
    match &mut document {
        Json::Object(fields) => {
            for name in ["seconds", "memory_bytes", "bytes_per_state", "summary"] {
                fields.remove(name);
            }
            for field in fields.values_mut() {
                *field = plain(field.take());
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|i| *i = plain(i.take())),
        _ => {}
    }
    document
}

#[test]
fn the_studies_have_as_many_states_as_they_say() {
    let s = Sandbox::new();
    let found = s.explore(&study("two-phase-commit"));
    for states in ["288 states", "8,832 states", "34 states"] {
        found.says(0, states);
    }
    s.explore(&study("lamport-paxos")).says(0, "1,681 states");
}

#[test]
fn another_number_of_states_than_expected_is_not_what_was_asked_for() {
    let counter = COUNTER.split("invariant").next().expect("an automaton");
    let s = Sandbox::with("counter.ioa", counter);
    let manifest = "[study]\nname = \"c\"\nsources = [\"counter.ioa\"]\n[[explore]]\nautomaton = \"Counter\"\n";
    fs::write(s.path("ioa.toml"), format!("{manifest}distinct = 5\n")).expect("a written file");
    // A search that was stopped says nothing of all states.
    s.explore(". --depth 2 --allow-deadlock")
        .says(0, "3 states");
    s.explore(". --keep-going --allow-deadlock")
        .says(3, "5 states were expected");
}

#[test]
fn formulas_are_found_or_not_and_hold_or_not() {
    let s = Sandbox::new();
    let all = two_phase(3);
    let found = s.explore(&format!("{all} --find tmState=done --trace found.itf.json"));
    found.says(0, "1 step from a start state");
    found.says(0, "┆ found ");
    let absent = s.explore(&format!("{all} --find ~(sentPrepared=sentPrepared)"));
    absent.says(3, "holds in no reachable state");
    absent.says(3, "┆ absent ");
    let checked = s.explore(&format!("{all} --check sentPrepared=sentPrepared"));
    checked.says(0, "holds in all 288 states");
    // It is the only question.
    assert!(!checked.out.contains("│ invariant"), "{checked:?}");
    let wrong = s.explore(&format!(
        "{all} --check tmPrepared={{}} --trace run.itf.json"
    ));
    wrong.says(1, "2 steps from a start state; none is shorter");
    s.explore(&format!("{all} --check nonsense"))
        .says(2, "nonsense");
    s.explore(&format!("{all} --check (((")).says(2, "--check");
    // The execution can be replayed, step by step.
    let replayed = Command::new(env!("CARGO_BIN_EXE_ioa"))
        .args([
            "run",
            &study("two-phase-commit"),
            "--replay",
            "run.itf.json",
        ])
        .args(["--sort", "RM=3"])
        .current_dir(s.0.path())
        .output();
    Answer::of(&replayed.expect("ioa runs")).says(0, "2 steps");
}

#[test]
fn a_violation_and_a_deadlock_are_shown_by_shortest_executions() {
    let s = Sandbox::with("counter.ioa", COUNTER);
    let first = s.explore("counter.ioa");
    first.says(1, "invariant Small of Counter is violated");
    first.says(1, "4 steps from a start state; none is shorter");
    let all = s.explore("counter.ioa --keep-going");
    all.says(1, "Counter cannot go on");
    all.says(1, "6 steps from a start state; none is shorter");
    all.says(1, "count > 100 (counter.ioa:13:11) was never true");
    let allowed = s.explore("counter.ioa --keep-going --allow-deadlock");
    assert!(!allowed.out.contains("cannot go on"), "{allowed:?}");
}

#[test]
fn what_lies_behind_a_step_without_a_result_is_not_called_explored() {
    let text = COUNTER
        .replace("insert(count", "insert(div(count, size(seen))")
        .replace("count < 4", "count < 9");
    let s = Sandbox::with("counter.ioa", &text);
    let answer = s.explore("counter.ioa --keep-going --allow-deadlock");
    answer.says(1, "steps without a result were passed over");
    assert!(!answer.out.contains("explored"), "{answer:?}");
}

#[test]
fn every_bound_stops_the_search_and_says_so() {
    let s = Sandbox::new();
    let all = two_phase(8);
    for (bound, word) in [
        ("--depth 3", "depth"),
        ("--states 500", "states"),
        ("--time 0.001", "time"),
        ("--memory 200K", "memory"),
    ] {
        let answer = s.explore(&format!("{all} {bound}"));
        answer.says(0, &format!("stopped at the bound on {word}"));
        assert!(!answer.out.contains("explored"), "{answer:?}");
    }
    let two = s.explore(&format!("{all} --depth 2 --states 100000"));
    two.says(0, "stopped at the bound on depth");
    s.explore(&format!(
        "{all} --depth 2 --find {}",
        "tmPrepared={}/\\~(tmPrepared={})"
    ))
    .says(3, "holds in no state that was visited");
}

#[test]
fn spaces_of_astronomical_size_stop_cleanly() {
    let s = Sandbox::new();
    let answer = s.explore(&format!("{} --memory 4M", two_phase(40)));
    answer.says(0, "stopped at the bound on memory");
    let text = "\
type Node
automaton Sets
  signature internal pick(s: Set[Node])
  states chosen: Set[Node] := {}
  transitions
    internal pick(s)
      eff chosen := s
";
    let sets = Sandbox::with("sets.ioa", text);
    let few = sets.explore("sets.ioa --sort Node=3");
    few.says(0, "8 states");
    for size in [40, 10_000] {
        let many = sets.explore(&format!("sets.ioa --sort Node={size} --memory 20M"));
        assert!(matches!(many.code, Some(2 | 3)), "{many:?}");
        assert!(!many.err.contains("panicked"), "{many:?}");
    }
}

#[test]
fn bad_requests_are_refused() {
    let s = Sandbox::new();
    let all = two_phase(3);
    s.explore(&format!("{all} --sort Bogus=3")).says(2, "Bogus");
    s.explore(&format!("{} --automaton Bogus", study("two-phase-commit")))
        .says(2, "Bogus");
    for (flags, says) in [
        ("--states 0", "--states"),
        ("--memory 5X", "such as 500M"),
        ("--memory 5iB", "such as 500M"),
        ("--memory 0", "such as 500M"),
        ("--time 0", "more than 0 seconds"),
        ("--time 1e300", "century"),
        ("--depth x", "--depth"),
        ("--checkpoint-every 5", "--checkpoint"),
        ("--resume nothing", "no such file"),
    ] {
        s.explore(&format!("{all} {flags}")).says(2, says);
    }
    for size in ["1G", "1GiB", "1073741824", "1048576K"] {
        s.explore(&format!("{all} --memory {size}"))
            .says(0, "288 states");
    }
    let several = study("two-phase-commit");
    s.explore(&format!("{several} --checkpoint a"))
        .says(2, "one exploration");
}

#[test]
fn counts_and_findings_do_not_depend_on_threads_and_native_code() {
    let (mut states, mut findings) = (0, 0);
    for seed in 0..12 {
        let s = Sandbox::with("random.ioa", &generate::automaton(seed, seed % 3 > 0));
        let all = "random.ioa --sort Node=2 --sort Ballot=2 --keep-going --depth 3 --states 3000";
        let one = plain(s.json(&format!("{all} --threads 1")));
        states += one["distinct_states"].as_u64().unwrap_or(0);
        findings += one["results"].as_array().map_or(0, Vec::len);
        for flags in ["--threads 2", "--threads 3", "--threads 2 --no-native"] {
            let other = plain(s.json(&format!("{all} {flags}")));
            assert_eq!(other, one, "seed {seed} {flags}");
        }
    }
    assert!(states > 200 && findings > 24, "{states} {findings}");
}

#[test]
fn whatever_stops_a_search_it_can_be_taken_up_again() {
    let s = Sandbox::new();
    let model = two_phase(6);
    let whole = plain(s.json(&model));
    for (n, bound) in [
        "--memory 200K",
        "--states 1000",
        "--depth 6",
        "--time 0.000001",
    ]
    .into_iter()
    .enumerate()
    {
        let part = s.explore(&format!("{model} {bound} --checkpoint kept{n}"));
        part.says(0, "unknown");
        let rest = s.json(&format!("{model} --resume kept{n}"));
        assert_eq!(plain(rest), whole, "{bound}");
    }
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    for model in [two_phase(4), "counter.ioa --keep-going".to_owned()] {
        let s = Sandbox::with("counter.ioa", COUNTER);
        let whole = plain(s.json(&model));
        let part = s.explore(&format!("{model} --depth 3 --checkpoint kept"));
        assert!(part.out.contains("--resume kept goes on"), "{part:?}");
        s.explore(&format!("{model} --checkpoint kept"))
            .says(2, "is a checkpoint already");
        let further = s.explore(&format!(
            "{model} --depth 5 --checkpoint kept --resume kept --no-native"
        ));
        assert!(further.out.contains("went on from"), "{further:?}");
        assert_eq!(plain(s.json(&format!("{model} --resume kept"))), whole);
    }
}

#[test]
fn checkpoints_of_something_else_and_broken_ones_are_refused() {
    let s = Sandbox::new();
    let all = two_phase(4);
    s.explore(&format!("{all} --depth 4 --checkpoint kept"))
        .says(0, "kept in kept");
    let other = s.explore(&format!("{} --resume kept", two_phase(5)));
    other.says(2, "of something else");
    s.explore(&format!("{all} --resume kept --find tmState=done"))
        .says(2, "of something else");
    let bytes = fs::read(s.path("kept")).expect("a checkpoint");
    for end in [0, 7, 20, 39, 41, bytes.len() / 2, bytes.len() - 1] {
        fs::write(s.path("broken"), &bytes[..end]).expect("a written file");
        let answer = s.explore(&format!("{all} --resume broken"));
        answer.says(2, "checkpoint");
    }
    for at in (16..bytes.len()).step_by(bytes.len() / 40) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(s.path("broken"), &changed).expect("a written file");
        s.explore(&format!("{all} --resume broken"))
            .says(2, "broken");
    }
    let longer = [&bytes[..], b"x"].concat();
    fs::write(s.path("broken"), longer).expect("a written file");
    s.explore(&format!("{all} --resume broken"))
        .says(2, "is damaged");
    fs::write(s.path("mine"), "dear diary").expect("a written file");
    s.explore(&format!("{all} --checkpoint mine"))
        .says(2, "is there already");
    s.explore(&format!("{all} --resume mine"))
        .says(2, "no checkpoint");
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_no_reason_to_stop() {
    let s = Sandbox::new();
    let all = two_phase(4);
    let answer = s.explore(&format!(
        "{all} --depth 5 --checkpoint nowhere/kept --checkpoint-every 0.000001"
    ));
    answer.says(0, "the search is not kept: cannot write nowhere/kept");
    assert_eq!(answer.err.matches("warning").count(), 1, "{answer:?}");
}

/// When a file was last written.
fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|m| m.modified()).ok()
}

#[test]
fn a_killed_search_goes_on_to_the_same_counts() {
    let s = Sandbox::new();
    let all = format!("{} --no-native", two_phase(6));
    let whole = plain(s.json(&all));
    let kept = s.path("kept");
    let mut killed = 0;
    for wait in [0, 3, 20, 45] {
        let resume = if kept.exists() { "--resume kept" } else { "" };
        let before = written(&kept);
        let mut child = s.start(&format!(
            "{all} --checkpoint kept --checkpoint-every 0.01 {resume}"
        ));
        let started = Instant::now();
        while written(&kept) == before && child.try_wait().expect("a status").is_none() {
            assert!(
                started.elapsed() < Duration::from_secs(300),
                "no checkpoint"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(wait));
        killed += u32::from(child.try_wait().expect("a status").is_none());
        // On this system, that is SIGKILL.
        child.kill().expect("it can be killed");
        child.wait().expect("it is gone");
    }
    assert!(killed > 0, "every search was over before it was killed");
    assert_eq!(plain(s.json(&format!("{all} --resume kept"))), whole);
}

#[test]
fn small_graphs_are_drawn_and_large_ones_are_not() {
    let s = Sandbox::new();
    let study = study("two-phase-commit");
    let small = format!("{study} --automaton TCommit --sort RM=2 --dot small.dot");
    let states = s.json(&small)["distinct_states"].as_u64();
    let text = fs::read_to_string(s.path("small.dot")).expect("a graph");
    let drawn = text.lines().filter(|l| l.contains("tooltip=")).count();
    assert_eq!(states, Some(drawn as u64));
    assert!(
        text.contains("prepare(RM#0)") && text.contains("rmState[RM#0] = prepared"),
        "{text}"
    );
    s.explore(&format!("{} --dot large.dot", two_phase(5)))
        .says(0, "8,832 states are too many for a graph; 1,000 are not");
    assert!(!s.path("large.dot").exists());
}

/// A counter of which its text says nothing: how far it comes depends on another.
const CLIMBER: &str = "\
automaton Climber
  signature
    internal climb, fall
  states
    left: Nat := 300,
    height: Int := 0,
    lowest: Int := 0
  transitions
    internal climb
      pre left > 0
      eff left := left - 1;
          height := height + 2
    internal fall
      pre height > 400
      eff height := height - 450;
          lowest := min(lowest, height)
invariant Low of Climber: height <= 590
invariant Above of Climber: lowest > -49
";

#[test]
fn an_integer_that_outgrows_its_bits_gets_more() {
    let s = Sandbox::with("climber.ioa", CLIMBER);
    let answer = s.explore("climber.ioa --keep-going --allow-deadlock --coverage");
    answer.says(1, "left in 0..300");
    answer.says(1, "height in -48..1023");
    let one = plain(s.json("climber.ioa --keep-going"));
    assert_eq!(one["distinct_states"], 2501);
    for flags in ["--threads 2", "--threads 3 --no-native"] {
        let other = plain(s.json(&format!("climber.ioa --keep-going {flags}")));
        assert_eq!(other, one, "{flags}");
    }
}

#[test]
fn a_checkpoint_remembers_how_integers_are_packed() {
    let s = Sandbox::with("climber.ioa", CLIMBER);
    let all = "climber.ioa --keep-going";
    let whole = plain(s.json(all));
    // So far every number fits what was guessed, or what was found to be needed; later ones do not.
    for depth in [5, 100] {
        s.explore(&format!("{all} --depth {depth} --checkpoint kept{depth}"))
            .says(0, "--resume");
        let resumed = s.json(&format!("{all} --resume kept{depth}"));
        assert_eq!(plain(resumed), whole);
        let further = s.explore(&format!("{all} --depth {} --resume kept{depth}", depth + 1));
        further.says(0, "went on from");
    }
}

#[test]
fn what_has_no_bound_is_stopped_by_one_and_not_packed_for_ever() {
    let grows = CLIMBER.replace("left := left - 1", "left := left + 1");
    let s = Sandbox::with("climber.ioa", &grows.replace("> 400", "> 400000000"));
    let bound = s.explore("climber.ioa --keep-going --states 5000");
    assert_eq!(
        s.json("climber.ioa --keep-going --states 5000")["distinct_states"],
        5000
    );
    bound.says(1, "stopped at the bound on states");
    let squares = grows.replace("height + 2", "height * height + 2");
    let s = Sandbox::with("climber.ioa", &squares);
    let answer = s.explore("climber.ioa --states 12 --keep-going --coverage");
    answer.says(1, "height is not packed");
}
