//! Finite interpretations of theories: models of their axioms at given sizes, found by the solver.
//!
//! The vocabulary and the axioms are read as in the search for counterexamples, each sort closed to its elements. If one
//! exists in which operators lead around all elements, it is taken first, and otherwise the one whose tables come first in
//! lexicographic order. It and its images under permutations of interchangeable elements are then passed over, and any other
//! one is asked for; of its images, the first one stands for all of them.

mod cycle;
mod order;
mod permutation;
mod ring;
mod symmetry;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use finite::{
    Interpretation, Packing, Universe, is_true_naturally, natural_arrangements, natural_table,
};
use ioa_lang::core::{Arrangement, Axiom, Expr, ExprKind, Local, Model, Setting, SortId, Type};
use ioa_lang::{Name, Value};
use z3::ast::{Bool, Dynamic, Int};

pub use self::order::least_degenerate_first;
pub(crate) use self::permutation::orders;
use self::permutation::{Permutation, permutations, permuted};
use self::table::{Table, tables};
use crate::counterexample::{Facts, bounded, leaves, minimise, read_value};
use crate::logic::{Encoded, FiniteSize, Logic, Size, and};
use crate::options::Options;
use crate::reason::Reason;
use crate::solver::{Answer, Solver, in_context_of};

/// Axioms with more instances than this are not written out: their quantifiers are left to the solver.
const MAX_INSTANCES: u128 = 50_000;

/// Numbers are bounded by no more than this.
const GREATEST_BOUND: i64 = 64;

/// Why there is no interpretation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoModel {
    /// There is none at these sizes: these axioms contradict each other there.
    Contradiction(Vec<Name>),
    /// Whether there is one was not found out.
    Unknown(Reason),
}

impl std::fmt::Display for NoModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Contradiction(axioms) => {
                write!(f, "no interpretation satisfies {}", axioms.join(", "))
            }
            Self::Unknown(reason) => write!(f, "no interpretation was found: {reason}"),
        }
    }
}

impl std::error::Error for NoModel {}

impl From<crate::logic::Unsupported> for NoModel {
    fn from(outside: crate::logic::Unsupported) -> Self {
        Self::Unknown(outside.into())
    }
}

/// Interpretations that differ in more than the names of elements, unless there are too many permutations to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpretations {
    /// At least one.
    pub found: Vec<Interpretation>,
    /// Whether the solver answered that there are no others.
    pub are_all: bool,
}

/// Whether a finite instance needs an interpretation of operators that are known in its setting.
#[must_use]
pub fn needs_interpretation(model: &Model, universe: &Universe) -> bool {
    universe.open_to_interpretation(model).next().is_some()
}

/// At most `count` interpretations of the theories in a universe, which gives the setting and the sizes, but at least one;
/// whether there are others is asked as well. What is about sorts without a size is left out of account: its operators have any meaning.
///
/// The same question has the same answer on every run, unless a timeout strikes.
///
/// # Errors
/// There is no interpretation, or none was found.
pub fn interpretations(
    model: &Model,
    universe: &Universe,
    count: usize,
    options: &Options<'_>,
) -> Result<Interpretations, NoModel> {
    let model = &universe.restricted(model);
    let natural = natural_arrangements(model, universe);
    // What makes it a ring or a line is true of numbers in their order.
    let model = &model.with_axioms_among(universe.setting(), |axiom| {
        !is_true_naturally(model, &natural, axiom)
    });
    in_context_of(options, || {
        let sorts = (0..model.sorts.len()).map(SortId::at);
        let size = Size::Finite(FiniteSize {
            copy: 0,
            sorts: sorts.map(|id| universe.size(id) as u32).collect(),
            meaning: Some(universe.clone()),
            expand: instances(model, universe, axioms(model, universe.setting())) <= MAX_INSTANCES,
            windowed: false,
        });
        let mut logic = Logic::new(model, size);
        logic.declare_theories()?;
        let (mut numbered, mut open) = (Vec::new(), Vec::new());
        for table in tables(&logic, universe)? {
            match known(&table, universe, &natural) {
                Some(results) => numbered.push((table, results)),
                None => open.push(table),
            }
        }
        let finder = Finder {
            facts: Facts::of(&logic),
            universe,
            tables: open,
            numbered,
            natural,
        };
        finder.find(count, options)
    })
}

