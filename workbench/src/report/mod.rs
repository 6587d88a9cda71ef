//! Findings for people and for programs: tables and counterexamples on the terminal, one JSON document, one page.

pub mod defects;
pub mod document;
pub mod graph;
pub mod junit;
pub mod overview;
pub mod page;
pub mod sarif;
pub mod terminal;

pub use document::Document;
