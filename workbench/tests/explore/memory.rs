//! `--memory` against what the process itself takes, for values of several kinds.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::{Sandbox, two_phase};

/// Numbers too large to be packed, in sequences of sequences and in a map.
const GENERAL: &str = "\
automaton A
  signature
    internal push(n: Nat), pop
  states
    log: Seq[Seq[Nat]] := {},
    names: Map[Nat, Nat] := empty
  transitions
    internal push(n)
      pre n < 9
      eff log := log |- (({} |- n) |- len(log));
          names := update(names, len(log) * 100000000000000000000, n)
    internal pop
      pre len(log) > 3
      eff log := tail(log)
";

/// Few states, whose values are large.
const NESTED: &str = "\
automaton Nested
  signature internal add(k: Nat), drop(k: Nat)
  states kept: Map[Nat, Seq[Seq[Nat]]] := empty, seen: Set[Set[Seq[Nat]]] := {}
  transitions
    internal add(k)
      pre k < 6
      eff kept := update(kept, k, {} |- ({} |- k |- size(seen))); seen := insert({{} |- k |- size(seen)}, seen)
    internal drop(k)
      pre defined(kept, k)
      eff kept := remove(kept, k)
";

/// Many short sequences of numbers that take more than a word.
const LADDER: &str = "\
automaton Ladder
  signature internal double, append, clear
  states n: Nat := 1, rungs: Seq[Nat] := {}
  transitions
    internal double
      pre n < 100000000000000000000000000
      eff n := n * 2
    internal append
      pre len(rungs) < 100
      eff rungs := rungs |- n
    internal clear
      eff rungs := {}
";

/// Sequences and a set of records.
const RECORDS: &str = "\
type Node
type Kind = enumeration of ask, tell
type Message = tuple of kind: Kind, from: Node, to: Node
automaton A
  signature
    internal send(k: Kind, n: Node, m: Node), take(n: Node)
  states
    box: Array[Node, Seq[Message]] := constant({}),
    sent: Set[Message] := {}
  transitions
    internal send(k, n, m)
      pre len(box[m]) < 6
      eff box[m] := box[m] |- [k, n, m]; sent := insert([k, n, m], sent)
    internal take(n)
      pre box[n] ~= {}
      eff box[n] := tail(box[n])
";

/// A simulation whose low automaton has many states, with values of several kinds.
const PAIR: &str = "\
type P
automaton Low
  signature output put(p: P, n: Nat), internal mix(p: P, q: P)
  states a: Array[P, Nat] := constant(0), log: Seq[Nat] := {}, s: Set[Nat] := {}
  transitions
    output put(p, n)
      pre n < 6
      eff a[p] := mod(a[p] + n, 1000); s := if size(s) > 3 then {n} else insert(a[p], s);
          log := if len(log) < 5 then log |- n else tail(log) |- n
    internal mix(p, q)
      pre a[p] < a[q]
      eff a[q] := a[p]
automaton High
  signature output put(p: P, n: Nat)
  states end: Nat := 0
  transitions
    output put(p, n)
      pre n < 6
      eff end := n
forward simulation from Low to High:
  len(Low.log) > 0 => last(Low.log) = High.end
proof
  initially High.end := 0
  for output put(p: P, n: Nat) do fire output put(p, n) od
  for internal mix(p: P, q: P) ignore
";

/// What is taken beside the states: the program, its threads and the translation to machine code (26 MiB were measured), and
/// what the last round found before the bound was looked at again (about 20 MiB at a bound of 100).
const FIXED_MIB: u64 = 64;

/// What `ioa infer` keeps within even where it may take less, in MiB.
const ALONE_MIB: u64 = 150;

/// The most memory that a command ever had, in MiB, and what it printed; none where the system does not say.
fn peak(mut command: Command) -> Option<(u64, String)> {
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("ioa runs");
    let status = format!("/proc/{}/status", child.id());
    let mut most = None;
    while child.try_wait().expect("a process").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kib = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
        most = most.max(kib);
        sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("output");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some((most? / 1024, text))
}

#[test]
fn a_search_takes_no_more_memory_than_it_may() {
    let s = Sandbox::with("general.ioa", GENERAL);
    fs::write(s.path("records.ioa"), RECORDS).expect("a written file");
    fs::write(s.path("nested.ioa"), NESTED).expect("a written file");
    fs::write(s.path("ladder.ioa"), LADDER).expect("a written file");
    let searches = [
        "ladder.ioa",
        "general.ioa",
        "general.ioa --no-native",
        "nested.ioa",
        "nested.ioa --por",
        "records.ioa --sort Node=4",
        "ladder.ioa --swarm 4",
        "nested.ioa --swarm 4",
        &format!("{} --no-symmetry", two_phase(10)),
    ];
    for search in searches {
        for mib in [20, 100] {
            let flags = "--keep-going --allow-deadlock --threads 1";
            let search_it = s.command(&format!("{search} {flags} --memory {mib}M"));
            let Some((peak, said)) = peak(search_it) else {
                eprintln!("skipped: this system does not say how much memory a process takes");
                return;
            };
            let is_said = match search.contains("--swarm") {
                true => said.contains("used up the memory"),
                false => said.contains("stopped at the bound on memory"),
            };
            assert!(is_said, "{search}: {said}");
            assert!(peak < mib + FIXED_MIB, "{search}: {peak} MiB at {mib} MiB");
        }
    }
}

#[test]
fn a_simulation_is_followed_in_no_more_memory_than_it_may_take() {
    let s = Sandbox::with("pair.ioa", PAIR);
    for mib in [20, 60] {
        let mut follow = s.command(&format!("pair.ioa --sort P=2 --memory {mib}M"));
        follow.args(["--simulation", "Low to High"]);
        let Some((peak, said)) = peak(follow) else {
            eprintln!("skipped: this system does not say how much memory a process takes");
            return;
        };
        assert!(said.contains("stopped at the bound on memory"), "{said}");
        assert!(peak < mib + FIXED_MIB, "{peak} MiB at {mib} MiB");
    }
}

/// `ioa infer` learns from the states of many instances, and keeps for each formula in which of them it is true. With less than it takes
/// by itself it says so; what it finds then is printed all the same.
#[test]
fn candidates_take_no_more_memory_than_they_may() {
    let s = Sandbox::with("general.ioa", GENERAL);
    fs::write(s.path("records.ioa"), RECORDS).expect("a written file");
    for model in ["general.ioa", "records.ioa --sort Node=3"] {
        for (mib, said_too) in [(ALONE_MIB, "the memory was used up"), (20, "takes about")] {
            let flags = format!("--random --time 30 --memory {mib}M");
            let Some((peak, said)) = peak(s.ioa(&format!("infer {model} {flags}"))) else {
                eprintln!("skipped: this system does not say how much memory a process takes");
                return;
            };
            assert!(said.contains(said_too), "{model}: {said}");
            assert!(said.contains("Likely invariants"), "{model}: {said}");
            let most = mib.max(ALONE_MIB);
            assert!(peak <= most, "{model}: {peak} MiB at {mib} MiB");
        }
    }
}