/// The results of an operator of one of the arrangements that have their natural meaning.
fn known(table: &Table<'_>, universe: &Universe, natural: &[&Arrangement]) -> Option<Vec<Value>> {
    let mut natural = natural.iter();
    let natural = natural.find(|natural| natural.operators().contains(&table.id))?;
    let size = u32::try_from(universe.size(natural.sort)).ok()?;
    natural_table((natural, size), table.id, &table.rows)
}

/// How many instances formulas, each with its bound variables, have when their quantifiers are written out.
pub(crate) fn instances<'m>(
    model: &Model,
    universe: &Universe,
    formulas: impl Iterator<Item = (&'m Expr, &'m [Local])>,
) -> u128 {
    let of_type = |ty: &Type| Packing::of(model, universe, ty).map_or(1, |p| p.count());
    let mut all: u128 = 0;
    for (formula, locals) in formulas {
        let mut binders = 1_u128;
        formula.walk(&mut |expr| {
            if let ExprKind::Quantified(_, bound, _) = &expr.kind {
                for local in bound {
                    binders = binders.saturating_mul(of_type(&locals[local.index()].ty));
                }
            }
        });
        all = all.saturating_add(binders);
    }
    all
}

/// The axioms of a setting with their bound variables.
pub(crate) fn axioms<'m>(
    model: &'m Model,
    setting: &Setting,
) -> impl Iterator<Item = (&'m Expr, &'m [Local])> {
    let axioms = model.axioms_in(setting);
    axioms.map(|(_, axiom)| (&axiom.formula, &*axiom.locals))
}

/// For each table and each row, the row whose result the image under a permutation has there.
type Origins = Vec<Vec<usize>>;

struct Finder<'f, 'l> {
    facts: Facts<'l>,
    universe: &'f Universe,
    /// What is looked for.
    tables: Vec<Table<'l>>,
    /// What is known: the tables of the arrangements below, with their results.
    numbered: Vec<(Table<'l>, Vec<Value>)>,
    /// The arrangements that have their natural meaning.
    natural: Vec<&'f Arrangement>,
}

impl<'l> Finder<'_, 'l> {
    fn find(&self, count: usize, options: &Options<'_>) -> Result<Interpretations, NoModel> {
        let mut solver = Solver::new(options).of_ground_terms();
        let axioms = self.facts.logic.axioms(self.universe.setting())?;
        for (_, axiom) in &axioms {
            solver.assert(axiom.clone());
        }
        self.assert_facts(&mut solver)?;
        let about = (self.facts.logic, self.universe);
        symmetry::assert_least(about, (&self.tables, &self.natural), &mut solver)?;
        let permutations = permutations(self.facts.logic.model, self.universe, &self.natural);
        let origins: Vec<Origins> = permutations.iter().map(|by| self.origins(by)).collect();
        let (mut found, mut known, mut greatest) = (Vec::new(), BTreeSet::new(), 0);
        let mut around = self.around(&mut solver)?;
        let are_all = loop {
            let next = match around.take() {
                Some(around) => around,
                None => match solver.check_assuming(&[]) {
                    Answer::Sat if found.is_empty() || self.has_numbers() => {
                        self.first(&mut solver, &mut greatest)?
                    }
                    Answer::Sat => self.any(&solver)?,
                    Answer::Unsat if found.is_empty() => {
                        let axioms = self.contradiction(&axioms, options)?;
                        return Err(NoModel::Contradiction(axioms));
                    }
                    Answer::Unknown(reason) if found.is_empty() => {
                        return Err(NoModel::Unknown(reason));
                    }
                    Answer::Unsat => break true,
                    Answer::Unknown(_) => break false,
                },
            };
            solver.assert(self.is(&next)?.not());
            let first = self.first_image(&next, permutations.iter().zip(&origins));
            if known.insert(first.tables.clone()) {
                if found.len() >= count.max(1) {
                    break false;
                }
                found.push(self.completed(first));
            }
        };
        Ok(Interpretations { found, are_all })
    }

