//! Choosing a definition for each high variable, so that all of them together are a forward simulation on the samples.

use std::sync::Arc;

use interpreter::{Instance, StateRelation};
use ioa_lang::Span;
use ioa_lang::core::{AutomatonId, Direction, Expr, Simulation, VarId};

use super::basis::Suggesting;
use super::definitions::Definition;
use super::language::formulas::Formula;

/// A relation: for each high variable its definition, if it has one.
pub(super) struct Relation {
    pub(super) definitions: Vec<Option<Definition>>,
    /// For each sample the pairs that are related.
    pub(super) kept: Vec<Vec<bool>>,
    /// Whether it was stated as a whole, and not put together from definitions of variables.
    is_stated: bool,
}

/// Where a definition holds: for each sample, of each pair.
type Holds = Vec<Vec<bool>>;

/// What it costs to say nothing about a variable.
const OPEN: usize = 40;
/// No more relations are tried.
const TRIED: usize = 4_000;

impl Suggesting<'_> {
    /// The relations that are forward simulations on the samples, the simplest ones first; `definitions` has those of each
    /// variable.
    pub(super) fn relations(&self, definitions: &[Vec<Definition>], most: usize) -> Vec<Relation> {
        let holds: Vec<Vec<Holds>> = definitions
            .iter()
            .map(|of_variable| of_variable.iter().map(|d| self.holds(d)).collect())
            .collect();
        let mut found = Vec::new();
        for choice in choices(definitions) {
            if !self.goes_on() || found.len() >= most {
                break;
            }
            let chosen = choice.iter().enumerate();
            let chosen: Vec<&Holds> = chosen
                .filter_map(|(var, at)| Some(&holds[var][(*at)?]))
                .collect();
            let kept: Option<Vec<Vec<bool>>> = (0..self.samples.len())
                .map(|sample| self.closed(sample, &chosen))
                .collect();
            let Some(kept) = kept else { continue };
            let definition =
                |(var, at): (usize, &Option<usize>)| at.map(|at| definitions[var][at].clone());
            found.push(Relation {
                definitions: choice.iter().enumerate().map(definition).collect(),
                kept,
                is_stated: false,
            });
        }
        found
    }

    /// The pairs of a sample for which all these hold, if each start is among them, and each step from one of them has an answer
    /// that leads to one.
    fn closed(&self, sample: usize, chosen: &[&Holds]) -> Option<Vec<bool>> {
        let joint = &self.samples[sample].joint;
        let pairs = joint.pairs().iter().enumerate();
        let kept: Vec<bool> = pairs
            .map(|(at, (low, high))| {
                joint.may_relate(*low, *high) && chosen.iter().all(|holds| holds[sample][at])
            })
            .collect();
        let is_kept = |low, high| joint.pair_at(low, high).is_some_and(|at| kept[at]);
        let starts = joint.starts().iter();
        let begins = |low: &usize| joint.high_starts().iter().any(|high| is_kept(*low, *high));
        if !starts.clone().all(begins) {
            return None;
        }
        let is_answered = |at: usize| {
            let (low, high) = joint.pairs()[at];
            joint.moves(low).iter().all(|step| {
                let mut answers = joint.answers(high, step).iter();
                answers.any(|answer| is_kept(step.to, answer.to))
            })
        };
        let mut asked = (0..kept.len()).filter(|at| kept[*at] && joint.is_expanded(*at));
        asked.all(is_answered).then_some(kept)
    }

    /// Where a definition holds.
    pub(super) fn holds(&self, definition: &Definition) -> Holds {
        let mut model = (*self.study.model).clone();
        model.simulations = vec![Simulation {
            locals: definition.conjunct.locals.clone(),
            relation: definition.conjunct.expr.clone(),
            ..self.simulation.clone()
        }];
        let model = Arc::new(model);
        let of_sample = |at: usize| {
            let sample = &self.samples[at];
            let instance = Instance::new(Arc::clone(&model), self.universes[at].clone());
            let joint = &sample.joint;
            let Ok(mut relation) = StateRelation::new(&instance, 0, 0) else {
                return vec![false; joint.pairs().len()];
            };
            let pairs = joint.pairs().iter();
            let holds = |(low, high): &(usize, usize)| {
                joint.may_relate(*low, *high)
                    && relation
                        .holds(&joint.low_states()[*low], &joint.high_states()[*high])
                        .unwrap_or(false)
            };
            pairs.map(holds).collect()
        };
        (0..self.samples.len()).map(of_sample).collect()
    }
}

impl Relation {
    /// The conjuncts.
    pub(super) fn conjuncts(&self) -> impl Iterator<Item = &Definition> {
        self.definitions.iter().flatten()
    }

    /// The same, stated as a whole.
    pub(super) fn stated_whole(self) -> Self {
        Self {
            is_stated: true,
            ..self
        }
    }

    /// What it says that a variable is, as a term.
    pub(super) fn value(&self, var: VarId) -> Option<Formula> {
        let definition = self.definitions.get(var.index())?.as_ref();
        definition.filter(|_| !self.is_stated)?.value.clone()
    }

    /// The high variables of which it says nothing.
    pub(super) fn open(&self) -> impl Iterator<Item = VarId> {
        let definitions = self.definitions.iter().enumerate();
        let open = definitions.filter(|(_, definition)| definition.is_none());
        open.map(|(at, _)| VarId::at(at))
    }
}

/// Every choice of a definition, or of none, for each variable; those that are simple together first.
fn choices(definitions: &[Vec<Definition>]) -> Vec<Vec<Option<usize>>> {
    let mut all: Vec<(usize, Vec<Option<usize>>)> = vec![(0, Vec::new())];
    for of_variable in definitions {
        let mut longer = Vec::new();
        for (cost, before) in &all {
            let with = |cost: usize, at| (cost, [&before[..], &[at]].concat());
            let each = of_variable.iter().enumerate();
            longer.extend(each.map(|(at, one)| with(cost + one.size, Some(at))));
            longer.push(with(cost + OPEN, None));
        }
        longer.sort_by_key(|(cost, _)| *cost);
        longer.truncate(TRIED);
        all = longer;
    }
    // That nothing is related to anything in particular is no relation to suggest.
    let all = all.into_iter().map(|(_, choice)| choice);
    let says =
        |choice: &Vec<Option<usize>>| choice.is_empty() || choice.iter().any(Option::is_some);
    all.filter(says).collect()
}

/// The simulation of two automata of which nothing is known.
pub(super) fn unknown(low: AutomatonId, high: AutomatonId) -> Simulation {
    Simulation {
        direction: Direction::Forward,
        low,
        high,
        locals: Vec::new(),
        relation: Expr::truth(Span::default()),
        proof: None,
        span: Span::default(),
    }
}
