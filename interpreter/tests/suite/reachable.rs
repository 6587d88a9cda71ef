//! How many states the case studies have: the figures that other checkers give for the same algorithms.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use interpreter::{Executor, Instance, State};

use crate::common::{instance, model};

/// Files of a case study, at some sizes.
fn study(folder: &str, files: &[&str], sizes: &[(&str, u64)]) -> Instance {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../case-studies")
        .join(folder);
    let read = |name: &&str| fs::read_to_string(folder.join(name)).expect("the study is there");
    let texts: Vec<String> = files.iter().map(read).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    instance(model(&texts), sizes)
}

/// The number of reachable states of an automaton, all of which satisfy its invariants.
fn reachable(instance: &Instance, automaton: &str) -> usize {
    let id = instance.model().automaton_named(automaton);
    let mut executor = Executor::new(instance, id.expect("it is declared")).expect("it can be run");
    let starts = executor.starts().expect("there are start states");
    let mut seen: BTreeSet<State> = starts.into_iter().map(|start| start.state).collect();
    let mut waiting: Vec<State> = seen.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        assert_eq!(executor.violated(&state), Ok(Vec::new()));
        for firing in executor.enabled(&state).expect("no fault") {
            for outcome in executor.outcomes(&state, &firing).expect("no fault") {
                if seen.insert(outcome.state.clone()) {
                    waiting.push(outcome.state);
                }
            }
        }
    }
    seen.len()
}

#[test]
fn two_phase_commit_has_as_many_states_as_elsewhere() {
    let at = |managers| {
        let files = ["tcommit.ioa", "two-phase.ioa"];
        study("two-phase-commit", &files, &[("RM", managers)])
    };
    assert_eq!(reachable(&at(3), "TCommit"), 34);
    assert_eq!(reachable(&at(3), "TwoPhase"), 288);
    assert_eq!(reachable(&at(5), "TwoPhase"), 8832);
    assert_eq!(reachable(&at(6), "TwoPhase"), 50_816);
}

#[test]
fn paxos_has_as_many_states_as_elsewhere() {
    let at = |ballots| {
        let sizes = [("Acceptor", 3), ("Value", 2), ("Ballot", ballots)];
        study("lamport-paxos", &["consensus.ioa", "paxos.ioa"], &sizes)
    };
    assert_eq!(reachable(&at(2), "Paxos"), 3921);
    assert_eq!(reachable(&at(3), "Paxos"), 185_369);
}
