//! Obligations as formulas: what is assumed, what is to hold, and what to show if it does not.

use std::rc::Rc;

use ioa_lang::Span;
use ioa_lang::core::{AutomatonId, Expr, TransitionId};
use z3::ast::Bool;

use crate::logic::{Definedness, Encoded, Env, State, Sym};

use super::Kind;

/// The label of what the types say about symbols.
pub(crate) const FACT: &str = "what the types say";

/// An assumption with its name in an SMT-LIB file.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) label: String,
    /// The invariant it states, by position in the target, if it states one.
    pub(crate) invariant: Option<usize>,
    pub(crate) formula: Bool,
}

impl Piece {
    pub(crate) fn new(label: impl Into<String>, formula: Bool) -> Self {
        Self {
            label: label.into(),
            invariant: None,
            formula,
        }
    }
}

/// What a goal is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Invariant,
    Relation,
    /// A fired high action is enabled.
    HighEnabled,
    /// The fired actions have the trace of the low step.
    Trace,
    /// The high start state is one.
    HighStart,
    /// In a backward simulation, the fired actions lead to the later high state.
    Arrival,
    /// There is a high state of some kind.
    Missing(&'static str),
    /// What an automaton requires of the theories.
    Requirement,
    /// Something is defined.
    Defined(&'static str),
}

/// A formula of the core in the environment in which it is read.
#[derive(Clone)]
pub(crate) struct Source<'a> {
    pub(crate) formula: &'a Expr,
    pub(crate) env: Env<'a>,
}

/// One conjunct of what is to hold.
#[derive(Clone)]
pub(crate) struct Goal<'a> {
    pub(crate) span: Span,
    pub(crate) role: Role,
    pub(crate) formula: Bool,
    /// Where it comes from, if it is a formula of the model.
    pub(crate) source: Option<Source<'a>>,
}

impl Goal<'_> {
    pub(crate) fn defined(demand: Definedness) -> Self {
        Self {
            span: demand.span,
            role: Role::Defined(demand.cause.text()),
            formula: demand.condition,
            source: None,
        }
    }
}

/// The states of all automata involved at one moment.
#[derive(Clone, Default)]
pub(crate) struct Moment<'a> {
    /// The automaton, or the low one of a simulation.
    pub(crate) low: Option<State<'a>>,
    pub(crate) high: Option<State<'a>>,
    pub(crate) block: Option<State<'a>>,
}

/// An action with its parameters.
#[derive(Clone)]
pub(crate) struct Fired<'a> {
    pub(crate) automaton: AutomatonId,
    pub(crate) transition: TransitionId,
    /// The action's parameters, then the clause's hidden ones.
    pub(crate) params: Vec<Sym<'a>>,
}

/// What to show of a counterexample.
#[derive(Clone)]
pub(crate) struct View<'a> {
    /// The automaton, or the low one of a simulation; whichever, where no state is shown.
    pub(crate) low: AutomatonId,
    /// The high automaton and the simulation, if it is about one.
    pub(crate) high: Option<(AutomatonId, usize)>,
    pub(crate) before: Option<Rc<Moment<'a>>>,
    pub(crate) step: Option<Fired<'a>>,
    pub(crate) fired: Vec<Fired<'a>>,
    pub(crate) after: Option<Rc<Moment<'a>>>,
}

impl View<'_> {
    /// The view of what is about the theories alone.
    pub(crate) fn of_theories() -> Self {
        Self {
            low: AutomatonId(0),
            high: None,
            before: None,
            step: None,
            fired: Vec::new(),
            after: None,
        }
    }
}

/// One way in which an obligation has to hold: one path through a proof entry, usually the only one.
#[derive(Clone)]
pub(crate) struct Case<'a> {
    pub(crate) assume: Vec<Piece>,
    /// That the step has a result, for what has none is no step. Few proofs need it, and its quantifiers may lead the solver
    /// astray, so it is assumed against countermodels only.
    pub(crate) defined: Vec<Piece>,
    pub(crate) goals: Vec<Goal<'a>>,
    pub(crate) view: View<'a>,
}

impl Case<'_> {
    /// All that it assumes.
    pub(crate) fn assumed(&self) -> impl Iterator<Item = &Piece> {
        self.assume.iter().chain(&self.defined)
    }
}

/// Obligations that share assumptions.
pub(crate) struct Group<'a> {
    /// What they assume beyond the background they are in.
    pub(crate) assume: Vec<Piece>,
    pub(crate) members: Vec<(Kind, Encoded<Vec<Case<'a>>>)>,
}

/// What is known about the symbols of all cases, wherever it came up first: a case may share terms with one before it.
pub(crate) fn all_facts(groups: &[Group<'_>]) -> Vec<Piece> {
    let cases = |group: &Group<'_>| -> Vec<Piece> {
        let cases = group
            .members
            .iter()
            .filter_map(|(_, cases)| cases.as_ref().ok());
        cases
            .flatten()
            .flat_map(|case| case.assume.clone())
            .collect()
    };
    let pieces = groups.iter().flat_map(cases);
    pieces.filter(|piece| piece.label == FACT).collect()
}
