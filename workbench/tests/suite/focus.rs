//! What `ioa infer` makes of what a person names: variables and actions, terms, and conditions that tell cases apart.

use crate::sandbox::{Answer, Sandbox};

/// A desk with tickets: two phases, in which the bound on what is open differs.
const DESK: &str = "type Client

automaton Desk
  signature
    internal draw(c: Client), close, serve, open
  states
    ticket: Array[Client, Nat] := constant(0),
    drawn: Nat := 0,
    served: Nat := 0,
    spare: Nat := 7,
    closing: Bool := false
  transitions
    internal draw(c)
      pre ~closing /\\ drawn < 3
      eff drawn := drawn + 1; ticket[c] := drawn
    internal close pre ~closing /\\ drawn = 3 eff closing := true
    internal serve pre closing /\\ served < drawn eff served := served + 1
    internal open
      pre closing /\\ served = drawn
      eff closing := false; drawn := 0; served := 0; ticket := constant(0)
";

fn infer(model: &str, more: &[&str]) -> (Sandbox, Answer) {
    let s = Sandbox::new();
    s.write("desk.ioa", model);
    let args = [
        "infer", "desk.ioa", "--quick", "--random", "--steps", "60", "--sort", "Client=2",
    ];
    let answer = s.ioa(&[&args, more].concat());
    (s, answer)
}

/// The candidates, and what is printed beside them.
fn told(more: &[&str]) -> (Vec<String>, String) {
    let (_, answer) = infer(DESK, more);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let lines = answer.out.lines();
    let stated = lines.filter_map(|line| line.split_once(" of Desk: "));
    let stated = stated.filter(|(before, _)| before.starts_with("invariant "));
    let formulas = stated.map(|(_, formula)| formula.to_owned()).collect();
    (formulas, answer.out)
}

#[test]
fn nothing_is_proposed_about_what_is_left_out() {
    let (all, _) = told(&[]);
    let about = |found: &[String], name: &str| found.iter().any(|f| f.contains(name));
    assert!(about(&all, "served") && about(&all, "spare"), "{all:#?}");
    let (some, text) = told(&["--leave-out", "served,open"]);
    assert!(
        !about(&some, "served") && about(&some, "spare"),
        "{some:#?}"
    );
    assert!(text.contains("% of the variables: not served\n"), "{text}");
    assert!(text.contains("% steps are described: not open\n"), "{text}");
    assert!(
        !text.contains("% open: ") && text.contains("% serve: "),
        "{text}"
    );
    let (few, text) = told(&["--look-at", "spare", "--look-at", "draw"]);
    assert_eq!(few, ["spare = 7"]);
    assert!(text.contains("% of the variables: only spare\n"), "{text}");
    assert!(
        text.contains("% draw(c): ") && !text.contains("% serve: "),
        "{text}"
    );
}

#[test]
fn what_holds_in_a_case_is_proposed() {
    let (found, text) = told(&["--split", "closing"]);
    assert!(text.contains("% cases: closing\n"), "{text}");
    let has = |text: &str| found.iter().any(|own| own == text);
    // `~closing => served = 0`, in as few words.
    assert!(has("served = 0 \\/ closing"), "{found:#?}");
    assert!(has("closing => drawn = 3"), "{found:#?}");
}

