//! What `ioa infer` proposes of models that nothing was made for: what it must find, and what it must not say.

use crate::sandbox::Sandbox;

/// Processes pass a token round a ring; who has it may enter a room.
const TOKEN: &str = "type P
vocabulary Rings
  operators next: P -> P
  axioms \\A p: P \\A q: P (next(p) = next(q) => p = q)
end
imports Rings

automaton Token
  signature
    internal enter(p: P), leave(p: P), pass(p: P)
  states
    holder: Array[P, Bool],
    inside: Set[P] := {}
  so that \\E p: P (holder[p] /\\ \\A q: P (holder[q] => q = p))
  transitions
    internal enter(p) pre holder[p] eff inside := insert(p, inside)
    internal leave(p) pre p \\in inside eff inside := delete(p, inside)
    internal pass(p)
      pre holder[p] /\\ p \\notin inside
      eff holder[p] := false; holder[next(p)] := true
";

/// Requests and answers in one channel; a server answers each request once.
const CALLS: &str = "type Client
type Op = enumeration of ask, reply
type Message = tuple of op: Op, who: Client

automaton Calls
  signature
    output ask(c: Client), reply(c: Client), hear(c: Client)
  states
    sent: Set[Message] := {},
    served: Set[Client] := {},
    heard: Set[Client] := {}
  transitions
    output ask(c) eff sent := insert([ask, c], sent)
    output reply(c)
      pre [ask, c] \\in sent
      eff sent := insert([reply, c], sent);
          served := insert(c, served)
    output hear(c) pre [reply, c] \\in sent eff heard := insert(c, heard)
";

/// A bounded counter that two hands turn.
const HANDS: &str = "automaton Hands
  signature internal up, down
  states left: Nat := 0, right: Nat := 6
  transitions
    internal up pre left < 6 eff left := left + 1; right := right - 1
    internal down pre 0 < left eff left := left - 1; right := right + 1
";

/// The candidates of a model, as text.
pub(crate) fn candidates(model: &str, more: &[&str]) -> (Sandbox, Vec<String>) {
    let s = Sandbox::new();
    s.write("model.ioa", model);
    let args = [
        &[
            "infer",
            "model.ioa",
            "--random",
            "--steps",
            "200",
            "--json",
            "--output",
            "found.ioa",
        ],
        more,
    ];
    let answer = s.ioa(&args.concat());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let document = answer.json();
    let items = document["results"][0]["items"]
        .as_array()
        .expect("items")
        .clone();
    let texts = items
        .iter()
        .map(|item| item["text"].as_str().expect("a text").to_owned());
    (s, texts.collect())
}

/// Whether what was found implies a formula: the prover shows it with the candidates as the only hypotheses, as a requirement on an
/// automaton that may be in any state.
fn is_implied(s: &Sandbox, model: &str, found: &[String], goal: &str) -> bool {
    // The states of `Any` are all states in which the candidates hold, and it never moves.
    let (before, rest) = model.split_once("automaton ").expect("an automaton");
    let states = rest.split_once("states").expect("states").1;
    let states = states.split_once("transitions").expect("transitions").0;
    let states = states.split("so that").next().expect("a text");
    let declared: Vec<String> = states
        .split(",\n")
        .flat_map(|line| line.split(", right"))
        .map(|line| line.split(" :=").next().expect("a text").trim().to_owned())
        .map(|line| {
            if line.starts_with(':') {
                format!("right{line}")
            } else {
                line
            }
        })
        .collect();
    let hypotheses: Vec<String> = found.iter().map(|f| format!("({f})")).collect();
    let any = format!(
        "{before}automaton Any\n  signature internal rest\n  states {}\n  so that {}\n  transitions internal rest\ninvariant Goal of Any: {goal}\n",
        declared.join(", "),
        hypotheses.join(" /\\ ")
    );
    s.write("any.ioa", &any);
    let answer = s.ioa(&["prove", "any.ioa", "--only", "Goal", "--json"]);
    let document = answer.json();
    let results = document["results"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer:?}\n{any}"));
    let goal = results.iter().find(|r| r["name"] == "Goal");
    goal.is_some_and(|goal| goal["verdict"] == "proved")
}

