//! The search in one frame: valuations of its literals, and the clauses that all of them satisfy.

mod alternating;
mod chosen;
mod diagram;
pub(crate) mod excluding;
mod long;
mod made_up;
mod open;
mod partial;
mod renamed;
mod strengthened;

use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Expr, ExprKind, Invariant, Local, Model, Op};
use rustc_hash::FxHashSet;

use super::clause::{invariant, literal, simplest};
use super::columns::{Column, Columns, Unknown};
use super::cover::{Clauses, LeastRows, Row, Table, WORDS_COMBINED, minimal, transposed};
use super::evidence::{Evidence, Truth, live};
use super::frame::Frame;
use super::nested::{Nested, Nesting, inner_columns};
use super::term::Term;
use made_up::MadeUp;
use open::first_of;

pub(crate) use made_up::Sieve;
pub(crate) use open::Open;
pub(crate) use strengthened::Stronger;

/// Formulas with further quantifiers are treated like other atoms over frames of at most so many variables.
const MAX_OUTER_EVERYWHERE: usize = 1;
/// Over more variables, of all clauses with nested quantifiers those of so many literals are looked for; longer ones are looked for
/// where these exclude too little.
const WITH_NESTED: usize = 2;
/// A clause has no more formulas with further quantifiers in it: three of them together hardly ever mean anything, but often hold in all
/// states that are near the start.
const MAX_NESTED: usize = 2;
/// All clauses of so many literals are looked for; longer ones are looked for where these exclude too little.
pub(super) const EXHAUSTIVE: usize = 3;
/// In the time of one look at a row, the truth of so many atoms is noted.
const ATOMS_NOTED: usize = 10;
/// Distinct valuations beyond this are not kept.
const MAX_ROWS: usize = 400_000;
/// How often a valuation is kept: sorted, by hash, and where clauses are looked for.
const TIMES_KEPT: usize = 3;
/// About how many bytes the memory's own accounts of a valuation take.
const BESIDE_ROW: usize = 16;

/// Whether an atom says that a composed tuple is in a collection.
fn has_tuple(atom: &Term) -> bool {
    let is_made = |element: &Expr| matches!(element.kind, ExprKind::Apply(Op::Tuple, _));
    match &atom.expr.kind {
        ExprKind::Apply(Op::Member | Op::MsetMember, args) => is_made(&args[0]),
        _ => false,
    }
}

/// How many of the columns of an atom for each assignment differ: where it does not mention a variable, the others are shared.
fn distinct(columns: &[Column]) -> u64 {
    let each = columns.iter().map(|column| Rc::as_ptr(&column.positive));
    each.collect::<FxHashSet<_>>().len() as u64
}

/// How many looks at a row it takes as long as to note the valuations of so many atoms in so many states.
fn noting(states: usize, atoms: usize) -> u64 {
    (states * (1 + atoms / ATOMS_NOTED)) as u64
}

/// How many rows there may be of one block, each of which takes so many bytes.
fn most_rows(columns: &Columns, each: u64) -> usize {
    let most = usize::try_from(columns.left() / each).unwrap_or(usize::MAX);
    most.min(MAX_ROWS)
}

/// Clauses with those of others besides that contain none of them, and are contained in none.
fn with_more(some: Clauses, more: &Clauses) -> Clauses {
    let known: FxHashSet<&Vec<usize>> = some.found.iter().collect();
    let is_in = |part: &[usize], whole: &[usize]| part.iter().all(|l| whole.contains(l));
    let fresh: Vec<Vec<usize>> = (more.found.iter())
        .filter(|clause| !known.contains(clause))
        .cloned()
        .collect();
    let mut found = some.found;
    found.retain(|clause| !fresh.iter().any(|part| is_in(part, clause)));
    found.extend(fresh);
    Clauses {
        found,
        is_partial: some.is_partial || more.is_partial,
        looks: some.looks + more.looks,
    }
}

