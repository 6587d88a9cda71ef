//! Steps of which not all parameters are known.

use ioa_lang::core::{LocalId, TransitionId};

use crate::state::cell::Cell;
use crate::transition::label::Firing;
use crate::vm::Machine;

/// A transition clause with values for some of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Known {
    /// The clause.
    pub transition: TransitionId,
    /// The values of the action's parameters, then those of the hidden ones; none where a parameter may have any.
    pub values: Vec<Option<Cell>>,
}

impl Known {
    /// What a firing says of the parameters that a mask marks.
    #[must_use]
    pub fn of(firing: &Firing, mask: &[bool]) -> Self {
        let values = firing.params.iter().chain(&firing.hidden).zip(mask);
        let values = values.map(|(value, is_known)| is_known.then(|| value.clone()));
        Self {
            transition: firing.transition,
            values: values.collect(),
        }
    }

    /// Which parameters are known.
    #[must_use]
    pub fn mask(&self) -> Vec<bool> {
        self.values.iter().map(Option::is_some).collect()
    }

    /// The firing, if all parameters are known, of which so many are the action's.
    #[must_use]
    pub fn firing(&self, own: usize) -> Option<Firing> {
        let mut params: Vec<Cell> = self.values.iter().cloned().collect::<Option<_>>()?;
        let hidden = params.split_off(own);
        Some(Firing {
            transition: self.transition,
            params,
            hidden,
        })
    }

    /// Gives the parameters their values, as far as they are known.
    pub(super) fn bind(&self, machine: &mut Machine, params: &[LocalId]) {
        for (param, value) in params.iter().zip(&self.values) {
            if let Some(value) = value {
                machine.bind(param.0, value.clone());
            }
        }
    }

    /// Whether the values of some parameters, given by their positions, are known.
    pub(super) fn has_all(&self, positions: &[usize]) -> bool {
        let value = |at: &usize| self.values.get(*at).is_some_and(Option::is_some);
        positions.iter().all(value)
    }
}

impl From<&Firing> for Known {
    fn from(firing: &Firing) -> Self {
        let values = firing.params.iter().chain(&firing.hidden);
        Self {
            transition: firing.transition,
            values: values.cloned().map(Some).collect(),
        }
    }
}
