//! Finite instances: the values of a type one by one.

pub(in crate::logic) mod comprehension;
pub(in crate::logic) mod listing;
pub(in crate::logic) mod literals;
pub(in crate::logic) mod window;