#[test]
fn that_one_process_has_the_token_and_is_inside_alone() {
    let (s, found) = candidates(TOKEN, &["--sort", "P=3"]);
    for lemma in [
        "\\A p: P (p \\in inside => holder[p])",
        "\\A p: P \\A q: P (holder[p] /\\ holder[q] => p = q)",
        "\\E p: P (holder[p])",
        "\\A p: P \\A q: P (p \\in inside /\\ q \\in inside => p = q)",
    ] {
        assert!(is_implied(&s, TOKEN, &found, lemma), "{lemma}: {found:#?}");
    }
}

#[test]
fn of_a_token_that_is_passed_from_inside_it_is_not_said_that_who_is_inside_has_it() {
    let careless = TOKEN.replace("holder[p] /\\ p \\notin inside", "holder[p]");
    assert_ne!(careless, TOKEN);
    let (s, found) = candidates(&careless, &["--sort", "P=3"]);
    assert!(
        is_implied(&s, &careless, &found, "\\E p: P (holder[p])"),
        "{found:#?}"
    );
    for wrong in [
        "\\A p: P (p \\in inside => holder[p])",
        "\\A p: P \\A q: P (p \\in inside /\\ q \\in inside => p = q)",
    ] {
        assert!(
            !is_implied(&s, &careless, &found, wrong),
            "{wrong}: {found:#?}"
        );
    }
}

#[test]
fn messages_in_flight_are_spoken_of() {
    let (s, found) = candidates(CALLS, &["--sort", "Client=2"]);
    for lemma in [
        "\\A c: Client ([reply, c] \\in sent => [ask, c] \\in sent)",
        "\\A c: Client (c \\in served => [reply, c] \\in sent)",
        "heard \\subseteq served",
    ] {
        assert!(is_implied(&s, CALLS, &found, lemma), "{lemma}: {found:#?}");
    }
    for wrong in ["served \\subseteq heard", "\\A c: Client (c \\in served)"] {
        assert!(!is_implied(&s, CALLS, &found, wrong), "{wrong}: {found:#?}");
    }
}

#[test]
fn sums_of_numbers_are_found_and_wrong_ones_are_not() {
    let (s, found) = candidates(HANDS, &[]);
    for lemma in ["left + right = 6", "left <= 6"] {
        assert!(is_implied(&s, HANDS, &found, lemma), "{lemma}: {found:#?}");
    }
    for wrong in ["left + right = 5", "left <= 5", "left < right"] {
        assert!(!is_implied(&s, HANDS, &found, wrong), "{wrong}: {found:#?}");
    }
}

/// What a few states suggest is false of others: one more process than the runs have is enough.
#[test]
fn what_is_false_at_other_sizes_is_not_shown() {
    let crowd = "type P
automaton Crowd
  signature internal enter(p: P)
  states inside: Set[P] := {}
  transitions
    internal enter(p) pre size(inside) < 3 eff inside := insert(p, inside)
";
    let (s, found) = candidates(crowd, &["--sort", "P=2"]);
    assert!(found.iter().all(|f| f != "size(inside) <= 2"), "{found:#?}");
    let explored = s.ioa(&[
        "explore",
        "model.ioa",
        "found.ioa",
        "--sort",
        "P=4",
        "--allow-deadlock",
    ]);
    assert_eq!(explored.code, Some(0), "{explored:?}");
    assert!(
        is_implied(&s, crowd, &found, "size(inside) <= 3"),
        "{found:#?}"
    );
}

/// The answer to `--why`, and the exit status.
fn why(s: &Sandbox, formula: &str, more: &[&str]) -> (String, Option<i32>) {
    let args = [
        "infer",
        "model.ioa",
        "--random",
        "--steps",
        "100",
        "--why",
        formula,
    ];
    let answer = s.ioa(&[&args, more].concat());
    let text: Vec<&str> = answer
        .out
        .split_whitespace()
        .filter(|w| *w != "│" && *w != "┆")
        .collect();
    (text.join(" "), answer.code)
}

#[test]
fn why_a_formula_is_reported_or_not() {
    let (s, _) = candidates(TOKEN, &["--sort", "P=2"]);
    let sizes = ["--sort", "P=2"];
    let (reported, code) = why(&s, "\\A p: P (p \\in inside => holder[p])", &sizes);
    assert!(reported.contains("holds, and is"), "{reported}");
    assert_eq!(code, Some(0));
    let implied = "\\A p: P (p \\in inside => \\A q: P (holder[q] => q = p))";
    let (implied, _) = why(&s, implied, &sizes);
    assert!(implied.contains("implied by what is reported"), "{implied}");
    let (empty, _) = why(&s, "\\A p: P (holder[p] \\/ ~holder[p])", &sizes);
    assert!(empty.contains("says nothing"), "{empty}");
    let (wrong, code) = why(&s, "inside = {}", &sizes);
    assert!(wrong.contains("enter("), "a shortest run: {wrong}");
    assert!(
        wrong.contains("violated") && !wrong.contains("holds, "),
        "{wrong}"
    );
    assert_eq!(code, Some(1));
}

