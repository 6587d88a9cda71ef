//! The facts about the operators: a table with a row for each, which every part of the workbench reads.
//!
//! A row holds facts: how the operator is written, for what types it is defined, where it has no value. The meaning of the
//! operator (how it is evaluated, compiled, encoded or exported) is not in the table: each reader defines it by matching on
//! [`Op`] or on its [`OpFamily`].
//!
//! `table.rs` has the rows of the operators, and `draw.rs` those of the random draws; those of the signs between terms,
//! with their precedence, stand in `notation/sign.rs`. `row.rs` says what a row holds and answers questions about one, and `interval.rs`
//! computes between which integers the results of arithmetic lie.

/// `[A, B] -> C`: the types of an operator, in the order in which they are tried.
macro_rules! types {
    ($([$($param:expr),*] -> $result:expr),* $(,)?) => {
        &[$(Typing { params: &[$($param),*], result: $result }),*]
    };
}

mod draw;
mod interval;
mod row;
mod table;

pub use draw::{Draw, RandomDraw};
pub use interval::Interval;
pub use row::{Accumulation, Form, OpFamily, Pattern, Row, Typing, Undefined};
pub use table::Op;
