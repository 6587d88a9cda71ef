//! Explorations are held to the plain reading of the core, compositions to what their components do together,
//! liveness properties to an enumeration of lassos, and partial order reduction to one of executions.
//!
//! `cargo run --release -p workbench --example judge -- --models 1000000 --seed 1` judges as many models as one likes.

mod backward;
mod campaign;
mod exactly;
mod liveness;
mod orders;
mod reduced;
mod subject;
mod verdict;

use std::ops::Range;

use campaign::{Campaign, drafts};
use orders::Told;
use verdict::{Seen, Shape, Unlike, by_solver, is_found_out, is_found_out_by_states};

/// Judges the models of some seeds, on two threads, and panics unless all agree and each of these is seen in one of so
/// many.
fn hold(shape: Shape, seeds: Range<u64>, seldom: &[(Seen, u64)]) {
    let models = seeds.end - seeds.start;
    let half = |parity: u64| {
        let mut campaign = Campaign::default();
        campaign.run(shape, seeds.clone().filter(|seed| seed % 2 == parity));
        campaign
    };
    let mut campaign = std::thread::scope(|scope| {
        let even = scope.spawn(|| half(0));
        let mut odd = half(1);
        odd.add(even.join().expect("the other half runs through"));
        odd
    });
    let report = campaign.report(shape);
    println!("{report}");
    assert!(campaign.different.is_empty(), "{report}");
    assert!(
        campaign.compared > 2 * campaign.skipped(),
        "too little was compared: {report}"
    );
    for (fact, seldom) in seldom {
        let count = *campaign.seen.entry(*fact).or_default();
        assert!(count * seldom >= models, "too seldom {fact:?}: {report}");
    }
}

#[test]
fn explorations_find_what_the_plain_reading_finds() {
    let seldom = [
        (Seen::Complete, 2),
        (Seen::Violation, 5),
        (Seen::Deadlock, 5),
        (Seen::Quiescent, 30),
        (Seen::UndefinedTerm, 100),
        (Seen::NothingToChoose, 50),
        (Seen::NoOutcome, 200),
        (Seen::RefusedInput, 200),
        (Seen::NoStart, 20),
        (Seen::ManyStarts, 30),
        (Seen::Twin, 100),
    ];
    hold(Shape::Primitive, 0..1_500, &seldom);
}

#[test]
fn compositions_do_what_their_components_do_together() {
    let seldom = [
        (Seen::Complete, 4),
        (Seen::Quiescent, 30),
        (Seen::UndefinedTerm, 300),
        (Seen::NothingToChoose, 100),
        (Seen::RefusedInput, 200),
        (Seen::NoStart, 50),
        (Seen::ManyStarts, 50),
        (Seen::Components, 2),
        (Seen::ExcludedComponents, 10),
        (Seen::Illegal, 20),
    ];
    hold(Shape::Composite, 700..1_400, &seldom);
}

#[test]
fn backward_simulations_are_what_the_definition_says() {
    let seldom = [
        (Seen::Holds, 5),
        (Seen::Unrelated, 20),
        (Seen::NotAStart, 30),
        (Seen::NoWay, 80),
        (Seen::Fault, 10),
    ];
    hold(Shape::Backward, 0..400, &seldom);
}

#[test]
fn liveness_properties_are_true_where_no_fair_lasso_violates_them() {
    let seldom = [
        (Seen::Holds, 4),
        (Seen::Cycle, 20),
        (Seen::Rest, 10),
        (Seen::Possible, 8),
        (Seen::Dead, 20),
        (Seen::UndefinedTerm, 1_000),
        (Seen::Fault, 10),
    ];
    hold(Shape::Live, 0..1_000, &seldom);
}

#[test]
fn monitors_are_compositions_with_what_receives_all_that_they_observe() {
    let seldom = [
        (Seen::Holds, 4),
        (Seen::Cycle, 20),
        (Seen::Rest, 20),
        (Seen::Fault, 10),
    ];
    hold(Shape::Monitor, 0..600, &seldom);
}

#[test]
fn partial_order_reduction_takes_one_execution_of_each_order() {
    let seldom = [
        (Seen::Complete, 3),
        (Seen::Violation, 10),
        (Seen::Reduced, 5),
        (Seen::Refined, 5),
        (Seen::Fault, 20),
    ];
    hold(Shape::Ending, 0..600, &seldom);
}

#[test]
fn partial_order_reduction_that_is_told_something_untrue_is_found_out() {
    for (told, seldom) in [(Told::NoWrites, 3), (Told::NoWatches, 80)] {
        let models = 0..200;
        let found_out = models
            .clone()
            .filter(|seed| is_found_out(told, &drafts().draft(*seed)));
        let found_out = found_out.count() * seldom;
        assert!(
            found_out >= models.count(),
            "{told:?}: only {found_out} / {seldom}"
        );
    }
}

#[test]
fn searches_that_leave_states_out_find_what_there_is() {
    let seldom = [
        (Seen::Complete, 3),
        (Seen::Violation, 20),
        (Seen::Deadlock, 20),
        (Seen::Reduced, 40),
        (Seen::Fault, 20),
    ];
    hold(Shape::Reduced, 0..80, &seldom);
}

#[test]
fn searches_that_leave_states_out_by_something_untrue_are_found_out() {
    let models = 0..60;
    let found_out = models
        .clone()
        .filter(|seed| is_found_out_by_states(Told::NoWrites, &drafts().draft(*seed)));
    let found_out = found_out.count();
    assert!(found_out * 5 >= models.count(), "only {found_out}");
}

#[test]
fn partial_order_reduction_takes_one_execution_of_each_order_that_the_solver_leaves() {
    let judged = |parity: u64| {
        let mut refined = 0;
        for seed in (0..100).filter(|seed| seed % 2 == parity) {
            let draft = drafts().draft(seed);
            match by_solver(&draft) {
                Ok(seen) => refined += u64::from(seen.contains(&Seen::Refined)),
                Err(Unlike::Skipped(_)) => {}
                Err(Unlike::Differs { what, shown }) => {
                    let text = verdict::text(Shape::Ending, &draft);
                    panic!("seed {seed}: {what}\n{shown}\n{text}");
                }
            }
        }
        refined
    };
    let refined = std::thread::scope(|scope| {
        let even = scope.spawn(|| judged(0));
        judged(1) + even.join().expect("the other half runs through")
    });
    println!("{refined} refined");
    assert!(refined > 10, "{refined}");
}
