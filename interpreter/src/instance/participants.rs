//! Which components take part in the steps of a composition.

use std::sync::Arc;

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{
    Action, ActionKind, Component, ComponentId, Expr, LocalId, Model, Participant,
};

use crate::code::{Frame, Term};
use crate::compile::{self, Scope};
use crate::state::cell::{Cell, Shape};
use crate::vm::Machine;

/// Maximum number of components of one name that are listed individually.
const MOST: u64 = 1 << 12;

/// The participants of an action, as a function of its parameters.
#[derive(Debug)]
pub struct Participants {
    parts: Vec<Participation>,
}

/// A component that takes part in a step.
pub(crate) struct TakesPart {
    /// The component.
    pub(crate) component: ComponentId,
    /// Its indices.
    pub(crate) index: Vec<Value>,
    /// Whether it controls the action or receives it.
    pub(crate) kind: ActionKind,
}

#[derive(Debug)]
struct Participation {
    component: ComponentId,
    kind: ActionKind,
    /// The possible values of indices that the parameters do not determine; none if there are too many.
    open: Vec<Vec<(LocalId, Cell)>>,
    /// The indices, one after the other.
    index: Vec<Compiled>,
    /// Whether the component at these indices takes part.
    condition: Compiled,
}

/// A term over the parameters of an action, ready to be computed.
#[derive(Debug)]
pub(super) struct Compiled {
    frame: Frame,
    term: Term,
    shape: Arc<Shape>,
}

impl Participants {
    /// Compiles the participants of an action.
    #[must_use]
    pub fn of((model, universe): (&Model, &Universe), action: &Action) -> Self {
        let scope = Scope {
            model,
            universe,
            stores: [None; 5],
            locals: &action.locals,
        };
        let parts = action.participants.iter();
        let parts = parts.filter_map(|participant| Participation::of(scope, participant));
        Self {
            parts: parts.collect(),
        }
    }

    /// The components that take part when the action has these parameters, beginning with the one that controls it:
    /// `P[Node#0]`.
    #[must_use]
    pub fn names(&self, model: &Model, components: &[Component], params: &[Cell]) -> Vec<String> {
        let each = self.taking_part(params).map(|part| {
            let index = part.index.iter();
            let index: String = index.map(|v| format!("[{}]", v.display(model))).collect();
            format!("{}{index}", components[part.component.index()].path)
        });
        each.collect()
    }

    /// The participants when the action has these parameters, beginning with the one that controls it.
    pub(crate) fn taking_part(&self, params: &[Cell]) -> impl Iterator<Item = TakesPart> {
        self.parts.iter().flat_map(|part| {
            let indices = part.open.iter().filter_map(|open| part.index(params, open));
            indices.map(|index| TakesPart {
                component: part.component,
                index,
                kind: part.kind,
            })
        })
    }
}

impl Participation {
    /// The part that a component takes; none if it cannot be computed, in which case the steps cannot be computed either.
    fn of(scope: Scope<'_>, participant: &Participant) -> Option<Self> {
        let index = participant.index.iter();
        Some(Self {
            component: participant.component,
            kind: participant.kind,
            open: every(scope, &participant.open),
            index: index
                .map(|index| Compiled::of(scope, index))
                .collect::<Option<_>>()?,
            condition: Compiled::of(scope, &participant.condition)?,
        })
    }

    /// The indices of the component that takes part, if there is one.
    fn index(&self, params: &[Cell], open: &[(LocalId, Cell)]) -> Option<Vec<Value>> {
        let takes_part = self.condition.value(params, open)?;
        let each = self.index.iter().map(|index| index.value(params, open));
        match takes_part {
            Value::Bool(true) => each.collect(),
            _ => None,
        }
    }
}

/// All valuations of some locals; none if there are too many.
pub(super) fn every(scope: Scope<'_>, open: &[LocalId]) -> Vec<Vec<(LocalId, Cell)>> {
    let mut all = vec![Vec::new()];
    for local in open {
        let ty = &scope.locals[local.index()].ty;
        let shape = Shape::of(scope.model, scope.universe, ty);
        let values = scope.universe.values(scope.model, ty, MOST);
        let values = values.unwrap_or_default();
        let cells: Vec<Cell> = values.iter().filter_map(|v| shape.encode(v)).collect();
        if all.len().saturating_mul(cells.len()) as u64 > MOST {
            return Vec::new();
        }
        let longer = all.iter().flat_map(|before: &Vec<(LocalId, Cell)>| {
            let with = |cell: &Cell| [&before[..], &[(*local, cell.clone())]].concat();
            cells.iter().map(with).collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

impl Compiled {
    pub(super) fn of(scope: Scope<'_>, expr: &Expr) -> Option<Self> {
        let (frame, term) = compile::item(scope, |compiler| compiler.term(expr)).ok()?;
        let shape = Shape::of(scope.model, scope.universe, &expr.ty);
        Some(Self { frame, term, shape })
    }

    /// The value of the term, if it has one.
    pub(super) fn value(&self, params: &[Cell], open: &[(LocalId, Cell)]) -> Option<Value> {
        let mut machine = Machine::new(0, &Arc::default());
        machine.enter(&self.frame);
        for (slot, value) in (0..).zip(params) {
            machine.bind(slot, value.clone());
        }
        for (local, value) in open {
            machine.bind(local.0, value.clone());
        }
        let cell = machine.term(&self.term).ok()?;
        Some(self.shape.decode(&cell))
    }
}
