//! The abstract syntax tree: what was written, with a span on every node, but without any interpretation.

mod automaton;
mod claim;
mod declaration;
mod item;
mod name;
mod schedule;
mod statement;
mod term;

pub use automaton::*;
pub use claim::*;
pub use declaration::*;
pub use item::*;
pub use name::*;
pub use schedule::*;
pub use statement::*;
pub use term::*;
