//! Instances that say where other formulas hold than the invariants of a study.

use std::sync::Arc;

use interpreter::Instance;
use ioa_lang::core::{Invariant, Model};

/// The same instance with other invariants.
pub(super) fn watching(instance: &Instance, invariants: &[Invariant]) -> Instance {
    let mut model = Model::clone(instance.model());
    model.invariants = invariants.to_vec();
    Instance::new(Arc::new(model), instance.universe().clone())
}
