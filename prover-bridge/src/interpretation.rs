//! Finite interpretations of theories: models of their axioms at given sizes, found by the solver.
//!
//! The vocabulary and the axioms are read as in the search for counterexamples, each sort closed to its elements. Of
//! all interpretations the one is taken whose tables come first in lexicographic order; it and its images under
//! permutations of interchangeable elements are then excluded, and the next one is asked for.

use std::collections::BTreeMap;

use finite::{Interpretation, Packing, Universe};
use ioa_lang::core::{
    Axiom, Expr, ExprKind, Function, FunctionId, Local, Meaning, Model, Setting, SortId, SortSize,
    Type,
};
use ioa_lang::{Name, Value};
use z3::ast::{Bool, Dynamic};

use crate::counterexample::{bounded, leaves, minimise, read_value};
use crate::logic::{Encoded, FiniteSize, Logic, Size, Sym, and};
use crate::options::Options;
use crate::reason::Reason;
use crate::solver::{Answer, Solver, in_context};

/// Axioms with more instances than this are not written out: their quantifiers are left to the solver.
const MAX_INSTANCES: u128 = 50_000;

/// Images of an interpretation are excluded with it as long as there are no more of them than this.
const MAX_PERMUTATIONS: usize = 1_000;

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

/// Whether a finite instance needs an interpretation of operators that are known in its setting.
#[must_use]
pub fn needs_interpretation(model: &Model, universe: &Universe) -> bool {
    universe.open_to_interpretation(model).next().is_some()
}

/// The first `count` interpretations of the theories in a universe, which gives the setting and the sizes: no two of them alike
/// but for the names of elements, unless there are too many to compare. There may be fewer, and there is at least one.
/// What is about sorts without a size is left out of account: its operators have any meaning.
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
) -> Result<Vec<Interpretation>, NoModel> {
    let model = &universe.restricted(model);
    in_context(|| {
        let sorts = (0..model.sorts.len()).map(SortId::at);
        let size = Size::Finite(FiniteSize {
            sorts: sorts.map(|id| universe.size(id) as u32).collect(),
            meaning: Some(universe.clone()),
            expand: instances(model, universe, axioms(model, universe.setting())) <= MAX_INSTANCES,
            windowed: false,
        });
        let mut logic = Logic::new(model, size);
        logic.declare_theories()?;
        let finder = Finder {
            logic: &logic,
            universe,
            tables: tables(&logic, universe)?,
        };
        finder.find(count, options)
    })
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

/// The table of an operator, each row with its arguments and its result as a term.
struct Table<'l> {
    id: FunctionId,
    function: &'l Function,
    rows: Vec<Vec<Value>>,
    results: Vec<Sym<'l>>,
}

