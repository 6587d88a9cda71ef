//! What a person wants looked at: which variables and actions, which terms beside those that are made of the variables, and which
//! conditions tell the cases apart in which different things may hold.
//!
//! ```text
//! chosen   what was chosen
//! about    an automaton with what was chosen of it
//! placed   the terms with something in place of the variables that they leave open
//! ```

mod about;
mod chosen;
mod placed;

pub(crate) use about::About;
pub(crate) use chosen::EVERYTHING;
pub use chosen::Focus;
pub(crate) use placed::{instances, placed, places};
