//! What the names of the core stand for at one point of an encoding.

use std::rc::Rc;

use ioa_lang::core::{Local, LocalId, StateRef, Store, VarId};

use crate::logic::{Encoded, Sym, unsupported};

/// The values of the state variables of one automaton or block, in declaration order.
pub(crate) type State<'a> = Rc<Vec<Sym<'a>>>;

/// Values of the bound variables and of the state variables in each store. Cheap to clone; a clone is a snapshot.
#[derive(Clone, Default)]
pub(crate) struct Env<'a> {
    /// The bound variables of the item whose terms are read.
    declared: &'a [Local],
    locals: Rc<Vec<Option<Sym<'a>>>>,
    stores: [Option<State<'a>>; 5],
}

impl<'a> Env<'a> {
    /// The environment in which a store holds this state.
    pub(crate) fn with(mut self, store: Store, state: State<'a>) -> Self {
        self.set_state(store, state);
        self
    }

    /// The environment in which a bound variable has this value.
    pub(crate) fn bind(&self, local: LocalId, value: Sym<'a>) -> Self {
        let mut bound = self.clone();
        bound.set_local(local, value);
        bound
    }

    /// The same states, as the terms of an item with these bound variables see them.
    pub(crate) fn item(&self, declared: &'a [Local]) -> Self {
        Self {
            declared,
            locals: Rc::default(),
            stores: self.stores.clone(),
        }
    }

    pub(crate) fn declared(&self, local: LocalId) -> Encoded<&'a Local> {
        match self.declared.get(local.index()) {
            Some(declared) => Ok(declared),
            None => unsupported("a bound variable that its item does not declare"),
        }
    }

    pub(crate) fn set_local(&mut self, local: LocalId, value: Sym<'a>) {
        let locals = Rc::make_mut(&mut self.locals);
        if locals.len() <= local.index() {
            locals.resize(local.index() + 1, None);
        }
        locals[local.index()] = Some(value);
    }

    pub(crate) fn local(&self, local: LocalId) -> Encoded<Sym<'a>> {
        match self.locals.get(local.index()) {
            Some(Some(value)) => Ok(value.clone()),
            _ => unsupported("a bound variable is read outside its scope"),
        }
    }

    pub(crate) fn state(&self, store: Store) -> Option<&State<'a>> {
        self.stores[store as usize].as_ref()
    }

    pub(crate) fn set_state(&mut self, store: Store, state: State<'a>) {
        self.stores[store as usize] = Some(state);
    }

    pub(crate) fn read(&self, at: StateRef) -> Encoded<Sym<'a>> {
        let value = self.state(at.store).and_then(|s| s.get(at.var.index()));
        match value {
            Some(value) => Ok(value.clone()),
            None => unsupported("a state is read where there is none"),
        }
    }

    pub(crate) fn write(&mut self, store: Store, var: VarId, value: Sym<'a>) -> Encoded<()> {
        let slot = self.stores[store as usize]
            .as_mut()
            .and_then(|state| Rc::make_mut(state).get_mut(var.index()));
        match slot {
            Some(slot) => {
                *slot = value;
                Ok(())
            }
            None => unsupported("a state is written where there is none"),
        }
    }
}
