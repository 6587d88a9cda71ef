//! `--por`: states are left out that differ from visited ones in the order of independent steps alone.

use super::Sandbox;

/// Workers send to a store over channels of their own, and begin again.
const SHOP: &str = "\
type Worker
type Stage = enumeration of idle, sawn, planed
automaton Shop
  signature internal saw(w: Worker), plane(w: Worker), deliver(w: Worker), fetch(w: Worker), close
  states
    stage: Array[Worker, Stage] := constant(idle),
    belt: Array[Worker, Seq[Worker]] := constant({}),
    waiting: Array[Worker, Bool] := constant(true),
    open: Bool := true
  transitions
    internal saw(w) pre stage[w] = idle eff stage[w] := sawn
    internal plane(w) pre stage[w] = sawn eff stage[w] := planed
    internal deliver(w) pre stage[w] = planed /\\ waiting[w] eff stage[w] := idle; waiting[w] := false; belt[w] := belt[w] |- w
    internal fetch(w) pre belt[w] ~= {} eff waiting[w] := true; belt[w] := tail(belt[w])
    internal close pre open /\\ (\\A w: Worker (stage[w] = planed)) eff open := false
invariant Open of Shop: open
invariant Own of Shop: \\A w: Worker (belt[w] ~= {} => head(belt[w]) = w)
";

const ALL: &str = "shop.ioa --sort Worker=3 --allow-deadlock --no-symmetry";

fn figure(s: &Sandbox, question: &str, name: &str) -> u64 {
    let document = s.json(question);
    let figure = document["results"][0]["figures"][name].as_u64();
    figure.expect("a figure")
}

fn sandbox() -> Sandbox {
    Sandbox::with("shop.ioa", SHOP)
}

#[test]
fn fewer_states_are_visited_and_what_is_asked_is_answered_as_before() {
    let s = sandbox();
    for question in [
        "--only Open --keep-going",
        "--only Open --keep-going --independence footprints",
    ] {
        let all = question.replace(" --independence footprints", "");
        let states = figure(&s, &format!("{ALL} {all}"), "distinct_states");
        let some = figure(&s, &format!("{ALL} {question} --por"), "distinct_states");
        assert!(some < states, "{question}: {some} of {states}");
        s.explore(&format!("{ALL} {question} --por"))
            .says(1, "invariant Open of Shop is violated");
    }
    let holds = s.explore(&format!("{ALL} --only Own --por"));
    holds.says(0, "visited states, and so in all states");
    holds.says(0, "others may be reachable");
    s.explore(&format!("{ALL} --por --find ~open"))
        .says(0, "found");
    s.explore(&format!("{ALL} --por --check open"))
        .says(1, "--por");
    let threads = |n: u64| {
        let question = format!("{ALL} --por --only Own --threads {n}");
        figure(&s, &question, "distinct_states")
    };
    assert_eq!(threads(1), threads(2));
    let interpreted = format!("{ALL} --por --only Own --no-native");
    assert_eq!(figure(&s, &interpreted, "distinct_states"), threads(1));
}

/// Somebody goes around in circles, and somebody else can do something wrong, once.
const CIRCLES: &str = "\
automaton Circles
  signature internal turn, slip
  states hand: Bool := false, slipped: Bool := false
  transitions
    internal turn eff hand := ~hand
    internal slip pre ~slipped eff slipped := true
invariant Upright of Circles: ~slipped
";

#[test]
fn nothing_is_put_off_for_ever() {
    let s = Sandbox::with("circles.ioa", CIRCLES);
    s.explore("circles.ioa --por")
        .says(1, "invariant Upright of Circles is violated");
}

/// A mistake that cannot be seen any more once it was excused.
const EXCUSE: &str = "\
automaton Excuse
  signature internal excuse, err
  states excused: Bool := false, erred: Bool := false
  transitions
    internal excuse pre ~excused eff excused := true
    internal err pre ~erred eff erred := true
invariant Fine of Excuse: erred => excused
";

#[test]
fn what_restores_a_formula_is_not_put_before_what_breaks_it() {
    let s = Sandbox::with("excuse.ioa", EXCUSE);
    for how in ["", "--independence footprints"] {
        s.explore(&format!("excuse.ioa --por --allow-deadlock {how}"))
            .says(1, "invariant Fine of Excuse is violated");
    }
}

/// Two steps that lead to a deadlock in one order only.
const LOCKS: &str = "\
type P = enumeration of a, b
automaton Locks
  signature internal first(p: P), second(p: P), free(p: P), idle(p: P)
  states at: Array[P, Nat] := constant(0), held: Array[P, Bool] := constant(false), rest: Array[P, Nat] := constant(0)
  transitions
    internal idle(p) pre rest[p] < 3 eff rest[p] := rest[p] + 1
    internal first(p) pre at[p] = 0 /\\ ~held[p] /\\ rest[p] = 3 eff at[p] := 1; held[p] := true
    internal second(p)
      pre at[p] = 1 /\\ ((p = a /\\ ~held[b]) \\/ (p = b /\\ ~held[a]))
      eff at[p] := 2; if p = a then held[b] := true else held[a] := true fi
    internal free(p) pre at[p] = 2 eff at[p] := 0; held[a] := false; held[b] := false
";

#[test]
fn deadlocks_are_kept() {
    let s = Sandbox::with("locks.ioa", LOCKS);
    let [some, all] = ["--por", ""].map(|how| {
        let question = format!("locks.ioa --keep-going --no-symmetry {how}");
        s.explore(&question).says(1, "Locks cannot go on");
        figure(&s, &question, "distinct_states")
    });
    assert!(some < all, "{some} of {all}");
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let s = sandbox();
    for other in [
        "--dpor",
        "--symmetry",
        "--swarm 2",
        "--levels",
        "--coverage",
        "--within open",
        "--ignore open",
        "--possible open",
        "--depth 3",
        "--checkpoint c",
        "--disk d",
        "--dot g",
    ] {
        let all = ALL.replace(" --no-symmetry", "");
        s.explore(&format!("{all} --por {other}"))
            .says(2, "cannot be used with");
    }
    s.explore(&format!("{ALL} --independence footprints"))
        .says(2, "--por");
}

