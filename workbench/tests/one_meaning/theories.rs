//! What the solver finds as an interpretation of a theory, the interpreter has to find to satisfy its axioms.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::{Interpretation, Universe};
use interpreter::{Executor, Instance};
use ioa_lang::Sources;
use ioa_lang::core::{AutomatonId, Invariant, Meaning, Model};
use prover_bridge::{Options, interpretations};

/// A model whose axioms are also its invariants, and alone say what its operators mean.
fn model() -> Model {
    let mut sources = Sources::new();
    sources.add(
        "ordered.ioa",
        "type Node type Flock type Group
         assumes TotalOrder(Node)
         assumes Quorums(Group, Flock)
         automaton A
           signature internal go
           states x: Bool := false
           transitions internal go",
    );
    let mut model = ioa_lang::load(&sources).model;
    for function in &mut model.functions {
        function.meaning = Meaning::Axioms;
    }
    for sort in &mut model.sorts {
        sort.size = ioa_lang::core::SortSize::Given;
    }
    let stated = model
        .axioms_in(&model.every_setting())
        .map(|(_, axiom)| Invariant {
            name: axiom.name.clone(),
            automaton: AutomatonId(0),
            locals: axiom.locals.clone(),
            formula: axiom.formula.clone(),
            uses: None,
            span: axiom.span,
        });
    model.invariants = stated.collect();
    model
}

fn violated(model: &Model, universe: Universe, interpretation: Interpretation) -> usize {
    let universe = universe.interpreted(model, interpretation);
    let instance = Instance::new(Arc::new(model.clone()), universe.expect("tables that fit"));
    let mut executor = Executor::new(&instance, AutomatonId(0)).expect("what can be run");
    let start = executor.starts().expect("a start state").remove(0);
    executor.violated(&start.state).expect("truth values").len()
}

#[test]
fn what_is_found_satisfies_the_axioms() {
    let model = model();
    for (nodes, flock, groups) in [(1, 1, 1), (3, 3, 2), (4, 2, 3)] {
        let sizes = [("Node", nodes), ("Flock", flock), ("Group", groups)];
        let sizes = sizes.map(|(name, n)| (name.to_owned(), n));
        let universe =
            Universe::sized(&model, model.every_setting(), &BTreeMap::from(sizes)).expect("sizes");
        let found = interpretations(&model, &universe, 4, &Options::default());
        let found = found.expect("interpretations").found;
        assert!(!found.is_empty());
        for interpretation in found {
            assert_eq!(violated(&model, universe.clone(), interpretation), 0);
        }
    }
}

#[test]
fn the_interpreter_tells_what_is_none() {
    let model = model();
    let sizes = [("Node", 2), ("Flock", 1), ("Group", 1)].map(|(name, n)| (name.to_owned(), n));
    let universe =
        Universe::sized(&model, model.every_setting(), &BTreeMap::from(sizes)).expect("sizes");
    let found = interpretations(&model, &universe, 1, &Options::default());
    let mut broken = found.expect("an interpretation").found.remove(0);
    for table in broken.tables.values_mut() {
        table.reverse();
        table.rotate_left(1);
    }
    assert!(violated(&model, universe, broken) > 0);
}