    /// Asserts what is known about the operators' types, and what makes their results readable.
    fn assert_facts(&self, solver: &mut Solver<'_>) -> Encoded<()> {
        for table in &self.tables {
            for result in &table.results {
                let bounds = bounded(&self.facts, result, &table.function.result)?;
                solver.assert(bounds);
            }
        }
        for (table, values) in &self.numbered {
            let ty = &table.function.result;
            for (result, value) in table.results.iter().zip(values) {
                let value = self.facts.logic.lift(value, ty)?;
                solver.assert(result.equal(&value, ty, self.facts.logic)?);
            }
        }
        for fact in self.facts.logic.take_facts() {
            solver.assert(fact);
        }
        Ok(())
    }

    /// An interpretation with the tables that are known added to those that were looked for.
    fn completed(&self, mut found: Interpretation) -> Interpretation {
        let known = self.numbered.iter();
        let known = known.map(|(table, results)| (table.id, results.clone()));
        found.tables.extend(known);
        found
    }

    /// An interpretation in which every operator that may lead around all elements of a sort does so, if there are such
    /// operators and it can be had.
    fn around(&self, solver: &mut Solver<'_>) -> Result<Option<Interpretation>, NoModel> {
        let mut cycles = Vec::new();
        for table in &self.tables {
            cycles.extend(cycle::is_one(table, self.universe, self.facts.logic)?);
        }
        if cycles.is_empty() || self.has_numbers() {
            return Ok(None);
        }
        let around = Bool::new_const("around!");
        solver.assert(around.implies(and(&cycles)));
        match solver.check_assuming(&[around]) {
            Answer::Sat => Ok(Some(self.any(solver)?)),
            Answer::Unsat | Answer::Unknown(_) => Ok(None),
        }
    }

    /// The first of the interpretations that what is asserted allows: one whose greatest number is least, and of these the first in
    /// lexicographic order. (In that order alone, all would have the same first number.) `greatest` is a lower bound of that number, from
    /// earlier calls, and is raised.
    fn first(
        &self,
        solver: &mut Solver<'_>,
        greatest: &mut i64,
    ) -> Result<Interpretation, NoModel> {
        let mut facts: Vec<Dynamic> = Vec::new();
        for table in &self.tables {
            for result in &table.results {
                leaves(&self.facts, result, &table.function.result, &mut facts)?;
            }
        }
        let numbers: Vec<Int> = facts.iter().filter_map(Dynamic::as_int).collect();
        solver.scoped(|solver| {
            let mut model = solver.model();
            if solver.shrinks() {
                if !numbers.is_empty() {
                    *greatest = bound_numbers(solver, &numbers, *greatest);
                }
                model = minimise(solver, self.facts.logic, &facts, u64::MAX).or(model);
            }
            Ok(self.read(&model.ok_or_else(lost)?)?)
        })
    }

    /// Whether results are infinitely many: then any of them may be huge, and the first ones are wanted.
    fn has_numbers(&self) -> bool {
        let mut tables = self.tables.iter();
        tables.any(|table| {
            let result = &table.function.result;
            Packing::of(self.facts.logic.model, self.universe, result).is_none()
        })
    }

    /// The one that the solver found.
    fn any(&self, solver: &Solver<'_>) -> Result<Interpretation, NoModel> {
        Ok(self.read(&solver.model().ok_or_else(lost)?)?)
    }

    fn read(&self, model: &z3::Model) -> Encoded<Interpretation> {
        let mut tables = BTreeMap::new();
        for table in &self.tables {
            let values = table
                .results
                .iter()
                .map(|result| read_value(&self.facts, model, result, &table.function.result));
            tables.insert(table.id, values.collect::<Encoded<Vec<Value>>>()?);
        }
        Ok(Interpretation { tables })
    }

