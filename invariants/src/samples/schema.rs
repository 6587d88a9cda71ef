//! What is sampled: the variables of an automaton and the parameters of its actions.

use std::collections::BTreeMap;

use finite::Universe;
use ioa_lang::core::{
    ActionId, AutomatonId, Expr, Local, LocalId, Model, SortId, Store, Type, VarId,
};
use ioa_lang::value::Value;

use super::column::Column;
use super::encoding::Encoding;
use super::own::{Own, own};
use crate::build::{order, state, variable};
use crate::focus::{EVERYTHING, Focus};

/// An action with its parameters.
#[derive(Clone, Debug)]
pub struct ActionShape {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Column>,
}

/// The columns of an automaton's samples, with the finite instance they were taken in.
#[derive(Clone, Debug)]
pub struct Schema {
    model: Model,
    universe: Universe,
    automaton: AutomatonId,
    /// The state variables, and then the terms that somebody gave.
    states: Vec<Column>,
    /// How many of the columns are state variables.
    width: usize,
    own: Vec<Own>,
    focus: Focus,
    notes: Vec<String>,
    actions: Vec<ActionShape>,
    steps: Vec<Vec<Column>>,
    encodings: BTreeMap<Type, Encoding>,
}

impl Schema {
    /// The schema of an automaton of the model.
    #[must_use]
    pub fn of_automaton(model: &Model, universe: &Universe, id: AutomatonId) -> Self {
        Self::focused((model, universe, id), &EVERYTHING)
    }

    /// The schema of what is looked at of an automaton.
    #[must_use]
    pub fn focused((model, universe, id): (&Model, &Universe, AutomatonId), focus: &Focus) -> Self {
        let automaton = model.automaton(id);
        let column = |name: &str, ty: &Type| Column {
            encoding: Encoding::of(model, universe, ty),
            name: name.to_owned(),
            ty: ty.clone(),
        };
        let variables = automaton.variables.iter().map(|v| column(&v.name, &v.ty));
        let mut states: Vec<Column> = variables.collect();
        let width = states.len();
        let (own, of_own, notes) = own((model, universe, id), focus);
        states.extend(of_own);
        let actions = automaton.actions.iter().map(|action| ActionShape {
            name: action.name.to_string(),
            params: action
                .params
                .iter()
                .map(|(name, ty)| column(name, ty))
                .collect(),
        });
        let actions: Vec<ActionShape> = actions.collect();
        let mut schema = Self {
            model: model.clone(),
            universe: universe.clone(),
            automaton: id,
            steps: actions.iter().map(|a| step(&states, a)).collect(),
            states,
            width,
            own,
            focus: focus.clone(),
            notes,
            actions,
            encodings: BTreeMap::new(),
        };
        schema.note_encodings();
        schema
    }

    /// The model whose types are used.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The finite instance the samples are from.
    #[must_use]
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> AutomatonId {
        self.automaton
    }

