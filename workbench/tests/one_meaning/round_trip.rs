//! Printing and parsing are inverse on random terms, and formatting keeps the meaning of random files, schedules and
//! determinators included.

use ioa_lang::core::{AutomatonId, Expr, Invariant, Local, Model, Substitution, fingerprint};
use ioa_lang::format::format;
use ioa_lang::print::{self, Context};
use ioa_lang::{FileId, Severity, Sources};

use super::{CASES, generate};

/// The model of a text that has no errors.
fn model(text: &str) -> Model {
    let mut sources = Sources::new();
    sources.add("a.ioa", text);
    let loaded = ioa_lang::load(&sources);
    let mut found = loaded.diagnostics.iter();
    if let Some(error) = found.find(|d| d.severity == Severity::Error) {
        panic!(
            "{} at {} in\n{text}",
            error.message,
            sources.location(error.span)
        );
    }
    loaded.model
}

/// A closed formula in a form that does not depend on how its bound variables are named and numbered.
fn normal(invariant: &Invariant) -> Expr {
    let unnamed = invariant.locals.iter().map(|local| Local {
        name: "".into(),
        ..local.clone()
    });
    let unnamed: Vec<Local> = unnamed.collect();
    Substitution::new(&unnamed, &mut Vec::new(), []).copy(&invariant.formula)
}

#[test]
fn what_is_printed_of_random_invariants_reads_back_as_the_same_core() {
    let mut compared = 0;
    for seed in 0..CASES {
        let text = generate::automaton(seed, false);
        let before = model(&text);
        compared += before.invariants.len();
        let mut more = text.clone();
        for (number, invariant) in before.invariants.iter().enumerate() {
            let context = Context::automaton(&before, AutomatonId(0), &invariant.locals);
            let printed = print::expr(&before, &context, &invariant.formula);
            more.push_str(&format!("invariant Again{number} of Random: {printed}\n"));
        }
        let after = model(&more);
        let again = &after.invariants[after.invariants.len() - before.invariants.len()..];
        for (invariant, again) in before.invariants.iter().zip(again) {
            assert_eq!(
                fingerprint(&normal(invariant)),
                fingerprint(&normal(again)),
                "seed {seed}: {}\n{more}",
                again.name
            );
        }
    }
    assert!(compared >= 60, "only {compared} invariants were compared");
}

#[test]
fn formatting_keeps_the_meaning_of_random_files() {
    let (mut determinators, mut schedules) = (0, 0);
    for seed in 0..CASES {
        let text = generate::scheduled(seed);
        determinators += text.matches(" det do ").count();
        let before = model(&text);
        schedules += before.schedules.len();
        let tidy = format(FileId(0), &text).expect("it can be parsed");
        assert_eq!(
            fingerprint(&before),
            fingerprint(&model(&tidy)),
            "seed {seed}:\n{tidy}"
        );
        assert_eq!(format(FileId(0), &tidy).as_ref(), Ok(&tidy), "seed {seed}");
    }
    assert!(determinators >= 20, "only {determinators} determinators");
    assert!(schedules >= CASES as usize, "only {schedules} schedules");
}
