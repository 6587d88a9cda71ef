//! The bound variables of a clause, by the names that a trace has for them.

use std::sync::Arc;

use ioa_lang::core::{AutomatonId, LocalId, TransitionId, Type};
use serde_json::Value as Json;

use super::super::json::{self, Mismatch};
use crate::instance::Instance;
use crate::state::cell::{Cell, Shape};

/// The bound variables of a clause, those of its open variables included.
pub(super) struct Locals<'i> {
    instance: &'i Instance,
    pub(super) params: &'i [LocalId],
    pub(super) hidden: &'i [LocalId],
    declared: Vec<(String, Type)>,
}

impl<'i> Locals<'i> {
    pub(super) fn of(
        instance: &'i Instance,
        automaton: AutomatonId,
        transition: TransitionId,
    ) -> Self {
        let automaton = instance.model().automaton(automaton);
        let clause = &automaton.transitions[transition.index()];
        let bound = clause
            .locals
            .iter()
            .map(|l| (l.name.to_string(), l.ty.clone()));
        let open = clause.unconstrained.iter().map(|v| {
            let variable = &automaton.variables[v.index()];
            (format!("{}'", variable.name), variable.ty.clone())
        });
        let declared = bound.chain(open).collect();
        Self {
            instance,
            params: &clause.params,
            hidden: &clause.hidden,
            declared,
        }
    }

    pub(super) fn name(&self, local: LocalId) -> String {
        self.declared[local.index()].0.clone()
    }

    pub(super) fn shape(&self, local: LocalId) -> Arc<Shape> {
        let ty = &self.declared[local.index()].1;
        Shape::of(self.instance.model(), self.instance.universe(), ty)
    }

    /// A value of a bound variable.
    pub(super) fn read(&self, local: LocalId, json: &Json) -> Result<Cell, Mismatch> {
        let Some((_, ty)) = self.declared.get(local.index()) else {
            return Err(Mismatch::new("a bound variable of the clause"));
        };
        read_cell(self.instance, json, ty)
    }
}

/// A value of a type.
fn read_cell(instance: &Instance, written: &Json, ty: &Type) -> Result<Cell, Mismatch> {
    let model = instance.model();
    let value = json::decode(written, ty, model)?;
    let shape = Shape::of(model, instance.universe(), ty);
    shape.encode(&value).ok_or_else(|| {
        let ty = model.type_name(ty);
        Mismatch::new(format!("a value that {ty} has at these sizes"))
    })
}
