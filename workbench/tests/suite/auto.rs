//! `ioa prove --auto`: lemmas that nobody wrote, on models that nothing was made for; and where it must say no.

use crate::sandbox::{Answer, Sandbox};

/// A lock server: what was sent is received in any order.
const LOCKS: &str = "type Node
automaton Locks
  signature
    internal ask(n: Node), grant(n: Node), take(n: Node), giveBack(n: Node), free(n: Node)
  states
    asked: Set[Node] := {},
    granted: Set[Node] := {},
    released: Set[Node] := {},
    holds: Set[Node] := {},
    isFree: Bool := true
  transitions
    internal ask(n)
      eff asked := insert(n, asked)
    internal grant(n)
      pre isFree /\\ n \\in asked
      eff isFree := false; asked := delete(n, asked); granted := insert(n, granted)
    internal take(n)
      pre n \\in granted
      eff granted := delete(n, granted); holds := insert(n, holds)
    internal giveBack(n)
      pre n \\in holds
      eff holds := delete(n, holds); released := insert(n, released)
    internal free(n)
      pre n \\in released
      eff released := delete(n, released); isFree := true

invariant Mutex of Locks: \\A m: Node \\A n: Node (m \\in holds /\\ n \\in holds => m = n)
";

/// Peterson's algorithm for two.
const PETERSON: &str = "type Side = enumeration of left, right
type PC = enumeration of idle, raised, waiting, critical
automaton Peterson
  signature
    internal raise(s: Side), defer(s: Side, t: Side), enter(s: Side, t: Side), leave(s: Side)
  states
    pc: Array[Side, PC] := constant(idle),
    flag: Array[Side, Bool] := constant(false),
    turn: Side := left
  transitions
    internal raise(s)
      pre pc[s] = idle
      eff flag[s] := true; pc[s] := raised
    internal defer(s, t)
      pre pc[s] = raised /\\ s ~= t
      eff turn := t; pc[s] := waiting
    internal enter(s, t)
      pre pc[s] = waiting /\\ s ~= t /\\ (~flag[t] \\/ turn = s)
      eff pc[s] := critical
    internal leave(s)
      pre pc[s] = critical
      eff flag[s] := false; pc[s] := idle

invariant Mutex of Peterson: ~(pc[left] = critical /\\ pc[right] = critical)
";

/// Who is answered from outside has been asked: a goal with a quantifier inside another one.
const FIREWALL: &str = "type Host
type Packet = tuple of src: Host, dst: Host
automaton Firewall(inside: Set[Host])
  signature
    internal outward(a: Host, b: Host), inward(a: Host, b: Host)
  states
    sent: Set[Packet] := {},
    allowed: Set[Host] := {}
  transitions
    internal outward(a, b)
      pre a \\in inside /\\ b \\notin inside
      eff sent := insert([a, b], sent); allowed := insert(b, allowed)
    internal inward(a, b)
      pre a \\notin inside /\\ b \\in inside /\\ a \\in allowed
      eff sent := insert([a, b], sent)

invariant Solicited of Firewall: \\A a: Host \\A b: Host
  ([a, b] \\in sent /\\ a \\notin inside => \\E c: Host (c \\in inside /\\ [c, a] \\in sent))
";

/// A counter with numbered tickets: no set of clauses that hold in small instances is inductive by itself.
const COUNTER: &str = "type Guest
type Place = enumeration of outside, queue, counter
automaton Counter
  signature
    internal draw(g: Guest), step(g: Guest), done(g: Guest)
  states
    place: Array[Guest, Place] := constant(outside),
    number: Array[Guest, Nat] := constant(0),
    last: Nat := 0,
    called: Nat := 0
  transitions
    internal draw(g)
      pre place[g] = outside
      eff number[g] := last; last := last + 1; place[g] := queue
    internal step(g)
      pre place[g] = queue /\\ number[g] <= called
      eff place[g] := counter
    internal done(g)
      pre place[g] = counter
      eff called := called + 1; place[g] := outside

