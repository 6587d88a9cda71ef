//! What cannot be at given sizes: clauses that never happen there, and invariants that say nothing.
//!
//! The one instance is asked for, so that the solver's `unsat` is about it alone. Nothing is known about its states but
//! their types and the invariants that are stated; a warning that supposes some of these to hold names them. What only
//! reachable states rule out is for exploration or a proof to say.

use finite::{Packing, Universe};
use ioa_lang::core::{AutomatonId, Expr, Local, Model, SortId, Type};

use super::spread::spread;
use super::warnings::{Inspection, impatient};
use crate::interpretation::{axioms, instances};
use crate::logic::{FiniteSize, Logic, Size};
use crate::obligations::Target;
use crate::options::Options;
use crate::reason::Reason;
use crate::report::Warning;
use crate::solver::in_context_of;

/// A sort with more elements is not inspected.
const MAX_ELEMENTS: u64 = 1_000;

/// Where formulas have more instances than this, counted with the parts of the values that they compare, quantifiers
/// are left to the solver.
const MAX_TERMS: u128 = 100_000;

/// The warnings about automata of an instance, which speak of it as `sizes`. An automaton with parameters is read in all interpretations at these sizes, others in the universe's own.
///
/// # Errors
/// The sizes are too large for it.
pub fn warnings_at(
    model: &Model,
    universe: &Universe,
    automata: &[AutomatonId],
    sizes: &str,
    options: &Options<'_>,
) -> Result<Vec<Warning>, Reason> {
    let mut sorts = (0..).map(SortId).zip(&model.sorts);
    if let Some((_, large)) = sorts.find(|(id, _)| universe.size(*id) > MAX_ELEMENTS) {
        return Err(Reason::Incomplete(format!(
            "{} has more than {MAX_ELEMENTS} elements",
            large.name
        )));
    }
    let model = &universe.restricted(model);
    let instance = Instance {
        target: &Target::everything(model),
        universe,
        at: &match sizes {
            "" => String::new(),
            sizes => format!(" at {sizes}"),
        },
        options: &impatient(options),
    };
    Ok(spread(automata, options.threads, |automaton| {
        in_context_of(instance.options, || instance.warnings(*automaton))
    }))
}

/// An instance of a model.
struct Instance<'i, 'l> {
    target: &'i Target<'l>,
    universe: &'i Universe,
    at: &'i str,
    options: &'i Options<'i>,
}

impl Instance<'_, '_> {
    fn warnings(&self, automaton: AutomatonId) -> Vec<Warning> {
        let mut logic = Logic::new(self.target.model, Size::Finite(self.size(automaton)));
        if logic.declare_theories().is_err() {
            return Vec::new();
        }
        let stated = self.target.invariants.len();
        let tables = &self.universe.interpretation().tables;
        let at = match self.is_interpreted(automaton) && !tables.is_empty() {
            true => format!("{} in this interpretation of the theories", self.at),
            false => self.at.to_owned(),
        };
        let nothing = Inspection {
            target: self.target,
            options: self.options,
            established: &vec![false; stated],
            supposed: true,
            inspected: &vec![true; stated],
            automaton,
            at: &at,
        };
        let everything = Inspection {
            established: &vec![true; stated],
            ..nothing
        };
        // From invariants that exclude each other everything would follow.
        match everything.has_states(&logic) {
            true => everything.warnings(None, &logic),
            false => nothing.warnings(None, &logic),
        }
    }

    fn size(&self, automaton: AutomatonId) -> FiniteSize {
        let model = self.target.model;
        let sorts = (0..model.sorts.len()).map(SortId::at);
        let read = axioms(model, self.universe.setting()).chain(self.formulas(automaton));
        let variables = model.automaton(automaton).variables.iter();
        let parts = variables.map(|v| self.parts(&v.ty)).max().unwrap_or(1);
        let terms = instances(model, self.universe, read).saturating_mul(parts);
        FiniteSize {
            copy: 0,
            sorts: sorts.map(|id| self.universe.size(id) as u32).collect(),
            meaning: self
                .is_interpreted(automaton)
                .then(|| self.universe.clone()),
            expand: terms <= MAX_TERMS,
            windowed: false,
        }
    }

    /// Whether an automaton is read in the universe's own interpretation of the theories.
    fn is_interpreted(&self, automaton: AutomatonId) -> bool {
        let parameters = &self.target.model.automaton(automaton).parameters;
        parameters.values.is_empty()
    }

    /// What is read of an automaton, with its bound variables.
    fn formulas(&self, automaton: AutomatonId) -> impl Iterator<Item = (&Expr, &[Local])> {
        let clauses = self.target.model.automaton(automaton).transitions.iter();
        let conditions = clauses.flat_map(|c| [(&c.applies, &*c.locals), (&c.pre, &*c.locals)]);
        let stated = self.target.invariants.iter();
        let stated = stated.filter(move |i| i.automaton == automaton);
        conditions.chain(stated.map(|i| (&i.formula, &*i.locals)))
    }

    /// Of how many parts the values of a type are made, as far as comparing them has to look at each.
    fn parts(&self, ty: &Type) -> u128 {
        let count = |ty: &Type| {
            let packing = Packing::of(self.target.model, self.universe, ty);
            match (packing, ty) {
                (Some(packing), _) => packing.count(),
                (None, Type::Int | Type::Nat | Type::Real | Type::String) => 1,
                // So many that they do not fit a word, or no end of them.
                (None, _) => u128::MAX,
            }
        };
        match ty {
            Type::Array(index, inner) | Type::Map(index, inner) => {
                count(index).saturating_mul(self.parts(inner))
            }
            Type::Set(element) | Type::Mset(element) => count(element),
            _ => match self.target.model.parts_of(ty).as_slice() {
                [] => 1,
                parts => {
                    let parts = parts.iter().map(|part| self.parts(part));
                    parts.fold(0, u128::saturating_add)
                }
            },
        }
    }
}