/// A frame with its literals and what was seen of them.
pub(crate) struct FrameSearch {
    pub(crate) frame: Frame,
    /// The variables of the frame, then those that are bound in atoms.
    locals: Vec<Local>,
    /// The atoms, nested ones last.
    atoms: Vec<Term>,
    /// How many atoms are not nested.
    plain: usize,
    nestings: Vec<Nesting>,
    nested: Vec<Nested>,
    /// For each block, for each assignment, the columns of the atoms.
    blocks: Vec<Vec<Vec<Column>>>,
    /// For each block, how many states were reached, and how many are made up.
    counts: Vec<(usize, usize)>,
    rows: LeastRows,
    /// In a frame of diagrams, what is true of reached states; nothing in others.
    table: Table,
    /// How many blocks there are, the first ones, whose reached states are all in the table.
    noted: usize,
    /// Whether valuations were left out because there are too many.
    pub(crate) is_truncated: bool,
    /// What is known of made-up states, and how many bytes that takes.
    made_up: MadeUp,
    made_up_bytes: u64,
    /// Valuations of these for which a long clause was looked for in vain. (With more rows there is none either.)
    tried: FxHashSet<usize>,
    /// Whether variables have too many values in some block, so that none was looked at there.
    is_blind: bool,
    /// Whether no more blocks are taken in, because there is no memory for them.
    pub(crate) is_closed: bool,
}

impl FrameSearch {
    fn plain_columns(
        &self,
        model: &Model,
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
        block: usize,
    ) -> Result<Vec<Vec<Column>>, Unknown> {
        let assignments = self.frame.assignments(model, evidence, block);
        let assignments = assignments.unwrap_or_default();
        let plain = &self.atoms[..self.plain];
        columns.of(evidence, block, (&self.locals, plain), &assignments)
    }

    /// The columns of all atoms in a block; none where variables of nested formulas have too many values.
    fn table(
        &self,
        model: &Model,
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
        block: usize,
    ) -> Result<Option<Vec<Vec<Column>>>, Unknown> {
        let counts = evidence.states(block);
        let mut table = self.plain_columns(model, evidence, columns, block)?;
        columns.takes((table.len() * self.atoms.len() * size_of::<Column>()) as u64)?;
        if self.nested.is_empty() {
            return Ok(Some(table));
        }
        let frame = (model, &self.frame);
        let Some(inner) = inner_columns(&self.nestings, frame, evidence, columns, block)? else {
            return Ok(None);
        };
        for nested in &self.nested {
            let column = nested.columns(&self.nestings, &inner, counts);
            columns.takes(distinct(&column) * Column::bytes(counts))?;
            for (row, column) in table.iter_mut().zip(column) {
                row.push(column);
            }
        }
        Ok(Some(table))
    }

