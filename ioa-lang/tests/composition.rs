//! Compositions as the core has them, printed.

use ioa_lang::core::{AutomatonId, Model, StmtId, StmtKind, fingerprint, visit_stmts};
use ioa_lang::diagnostic::has_errors;
use ioa_lang::print::{self, Context};
use ioa_lang::{Sources, load};

const MODEL: &str = r"
type Node
Ring(I): trait
  introduces right, left: I -> I
  asserts with i: I left(right(i)) = i; right(left(i)) = i
automaton Clock
  signature output tick, internal wind
  states t: Int := 0
  transitions
    output tick
      eff t := t + 1
    internal wind
automaton Process(I: type, i: I) assumes Ring(I)
  signature
    input tick
    input receive(n: Int, const left(i), const i)
    output send(n: Int, const i, const right(i))
    internal rest(k: I)
  states next: Int := 0, mine: I := i, any: Int
  transitions
    input tick
      eff next := next + 1
    input receive(n, j, i) where n > 0
      eff next := n
    input receive(n, j, i) where n <= 0
    output send(n, i, j)
      pre n = next
    internal rest(k)
      ensuring any' > any
  tasks {rest(k)} for k: I
automaton Channel(M, I: type, i, j: I)
  signature
    input send(m: M, const i, const j)
    output receive(m: M, const i, const j)
  states held: Set[M] := {}
  transitions
    input send(m, i, j)
      eff held := insert(m, held)
    output receive(m, i, j)
      pre m \in held
automaton Sys(I: type) assumes Ring(I)
  components
    Clock;
    P[i: I]: Process(I, i);
    C[i: I]: Channel(Int, I, i, right(i))
  hidden send(n, i, j)
automaton Farm
  assumes Ring(Node)
  components F[k: Node, l: Bool]: Inner where k = k
automaton Inner
  assumes Ring(Node)
  components S: Quiet; Q[j: Node]: Quiet
automaton Quiet
  signature internal hush(n: Int)
  states x: Int := 0
  transitions
    internal hush(n)
      eff x := n
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

fn named(model: &Model, name: &str) -> AutomatonId {
    model.automaton_named(name).expect("declared")
}

/// The clauses of an action, each with its conditions and what its effect writes.
fn clauses(name: &str, action: &str) -> Vec<String> {
    let model = model("");
    let id = named(&model, name);
    let automaton = model.automaton(id);
    let of_action =
        |t: &&ioa_lang::core::Transition| &*automaton.actions[t.action.index()].name == action;
    let clauses = automaton.transitions.iter().filter(of_action);
    clauses
        .map(|t| {
            let context = Context::automaton(&model, id, &t.locals);
            let print = |e| print::expr(&model, &context, e);
            let effect: Vec<String> = t
                .effect
                .iter()
                .map(|stmt| match &stmt.kind {
                    StmtKind::Assign(_, value) => print(value),
                    StmtKind::Choose { .. } => "choose".into(),
                    StmtKind::For { body, .. } => format!("for {}", body.len()),
                    StmtKind::If { branches, .. } => format!("if {}", print(&branches[0].0)),
                    other => panic!("{other:?}"),
                })
                .collect();
            format!(
                "{} | {} | {}",
                print(&t.applies),
                print(&t.pre),
                effect.join("; ")
            )
        })
        .collect()
}

#[test]
fn shared_actions_are_one() {
    assert_eq!(
        clauses("Sys", "send"),
        ["j = right(i) | n = P[i].next | insert(n, C[i].held)"]
    );
    assert_eq!(clauses("Sys", "tick"), ["true | true | Clock.t + 1; for 1"]);
    let received = clauses("Sys", "receive");
    assert_eq!(received.len(), 3, "{received:#?}");
    assert!(received[0].contains("0 < m") && received[0].contains("i = left(i2)"));
    assert!(received[2].contains("i ~= left(i2)"), "{received:#?}");
}

#[test]
fn private_actions_have_the_indices_first() {
    assert_eq!(clauses("Sys", "P.rest"), ["true | true | choose"]);
    let model = model("");
    let farm = model.automaton(named(&model, "Farm"));
    let names: Vec<&str> = farm.actions.iter().map(|a| &*a.name).collect();
    assert_eq!(names, ["F.S.hush", "F.Q.hush"]);
    let action = &farm.actions[1];
    assert_eq!(action.params.len(), 4);
    let args = ["Node#0", "true", "Node#1", "7"].map(String::from);
    assert_eq!(
        print::action(farm, action, &args),
        "F[Node#0][true].Q[Node#1].hush(7)"
    );
    let paths: Vec<(&str, usize)> = farm
        .components
        .iter()
        .map(|c| (&*c.path, c.indices.len()))
        .collect();
    assert_eq!(paths, [("F", 2), ("F.S", 2), ("F.Q", 3)]);
}

