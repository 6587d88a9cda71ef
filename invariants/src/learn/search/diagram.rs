//! Clauses that exclude a single state, whatever number of variables and literals they need.
//!
//! The *diagram* of a state says what is true of its elements: there are distinct elements of which these atoms are true, and
//! those false. Its negation excludes the state, and all states that look like it. It is made stronger by leaving out literals
//! as long as no reached state is excluded: what is left is a shortest clause. After Karbyshev, Bjorner, Itzhaky, Rinetzky and
//! Shoham, Property-Directed Inference of Universal Invariants or Proving Their Absence (JACM 2017); in place of the solver's
//! frames stand the states that were reached, which decide by bits.

use std::collections::BTreeSet;
use std::ops::Range;

use finite::Universe;
use ioa_lang::core::{Expr, Model, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::atom::{Mining, mined, relations};
use super::super::columns::{Column, Columns, Unknown};
use super::super::cover::{Table, WORDS_COMBINED, has};
use super::super::evidence::Evidence;
use super::super::frame::{Frame, of_elements, values};
use super::super::term::Term;
use super::alternating::alternating;
use super::partial::{Partial, Variable, assignments};
use super::renamed::renamed;
use super::{FrameSearch, most_rows, noting};
use crate::focus::About;

/// A clause has no more variables of a type than this,
const MAX_OF_TYPE: usize = 3;
/// and no more than this in all.
const MAX_VARIABLES: usize = 6;
/// It has no more literals than this.
const MAX_LITERALS: usize = 8;
/// Atoms of a frame, the simplest ones, at most.
const MAX_RELATIONS: usize = 400;
/// A block is passed over where there are more assignments than this.
const MAX_ASSIGNMENTS: usize = 2000;
/// Clauses that are found for one state under one assignment, at most.
const MAX_CLAUSES: usize = 300;
/// Rows that are passed for one state under one assignment.
const STEPS: u64 = 3_000_000;
/// In the time of one look at a row, so many steps are taken in the search for clauses.
const STEPS_IN_A_LOOK: u64 = 4;
/// In the time of one look at a row, a clause is compared with so many at once.
const ROWS_AT_ONCE: usize = 512;
/// This part of the rows for which there is memory may be those of one block.
const SHARE_OF_ROWS: usize = 4;
/// Assignments under which clauses are sought for one state.
const MAX_VIEWS: usize = 12;

impl FrameSearch {
    /// The types of the variables that tell the elements of an instance apart, as far as there are not too many.
    pub(crate) fn telling_apart(about: About<'_>, universe: &Universe) -> Vec<Type> {
        let types = of_elements(about).into_iter();
        let sorts = types.filter(|ty| matches!(ty, Type::Sort(_) | Type::Enum(_)));
        let count = |ty: Type| {
            let count = values(about.model, universe, &ty).map_or(0, |values| values.len());
            (ty, count.min(MAX_OF_TYPE))
        };
        let mut counts: Vec<(Type, usize)> = sorts.map(count).collect();
        while counts.iter().map(|(_, count)| count).sum::<usize>() > MAX_VARIABLES {
            let most = (0..counts.len()).rev().max_by_key(|at| counts[*at].1);
            if let Some(most) = most {
                counts[most].1 -= 1;
            }
        }
        let each = counts.into_iter();
        each.flat_map(|(ty, count)| vec![ty; count]).collect()
    }

    /// A frame with these variables and with all atoms about them, for clauses that exclude single states.
    ///
    /// # Errors
    /// Why it is not known which atoms with further quantifiers say different things.
    pub(crate) fn of_diagram(
        about: About<'_>,
        types: &[Type],
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<Self, Unknown> {
        let (model, automaton) = (about.model, about.automaton);
        let frame = Frame::of(model, automaton, types);
        let (mut atoms, locals) = relations(about, &frame, MAX_RELATIONS);
        let (mined, locals) = mined((model, automaton), (&frame, Mining::Formulas), locals);
        let own = (&frame, locals);
        let (alternating, locals) = alternating(about, own, evidence, columns)?;
        atoms.extend(mined);
        atoms.extend(alternating);
        atoms.retain(|atom| !atom.guards.contains(&atom.expr));
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        atoms.retain(|atom| seen.insert(renamed(&atom.expr, &frame)));
        Ok(Self::of_atoms(frame, atoms, locals))
    }

    /// Takes in the blocks that were not looked at yet. Where a type has fewer values than there are variables of it, some of
    /// these have none, and clauses that mention them say nothing.
    ///
    /// # Errors
    /// Why the columns of the atoms are not known there.
    pub(crate) fn absorb_diagram(
        &mut self,
        model: &Model,
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<(), Unknown> {
        for block in self.blocks.len()..evidence.universes().len() {
            let counts = evidence.states(block);
            let values = self.values(model, evidence.universes()[block]);
            let assignments = self.partial(&values);
            let mut table: Vec<Vec<Column>> = vec![Vec::new(); assignments.len()];
            let silent = Column::silent(counts);
            let known = self.known(evidence, (block, &values), &assignments, columns)?;
            for (atom, known) in self.atoms.iter().zip(known) {
                for (row, assignment) in table.iter_mut().zip(&assignments) {
                    let column = known.get(&part(assignment, atom.binders));
                    row.push(column.unwrap_or(&silent).clone());
                }
            }
            self.note_block(&table, (block, counts.0), evidence, columns)?;
            self.blocks.push(table);
            self.counts.push(counts);
        }
        Ok(())
    }

    /// Notes the valuations of the reached states of a block once and for all, if there is memory for them and for those of the
    /// blocks before it.
    fn note_block(
        &mut self,
        table: &[Vec<Column>],
        (block, reached): (usize, usize),
        evidence: &dyn Evidence,
        columns: &mut Columns,
    ) -> Result<(), Unknown> {
        if self.noted < block {
            return Ok(());
        }
        let each = self.row_bytes();
        let before = self.table.len();
        let most = before + most_rows(columns, each) / SHARE_OF_ROWS;
        let mut noted = std::mem::take(&mut self.table);
        let are_all = table.iter().all(|valued| {
            evidence.spend(noting(reached, valued.len()));
            self.each_valuation(valued, reached, |row| {
                let fits = noted.len() < most || noted.contains(row);
                if fits {
                    noted.add(row);
                }
                fits
            })
        });
        noted.settle();
        self.table = noted;
        columns.takes(each * (self.table.len() - before) as u64)?;
        self.noted += usize::from(are_all);
        Ok(())
    }

    /// The values of the variables in an instance.
    fn values(&self, model: &Model, universe: &Universe) -> Vec<Vec<Expr>> {
        let each = self.frame.binders.iter();
        each.map(|binder| values(model, universe, &binder.ty).unwrap_or_default())
            .collect()
    }

    /// All ways to give distinct values to as many variables as possible; none if there are too many.
    fn partial(&self, values: &[Vec<Expr>]) -> Vec<Partial> {
        let own = self.frame.binders.iter().zip(&self.frame.orders);
        let variables = own.zip(values).map(|((binder, order), values)| Variable {
            ty: &binder.ty,
            is_ordered: order.is_some(),
            values: values.len(),
        });
        let variables: Vec<Variable<'_>> = variables.collect();
        assignments(&variables, MAX_ASSIGNMENTS)
    }

    /// The columns of each atom for all values of its own variables.
    fn known(
        &self,
        evidence: &mut dyn Evidence,
        (block, values): (usize, &[Vec<Expr>]),
        assignments: &[Partial],
        columns: &mut Columns,
    ) -> Result<Vec<FxHashMap<Partial, Column>>, Unknown> {
        let masks: BTreeSet<u8> = self.atoms.iter().map(|atom| atom.binders).collect();
        let mut known = vec![FxHashMap::default(); self.atoms.len()];
        for mask in masks {
            let own: Vec<usize> = (0..self.atoms.len())
                .filter(|at| self.atoms[*at].binders == mask)
                .collect();
            let atoms: Vec<Term> = own.iter().map(|at| self.atoms[*at].clone()).collect();
            let parts: BTreeSet<Partial> = assignments.iter().map(|a| part(a, mask)).collect();
            let is_whole =
                |p: &Partial| (0..p.len()).all(|at| mask >> at & 1 == 0 || p[at].is_some());
            let parts: Vec<Partial> = parts.into_iter().filter(is_whole).collect();
            let closed = |part: &Partial| -> Vec<Expr> {
                let each = part.iter().zip(values);
                // A variable that the atoms do not mention may have any value.
                each.filter_map(|(value, values)| values.get(value.unwrap_or(0)).cloned())
                    .collect()
            };
            let terms: Vec<Vec<Expr>> = parts.iter().map(closed).collect();
            let found = columns.of(evidence, block, (&self.locals, &atoms), &terms)?;
            for (part, row) in parts.into_iter().zip(found) {
                for (at, column) in own.iter().zip(row) {
                    known[*at].insert(part.clone(), column);
                }
            }
        }
        Ok(known)
    }

    /// Clauses that exclude a made-up state of a block and no state that was reached; and how many looks at rows that took.
    pub(crate) fn excluding(&self, block: usize, state: usize) -> (Vec<Vec<usize>>, u64) {
        let (mut found, mut looks) = (BTreeSet::new(), 0);
        for columns in self.blocks[block].iter().take(MAX_VIEWS) {
            let valuation = self.valuation(columns, state);
            let (others, looked) = self.differing(&valuation);
            let rows = others.as_ref().unwrap_or(&self.table);
            let mut steps = STEPS;
            let clauses =
                rows.clauses_excluding(&valuation, (MAX_LITERALS, MAX_CLAUSES), &mut steps);
            // What is said of the theories alone is true of all states, or of those instances alone that were visited.
            found.extend(
                clauses
                    .into_iter()
                    .filter(|clause| self.reads_state(clause)),
            );
            looks += looked + (STEPS - steps) / STEPS_IN_A_LOOK;
        }
        (found.into_iter().collect(), looks)
    }

    /// Which clauses hold in the reached states of some blocks, and how many looks at rows it took to find out.
    pub(crate) fn hold_in(&self, blocks: Range<usize>, clauses: &[Vec<usize>]) -> (Vec<bool>, u64) {
        let each = clauses.iter();
        let mut hold: Vec<bool> = each.map(|clause| self.table.are_hit(clause)).collect();
        let mut looks = (self.table.len() * clauses.len() / ROWS_AT_ONCE) as u64;
        let others = blocks.start.max(self.noted)..blocks.end.max(self.noted);
        for (table, (reached, _)) in self.blocks[others.clone()].iter().zip(&self.counts[others]) {
            for columns in table {
                self.each_valuation(columns, *reached, |row| {
                    for (holds, clause) in hold.iter_mut().zip(clauses) {
                        *holds &= clause.iter().any(|literal| has(row, *literal));
                    }
                    true
                });
                looks += noting(*reached, self.atoms.len()) + (*reached * clauses.len()) as u64;
            }
        }
        (hold, looks)
    }

    /// In which literals the reached states differ from a valuation, under each assignment, where some are not in the table. And how
    /// many looks at rows that took.
    fn differing(&self, valuation: &[u64]) -> (Option<Table>, u64) {
        if self.noted == self.blocks.len() {
            return (None, 0);
        }
        let mut rows = Table::default();
        let mut differing = vec![0; self.words()];
        let mut note = |row: &[u64]| {
            let both = row.iter().zip(valuation);
            let each = differing.iter_mut().zip(both);
            each.for_each(|(differing, (row, valuation))| *differing = row & !valuation);
            rows.add(&differing);
        };
        self.table.iter().for_each(&mut note);
        let mut looks = (self.table.len() * self.words()).div_ceil(WORDS_COMBINED) as u64;
        let others = self.blocks.iter().zip(&self.counts).skip(self.noted);
        for (table, (reached, _)) in others {
            for columns in table {
                self.each_valuation(columns, *reached, |row| {
                    note(row);
                    true
                });
                looks += noting(*reached, self.atoms.len());
            }
        }
        rows.settle();
        (Some(rows), looks)
    }
}

/// The values of some of the variables.
fn part(assignment: &Partial, mask: u8) -> Partial {
    let each = assignment.iter().enumerate();
    each.map(|(at, value)| value.filter(|_| mask >> at & 1 == 1))
        .collect()
}
