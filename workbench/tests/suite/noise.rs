//! What `ioa infer` reports must be true at every instance that can be visited, also in larger ones than those it learns from and in
//! every interpretation of the theories. The models are of no study; what they do wrong they do where nobody looks at first.

use crate::lemmas::candidates;

/// What seven lamps do together no fewer can do.
const LAMPS: &str = "type Lamp
automaton Street
  signature
    internal switch(l: Lamp), fuse
  states
    on: Set[Lamp] := {},
    used: Set[Lamp] := {},
    dark: Bool := false
  transitions
    internal switch(l) eff on := insert(l, on); used := insert(l, used)
    internal fuse pre 7 <= size(on) eff dark := true; on := {}
";

/// A walker goes round on a map that anybody may have drawn, and notices when it has been at four places.
const WALK: &str = "type Place
vocabulary Maps
  operators next: Place -> Place, home: -> Place
  axioms \\A p: Place \\A q: Place (next(p) = next(q) => p = q)
end
imports Maps

automaton Walk
  signature
    internal go, rest, wonder
  states
    at: Place := home,
    seen: Set[Place] := {},
    tired: Bool := false,
    wondered: Bool := false
  transitions
    internal go
      pre ~tired
      eff seen := insert(at, seen);
          at := next(at);
          tired := true
    internal rest eff tired := false
    internal wonder pre size(seen) = 4 eff wondered := true
";

/// A queue that is turned now and then, with a mark that stays with whoever was first.
const QUEUE: &str = "type User
automaton Line
  signature
    internal come(u: User), turn, mark
  states
    line: Seq[User] := {},
    marked: Null[User] := nil
  transitions
    internal come(u) pre u \\notin line eff line := line |- u
    internal turn pre 1 < len(line) eff line := tail(line) |- head(line)
    internal mark pre marked = nil /\\ line ~= {} eff marked := embed(head(line))
";

/// The list is closed when five have met everybody: that takes 25 steps or more, and there are too many states to go through all that
/// are as near to the start.
const MET: &str = "type P
assumes TotalOrder(P)
automaton Met
  signature
    internal meet(p: P, q: P), close
  states
    met: Array[P, Set[P]] := constant({}),
    closed: Bool := false
  transitions
    internal meet(p, q)
      pre q \\notin met[p] \\/ p <= q
      eff met[p] := insert(q, met[p])
    internal close
      pre 5 <= size({p: P where \\A q: P (q \\in met[p])})
      eff closed := true
";

/// A leader holds a lease for two ticks; the next one is elected when it has run out, in a new epoch.
const LEASE: &str = "type Node
automaton Lease
  signature
    internal elect(n: Node), renew(n: Node), tick, stepDown(n: Node), write(n: Node)
  states
    epoch: Nat := 0,
    promised: Array[Node, Nat] := constant(0),
    leader: Null[Node] := nil,
    left: Nat := 0,
    writer: Null[Node] := nil,
    written: Nat := 0
  transitions
    internal elect(n)
      pre left = 0 /\\ epoch < 3
      eff epoch := epoch + 1;
          promised[n] := epoch;
          leader := embed(n);
          left := 2
    internal renew(n)
      pre leader = embed(n) /\\ 0 < left
      eff left := 2
    internal tick
      pre 0 < left
      eff left := left - 1
    internal stepDown(n)
      pre leader = embed(n)
      eff leader := nil; left := 0
    internal write(n)
      pre leader = embed(n) /\\ 0 < left
      eff writer := embed(n); written := epoch
";