#[test]
fn a_study_can_ask_for_it() {
    let s = sandbox();
    let manifest = |more: &str| {
        let text = format!(
            "[study]\nname = \"shop\"\nsources = [\"shop.ioa\"]\n[sizes]\nWorker = 3\n[[explore]]\nautomaton = \"Shop\"\npor = true\nallow_deadlock = true\n{more}\n"
        );
        std::fs::write(s.path("ioa.toml"), text).expect("a written file");
    };
    manifest("");
    s.explore(". --only Own").says(0, "partial order reduction");
    manifest("within = [\"open\"]");
    s.explore(". --only Own").says(2, "--within");
    manifest("distinct = 12");
    s.explore(". --only Own --check true")
        .says(0, "partial order reduction");
}

/// Everybody posts a letter to everybody else, through a slot for each pair, and everybody reads what comes.
const POST: &str = "\
type P
automaton Post
  signature internal post(i: P, j: P), take(i: P, j: P), close
  states
    full: Array[P, Array[P, Bool]] := constant(constant(false)),
    line: Array[P, Array[P, Seq[P]]] := constant(constant({})),
    read: Array[P, Set[P]] := constant({}),
    open: Bool := true
  transitions
    internal post(i, j) pre i ~= j /\\ ~full[i][j] eff full[i][j] := true; line[i][j] := line[i][j] |- i
    internal take(i, j) pre line[i][j] ~= {} eff read[j] := insert(i, read[j]); line[i][j] := tail(line[i][j])
    internal close pre open /\\ WHEN eff open := false
invariant Open of Post: open
";

#[test]
fn cells_of_cells_are_told_apart() {
    let s = sandbox();
    let asked = "--sort P=3 --allow-deadlock --no-symmetry --only Open --keep-going";
    let when = |file: &str, when: &str| {
        std::fs::write(s.path(file), POST.replace("WHEN", when)).expect("a written file");
        let all = figure(&s, &format!("{file} {asked}"), "distinct_states");
        let some = format!("{file} {asked} --por --independence footprints");
        (all, figure(&s, &some, "distinct_states"))
    };
    // What one pair does is independent of what any other pair does.
    assert_eq!(when("never.ioa", "false"), (729, 13));
    // A step that looks at all cells does not commute with those that write one.
    let (all, some) = when("full.ioa", "(\\A i: P (\\A j: P (i = j \\/ full[i][j])))");
    assert!(13 < some && some < all, "{some} of {all}");
    s.explore(&format!("full.ioa {asked} --por --independence footprints"))
        .says(1, "invariant Open of Post is violated");
}

/// Each station sends itself numbers over a channel of its own, and something may go wrong.
const STATIONS: &str = "\
type Station
automaton Stations
  signature internal send(s: Station, k: Nat), receive(s: Station, k: Nat), wrong
  states
    sent: Array[Station, Nat] := constant(0),
    got: Array[Station, Nat] := constant(0),
    channel: Array[Station, Seq[Nat]] := constant({}),
    right: Bool := true
  transitions
    internal send(s, k)
      pre k = sent[s] + 1 /\\ k <= 3
      eff sent[s] := k; channel[s] := channel[s] |- k
    internal receive(s, k)
      pre channel[s] ~= {} /\\ k = head(channel[s])
      eff got[s] := k; channel[s] := tail(channel[s])
    internal wrong pre right /\\ (\\A s: Station (got[s] = 2 /\\ channel[s] = {})) eff right := false
invariant Right of Stations: right
invariant Order of Stations: \\A s: Station (got[s] <= sent[s])
";

/// Labels that leave numbers open tell stations apart all the same.
#[test]
fn parameters_that_cannot_be_listed_are_left_open() {
    let s = Sandbox::with("stations.ioa", STATIONS);
    let all = "stations.ioa --sort Station=3 --allow-deadlock --no-symmetry --keep-going";
    let only = |what: &str| format!("{all} --only {what}");
    let states = figure(&s, &only("Right"), "distinct_states");
    for how in ["", "--independence footprints", "--no-native"] {
        let some = format!("{} --por {how}", only("Right"));
        let visited = figure(&s, &some, "distinct_states");
        assert!(10 * visited < states, "{how}: {visited} of {states}");
        s.explore(&some)
            .says(1, "invariant Right of Stations is violated");
        s.explore(&format!("{} --por {how}", only("Order")))
            .says(0, "visited states, and so in all states");
    }
}

/// One step of a label is enabled at first, another one only after a step of somebody else, and that one goes wrong.
const POOL: &str = "\
automaton Pool
  signature internal pick(k: Nat), fill, turn
  states pool: Set[Nat] := {1}, picked: Nat := 0, filled: Bool := false, side: Bool := false
  transitions
    internal pick(k) pre k \\in pool /\\ picked = 0 eff picked := k
    internal fill pre ~filled eff filled := true; pool := insert(2, pool)
    internal turn pre ~side eff side := true
invariant One of Pool: picked ~= 2
";

#[test]
fn steps_of_a_label_that_are_not_enabled_yet_are_not_forgotten() {
    let s = Sandbox::with("pool.ioa", POOL);
    for how in ["", "--independence footprints"] {
        s.explore(&format!("pool.ioa --por --allow-deadlock {how}"))
            .says(1, "invariant One of Pool is violated");
    }
}