    /// Axioms that contradict each other in this universe: a minimal set of them, by name.
    fn contradiction(
        &self,
        axioms: &[(&Axiom, Bool)],
        options: &Options<'_>,
    ) -> Result<Vec<Name>, NoModel> {
        let mut solver = Solver::new(options);
        self.facts.logic.axioms(self.universe.setting())?;
        self.assert_facts(&mut solver)?;
        let mut literals = Vec::new();
        for (position, (_, axiom)) in axioms.iter().enumerate() {
            let literal = Bool::new_const(format!("axiom!{position}"));
            solver.assert(literal.implies(axiom));
            literals.push((position, literal));
        }
        let name = |(axiom, _): &(&Axiom, Bool)| axiom.name.clone();
        Ok(match solver.minimal_core(literals) {
            Some(core) => core.iter().map(|i| name(&axioms[*i])).collect(),
            None => axioms.iter().map(name).collect(),
        })
    }

    /// Where the results of an image come from.
    fn origins(&self, permutation: &Permutation) -> Origins {
        let of_table = |table: &Table<'l>| {
            let images = table.rows.iter().map(|row| {
                let row = row.iter().map(|argument| permuted(argument, permutation));
                row.collect::<Vec<Value>>()
            });
            let origin: BTreeMap<Vec<Value>, usize> = images.zip(0..).collect();
            table.rows.iter().map(|row| origin[row]).collect()
        };
        self.tables.iter().map(of_table).collect()
    }

    /// The first of the images of an interpretation, in lexicographic order.
    fn first_image<'p>(
        &self,
        of: &Interpretation,
        permutations: impl Iterator<Item = (&'p Permutation, &'p Origins)>,
    ) -> Interpretation {
        let tables: Vec<&Vec<Value>> = self.tables.iter().map(|t| &of.tables[&t.id]).collect();
        let mut first: Vec<Vec<Value>> = tables.iter().copied().cloned().collect();
        for (permutation, origins) in permutations {
            let image = |table: usize| {
                let rows = origins[table].iter();
                let results = rows
                    .zip(std::iter::repeat(tables[table]))
                    .map(|(row, of)| &of[*row]);
                results.map(|value| permuted(value, permutation))
            };
            let each = (0..tables.len()).flat_map(image);
            if each.lt(first.iter().flatten().cloned()) {
                first = (0..tables.len())
                    .map(|table| image(table).collect())
                    .collect();
            }
        }
        let ids = self.tables.iter().map(|table| table.id);
        Interpretation {
            tables: ids.zip(first).collect(),
        }
    }

    /// That the tables are these.
    fn is(&self, interpretation: &Interpretation) -> Encoded<Bool> {
        let mut same = Vec::new();
        for table in &self.tables {
            let ty = &table.function.result;
            for (result, value) in table.results.iter().zip(&interpretation.tables[&table.id]) {
                same.push(result.equal(
                    &self.facts.logic.lift(value, ty)?,
                    ty,
                    self.facts.logic,
                )?);
            }
        }
        Ok(and(&same))
    }
}

/// Asserts the least bound on the absolute values of some numbers that what is asserted before allows, and returns it. If that is more
/// than [`GREATEST_BOUND`], nothing is asserted.
fn bound_numbers(solver: &mut Solver<'_>, numbers: &[Int], from: i64) -> i64 {
    for bound in from..=GREATEST_BOUND {
        let within = |number: &Int| and(&[number.ge(-bound), number.le(bound)]);
        let literal = Bool::fresh_const("within");
        let within: Vec<Bool> = numbers.iter().map(within).collect();
        solver.assert(literal.implies(and(&within)));
        if solver.check_assuming(std::slice::from_ref(&literal)) == Answer::Sat {
            solver.assert(literal);
            return bound;
        }
    }
    GREATEST_BOUND
}

/// The solver has no model where it said that there is one.
fn lost() -> NoModel {
    NoModel::Unknown(Reason::Incomplete("an interpretation was lost".into()))
}
