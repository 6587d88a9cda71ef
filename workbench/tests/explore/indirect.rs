//! Bound variables of types with infinitely many values: which values are tried where conditions give them indirectly.

use super::Sandbox;

/// Messages with numbers in all kinds of collections.
const MAIL: &str = "\
type Node
type Kind = enumeration of ask, reply
type Msg = tuple of kind: Kind, who: Node, seq: Nat
type Event = union of sent: Msg, number: Nat, none: Bool
automaton Mail
  signature internal send(n: Node), answer(n: Node, k: Nat), hear(m: Msg), forget(k: Nat)
  states
    net: Set[Msg] := {},
    queue: Seq[Msg] := {},
    seen: Set[Nat] := {},
    last: Null[Msg] := nil,
    event: Event := none(true),
    next: Nat := 0,
    turns: Array[Node, Nat] := constant(0)
  transitions
    internal send(n)
      pre next < 2
      eff turns[n] := turns[n] + 1;
          net := insert([ask, n, next], net);
          event := number(next);
          next := next + 1
    internal answer(n, k)
      pre [ask, n, k] \\in net
      eff queue := queue |- [reply, n, k];
          net := delete([ask, n, k], net);
          event := sent([reply, n, k])
    internal hear(m)
      pre queue ~= {} /\\ m = head(queue)
      eff queue := tail(queue);
          last := embed(m);
          seen := insert(m.seq, seen)
    internal forget(k)
      pre k \\in seen /\\ last ~= nil
      eff seen := delete(k, seen)
";

/// Formulas that can be evaluated only if their variables' values are found indirectly, each with one that says the same over
/// variables that stand for the elements of collections. Most are false somewhere.
const SAME: [(&str, &str); 16] = [
    (
        "\\A k: Nat (k + 1 >= next => \\A n: Node ([ask, n, k] \\notin net))",
        "\\A m: Msg (m \\in net /\\ m.kind = ask => m.seq + 1 < next)",
    ),
    (
        "\\A k: Nat \\A n: Node ([ask, n, k] \\in net => k < 1)",
        "\\A m: Msg (m \\in net => (m.kind = ask => m.seq < 1))",
    ),
    (
        "\\A m: Msg (m \\in net \\/ m \\in queue => m.seq < 1)",
        "(\\A m: Msg (m \\in net => m.seq < 1)) /\\ (\\A m: Msg (m \\in queue => m.seq < 1))",
    ),
    (
        "\\A m: Msg (last = embed(m) => m.seq ~= 1)",
        "last = nil \\/ last.val.seq ~= 1",
    ),
    (
        "\\A k: Nat \\A n: Node (last = embed([reply, n, k]) => k ~= 1)",
        "last = nil \\/ last.val.kind ~= reply \\/ last.val.seq ~= 1",
    ),
    (
        "\\A k: Nat \\A n: Node (event = sent([reply, n, k]) => k = 0)",
        "tag(event) = sent => event.sent.seq = 0",
    ),
    (
        "\\A k: Nat (number(k) = event => k > 0)",
        "tag(event) = number => event.number > 0",
    ),
    (
        "\\A m: Msg (m.seq > 0 => m \\notin net)",
        "\\A m: Msg (m \\in net => m.seq <= 0)",
    ),
    (
        "\\A m: Msg (m \\notin queue \\/ m.kind = ask \\/ m.seq = 1)",
        "\\A m: Msg (m \\in queue => m.kind = ask \\/ m.seq = 1)",
    ),
    (
        "\\E k: Nat (k > 0 /\\ (k \\in seen \\/ \\E n: Node ([ask, n, k] \\in net)))",
        "(\\E k: Nat (k \\in seen /\\ k > 0)) \\/ (\\E m: Msg (m \\in net /\\ m.kind = ask /\\ m.seq > 0))",
    ),
    (
        "\\A k: Nat \\A m: Msg (m \\in queue /\\ k = m.seq => k \\notin seen)",
        "\\A m: Msg (m \\in queue => m.seq \\notin seen)",
    ),
    (
        "size({m: Msg where m \\in net \\/ m \\in queue}) < 2",
        "size({m: Msg where m \\in net}) + size({m: Msg where m \\in queue}) < 2",
    ),
    (
        "~(\\E m: Msg (m.kind = reply /\\ ((m \\in queue /\\ m.seq = 1) \\/ last = embed(m))))",
        "~(\\E m: Msg (m \\in queue /\\ m.kind = reply /\\ m.seq = 1)) /\\ (last = nil \\/ last.val.kind ~= reply)",
    ),
    (
        "\\A n: Node \\A m: Msg (m.seq = next /\\ n = m.who /\\ ask = m.kind => m \\notin net)",
        "\\A n: Node ([ask, n, next] \\notin net)",
    ),
    (
        "\\A n: Node \\A m: Msg (m.kind = ask /\\ turns[n] = m.seq /\\ n = m.who => m \\notin net)",
        "\\A n: Node ([ask, n, turns[n]] \\notin net)",
    ),
    (
        "\\A k: Nat ((\\E n: Node (k = turns[n] + 1)) => k < 2)",
        "\\A n: Node (turns[n] < 1)",
    ),
];

