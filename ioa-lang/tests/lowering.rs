//! What sugar means: formulas as they are written and as the core has them, printed.

use ioa_lang::core::{Expr, ExprKind, Model, Op, StmtKind, Type, fingerprint};
use ioa_lang::diagnostic::{Severity, has_errors};
use ioa_lang::print::{self, Context};
use ioa_lang::{Sources, load};

const MODEL: &str = r"
type Node
type Ballot
type Quorum
type Phase = enumeration of idle, busy
type Packet = tuple of src, dst: Node
assumes TotalOrder(Ballot)
assumes Quorums(Quorum, Node)

automaton A
  signature
    internal vote(n: Node, k: Int) where k > 0,
             give(const idle, p: Packet)
  states
    n: Nat := 0,
    i: Int := 0,
    nodes: Set[Node] := {},
    queue: Seq[Node] := {},
    phase: Phase := idle,
    best: Null[Ballot]
    so that i = n
  transitions
    internal vote(v, k) where k < 9
      choose m: Node where m ~= v
      pre m \in nodes
      eff n := n - 1; i := n - 1
    internal vote(m, 9)
      ensuring i' > i /\ nodes' = {m} /\ phase' = phase
    internal give(const busy, p)
    internal give(x, p)
      pre x = phase
      eff phase := x
      ensuring phase' = x /\ n' = n
";

fn model(item: &str) -> Model {
    let mut sources = Sources::new();
    sources.add("model", format!("{MODEL}\n{item}"));
    let loaded = load(&sources);
    assert!(
        !has_errors(&loaded.diagnostics),
        "in {item}: {:?}",
        loaded.diagnostics
    );
    loaded.model
}

fn lowered(formula: &str) -> (Model, Expr) {
    let model = model(&format!("invariant I of A: {formula}"));
    let formula = model.invariants[0].formula.clone();
    (model, formula)
}

/// A formula as the core has it.
fn printed(formula: &str) -> String {
    let (model, formula) = lowered(formula);
    let invariant = &model.invariants[0];
    let context = Context::automaton(&model, invariant.automaton, &invariant.locals);
    print::expr(&model, &context, &formula)
}

#[test]
fn named_expressions_are_expanded() {
    let text =
        "let twice(k: Nat) = k + k\nlet most = 3\nlet apart(a, b: Int) = twice(most) < abs(a - b)";
    let model = model(&format!(
        "{text}\ninvariant I of A: apart(i, twice(n)) => twice(most) = n"
    ));
    let invariant = &model.invariants[0];
    let context = Context::automaton(&model, invariant.automaton, &invariant.locals);
    assert_eq!(
        print::expr(&model, &context, &invariant.formula),
        "3 + 3 < abs(i - (n + n)) => 3 + 3 = n"
    );
}

#[test]
fn sugar_is_gone() {
    let cases = [
        ("n > i /\\ n >= i", r"i < n /\ i <= n"),
        ("~(n = i) \\/ n ~= i", r"n ~= i \/ n ~= i"),
        ("succ(n) = pred(i)", "n + 1 = i - 1"),
        ("insert(head(queue), {}) = nodes", "{head(queue)} = nodes"),
        ("nodes \\subset {}", r"nodes \subseteq {} /\ nodes ~= {}"),
        (
            r"\A a, b: Ballot (a >= b /\ b > a)",
            r"\A a, b: Ballot (b <= a /\ a < b)",
        ),
        (r"\A a: Ballot (~(a < a))", r"\A a: Ballot (a <= a)"),
        (
            "(n = 1 /\\ (n = 2 /\\ n = 3)) /\\ i = 4",
            r"n = 1 /\ n = 2 /\ n = 3 /\ i = 4",
        ),
        ("((((i)))) - (1 - 2) = -3", "i - (1 - 2) = -3"),
    ];
    for (written, core) in cases {
        assert_eq!(printed(written), core, "for {written}");
    }
}

#[test]
fn arithmetic_is_that_of_the_integers_where_an_integer_is_wanted() {
    let is_nat = |formula: &str| {
        let (_, formula) = lowered(formula);
        formula.children().next().map(|left| left.ty == Type::Nat)
    };
    assert_eq!(is_nat("n - 1 = n"), Some(true));
    assert_eq!(is_nat("n - 1 = i"), Some(false));
    assert_eq!(is_nat("n - 1 < i"), Some(false));
    assert_eq!(is_nat("n - 1 < n"), Some(true));
    let model = model("");
    let effect = &model.automata[0].transitions[0].effect;
    let values: Vec<&Type> = effect
        .iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Assign(_, value) => &value.ty,
            other => panic!("not an assignment: {other:?}"),
        })
        .collect();
    assert_eq!(values, [&Type::Nat, &Type::Int]);
}

