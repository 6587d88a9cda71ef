//! The case studies are read without a complaint.

use std::fs;
use std::path::Path;

use ioa_lang::source::FileId;
use ioa_lang::syntax::{ast::Item, parse};

fn read(name: &str) -> Vec<Item> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../case-studies")
        .join(name);
    let text = fs::read_to_string(&path).expect("the case study is there");
    let parsed = parse(FileId(0), &text);
    assert_eq!(parsed.diagnostics, [], "in {name}");
    parsed.items
}

#[test]
fn the_specification_has_its_parts() {
    let items = read("paxos/cons.ioa");
    let [
        Item::Type(_),
        Item::Type(_),
        Item::Automaton(cons),
        Item::Invariant(_),
        Item::Invariant(_),
    ] = &items[..]
    else {
        panic!("unexpected items: {items:#?}");
    };
    assert_eq!(cons.signature.len(), 4);
    assert_eq!(cons.states.len(), 5);
    assert_eq!(cons.transitions.len(), 4);
}

#[test]
fn the_ballot_algorithm_has_its_parts() {
    let items = read("paxos/global1.ioa");
    let theories = items
        .iter()
        .filter(|item| matches!(item, Item::Theory(_)))
        .count();
    let invariants = items
        .iter()
        .filter(|item| matches!(item, Item::Invariant(_)))
        .count();
    assert_eq!((theories, invariants), (2, 5));
}

#[test]
fn the_refinement_has_an_entry_for_each_action() {
    let items = read("paxos/refinement.ioa");
    let [Item::Simulation(simulation)] = &items[..] else {
        panic!("unexpected items: {items:#?}");
    };
    let proof = simulation.proof.as_ref().expect("there is a proof block");
    assert_eq!((proof.initially.len(), proof.entries.len()), (5, 8));
}

#[test]
fn the_schedules_are_read() {
    for name in ["paxos/normal.ndr", "paxos/contention.ndr"] {
        let items = read(name);
        assert!(
            matches!(&items[..], [Item::Schedule(_)]),
            "{name}: {items:#?}"
        );
    }
}
