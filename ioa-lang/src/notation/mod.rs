//! The notation of the language: the signs with their precedence (`sign`), the distinctions made by a word (`kinds`), how
//! values without parts are written (`literal`), and temporal formulas (`temporal`). The syntax tree and the core share
//! this, and know nothing else of each other.

use num_bigint::BigInt;
use num_rational::Ratio;

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

            /// What is known about it.
            #[must_use]
            pub fn row(self) -> &'static $row {
                match self {
                    $( Self::$entry { .. } => const { &$facts }, )*
                }
            }
        }
    };
}

mod kinds;
mod literal;
mod sign;
mod temporal;

pub use kinds::{ActionKind, Direction, Fairness, Quantifier};
pub(crate) use literal::{character, decimal, string};
pub use sign::{Infix, Level, Prefix, Reading, Side, Sign};
pub use temporal::{Connective, Temporal};

/// An exact fraction.
pub type Rational = Ratio<BigInt>;
