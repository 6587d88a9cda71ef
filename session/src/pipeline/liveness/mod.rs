//! Liveness properties on a finite instance: are they true of all fair executions?
//!
//! `tasks` says what fairness means for an automaton, `facts` where the formulas of a property are true, and `decide` puts
//! the question to the explorer. What violates a property is a *lasso*: a way to a cycle, and the cycle, which is
//! repeated forever. `fairness` shows for each task why the lasso is fair.
//!
//! The states are visited once more for it, one by one and with the labels of all steps, and never reduced by symmetry:
//! which task a step belongs to is not the same for all states of an orbit.

mod answer;
mod decide;
mod facts;
mod fairness;
mod findings;
mod life;
mod seen;
mod tasks;

pub(super) use answer::together;
pub use answer::{
    Answer, Asked, Counterexample, Dead, Fate, How, Outcome, Transient, Undefined, Why,
};
pub use decide::answers;
pub(super) use findings::findings;
pub use findings::undecided;
pub(super) use life::{Life, life};
pub(super) use tasks::enumerated as tasks_in;
