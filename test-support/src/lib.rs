//! What the tests of several crates share: random models as text, and random values of their types.
//!
//! It depends only on `ioa-lang` and `finite`, so that its results do not come from the crates that it helps to test.

pub mod flatten;
pub mod generate;
pub mod reference;
pub mod theory;
pub mod values;