#[test]
fn variables_are_arrays_over_the_indices() {
    let model = model("");
    let sys = model.automaton(named(&model, "Sys"));
    let shown: Vec<String> = sys
        .variables
        .iter()
        .map(|v| format!("{}: {}", v.name, model.type_name(&v.ty)))
        .collect();
    assert_eq!(
        shown,
        [
            "Clock.t: Int",
            "P.next: Array[Sys.I, Int]",
            "P.mine: Array[Sys.I, Sys.I]",
            "P.any: Array[Sys.I, Int]",
            "C.held: Array[Sys.I, Set[Int]]"
        ]
    );
    assert_eq!(sys.start.program.body.len(), sys.variables.len());
}

#[test]
fn participants_tell_who_controls_and_who_receives() {
    let model = model("");
    let sys = model.automaton(named(&model, "Sys"));
    let send = sys
        .actions
        .iter()
        .find(|a| &*a.name == "send")
        .expect("there");
    let who: Vec<(usize, &str, bool)> = send
        .participants
        .iter()
        .map(|p| (p.component.index(), p.kind.keyword(), p.open.is_empty()))
        .collect();
    assert_eq!(who, [(1, "output", true), (2, "input", true)]);
    let tick = sys
        .actions
        .iter()
        .find(|a| &*a.name == "tick")
        .expect("there");
    assert_eq!(tick.participants[1].open.len(), 1);
    let required: Vec<&str> = sys.requirements.iter().map(|r| &*r.otherwise).collect();
    assert_eq!(required.len(), 1, "{required:?}");
    assert!(required[0].contains("an input of `P`"), "{required:?}");
}

#[test]
fn what_is_printed_of_a_composition_is_read_back() {
    let cases = [
        (
            "Sys",
            r"\A i: Sys.I (P[i].next = Clock.t /\ C[right(i)].held = {})",
        ),
        ("Sys", r"\E i: Sys.I (enabled(receive(3, i, right(i))))"),
        ("Sys", "P.next = constant(0)"),
        (
            "Farm",
            r"\A k, j: Node (F[k][true].Q[j].x = F[j][false].S.x)",
        ),
        ("Process", r"next = 0 /\ right(Process.i) = mine"),
    ];
    for (automaton, formula) in cases {
        let printed = |formula: &str| {
            let model = model(&format!("invariant I of {automaton}: {formula}"));
            let invariant = &model.invariants[0];
            let context = Context::automaton(&model, invariant.automaton, &invariant.locals);
            print::expr(&model, &context, &invariant.formula)
        };
        let once = printed(formula);
        assert_eq!(printed(&once), once);
        if !formula.contains("enabled") {
            assert_eq!(once, formula);
        }
    }
}

#[test]
fn the_composed_studies_are_understood() {
    let channels = include_str!("../../case-studies/environments/channels.ioa");
    let studies: [&[&str]; 2] = [
        &[include_str!("../../case-studies/lcr/lcr.ioa")],
        &[
            include_str!("../../case-studies/alternating-bit/protocol.ioa"),
            include_str!("../../case-studies/alternating-bit/refinement.ioa"),
        ],
    ];
    for texts in studies {
        let mut sources = Sources::new();
        sources.add("channels", channels);
        for text in texts {
            sources.add("study", *text);
        }
        let loaded = load(&sources);
        assert_eq!(loaded.diagnostics, []);
        assert!(!loaded.model.invariants.is_empty());
        assert!(
            loaded
                .model
                .automata
                .iter()
                .any(|a| !a.components.is_empty())
        );
    }
}

/// What is hidden of an action is an internal action of its own, with the same clauses and in the same task.
#[test]
fn an_action_may_be_hidden_in_part() {
    let model = model(
        r"automaton Teller(I: type, i: I)
            signature output tell(n: Int, const i)
            states n: Int := 0
            transitions
              output tell(m, i) where m > 9
                pre m = n
              output tell(m, i) where m <= 9
                pre m = n + 1
            tasks {tell(m, i)} for m: Int
          automaton Some
            components T[k: Node]: Teller(Node, k)
            hidden tell(m, k) where m > 7; tell(3, k)
          automaton Whole
            components T[k: Node]: Teller(Node, k)
            hidden tell(m, k)
          automaton Outer
            components S: Some",
    );
    let actions = |name: &str| -> Vec<String> {
        let automaton = model.automaton(named(&model, name));
        let actions = automaton.actions.iter();
        actions
            .map(|a| format!("{} {}", a.kind.keyword(), a.name))
            .collect()
    };
    assert_eq!(actions("Some"), ["output tell", "internal Some.tell"]);
    assert_eq!(actions("Whole"), ["internal tell"]);
    assert_eq!(actions("Outer"), ["internal S.Some.tell", "output tell"]);
    let id = named(&model, "Some");
    let some = model.automaton(id);
    let shown: Vec<String> = some
        .transitions
        .iter()
        .map(|t| {
            let context = Context::automaton(&model, id, &t.locals);
            let name = &some.actions[t.action.index()].name;
            format!("{name}: {}", print::expr(&model, &context, &t.applies))
        })
        .collect();
    assert_eq!(
        shown,
        [
            r"tell: 9 < m /\ ~(7 < m \/ m = 3)",
            r"Some.tell: 9 < m /\ (7 < m \/ m = 3)",
            r"tell: m <= 9 /\ ~(7 < m \/ m = 3)",
            r"Some.tell: m <= 9 /\ (7 < m \/ m = 3)",
        ]
    );
    let [task] = &some.tasks[..] else {
        panic!("{:?}", some.tasks);
    };
    let of_task: Vec<usize> = task.actions.iter().map(|(id, _)| id.index()).collect();
    assert_eq!(of_task, [0, 1]);
}

