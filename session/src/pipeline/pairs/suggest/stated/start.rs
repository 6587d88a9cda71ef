//! What a proposal says about the start of the high automaton.

use ioa_lang::Value;
use ioa_lang::core::{Op, Store, Type, VarId};

use crate::pipeline::pairs::suggest::basis::Suggesting;
use crate::pipeline::pairs::suggest::language::formulas::Formula;
use crate::pipeline::pairs::suggest::language::points::{Leaf, Points};
use crate::pipeline::pairs::suggest::language::terms::apply;
use crate::pipeline::pairs::suggest::relation::Relation;

impl Suggesting<'_> {
    /// The start of the high automaton, where it has several: values of its variables.
    pub(super) fn initially(&self, relation: &Relation) -> Vec<(VarId, Formula)> {
        let has_one = |joint: &paired_exec::Joint| joint.high_starts().len() == 1;
        if self.samples.iter().all(|sample| has_one(&sample.joint)) {
            return Vec::new();
        }
        let variables = (0..self.high().variables.len()).map(VarId::at);
        let assigned = variables.filter_map(|var| {
            let value = relation.value(var);
            let value = value.or_else(|| self.at_the_start(var, relation))?;
            Some((var, value))
        });
        assigned.collect()
    }

    /// A term for the value of a high variable at the start.
    fn at_the_start(&self, var: VarId, relation: &Relation) -> Option<Formula> {
        let ty = self.high().variables[var.index()].ty.clone();
        let leaves = Leaf::variables(self.low(), Store::Low);
        let mut points = Points::new(&self.study.model, &leaves, self.universes.iter());
        let mut allowed: Vec<Vec<Value>> = Vec::new();
        for (at, sample) in self.samples.iter().enumerate() {
            let layout = sample.instance.layout(self.simulation.high);
            for low in sample.joint.starts() {
                let starts = sample.joint.high_starts().iter();
                let kept = |high: &&usize| {
                    let pair = sample.joint.pair_at(*low, **high);
                    pair.is_some_and(|pair| relation.kept[at][pair])
                };
                let states = sample.joint.high_states();
                let values = starts
                    .filter(kept)
                    .map(|high| layout.value(&states[*high], var));
                if points.add(at, &self.low_values((at, *low))) {
                    allowed.push(values.collect());
                }
            }
        }
        let found = self.fitting(&leaves, &points, &ty, &allowed);
        let whole = found.into_iter().next().map(|(_, expr)| expr);
        let expr = whole.or_else(|| {
            let Type::Array(_, entry) = &ty else {
                return None;
            };
            let inside = |value: &Value| match value {
                Value::Array { entries, default } => {
                    let mut all = entries.values().chain(default.as_deref());
                    let first = all.next()?.clone();
                    all.all(|entry| *entry == first).then_some(first)
                }
                _ => None,
            };
            let allowed: Vec<Vec<Value>> = allowed
                .iter()
                .map(|values| values.iter().filter_map(inside).collect())
                .collect();
            let found = self.fitting(&leaves, &points, entry, &allowed);
            let entry = found.into_iter().next()?.1;
            let op = Op::Constant;
            Some(apply(op, vec![entry], ty.clone()))
        })?;
        Some(Formula {
            expr,
            locals: Vec::new(),
        })
    }
}
