//! States: their values as cells, where their variables lie, and their forms as rows of words.

pub(crate) mod cell;
pub(crate) mod diff;
pub(crate) mod interned;
pub(crate) mod layout;
pub(crate) mod range_overflows;
pub(crate) mod rows;
pub(crate) mod states;
