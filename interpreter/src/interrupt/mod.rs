//! What ends a computation early: a fault of the model, a limit of this program, or a caller who needs no more.

pub(crate) mod cancel;
pub(crate) mod fault;
pub mod limits;
