//! What the states say of relations, and of single formulas.

mod constants;

#[cfg(feature = "smt")]
pub(in crate::pipeline) use constants::{numbers_in, numbers_of};

use std::sync::Arc;

use interpreter::Instance;
use invariants::learn::{Evidence, ones};
use invariants::{Focus, Options};
use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Invariant, Type};
use num_bigint::BigInt;

use super::StatePool;
use super::block::Block;
use super::visits::words;
use crate::pipeline::candidates::RUNS_SHARE;
use crate::pipeline::candidates::collector::Collector;
use crate::pipeline::candidates::focus::Focused;

/// A number may be so many times that of all elements of a sort: what each of them has at first is seldom more.
const TIMES: std::ops::RangeInclusive<u32> = 1..=4;

impl StatePool<'_> {
    /// The relations of numbers and sets in the instance of which most states are known. Where all were visited nothing holds by
    /// chance.
    ///
    /// # Errors
    /// A value beyond the detector's bounds; a term that cannot be evaluated.
    pub(in crate::pipeline) fn relations(&self, focus: &Focus) -> Result<Vec<Invariant>, String> {
        // Of those with as many states the first one is the richest.
        let blocks = self.blocks.iter().rev();
        let Some(block) = blocks.max_by_key(|block| block.reached.len()) else {
            return Ok(Vec::new());
        };
        let instance = Instance::new(Arc::new(self.bare.clone()), block.universe.clone());
        let collector = Collector::new(
            &instance,
            self.automaton,
            focus,
            self.budget.memory / RUNS_SHARE,
        );
        let mut collector = collector.map_err(words)?;
        block
            .reached
            .iter()
            .for_each(|state| collector.take(&state));
        let options = match self.is_exhaustive {
            true => Options { confidence: 0.0 },
            false => Options::default(),
        };
        let (samples, _) = collector.samples().map_err(|misfit| misfit.to_string())?;
        let found = invariants::detect_until(&samples, &options, &|| self.is_stopped()).relations;
        let found = found.into_iter().map(|relation| relation.invariant);
        let mut found: Vec<Invariant> = found.collect();
        let constants = self.constants(block);
        let with_constants = found.iter().flat_map(|relation| {
            let each = constants.iter();
            each.filter_map(|(number, id)| invariants::with_constant(relation, number, *id))
        });
        let counts = self.counts(block);
        let with_counts = found.iter().flat_map(|relation| {
            let each = counts.iter();
            each.filter_map(|(number, of)| {
                invariants::with_count(&self.bare, relation, number, (&of.0, of.1))
            })
        });
        let more: Vec<Invariant> = with_constants.chain(with_counts).collect();
        found.extend(more);
        Ok(self.telling(found))
    }

    /// The constants of the theories that are numbers, with what they are in the instance of a block. Those that are 0 or 1 there are
    /// left out: so are many numbers that have nothing to do with them.
    fn constants(&self, block: &Block) -> Vec<(BigInt, FunctionId)> {
        let tables = block.universe.interpretation().tables.iter();
        let number = |(id, results): (&FunctionId, &Vec<Value>)| {
            let takes_none = self.bare.functions[id.index()].params.is_empty();
            match &results[..] {
                [Value::Int(number)] if takes_none && *number > BigInt::from(1) => {
                    Some((number.clone(), *id))
                }
                _ => None,
            }
        };
        tables.filter_map(number).collect()
    }

    /// The multiples of the numbers of elements that sorts have in the instance of a block, with what they are there.
    fn counts(&self, block: &Block) -> Vec<(BigInt, (Type, u32))> {
        let sizes = self.study.given_sizes(&block.universe).into_iter();
        let sizes = sizes.filter(|(_, size)| *size > 1);
        let sort = |name: &str| self.bare.sort_named(name).map(Type::Sort);
        let sizes = sizes.filter_map(|(name, size)| Some((sort(&name)?, size)));
        let each = sizes.flat_map(|(sort, size)| {
            TIMES.map(move |times| (BigInt::from(size) * times, (sort.clone(), times)))
        });
        each.collect()
    }

    /// Whether an invariant is true in all states that are made up too, so that it says nothing of the automaton.
    ///
    /// # Errors
    /// Why it cannot be tested.
    pub(in crate::pipeline::candidates) fn says_nothing(
        &mut self,
        invariant: &Invariant,
    ) -> Result<bool, String> {
        let mut holds = true;
        for block in 0..self.blocks.len() {
            let truths = self.truths(block, std::slice::from_ref(invariant))?;
            let made_up = self.blocks[block].made_up.len();
            holds &= truths.iter().all(|truth| truth.made_up == ones(made_up));
        }
        Ok(holds)
    }

    /// The conditions that tell no cases apart, in words: they are true in all states that are learnt from, or false in all.
    ///
    /// # Errors
    /// Why they cannot be tested.
    pub(in crate::pipeline::candidates) fn constant(
        &mut self,
        focused: &Focused,
    ) -> Result<Vec<String>, String> {
        let mut told = Vec::new();
        for (text, both) in focused.constant(self.study, self.automaton) {
            let mut always = [true; 2];
            for block in 0..self.blocks.len() {
                let reached = ones(self.blocks[block].reached.len());
                let truths = self.truths(block, &both)?;
                for (always, truth) in always.iter_mut().zip(truths) {
                    *always &= truth.reached == reached;
                }
            }
            let constant = always.into_iter().zip(["true", "false"]);
            told.extend(constant.filter(|(always, _)| *always).map(|(_, value)| {
                format!(
                    "{text}: {value} in all states that were looked at, so it tells no cases apart"
                )
            }));
        }
        Ok(told)
    }
}
