//! What the check of each item has at hand: what the files declare, what is visible, and where mistakes are reported.

pub(super) mod checker;
pub(super) mod report;
pub(super) mod scope;
pub(super) mod world;
