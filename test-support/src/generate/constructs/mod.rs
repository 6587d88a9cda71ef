//! The constructs of the language, each made at random: types, terms, statements, rows of schedules.

mod annotations;
mod formulas;
mod schedules;
mod statements;
mod terms;
pub(in crate::generate) mod types;
