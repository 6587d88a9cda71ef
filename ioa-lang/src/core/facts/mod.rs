//! What the form of a term or a statement shows, without any state.

mod accumulation;
mod choices;
mod constraint;
mod implication;
mod instance;
mod known;
mod loops;
mod uses;

pub use choices::ClauseChoice;
pub use constraint::{Bound, Constraint, Source, SourceFinder, Subject, path};
pub use implication::Implication;
pub use known::{Known, Mark};
pub use loops::Manner;
pub use uses::{exprs_of_clause, exprs_of_stmts, indices_of, places_of_stmts, reads_of_expr};
