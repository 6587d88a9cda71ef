//! What is declared outside of automata, and their headings: types, theories, named expressions, parameters.

pub(super) mod axioms;
pub(super) mod declarations;
pub(super) mod lets;
pub(super) mod order;
pub(super) mod ordered;
pub(super) mod parameters;
mod ring;
pub(super) mod theories;
pub(super) mod types;
pub(super) mod vocabularies;
