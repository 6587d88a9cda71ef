//! The IOA language: from text to the core, and what the core is about.
//!
//! Text goes through [`syntax`] (what was written) and `check` (what it means) to a [`core::Model`]. Neither stops at
//! the first mistake: both return what they understood together with every [`diagnostic::Diagnostic`]. The crate
//! performs no input or output: files are given to it as text.

pub mod core;
pub mod diagnostic;
pub mod finite;
pub mod source;
pub mod syntax;
pub mod value;

pub use diagnostic::{Diagnostic, Severity};
pub use source::{FileId, Name, Sources, Span};
pub use value::Value;
