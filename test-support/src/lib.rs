//! What the tests of several crates share: random models as text, and random values of their types.
//!
//! **Boundary.** Tests and benchmarks take random models from [`generate`] and [`theory`], values from [`values`], and compare
//! answers with [`mod@reference`], a plain reading of the core.
//!
//! **What it never knows.** The crates that it helps to test: it depends only on `ioa-lang` and `finite`.

pub mod flatten;
pub mod generate;
pub mod reference;
pub mod theory;
pub mod values;
