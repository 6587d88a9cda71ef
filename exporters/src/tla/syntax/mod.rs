//! What exported modules are made of: terms and definitions as trees, how they are written, and how tightly operators bind.

mod layout;
mod module;
mod operators;
mod tree;

pub use module::Module;
pub use operators::{Connective, Infix, Prefix};
pub use tree::{Bound, Definition, Quantifier, Step, Term, Unit};