/// What `ioa infer` prints of a model with more invariants.
pub(crate) fn told(model: &str, stated: &str, more: &[&str]) -> (String, Option<i32>) {
    let s = Sandbox::new();
    s.write("model.ioa", format!("{model}{stated}"));
    let args = [
        "infer",
        "model.ioa",
        "--quick",
        "--random",
        "--steps",
        "100",
    ];
    let answer = s.ioa(&[&args, more].concat());
    (format!("{}{}", answer.out, answer.err), answer.code)
}

/// Asserts that all invariants that are stated of a model come out.
pub(crate) fn misses_nothing(model: &str, stated: &str, more: &[&str]) {
    let (found, code) = told(model, stated, more);
    assert_eq!(code, Some(0), "{found}");
    assert!(
        found.contains("of the invariants that are stated"),
        "{found}"
    );
    assert!(!found.contains("missed"), "{found}");
}

/// The same, but that these alone are missed.
pub(crate) fn misses_only(model: &str, stated: &str, more: &[&str], missed: &[&str]) {
    let (found, code) = told(model, stated, more);
    assert_eq!(code, Some(0), "{found}");
    for name in missed {
        assert!(found.contains(&format!("{name}: missed")), "{found}");
    }
    assert_eq!(found.matches(": missed").count(), missed.len(), "{found}");
}

const ALONE: &str = "
invariant Alone of Token: \\A p, q: P (p \\in inside /\\ q \\in inside => p = q)
invariant Somebody of Token: \\E p: P (holder[p])
";

#[test]
fn it_is_said_which_stated_invariants_come_out() {
    let flags = ["--sort", "P=3", "--stated"];
    let (found, code) = told(TOKEN, ALONE, &flags);
    assert_eq!(code, Some(0), "{found}");
    assert!(
        found.contains("Alone: implied by") || found.contains("Alone: reported"),
        "{found}"
    );
    assert!(found.contains("Somebody: reported as Cand"), "{found}");
    // Who is inside may pass the token on, so another one may enter.
    let careless = TOKEN.replace("holder[p] /\\ p \\notin inside", "holder[p]");
    let (found, _) = told(&careless, ALONE, &flags);
    assert!(found.contains("Alone: missed"), "{found}");
    assert!(found.contains("Somebody: reported as Cand"), "{found}");
}

#[test]
fn the_candidates_that_matter_for_a_property_make_it_inductive() {
    let flags = ["--sort", "P=3", "--for", "Alone"];
    let (found, code) = told(TOKEN, ALONE, &flags);
    assert_eq!(code, Some(0), "{found}");
    let words: Vec<&str> = found
        .split_whitespace()
        .filter(|w| !"│┆%".contains(*w))
        .collect();
    let words = words.join(" ");
    assert!(words.contains("with them Alone is inductive"), "{found}");
    assert!(
        found.contains("% needed for Alone; excludes 1 counterexample"),
        "{found}"
    );
    assert!(words.contains("this was a quick look"), "{found}");
    assert!(found.contains("holder[p]"), "{found}");
}

/// Who has the ear of all members of a quorum speaks for the assembly.
const ASSEMBLY: &str = "type Member
type Quorum
assumes Quorums(Quorum, Member)

automaton Assembly
  signature
    internal hear(m: Member, n: Member), rise(m: Member, q: Quorum)
  states
    heard: Array[Member, Null[Member]] := constant(nil),
    speaks: Set[Member] := {}
  transitions
    internal hear(m, n)
      pre heard[m] = nil
      eff heard[m] := embed(n)
    internal rise(n, q)
      pre \\A m: Member (m \\in q => heard[m] = embed(n))
      eff speaks := insert(n, speaks)
";

