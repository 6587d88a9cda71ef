//! In what manner the iterations of a loop write variables.

use crate::core::expr::LocalId;
use crate::core::operator::Accumulation;
use crate::core::stmt::{Place, Projection, Stmt, StmtKind};

/// In what manner the iterations of a loop write a variable together, so that their order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Each iteration writes below its own index, which is at this position of the place's path.
    Element(usize),
    /// Each iteration adds to the value, or removes from it.
    Accumulate(Accumulation),
}

impl Stmt {
    /// The place that the statement itself writes in a loop with this variable, and in what manner the iterations write it;
    /// no manner if different iterations may write the same part.
    #[must_use]
    pub fn write_in_loop(&self, element: LocalId) -> Option<(&Place, Option<Manner>)> {
        let (place, value) = match &self.kind {
            StmtKind::Assign(place, value) => (place, Some(value)),
            StmtKind::Choose { place, .. } => (place, None),
            StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While(..)
            | StmtKind::Fire(_)
            | StmtKind::FireAny(_) => return None,
        };
        let accumulation = || value.and_then(|value| value.accumulates(place));
        let manner = place
            .own_position(element)
            .map(Manner::Element)
            .or_else(|| accumulation().map(|(how, _)| Manner::Accumulate(how)));
        Some((place, manner))
    }
}

impl Place {
    /// At which position of the path the element of a loop is the index, if it is one.
    fn own_position(&self, element: LocalId) -> Option<usize> {
        self.path.iter().position(|step| match step {
            Projection::Index(index) | Projection::Entry(index) => index.is_local(element),
            Projection::Field(_) => false,
        })
    }
}
