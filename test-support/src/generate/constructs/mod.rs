//! Random instances of the language's constructs: types, terms, statements, rows of schedules.

mod annotations;
mod clauses;
mod collections;
mod formulas;
mod schedules;
mod statements;
mod terms;
pub(in crate::generate) mod types;
