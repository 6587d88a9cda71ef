//! Which components take part in the steps of a composition, as a trace tells it.

use std::sync::Arc;

use ioa_lang::Value;
use ioa_lang::core::{Action, Expr, Model, Participant};
use ioa_lang::finite::Universe;
use serde_json::{Value as Json, json};

use super::json as itf;
use crate::cell::{Cell, Shape};
use crate::code::{Frame, Term};
use crate::compile::{self, Scope};
use crate::eval::Machine;

/// No more components of one name than these are told of one by one.
const MOST: u64 = 1 << 12;

/// The participants of an action, ready to be told for its parameters.
pub(super) struct Participants<'m> {
    model: &'m Model,
    parts: Vec<Part>,
}

struct Part {
    component: String,
    kind: &'static str,
    which: Which,
}

/// Which of the components of one name take part.
enum Which {
    /// The one at the indices that these terms give, one after the other.
    At(Vec<(Frame, Term, std::sync::Arc<Shape>)>),
    /// All of them.
    All(Vec<Vec<Value>>),
}

impl<'m> Participants<'m> {
    /// Those of an action of an automaton with these components.
    pub(super) fn of(
        (model, universe): (&'m Model, &Universe),
        components: &[ioa_lang::core::Component],
        action: &Action,
    ) -> Self {
        let parts = action.participants.iter().map(|participant| {
            let component = &components[participant.component.index()];
            Part {
                component: component.path.to_string(),
                kind: participant.kind.keyword(),
                which: Which::of((model, universe), &component.indices, participant, action),
            }
        });
        Self {
            model,
            parts: parts.collect(),
        }
    }

    /// Who takes part when the action has these parameters, whoever controls it first.
    pub(super) fn told(&self, params: &[Cell]) -> Json {
        let parts = self.parts.iter().flat_map(|part| {
            let indices = part.which.indices(params);
            indices.into_iter().map(|index| {
                let index: Json = index.iter().map(|v| itf::encode(v, self.model)).collect();
                json!({ "component": part.component, "kind": part.kind, "index": index })
            })
        });
        parts.collect()
    }
}

impl Which {
    fn of(
        (model, universe): (&Model, &Universe),
        indices: &[(ioa_lang::Name, ioa_lang::core::Type)],
        participant: &Participant,
        action: &Action,
    ) -> Self {
        let scope = Scope {
            model,
            universe,
            stores: [None; 5],
            locals: &action.locals,
        };
        let term = |index: &Expr| {
            let (frame, term) = compile::item(scope, |compiler| compiler.term(index)).ok()?;
            Some((frame, term, Shape::of(model, universe, &index.ty)))
        };
        let terms = participant.index.as_ref();
        let terms = terms.and_then(|terms| terms.iter().map(term).collect::<Option<_>>());
        terms.map_or_else(|| Self::every(model, universe, indices), Self::At)
    }

    /// Every component of a name; where they are too many, none of them.
    fn every(
        model: &Model,
        universe: &Universe,
        indices: &[(ioa_lang::Name, ioa_lang::core::Type)],
    ) -> Self {
        let mut all = vec![Vec::new()];
        for (_, ty) in indices {
            let values = universe.values(model, ty, MOST).unwrap_or_default();
            if all.len().saturating_mul(values.len()) as u64 > MOST {
                return Self::All(Vec::new());
            }
            let longer = all.iter().flat_map(|index: &Vec<Value>| {
                let with = |value: &Value| [&index[..], std::slice::from_ref(value)].concat();
                values.iter().map(with).collect::<Vec<_>>()
            });
            all = longer.collect();
        }
        Self::All(all)
    }

    /// The indices for which there is a component that takes part; an index that has no value names none.
    fn indices(&self, params: &[Cell]) -> Vec<Vec<Value>> {
        match self {
            Self::All(all) => all.clone(),
            Self::At(terms) => {
                let values = terms.iter().map(|(frame, term, shape)| {
                    let mut machine = Machine::new(0, &Arc::default());
                    machine.enter(frame);
                    for (slot, value) in (0..).zip(params) {
                        machine.bind(slot, value.clone());
                    }
                    machine.term(term).ok().map(|cell| shape.decode(&cell))
                });
                values.collect::<Option<_>>().into_iter().collect()
            }
        }
    }
}
