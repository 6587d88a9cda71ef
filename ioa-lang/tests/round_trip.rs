//! What is printed of a core reads back as the same core: tried on every formula of the case study and of a model that
//! uses everything the language has.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ioa_lang::core::{
    Automaton, AutomatonId, Expr, ExprKind, Liveness, Local, LocalId, Model, Op, Quantifier, Range,
    Schedule, Simulation, Stmt, StmtKind, Store, Substitution, Type, exprs_of_stmts, fingerprint,
};
use ioa_lang::diagnostic::has_errors;
use ioa_lang::print::{self, Context, Places};
use ioa_lang::{FileId, Sources, Span, load};

/// A model with its text, to which a test can add.
struct Text {
    files: Vec<String>,
    model: Model,
}

impl Text {
    fn read(names: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |name: &&str| fs::read_to_string(folder.join(name)).expect("the file is there");
        let files: Vec<String> = names.iter().map(read).collect();
        let model = load_text(&files);
        Self { files, model }
    }

    /// The model with one more item.
    fn and(&self, item: String) -> Model {
        let mut files = self.files.clone();
        files.push(item);
        load_text(&files)
    }
}

fn load_text(files: &[String]) -> Model {
    let mut sources = Sources::new();
    for (number, text) in files.iter().enumerate() {
        sources.add(format!("{number}"), text.clone());
    }
    let loaded = load(&sources);
    let found = &loaded.diagnostics;
    assert!(
        !has_errors(found),
        "{found:?} in\n{}",
        files[files.len() - 1]
    );
    loaded.model
}

/// A closed formula in a form that does not depend on how its bound variables are named and numbered.
fn normal(locals: &[Local], formula: &Expr) -> Expr {
    let mut fresh = Vec::new();
    let unnamed: Vec<Local> = locals
        .iter()
        .map(|local| Local {
            name: "".into(),
            ..local.clone()
        })
        .collect();
    Substitution::new(&unnamed, &mut fresh, []).copy(formula)
}

fn assert_same(text: &str, before: (&[Local], &Expr), after: (&[Local], &Expr)) {
    let (before, after) = (normal(before.0, before.1), normal(after.0, after.1));
    assert_eq!(
        fingerprint(&before),
        fingerprint(&after),
        "{text}\nbefore: {before:#?}\nafter: {after:#?}"
    );
}

/// Where a term is said to be written, it is read.
fn assert_same_places(text: &str, written: &Expr, read: &Expr) {
    let under = |span: Span| &text[span.start as usize..span.end as usize];
    let (mut placed, mut found) = (Vec::new(), Vec::new());
    written.walk(&mut |term| placed.push(term));
    read.walk(&mut |term| found.push(term.span));
    assert_eq!(placed.len(), found.len(), "{text}");
    for (placed, found) in placed.into_iter().zip(found) {
        let (written, read) = (under(placed.span), under(found));
        // The type with which a term or the name of a value is written may be read as a part of it, or as none.
        let is_same = match placed.kind {
            ExprKind::Enumerator(_) => placed.span.end == found.end && written.ends_with(read),
            _ => {
                let more = written.strip_prefix(read);
                let is_typed = more.is_some_and(|more| more.starts_with(':'));
                placed.span == found || placed.span.start == found.start && is_typed
            }
        };
        assert!(is_same, "{text}: `{written}` is read as `{read}`");
    }
}

/// The formula for all values of the variables that are free in it.
fn closed(locals: &[Local], formula: &Expr) -> Expr {
    let mut free = BTreeSet::new();
    let mut bound = BTreeSet::new();
    formula.walk(&mut |e| {
        bound.extend(e.binders());
        if let ExprKind::Local(id) = e.kind {
            free.insert(id);
        }
    });
    let free: Vec<LocalId> = free.difference(&bound).copied().collect();
    free.into_iter().rev().fold(formula.clone(), |body, id| {
        assert!(id.index() < locals.len());
        let kind = ExprKind::Quantified(Quantifier::ForAll, vec![id], Box::new(body));
        Expr::new(kind, Type::Bool, formula.span)
    })
}