/// Determinators of joined clauses hand out side by side, each from its first row again after its last.
#[test]
fn determinators_are_joined() {
    let model = model(
        r"automaton Draws
            signature output draw(i: Int)
            transitions
              output draw(i)
                choose k: Int where k > 0 det do yield 1; yield 2 od
                pre i = k
          automaton Takes
            signature input draw(i: Int)
            states last: Int := 0
            transitions
              input draw(i)
                choose n: Int, b: Bool det do yield 5, true; yield 6, false; yield 7, true od
                eff if n < i /\ b then last := i fi
          automaton Both
            components D: Draws; T: Takes",
    );
    let id = named(&model, "Both");
    let clause = &model.automaton(id).transitions[0];
    assert_eq!(clause.hidden.len(), 3);
    let context = Context::automaton(&model, id, &clause.locals);
    let rows: Vec<String> = clause
        .det
        .iter()
        .map(|row| {
            let terms = row.iter().map(|term| print::expr(&model, &context, term));
            terms.collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(
        rows,
        [
            "1 5 true",
            "2 6 false",
            "1 7 true",
            "2 5 true",
            "1 6 false",
            "2 7 true",
        ]
    );
}

/// The effect of a component reacts to an input of others in two cases; its `if` is written once.
const REACTING: &str = r"
automaton Source
  signature output go(k: Nat)
  states s: Nat := 0
  transitions output go(k) where k < 2
automaton Sink
  signature input go(k: Nat) where k < 1
  states seen: Nat := 0
  transitions
    input go(k) where k < 1
      eff if seen < 3 then seen := seen + 1 fi
automaton Both
  components A: Source; B: Sink; C: Sink
";

/// Every `if` in the effects of an automaton.
fn ifs(model: &Model, name: &str) -> Vec<Option<StmtId>> {
    let id = model.automaton_named(name).expect("it is declared");
    let mut found = Vec::new();
    for clause in &model.automaton(id).transitions {
        visit_stmts(&clause.effect, |stmt| {
            if matches!(stmt.kind, StmtKind::If { .. }) {
                found.push(stmt.id());
            }
        });
    }
    found
}

#[test]
fn a_statement_is_known_in_all_its_copies() {
    let mut sources = Sources::new();
    sources.add("reacting.ioa", REACTING);
    let loaded = load(&sources);
    assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
    let [Some(written)] = ifs(&loaded.model, "Sink")[..] else {
        panic!("one `if` is written");
    };
    let (copies, made): (Vec<_>, Vec<_>) = ifs(&loaded.model, "Both")
        .into_iter()
        .partition(Option::is_some);
    // What sorts out which components take part is no statement of the text.
    assert!(copies.len() > 1 && !made.is_empty());
    assert!(copies.into_iter().all(|id| id == Some(written)));
    // Which statements they are is no part of what a model means.
    let again = load(&sources);
    assert_ne!(ifs(&again.model, "Sink"), [Some(written)]);
    assert_eq!(fingerprint(&again.model), fingerprint(&loaded.model));
    assert_eq!(again.model, loaded.model);
}

#[test]
fn what_tells_the_cases_of_a_composition_apart_is_nobodys_condition() {
    let model = r"
automaton Source
  signature output go(k: Nat)
  states s: Nat := 0
  transitions output go(k) where k < 9 pre s = k
automaton Sink
  signature input go(k: Nat) where k < 1
  states seen: Nat := 0
  transitions
    input go(k) where k < 1
      ensuring seen' > seen
automaton Both
  components A: Source; B: Sink
";
    let mut sources = Sources::new();
    sources.add("cases.ioa", model);
    let loaded = load(&sources);
    assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
    let id = loaded
        .model
        .automaton_named("Both")
        .expect("it is declared");
    let clauses = &loaded.model.automaton(id).transitions;
    assert_eq!(clauses.len(), 2, "the sink takes part, or it does not");
    for clause in clauses {
        let conjuncts = clause.applies.conjuncts();
        let (cases, own): (Vec<usize>, Vec<usize>) =
            (0..conjuncts.len()).partition(|at| clause.cases.contains(*at));
        assert_eq!(cases.len(), 1, "{conjuncts:?}");
        assert_eq!(own.len(), 1, "{conjuncts:?}");
    }
    let alone = &loaded.model.automaton(AutomatonId(0)).transitions[0];
    assert!(!alone.cases.contains(0));
}
