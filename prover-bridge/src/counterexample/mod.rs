//! Counterexamples to induction: small finite instances in which an obligation fails, as data.
//!
//! The unbounded question only says that there is one. It is then asked again at finite sizes, smallest first, with
//! every quantifier over the sorts written out; what is found there is an instance whose every fact is known, made
//! small, read off, and checked by evaluation. Nothing says that its states can be reached.

mod execution;
mod instances;
mod read;
mod reasons;
mod search;
mod show;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, FunctionId, Meaning, Model, StateRef, TransitionId};
use ioa_lang::{Name, Span, Value};

pub use execution::Execution;
pub(crate) use execution::{Origin, Wanted, find_execution};
pub(crate) use instances::Search;
pub(crate) use search::{Found, find, minimise, universe_sizes};
pub(crate) use value::{Facts, assemble, bounded, leaves, read_value, renumbered, scalar_value};

/// A finite instance in which an obligation fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The number of elements of each sort, by name. The elements of an ordered sort are numbered by the order.
    pub sizes: BTreeMap<String, u64>,
    /// What the theories' operators mean in this instance.
    pub theories: Vec<TheoryTable>,
    /// The states before the step; `None` where the obligation is about start states or about theories alone.
    pub before: Option<Snapshot>,
    /// The step of the automaton (of the low one, in a simulation).
    pub action: Option<ActionInstance>,
    /// In a simulation, the high actions that the proof block fires in answer.
    pub fired: Vec<ActionInstance>,
    /// The states after the step, or the start states; `None` where something was undefined before there were any.
    pub after: Option<Snapshot>,
    /// What fails: the false conjuncts, in source order.
    pub failures: Vec<Failure>,
}

/// The states of all automata involved at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The automaton (the low one, in a simulation).
    pub automaton: AutomatonId,
    /// Its state, in the order of its variables.
    pub state: Vec<Value>,
    /// The high automaton's state, in a simulation.
    pub high: Option<(AutomatonId, Vec<Value>)>,
    /// The proof block's own variables, in a simulation.
    pub block: Vec<Value>,
}

/// An action that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionInstance {
    /// The automaton.
    pub automaton: AutomatonId,
    /// The transition clause.
    pub transition: TransitionId,
    /// The action's parameters, then the clause's hidden ones.
    pub params: Vec<Value>,
}

/// What a theory's operator means in an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoryTable {
    /// The operator.
    pub function: FunctionId,
    /// Its value for each list of arguments.
    pub entries: Vec<(Vec<Value>, Value)>,
}

impl TheoryTable {
    /// For membership in quorums: the members of each quorum.
    #[must_use]
    pub fn quorums(&self, model: &Model) -> Option<BTreeMap<Value, Value>> {
        let meaning = model.functions[self.function.index()].meaning;
        if !matches!(meaning, Meaning::InGroup { .. }) {
            return None;
        }
        let mut members: BTreeMap<Value, BTreeSet<Value>> = BTreeMap::new();
        for (arguments, holds) in &self.entries {
            let [member, quorum] = arguments.as_slice() else {
                return None;
            };
            let known = members.entry(quorum.clone()).or_default();
            if *holds == Value::Bool(true) {
                known.insert(member.clone());
            }
        }
        Some(
            members
                .into_iter()
                .map(|(q, m)| (q, Value::Set(m)))
                .collect(),
        )
    }
}

/// A conjunct that is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What it is a conjunct of.
    pub kind: FailureKind,
    /// The conjunct.
    pub span: Span,
    /// Values of its outermost quantified variables for which it is false.
    pub bindings: Vec<(Name, Value)>,
    /// The state variables that it reads, each once.
    pub reads: BTreeSet<StateRef>,
}

/// What a false conjunct is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The invariant, in the state after. In a backward simulation, one of the high automaton in the state before.
    Invariant,
    /// The relation of the simulation, in the states after; of a backward one, in those before.
    Relation,
    /// The precondition (or `where`, or `ensuring`) of a high action that the proof block fires.
    HighPrecondition,
    /// The trace: the fired actions are not the low action.
    Trace,
    /// The start program or `so that` of the high automaton.
    HighStart,
    /// In a backward simulation: the fired actions lead to another state than the one after.
    Arrival,
    /// That there is a high state of some kind; the text says which.
    Missing(&'static str),
    /// What an automaton requires of the interpretation of the theories.
    Requirement,
    /// Nothing is false, something is undefined; the text says what.
    Undefined(&'static str),
}
