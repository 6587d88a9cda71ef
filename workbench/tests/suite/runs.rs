//! Random runs: weights, and what is said of what they never did.

use crate::debug::SLIPPING;
use crate::sandbox::{Answer, Sandbox};

/// `commit` needs all nodes at once, and nodes fail.
const CLUSTER: &str = "\
type Node
automaton Cluster
  signature internal join(n: Node), fail(n: Node), commit, touch
  states up: Set[Node] := {}, committed: Bool := false, mark: Bool := true
  transitions
    internal join(n) eff up := insert(n, up)
    internal fail(n) eff up := delete(n, up)
    internal commit pre \\A n: Node (n \\in up) eff committed := true
    internal touch eff mark := true
";

fn ioa(sandbox: &Sandbox, args: &str) -> Answer {
    let args: Vec<&str> = args.split_whitespace().collect();
    sandbox.ioa(&args)
}

fn cluster(more: &str) -> Answer {
    let s = Sandbox::new();
    s.write("cluster.ioa", CLUSTER);
    ioa(
        &s,
        &format!("run cluster.ioa --random --sort Node=5 --steps 60 {more}"),
    )
}

#[test]
fn what_never_happened_is_said() {
    let rare = cluster("--runs 5 --weight fail=9");
    assert_eq!(rare.code, Some(0), "{rare:?}");
    let never = "warning: commit never happened in 5 runs of Cluster\n";
    assert!(rare.out.contains(never), "{rare:?}");
    let unchanged = "warning: mark never changed in 5 runs of Cluster\n";
    assert!(rare.out.contains(unchanged), "{rare:?}");
}

#[test]
fn nothing_is_said_of_what_happened() {
    let all = cluster("--runs 5 --weight fail=0.05");
    assert!(!all.out.contains("never happened"), "{all:?}");
}

#[test]
fn the_command_that_repeats_a_run_has_its_weights() {
    let s = Sandbox::new();
    let wrong = format!("{CLUSTER}invariant Never of Cluster: ~committed\n");
    s.write("cluster.ioa", &wrong);
    let flags = "--random --sort Node=5 --steps 60 --runs 50 --weight fail=0.05 --weight touch=0";
    let found = ioa(&s, &format!("run cluster.ioa {flags}"));
    assert_eq!(found.code, Some(1), "{found:?}");
    let line = found.out.lines().find(|l| l.contains("see it again"));
    let again = line
        .and_then(|l| l.split_once("ioa "))
        .expect("a command")
        .1;
    assert!(
        again.contains("--weight fail=0.05 --weight touch=0"),
        "{again}"
    );
    let again = ioa(&s, again);
    assert_eq!(again.code, Some(1), "{again:?}");
}

/// Packets with numbers lie in words where there are many runs, and not where there are few.
const PACKETS: &str = "\
type Client
type Packet = tuple of client: Client, epoch: Nat
automaton Net
  signature internal send(c: Client), take(p: Packet), lose(p: Packet)
  states net: Set[Packet] := {}, epoch: Nat := 0, last: Array[Client, Nat] := constant(0)
  transitions
    internal send(c) eff epoch := mod(epoch + 1, 12); net := insert([c, epoch], net)
    internal take(p) pre p \\in net eff last[p.client] := p.epoch; net := delete(p, net)
    internal lose(p) pre p \\in net eff net := delete(p, net)
invariant Few of Net: \\E c: Client (last[c] ~= 7) \\/ size(net) < 9
";

/// One run of many is made again by itself.
#[test]
fn a_failing_run_of_many_is_repeated_alone() {
    let s = Sandbox::new();
    s.write("net.ioa", PACKETS);
    for (seed, strategy) in [
        (1, "random"),
        (50, "random"),
        (900, "pct --depth 3"),
        (7, "delays --depth 2"),
    ] {
        let found = ioa(
            &s,
            &format!(
                "run net.ioa --random --sort Client=2 --runs 3000 --steps 300 --seed {seed} --strategy {strategy} --whole --full"
            ),
        );
        assert_eq!(found.code, Some(1), "{found:?}");
        let again = ioa(&s, &format!("{} --full", command(&found)));
        assert_eq!(again.code, Some(1), "{again:?}");
        assert_eq!(story(&again), story(&found), "seed {seed}, {strategy}");
    }
}

