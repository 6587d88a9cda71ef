//! `ioa explore` as a whole, held to the plain reading of the core: what it counts, what it finds, and the exit status.

mod sandbox;

use std::collections::BTreeMap;

use finite::Universe;
use ioa_lang::Sources;
use sandbox::Sandbox;
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
