//! What is stated about automata: properties, simulations, and the schedules that drive them.

use super::automaton::Variable;
use super::expr::{Expr, Local, LocalId};
use super::stmt::Program;
use super::types::{ActionId, AutomatonId};
use crate::notation::{Direction, Temporal};
use crate::source::{Name, Span};

/// `invariant Name of A: P`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// Its name; unique among the invariants of the model.
    pub name: Name,
    /// The automaton that it is about.
    pub automaton: AutomatonId,
    /// Bound variables.
    pub locals: Vec<Local>,
    /// The predicate, over `Store::Pre`.
    pub formula: Expr,
    /// The names of the invariants that its proof may assume in addition to itself, if they are restricted.
    pub uses: Option<Vec<Name>>,
    /// Its heading.
    pub span: Span,
}

/// A term over the state of an automaton that somebody asks about.
#[derive(Clone, Debug, PartialEq)]
pub struct StateTerm {
    /// Bound variables.
    pub locals: Vec<Local>,
    /// The term, over `Store::Pre`.
    pub term: Expr,
}

/// A term over the state of an automaton and over variables that it leaves open: the names in it that nothing else bears.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenTerm {
    /// The open variables, which come first, and those that are bound in the term.
    pub locals: Vec<Local>,
    /// How many are open.
    pub open: usize,
    /// The term, over `Store::Pre`.
    pub term: Expr,
}

/// `liveness Name of A: P leads to Q for x: T`.
///
/// It must hold for every fair execution, that is, every execution in which each of the automaton's tasks is treated as its
/// [`Fairness`](crate::core::Fairness) requires.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Liveness {
    /// Its name; unique among the liveness properties and invariants of the model.
    pub name: Name,
    /// The automaton that it is about.
    pub automaton: AutomatonId,
    /// Bound variables.
    pub locals: Vec<Local>,
    /// It is one property for each valuation of these.
    pub params: Vec<LocalId>,
    /// The temporal formula that executions must satisfy, with state formulas over `Store::Pre`.
    pub formula: Temporal<Expr>,
    /// The whole item.
    pub span: Span,
}

/// `forward simulation from Low to High: P`, or `backward simulation ..`.
///
/// *Forward*: each start state of the low automaton is related to one of the high automaton; for each low step from `s`
/// to `t` and each `u` related to `s` there is a high fragment with the same trace from `u` to some state related to `t`.
///
/// *Backward*, after Lynch and Vaandrager, "Forward and Backward Simulations, Part I": every state related to a low
/// start state is a high start state; for each low step from `s` to `t` and each `w` related to `t` there is a high
/// fragment with the same trace from some state related to `s` to `w`; each reachable low state is related to some
/// state. It shows that the low automaton's finite traces are the high one's; for infinite traces no low state may be
/// related to infinitely many states. The high states `u` and `w` are those in which the high invariants hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Simulation {
    /// Which way it goes.
    pub direction: Direction,
    /// The implementation.
    pub low: AutomatonId,
    /// The specification.
    pub high: AutomatonId,
    /// Bound variables of the relation.
    pub locals: Vec<Local>,
    /// The relation, over `Store::Low`, `Store::High` and, where there is a proof block that goes forward,
    /// `Store::Block`.
    pub relation: Expr,
    /// The witness for the existentials of the definition.
    pub proof: Option<ProofBlock>,
    /// Its heading.
    pub span: Span,
}

/// The step correspondence of a simulation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProofBlock {
    /// The block's own variables (`Store::Block`). Backward, they last no longer than the program that uses them.
    pub variables: Vec<Variable>,
    /// Initialises the block's own variables, then makes a high state: it assigns `Store::Block` and `Store::High`, and
    /// reads the low state (`Store::Low`). A high variable that it does not assign has the value that the high
    /// automaton's own start program gives it. Forward, it is for the low start states and makes high start states;
    /// backward, for each reachable low state it makes a state that is related to it.
    pub initially: Program,
    /// Exactly one entry for each action of the low automaton, in the order of its signature.
    pub entries: Vec<ProofEntry>,
    /// Its place in the source.
    pub span: Span,
}

/// What the high automaton does when the low one takes a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProofEntry {
    /// The low action.
    pub action: ActionId,
    /// One local for each parameter of the action.
    pub params: Vec<LocalId>,
    /// The fragment; empty for `ignore`. It reads the low state before the step and the high state.
    ///
    /// In a backward simulation, it begins in the high state after the fragment. The assignments to `Store::High` before its
    /// first `fire` turn this into the state before the fragment; the `fire`s must then lead back to the state where it
    /// began.
    pub program: Program,
    /// The names of the invariants that its proof may assume, if that is restricted.
    pub uses: Option<Vec<Name>>,
    /// Its place in the source.
    pub span: Span,
}

/// `schedule Name of Automaton ..`: a program that resolves the nondeterminism of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// Its name; one written inside an automaton bears the automaton's name.
    pub name: Name,
    /// The automaton it drives (`Store::Pre` in its terms).
    pub automaton: AutomatonId,
    /// Its own variables (`Store::Block`).
    pub variables: Vec<Variable>,
    /// Initialises the own variables, then drives the automaton.
    pub program: Program,
    /// Its heading.
    pub span: Span,
}