    /// Takes the blocks in that were not looked at yet.
    ///
    /// # Errors
    /// Why the columns of the atoms are not known there.
    pub(crate) fn absorb(
        &mut self,
        model: &Model,
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<(), Unknown> {
        for block in self.blocks.len()..evidence.universes().len() {
            let counts = evidence.states(block);
            self.is_blind |= self.frame.is_cut(model, evidence, block)
                || self.frame.assignments(model, evidence, block).is_none();
            let table = self.table(model, evidence, columns, block)?;
            self.is_blind |= table.is_none();
            let table = table.unwrap_or_default();
            let mut rows = FxHashSet::default();
            let each = self.row_bytes();
            let most = most_rows(columns, each);
            for valued in &table {
                let are_all = self.note(valued, (counts.0, most), &mut rows);
                self.is_truncated |= !are_all;
                evidence.spend(noting(counts.0, valued.len()));
            }
            let before = self.rows.len();
            evidence.spend(self.rows.add(rows));
            columns.takes(each * self.rows.len().saturating_sub(before) as u64)?;
            evidence.spend(self.note_made_up(&table, counts.1));
            let bytes = self.made_up.len() as u64 * each + 4 * self.made_up.noted() as u64;
            columns.takes(bytes.saturating_sub(self.made_up_bytes))?;
            self.made_up_bytes = bytes;
            self.blocks.push(table);
            self.counts.push(counts);
        }
        Ok(())
    }

    /// Notes the valuations of the made-up states of a block: so many. Says how many looks at a row that took.
    fn note_made_up(&mut self, table: &[Vec<Column>], made_up: usize) -> u64 {
        let first = first_of(self.counts.iter().map(|(_, made_up)| *made_up));
        let (words, mut valued) = (self.words(), Vec::new());
        let mut noted = 0;
        for columns in table {
            for word in 0..made_up.div_ceil(64) {
                let wanted = live(made_up, word) & !self.silent(columns, word);
                if wanted == 0 {
                    continue;
                }
                self.transpose(columns, |truth| truth.made_up[word] & wanted, &mut valued);
                for state in (0..64).filter(|state| wanted >> state & 1 == 1) {
                    let row = &valued[state * words..(state + 1) * words];
                    let number = u32::try_from(first + 64 * word + state);
                    self.made_up
                        .add(row, number.expect("fewer states are made up"));
                }
                noted += wanted.count_ones() as usize;
            }
        }
        self.made_up.settle();
        noting(noted, self.atoms.len())
    }

    /// The made-up states of a word in which nothing that is said of some variable is defined: no clause that mentions all variables is
    /// false there.
    fn silent(&self, columns: &[Column], word: usize) -> u64 {
        let silent = (0..self.frame.binders.len()).map(|binder| {
            let own = self.atoms.iter().zip(columns);
            let mut own = own.filter(|(atom, _)| atom.binders >> binder & 1 == 1);
            let both =
                |column: &Column| column.positive.made_up[word] & column.negative.made_up[word];
            let all = own.try_fold(!0, |all, (_, column)| {
                Some(all & both(column)).filter(|all| *all != 0)
            });
            all.unwrap_or(0)
        });
        silent.fold(0, |any, own| any | own)
    }

    fn words(&self) -> usize {
        (2 * self.atoms.len()).div_ceil(64).max(1)
    }

    /// Bytes that a row takes as long as it is kept.
    fn row_bytes(&self) -> u64 {
        (TIMES_KEPT * (size_of::<Row>() + BESIDE_ROW + 8 * self.words())) as u64
    }

    /// Notes the valuations of the reached states under one assignment, until there are so many rows. Says whether these are all.
    fn note(
        &self,
        columns: &[Column],
        (states, most): (usize, usize),
        rows: &mut FxHashSet<Row>,
    ) -> bool {
        self.each_valuation(columns, states, |row| {
            let is_known = rows.contains(row);
            let fits = is_known || rows.len() < most;
            if fits && !is_known {
                rows.insert(row.into());
            }
            fits
        })
    }

    /// Passes on the valuations of the reached states under one assignment, as long as they are wanted. Says whether these were all.
    fn each_valuation(
        &self,
        columns: &[Column],
        states: usize,
        mut wants: impl FnMut(&[u64]) -> bool,
    ) -> bool {
        let (words, mut valued) = (self.words(), Vec::new());
        (0..states.div_ceil(64)).all(|at| {
            self.transpose(columns, |truth| truth.reached[at], &mut valued);
            let count = (states - 64 * at).min(64);
            valued.chunks_exact(words).take(count).all(&mut wants)
        })
    }

    /// Puts the valuations of 64 states one after the other; of a truth its word about these is taken.
    fn transpose(&self, columns: &[Column], word: impl Fn(&Truth) -> u64, valued: &mut Vec<u64>) {
        let words = self.words();
        valued.clear();
        valued.resize(64 * words, 0);
        for (at, own) in columns.chunks(32).enumerate() {
            let mut square = [0; 64];
            for (atom, column) in own.iter().enumerate() {
                square[2 * atom] = word(&column.positive);
                square[2 * atom + 1] = word(&column.negative);
            }
            transposed(&mut square);
            for (state, literals) in square.into_iter().enumerate() {
                valued[state * words + at] = literals;
            }
        }
    }

    /// The minimal short clauses that all valuations satisfy and that mention all variables of the frame, and those long ones that
    /// were found `before` and still hold.
    pub(crate) fn clauses(&mut self, longest: usize, before: &[Vec<usize>]) -> Clauses {
        let is_made = |clause: &Vec<usize>| clause.len() > EXHAUSTIVE || self.is_nested(clause);
        let is_kept = |clause: &&Vec<usize>| is_made(clause) && self.holds(clause);
        let kept: Vec<Vec<usize>> = before.iter().filter(is_kept).cloned().collect();
        self.rows.settle();
        let rows = self.rows.sorted();
        let longest = longest.min(EXHAUSTIVE);
        let all = self.literals(self.atoms.len());
        let is_narrow = self.frame.binders.len() <= MAX_OUTER_EVERYWHERE;
        let mut clauses = match is_narrow || self.nested.is_empty() {
            true => minimal(&rows, &all, longest),
            false => with_more(
                minimal(&rows, &self.literals(self.plain), longest),
                &minimal(&rows, &all, longest.min(WITH_NESTED)),
            ),
        };
        let is_minimal = |long: &Vec<usize>| {
            let mut short = clauses.found.iter();
            !short.any(|short| short.iter().all(|literal| long.contains(literal)))
        };
        let kept: Vec<Vec<usize>> = kept.into_iter().filter(is_minimal).collect();
        clauses.found.extend(kept);
        clauses.found.retain(|clause| self.is_of_frame(clause));
        clauses
    }

    /// The literals of the first atoms.
    fn literals(&self, atoms: usize) -> Vec<u64> {
        let mut literals = vec![0_u64; self.words()];
        for literal in 0..2 * atoms {
            literals[literal / 64] |= 1 << (literal % 64);
        }
        literals
    }

    /// Whether a clause mentions all variables of the frame, and has few formulas with further quantifiers in it.
    fn is_of_frame(&self, clause: &[usize]) -> bool {
        self.is_about_all(clause) && self.nested_in(clause) <= MAX_NESTED
    }

    /// Whether a clause mentions all variables of the frame.
    fn is_about_all(&self, clause: &[usize]) -> bool {
        let whole = (1_u8 << self.frame.binders.len()) - 1;
        let mentioned = clause.iter().map(|l| self.atoms[literal(*l).0].binders);
        mentioned.fold(0, |used, own| used | own) == whole
    }

    /// The literals that are true of a made-up state.
    fn valuation(&self, columns: &[Column], state: usize) -> Row {
        let mut row = vec![0_u64; self.words()];
        for literal in 0..2 * columns.len() {
            let word = self.truth(columns, literal).made_up[state / 64];
            row[literal / 64] |= (word >> (state % 64) & 1) << (literal % 64);
        }
        row.into_boxed_slice()
    }

    /// Whether a clause that was found holds in the states as well that were taken in since.
    pub(crate) fn holds(&self, clause: &[usize]) -> bool {
        self.rows.are_hit(clause)
    }

    /// How many blocks were taken in, the first ones.
    pub(crate) fn taken_in(&self) -> usize {
        self.blocks.len()
    }

    /// Whether all valuations of all blocks were looked at, so that a clause is known to hold.
    pub(crate) fn has_seen_all(&self) -> bool {
        !self.is_truncated && !self.is_blind && !self.is_closed
    }

    /// Whether a clause is about states, and not about the theories alone.
    pub(crate) fn reads_state(&self, clause: &[usize]) -> bool {
        clause.iter().any(|l| self.atoms[literal(*l).0].reads_state)
    }

    /// Whether a clause has further quantifiers in it.
    pub(crate) fn is_nested(&self, clause: &[usize]) -> bool {
        self.nested_in(clause) > 0
    }

    /// How many formulas with further quantifiers a clause has.
    fn nested_in(&self, clause: &[usize]) -> usize {
        let nested = clause.iter().filter(|l| literal(**l).0 >= self.plain);
        nested.count()
    }

    /// How many literals of a clause say that a composed tuple is not in a collection.
    pub(crate) fn missing_tuples(&self, clause: &[usize]) -> u32 {
        let is_missing = |l: &&usize| {
            let (atom, is_positive) = literal(**l);
            !is_positive && has_tuple(&self.atoms[atom])
        };
        u32::try_from(clause.iter().filter(is_missing).count()).unwrap_or(u32::MAX)
    }

    /// Whether a clause bounds a number and says nothing else.
    pub(crate) fn is_bound(&self, clause: &[usize]) -> bool {
        let compares = |atom: usize| match &self.atoms[atom].expr.kind {
            ExprKind::Apply(op, _) => matches!(op, Op::Lt | Op::Le),
            _ => false,
        };
        matches!(clause, [only] if compares(literal(*only).0))
    }

    /// How intricate a clause is.
    pub(crate) fn cost(&self, clause: &[usize]) -> u32 {
        let literals = clause.iter().map(|l| {
            let (atom, is_positive) = literal(*l);
            self.atoms[atom].cost + u32::from(!is_positive)
        });
        let used = clause
            .iter()
            .fold(0, |m, l| m | self.atoms[literal(*l).0].binders);
        let length = u32::try_from(clause.len()).unwrap_or(u32::MAX);
        literals.sum::<u32>() + 2 * length * length + 2 * used.count_ones()
    }

    /// How many looks at a row it takes as long as to find the made-up states of a block that violate a clause.
    pub(crate) fn looks(&self, clause: &[usize], block: usize, made_up: usize) -> u64 {
        let assignments = self.blocks.get(block).map_or(0, Vec::len);
        let words = assignments * clause.len() * made_up.div_ceil(64);
        1 + (words / WORDS_COMBINED) as u64
    }

    /// What tells which made-up states clauses exclude.
    pub(crate) fn sieve(&self) -> Sieve<'_> {
        self.made_up.sieve()
    }

