//! Names for bound variables: as written where possible, apart from everything they could be taken for.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use crate::core::{Expr, ExprKind, Local, LocalId, Model};

/// The names of the bound variables of one expression.
pub(super) struct Names<'a> {
    locals: &'a [Local],
    /// Names that no bound variable may have.
    reserved: BTreeSet<&'a str>,
    /// The names of the bound variables that are visible now.
    given: BTreeMap<LocalId, String>,
}

impl<'a> Names<'a> {
    /// Names for the variables that are free in `expr`; those it binds are named when their binder is met.
    pub(super) fn new(model: &'a Model, context: &Context<'a>, expr: &Expr) -> Self {
        let own = context.automaton.iter().flat_map(|a| &a.variables);
        let variables = own.chain(context.block);
        let automata: Vec<_> = context.low.iter().chain(&context.high).collect();
        // The first name of a path such as `P[i].x` must not be that of a variable.
        let components = context
            .automaton
            .iter()
            .flat_map(|automaton| &automaton.components);
        let values = model.enumerations.iter().flat_map(|e| &e.values);
        let reserved = variables
            .map(|variable| &*variable.name)
            .chain(components.map(|component| &*component.path))
            .chain(automata.into_iter().map(|automaton| &*automaton.name))
            .chain(model.functions.iter().map(|function| &*function.name))
            .chain(values.map(|name| &**name))
            .chain(["nil", "empty"])
            .collect();
        let mut names = Self {
            locals: context.locals,
            reserved,
            given: BTreeMap::new(),
        };
        for local in free_locals(expr) {
            names.enter(local);
        }
        names
    }

    /// Names a variable from here on.
    pub(super) fn enter(&mut self, id: LocalId) -> String {
        let wanted = &*self.locals[id.index()].name;
        let mut name = wanted.to_owned();
        let stem = wanted.trim_end_matches('\'');
        let mut number = 1;
        while self.is_taken(&name) {
            number += 1;
            name = format!("{stem}{number}");
        }
        self.given.insert(id, name.clone());
        name
    }

    /// Ends the scope of a variable.
    pub(super) fn leave(&mut self, id: LocalId) {
        self.given.remove(&id);
    }

    /// The name of a variable, which may be free already.
    pub(super) fn of(&mut self, id: LocalId) -> String {
        match self.given.get(&id) {
            Some(name) => name.clone(),
            None => self.enter(id),
        }
    }

    pub(super) fn get(&self, id: LocalId) -> &str {
        &self.given[&id]
    }

    fn is_taken(&self, name: &str) -> bool {
        let unprimed = name.strip_suffix('\'').unwrap_or(name);
        self.reserved.contains(name)
            || self.reserved.contains(unprimed)
            || self.given.values().any(|given| given == name)
    }
}

/// The variables that an expression mentions and does not bind.
fn free_locals(expr: &Expr) -> BTreeSet<LocalId> {
    let mut mentioned = BTreeSet::new();
    let mut bound = BTreeSet::new();
    expr.walk(&mut |e| {
        bound.extend(e.binders());
        if let ExprKind::Local(id) = e.kind {
            mentioned.insert(id);
        }
    });
    &mentioned - &bound
}