#[test]
fn quorums_need_not_be_majorities() {
    let one =
        "invariant One of Assembly: \\A m, n: Member (m \\in speaks /\\ n \\in speaks => m = n)\n";
    // Of two members, both are a majority. If the quorum is one of them alone, the other need not have heard anything.
    let all = "invariant All of Assembly: speaks ~= {} /\\ \\E m, n: Member (m ~= n) => \\E m, n: Member (m ~= n /\\ heard[m] ~= nil /\\ heard[n] ~= nil)\n";
    let s = Sandbox::new();
    s.write("model.ioa", format!("{ASSEMBLY}\n{one}{all}"));
    let answer = s.ioa(&[
        "explore",
        "model.ioa",
        "--sort",
        "Member=2",
        "--only",
        "All",
    ]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let answer = s.ioa(&["prove", "model.ioa", "--only", "All"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(
        answer.out.contains("All of Assembly is violated"),
        "{answer:?}"
    );
    assert!(
        answer.out.contains("here Quorum#0 = {Member#"),
        "{answer:?}"
    );
    assert!(!answer.out.contains("no execution reaches"), "{answer:?}");
    // What makes it inductive is true of all quorums as well.
    let (found, code) = told(ASSEMBLY, one, &["--sort", "Member=3", "--for", "One"]);
    assert_eq!(code, Some(0), "{found}");
    let claims = found.contains("One is inductive");
    let lemmas = found.lines().filter(|line| line.starts_with("invariant "));
    let lemmas: String = lemmas.map(|line| format!("{line}\n")).collect();
    s.write("found.ioa", lemmas);
    s.write("model.ioa", format!("{ASSEMBLY}\n{one}"));
    let answer = s.ioa(&["prove", "model.ioa", "found.ioa", "--only", "One"]);
    assert_eq!(claims, answer.code == Some(0), "{found} {answer:?}");
}

#[test]
fn nothing_makes_a_property_inductive_that_is_false() {
    let careless = TOKEN.replace("holder[p] /\\ p \\notin inside", "holder[p]");
    let (found, _) = told(&careless, ALONE, &["--sort", "P=3", "--for", "Alone"]);
    assert!(!found.contains("is inductive"), "{found}");
    assert!(found.contains("they leave"), "{found}");
}

#[test]
fn candidates_cannot_matter_for_what_there_is_not() {
    let (said, code) = told(TOKEN, ALONE, &["--sort", "P=2", "--for", "Alon"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("did you mean Alone?"), "{said}");
}

/// What was decided is kept as constants of an enumeration in a set.
const DECISIONS: &str = "type P
type Decision = enumeration of yes, no
automaton Decisions
  signature internal agree(p: P), decide, refuse(p: P)
  states
    agreed: Set[P] := {},
    refused: Set[P] := {},
    decisions: Set[Decision] := {}
  transitions
    internal agree(p) pre p \\notin refused eff agreed := insert(p, agreed)
    internal refuse(p)
      pre p \\notin agreed
      eff refused := insert(p, refused);
          decisions := insert(no, decisions)
    internal decide
      pre \\A p: P (p \\in agreed)
      eff decisions := insert(yes, decisions)
";

#[test]
fn what_a_set_says_of_a_constant_is_found() {
    let stated = "
invariant YesNeedsAll of Decisions: yes \\in decisions => \\A p: P (p \\in agreed)
invariant NoNeedsOne of Decisions: no \\in decisions => \\E p: P (p \\in refused)
";
    let (found, _) = told(DECISIONS, stated, &["--sort", "P=3", "--stated"]);
    assert!(!found.contains("missed"), "{found}");
    // Who has agreed may refuse afterwards.
    let fickle = DECISIONS.replace("      pre p \\notin agreed\n", "");
    let wrong = "\ninvariant NotBoth of Decisions: ~(yes \\in decisions /\\ no \\in decisions)\n";
    let (found, _) = told(DECISIONS, wrong, &["--sort", "P=3", "--stated"]);
    assert!(!found.contains("missed"), "{found}");
    let (found, _) = told(&fickle, wrong, &["--sort", "P=3", "--stated"]);
    assert!(found.contains("NotBoth: missed"), "{found}");
}

/// One process alone has finitely many states, and several have infinitely many: what is learnt must not be of one alone.
#[test]
fn what_several_processes_show_is_learnt_where_only_one_alone_is_finite() {
    let model = "type P
automaton Numbers
  signature internal take(p: P, q: P), enter(p: P), leave(p: P)
  states
    number: Array[P, Nat] := constant(0),
    inside: Set[P] := {}
  transitions
    internal take(p, q)
      pre number[p] = 0 /\\ \\A r: P (number[r] <= number[q])
      eff number[p] := number[q] + 1
    internal enter(p)
      pre number[p] > 0 /\\ \\A q: P (number[q] = 0 \\/ number[p] <= number[q])
      eff inside := insert(p, inside)
    internal leave(p)
      pre p \\in inside
      eff inside := delete(p, inside);
          number[p] := 0
";
    let stated = "
invariant Alone of Numbers: \\A p, q: P (p \\in inside /\\ q \\in inside => p = q)
";
    let flags = ["--sort", "P=2", "--stated"];
    let (found, _) = told(model, stated, &flags);
    assert!(!found.contains("missed"), "{found}");
    // One process alone is always the first; of two both may be.
    let careless = model.replace(" \\/ number[p] <= number[q]", " \\/ 0 < number[q]");
    assert_ne!(careless, model);
    let (found, _) = told(&careless, stated, &flags);
    assert!(found.contains("Alone: missed"), "{found}");
}

/// A log without repetitions, and a copy of it that lags behind.
const COPY: &str = "type Entry
automaton Copy
  signature internal append(e: Entry), copy
  states log: Seq[Entry] := {}, got: Seq[Entry] := {}
  transitions
    internal append(e) pre e \\notin log eff log := log |- e
    internal copy pre len(got) < len(log) eff got := got |- log[len(got)]

invariant Once of Copy: \\A i, j: Nat (i < len(log) /\\ j < len(log) /\\ i < j => log[i] ~= log[j])
invariant Same of Copy: \\A k: Nat (k < len(got) /\\ k < len(log) => got[k] = log[k])
";

#[test]
fn lemmas_about_positions_in_sequences_come_out() {
    let flags = ["--sort", "Entry=2", "--stated"];
    misses_nothing(COPY, "", &flags);
    let repeating = COPY.replace("pre e \\notin log", "pre len(log) < 3");
    let (found, _) = told(&repeating, "", &flags);
    assert!(found.contains("Once: missed"), "{found}");
    assert!(!found.contains("Same: missed"), "{found}");
    let confused = COPY.replace("log[len(got)]", "log[0]");
    let (found, _) = told(&confused, "", &flags);
    assert!(found.contains("Same: missed"), "{found}");
    assert!(!found.contains("Once: missed"), "{found}");
}

/// Numbered slips, which may be lost; the desk knows the latest slip of each.
const SLIPS: &str = "type Guest
type Slip = tuple of guest: Guest, number: Nat
automaton Slips
  signature internal draw(g: Guest), lose(s: Slip)
  states slips: Set[Slip] := {}, next: Nat := 0, latest: Array[Guest, Nat] := constant(0)
  transitions
    internal draw(g)
      pre next < 3
      eff slips := insert([g, next], slips); latest[g] := next; next := next + 1
    internal lose(s) pre s \\in slips eff slips := delete(s, slips)

invariant Latest of Slips: \\A s: Slip (s \\in slips => s.number <= latest[s.guest])
invariant Unique of Slips: \\A s, t: Slip (s \\in slips /\\ t \\in slips /\\ s ~= t => s.number ~= t.number)
";

#[test]
fn lemmas_about_messages_with_numbers_come_out() {
    let flags = ["--sort", "Guest=2", "--stated"];
    misses_nothing(SLIPS, "", &flags);
    let forgetful = SLIPS.replace("latest[g] := next;", "latest[g] := 0;");
    let (found, _) = told(&forgetful, "", &flags);
    assert!(found.contains("Latest: missed"), "{found}");
    let doubled = SLIPS.replace("next := next + 1", "next := next + mod(next, 2)");
    let (found, _) = told(&doubled, "", &flags);
    assert!(found.contains("Unique: missed"), "{found}");
}

#[test]
fn that_there_is_less_memory_than_the_program_takes_is_said() {
    let s = Sandbox::new();
    s.write("model.ioa", TOKEN);
    let infer = |memory: &str| {
        let answer = s.ioa(&["infer", "model.ioa", "--sort", "P=3", "--memory", memory]);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        (answer.out.matches("\ninvariant ").count(), answer.out)
    };
    let (few, said) = infer("600K");
    assert!(said.contains("more than --memory allows"), "{said}");
    let (many, said) = infer("1G");
    assert!(!said.contains("memory"), "{said}");
    assert!(0 < few && few <= many, "{few} {many}");
}

#[test]
fn what_there_was_no_time_to_compare_is_not_said_to_be_missed() {
    let (found, code) = told(
        TOKEN,
        ALONE,
        &["--sort", "P=3", "--stated", "--time", "0.000001"],
    );
    assert_eq!(code, Some(0), "{found}");
    assert!(found.contains("Alone: not compared"), "{found}");
    assert!(!found.contains("missed"), "{found}");
}

/// Whoever wants to print queues up; a printer takes the first in the queue, and jams now and then.
const PRINTER: &str = "type User
type Condition = enumeration of idle, printing, jammed
automaton Printer
  signature internal submit(u: User), start, finish, jam, repair
  states
    queue: Seq[User] := {},
    current: Null[User] := nil,
    condition: Condition := idle,
    pages: Array[User, Nat] := constant(0)
  transitions
    internal submit(u) pre u \\notin queue eff queue := queue |- u
    internal start
      pre queue ~= {} /\\ condition = idle
      eff current := embed(head(queue)); queue := tail(queue); condition := printing
    internal finish
      pre condition = printing
      eff pages[current.val] := min(2, pages[current.val] + 1); current := nil; condition := idle
    internal jam pre condition = printing eff condition := jammed
    internal repair pre condition = jammed eff condition := idle; current := nil
";

/// Stock that is moved between two stores, in a bag of parcels on the way.
const PARCELS: &str = "type Good
automaton Parcels
  signature internal load(g: Good), unload(g: Good), steal(g: Good)
  states
    here: Mset[Good] := {},
    way: Mset[Good] := {},
    there: Set[Good] := {},
    sent: Array[Good, Nat] := constant(0)
  transitions
    internal load(g) pre sent[g] < 2 eff way := insert(g, way); sent[g] := sent[g] + 1
    internal unload(g) pre g \\in way eff way := delete(g, way); there := insert(g, there)
    internal steal(g) pre count(g, way) = 2 eff way := delete(g, way)
";

/// Nothing that is reported may be false in any instance all of whose states can be visited.
#[test]
fn nothing_that_is_reported_is_false_where_all_states_are_visited() {
    let asked = [
        (TOKEN, "P", [1, 4]),
        (CALLS, "Client", [1, 3]),
        (DECISIONS, "P", [1, 4]),
        (COPY, "Entry", [1, 3]),
        (SLIPS, "Guest", [1, 3]),
        (PRINTER, "User", [1, 3]),
        (PARCELS, "Good", [1, 3]),
    ];
    for (model, sort, sizes) in asked {
        let (s, found) = candidates(model, &["--sort", &format!("{sort}=2")]);
        assert!(!found.is_empty(), "{model}");
        for size in sizes {
            let size = format!("{sort}={size}");
            let explore = ["explore", "model.ioa", "found.ioa", "--allow-deadlock"];
            let bounds = ["--states", "50000", "--sort", &size];
            let answer = s.ioa(&[&explore[..], &bounds].concat());
            assert_eq!(answer.code, Some(0), "{size}: {answer:?} {found:#?}");
        }
    }
}

/// That the test above can fail: what was learnt of another model is false of this one.
#[test]
fn what_is_false_somewhere_is_found_out_by_a_visit() {
    let (s, found) = candidates(PRINTER, &["--sort", "User=2"]);
    assert!(!found.is_empty());
    let doubled = PRINTER.replace("pre u \\notin queue", "pre len(queue) < 3");
    s.write("model.ioa", doubled);
    let explore = ["explore", "model.ioa", "found.ioa", "--allow-deadlock"];
    let answer = s.ioa(&[&explore[..], &["--sort", "User=2"]].concat());
    assert_eq!(answer.code, Some(1), "{answer:?} {found:#?}");
}

#[test]
fn lemmas_about_counts_in_multisets_come_out() {
    let stated = "
invariant Sent of Parcels: \\A g: Good (count(g, way) <= sent[g])
invariant Arrived of Parcels: \\A g: Good (g \\in there => 1 <= sent[g])
";
    let flags = ["--sort", "Good=2", "--stated"];
    misses_nothing(PARCELS, stated, &flags);
    let unnoticed = PARCELS.replace("; sent[g] := sent[g] + 1", "");
    let (found, _) = told(
        &unnoticed.replace("sent[g] < 2", "count(g, way) < 2"),
        stated,
        &flags,
    );
    assert!(found.contains("Sent: missed"), "{found}");
}

/// Clients ask to be served; a question may be lost, and nobody asks again.
const DESK: &str = "type Client
automaton Desk
  signature
    internal ask(c: Client), lose(c: Client), serve(c: Client), leave(c: Client)
  states
    waiting: Set[Client] := {},
    asked: Set[Client] := {},
    served: Set[Client] := {}
  transitions
    internal ask(c)
      pre c \\notin waiting /\\ c \\notin served
      eff waiting := insert(c, waiting); asked := insert(c, asked)
    internal lose(c) pre c \\in asked eff asked := delete(c, asked)
    internal serve(c)
      pre c \\in asked
      eff asked := delete(c, asked); waiting := delete(c, waiting); served := insert(c, served)
    internal leave(c) pre c \\in served eff served := delete(c, served)
";

/// Tokens are borrowed and given back; some leak.
const LEAK: &str = "automaton Leak
  signature internal borrow, return, leak
  states tokens: Nat := 4, busy: Bool := false
  transitions
    internal borrow pre tokens > 0 /\\ ~busy eff tokens := tokens - 1; busy := true
    internal return pre busy eff tokens := tokens + 1; busy := false
    internal leak pre busy eff busy := false
";

/// What is proposed as false in dead states, and a formula that tells exactly the others: that they are the same in all
/// reachable states is asked of the explorer.
fn tells_apart(model: &str, sizes: &[&str], possible: &str, exact: &str) {
    let s = Sandbox::new();
    s.write("model.ioa", model);
    let args = ["infer", "model.ioa", "--json", "--possible", possible];
    let answer = s.ioa(&[&args[..], sizes].concat());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let document = answer.json();
    let result = &document["results"][0];
    assert!(
        result["figures"]["dead_states"].as_u64() > Some(0),
        "{result}"
    );
    let items = result["items"].as_array().expect("items");
    let formulas: Vec<String> = items
        .iter()
        .map(|item| format!("({})", item["text"].as_str().expect("a formula")))
        .collect();
    assert!(!formulas.is_empty(), "{result}");
    let all = formulas.join(" /\\ ");
    let same = format!("({all} => ({exact})) /\\ (({exact}) => {all})");
    let args = ["explore", "model.ioa", "--allow-deadlock", "--check", &same];
    let answer = s.ioa(&[&args[..], sizes].concat());
    assert_eq!(answer.code, Some(0), "{same}: {answer:?}");
}

#[test]
fn what_is_false_in_dead_states_alone_is_proposed() {
    let all_served = "\\A c: Client (c \\in served)";
    let carried = "\\A c: Client (c \\in waiting => c \\in asked)";
    tells_apart(DESK, &["--sort", "Client=3"], all_served, carried);
    let enough = "tokens >= 2 \\/ (tokens >= 1 /\\ busy)";
    tells_apart(LEAK, &[], "tokens >= 2", enough);
}

#[test]
fn nothing_is_proposed_where_nothing_is_dead_or_nothing_is_known() {
    let s = Sandbox::new();
    s.write("desk.ioa", DESK);
    s.write("grows.ioa", LEAK.replace("tokens - 1", "tokens + 1"));
    let desk = ["infer", "desk.ioa", "--sort", "Client=2", "--possible"];
    let answer = s.ioa(&[&desk[..], &["\\E c: Client (c \\in waiting)"]].concat());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains("no state is dead"), "{answer:?}");
    assert!(!answer.out.contains("\ninvariant"), "{answer:?}");
    let never = s.ioa(&[&desk[..], &["size(served) > 9"]].concat());
    assert_eq!(never.code, Some(2), "{never:?}");
    assert!(
        never.err.contains("every state is dead at Client="),
        "{never:?}"
    );
    // One client alone is all there are. That no state is dead there says nothing of two.
    let alone = s.ioa(&[&desk[..], &["\\A c, d: Client (c = d)"]].concat());
    assert_eq!(alone.code, Some(0), "{alone:?}");
    assert!(
        alone.out.contains("every state is dead at Client=2"),
        "{alone:?}"
    );
    let grows = s.ioa(&[
        "infer",
        "grows.ioa",
        "--possible",
        "tokens = 1",
        "--time",
        "5",
    ]);
    assert_eq!(grows.code, Some(2), "{grows:?}");
    let ignored = s.ioa(&["infer", "grows.ioa", "--possible", "busy", "--random"]);
    assert_eq!(ignored.code, Some(2), "{ignored:?}");
}