/// Workers take their own tasks from the front, and steal those of others from the back.
const POOL: &str = "type Worker
type Task
automaton Pool
  signature
    input submit(t: Task, w: Worker)
    internal take(w: Worker), steal(w: Worker, v: Worker), finish(w: Worker)
  states
    queue: Array[Worker, Seq[Task]] := constant({}),
    running: Array[Worker, Null[Task]] := constant(nil),
    submitted: Set[Task] := {},
    done: Set[Task] := {}
  transitions
    input submit(t, w)
      eff if t \\notin submitted then
            submitted := insert(t, submitted);
            queue[w] := queue[w] |- t
          fi
    internal take(w)
      pre running[w] = nil /\\ queue[w] ~= {}
      eff running[w] := embed(head(queue[w]));
          queue[w] := tail(queue[w])
    internal steal(w, v)
      pre w ~= v /\\ running[w] = nil /\\ queue[w] = {} /\\ queue[v] ~= {}
      eff running[w] := embed(last(queue[v]));
          queue[v] := init(queue[v])
    internal finish(w)
      pre running[w] ~= nil
      eff done := insert(running[w].val, done);
          running[w] := nil
";

/// Explores all that is reported of a model at some sizes, with so many states at most.
fn is_true_of(model: &str, flags: &[&str], sizes: &[&str], absent: &str) {
    let (s, found) = candidates(model, flags);
    assert!(!found.is_empty(), "{model}");
    assert!(!found.iter().any(|one| one == absent), "{found:#?}");
    for size in sizes {
        let explore = ["explore", "model.ioa", "found.ioa", "--allow-deadlock"];
        let given = ["--sort", *size, "--states", "100000"];
        let answer = s.ioa(&[&explore[..], &given].concat());
        assert_eq!(answer.code, Some(0), "{size}: {answer:?} {found:#?}");
    }
}

#[test]
fn what_larger_instances_refute_is_not_reported() {
    let sizes = ["Lamp=1", "Lamp=3", "Lamp=7", "Lamp=8"];
    is_true_of(LAMPS, &["--sort", "Lamp=2"], &sizes, "~dark");
    let sizes = ["User=4", "User=5"];
    is_true_of(QUEUE, &["--sort", "User=2"], &sizes, "marked = nil");
}

#[test]
fn what_only_long_runs_refute_is_not_reported() {
    // A sixth may be on no list at all.
    let absent = "\\A p: P (closed => p \\in met[p])";
    is_true_of(MET, &["--sort", "P=2"], &["P=3", "P=4"], absent);
}

#[test]
fn what_is_reported_of_leases_and_of_stealing_is_true_of_more() {
    let sizes = ["Node=3", "Node=4", "Node=5"];
    let zero = "leader = nil => left <= 0";
    is_true_of(LEASE, &["--sort", "Node=2"], &sizes, zero);
    let sizes = ["Worker=3,Task=3", "Worker=2,Task=4", "Worker=4,Task=2"];
    let absent = "\\A w: Worker (len(queue[w]) <= 2)";
    is_true_of(POOL, &["--sort", "Worker=2,Task=2"], &sizes, absent);
}

/// `ioa explore` visits all interpretations.
#[test]
fn what_other_interpretations_refute_is_not_reported() {
    let sizes = ["Place=3", "Place=4", "Place=5"];
    is_true_of(WALK, &["--sort", "Place=2"], &sizes, "~wondered");
}

/// A vote is over when nine have voted.
const VOTE: &str = "type Person
automaton Vote
  signature
    internal vote(p: Person), close, count
  states
    voted: Set[Person] := {},
    closed: Bool := false,
    counted: Bool := false
  transitions
    internal vote(p) pre ~closed /\\ p \\notin voted eff voted := insert(p, voted)
    internal close pre 9 <= size(voted) eff closed := true
    internal count pre closed eff counted := true
";

#[test]
fn as_many_are_looked_at_as_the_text_counts_to() {
    let sizes = ["Person=8", "Person=9", "Person=10"];
    is_true_of(VOTE, &["--sort", "Person=2"], &sizes, "~counted");
    // Otherwise it is said what never happened.
    let told = |model: &str| {
        let (found, code) = crate::lemmas::told(model, "", &["--sort", "Person=2"]);
        assert_eq!(code, Some(0), "{found}");
        found
    };
    let never = "close and count never happened in anything that was looked at";
    assert!(!told(VOTE).contains("never happened"));
    assert!(told(&VOTE.replace("9 <=", "90 <=")).contains(never));
}
