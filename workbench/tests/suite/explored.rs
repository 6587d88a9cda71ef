//! `ioa explore` as a whole, held to the plain reading of the core: what it counts, what it finds, and the exit status. And a
//! search within a formula, held to a search of the automaton that cannot leave it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::sandbox::Sandbox;
use finite::Universe;
use ioa_lang::Sources;
use ioa_lang::core::{self, Expr, Op, Substitution, Type};
use ioa_lang::print::{self, Context};
use session::host::Silent;
use session::manifest::Manifest;
use session::pipeline::explore::{self, Ended, Exploration, ExplorePlan, Limits};
use session::setup::Setup;
use session::study::Study;
use test_support::generate::{self, Drafts, Model};
use test_support::reference::{Answer, Budget, World};
use test_support::theory;

/// Automata that are explored, but for those that the plain reading leaves out.
const AUTOMATA: u64 = 60;

/// How often it is tried to make one that differs smaller.
const ATTEMPTS: usize = 200;

/// How far the plain reading goes.
const BUDGET: Budget = Budget {
    states: 60,
    depth: 8,
};

/// What the plain reading finds; none where it cannot tell, or does not come to an end.
fn expected(made: &Model) -> Option<Answer> {
    let mut sources = Sources::new();
    sources.add("random.ioa", made.text.clone());
    let model = ioa_lang::load(&sources).model;
    let sizes = made.sizes.iter().map(|(sort, n)| ((*sort).to_owned(), *n));
    let universe = Universe::sized(
        &model,
        model.every_setting(),
        &sizes.collect::<BTreeMap<_, _>>(),
    )
    .ok()?;
    // No axioms are about the operators, so that each has the first of all tables.
    let interpretation = theory::first(&model, &universe);
    let universe = universe.interpreted(&model, interpretation).ok()?;
    let world = World::new(&model, &universe, 24);
    let automaton = model.automaton_named(made.automaton)?;
    let answer = world.explore(automaton, BUDGET).ok()?;
    answer.complete.then_some(answer)
}

/// How what `ioa` says of an automaton differs from what is expected.
fn difference(made: &Model) -> Option<String> {
    let expected = expected(made)?;
    let sandbox = Sandbox::new();
    sandbox.write("random.ioa", &made.text);
    let sizes = made.sizes.iter().map(|(sort, n)| format!("{sort}={n}"));
    let sizes: Vec<String> = sizes.collect();
    let mut args = vec!["explore", "random.ioa", "--keep-going", "--json"];
    sizes.iter().for_each(|size| args.extend(["--sort", size]));
    // The plain reading is one of the first interpretation.
    args.extend(["--interpretation", "1"]);
    let answer = sandbox.ioa(&args);
    let is_fine = expected.starts > 0
        && expected.fault.is_none()
        && expected.deadlock.is_none()
        && expected.broken.is_empty();
    if (answer.code == Some(0)) != is_fine {
        let (code, out, err) = (answer.code, answer.out, answer.err);
        return Some(format!(
            "exit status {code:?}, expected {expected:?}\n{out}{err}"
        ));
    }
    if expected.fault.is_some() || expected.starts == 0 {
        return None;
    }
    let document = answer.json();
    let results = document["results"].as_array()?;
    let figures = &results.iter().find(|r| r["kind"] == "exploration")?["figures"];
    let counted = ["distinct_states", "generated_states", "depth"].map(|f| figures[f].as_u64());
    let generated = expected.generated() + expected.starts;
    let counts = [
        expected.states(),
        generated,
        expected.levels.len() as u64 - 1,
    ]
    .map(Some);
    (counted != counts).then(|| format!("{counted:?}, expected {counts:?}\n{}", answer.out))
}

