//! Terms: what the values of expressions are in logic, and how each kind of expression is read.

pub(in crate::logic) mod binder;
pub(in crate::logic) mod connective;
pub(in crate::logic) mod declared;
pub(in crate::logic) mod equality;
pub(in crate::logic) mod expr;
pub(in crate::logic) mod identity;
pub(in crate::logic) mod infinite;
pub(in crate::logic) mod numbers;
pub(in crate::logic) mod pack;
pub(in crate::logic) mod shape;
pub(in crate::logic) mod text;
pub(in crate::logic) mod value;