/// A difference of natural numbers has a value only where it is one, whatever it is made of afterwards.
#[test]
fn a_type_written_around_another_drops_no_check() {
    for formula in [
        "(n - 1):Nat = i",
        "((n - 1):Nat):Int = i",
        "(((n - 1):Nat):Int):Int = i",
        "((n - 1):Nat):Int - 1 = i",
        "-((n - 1):Nat):Int = i",
        "({((n - 1):Nat):Int}:Set[Int]) = {i}",
    ] {
        let (_, formula) = lowered(formula);
        let mut checked = 0;
        formula.walk(&mut |e| {
            checked +=
                usize::from(matches!(&e.kind, ExprKind::Apply(Op::Sub, _) if e.ty == Type::Nat));
        });
        assert_eq!(checked, 1, "{formula:?}");
    }
}

#[test]
fn clauses_say_which_parameters_they_are_for() {
    let model = model("");
    let automaton = &model.automata[0];
    let id = model.automaton_named("A").expect("declared");
    let guards: Vec<(String, String)> = automaton
        .transitions
        .iter()
        .map(|t| {
            let context = Context::automaton(&model, id, &t.locals);
            let print = |e| print::expr(&model, &context, e);
            (print(&t.applies), print(&t.pre))
        })
        .collect();
    let expected = [
        (r"0 < k /\ k < 9", r"m ~= v /\ m \in nodes"),
        (r"0 < k /\ k = 9", "true"),
        (r"p2 = idle /\ p2 = busy", "true"),
        ("x = idle", "x = phase"),
    ];
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(applies, pre)| ((*applies).to_owned(), (*pre).to_owned()))
        .collect();
    assert_eq!(guards, expected);
}

#[test]
fn what_is_ensured_and_not_assigned_is_free() {
    let model = model("");
    let automaton = &model.automata[0];
    let free: Vec<Vec<&str>> = automaton
        .transitions
        .iter()
        .map(|t| {
            let name = |var: &ioa_lang::core::VarId| &*automaton.variables[var.index()].name;
            t.unconstrained.iter().map(name).collect()
        })
        .collect();
    let expected: [&[&str]; 4] = [&[], &["i", "nodes", "phase"], &[], &["n"]];
    assert_eq!(free, expected);
}

#[test]
fn what_is_provided_is_a_precondition() {
    let model = model(
        r"automaton B
           signature internal go(k: Int)
           states n: Int := 0, a: Array[Bool, Int] := [b: Bool -> 0], free: Bool := true
           transitions
             internal go(k)
               pre n < k
               eff n := n + 1; if free then a[true] := n fi
               provided a'[true] < n' /\ (free' => n' = k)",
    );
    let id = model.automaton_named("B").expect("declared");
    let automaton = model.automaton(id);
    let clause = &automaton.transitions[0];
    let context = Context::automaton(&model, id, &clause.locals);
    // What is printed can be read: there, `free'` would be the state after the step.
    let expected = r"n < k /\ (if free then assign(a, true, n + 1) else a)[true] < n + 1 /\ (free2 => n + 1 = k)";
    assert_eq!(print::expr(&model, &context, &clause.pre), expected);
    assert!(clause.ensuring.is_true() && clause.unconstrained.is_empty());
    let [free] = clause.hidden[..] else {
        panic!("one variable is decided by the condition alone");
    };
    let Some(StmtKind::Assign(place, value)) = clause.effect.last().map(|stmt| &stmt.kind) else {
        panic!("the last statement assigns it");
    };
    assert_eq!(&*automaton.variables[place.root.var.index()].name, "free");
    assert!(value.is_local(free));
}

#[test]
fn every_variable_starts_by_one_statement() {
    let model = model("");
    let automaton = &model.automata[0];
    let start = &automaton.start.program.body;
    assert_eq!(start.len(), automaton.variables.len());
    assert!(matches!(start[0].kind, StmtKind::Assign(..)));
    let StmtKind::Choose { predicate, .. } = &start[5].kind else {
        panic!("`best` has no initial value");
    };
    assert!(predicate.is_true());
}

#[test]
fn enabled_is_the_disjunction_of_the_clauses() {
    let expected =
        r"\A m: Node (\E m2: Node (0 < i /\ i < 9 /\ m2 ~= m /\ m2 \in nodes) \/ (0 < i /\ i = 9))";
    assert_eq!(printed(r"\A m: Node (enabled(vote(m, i)))"), expected);
}

#[test]
fn an_action_without_a_clause_is_never_enabled() {
    let mut sources = Sources::new();
    let text = "automaton A signature internal off states x: Int := 0 transitions
      invariant I of A: enabled(off)";
    sources.add("model", text);
    let model = load(&sources).model;
    let invariant = &model.invariants[0];
    let context = Context::automaton(&model, invariant.automaton, &invariant.locals);
    assert_eq!(print::expr(&model, &context, &invariant.formula), "false");
}