#[test]
fn what_is_counted_and_the_exit_status_are_those_of_the_plain_reading() {
    let drafts = Drafts::of_parts(7);
    let (mut compared, mut without_start, mut fine) = (0, 0, 0);
    for seed in 0..AUTOMATA {
        let made = generate::explorable(&drafts.draft(seed));
        let Some(answer) = expected(&made) else {
            continue;
        };
        compared += 1;
        without_start += u64::from(answer.starts == 0);
        fine += u64::from(answer.broken.is_empty() && answer.deadlock.is_none());
        if difference(&made).is_some() {
            let smallest = drafts.shrunk(seed, ATTEMPTS, |draft| {
                difference(&generate::explorable(draft)).is_some()
            });
            let made = generate::explorable(&smallest);
            let how = difference(&made).unwrap_or_default();
            panic!("seed {seed}: {how}\n{}", made.text);
        }
    }
    println!(
        "{compared} compared, {without_start} without a start state, {fine} without a finding"
    );
    assert!(compared * 2 > AUTOMATA && without_start > 1 && fine > AUTOMATA / 10);
}

/// An automaton of which every step takes a formula to be true: what follows other states is not reached.
fn guarded(model: &core::Model, invariant: usize) -> core::Model {
    let mut model = model.clone();
    let guard = &model.invariants[invariant];
    let automaton = &mut model.automata[guard.automaton.index()];
    for clause in &mut automaton.transitions {
        let mut copy = Substitution::new(&guard.locals, &mut clause.locals, []);
        let both = vec![copy.copy(&guard.formula), clause.pre.clone()];
        clause.pre = Expr::apply(Op::And, both, Type::Bool, clause.span);
    }
    model
}

/// All states, or some of those of an automaton with too many.
fn survey(study: &Study, made: &Model, within: Option<&str>, native: bool) -> Option<Exploration> {
    let automaton = study.model.automaton_named(made.automaton)?;
    let limits = Limits {
        states: Some(3_000),
        ..Limits::default()
    };
    let plan = ExplorePlan {
        within: within.iter().map(ToString::to_string).collect(),
        native,
        ..ExplorePlan::survey(automaton, limits)
    };
    let sizes = made.sizes.iter().map(|(sort, n)| ((*sort).to_owned(), *n));
    let setup = Setup {
        sorts: sizes.collect(),
        interpretation: Some(1),
        ..Setup::default()
    };
    let asked = plan.asked(study).expect("formulas of the model");
    let found = explore::in_each_interpretation(&asked, &setup, &plan, &Silent);
    found.ok()
}

#[test]
fn a_search_within_a_formula_is_one_of_the_automaton_that_cannot_leave_it() {
    let drafts = Drafts::of_parts(7);
    let (mut compared, mut left) = (0, 0);
    for seed in 0..400 {
        let made = generate::explorable(&drafts.draft(seed));
        let read = || {
            let mut sources = Sources::new();
            sources.add("random.ioa", made.text.clone());
            let study = Study::from_sources(Manifest::default(), "random.ioa".into(), sources);
            study.expect("a right model")
        };
        let study = read();
        let model = &study.model;
        for (position, invariant) in model.invariants.iter().enumerate() {
            let context = Context::automaton(model, invariant.automaton, &invariant.locals);
            let formula = &*print::expr(model, &context, &invariant.formula);
            let guarded = Study {
                model: Arc::new(guarded(model, position)),
                ..read()
            };
            let expected = survey(&guarded, &made, None, false);
            for native in [false, true] {
                let found = survey(&study, &made, Some(formula), native);
                let (Some(found), Some(expected)) = (&found, &expected) else {
                    continue;
                };
                // One interpretation was chosen, and all states of it are visited.
                let is_whole = |ended| matches!(ended, Ended::Interpretations(_));
                let has_left = matches!(found.ended, Ended::Outside(_));
                if !is_whole(expected.ended) || !(has_left || is_whole(found.ended)) {
                    continue;
                }
                let counts = |found: &Exploration| {
                    let levels: Vec<u64> = found.levels.iter().map(|l| l.states).collect();
                    (levels, found.distinct, found.fired.clone())
                };
                assert_eq!(
                    counts(found),
                    counts(expected),
                    "within {formula}\n{}",
                    made.text
                );
                compared += 1;
                left += u64::from(has_left);
            }
        }
    }
    println!("{compared} compared, {left} with states outside");
    assert!(
        compared > 200 && left > 50,
        "{compared} compared, {left} left"
    );
}