fn tables<'l>(logic: &'l Logic<'l>, universe: &Universe) -> Encoded<Vec<Table<'l>>> {
    let open = universe.open_to_interpretation(logic.model);
    open.map(|(id, function)| {
        let (mut rows, mut results) = (Vec::new(), Vec::new());
        for row in logic.rows(universe, &function.params)? {
            let (args, values): (Vec<Sym<'l>>, Vec<Value>) =
                row.into_iter().map(|i| (i.sym, i.value)).unzip();
            results.push(logic.apply(id, &args)?);
            rows.push(values);
        }
        Ok(Table {
            id,
            function,
            rows,
            results,
        })
    })
    .collect()
}

struct Finder<'f, 'l> {
    logic: &'l Logic<'l>,
    universe: &'f Universe,
    tables: Vec<Table<'l>>,
}

impl<'l> Finder<'_, 'l> {
    fn find(&self, count: usize, options: &Options<'_>) -> Result<Vec<Interpretation>, NoModel> {
        let mut solver = Solver::new(options);
        let axioms = self.logic.axioms(self.universe.setting())?;
        for (_, axiom) in &axioms {
            solver.assert(axiom.clone());
        }
        self.assert_facts(&mut solver)?;
        let permutations = self.permutations();
        let mut found = Vec::new();
        while found.len() < count.max(1) {
            match solver.check() {
                Answer::Sat => {}
                Answer::Unsat if found.is_empty() => {
                    return Err(NoModel::Contradiction(
                        self.contradiction(&axioms, options)?,
                    ));
                }
                Answer::Unknown(reason) if found.is_empty() => {
                    return Err(NoModel::Unknown(reason));
                }
                Answer::Unsat | Answer::Unknown(_) => break,
            }
            let next = self.first(&mut solver)?;
            for permutation in &permutations {
                let image = self.is_image(&next, permutation)?;
                solver.assert(image.not());
            }
            found.push(next);
        }
        Ok(found)
    }

    /// Asserts what is known of the operators' types, and what makes their results readable.
    fn assert_facts(&self, solver: &mut Solver<'_>) -> Encoded<()> {
        for table in &self.tables {
            for result in &table.results {
                let bounds = bounded(self.logic, result, &table.function.result)?;
                solver.assert(bounds);
            }
        }
        for fact in self.logic.take_facts() {
            solver.assert(fact);
        }
        Ok(())
    }

    /// The first of the interpretations that what is asserted allows.
    fn first(&self, solver: &mut Solver<'_>) -> Result<Interpretation, NoModel> {
        let mut facts: Vec<Dynamic> = Vec::new();
        for table in &self.tables {
            for result in &table.results {
                leaves(self.logic, result, &table.function.result, &mut facts)?;
            }
        }
        let lost = || NoModel::Unknown(Reason::Incomplete("an interpretation was lost".into()));
        solver.scoped(|solver| {
            let mut model = solver.model();
            if solver.shrinks() {
                model = minimise(solver, self.logic, &facts, u64::MAX).or(model);
            }
            Ok(self.read(&model.ok_or_else(lost)?)?)
        })
    }

    fn read(&self, model: &z3::Model) -> Encoded<Interpretation> {
        let mut tables = BTreeMap::new();
        for table in &self.tables {
            let values = table
                .results
                .iter()
                .map(|result| read_value(self.logic, model, result, &table.function.result));
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
        self.logic.axioms(self.universe.setting())?;
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

    /// The permutations of the elements that leave everything but the tables alone: for each sort that no built-in
    /// theory speaks of, where its elements go. The identity alone where there are too many.
    fn permutations(&self) -> Vec<Permutation> {
        let mut all: Vec<Permutation> = vec![BTreeMap::new()];
        for sort in (0..self.logic.model.sorts.len()).map(SortId::at) {
            if !is_interchangeable(self.logic.model, sort) {
                continue;
            }
            let orders = orders(self.universe.size(sort));
            if all.len().saturating_mul(orders.len()) > MAX_PERMUTATIONS || orders.is_empty() {
                return vec![BTreeMap::new()];
            }
            let extended = |known: &Permutation| -> Vec<Permutation> {
                let with = |order: &Vec<u32>| {
                    let mut longer = known.clone();
                    longer.insert(sort, order.clone());
                    longer
                };
                orders.iter().map(with).collect()
            };
            all = all.iter().flat_map(extended).collect();
        }
        all
    }

    /// That the tables are these, with the elements permuted.
    fn is_image(&self, found: &Interpretation, permutation: &Permutation) -> Encoded<Bool> {
        let mut same = Vec::new();
        for table in &self.tables {
            let types = &table.function.params;
            for (row, value) in table.rows.iter().zip(&found.tables[&table.id]) {
                let args = row.iter().zip(types);
                let args: Encoded<Vec<Sym<'l>>> = args
                    .map(|(arg, ty)| self.logic.lift(&permuted(arg, permutation), ty))
                    .collect();
                let value = permuted(value, permutation);
                let value = self.logic.lift(&value, &table.function.result)?;
                let result = self.logic.apply(table.id, &args?)?;
                same.push(result.equal(&value, &table.function.result, self.logic)?);
            }
        }
        Ok(and(&same))
    }
}

/// For each sort, where its elements go.
type Permutation = BTreeMap<SortId, Vec<u32>>;

/// Whether no built-in theory tells the elements of a sort apart.
fn is_interchangeable(model: &Model, sort: SortId) -> bool {
    let built_in = model.functions.iter().any(|f| match f.meaning {
        Meaning::Axioms => false,
        Meaning::Less(ordered) => ordered == sort,
        Meaning::InGroup { member, group } => member == sort || group == sort,
    });
    !built_in && model.sorts[sort.index()].size == SortSize::Given
}

/// All orders of `0..n`; none where there are too many.
fn orders(n: u64) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for next in 0..n as u32 {
        if all.len().saturating_mul(next as usize + 1) > MAX_PERMUTATIONS {
            return Vec::new();
        }
        let inserted = |order: &Vec<u32>| -> Vec<Vec<u32>> {
            let at = |place: usize| {
                let mut longer = order.clone();
                longer.insert(place, next);
                longer
            };
            (0..=order.len()).map(at).collect()
        };
        all = all.iter().flat_map(inserted).collect();
    }
    all
}

/// A value with its elements permuted.
fn permuted(value: &Value, by: &Permutation) -> Value {
    let all = |values: &[Value]| values.iter().map(|v| permuted(v, by)).collect();
    let boxed = |value: &Value| Box::new(permuted(value, by));
    let entries = |entries: &BTreeMap<Value, Value>| {
        let each = entries.iter();
        each.map(|(k, v)| (permuted(k, by), permuted(v, by)))
            .collect()
    };
    match value {
        Value::Element(sort, i) => {
            let to = by.get(sort).and_then(|order| order.get(*i as usize));
            Value::Element(*sort, to.copied().unwrap_or(*i))
        }
        Value::Union(id, variant, carried) => Value::Union(*id, *variant, boxed(carried)),
        Value::Map(map) => Value::Map(entries(map)),
        Value::Mset(counts) => {
            let each = counts.iter();
            Value::Mset(each.map(|(v, n)| (permuted(v, by), *n)).collect())
        }
        Value::Tuple(id, fields) => Value::Tuple(*id, all(fields)),
        Value::Set(elements) => Value::Set(elements.iter().map(|v| permuted(v, by)).collect()),
        Value::Seq(elements) => Value::Seq(all(elements)),
        Value::Null(inner) => Value::Null(inner.as_deref().map(boxed)),
        Value::Array {
            entries: listed,
            default,
        } => Value::Array {
            entries: entries(listed),
            default: default.as_deref().map(boxed),
        },
        Value::Bool(_)
        | Value::Int(_)
        | Value::Enumerator(..)
        | Value::Real(_)
        | Value::Char(_)
        | Value::Text(_) => value.clone(),
    }
}
