//! The Paxos case study is loaded without a complaint and has the shape that its text shows.

use std::fs;
use std::path::Path;

use ioa_lang::core::{ExprKind, Family, Meaning, Model, SortSize, Store, Type};
use ioa_lang::{Sources, load};

fn paxos() -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies/paxos");
    let mut sources = Sources::new();
    for name in [
        "cons.ioa",
        "global1.ioa",
        "refinement.ioa",
        "normal.ndr",
        "contention.ndr",
    ] {
        let text = fs::read_to_string(folder.join(name)).expect("the case study is there");
        sources.add(name, text);
    }
    let loaded = load(&sources);
    assert_eq!(loaded.diagnostics, []);
    loaded.model
}

#[test]
fn everything_that_is_written_is_in_the_model() {
    let model = paxos();
    let names: Vec<&str> = model.automata.iter().map(|a| &*a.name).collect();
    assert_eq!(names, ["Cons", "Global1"]);
    let shape: Vec<(usize, usize, usize)> = model
        .automata
        .iter()
        .map(|a| (a.actions.len(), a.variables.len(), a.transitions.len()))
        .collect();
    assert_eq!(shape, [(4, 5, 4), (8, 10, 8)]);
    let invariants: Vec<&str> = model.invariants.iter().map(|i| &*i.name).collect();
    assert_eq!(
        invariants,
        [
            "ChosenWasProposed",
            "OneChosen",
            "Inv1",
            "Inv2",
            "Inv3",
            "Inv4",
            "Inv5"
        ]
    );
    let schedules: Vec<&str> = model.schedules.iter().map(|s| &*s.name).collect();
    assert_eq!(schedules, ["Normal", "Contention"]);
}

#[test]
fn theories_bring_operators_axioms_and_sizes() {
    let model = paxos();
    let node = model.sort_named("Node").expect("declared");
    let ballot = model.sort_named("Ballot").expect("declared");
    let quorum = model.sort_named("Quorum").expect("declared");
    assert_eq!(
        model.sorts[quorum.index()].size,
        SortSize::GroupsOf(Family::Majorities, node)
    );
    let meanings: Vec<Meaning> = model.functions.iter().map(|f| f.meaning).collect();
    let member = Meaning::InGroup {
        member: node,
        group: quorum,
    };
    assert_eq!(meanings, [Meaning::Less(ballot), member]);
    let axioms = model.axioms_in(&model.every_setting());
    let axioms: Vec<&str> = axioms.map(|(_, axiom)| &*axiom.name).collect();
    assert_eq!(
        axioms,
        [
            "TotalOrder(Ballot).irreflexive",
            "TotalOrder(Ballot).transitive",
            "TotalOrder(Ballot).total",
            "Quorums(Quorum, Node).meet",
        ]
    );
}

#[test]
fn the_proof_block_has_its_entries_in_the_order_of_the_signature() {
    let model = paxos();
    let simulation = &model.simulations[0];
    assert_eq!(model.simulation_name(simulation), "Global1 to Cons");
    let low = model.automaton(simulation.low);
    let proof = simulation.proof.as_ref().expect("there is a proof block");
    let actions: Vec<&str> = proof
        .entries
        .iter()
        .map(|entry| &*low.actions[entry.action.index()].name)
        .collect();
    let signature: Vec<&str> = low.actions.iter().map(|action| &*action.name).collect();
    assert_eq!(actions, signature);
    let ignored: Vec<&str> = proof
        .entries
        .iter()
        .filter(|entry| entry.program.body.is_empty())
        .map(|entry| &*low.actions[entry.action.index()].name)
        .collect();
    assert_eq!(ignored, ["makeBallot", "vote", "abstain"]);
}

#[test]
fn the_relation_reads_both_states() {
    let model = paxos();
    let mut stores = std::collections::BTreeSet::new();
    model.simulations[0].relation.walk(&mut |e| {
        if let ExprKind::State(state) = e.kind {
            stores.insert(state.store);
        }
        assert!(e.ty != Type::Int, "there is no arithmetic in the relation");
    });
    assert_eq!(
        stores.into_iter().collect::<Vec<_>>(),
        [Store::Low, Store::High]
    );
}
