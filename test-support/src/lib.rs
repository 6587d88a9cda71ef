//! What the tests of several crates share: random models as text, and random values of their types.
//!
//! It knows `ioa-lang` alone, so that nothing it says of a model comes from the crates that it helps to test.

pub mod flatten;
pub mod generate;
pub mod reference;
pub mod theory;
pub mod values;