/// Whoever writes one dialect and whoever writes the other mean the same.
#[test]
fn both_dialects_mean_the_same() {
    const OTHER: [(&str, &str); 7] = [
        ("type Spin", "Type Spin"),
        ("assumes Turning", "imports Turning"),
        ("so that up(s)", "initially up(s)"),
        ("ensuring s'", "so that s'"),
        ("introduces", "operators"),
        ("asserts", "axioms"),
        ("\\forall x: Spin", "with x: Spin"),
    ];
    let text = r"
        type Spin
        vocabulary Turning
          introduces up: Spin -> Bool, turn: Spin -> Spin
          asserts \forall x: Spin  turn(turn(x)) = x
        end
        assumes Turning
        automaton B
          signature
            internal flip
          states
            s: Spin
            so that up(s)
          transitions
            internal flip
              ensuring s' = turn(s)";
    let first = fingerprint(&model(text));
    for (one, other) in OTHER {
        assert!(text.contains(one), "{one}");
        assert_eq!(
            fingerprint(&model(&text.replace(one, other))),
            first,
            "{other}"
        );
    }
    assert_ne!(fingerprint(&model(&text.replace("turn(s)", "s"))), first);
}

#[test]
fn a_vocabulary_takes_the_place_of_the_theory_of_rings() {
    let text = "type Node
vocabulary Ring
  operators
    after: Node -> Node
end
imports Ring
automaton A
  signature
    internal go
  states
    at: Node
  transitions
    internal go
      eff at := after(at)
";
    let named = |text: &str| -> (bool, Vec<String>) {
        let mut sources = Sources::new();
        sources.add("ring.ioa", text);
        let loaded = load(&sources);
        let functions = loaded.model.functions.iter();
        (
            has_errors(&loaded.diagnostics),
            functions.map(|f| f.name.to_string()).collect(),
        )
    };
    assert_eq!(named(text), (false, vec!["after".to_owned()]));
    let built_in = text
        .replace(
            "vocabulary Ring\n  operators\n    after: Node -> Node\nend\n",
            "",
        )
        .replace("imports Ring", "imports Ring(Node)")
        .replace("after(at)", "next(at)");
    let operators = ["next", "previous", "between"].map(str::to_owned);
    assert_eq!(named(&built_in), (false, operators.to_vec()));
}

#[test]
fn a_line_brings_its_order_and_is_about_one_sort_where_it_is_assumed() {
    let text = "type Phase
automaton A
  assumes Successor(Phase)
  signature internal go
  states at: Phase := first
  transitions internal go pre at < successor(at) eff at := successor(at)
automaton B
  signature internal go
  states at: Phase
  transitions internal go eff at := at
";
    let errors = |text: &str| {
        let mut sources = Sources::new();
        sources.add("line.ioa", text);
        let loaded = load(&sources);
        let errors = loaded.diagnostics.iter();
        let errors = errors.filter(|d| d.severity == Severity::Error);
        errors.map(|d| d.message.clone()).collect::<Vec<String>>()
    };
    assert_eq!(errors(text), Vec::<String>::new());
    let elsewhere =
        errors(&text.replace("eff at := at\n", "pre at < at eff at := successor(at)\n"));
    assert_eq!(elsewhere.len(), 2, "{elsewhere:?}");
    let numbers = errors(&text.replace("Successor(Phase)", "Successor(Nat)"));
    assert!(numbers[0].contains("is about sorts"), "{numbers:?}");
    let two = errors(&text.replace("Successor(Phase)", "Successor(Phase, Phase)"));
    assert!(two[0].contains("type"), "{two:?}");
}

#[test]
fn arrangements_in_a_vocabulary_are_those_of_the_types_that_it_is_given() {
    let text = "type Node
type Phase
vocabulary Steps(P: type, N: type)
  assumes Successor(P), Ring(N)
  operators last: -> P
  axioms successor(last) = last
end
imports Steps(Phase, Node)
automaton A
  signature internal go
  states at: Phase := first, to: Node
  transitions internal go pre at ~= last eff at := successor(at); to := next(to)
";
    let mut sources = Sources::new();
    sources.add("steps.ioa", text);
    let loaded = load(&sources);
    assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
    let model = loaded.model;
    let sorts: Vec<&str> = model
        .arrangements
        .iter()
        .map(|arrangement| &*model.sorts[arrangement.sort.index()].name)
        .collect();
    assert_eq!(sorts, ["Phase", "Node"]);
    for arrangement in &model.arrangements {
        for operator in arrangement.operators() {
            let function = &model.functions[operator.index()];
            let sort = ioa_lang::core::Type::Sort(arrangement.sort);
            assert!(function.params.iter().all(|ty| *ty == sort));
        }
    }
}