/// Everything in statements, as formulas: conditions as they are, terms as equations with what they are assigned to.
fn formulas_of(body: &[Stmt], found: &mut Vec<Expr>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign(place, value) if place.path.is_empty() => {
                let variable = Expr::new(ExprKind::State(place.root), place.ty.clone(), place.span);
                let equation = vec![variable, value.clone()];
                found.push(Expr::apply(Op::Eq, equation, Type::Bool, stmt.span));
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (_, body) in branches {
                    formulas_of(body, found);
                }
                formulas_of(otherwise, found);
            }
            StmtKind::For { body, range, .. } => {
                if let Range::Where(predicate) = range {
                    found.push(predicate.clone());
                }
                formulas_of(body, found);
            }
            StmtKind::While(_, body) => formulas_of(body, found),
            _ => {}
        }
    }
    exprs_of_stmts(body, &mut |e| {
        if e.ty == Type::Bool {
            found.push(e.clone());
        }
    });
}

fn reads(formula: &Expr, store: Store) -> bool {
    let mut found = false;
    formula.walk(&mut |e| {
        found |= matches!(e.kind, ExprKind::State(state) if state.store == store);
    });
    found
}

fn check_automaton_formula(text: &Text, automaton: AutomatonId, locals: &[Local], formula: &Expr) {
    let formula = closed(locals, formula);
    let context = Context::automaton(&text.model, automaton, locals);
    let (printed, places) = print::placed(&text.model, &context, &formula);
    let name = &text.model.automaton(automaton).name;
    let heading = format!("invariant Printed of {name}: ");
    let model = text.and(format!("{heading}{printed}"));
    let after = model.invariants.last().expect("it was added");
    let mut in_file = Places::default();
    in_file.append(heading.len(), places);
    let file = FileId(text.files.len() as u32);
    let standing = in_file.stand(file, &formula);
    assert_same_places(&format!("{heading}{printed}"), &standing, &after.formula);
    assert_same(
        &printed,
        (locals, &formula),
        (&after.locals, &after.formula),
    );
}

fn check_ensuring(text: &Text, id: AutomatonId, locals: &[Local], formula: &Expr) {
    let automaton = text.model.automaton(id);
    let formula = closed(locals, formula);
    let context = Context::automaton(&text.model, id, locals);
    let printed = print::expr(&text.model, &context, &formula);
    let types = |ty| text.model.type_name(ty);
    let states: Vec<String> = automaton
        .variables
        .iter()
        .map(|v| format!("{}: {}", v.name, types(&v.ty)))
        .collect();
    let item = format!(
        "automaton Printed\n signature internal it\n states {}\n transitions\n internal it ensuring {printed}",
        states.join(", ")
    );
    let model = text.and(item);
    let after = &model.automata.last().expect("it was added").transitions[0];
    assert_same(
        &printed,
        (locals, &formula),
        (&after.locals, &after.ensuring),
    );
}

fn check_automaton(text: &Text, id: AutomatonId, automaton: &Automaton) -> usize {
    let start = &automaton.start;
    let mut formulas: Vec<(&[Local], Expr)> = vec![(&start.locals, start.so_that.clone())];
    let mut found = Vec::new();
    formulas_of(&start.program.body, &mut found);
    formulas.extend(found.into_iter().map(|f| (&start.program.locals[..], f)));
    for transition in &automaton.transitions {
        let mut found = vec![transition.applies.clone(), transition.pre.clone()];
        formulas_of(&transition.effect, &mut found);
        found.push(transition.ensuring.clone());
        formulas.extend(found.into_iter().map(|f| (&transition.locals[..], f)));
    }
    for (locals, formula) in &formulas {
        if reads(formula, Store::Post) {
            check_ensuring(text, id, locals, formula);
        } else {
            check_automaton_formula(text, id, locals, formula);
        }
    }
    formulas.len()
}

/// The own variables of a schedule or proof block, declared again.
fn declarations(model: &Model, variables: &[ioa_lang::core::Variable], init: &[String]) -> String {
    if variables.is_empty() {
        return String::new();
    }
    let declared: Vec<String> = variables
        .iter()
        .zip(init)
        .map(|(v, init)| format!("{}: {} := {init}", v.name, model.type_name(&v.ty)))
        .collect();
    format!("states {}", declared.join(", "))
}

/// The printed initial values of own variables: the program begins with their assignments.
fn initial_values(
    model: &Model,
    context: &Context<'_>,
    body: &[Stmt],
    count: usize,
) -> Vec<String> {
    body.iter()
        .take(count)
        .map(|stmt| match &stmt.kind {
            StmtKind::Assign(_, value) => print::expr(model, context, value),
            other => panic!("not an initial value: {other:?}"),
        })
        .collect()
}

