//! How the language is written, apart from what it says: the signs with their precedence (`sign`), what it tells apart by
//! a word (`kinds`), and how values without parts are written (`literal`). The syntax tree and the core share this, and
//! know nothing else of each other.

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

mod kinds;
mod literal;
mod sign;

pub use kinds::{ActionKind, Direction, Quantifier};
pub(crate) use literal::{character, decimal, string};
pub use sign::{Infix, Level, Prefix, Reading, Side, Sign};

/// An exact fraction.
pub type Rational = Ratio<BigInt>;
