//! A column of samples.

use ioa_lang::core::Type;

use super::encoding::Encoding;

/// A column: a state variable before or after a step, or a parameter.
#[derive(Clone, Debug)]
pub struct Column {
    /// As written in a formula; a variable after a step has a prime.
    pub name: String,
    /// Its declared type.
    pub ty: Type,
    /// What its words mean.
    pub encoding: Encoding,
}