fn check_schedule(text: &Text, schedule: &Schedule) -> usize {
    let (model, locals) = (&text.model, &schedule.program.locals);
    let context = Context::schedule(model, schedule);
    let body = &schedule.program.body;
    let init = initial_values(model, &context, body, schedule.variables.len());
    let states = declarations(model, &schedule.variables, &init);
    let automaton = &model.automaton(schedule.automaton).name;
    let mut formulas = Vec::new();
    formulas_of(body, &mut formulas);
    for formula in &formulas {
        let formula = closed(locals, formula);
        let printed = print::expr(model, &context, &formula);
        let uses: String = schedule
            .variables
            .iter()
            .map(|v| format!("while {0} = {0} do od; ", v.name))
            .collect();
        let again = text.and(format!(
            "schedule Printed of {automaton} {states} do {uses} while {printed} do od od"
        ));
        let after = again.schedules.last().expect("it was added");
        let Some(StmtKind::While(condition, _)) = after.program.body.last().map(|s| &s.kind) else {
            panic!("the loop is gone");
        };
        assert_same(
            &printed,
            (locals, &formula),
            (&after.program.locals, condition),
        );
    }
    formulas.len()
}

fn check_simulation(text: &Text, simulation: &Simulation) -> usize {
    let model = &text.model;
    let mut formulas: Vec<(&[Local], Expr)> =
        vec![(&simulation.locals, simulation.relation.clone())];
    let proof = simulation.proof.as_ref().expect("there is a proof block");
    let programs = proof.entries.iter().map(|entry| &entry.program);
    for program in programs.chain([&proof.initially]) {
        let mut found = Vec::new();
        formulas_of(&program.body, &mut found);
        formulas.extend(found.into_iter().map(|f| (&program.locals[..], f)));
    }
    let context = Context::simulation(model, simulation, &proof.initially.locals);
    let init = initial_values(
        model,
        &context,
        &proof.initially.body,
        proof.variables.len(),
    );
    let states = declarations(model, &proof.variables, &init);
    let uses: String = proof
        .variables
        .iter()
        .map(|v| format!("while {0} = {0} do od; ", v.name))
        .collect();
    let low = model.automaton(simulation.low);
    let entries: String = low
        .actions
        .iter()
        .map(|action| {
            let names: Vec<String> = (0..action.params.len()).map(|i| format!("p{i}")).collect();
            let (kind, name) = (action.kind.keyword(), &action.name);
            format!("for {kind} {name}({}) ignore ", names.join(", "))
        })
        .collect();
    let heading = "forward simulation from";
    let original = text.files.iter().position(|file| file.contains(heading));
    let original = original.expect("the simulation is in one of the files");
    for (locals, formula) in &formulas {
        let formula = closed(locals, formula);
        let context = Context::simulation(model, simulation, locals);
        let printed = print::expr(model, &context, &formula);
        let mut files = text.files.clone();
        let start = files[original].find(heading).expect("it is there");
        files[original].truncate(start);
        let high = &model.automaton(simulation.high).name;
        files.push(format!(
            "{heading} {} to {high}: {printed} proof {states} initially {uses} {entries}",
            low.name
        ));
        let again = load_text(&files);
        let after = &again.simulations[0];
        assert_same(
            &printed,
            (locals, &formula),
            (&after.locals, &after.relation),
        );
    }
    formulas.len()
}

/// A property as one formula, for all values of its parameters.
fn as_formula(property: &Liveness) -> (&[Local], Expr) {
    let parts = property.formula.formulas().into_iter().cloned();
    let formula = Expr::apply(Op::And, parts.collect(), Type::Bool, property.span);
    (&property.locals, closed(&property.locals, &formula))
}

fn check_liveness(text: &Text, property: &Liveness) {
    let printed = print::liveness(&text.model, property);
    let name = &text.model.automaton(property.automaton).name;
    let model = text.and(format!("liveness Printed of {name}: {printed}"));
    let after = model.liveness.last().expect("it was added");
    assert_eq!(after.params.len(), property.params.len());
    let ((locals, before), (others, again)) = (as_formula(property), as_formula(after));
    assert_same(&printed, (locals, &before), (others, &again));
}

/// Checks everything; returns how many formulas there were.
fn check_everything(text: &Text) -> usize {
    let mut count = 0;
    for invariant in &text.model.invariants {
        check_automaton_formula(
            text,
            invariant.automaton,
            &invariant.locals,
            &invariant.formula,
        );
        count += 1;
    }
    for property in &text.model.liveness {
        check_liveness(text, property);
        count += 1;
    }
    for (position, automaton) in text.model.automata.iter().enumerate() {
        count += check_automaton(text, AutomatonId::at(position), automaton);
    }
    for schedule in &text.model.schedules {
        count += check_schedule(text, schedule);
    }
    for simulation in &text.model.simulations {
        count += check_simulation(text, simulation);
    }
    count
}