/// How a formula is answered, by the exit status and in words.
fn checked(s: &Sandbox, flags: &str, formula: &str) -> (Option<i32>, String) {
    let mut command = s.command(flags);
    let answer = command
        .args(["--check", formula])
        .output()
        .expect("ioa runs");
    let said = [answer.stdout, answer.stderr].concat();
    let said = String::from_utf8(said).expect("text");
    (answer.status.code(), said)
}

#[test]
fn values_that_conditions_give_indirectly_are_all_tried() {
    let s = Sandbox::with("mail.ioa", MAIL);
    let mut refuted = 0;
    for (indirect, plain) in SAME {
        let same = format!("(({indirect}) => ({plain})) /\\ (({plain}) => ({indirect}))");
        for sizes in ["Node=1", "Node=2"] {
            for native in ["", "--no-native"] {
                let flags = format!("mail.ioa --sort {sizes} --allow-deadlock {native}");
                let (code, said) = checked(&s, &flags, &same);
                assert_eq!(code, Some(0), "{same}: {said}");
            }
        }
        let flags = "mail.ioa --sort Node=2 --allow-deadlock";
        refuted += u32::from(checked(&s, flags, indirect).0 == Some(1));
    }
    // Formulas that are true everywhere would be equal by mistake too.
    assert!(refuted >= 10, "{refuted} of them are false somewhere");
}

#[test]
fn an_action_takes_its_parameters_from_messages_each_once() {
    let s = Sandbox::with("mail.ioa", MAIL);
    let plain = MAIL
        .replace("answer(n: Node, k: Nat)", "answer(m: Msg)")
        .replace(
            "answer(n, k)\n      pre [ask, n, k] \\in net",
            "answer(m)\n      pre m \\in net /\\ m.kind = ask",
        )
        .replace("[reply, n, k]", "[reply, m.who, m.seq]")
        .replace("[ask, n, k]", "m");
    let other = Sandbox::with("mail.ioa", &plain);
    let flags = "mail.ioa --sort Node=2 --allow-deadlock";
    let counts = |s: &Sandbox| {
        let document = s.json(flags);
        let figures = &document["results"][0]["figures"];
        ["distinct_states", "generated_states"].map(|name| figures[name].as_u64().expect(name))
    };
    assert_eq!(counts(&s), counts(&other));
    assert!(counts(&s)[0] > 50);
}

#[test]
fn a_part_that_has_no_value_is_not_passed_over() {
    let s = Sandbox::with("mail.ioa", MAIL);
    // Without a message in the network, there is no value of k to be tried.
    let formula = "\\A k: Nat ([ask, head(queue).who, k] \\in net => k < 9)";
    let (code, said) = checked(&s, "mail.ioa --sort Node=1 --allow-deadlock", formula);
    assert_ne!(code, Some(0), "{said}");
}

#[test]
fn an_invariant_that_cannot_be_evaluated_is_open_and_keeps_nothing_else_from_being_answered() {
    let model = format!(
        "{MAIL}invariant Any of Mail: \\A k: Nat (k >= 0)\ninvariant Few of Mail: size(net) < 3\n\
         invariant Once of Mail: \\A m: Msg (m \\in net => m \\notin queue)\n"
    );
    let s = Sandbox::with("mail.ioa", &model);
    let verdict = |args: &str, name: &str| {
        let answer = s.ioa(&format!("{args} --json")).output().expect("ioa runs");
        let text = String::from_utf8(answer.stdout).expect("text");
        let document: serde_json::Value = serde_json::from_str(&text).expect("a document");
        let results = document["results"].as_array().expect("results").clone();
        let found = results.into_iter().find(|result| result["name"] == name);
        let found = found.unwrap_or_else(|| panic!("{name}: {text}"));
        (
            answer.status.code(),
            found["verdict"].as_str().expect("a verdict").to_owned(),
        )
    };
    let explore = "explore mail.ioa --sort Node=2 --allow-deadlock";
    assert_eq!(verdict(explore, "Any"), (Some(3), "unknown".into()));
    assert_eq!(verdict(explore, "Few"), (Some(3), "explored".into()));
    assert_eq!(
        verdict(&format!("{explore} --only Few"), "Few"),
        (Some(0), "explored".into())
    );
    let run = "run mail.ioa --sort Node=2 --random --steps 50";
    assert_eq!(verdict(run, "Any"), (Some(3), "unknown".into()));
    assert_eq!(verdict(run, "Once"), (Some(3), "tested".into()));
    assert_eq!(verdict("prove mail.ioa --only Any", "Any").1, "proved");
    // Whoever asks for it is told where it cannot be enumerated.
    let (code, said) = checked(&s, "mail.ioa --sort Node=2", "\\A k: Nat (k >= 0)");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot be enumerated"), "{said}");
}

