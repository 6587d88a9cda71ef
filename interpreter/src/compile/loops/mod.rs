//! Terms and plans that run through values, and how to run through as few as possible.

mod hoist;
mod lift;
mod plan;
mod quantifier;
