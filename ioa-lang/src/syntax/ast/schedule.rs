//! Schedules.

use super::name::Ident;
use super::statement::{StateDecl, Stmt};
use crate::source::Span;

/// `schedule Name of Automaton ..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleItem {
    /// Its name.
    pub name: Ident,
    /// The automaton it drives.
    pub automaton: Ident,
    /// What it does.
    pub body: ScheduleBody,
    /// The heading.
    pub span: Span,
}

/// `states .. do .. od`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleBody {
    /// Its own variables.
    pub states: Vec<StateDecl>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The keyword `schedule`.
    pub span: Span,
}
