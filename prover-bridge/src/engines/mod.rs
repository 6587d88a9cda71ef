//! The engines: what is asked of a transition system in logic, and in which order.

pub(crate) mod bounded;
pub(crate) mod commutation;
pub(crate) mod houdini;
pub(crate) mod implied;
pub(crate) mod induction;
pub(crate) mod k_induction;