    /// The automaton's name.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.model.automaton(self.automaton).name
    }

    /// The state variables.
    #[must_use]
    pub fn variables(&self) -> &[Column] {
        &self.states[..self.width]
    }

    /// The columns of a state: the variables, and then the terms that somebody gave.
    #[must_use]
    pub fn state_columns(&self) -> &[Column] {
        &self.states
    }

    /// The terms that somebody gave, without open variables, with the locals that are bound in them: a state is a sample with their
    /// [values](super::Samples::encode_own), in this order.
    pub fn own_terms(&self) -> impl Iterator<Item = &(Expr, Vec<Local>)> {
        self.own.iter().flat_map(|own| &own.instances)
    }

    /// The same with their columns.
    pub(crate) fn own(&self) -> &[Own] {
        &self.own
    }

    /// Which actions are described, and which variables are left out.
    pub(crate) fn focus(&self) -> &Focus {
        &self.focus
    }

    /// What could not be looked at, in words.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The actions.
    #[must_use]
    pub fn actions(&self) -> &[ActionShape] {
        &self.actions
    }

    /// The columns of an action's steps: those of the state before, those of the state after, the parameters.
    #[must_use]
    pub fn step_columns(&self, action: usize) -> &[Column] {
        &self.steps[action]
    }

    /// The state variables as terms, with the positions of their columns.
    pub(crate) fn state_as_terms(&self, store: Store) -> impl Iterator<Item = (usize, Expr)> + '_ {
        let variables = self.variables().iter().enumerate();
        variables.map(move |(at, column)| (at, state(store, VarId::at(at), &column.ty)))
    }

    /// The parameters of an action as bound variables, with the positions of their columns in its steps.
    pub(crate) fn params_as_terms(&self, action: ActionId) -> Vec<(usize, Expr)> {
        let params = self.actions[action.index()].params.iter().enumerate();
        let first = 2 * self.states.len();
        params
            .map(|(at, param)| (first + at, variable(LocalId::at(at), &param.ty)))
            .collect()
    }

    /// Whether `<` compares values of this type as their words compare: a theory orders the elements of a sort, and
    /// characters have an order of their own.
    #[must_use]
    pub fn is_ordered(&self, ty: &Type) -> bool {
        *ty == Type::Char || order(&self.model, self.automaton, ty).is_some()
    }

    /// The encoding of a type that occurs in some column.
    pub(crate) fn encoding(&self, ty: &Type) -> &Encoding {
        if ty.is_integer() {
            return &Encoding::Number;
        }
        self.encodings.get(ty).unwrap_or(&Encoding::Interned)
    }

    /// Whether a well-typed value only names elements that the finite instance has.
    pub(crate) fn is_inside(&self, value: &Value) -> bool {
        let inside = |sort: SortId, index: u32| u64::from(index) < self.universe.size(sort);
        match value {
            Value::Element(sort, index) => inside(*sort, *index),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Enumerator(..)
            | Value::Real(_)
            | Value::Char(_)
            | Value::Text(_) => true,
            Value::Union(_, _, inner) => self.is_inside(inner),
            Value::Mset(counts) => counts.keys().all(|v| self.is_inside(v)),
            Value::Map(entries) => {
                let mut parts = entries.iter().flat_map(|(d, r)| [d, r]);
                parts.all(|v| self.is_inside(v))
            }
            Value::Tuple(_, parts) | Value::Seq(parts) => parts.iter().all(|v| self.is_inside(v)),
            Value::Set(parts) => parts.iter().all(|v| self.is_inside(v)),
            Value::Null(inner) => inner.as_deref().is_none_or(|v| self.is_inside(v)),
            Value::Array { entries, default } => {
                let mut parts = entries.iter().flat_map(|(i, e)| [i, e]);
                parts.all(|v| self.is_inside(v))
                    && default.as_deref().is_none_or(|v| self.is_inside(v))
            }
        }
    }

    fn note_encodings(&mut self) {
        // Conditions under which terms are defined are formulas, whatever the variables are.
        self.note_encoding(&Type::Bool);
        let columns = self.states.iter();
        let params = self.actions.iter().flat_map(|a| &a.params);
        let types: Vec<Type> = columns.chain(params).map(|c| c.ty.clone()).collect();
        types.iter().for_each(|ty| self.note_encoding(ty));
        let open = self.own.iter().flat_map(|own| own.open());
        let open: Vec<Type> = open.map(|local| local.ty.clone()).collect();
        open.iter().for_each(|ty| self.note_encoding(ty));
    }

    fn note_encoding(&mut self, ty: &Type) {
        if self.encodings.contains_key(ty) {
            return;
        }
        let encoding = Encoding::of(&self.model, &self.universe, ty);
        self.encodings.insert(ty.clone(), encoding);
        if let Type::Union(id) = ty {
            self.note_encoding(&Type::Enum(self.model.unions[id.index()].tags));
        }
        let parts: Vec<Type> = self.model.parts_of(ty).into_iter().cloned().collect();
        parts.iter().for_each(|part| self.note_encoding(part));
    }
}

fn step(states: &[Column], action: &ActionShape) -> Vec<Column> {
    let primed = states.iter().map(|v| Column {
        name: format!("{}'", v.name),
        ..v.clone()
    });
    let before = states.iter().cloned();
    before
        .chain(primed)
        .chain(action.params.iter().cloned())
        .collect()
}
