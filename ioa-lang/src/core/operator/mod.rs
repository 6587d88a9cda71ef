//! What is known of the operators: one row of a table for each, which every part of the workbench reads.
//!
//! A row holds facts: how the operator is written, for what types it is defined, where it has no value. What the
//! operator means (how it is evaluated, compiled, encoded or exported) is no fact of this kind: that stands with its
//! reader, which matches on [`Op`] or on its [`OpFamily`].
//!
//! `table.rs` has the rows of the operators, `sign.rs` those of the signs between terms with their precedence, and
//! `draw.rs` those of the random draws. `row.rs` says what a row holds and answers questions about one, and `interval.rs`
//! computes between which integers the results of arithmetic lie.

/// Declares an enumeration in which each value has a row of facts.
macro_rules! table {
    (
        $(#[$about:meta])*
        pub enum $name:ident: $row:ty {
            $( $(#[$doc:meta])* $entry:ident $(($position:ty))? = $facts:expr; )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[$doc])* $entry $(($position))?, )*
        }

        impl $name {
            /// All of them, in the order of the table. Where one stands for several positions, it is there once.
            pub const ALL: &'static [Self] = &[$( Self::$entry $((<$position>::MIN))?, )*];

            /// What is known of it.
            #[must_use]
            pub fn row(self) -> &'static $row {
                match self {
                    $( Self::$entry { .. } => const { &$facts }, )*
                }
            }
        }
    };
}

/// `[A, B] -> C`: the types of an operator, in the order in which they are tried.
macro_rules! types {
    ($([$($param:expr),*] -> $result:expr),* $(,)?) => {
        &[$(Typing { params: &[$($param),*], result: $result }),*]
    };
}

mod draw;
mod interval;
mod row;
mod sign;
mod table;

pub use draw::{Draw, RandomDraw};
pub use interval::Interval;
pub use row::{Accumulation, Form, OpFamily, Pattern, Row, Typing, Undefined};
pub use sign::{Infix, Level, Prefix, Reading, Side, Sign};
pub use table::Op;