#[test]
fn a_value_may_equal_one_of_several_terms_that_can_fault() {
    let line = |pre: &str, choice: &str| {
        format!(
            "automaton Line
  signature internal lose, add(k: Nat) where k < 2
  states queue: Seq[Nat] := {{}}
  transitions
    internal add(k)
      pre len(queue) < 3
      eff queue := queue |- k
    internal lose
      pre {pre}
      eff queue := choose q where {choice}
"
        )
    };
    let explored = |pre: &str, choice: &str, native: &str| {
        let s = Sandbox::with("line.ioa", &line(pre, choice));
        checked(
            &s,
            &format!("line.ioa --allow-deadlock {native}"),
            "len(queue) < 4",
        )
    };
    let either = "q = tail(queue) \\/ q = init(queue)";
    for native in ["", "--no-native"] {
        let (code, said) = explored("queue ~= {}", either, native);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("15 states"), "{said}");
        let (code, said) = explored("true", either, native);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("the sequence is empty"), "{said}");
    }
    // Nothing is evaluated that the condition would not evaluate: what stands before a term shows that it has a value, or not.
    for native in ["", "--no-native"] {
        let guarded = "(queue ~= {} /\\ q = tail(queue)) \\/ q = {}";
        let (code, said) = explored("true", guarded, native);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("15 states"), "{said}");
    }
    let unguarded = "(len(queue) < 9 /\\ q = tail(queue)) \\/ q = {}";
    let (code, said) = explored("true", unguarded, "");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot be enumerated"), "{said}");
}

/// Values that are put into variables of many types, some of which are taken out again by an action whose parameter has infinitely
/// many values.
fn store(taken: &str) -> Sandbox {
    let text = format!(
        "type Item = union of amount: Nat, flag: Bool
automaton Store
  signature internal put(n: Nat) where n < 4, lose, take(m: Int)
  states
    low: Int := 0,
    line: Seq[Int] := {{}},
    last: Null[Int] := nil,
    ages: Map[Int, Int] := empty,
    item: Item := flag(true),
    sum: Nat := 0
  transitions
    internal put(n)
      pre len(line) < 2 /\\ sum + n < 6
      eff line := line |- n; last := embed(n); ages[n] := n + 1; sum := sum + n;
          item := if n = 0 then flag(false) else amount(n)
    internal lose
      pre len(line) = 2
      eff line := {{}}; last := nil; ages := empty; sum := 0; item := flag(true)
    internal take(m)
      pre {taken}
      eff low := if m < 3 then m else 3
"
    );
    Sandbox::with("store.ioa", &text)
}

#[test]
fn a_term_that_can_fault_is_a_value_where_an_earlier_condition_guards_it() {
    let counted = |taken: &str, native: &str| {
        let flags = format!("store.ioa --allow-deadlock {native}");
        let (code, said) = checked(&store(taken), &flags, "low < 4");
        assert_eq!(code, Some(0), "{taken}: {said}");
        let (before, _) = said.split_once(" states").expect("a number of states");
        before.rsplit(' ').next().expect("a number").to_owned()
    };
    for (guard, term) in [
        ("line ~= {}", "head(line)"),
        ("~(line = {})", "last(line)"),
        ("len(line) > 0", "head(line)"),
        ("2 <= len(line)", "head(line)"),
        ("low \\in line", "head(line)"),
        ("1 < len(line)", "line[1]"),
        ("last ~= nil", "last.val"),
        ("defined(ages, low)", "ages[low]"),
        ("tag(item) = amount", "item.amount"),
        ("sum ~= 0", "div(6, sum)"),
        ("0 < sum", "mod(7, sum)"),
        ("2 <= sum", "(sum - 2):Nat"),
        ("last ~= nil /\\ last.val ~= 0", "div(6, last.val)"),
    ] {
        let first = counted(&format!("{guard} /\\ m = {term} /\\ m > low"), "");
        for native in ["", "--no-native"] {
            let behind = format!("m > low /\\ {guard} /\\ m = {term}");
            assert_eq!(counted(&behind, native), first, "{behind}");
            let either = format!("m > low /\\ (({guard} /\\ m = {term}) \\/ m = low)");
            assert_eq!(counted(&either, native), first, "{either}");
            let some = format!(
                "m = low + 1 /\\ (\\E k: Int (k > low /\\ {guard} /\\ k = {term} /\\ m <= k))"
            );
            let among = format!(
                "m = low + 1 /\\ size({{k: Int where k > low /\\ {guard} /\\ k = {term} /\\ m <= k}}) > 0"
            );
            assert_eq!(counted(&some, native), counted(&among, native), "{some}");
        }
    }
}

