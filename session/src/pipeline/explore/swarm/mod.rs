//! Many searches that go deep, each in an order of its own, where there are too many states to visit all.

mod diving;
mod known;

pub(super) use diving::attempt;
pub(in crate::pipeline) use diving::starts;
pub use known::Swarmed;