#[test]
fn a_weight_that_cannot_be_meant_is_refused() {
    let unknown = cluster("--weight fial=0.1");
    assert_eq!(unknown.code, Some(2));
    let why = "Cluster has no action fial that could have a weight";
    assert!(unknown.err.contains(why), "{unknown:?}");
    for bad in ["fail", "fail=x", "fail=-1", "fail=inf", "fail=nan"] {
        assert_eq!(cluster(&format!("--weight {bad}")).code, Some(2), "{bad}");
    }
    let s = Sandbox::new();
    s.write("cluster.ioa", CLUSTER);
    s.write(
        "one.ndr",
        "schedule One of Cluster do fire internal touch od\n",
    );
    let scheduled = ioa(
        &s,
        "run cluster.ioa one.ndr --sort Node=2 --schedule One --weight fail=1",
    );
    assert_eq!(scheduled.code, Some(2), "{scheduled:?}");
    assert!(scheduled.err.contains("it has no `fire any`"));
}

#[test]
fn a_schedule_draws_steps_by_the_weights_of_the_run() {
    let s = Sandbox::new();
    s.write("cluster.ioa", CLUSTER);
    s.write(
        "some.ndr",
        "schedule Some of Cluster do while true do fire any weight touch = 0 od od\n",
    );
    let run = "run cluster.ioa some.ndr --sort Node=5 --schedule Some --runs 5 --steps 60";
    let often = ioa(&s, &format!("{run} --weight fail=9"));
    let why = "commit and touch never happened";
    assert!(often.out.contains(why), "{often:?}");
    let rarely = ioa(&s, &format!("{run} --weight fail=0.05"));
    let why = "warning: touch never happened";
    assert!(rarely.out.contains(why), "{rarely:?}");
}

#[test]
fn a_study_may_give_weights() {
    let s = Sandbox::new();
    s.write("cluster.ioa", CLUSTER);
    let study = |weight: &str| {
        let text = format!(
            "[study]\nname = \"cluster\"\nsources = [\"cluster.ioa\"]\n[sizes]\nNode = 5\n\
             [[run]]\nautomaton = \"Cluster\"\nrandom = true\nsteps = 60\nruns = 5\nweight = {{ fail = {weight} }}\n"
        );
        s.write("ioa.toml", &text);
        ioa(&s, "verify .")
    };
    assert!(study("9").out.contains("commit never happened"));
    assert!(!study("0.05").out.contains("commit never happened"));
    let wrong = study("-1");
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.err.contains("a weight is 0 or a positive number"),
        "{wrong:?}"
    );
}

#[test]
fn a_branch_of_a_proof_block_that_is_never_taken_is_named() {
    let s = Sandbox::new();
    let text = "\
automaton Low
  signature output tick
  states n: Nat := 0
  transitions output tick pre n < 3 eff n := n + 1
automaton High
  signature output tick
  states m: Nat := 0
  transitions output tick eff m := m + 1
forward simulation from Low to High:
  High.m = Low.n
  proof
    initially High.m := 0
    for output tick do
      if Low.n > 7 then fire output tick fi;
      if Low.n <= 7 then fire output tick else fire output tick fi
    od
";
    s.write("pair.ioa", text);
    let answer = ioa(&s, "pair pair.ioa --random --runs 2");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let never =
        |at| format!("warning: a branch of the proof block was never taken: pair.ioa:{at}\n");
    let warned: Vec<&str> = answer
        .out
        .lines()
        .filter(|l| l.starts_with("warning"))
        .collect();
    assert_eq!(warned.len(), 2, "{answer:?}");
    for at in ["14:10", "15:48"] {
        assert!(answer.out.contains(&never(at)), "{at}: {answer:?}");
    }
}

/// Of two workers one stops right after its first step until the other is through. The workers are tasks.
const WORKERS: &str = "\
type W
automaton Workers
  signature internal begin(w: W), work(w: W)
  states worked: Array[W, Nat] := constant(0)
  transitions
    internal begin(w) pre worked[w] = 0 /\\ (\\A v: W (worked[v] < 20)) eff worked[w] := 1
    internal work(w) pre worked[w] > 0 /\\ worked[w] < 20 eff worked[w] := worked[w] + 1
  tasks
    {begin(w), work(w)} for w: W
invariant NotLeft of Workers: \\A w: W \\A v: W (worked[w] = 1 => worked[v] < 20)
";

fn workers(more: &str) -> Answer {
    let s = Sandbox::new();
    s.write("workers.ioa", WORKERS);
    ioa(&s, &format!("run workers.ioa --sort W=2 --steps 60 {more}"))
}

