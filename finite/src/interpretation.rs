//! Instances in which every operator has a meaning: uninterpreted ones are given by tables.

use std::collections::BTreeMap;
use std::slice;

use ioa_lang::Value;
use ioa_lang::core::{Function, FunctionId, Meaning, Model, Setting, Type};

use super::packing::Packing;
use super::size_error::SizeError;
use super::universe::{Interpretation, Universe};

impl Universe {
    /// The instance with these sizes, by sort name, in a setting whose operators all have a fixed meaning.
    ///
    /// # Errors
    /// Those of [`sized`](Self::sized), and an uninterpreted operator.
    pub fn new(
        model: &Model,
        setting: Setting,
        sizes: &BTreeMap<String, u64>,
    ) -> Result<Self, Vec<SizeError>> {
        Self::sized(model, setting, sizes)?.interpreted(model, Interpretation::default())
    }

    /// This instance with a meaning for the uninterpreted operators.
    ///
    /// # Errors
    /// The operators of the setting for which there is no table of the right size and type.
    pub fn interpreted(
        self,
        model: &Model,
        interpretation: Interpretation,
    ) -> Result<Self, Vec<SizeError>> {
        let universe = self.with_tables(interpretation);
        let known = (0..model.functions.len()).map(FunctionId::at);
        let known = known.filter(|id| model.is_known(*id, universe.setting()));
        let errors: Vec<SizeError> = known
            .filter(|id| !universe.is_interpreted(model, *id))
            .map(|id| SizeError::Uninterpreted(model.functions[id.index()].name.to_string()))
            .collect();
        match errors.is_empty() {
            true => Ok(universe),
            false => Err(errors),
        }
    }

    fn is_interpreted(&self, model: &Model, id: FunctionId) -> bool {
        let Function {
            params,
            result,
            meaning,
            ..
        } = &model.functions[id.index()];
        if *meaning != Meaning::Axioms {
            return true;
        }
        let Some(table) = self.interpretation().tables.get(&id) else {
            return false;
        };
        let rows = params.iter().try_fold(1_u128, |rows, ty| {
            rows.checked_mul(Packing::of(model, self, ty)?.count())
        });
        rows == Some(table.len() as u128) && table.iter().all(|v| self.contains(model, v, result))
    }

    /// Whether a value is one of a type's in this instance.
    fn contains(&self, model: &Model, value: &Value, ty: &Type) -> bool {
        Packing::of(model, self, ty).map_or_else(
            || ioa_lang::value::belongs(value, ty, model),
            |packing| packing.encode(value).is_some(),
        )
    }

    /// All values of a type in a fixed order, or `None` if there are infinitely many or more than `limit`.
    #[must_use]
    pub fn values(&self, model: &Model, ty: &Type, limit: u64) -> Option<Vec<Value>> {
        let packing = Packing::of(model, self, ty)?;
        let codes = packing.codes(limit)?;
        Some(codes.into_iter().map(|code| packing.decode(code)).collect())
    }

    /// All lists of arguments of these types, in the order of the tables of an [`Interpretation`], or `None` if there are
    /// infinitely many or more than `limit`.
    #[must_use]
    pub fn rows(&self, model: &Model, types: &[Type], limit: u64) -> Option<Vec<Vec<Value>>> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.values(model, ty, limit)?;
            if (rows.len() as u64).saturating_mul(values.len() as u64) > limit {
                return None;
            }
            let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
                let with = |value: &Value| [row.as_slice(), slice::from_ref(value)].concat();
                values.iter().map(with).collect()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        Some(rows)
    }
}