invariant One of Counter: \\A g: Guest \\A h: Guest (place[g] = counter /\\ place[h] = counter => g = h)
";

/// Its lemma is that a remainder is always the same.
const EVEN: &str = "automaton Even
  signature internal up
  states n: Nat := 0
  transitions
    internal up pre true eff n := n + 2
invariant NotSeven of Even: n ~= 7
";

/// What its invariant needs is that one number is the square of the other, which no lemma says.
const SQUARES: &str = "automaton Squares
  signature internal up
  states n: Nat := 0, k: Nat := 0
  transitions
    internal up eff n := n + 2 * k + 1; k := k + 1
invariant NotTwelve of Squares: n ~= 12
";

/// A ticket lock whose tickets are any ordered values: its lemmas speak of two threads and of an order.
const TICKETS: &str = "type Thread
type Ticket
assumes TotalOrder(Ticket)
type Pc = enumeration of idle, waiting, critical
automaton Tickets(zero: Ticket) where \\A t: Ticket (zero <= t)
  signature
    internal take(p: Thread, n: Ticket), enter(p: Thread), exit(p: Thread, n: Ticket)
  states
    service: Ticket := zero,
    next: Ticket := zero,
    mine: Array[Thread, Ticket] := constant(zero),
    pc: Array[Thread, Pc] := constant(idle)
  transitions
    internal take(p, n)
      pre pc[p] = idle /\\ next < n /\\ \\A t: Ticket (next < t => n <= t)
      eff mine[p] := next; next := n; pc[p] := waiting
    internal enter(p)
      pre pc[p] = waiting /\\ mine[p] <= service
      eff pc[p] := critical
    internal exit(p, n)
      pre pc[p] = critical /\\ service < n /\\ \\A t: Ticket (service < t => n <= t)
      eff pc[p] := idle; service := n
invariant Mutex of Tickets: \\A p, q: Thread (pc[p] = critical /\\ pc[q] = critical => p = q)
";

/// What three clerks may do at once, two at most: only an instance with three of them can show a mistake.
const COUNTERS: &str = "type Clerk
automaton Desk
  signature
    internal open(c: Clerk), join(c: Clerk), close(c: Clerk)
  states
    busy: Set[Clerk] := {}
  transitions
    internal open(c)
      pre busy = {}
      eff busy := {c}
    internal join(c)
      pre \\A d, e: Clerk (d \\in busy /\\ e \\in busy => d = e)
      eff busy := insert(c, busy)
    internal close(c)
      eff busy := delete(c, busy)
invariant NeverThree of Desk:
  \\A c, d, e: Clerk (c \\in busy /\\ d \\in busy /\\ e \\in busy => c = d \\/ d = e \\/ c = e)
";

/// Letters are handed on, and who receives one may use the way on which it came. What has to be known of a letter names two of the four nodes that
/// are written on it, and any of the four may be the same.
const MAIL: &str = "type Node
type Letter = tuple of sender, receiver, by, at: Node
type Route = tuple of start, finish: Node
automaton Mail
  signature
    internal send(a, b: Node), carry(l: Letter, n: Node), answer(l: Letter)
  states
    letters: Set[Letter] := {},
    known: Set[Route] := {},
    used: Set[Route] := {}
  transitions
    internal send(a, b)
      eff known := insert([a, a], known);
          letters := insert([a, b, a, a], letters)
    internal carry(l, n)
      pre l \\in letters
      eff known := insert([l.sender, l.at], known);
          letters := insert([l.sender, l.receiver, l.at, n], letters)
    internal answer(l)
      pre l \\in letters
      eff used := insert([l.sender, l.by], used)
invariant Safe of Mail: \\A r: Route (r \\in used => r \\in known)
";

