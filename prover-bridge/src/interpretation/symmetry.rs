//! Constraints that let few of the images of an interpretation under permutations pass: it is to come before its images
//! under exchanges of two elements (Crawford, Ginsberg, Luks, Roy: "Symmetry-breaking predicates for search problems",
//! 1996). The first of all interpretations in lexicographic order satisfies them.

use std::collections::BTreeMap;

use finite::{Universe, is_interchangeable};
use ioa_lang::Value;
use ioa_lang::core::{Arrangement, Model, SortId, Type};
use z3::ast::Bool;

use super::permutation::{Permutation, permuted};
use super::ring::is_ring;
use super::table::Table;
use crate::logic::{Encoded, Logic, Sym, and, or};
use crate::solver::Solver;

/// Results with more values than this are not compared, nor what comes after them.
const MAX_VALUES: u64 = 16;

/// No more results than this are compared with those of an image.
const MAX_CELLS: usize = 1_000;

/// Of a sort with more elements than this, only neighbours are exchanged.
const MAX_ELEMENTS: u32 = 8;

/// A table whose results are compared.
struct Compared<'f, 'l> {
    table: &'f Table<'l>,
    /// The values that a result can have, in their order.
    values: Vec<Value>,
    /// The row of some arguments.
    row_of: BTreeMap<&'f [Value], usize>,
}

/// Asserts that the tables come no later than those in which two elements of a sort are exchanged.
pub(super) fn assert_least<'l>(
    (logic, universe): (&'l Logic<'l>, &Universe),
    (tables, natural): (&[Table<'l>], &[&Arrangement]),
    solver: &mut Solver<'_>,
) -> Encoded<()> {
    let model = logic.model;
    let tables = compared((model, universe), tables);
    for sort in (0..model.sorts.len()).map(SortId::at) {
        // An exchange of two elements leaves no ring what it is.
        if !is_interchangeable(model, sort) || is_ring(natural, sort) {
            continue;
        }
        for (a, b) in exchanges(universe.size(sort) as u32) {
            let mut order: Vec<u32> = (0..universe.size(sort) as u32).collect();
            order.swap(a as usize, b as usize);
            let exchange = BTreeMap::from([(sort, order)]);
            let name = format!("least!{}!{a}!{b}", sort.index());
            assert_before(logic, solver, (&tables, &exchange), &name)?;
        }
    }
    Ok(())
}

/// Pairs of elements to exchange.
pub(super) fn exchanges(size: u32) -> Vec<(u32, u32)> {
    let all = (0..size).flat_map(|a| (a + 1..size).map(move |b| (a, b)));
    let near = |&(a, b): &(u32, u32)| size <= MAX_ELEMENTS || b == a + 1;
    all.filter(near).collect()
}

/// The tables that are compared, in their order.
fn compared<'f, 'l>(
    (model, universe): (&Model, &Universe),
    tables: &'f [Table<'l>],
) -> Vec<Compared<'f, 'l>> {
    let each = tables.iter().map_while(|table| {
        let values = universe.values(model, &table.function.result, MAX_VALUES)?;
        let rows = table.rows.iter().map(|row| &row[..]).zip(0..);
        Some(Compared {
            table,
            values,
            row_of: rows.collect(),
        })
    });
    each.collect()
}

/// Asserts that the results are not greater, in lexicographic order, than those with elements exchanged.
fn assert_before<'l>(
    logic: &'l Logic<'l>,
    solver: &mut Solver<'_>,
    (tables, exchange): (&[Compared<'_, 'l>], &Permutation),
    name: &str,
) -> Encoded<()> {
    let mut same_so_far = Bool::from_bool(true);
    let rows = |n: usize| (0..tables[n].table.rows.len()).map(move |row| (n, row));
    let cells = (0..tables.len()).flat_map(rows);
    for (place, (table, row)) in cells.take(MAX_CELLS).enumerate() {
        let Compared {
            table,
            values,
            row_of,
        } = &tables[table];
        let image: Vec<Value> = table.rows[row]
            .iter()
            .map(|v| permuted(v, exchange))
            .collect();
        let origin = row_of[&image[..]];
        let exchanged: Vec<Value> = values.iter().map(|v| permuted(v, exchange)).collect();
        if origin == row && exchanged == *values {
            continue;
        }
        let ty = &table.function.result;
        let here = each_value(logic, &table.results[row], values, ty)?;
        // The image has a value there if the original has what the value is exchanged for.
        let there = each_value(logic, &table.results[origin], &exchanged, ty)?;
        for (rank, value) in here.iter().enumerate() {
            let not_less = or(&there[rank..]);
            solver.assert(and(&[same_so_far.clone(), value.clone()]).implies(&not_less));
        }
        let same = Bool::new_const(format!("{name}!{place}"));
        let both = here.iter().zip(&there);
        let both: Vec<Bool> = both.map(|(a, b)| and(&[a.clone(), b.clone()])).collect();
        solver.assert(and(&[same_so_far, or(&both)]).implies(&same));
        same_so_far = same;
    }
    Ok(())
}

/// For each of some values, that a result has it.
fn each_value<'l>(
    logic: &'l Logic<'l>,
    result: &Sym<'l>,
    values: &[Value],
    ty: &'l Type,
) -> Encoded<Vec<Bool>> {
    let is = |value: &Value| result.equal(&logic.lift(value, ty)?, ty, logic);
    values.iter().map(is).collect()
}
