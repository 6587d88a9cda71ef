//! Collections as relations and functions, and how many elements they have.

pub(in crate::logic) mod maps;
pub(in crate::logic) mod measured;
pub(in crate::logic) mod msets;
pub(in crate::logic) mod sequences;
pub(in crate::logic) mod sets;
pub(in crate::logic) mod sizes;
pub(in crate::logic) mod unions;