/// What is said of a model, within so many seconds.
fn auto(model: &str, more: &[&str]) -> (Sandbox, Answer) {
    let s = Sandbox::new();
    s.write("model.ioa", model);
    let args = [&["prove", "model.ioa", "--auto"], more].concat();
    let answer = s.ioa(&args);
    (s, answer)
}

/// The lemmas of an answer, as IOA text.
fn lemmas(answer: &Answer) -> String {
    let from = answer.out.find("% With these lemmas").expect("lemmas");
    answer.out[from..].to_owned()
}

/// That the lemmas, written into a file beside the model, prove it in the ordinary way, and that it is not proved without.
fn are_needed_and_enough(model: &str) {
    let (s, answer) = auto(model, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    s.write("lemmas.ioa", lemmas(&answer));
    assert_eq!(s.ioa(&["prove", "model.ioa", "lemmas.ioa"]).code, Some(0));
    assert_eq!(s.ioa(&["prove", "model.ioa"]).code, Some(3));
    let (_, again) = auto(model, &[]);
    assert_eq!(lemmas(&answer), lemmas(&again));
}

#[test]
fn a_lock_server_and_peterson_are_proved_and_the_lemmas_are_enough_for_the_ordinary_proof() {
    are_needed_and_enough(LOCKS);
    are_needed_and_enough(PETERSON);
}

#[test]
fn a_lemma_has_more_variables_than_there_were_elements_if_it_needs_them() {
    let (_, answer) = auto(MAIL, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains("1 lemma: diagrams of"), "{answer:?}");
    let lemmas = lemmas(&answer);
    let four = "\\A n, p, n1, n2: Node ([n, n1, p, n2] \\in letters => [n, p] \\in known)";
    assert!(lemmas.contains(four), "{lemmas}");
    // What is handed on by one node may be used as a way to another.
    let broken = MAIL.replace("known := insert([l.sender, l.at], known);\n          ", "");
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

#[test]
fn counterexamples_to_induction_say_what_is_missing() {
    let (s, answer) = auto(COUNTER, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains(" counterexamples in "), "{answer:?}");
    s.write("lemmas.ioa", lemmas(&answer));
    assert_eq!(s.ioa(&["prove", "model.ioa", "lemmas.ioa"]).code, Some(0));
    // Whoever is done calls two numbers at once.
    let broken = COUNTER.replace("called := called + 1", "called := called + 2");
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

#[test]
fn diagrams_of_counterexamples_give_lemmas_about_two_threads_and_an_order() {
    let (s, answer) = auto(TICKETS, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains(" lemmas: diagrams of "), "{answer:?}");
    s.write("lemmas.ioa", lemmas(&answer));
    assert_eq!(s.ioa(&["prove", "model.ioa", "lemmas.ioa"]).code, Some(0));
    assert_eq!(s.ioa(&["prove", "model.ioa"]).code, Some(3));
    // A number may be called before it is taken.
    let broken = TICKETS.replace(
        "service < n /\\ \\A t: Ticket (service < t => n <= t)",
        "service < n",
    );
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

/// Most clauses that exclude a counterexample are not inductive there, and each leads to more of them.
#[test]
fn what_is_inductive_relative_to_the_rest_is_preferred() {
    let bakery = include_str!("../../../case-studies/bakery/bakery.ioa");
    let (s, answer) = auto(bakery, &["--only", "Exclusion"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let goal = bakery
        .split_once("% Whoever waits or is inside has a number")
        .expect("lemmas");
    s.write("goal.ioa", goal.0);
    s.write("lemmas.ioa", lemmas(&answer));
    assert_eq!(s.ioa(&["prove", "goal.ioa", "lemmas.ioa"]).code, Some(0));
    // Whoever chooses a number is not waited for.
    let broken = bakery.replace("/\\ phase[q] ~= choosing", "");
    assert_ne!(broken, bakery);
    let (_, answer) = auto(&broken, &["--only", "Exclusion"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

/// That a value cannot be chosen any more says something of some member of each quorum, about four variables: whatever is said of a
/// few nodes that have names is false where there are more of them.
#[test]
fn diagrams_have_quantifiers_over_quorums_and_their_members() {
    let paxos = include_str!("../../benches/auto/paxos.ioa");
    let (s, answer) = auto(paxos, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let found = lemmas(&answer);
    assert!(found.contains("\\A q: Quorum"), "{found}");
    s.write("lemmas.ioa", found);
    assert_eq!(s.ioa(&["prove", "model.ioa", "lemmas.ioa"]).code, Some(0));
    // Whoever proposes freely does not ask what its quorum voted for.
    let broken = paxos.replace(
        "r \\in joined[n] /\\ \\A p: Vote (p \\in votes[n] => r <= p.round)",
        "r \\in joined[n]",
    );
    assert_ne!(broken, paxos);
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

/// In the largest instance that is learnt from, a quorum, another one and a member of that have thousands of values together.
#[test]
fn an_instance_in_which_nested_variables_have_too_many_values_is_passed_over() {
    let consensus = include_str!("../../benches/auto/toy_consensus_forall.ioa");
    let (s, answer) = auto(consensus, &["--budget", "20"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    s.write("lemmas.ioa", lemmas(&answer));
    assert_eq!(s.ioa(&["prove", "model.ioa", "lemmas.ioa"]).code, Some(0));
    // Whoever has voted may vote again.
    let broken = consensus.replace("pre n \\notin voted", "pre true");
    assert_ne!(broken, consensus);
    let (_, answer) = auto(&broken, &["--budget", "20"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

/// Letters with the number of a draft, which has to be one of the past: what is missing speaks of the letters on the way.
const LETTERS: &str = "type Reader
type Letter = tuple of to: Reader, draft: Nat
automaton Office
  signature
    internal write, send(r: Reader), deliver(m: Letter), lose(m: Letter)
  states
    draft: Nat := 0,
    known: Array[Reader, Nat] := constant(0),
    onTheWay: Set[Letter] := {}
  transitions
    internal write
      eff draft := draft + 1
    internal send(r)
      eff onTheWay := insert([r, draft], onTheWay)
    internal deliver(m)
      pre m \\in onTheWay
      eff known[m.to] := m.draft
    internal lose(m)
      pre m \\in onTheWay
      eff onTheWay := delete(m, onTheWay)

invariant OfThePast of Office: \\A r: Reader (known[r] <= draft)
";

#[test]
fn a_lemma_about_all_messages_on_the_way_is_found() {
    let (s, answer) = auto(LETTERS, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let found = lemmas(&answer);
    assert!(found.contains(": Letter ("), "{found}");
    s.write("lemmas.ioa", found);
    assert_eq!(s.ioa(&["prove", "model.ioa", "lemmas.ioa"]).code, Some(0));
    assert_eq!(s.ioa(&["prove", "model.ioa"]).code, Some(3));
    // A letter may be about a draft that is not written yet.
    let broken = LETTERS.replace("insert([r, draft], ", "insert([r, draft + 1], ");
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

#[test]
fn what_only_three_elements_refute_is_violated() {
    let (_, answer) = auto(COUNTERS, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let broken = COUNTERS.replace(
        "d \\in busy /\\ e \\in busy => d = e",
        "d \\in busy => c = c",
    );
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.out.contains("Clerk=3"), "{answer:?}");
}

/// A goal that is false only where there are nine elements.
const NINE: &str = "\
type N
automaton R
  signature internal mark(x: N), boom
  states s: Set[N] := {}, broken: Bool := false
  transitions
    internal mark(x) eff s := insert(x, s)
    internal boom pre size(s) >= 9 eff broken := true
invariant Safe of R: ~broken
";

#[test]
fn what_the_text_counts_to_is_looked_for_among_as_many() {
    for false_at in [5, 9] {
        let model = NINE.replace('9', &false_at.to_string());
        let (s, answer) = auto(&model, &[]);
        assert_eq!(answer.code, Some(1), "{answer:?}");
        assert!(
            answer.out.contains(&format!("--sort N={false_at} ")),
            "{answer:?}"
        );
        // The ordinary proof looks there too.
        let answer = s.ioa(&["prove", "model.ioa"]);
        assert_eq!(answer.code, Some(1), "{answer:?}");
        assert!(answer.out.contains("violated"), "{answer:?}");
    }
}

#[test]
fn a_lemma_with_a_quantifier_inside_another_is_made_of_the_goal_and_a_precondition() {
    are_needed_and_enough(FIREWALL);
    // Who sends from outside does not have to be allowed any more.
    let broken = FIREWALL.replace(" /\\ a \\in allowed", "");
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

#[test]
fn a_simulation_is_proved_without_the_lemmas_of_the_study() {
    let study = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../case-studies/two-phase-commit"
    );
    let asked = ["prove", study, "--auto", "--only", "TwoPhase to TCommit"];
    let answer = Sandbox::new().ioa(&asked);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(
        lemmas(&answer).contains("needed for TwoPhase to TCommit"),
        "{answer:?}"
    );
    assert!(!answer.out.contains("CommitNeedsAll"), "{answer:?}");
}

#[test]
fn a_proof_block_that_fails_on_an_execution_is_violated_whatever_lemmas_there_are() {
    let s = Sandbox::new();
    assert_eq!(s.ioa(&["new", "locks"]).code, Some(0));
    // The server does not remember that it gave the token away.
    s.replace("locks/server.ioa", "free := false", "free := true");
    let answer = s.ioa(&["prove", "locks", "--auto"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let results = answer.out.lines();
    let mut rows = results.filter(|line| line.contains("Server to Lock"));
    assert!(rows.any(|row| row.contains("violated")), "{answer:?}");
    let replay = answer.replay();
    let args: Vec<&str> = replay.iter().map(String::as_str).collect();
    let again = s.ioa(&args);
    assert_eq!(again.code, Some(1), "{again:?}");
}

#[test]
fn each_lemma_says_what_it_is_needed_for() {
    let (_, answer) = auto(LOCKS, &["--json"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let document = answer.json();
    let results = document["results"].as_array().expect("results");
    let found = results
        .iter()
        .find(|r| r["kind"] == "lemmas")
        .expect("lemmas");
    assert_eq!(found["verdict"], "proved");
    let items = found["items"].as_array().expect("items");
    assert!(!items.is_empty());
    for item in items {
        assert_eq!(item["verdict"], "proved");
        assert!(
            !item["needed_for"].as_array().expect("a list").is_empty(),
            "{item}"
        );
    }
}

#[test]
fn a_mutant_is_violated_by_an_execution_and_nothing_is_proved_of_it() {
    // The server does not remember that it gave the lock away.
    let broken = LOCKS.replace("isFree := false; ", "");
    let (s, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(
        answer.out.contains("invariant Mutex of Locks is violated"),
        "{answer:?}"
    );
    let replay = answer.replay();
    let args: Vec<&str> = replay.iter().map(String::as_str).collect();
    assert_eq!(s.ioa(&args).code, Some(1), "{replay:?}");
    // Who enters does not look at the other's flag.
    let broken = PETERSON.replace(" /\\ (~flag[t] \\/ turn = s)", "");
    let (_, answer) = auto(&broken, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

#[test]
fn a_remainder_that_is_always_the_same_is_a_lemma() {
    let (_, answer) = auto(EVEN, &["--budget", "6"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains("mod(n, 2) = 0"), "{answer:?}");
}

#[test]
fn what_is_beyond_it_is_unknown_and_what_remains_is_told() {
    let (_, answer) = auto(SQUARES, &["--budget", "6"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(!answer.out.contains("With these lemmas"), "{answer:?}");
    assert!(!answer.out.contains("none is needed"), "{answer:?}");
    assert!(answer.out.contains("Squares.NotTwelve / up"), "{answer:?}");
    assert!(
        answer.out.contains("ioa prove model.ioa --auto --budget 6"),
        "{answer:?}"
    );
}

#[test]
fn stated_lemmas_are_not_used_and_only_names_the_goal() {
    // A false lemma beside the goal harms nothing, as long as it is no goal.
    let more = "invariant Nobody of Locks: holds = {}\n";
    let model = format!("{LOCKS}{more}");
    let (_, answer) = auto(&model, &["--only", "Mutex"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(!answer.out.contains("Nobody"), "{answer:?}");
    let (_, answer) = auto(&model, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

/// The models of `benches/auto.sh` are free of mistakes, and none of them helps with an invariant.
/// A relay of numbers from outside, of which no instance can list the inputs.
const RELAY: &str = "automaton Relay
  signature
    input put(n: Nat)
    output get(n: Nat)
  states
    last: Nat := 0, full: Bool := false, got: Set[Nat] := {}, given: Set[Nat] := {}
  transitions
    input put(n)
      eff if ~full then last := n; full := true; given := insert(n, given) fi
    output get(n)
      pre full /\\ n = last
      eff got := insert(n, got); full := false
invariant Origin of Relay: \\A n: Nat (n \\in got => n \\in given)
";

#[test]
fn what_numbers_come_from_outside_is_no_obstacle() {
    let (_, answer) = auto(RELAY, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(lemmas(&answer).contains("last \\in given"), "{answer:?}");
    are_needed_and_enough(RELAY);
    let forgets = RELAY.replace(
        "if ~full then last := n; full := true;",
        "last := n; full := true; if ~full then",
    );
    let (_, answer) = auto(&forgets, &[]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.out.contains("violated after 2 steps"), "{answer:?}");
}

/// Cells of which each thread has one and one is left over, so that two cells are too few for two threads.
const CELLS: &str = "type Thread
type Cell
vocabulary Cells(T: type, C: type)
  operators spare: -> C, home: T -> C
  axioms
    with s, t: T
    home(t) ~= spare;
    home(s) = home(t) => s = t
end
imports Cells(Thread, Cell)
automaton Cells
  signature internal take(t: Thread), leave(t: Thread)
  states free: Cell := spare, mine: Array[Thread, Cell] := [t: Thread -> home(t)], holds: Set[Thread] := {}
  transitions
    internal take(t)
      pre t \\notin holds /\\ holds = {}
      eff holds := insert(t, holds)
    internal leave(t)
      pre t \\in holds
      eff holds := delete(t, holds)
invariant Alone of Cells: \\A s, t: Thread (s \\in holds /\\ t \\in holds => s = t)
invariant Own of Cells: \\A s, t: Thread (mine[s] = mine[t] => s = t)
invariant Left of Cells: \\A t: Thread (t \\in holds => mine[t] ~= free)
";

#[test]
fn sizes_are_chosen_for_which_theories_have_an_interpretation() {
    let (_, answer) = auto(CELLS, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let broken = CELLS.replace(" /\\ holds = {}", "");
    let (_, answer) = auto(&broken, &["--only", "Alone"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
}

#[test]
fn the_models_of_the_benchmark_state_a_goal_and_no_lemmas() {
    let files = ["auto", "horizon"].map(|folder| {
        let folder = format!("{}/benches/{folder}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_dir(folder).expect("the models of the benchmark")
    });
    let mut count = 0;
    for file in files.into_iter().flatten() {
        let path = file.expect("a file").path();
        let mut sources = ioa_lang::Sources::new();
        let text = std::fs::read_to_string(&path).expect("a text");
        sources.add(path.display().to_string(), text);
        let loaded = ioa_lang::load(&sources);
        let errors: Vec<&String> = (loaded.diagnostics.iter())
            .filter(|d| d.severity == ioa_lang::Severity::Error)
            .map(|d| &d.message)
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        assert_eq!(loaded.model.invariants.len(), 1, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 36 + 23);
}