#[test]
fn a_strategy_finds_what_its_depth_allows_and_no_more() {
    let found = workers("--strategy pct --depth 2 --runs 400");
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(
        found
            .out
            .contains("false in a run of pct (depth 2) with seed"),
        "{found:?}"
    );
    for too_little in [
        "--strategy pct --depth 1",
        "--strategy delays --depth 0",
        "--strategy preemptions --depth 0",
        "--strategy divergences --depth 0",
        "--strategy random",
    ] {
        let none = workers(&format!("{too_little} --runs 400"));
        assert_eq!(none.code, Some(0), "{too_little}: {none:?}");
    }
}

#[test]
fn the_command_that_repeats_a_run_of_a_portfolio_has_its_strategy() {
    let s = Sandbox::new();
    s.write("workers.ioa", WORKERS);
    let portfolio = "run workers.ioa --sort W=2 --steps 60 --strategy portfolio --runs 400 --full";
    let found = ioa(&s, portfolio);
    assert_eq!(found.code, Some(1), "{found:?}");
    let again = command(&found);
    assert!(again.contains("--strategy ") && !again.contains("portfolio"));
    let again = ioa(&s, &format!("{again} --full"));
    assert_eq!(again.code, Some(1), "{again:?}");
    assert_eq!(story(&found), story(&again));
}

/// The command that is printed to see a failure again.
fn command(found: &Answer) -> &str {
    let (_, command) = found
        .out
        .split_once("see it again: ioa ")
        .expect("a command");
    command.lines().next().expect("a line")
}

fn story(answer: &Answer) -> &str {
    answer.out.split_once("is violated\n").expect("a story").1
}

#[test]
fn a_systematic_strategy_finds_a_failure_again_by_making_the_runs_before_it() {
    let s = Sandbox::new();
    s.write("workers.ioa", WORKERS);
    let wrong = format!("{CLUSTER}invariant Never of Cluster: ~committed\n");
    s.write("cluster.ioa", &wrong);
    for (run, which) in [
        (
            "workers.ioa --sort W=2 --steps 60 --strategy divergences --depth 1",
            "false in run 3 of divergences (depth 1)",
        ),
        (
            "cluster.ioa --sort Node=3 --steps 4 --strategy depth-first --depth 4",
            "of depth-first (depth 4)",
        ),
    ] {
        let found = ioa(&s, &format!("run {run} --runs 10000 --whole --full"));
        assert_eq!(found.code, Some(1), "{found:?}");
        assert!(found.out.contains(which), "{found:?}");
        let again = ioa(&s, &format!("{} --full", command(&found)));
        assert_eq!(again.code, Some(1), "{again:?}");
        assert_eq!(story(&found), story(&again));
    }
}

#[test]
fn a_systematic_strategy_says_when_there_is_no_other_run() {
    let none = workers("--strategy divergences --depth 0");
    assert_eq!(none.code, Some(0), "{none:?}");
    assert!(none.out.contains("runs: 1 ended where"), "{none:?}");
    assert!(none.out.contains("these are all with at"), "{none:?}");
    let beginnings = workers("--strategy depth-first --depth 2 --weight begin=0.5");
    assert_eq!(beginnings.code, Some(0), "{beginnings:?}");
    assert!(
        beginnings.out.contains("all beginnings of at"),
        "{beginnings:?}"
    );
    let shown = workers("--strategy divergences --depth 0 --show");
    assert!(
        shown.out.starts_with("run 1 of divergences (depth 0)\n"),
        "{shown:?}"
    );
    let drawn = workers("--strategy pct --depth 2 --runs 1 --show");
    assert!(
        drawn
            .out
            .starts_with("run 1 of pct (depth 2) with seed 1\n"),
        "{drawn:?}"
    );
    // One of six runs is missing.
    let cut = workers("--strategy depth-first --depth 2 --runs 5");
    assert_eq!(cut.code, Some(0), "{cut:?}");
    assert!(!cut.out.contains("were tried"), "{cut:?}");
}

/// Of the interpretations of `next` some let both elements of the sort follow each other.
const STEPS: &str = "\
type N
Steps(N): trait
  introduces
    next: N -> N
automaton Stepper
  assumes Steps(N)
  signature internal go(n: N)
  states at: Set[N] := {}, steps: Nat := 0
  transitions
    internal go(n) pre steps < 2 /\\ n \\notin at eff at := insert(next(n), at); steps := steps + 1
invariant NotAll of Stepper: size(at) < 2
";

