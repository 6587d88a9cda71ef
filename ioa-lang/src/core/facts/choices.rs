//! The choices that a clause leaves open.

use crate::core::automaton::Transition;
use crate::core::expr::{LocalId, VarId};
use crate::core::stmt::{StmtKind, each_stmt};
use crate::core::types::Type;
use crate::source::{Name, Span};

/// A choice that a clause leaves open: a hidden parameter, or a `choose` of its effect.
#[derive(Clone, Debug)]
pub struct ClauseChoice {
    /// The name of the hidden parameter, or of the bound variable of the `choose`.
    pub binder: Name,
    /// The name of the variable that gets the chosen value.
    pub variable: Option<Name>,
    /// The type of the value.
    pub ty: Type,
    /// Where the choice is made.
    pub span: Span,
}

impl ClauseChoice {
    /// Whether `using` can mean it by this name.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        *self.binder == *name || self.variable.as_deref() == Some(name)
    }

    /// What to write after `for`. A variable of a component has a name of several parts, which cannot stand there.
    #[must_use]
    pub fn name(&self) -> &Name {
        let variable = self.variable.as_ref();
        let simple = variable.filter(|name| !name.contains('.'));
        simple.unwrap_or(&self.binder)
    }

    /// Whether a value for one of them is one for the other, which is made by another clause.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.name() == other.name() && self.ty == other.ty
    }
}

impl Transition {
    /// The choices of the clause: its hidden parameters, then the `choose`s of its effect in the order of the text. The
    /// names of the variables are those that the automaton gives them.
    ///
    /// # Errors
    /// The place of a `choose` that is not made exactly once in every step.
    pub fn choices(&self, name_of: &dyn Fn(VarId) -> Name) -> Result<Vec<ClauseChoice>, Span> {
        let local = |id: LocalId| &self.locals[id.index()];
        let hidden = self.hidden.iter().map(|id| ClauseChoice {
            binder: local(*id).name.clone(),
            variable: None,
            ty: local(*id).ty.clone(),
            span: local(*id).span,
        });
        let mut choices: Vec<ClauseChoice> = hidden.collect();
        for stmt in &self.effect {
            match &stmt.kind {
                StmtKind::Choose { place, binder, .. } => choices.push(ClauseChoice {
                    binder: local(*binder).name.clone(),
                    variable: Some(name_of(place.root.var)),
                    ty: place.ty.clone(),
                    span: stmt.span,
                }),
                _ => each_stmt(
                    std::slice::from_ref(stmt),
                    &mut |inside| match inside.kind {
                        StmtKind::Choose { .. } => Err(inside.span),
                        _ => Ok(()),
                    },
                )?,
            }
        }
        Ok(choices)
    }
}
