//! Which atoms a frame is searched with: all that say something different, as far as there are not too many.

use ioa_lang::core::{Local, Model};
use rustc_hash::FxHashSet;

use super::super::atom::{Mining, atoms, mined};
use super::super::columns::{Column, Columns, Unknown, opposite, signature};
use super::super::cover::{LeastRows, Table};
use super::super::evidence::Evidence;
use super::super::frame::Frame;
use super::super::nested::{InBlock, Nesting, Wanted, choose, inner_columns, nestings};
use super::super::term::Term;
use super::made_up::MadeUp;
use super::{FrameSearch, MAX_OUTER_EVERYWHERE};
use crate::focus::About;

/// Nested quantifiers are tried over frames of at most so many variables.
const MAX_OUTER: usize = 2;
/// Atoms that are true of the same states in so many blocks say the same. (With few processes a quorum is all of them.)
const TELLING_BLOCKS: usize = 5;

/// How many atoms that mention no variable of the frame are looked at, at most, in a frame of so many variables: what they say
/// by themselves is said elsewhere.
fn beside(variables: usize) -> usize {
    match variables {
        0 => usize::MAX,
        1 => 48,
        _ => 24,
    }
}

/// The columns of the atoms of nestings over a frame, in the blocks that tell formulas apart, without those in which variables have
/// too many values.
pub(super) fn telling(
    nestings: &[Nesting],
    frame: (&Model, &Frame),
    evidence: &mut dyn Evidence,
    columns: &mut Columns,
) -> Result<Vec<InBlock>, Unknown> {
    let mut telling = Vec::new();
    for block in 0..evidence.universes().len() {
        if telling.len() == TELLING_BLOCKS {
            break;
        }
        let inner = inner_columns(nestings, frame, evidence, columns, block)?;
        telling.extend(inner.map(|inner| (inner, evidence.states(block))));
    }
    Ok(telling)
}

impl FrameSearch {
    /// A frame with all its atoms that say something different, as far as the effort says.
    ///
    /// # Errors
    /// Why their columns are not known.
    pub(crate) fn new(
        about: About<'_>,
        (frame, pairs, mining, goes_long): (Frame, usize, Mining, bool),
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<Self, Unknown> {
        let mut search = Self::with_plain(about, frame, mining);
        let mut seen = FxHashSet::default();
        search.tell_apart(about, (evidence, columns), &mut seen)?;
        let most = match goes_long && !search.frame.is_lean {
            true => MAX_OUTER,
            false => MAX_OUTER_EVERYWHERE,
        };
        if search.frame.binders.len() <= most && !search.frame.is_ranged() {
            search.nest(about, pairs, (evidence, columns), &mut seen)?;
        }
        Ok(search)
    }

    /// A frame with all its atoms without further quantifiers.
    fn with_plain(about: About<'_>, frame: Frame, mining: Mining) -> Self {
        let (mut atoms, locals) = atoms(about, &frame);
        let (mined, locals) = mined((about.model, about.automaton), (&frame, mining), locals);
        atoms.extend(mined);
        atoms.iter_mut().for_each(|atom| atom.restrict(&frame));
        atoms.retain(|atom| !atom.guards.contains(&atom.expr));
        Self::of_atoms(frame, atoms, locals)
    }

    /// A frame with these atoms, none of which is nested; the locals are the variables of the frame, then those that are bound in atoms.
    pub(super) fn of_atoms(frame: Frame, atoms: Vec<Term>, locals: Vec<Local>) -> Self {
        Self {
            locals,
            plain: atoms.len(),
            atoms,
            nestings: Vec::new(),
            nested: Vec::new(),
            blocks: Vec::new(),
            counts: Vec::new(),
            rows: LeastRows::default(),
            table: Table::default(),
            noted: 0,
            is_truncated: false,
            is_blind: false,
            is_closed: false,
            tried: FxHashSet::default(),
            made_up: MadeUp::default(),
            made_up_bytes: 0,
            frame,
        }
    }

    /// Leaves out what says the same as what is `seen`, or as its negation, and most of what says nothing of the variables.
    fn tell_apart(
        &mut self,
        about: About<'_>,
        (evidence, columns): (&mut dyn Evidence, &mut Columns),
        seen: &mut FxHashSet<u64>,
    ) -> Result<(), Unknown> {
        let lent = columns.lent();
        let blocks = 0..evidence.universes().len().min(TELLING_BLOCKS);
        let tables = blocks.map(|block| self.plain_columns(about.model, evidence, columns, block));
        let tables: Vec<Vec<Vec<Column>>> = tables.collect::<Result<_, _>>()?;
        let mut at = 0;
        let is_lean = self.frame.is_lean;
        self.atoms.retain(|atom| {
            let rows = tables.iter().flatten();
            let column: Vec<Column> = rows.map(|row| row[at].clone()).collect();
            at += 1;
            // What is said of the theories alone may differ only where there are more elements: of three on a ring,
            // the one between the others is the next.
            if is_lean && !atom.reads_state {
                return column.iter().any(Column::is_true_somewhere)
                    && column.iter().any(Column::is_false_somewhere);
            }
            // What is undefined somewhere is no negation of anything, but of itself.
            seen.insert(signature(&column)) && seen.insert(opposite(&column))
        });
        drop(tables);
        columns.give_back(lent);
        let mut room = beside(self.frame.binders.len());
        self.atoms.retain(|atom| {
            let is_beside = atom.binders == 0;
            let is_kept = !is_beside || room > 0;
            room -= usize::from(is_beside && is_kept);
            is_kept
        });
        self.plain = self.atoms.len();
        Ok(())
    }

    /// Adds formulas with further quantifiers that say something else than what is `seen`.
    fn nest(
        &mut self,
        about: About<'_>,
        pairs: usize,
        (evidence, columns): (&mut dyn Evidence, &mut Columns),
        seen: &mut FxHashSet<u64>,
    ) -> Result<(), Unknown> {
        self.nestings = nestings(evidence, about, &self.frame);
        let frame = (about.model, &self.frame);
        let inner = telling(&self.nestings, frame, evidence, columns)?;
        let wanted = Wanted::Simple { pairs };
        let about = (&self.frame, std::mem::take(&mut self.locals));
        let (nested, terms, locals) = choose(&self.nestings, &inner, about, &wanted, seen);
        self.nested = nested;
        self.atoms.extend(terms);
        self.locals = locals;
        Ok(())
    }
}