#[test]
fn a_term_that_can_fault_is_no_value_where_nothing_guards_it() {
    for (guard, term) in [
        ("sum ~= 0", "head(line)"),
        ("len(line) >= 0", "head(line)"),
        ("line = {}", "head(line)"),
        ("head(line) ~= 0", "last.val"),
        ("(line ~= {} \\/ sum = 0)", "head(line)"),
        ("0 < len(line)", "line[1]"),
        ("defined(ages, low + 1)", "ages[low]"),
        ("tag(item) ~= amount", "item.amount"),
        ("0 <= sum", "div(6, sum)"),
        ("sum <= 2", "(sum - 2):Nat"),
        ("m ~= 0", "div(6, sum)"),
    ] {
        let s = store(&format!("m > low /\\ {guard} /\\ m = {term}"));
        let (code, said) = checked(&s, "store.ioa --allow-deadlock", "low < 4");
        assert_eq!(code, Some(2), "{guard}, {term}: {said}");
        assert!(said.contains("cannot be enumerated"), "{said}");
    }
}

#[test]
fn a_tuple_may_be_given_field_by_field() {
    let s = Sandbox::with("mail.ioa", MAIL);
    let whole = "m = head(queue)";
    let fields =
        "m.seq = head(queue).seq /\\ head(queue).kind = m.kind /\\ m.who = head(queue).who";
    let other = Sandbox::with("mail.ioa", &MAIL.replace(whole, fields));
    let flags = "mail.ioa --sort Node=2 --allow-deadlock";
    let counts = |s: &Sandbox| {
        let document = s.json(flags);
        let figures = &document["results"][0]["figures"];
        ["distinct_states", "generated_states"].map(|name| figures[name].as_u64().expect(name))
    };
    assert_eq!(counts(&s), counts(&other));
    // A field of which nothing is said has all values of its type, which may be too many.
    let open = |fields: &str| {
        let other = Sandbox::with("mail.ioa", &MAIL.replace(whole, fields));
        checked(&other, flags, "true")
    };
    let (code, said) = open("m.seq = head(queue).seq /\\ m.kind = head(queue).kind");
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = open("m.kind = head(queue).kind /\\ m.who = head(queue).who");
    assert!(
        code == Some(2) && said.contains("m ranges over all of Msg"),
        "{said}"
    );
}

/// A queue that may lose its first or its last element, of which it has one; the choice is stated in three ways.
#[test]
fn a_choice_between_terms_that_have_no_value_everywhere_is_made_where_it_is_evaluated() {
    let model = |choice: &str| {
        format!(
            "automaton L\n  signature internal lose, add(k: Nat) where k < 2\n  states queue: Seq[Nat] := {{}}\n  transitions\n    \
             internal add(k) pre len(queue) < 3 eff queue := queue |- k\n    internal lose pre queue ~= {{}}\n      \
             eff queue := choose q where {choice}\n"
        )
    };
    let explored = |choice: &str| {
        let s = Sandbox::with("queue.ioa", &model(choice));
        s.run("explore queue.ioa")
    };
    for choice in [
        "q = tail(queue) \\/ q = init(queue)",
        "q = tail(queue) \\/ q \\in {init(queue)}",
        "q \\in {init(queue)} \\/ q \\in {tail(queue)}",
        "q \\in {tail(queue), init(queue)}",
    ] {
        explored(choice).says(0, "15 states");
    }
    // Where nothing keeps the queue from being empty, the same choice has no result.
    let anywhere = model("q = tail(queue) \\/ q \\in {init(queue)}").replace("pre queue ~= {}", "");
    let s = Sandbox::with("queue.ioa", &anywhere);
    s.run("explore queue.ioa").says(1, "the sequence is empty");
}