#[test]
fn the_case_study_reads_back() {
    let text = Text::read(&[
        "../case-studies/paxos/cons.ioa",
        "../case-studies/paxos/global1.ioa",
        "../case-studies/paxos/refinement.ioa",
        "../case-studies/paxos/normal.ndr",
        "../case-studies/paxos/contention.ndr",
    ]);
    assert!(check_everything(&text) > 80);
}

#[test]
fn the_whole_language_reads_back() {
    let text = Text::read(&["tests/models/everything.ioa"]);
    assert!(check_everything(&text) > 60);
}

#[test]
fn all_types_read_back() {
    let text = Text::read(&["tests/models/types.ioa"]);
    assert!(check_everything(&text) > 40);
}

/// What a name stood for means the same where it is written out, although it stands beside other terms there.
#[test]
fn what_names_stand_for_reads_back() {
    let text = Text::read(&["tests/models/names.ioa"]);
    assert!(check_everything(&text) > 20);
}

#[test]
fn only_what_is_not_clear_is_written_with_its_type() {
    let text = Text::read(&["tests/models/names.ioa"]);
    let printed = |formula: &str| {
        let model = text.and(format!("invariant Printed of Named: {formula}"));
        let invariant = model.invariants.last().expect("it was added");
        let context = Context::automaton(&model, invariant.automaton, &invariant.locals);
        print::expr(&model, &context, &invariant.formula)
    };
    let cases = [
        ("x < added(2, 0)", "x < 2 + 0"),
        ("few < added(2, 0)", "few < (2 + 0):Int"),
        ("less(2, 0)", "2:Int < 0"),
        ("same({}, {})", "{}:Set[Node] = {}"),
        ("same({}, nodes)", "{} = nodes"),
        ("twice(few - 1) < x", "(few - 1):Nat * 2 < x"),
        ("above(few - 1)", "x < (few - 1):Nat * 2 - 4"),
        ("above(few)", "x < few * 2 - 4"),
        ("negated(5) = x", "-(5:Int) = x"),
        (r"both(x = 1 /\ x < 2, x = 3)", r"x = 1 /\ x < 2 /\ x = 3"),
        ("half(few) < half(few)", "few / 2.0 < few / 2.0"),
        ("smaller(few, few)", "few:Real < few"),
        ("(few - 1):Nat < x", "(few - 1):Nat < x"),
        ("((few - 1):Nat):Int < x", "(few - 1):Nat + 0 < x"),
        ("few - 1 < x", "few - 1 < x"),
        ("x:Int = 3", "x = 3"),
    ];
    for (written, expected) in cases {
        assert_eq!(printed(written), expected, "{written}");
    }
}

#[test]
fn two_meanings_differ_in_their_fingerprints() {
    let text = Text::read(&["tests/models/everything.ioa"]);
    let formula = |text: &Text, formula: &str| {
        let model = text.and(format!("invariant Printed of Low: {formula}"));
        let invariant = model.invariants.last().expect("it was added");
        fingerprint(&normal(&invariant.locals, &invariant.formula))
    };
    let first = formula(&text, "total - few - 1 = 0");
    assert_eq!(first, formula(&text, "(total - few) - 1 = 0"));
    assert_ne!(first, formula(&text, "total - (few - 1) = 0"));
    let nested = formula(&text, r"\A x: Int \A y: Int (x < y)");
    assert_eq!(nested, formula(&text, r"\A a: Int \A b: Int (a < b)"));
    assert_ne!(nested, formula(&text, r"\A a: Int \A b: Int (b < a)"));
}

#[test]
fn a_negated_zero_stays_an_integer() {
    let text = |formula: &str| {
        load_text(&[format!(
            "automaton A
               signature internal go
               states x: Bool := true
               transitions internal go eff x := ~x
             invariant I of A: {formula}"
        )])
    };
    // As a `Nat`, one less than zero is undefined.
    let model = text("-0 - 1 < 0");
    let invariant = &model.invariants[0];
    let context = Context::automaton(&model, AutomatonId(0), &invariant.locals);
    let printed = print::expr(&model, &context, &invariant.formula);
    assert_eq!(printed, "-0 - 1 < 0");
    let again = text(&printed);
    assert_eq!(fingerprint(&model), fingerprint(&again));
}