#[test]
fn each_interpretation_has_all_ways_of_its_own() {
    let s = Sandbox::new();
    s.write("steps.ioa", STEPS);
    let run =
        "run steps.ioa --sort N=2 --strategy depth-first --depth 3 --runs 1000 --whole --full";
    let found = ioa(&s, run);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(command(&found).contains("--interpretation "), "{found:?}");
    let again = ioa(&s, &format!("{} --full", command(&found)));
    let steps = |answer: &Answer| {
        story(answer)
            .split_once("  false:")
            .expect("a reason")
            .0
            .to_owned()
    };
    assert_eq!(steps(&found), steps(&again), "{again:?}");
    // Without the invariant, all ways are gone in all of them.
    s.replace("steps.ioa", "size(at) < 2", "size(at) < 3");
    let all = ioa(&s, run);
    assert_eq!(all.code, Some(0), "{all:?}");
    assert!(
        all.out.contains("all beginnings of at most 3 steps"),
        "{all:?}"
    );
}

#[test]
fn a_shortened_run_is_written_and_repeated_as_it_is_told() {
    let s = Sandbox::new();
    let wrong = format!("{CLUSTER}invariant Never of Cluster: ~committed\n");
    s.write("cluster.ioa", &wrong);
    let run = "run cluster.ioa --random --sort Node=3 --steps 300 --runs 50 --full";
    let short = ioa(&s, &format!("{run} --trace short.json"));
    assert!(
        short
            .out
            .contains("to 4, of which none can be left out; --whole shows"),
        "{short:?}"
    );
    assert!(short.out.contains("wrote 4 steps of random"), "{short:?}");
    let again = ioa(&s, "run cluster.ioa --replay short.json --full");
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.out.contains("  4: internal commit"), "{again:?}");
    let whole = ioa(&s, &format!("{run} --whole"));
    assert!(!whole.out.contains("shortened"), "{whole:?}");
    assert!(whole.out.contains("  5: internal"), "{whole:?}");
}

#[test]
fn a_strategy_that_cannot_be_had_is_refused() {
    for (flags, message) in [
        (
            "--strategy luck",
            "there is no strategy luck; there are random, pct",
        ),
        ("--strategy pct --depth 0", "from 1 to 1000, not 0"),
        ("--strategy portfolio --depth 2", "depths of their own"),
        (
            "--strategy random --depth 2",
            "strategy random has no depth",
        ),
        (
            "--strategy pct --weight work=2",
            "a weight is for the random scheduler",
        ),
        ("--random --depth 2", "--strategy"),
    ] {
        let refused = workers(flags);
        assert_eq!(refused.code, Some(2), "{flags}: {refused:?}");
        assert!(refused.err.contains(message), "{flags}: {refused:?}");
    }
}

/// A run of a pair is told without the steps that its failure does not need, and whole where that is asked for; both are
/// repeated by the command below them.
#[test]
fn a_failing_paired_run_is_shortened_unless_it_is_to_be_told_whole() {
    let s = Sandbox::new();
    let text = format!(
        "{SLIPPING}\
schedule Ups of Low
  do while true do fire output up; fire internal idle(3); if n = 2 then fire internal slip fi od od
"
    );
    s.write("pair.ioa", text);
    let pair = |more: &str| {
        ioa(
            &s,
            &format!("pair pair.ioa --random --runs 10 --full {more}"),
        )
    };
    let short = pair("--weight idle=9");
    assert_eq!(short.code, Some(1), "{short:?}");
    let said = "to 3, of which none can be left out; --whole shows all of them";
    assert!(short.out.contains(said), "{short:?}");
    assert!(!short.out.contains("internal idle("), "{short:?}");
    let whole = pair("--weight idle=9 --whole");
    assert_eq!(whole.code, Some(1), "{whole:?}");
    assert!(
        !whole.out.contains("shortened") && whole.out.contains("internal idle("),
        "{whole:?}"
    );
    // A schedule says what is to happen.
    let scheduled = ioa(&s, "pair pair.ioa --schedule Ups --full");
    assert_eq!(scheduled.code, Some(1), "{scheduled:?}");
    assert!(!scheduled.out.contains("shortened"), "{scheduled:?}");
    let refused = ioa(&s, "pair pair.ioa --schedule Ups --whole");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("only random runs are shortened"),
        "{refused:?}"
    );
}

