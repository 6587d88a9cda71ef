//! Texts that the program carries, and the commands that show them.

pub(super) mod explain;
pub(super) mod library;
