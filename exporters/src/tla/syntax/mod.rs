//! The syntax of exported modules: terms and definitions as trees, their layout, and the precedence of operators.

mod layout;
mod module;
mod operators;
mod tree;

pub use module::Module;
pub use operators::{Connective, Infix, Prefix};
pub use tree::{Bound, Definition, Quantifier, Step, Term, Unit};
