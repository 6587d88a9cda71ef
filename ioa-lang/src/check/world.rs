//! All that the files declare, as the check of each item sees it.

use std::collections::BTreeMap;

use crate::core::{
    ActionId, ActionKind, AutomatonId, EnumId, Expr, FunctionId, Local, Model, SortId, Transition,
    Type, VarId,
};
use crate::source::{Name, Span};
use crate::syntax::ast::Ident;

/// What the items of a model have declared. Types, theories and the headings of automata are complete before the first
/// term is checked; the transitions are there before properties and schedules are.
#[derive(Default)]
pub(super) struct World {
    /// The model that is being built. Its types and theories are final; automata and what is said of them come last.
    pub(super) model: Model,
    /// Declared types; `None` where the declaration was not understood.
    pub(super) types: BTreeMap<Name, Option<Type>>,
    /// Constructors and names in each tuple type, once its fields' types are replaced by what they stand for.
    pub(super) tuple_sizes: Vec<usize>,
    /// The same of each union type.
    pub(super) union_sizes: Vec<usize>,
    /// The values of all enumerations.
    pub(super) enumerators: BTreeMap<Name, Enumerator>,
    /// The order of each totally ordered sort.
    pub(super) orders: BTreeMap<SortId, FunctionId>,
    /// For each sort of quorums, the sort of their members and the membership.
    pub(super) groups: BTreeMap<SortId, (SortId, FunctionId)>,
    /// The headings of the automata.
    pub(super) headers: Vec<Header>,
    /// The automata by name.
    pub(super) automata: BTreeMap<Name, AutomatonId>,
    /// The transition clauses of each automaton, once they are known.
    pub(super) clauses: Vec<Clauses>,
}

/// A value of an enumeration.
pub(super) struct Enumerator {
    pub(super) of: EnumId,
    pub(super) position: u32,
    pub(super) span: Span,
}

/// What others can see of an automaton: its state and its signature.
pub(super) struct Header {
    pub(super) name: Ident,
    pub(super) variables: Variables,
    pub(super) actions: Vec<DeclaredAction>,
    pub(super) action_ids: BTreeMap<Name, ActionId>,
}

/// The transition clauses of one automaton.
pub(super) struct Clauses {
    pub(super) understood: Vec<Transition>,
    /// For each action, whether one of its clauses was not understood.
    pub(super) incomplete: Vec<bool>,
}

/// The state variables of an automaton, a schedule or a proof block.
pub(super) struct Variables {
    pub(super) list: Vec<DeclaredVariable>,
    /// Whether all declarations are in the list.
    pub(super) complete: bool,
    ids: BTreeMap<Name, VarId>,
}

impl Default for Variables {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            complete: true,
            ids: BTreeMap::new(),
        }
    }
}

/// A state variable.
pub(super) struct DeclaredVariable {
    pub(super) name: Ident,
    /// `None` where the type was not understood.
    pub(super) ty: Option<Type>,
}

/// An action of a signature.
pub(super) struct DeclaredAction {
    pub(super) name: Ident,
    pub(super) kind: ActionKind,
    pub(super) params: Vec<DeclaredParam>,
    /// What the signature asks of the parameters; `None` where it was not understood.
    pub(super) condition: Option<Condition>,
    pub(super) span: Span,
}

/// A parameter of an action.
pub(super) struct DeclaredParam {
    pub(super) name: Ident,
    /// `None` where the type was not understood.
    pub(super) ty: Option<Type>,
}

/// The `where` and the `const`s of a signature entry.
pub(super) struct Condition {
    /// One local for each parameter, then the bound variables of the formula.
    pub(super) locals: Vec<Local>,
    pub(super) formula: Expr,
}

impl World {
    pub(super) fn header(&self, id: AutomatonId) -> &Header {
        &self.headers[id.index()]
    }
}

impl Header {
    pub(super) fn action(&self, id: ActionId) -> &DeclaredAction {
        &self.actions[id.index()]
    }
}

impl Variables {
    /// Adds a variable, or says where one of this name was declared already.
    pub(super) fn add(&mut self, variable: DeclaredVariable) -> Result<(), Span> {
        let id = VarId::at(self.list.len());
        if let Some(first) = self.find(&variable.name.name) {
            return Err(self.list[first.index()].name.span);
        }
        self.ids.insert(variable.name.name.clone(), id);
        self.list.push(variable);
        Ok(())
    }

    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        self.ids.get(name).copied()
    }

    pub(super) fn get(&self, id: VarId) -> &DeclaredVariable {
        &self.list[id.index()]
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(|name| &**name)
    }

    /// The variables as the core has them, if all were understood.
    pub(super) fn to_core(&self) -> Option<Vec<crate::core::Variable>> {
        self.complete.then_some(())?;
        self.list
            .iter()
            .map(|variable| {
                Some(crate::core::Variable {
                    name: variable.name.name.clone(),
                    ty: variable.ty.clone()?,
                    component: None,
                    span: variable.name.span,
                })
            })
            .collect()
    }
}
