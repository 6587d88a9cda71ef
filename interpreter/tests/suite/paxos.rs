//! The Paxos case study runs as it should.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::common::{instance, model, paxos, paxos_texts, record, schedule};
use interpreter::run::{self, Ending, Event, Observer, Options, Weights};
use interpreter::trace::{About, Recorder, write};
use interpreter::{Executor, Layout};
use ioa_lang::Name;
use ioa_lang::core::Automaton;

/// The actions that occur in a run.
struct Actions<'m>(&'m Automaton, BTreeSet<Name>);

impl Observer for Actions<'_> {
    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.1
            .insert(self.0.action_of(event.transition()).name.clone());
        ControlFlow::Continue(())
    }
}

#[test]
fn a_state_fits_one_word() {
    let paxos = paxos();
    let global1 = paxos.model().automaton_named("Global1").unwrap();
    let layout: &Layout = paxos.layout(global1);
    assert!(layout.is_packed());
    assert_eq!(layout.words(), 1);
}

#[test]
fn both_schedules_end_well_and_between_them_every_action_occurs() {
    let paxos = paxos();
    let global1 = paxos.model().automaton_named("Global1").unwrap();
    let automaton = paxos.model().automaton(global1);
    let mut actions = Actions(automaton, BTreeSet::new());
    for name in ["Normal", "Contention"] {
        let position = schedule(&paxos, name);
        for seed in 0..100 {
            let options = Options {
                seed,
                steps: 10_000,
            };
            let report =
                run::scheduled(&paxos, position, &Weights::DRAWN, options, &mut actions).unwrap();
            assert_eq!(report.ending, Ending::Finished, "{name}, seed {seed}");
        }
    }
    assert_eq!(actions.1.len(), automaton.actions.len(), "{:?}", actions.1);
}

#[test]
fn a_seed_gives_the_same_bytes_every_time() {
    let text = |seed| {
        let paxos = paxos();
        let global1 = paxos.model().automaton_named("Global1").unwrap();
        let mut recorder = Recorder::new(global1);
        let options = Options { seed, steps: 50 };
        run::random(&paxos, global1, options, &mut recorder).unwrap();
        let about = About {
            description: "a random run".into(),
            seed: Some(seed),
            inputs: vec!["a model.ioa".into()],
            repeats_after: None,
        };
        write(&paxos, &recorder.trace().unwrap(), &about)
    };
    assert_eq!(text(3), text(3));
    assert_ne!(text(3), text(4));
    let paxos = paxos();
    assert_eq!(
        record(&paxos, "Contention", 5),
        record(&paxos, "Contention", 5)
    );
}

/// What the scheduler draws from is what can be enumerated, and each of it can be stepped.
#[test]
fn every_enabled_step_can_be_taken_and_is_seen_to_be_enabled() {
    let paxos = paxos();
    let (_, trace) = record(&paxos, "Contention", 1);
    let mut executor = Executor::new(&paxos, trace.automaton).unwrap();
    for (at, step) in trace.steps.iter().enumerate() {
        let before = trace.state(at).unwrap();
        let enabled = executor.enabled(before).unwrap();
        assert!(enabled.contains(&step.label.firing), "step {at}");
        for firing in &enabled {
            assert_eq!(executor.is_enabled(before, firing), Ok(true));
            assert_eq!(executor.outcomes(before, firing).unwrap().len(), 1);
        }
        assert_eq!(executor.violated(before), Ok(Vec::new()));
    }
}

/// Dropping the condition on earlier ballots breaks Inv3, and the run says which ballots show it.
#[test]
fn a_violated_invariant_is_told_with_its_witnesses() {
    let texts = paxos_texts();
    let dropped = r"/\ \A c: Ballot (c < b => c \in dead \/ val[c] = embed(v))";
    let broken = texts[1].replace(dropped, "");
    assert_ne!(broken, texts[1]);
    let paxos = instance(
        model(&[&texts[0], &broken]),
        &[("Node", 3), ("Value", 2), ("Ballot", 3)],
    );
    let global1 = paxos.model().automaton_named("Global1").unwrap();
    let violated = (0..20).find_map(|seed| {
        let options = Options { seed, steps: 1000 };
        let report = run::random(&paxos, global1, options, &mut ()).unwrap();
        match report.ending {
            Ending::Violated(mut all) => all.pop().map(|v| (v.name, v.reasons)),
            _ => None,
        }
    });
    let (name, reasons) = violated.expect("a random run finds it");
    assert_eq!(&*name, "Inv3");
    let [reason] = &reasons[..] else {
        panic!("one reason, not {reasons:?}")
    };
    let names: Vec<&str> = reason.bindings.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["b", "c"]);
    assert!(!reason.value && !reason.terms.is_empty());
}