/// Workers in lockstep with a specification in which no worker may finish while the other has taken one step alone.
fn watched_workers() -> String {
    let low = &WORKERS[..WORKERS.find("invariant").expect("an invariant")];
    format!(
        "{low}automaton Watched
  signature internal begin(w: W), work(w: W)
  states worked: Array[W, Nat] := constant(0)
  transitions
    internal begin(w) eff worked[w] := 1
    internal work(w)
      pre worked[w] < 19 \\/ (\\A v: W (worked[v] ~= 1))
      eff worked[w] := worked[w] + 1
forward simulation from Workers to Watched: Workers.worked = Watched.worked
  proof
    initially Watched.worked := constant(0)
    for internal begin(w: W) do fire internal begin(w) od
    for internal work(w: W) do fire internal work(w) od
"
    )
}

#[test]
fn a_strategy_drives_the_low_automaton_of_a_pair() {
    let s = Sandbox::new();
    s.write("pair.ioa", watched_workers());
    let pair = |flags: &str| ioa(&s, &format!("pair pair.ioa --sort W=2 --steps 60 {flags}"));
    let drawn = pair("--random --runs 400");
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    for (flags, name) in [
        ("--strategy pct --depth 2 --runs 400", "pct (depth 2): "),
        (
            "--strategy divergences --depth 1 --runs 400",
            "divergences (depth 1): 3 runs",
        ),
        ("--strategy portfolio --runs 400", "portfolio: "),
        // Several runs of a model without a schedule are a portfolio.
        ("--runs 400", "portfolio: "),
    ] {
        let found = pair(&format!("{flags} --full --whole"));
        assert_eq!(found.code, Some(1), "{flags}: {found:?}");
        assert!(found.out.contains(name), "{flags}: {found:?}");
        let again = command(&found);
        assert!(
            again.contains("--strategy ") && !again.contains("portfolio"),
            "{again}"
        );
        let again = again.replace(" --simulation \"Workers to Watched\"", "");
        let again = ioa(&s, &format!("{again} --full"));
        assert_eq!(again.code, Some(1), "{again:?}");
        let told = |answer: &Answer| {
            let (_, told) = answer.out.split_once("\n\n").expect("a story");
            told.to_owned()
        };
        assert_eq!(told(&found), told(&again), "{flags}");
    }
    let all = pair("--strategy divergences --depth 0 --runs 400");
    assert_eq!(all.code, Some(0), "{all:?}");
    assert!(all.out.contains("divergences (depth 0): 1 run,"), "{all:?}");
}

#[test]
fn a_study_may_give_a_pair_a_strategy() {
    let s = Sandbox::new();
    s.write("pair.ioa", watched_workers());
    let study = |section: &str| {
        let sizes = "[study]\nname = \"workers\"\nsources = [\"pair.ioa\"]\n[sizes]\nW = 2\n";
        let pair = "[[pair]]\nsimulation = \"Workers to Watched\"\n";
        s.write("ioa.toml", format!("{sizes}{pair}{section}\n"));
        ioa(&s, "pair .")
    };
    let found = study("random = true\nruns = 400\nsteps = 60\nstrategy = \"pct\"\ndepth = 2");
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.out.contains("pct (depth 2)"), "{found:?}");
    for (section, message) in [
        ("random = true\ndepth = 2", "a depth is for a strategy"),
        (
            "exhaustive = true\nstrategy = \"pct\"",
            "follows all executions",
        ),
        (
            "random = true\nstrategy = \"fast\"",
            "there is no strategy fast",
        ),
    ] {
        let refused = study(section);
        assert_eq!(refused.code, Some(2), "{section}: {refused:?}");
        assert!(refused.err.contains(message), "{section}: {refused:?}");
    }
}

/// In `fill`, one branch is for numbers that there are none of.
const TANK: &str = "\
type Pump
automaton Tank
  signature internal fill(p: Pump), drain
  states on: Set[Pump] := {}, level: Nat := 0
  transitions
    internal fill(p)
      eff if p \\in on then on := delete(p, on)
          elseif level > 50 then level := 7; on := insert(p, on)
          else on := insert(p, on) fi
    internal drain
      pre level < 3
      eff if level = 2 then level := 0 else level := level + 1 fi
";

