//! Warnings that the text alone shows.

pub(super) mod unreachable;
pub(super) mod unused;