    /// For each literal, the reached states of a block in which it alone makes a clause true, for some assignment: the clause
    /// could have failed there. The result is that of the literal with the fewest such states.
    pub(crate) fn support(&self, clause: &[usize], block: usize) -> Vec<u64> {
        let states = |literal: usize| {
            let mut alone: Vec<u64> = Vec::new();
            for columns in &self.blocks[block] {
                let truth = &self.truth(columns, literal).reached;
                alone.resize(truth.len(), 0);
                for (at, word) in alone.iter_mut().enumerate() {
                    let others = clause.iter().filter(|l| **l != literal);
                    let others = others.fold(0, |s, l| s | self.truth(columns, *l).reached[at]);
                    *word |= truth[at] & !others;
                }
            }
            alone.iter().map(|w| u64::from(w.count_ones())).sum()
        };
        clause.iter().map(|l| states(*l)).collect()
    }

    fn truth<'c>(&self, columns: &'c [Column], position: usize) -> &'c Truth {
        let (atom, is_positive) = literal(position);
        match is_positive {
            true => &columns[atom].positive,
            false => &columns[atom].negative,
        }
    }

    /// A clause as an invariant.
    pub(crate) fn invariant(
        &self,
        (model, automaton): (&Model, AutomatonId),
        clause: &[usize],
        name: &str,
    ) -> Invariant {
        let literals: Vec<(&Term, bool)> = clause
            .iter()
            .map(|l| {
                let (atom, is_positive) = literal(*l);
                (&self.atoms[atom], is_positive)
            })
            .collect();
        invariant(
            model,
            automaton,
            (&self.frame, &self.locals),
            &literals,
            name.into(),
        )
    }

    /// The same, said as simply as is known.
    pub(crate) fn in_words(
        &self,
        about: (&Model, AutomatonId),
        clause: &[usize],
        name: &str,
    ) -> Invariant {
        let stated = self.invariant(about, clause, name);
        if self.frame.is_ranged() {
            // Where a variable has infinitely many values, what it ranges over has to stand first.
            return stated;
        }
        Invariant {
            formula: simplest(&stated.formula),
            ..stated
        }
    }
}
