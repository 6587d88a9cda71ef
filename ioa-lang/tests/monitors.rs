//! Monitors as the core has them: the system, with what the monitor does after what the system does.

use ioa_lang::core::{ActionKind, Automaton, ExprKind, Liveness, Model, Op, StmtKind, Temporal};
use ioa_lang::diagnostic::has_errors;
use ioa_lang::{Sources, load};

const MODEL: &str = r"
automaton Machine(I: type, i: I)
  signature
    input    start(k: I)
    output   stop(const i)
    internal fail(hard: Bool)
    internal rest
  states
    down: Bool := false,
    hits: Nat
  transitions
    input start(k) where k = i
      eff down := false
    input start(k) where k ~= i
    output stop(i)
      eff down := true
    internal fail(hard)
      choose n: Nat where n > 1
      eff down := true; hits := n
      ensuring hits' > 0
    internal rest
  tasks
    {stop(i)};
    strong {fail(h)} for h: Bool;
    {rest}

automaton Line(I: type)
  components
    M[i: I]: Machine(I, i)

monitor Watch(J: type) of Line(J)
  signature
    input start(k: J), M[j: J].fail(hard: Bool)
  states
    failed: Set[J] := {},
    hard: Nat := 0
  transitions
    input start(k)
      eff failed := delete(k, failed)
    input M[j].fail(h) where h
      eff hard := hard + 1
    input M[j].fail(h) where j \in {j}
      eff failed := insert(j, failed)
    input M[j].fail(h)
      eff failed := {}
  hot failed ~= {}
  hot hard > 3
  cold failed = {}
";

fn model(text: &str) -> Model {
    let mut sources = Sources::new();
    sources.add("monitor.ioa", text.to_owned());
    let loaded = load(&sources);
    assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
    loaded.model
}

fn automaton<'m>(model: &'m Model, name: &str) -> &'m Automaton {
    let id = model.automaton_named(name);
    model.automaton(id.expect("there is such an automaton"))
}

#[test]
fn a_monitor_has_the_actions_the_clauses_and_the_tasks_of_the_system() {
    let model = model(MODEL);
    let (line, watch) = (automaton(&model, "Line"), automaton(&model, "Watch"));
    let kinds = |of: &Automaton| -> Vec<(String, ActionKind, usize)> {
        let actions = of.actions.iter();
        actions
            .map(|a| (a.name.to_string(), a.kind, a.participants.len()))
            .collect()
    };
    assert_eq!(kinds(line), kinds(watch));
    assert_eq!(line.tasks.len(), watch.tasks.len());
    for (one, other) in line.tasks.iter().zip(&watch.tasks) {
        let ids =
            |of: &ioa_lang::core::Task| of.actions.iter().map(|(a, _)| *a).collect::<Vec<_>>();
        assert_eq!((one.fairness, ids(one)), (other.fairness, ids(other)));
    }
    assert_eq!(line.transitions.len(), watch.transitions.len());
    for (one, other) in line.transitions.iter().zip(&watch.transitions) {
        assert_eq!(
            (one.action, one.span, &one.refused, one.hidden.len()),
            (other.action, other.span, &other.refused, other.hidden.len())
        );
        assert_eq!(one.unconstrained, other.unconstrained);
        let added = match &*line.actions[one.action.index()].name {
            "start" | "M.fail" if one.refused.is_none() => 1,
            _ => 0,
        };
        assert_eq!(
            one.effect.len() + added,
            other.effect.len(),
            "{:?}",
            one.span
        );
    }
    let names: Vec<&str> = watch.variables.iter().map(|v| &*v.name).collect();
    assert_eq!(names, ["M.down", "M.hits", "failed", "hard"]);
    let paths: Vec<&str> = watch.components.iter().map(|c| &*c.path).collect();
    assert_eq!(paths, ["M"]);
}

#[test]
fn the_first_clause_that_matches_observes_and_later_ones_do_not() {
    let model = model(MODEL);
    let watch = automaton(&model, "Watch");
    let fail = watch.actions.iter().position(|a| &*a.name == "M.fail");
    let clause = watch
        .transitions
        .iter()
        .find(|t| Some(t.action.index()) == fail);
    let reaction = clause.and_then(|clause| clause.effect.last());
    let Some(StmtKind::If {
        branches,
        otherwise,
    }) = reaction.map(|stmt| &stmt.kind)
    else {
        panic!("{reaction:?}");
    };
    assert_eq!((branches.len(), otherwise.len()), (2, 1));
}

#[test]
fn the_temperature_is_a_liveness_property_that_bears_the_name_of_the_monitor() {
    let model = model(MODEL);
    let [Liveness { name, formula, .. }] = &model.liveness[..] else {
        panic!("{:?}", model.liveness);
    };
    assert_eq!(&**name, "Watch");
    let Temporal::Joined(_, sides) = formula else {
        panic!("{formula:?}");
    };
    let [
        Temporal::AlwaysEventually(hot),
        Temporal::AlwaysEventually(cold),
    ] = &**sides
    else {
        panic!("{sides:?}");
    };
    assert!(matches!(&hot.kind, ExprKind::Apply(Op::Or, args) if args.len() == 2));
    assert!(matches!(&cold.kind, ExprKind::Apply(Op::Eq, _)));
    let states = |e: &ioa_lang::core::Expr| {
        let mut found = Vec::new();
        ioa_lang::core::reads_of_expr(e, &mut |state, _| found.push(state.var.index()));
        found
    };
    assert_eq!((states(hot), states(cold)), (vec![2, 3], vec![2]));
}

#[test]
fn a_monitor_without_hot_states_states_nothing() {
    let text = MODEL.replace(
        "  hot failed ~= {}\n  hot hard > 3\n  cold failed = {}\n",
        "",
    );
    assert_ne!(text, MODEL);
    assert!(model(&text).liveness.is_empty());
}