#[test]
fn a_branch_of_an_effect_that_is_never_taken_is_named() {
    let s = Sandbox::new();
    s.write("tank.ioa", TANK);
    // Few steps are evaluated, and of many the machine code knows the results.
    for much in ["--runs 5 --steps 40", "--runs 50 --steps 3000"] {
        let answer = ioa(&s, &format!("run tank.ioa --random --sort Pump=3 {much}"));
        assert_eq!(answer.code, Some(0), "{answer:?}");
        let warned = answer.out.lines().filter(|l| l.starts_with("warning"));
        let warned: Vec<&str> = warned.collect();
        assert_eq!(warned.len(), 1, "{answer:?}");
        let starts = warned[0].starts_with("warning: a branch of fill was never taken in ");
        assert!(
            starts && warned[0].ends_with(": tank.ioa:8:18"),
            "{answer:?}"
        );
    }
}

#[test]
fn a_branch_is_taken_where_one_component_takes_it() {
    let s = Sandbox::new();
    let text = "\
automaton Cell(first: Bool)
  signature output tick(const first)
  states n: Nat := 0, m: Nat := 0
  transitions output tick(first) eff if first then n := 1 - n else m := 1 - m fi
automaton Both
  components A: Cell(true); B: Cell(false)
";
    s.write("both.ioa", text);
    let run = "run both.ioa --random --automaton Both --runs 3 --steps 40";
    let answer = ioa(&s, run);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(!answer.out.contains("never taken"), "{answer:?}");
    let one = text.replace("; B: Cell(false)", "");
    s.write("both.ioa", &one);
    let answer = ioa(&s, run);
    assert!(
        answer
            .out
            .contains("a branch of tick was never taken in 120 steps: both.ioa:4:68"),
        "{answer:?}"
    );
}

#[test]
fn several_runs_are_a_portfolio_where_nothing_else_is_asked_for() {
    let s = Sandbox::new();
    s.write(
        "count.ioa",
        "automaton Count signature internal up states n: Nat := 0 transitions internal up pre n < 9 eff n := n + 1\n",
    );
    for (flags, name) in [
        ("--runs 8", "portfolio"),
        ("", "random"),
        ("--runs 1", "random"),
        ("--runs 8 --random", "random"),
        ("--runs 8 --weight up=0.5", "random"),
    ] {
        let found = ioa(&s, &format!("run count.ioa --json {flags}"));
        assert_eq!(found.code, Some(0), "{flags}: {found:?}");
        let named = format!("\"name\": \"{name}\"");
        assert!(found.out.contains(&named), "{flags}: {found:?}");
    }
}

/// Several threads make runs, but these are looked at in their order: what is counted, found and printed is the same.
#[test]
fn no_run_depends_on_the_number_of_threads() {
    let s = Sandbox::new();
    s.write("workers.ioa", WORKERS);
    s.write("pair.ioa", watched_workers());
    s.write("cluster.ioa", CLUSTER);
    let monitor = "\
monitor Lonely of Cluster
  signature input join(n: Node), fail(n: Node)
  states ups: Nat := 0
  transitions
    input join(n) eff ups := ups + 1
    input fail(n) eff ups := 0
  hot ups = 0
  cold ups > 2
";
    s.write("watched.ioa", format!("{CLUSTER}{monitor}"));
    for (flags, code) in [
        (
            "run cluster.ioa --random --sort Node=5 --runs 300 --steps 60",
            0,
        ),
        (
            "run watched.ioa --automaton Lonely --random --sort Node=5 --runs 90 --steps 60 --temperature 60",
            0,
        ),
        (
            "run watched.ioa --automaton Lonely --random --sort Node=5 --runs 90 --steps 60 --temperature 25",
            3,
        ),
        ("run workers.ioa --sort W=3 --steps 80 --runs 700", 1),
        (
            "run workers.ioa --sort W=2 --steps 60 --strategy pct --depth 1 --runs 250",
            0,
        ),
        (
            "run workers.ioa --sort W=2 --steps 60 --strategy divergences --depth 1 --runs 400",
            1,
        ),
        ("pair pair.ioa --sort W=2 --steps 60 --runs 400", 1),
        ("pair pair.ioa --sort W=2 --steps 60 --random --runs 90", 0),
    ] {
        let told = |threads: u64| {
            let answer = ioa(&s, &format!("{flags} --json --threads {threads}"));
            assert_eq!(answer.code, Some(code), "{flags}: {answer:?}");
            let lines = answer.out.lines();
            let told = lines.filter(|line| !line.contains("seconds"));
            told.map(String::from).collect::<Vec<_>>()
        };
        let one = told(1);
        for threads in [2, 5] {
            assert_eq!(one, told(threads), "{flags} --threads {threads}");
        }
    }
}
