//! Terms and formulas, and where they are true.
//!
//! ```text
//! points    values for what terms may read; the interpreter says what terms mean there
//! terms     terms, the smaller ones first
//! atoms     comparisons of terms
//! formulas  atoms, pairs of them, and quantifiers
//! logic     what connectives and quantifiers make of truth values
//! domains   values and names for bound variables
//! ```

pub(super) mod atoms;
pub(super) mod domains;
pub(super) mod formulas;
mod logic;
pub(super) mod points;
pub(super) mod terms;