#[test]
fn a_term_is_looked_at_like_a_variable() {
    let (found, text) = told(&["--look-at", "closing", "--term", "drawn - served"]);
    assert!(text.contains("% terms: drawn - served\n"), "{text}");
    assert!(
        found.iter().any(|f| f.contains("drawn - served <= 3")),
        "{found:#?}"
    );
    let (found, text) = told(&["--look-at", "closing", "--term", "drawn - ticket[c]"]);
    assert!(
        text.contains("% terms: drawn - ticket[c] for c: Client\n"),
        "{text}"
    );
    let speaks = |formula: &String| formula.contains("drawn - ticket[");
    assert!(found.iter().any(speaks), "{found:#?}");
    // What is proposed can be read again.
    let args = [
        "--look-at",
        "closing",
        "--term",
        "size({d: Client where ticket[d] = ticket[c]})",
    ];
    let (s, answer) = infer(DESK, &[&args[..], &["--output", "found.ioa"]].concat());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let answer = s.ioa(&["check", "desk.ioa", "found.ioa"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
}

/// The area of a field that grows on two sides, to which the model gives a name.
const FIELD: &str = "type Client
automaton Field
  signature internal longer, wider
  states x, y: Nat := 1, seeds: Nat := 1
  let area = x * y
  let ready = x = y
  transitions
    internal longer pre ready /\\ area < 20 eff seeds := seeds + y; x := x + 1
    internal wider pre ~ready eff seeds := seeds + x; y := y + 1
";

#[test]
fn a_term_that_the_model_names_is_looked_at_like_one_of_ones_own() {
    let found = |model: &str, more: &[&str]| {
        let (_, answer) = infer(model, more);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer.out
    };
    let sown = |text: &str| {
        [
            "seeds = area",
            "area = seeds",
            "seeds = x * y",
            "x * y = seeds",
        ]
        .iter()
        .any(|equation| text.contains(equation))
    };
    assert!(sown(&found(FIELD, &[])));
    let nameless = FIELD
        .replace("let area = x * y\n", "")
        .replace("area < 20", "x * y < 20");
    assert!(!nameless.contains("area"));
    assert!(!sown(&found(&nameless, &[])));
    assert!(!sown(&found(FIELD, &["--leave-out", "x"])));
}

/// A machine that sells drinks, which the model gives prices.
const KIOSK: &str = "type Client
type Drink = enumeration of tea, soup
automaton Kiosk
  signature internal coin, pick(d: Drink), serve
  states paid: Nat := 0, choice: Null[Drink] := nil, missing: Nat := 0
  let price(d: Drink) = if d = tea then 3 else 5
  transitions
    internal coin
      pre paid < (if choice = nil then 5 else price(choice.val))
      eff paid := paid + 1;
          if choice ~= nil then missing := price(choice.val) - paid fi
    internal pick(d)
      pre choice = nil /\\ paid <= price(d)
      eff choice := embed(d); missing := price(d) - paid
    internal serve
      pre choice ~= nil /\\ missing = 0
      eff paid := 0; choice := nil
";

#[test]
fn a_number_that_the_model_gives_each_value_is_looked_at_and_written_by_its_name() {
    let (s, answer) = infer(KIOSK, &["--output", "found.ioa"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let equation = "\\A d: Drink (choice = embed(d) => paid + missing = price(d))";
    let turned = "\\A d: Drink (choice = embed(d) => price(d) = paid + missing)";
    let has = |text: &str| text.contains(equation) || text.contains(turned);
    let found = std::fs::read_to_string(s.path("found.ioa")).expect("candidates");
    assert!(has(&found), "{found}");
    assert!(!found.contains("then 3 else 5"), "{found}");
    // The names are known where the candidates are read.
    let proof = s.ioa(&["prove", "desk.ioa", "found.ioa"]);
    assert_eq!(proof.code, Some(0), "{proof:?}");
    // What is asked about is written the same way.
    let (_, answer) = infer(KIOSK, &["--split", "missing < price(choice.val)"]);
    let case = "% cases: missing < price(choice.val)";
    assert!(answer.out.contains(case), "{}", answer.out);
}

#[test]
fn a_condition_that_is_always_true_tells_nothing_apart() {
    let (_, text) = told(&[
        "--split",
        "served <= drawn",
        "--split",
        "spare = 8",
        "--split",
        "closing",
    ]);
    let says = |what: &str| text.contains(what);
    assert!(
        says("served <= drawn: true in all states that were looked at"),
        "{text}"
    );
    assert!(
        says("spare = 8: false in all states that were looked at"),
        "{text}"
    );
    assert!(
        !says("closing: true in all") && !says("closing: false in all"),
        "{text}"
    );
}

#[test]
fn why_says_what_was_not_looked_at() {
    let why = |more: &[&str]| {
        let (_, answer) = infer(
            DESK,
            &[&["--why", "served <= drawn", "--json"], more].concat(),
        );
        let results = answer.json()["results"].clone();
        results[0]["summary"]
            .as_str()
            .expect("a summary")
            .to_owned()
    };
    assert!(why(&[]).starts_with("holds, and is "), "{}", why(&[]));
    let left_out = why(&["--leave-out", "served"]);
    assert!(
        left_out.contains("it reads served, which was not looked at"),
        "{left_out}"
    );
    assert!(
        left_out.contains("; of the variables: not served"),
        "{left_out}"
    );
}

#[test]
fn what_cannot_be_looked_at_is_refused_where_it_stands() {
    let refused = |more: &[&str]| {
        let (_, answer) = infer(DESK, more);
        assert_eq!(answer.code, Some(2), "{answer:?}");
        answer.err
    };
    let unknown = refused(&["--leave-out", "serverd"]);
    assert!(
        unknown.contains("--leave-out: no variable or action of Desk is named serverd"),
        "{unknown}"
    );
    assert!(unknown.contains("did you mean served"), "{unknown}");
    let unknown = refused(&["--look-at", "nothing-at-all"]);
    assert!(
        unknown.contains("there is ticket, drawn, served, spare, closing, draw"),
        "{unknown}"
    );
    let mistaken = refused(&["--term", "drawn + closing"]);
    assert!(
        mistaken.contains("--> --term:1:1") && mistaken.contains("-----^^^-------"),
        "{mistaken}"
    );
    let constant = refused(&["--term", "3 + 4"]);
    assert!(
        constant.contains("this reads no variable of the state"),
        "{constant}"
    );
    let number = refused(&["--split", "drawn"]);
    assert!(number.contains("--> --split:1:1"), "{number}");
    let blank = refused(&["--term", " "]);
    assert!(blank.contains("--term wants a term"), "{blank}");
    let nothing = refused(&["--leave-out", "ticket,drawn,served,spare,closing"]);
    assert!(nothing.contains("leaves nothing to look at"), "{nothing}");
    let text = DESK.replace("spare: Nat := 7", "spare: String := \"x\"");
    let (_, answer) = infer(&text, &["--term", "spare"]);
    assert!(
        answer.err.contains("candidates say nothing of a String"),
        "{answer:?}"
    );
}

#[test]
fn a_study_names_what_to_look_at_unless_the_command_line_does() {
    let s = Sandbox::new();
    s.write("desk.ioa", DESK);
    s.write(
        "ioa.toml",
        "[study]\nname = \"desk\"\nsources = [\"desk.ioa\"]\n[infer]\nautomaton = \"Desk\"\nrandom = true\nsteps = 60\nlook-at = \"drawn\"\nterms = [\"drawn + served\"]\nsplits = \"closing\"\n",
    );
    let text = s.ioa(&["infer", ".", "--sort", "Client=2"]).out;
    for line in [
        "% of the variables: only drawn\n",
        "% terms: drawn + served\n",
        "% cases: closing\n",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    let text = s
        .ioa(&["infer", ".", "--term", "spare + 1", "--sort", "Client=2"])
        .out;
    assert!(
        text.contains("% terms: spare + 1\n") && text.contains("% cases: closing\n"),
        "{text}"
    );
    s.write(
        "ioa.toml",
        "[study]\nname = \"desk\"\nsources = [\"desk.ioa\"]\n[infer]\nautomaton = \"Desk\"\nterms = [\"drawn + nobody\"]\n",
    );
    let answer = s.ioa(&["infer", "."]);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.err.contains("unknown name `nobody`"), "{answer:?}");
}

/// Two desks side by side.
const BOTH: &str = "
automaton Both
  components D[c: Client]: Desk
";

#[test]
fn parts_of_components_are_named_by_their_paths() {
    let model = format!("{DESK}{BOTH}");
    let args = ["--automaton", "Both"];
    let (_, answer) = infer(
        &model,
        &[
            &args[..],
            &["--look-at", "D.drawn", "--term", "D[c].drawn - D[c].served"],
        ]
        .concat(),
    );
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(
        answer.out.contains("% of the variables: only D.drawn\n"),
        "{answer:?}"
    );
    assert!(
        answer
            .out
            .contains("% terms: D[c].drawn - D[c].served for c: Client\n"),
        "{answer:?}"
    );
    let (_, answer) = infer(
        &model,
        &[&args[..], &["--leave-out", "D", "--term", "D[c].served"]].concat(),
    );
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let stated = answer
        .out
        .lines()
        .filter(|line| line.starts_with("invariant "));
    let stated: Vec<&str> = stated.collect();
    assert_eq!(
        stated,
        ["invariant Cand1 of Both: \\A c: Client (D[c].served <= 3)"]
    );
}

#[test]
fn steps_are_described_by_terms_of_ones_own_on_both_states() {
    let (_, text) = told(&["--term", "drawn + spare"]);
    assert!(
        text.contains("%   effect: drawn' + spare' = drawn + spare + 1"),
        "{text}"
    );
    assert!(text.contains("unchanged: served, spare, closing"), "{text}");
    let (_, text) = told(&["--term", "served + spare"]);
    assert!(text.contains("served + spare\n"), "{text}");
}

/// Nodes rise and fall; the model names how many are up.
const NODES: &str = "type Client
automaton Nodes
  signature internal rise(c: Client), fall(c: Client)
  states up: Array[Client, Bool] := constant(false), n: Nat := 0
  let high = size({c: Client where up[c]})
  transitions
    internal rise(c) pre ~up[c] eff up[c] := true; n := n + 1
    internal fall(c) pre up[c] eff up[c] := false; n := n - 1
";

#[test]
fn steps_are_described_by_terms_that_bind_variables() {
    for more in [
        &[][..],
        &["--term", "if \\E c: Client (up[c]) then 1 else 0"],
    ] {
        let s = Sandbox::new();
        s.write("nodes.ioa", NODES);
        let args = ["infer", "nodes.ioa", "--sort", "Client=4"];
        let answer = s.ioa(&[&args[..], more].concat());
        assert_eq!(answer.code, Some(0), "{answer:?}");
        assert!(
            answer.out.contains("n = high") || answer.out.contains("high = n"),
            "{}",
            answer.out
        );
        assert!(answer.out.contains("% rise(c)"), "{}", answer.out);
    }
}
