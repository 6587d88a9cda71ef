//! The context for writing all parts of a module: the model, the names used so far, and what could not be expressed.

use ioa_lang::diagnostic::Code;
use std::collections::{BTreeMap, BTreeSet};

use finite::Universe;
use ioa_lang::core::{FunctionId, Local, LocalId, Meaning, Model, SortId, StateRef, Store, Type};
use ioa_lang::{Diagnostic, Span};

use super::helpers::Helper;
use super::names::Names;
use super::syntax::Term;

/// The names that a module gives to what it declares.
#[derive(Clone, Debug)]
pub(super) struct Globals {
    /// By sort.
    pub(super) sorts: Vec<String>,
    /// By enumeration, tuple and union.
    pub(super) enumerations: Vec<String>,
    pub(super) tuples: Vec<String>,
    pub(super) unions: Vec<String>,
    /// By operator of a theory.
    pub(super) functions: Vec<String>,
    pub(super) helpers: BTreeMap<Helper, String>,
}

/// The definitions that a module needs in addition to those of the automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) sorts: BTreeSet<SortId>,
    /// Enumerations, tuples and unions, by their types.
    pub(super) types: BTreeSet<Type>,
    pub(super) functions: BTreeSet<FunctionId>,
    pub(super) helpers: BTreeSet<Helper>,
}

/// Writes terms of one item after the other.
pub(super) struct Writer<'a> {
    pub(super) model: &'a Model,
    pub(super) universe: &'a Universe,
    pub(super) names: Names,
    pub(super) globals: Globals,
    pub(super) needs: Needs,
    /// The term for a state variable, depending on where it is read.
    pub(super) stores: BTreeMap<Store, Vec<Term>>,
    /// How often each name that stands for an intermediate value of an effect was read.
    pub(super) reads: BTreeMap<String, usize>,
    /// The bound variables of the current item, and the names of those in scope.
    pub(super) declared: &'a [Local],
    pub(super) bound: BTreeMap<LocalId, String>,
    pub(super) problems: Vec<Diagnostic>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(model: &'a Model, universe: &'a Universe, mut names: Names) -> Self {
        let mut all = |names_of: Vec<&str>| -> Vec<String> {
            names_of.into_iter().map(|n| names.global(n)).collect()
        };
        let sorts = all(model.sorts.iter().map(|s| &*s.name).collect());
        let enumerations = all(model.enumerations.iter().map(|e| &*e.name).collect());
        let tuples = all(model.tuples.iter().map(|t| &*t.name).collect());
        let unions = all(model.unions.iter().map(|u| &*u.name).collect());
        let functions = all(model
            .functions
            .iter()
            .map(|f| operator_name(&f.name))
            .collect());
        let helpers = Helper::ALL.map(|helper| (helper, names.global(helper.name())));
        let globals = Globals {
            sorts,
            enumerations,
            tuples,
            unions,
            functions,
            helpers: helpers.into(),
        };
        Self {
            model,
            universe,
            names,
            globals,
            needs: Needs::default(),
            stores: BTreeMap::new(),
            reads: BTreeMap::new(),
            declared: &[],
            bound: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// Begins an item, whose bound variables are these.
    pub(super) fn begin(&mut self, declared: &'a [Local], reuse: bool) {
        self.names.begin(reuse);
        self.declared = declared;
        self.bound.clear();
    }

    /// Begins an item in which the state variables have their own names.
    pub(super) fn begin_in_state(
        &mut self,
        declared: &'a [Local],
        variables: &[String],
        reuse: bool,
    ) {
        let named = |make: fn(String) -> Term| variables.iter().cloned().map(make).collect();
        self.begin(declared, reuse);
        self.reads.clear();
        self.stores = [
            (Store::Pre, named(Term::Name)),
            (Store::Post, named(Term::Primed)),
        ]
        .into();
    }

    /// Names a bound variable.
    pub(super) fn enter(&mut self, id: LocalId) -> String {
        let name = self.names.enter(&self.declared[id.index()].name);
        self.bound.insert(id, name.clone());
        name
    }

    /// Ends the scope of a bound variable.
    pub(super) fn leave(&mut self, id: LocalId) {
        if let Some(name) = self.bound.remove(&id) {
            self.names.leave(&name);
        }
    }

    /// The name of an operator that TLA+ does not have.
    pub(super) fn helper(&mut self, helper: Helper) -> String {
        self.needs.helpers.insert(helper);
        self.globals.helpers[&helper].clone()
    }

    pub(super) fn call(&mut self, helper: Helper, args: Vec<Term>) -> Term {
        let name = self.helper(helper);
        Term::call(name, args)
    }

    /// A state variable, or the term that stands for its value.
    pub(super) fn variable(&mut self, state: StateRef, span: Span) -> Term {
        let known = self.stores.get(&state.store);
        let Some(term) = known.and_then(|store| store.get(state.var.index())) else {
            return self.unsayable(
                span,
                "this reads a variable that has no value in a TLA+ module",
                "a refinement mapping gives each variable of the specification as a term over those of the implementation alone",
            );
        };
        let term = term.clone();
        self.read(&term);
        term
    }

    /// Counts a use of a term, if it is the name of an intermediate value.
    pub(super) fn read(&mut self, term: &Term) {
        if let Term::Name(name) = term
            && let Some(count) = self.reads.get_mut(name)
        {
            *count += 1;
        }
    }

    /// Reports what cannot be expressed. The returned term is part of a module that is never shown.
    pub(super) fn unsayable(&mut self, span: Span, what: &str, help: &str) -> Term {
        let message = format!("{what}: it cannot be exported");
        self.problems
            .push(Diagnostic::error(Code::CannotExport, span, message).help(help));
        Term::name("unsayable")
    }

    /// Whether the elements of a sort are numbers, because they have an order or occur in a table.
    pub(super) fn is_numbered(&self, sort: SortId) -> bool {
        self.model.functions.iter().any(|f| match f.meaning {
            Meaning::Less(ordered) => ordered == sort,
            Meaning::InGroup { .. } => false,
            Meaning::Axioms => {
                let mut types = f.params.iter().chain([&f.result]);
                types.any(|ty| mentions_sort(self.model, ty, sort))
            }
        })
    }
}

/// The signs of theories have no names of their own, and are never written by name.
fn operator_name(name: &str) -> &str {
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        "sign"
    }
}

fn mentions_sort(model: &Model, ty: &Type, sort: SortId) -> bool {
    *ty == Type::Sort(sort)
        || model
            .parts_of(ty)
            .iter()
            .any(|part| mentions_sort(model, part, sort))
}
