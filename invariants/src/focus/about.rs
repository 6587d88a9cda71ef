//! What is learnt about: an automaton, and what of it is looked at.

use ioa_lang::core::{AutomatonId, Expr, Model, Store, Type, VarId};

use super::chosen::{EVERYTHING, Focus};
use crate::build::state;

/// An automaton, and what of it is looked at.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) model: &'a Model,
    pub(crate) automaton: AutomatonId,
    pub(crate) focus: &'a Focus,
}

impl<'a> About<'a> {
    /// The whole of an automaton.
    pub(crate) fn whole((model, automaton): (&'a Model, AutomatonId)) -> Self {
        Self {
            model,
            automaton,
            focus: &EVERYTHING,
        }
    }

    /// The variables that are looked at, as terms.
    pub(crate) fn variables(self) -> impl Iterator<Item = Expr> + 'a {
        let declared = self.model.automaton(self.automaton).variables.iter();
        let declared = (0..).map(VarId).zip(declared);
        let wanted = declared.filter(move |(id, _)| !self.focus.left_out.contains(id));
        wanted.map(|(id, variable)| state(Store::Pre, id, &variable.ty))
    }

    /// The types of what is looked at: of variables, of the terms that were given, and of what these leave open.
    pub(crate) fn types(self) -> Vec<Type> {
        let own = self.focus.own().flat_map(|own| {
            let open = own.locals[..own.open].iter().map(|local| &local.ty);
            open.chain([&own.term.ty])
        });
        let variables = self.variables().map(|variable| variable.ty);
        variables.chain(own.cloned()).collect()
    }
}
