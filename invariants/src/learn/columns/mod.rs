//! The truth of atoms on the states of each block, asked for once and kept.

mod ground;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Expr, Invariant, Local};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::{Evidence, Truth, complement, merge, ones};
use super::term::Term;
use ground::{Closed, Ground, Grounding};

/// More formulas than this are not asked for at once: each has a bit for every state until it is kept.
const AT_ONCE: usize = 512;

/// So many atoms with values for their variables are made at once: each takes several kilobytes, until its columns are known.
const GROUNDED_TOGETHER: usize = 2048;

/// About how many bytes columns take beside the bits.
const BESIDE_BITS: usize = 250;

/// About how many bytes each part of a formula takes beside its own: for its place among others, and for its type.
const BESIDE_PART: usize = 48;

/// Bytes that a formula takes, about.
fn bytes_of(formula: &Expr) -> u64 {
    let mut parts = 0;
    formula.walk(&mut |_| parts += 1);
    parts * (size_of::<Expr>() + BESIDE_PART) as u64
}

/// The columns of one atom under one assignment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// Where the atom is true, or not defined.
    pub(crate) positive: Rc<Truth>,
    /// Where the atom is false, or not defined.
    pub(crate) negative: Rc<Truth>,
}

impl Column {
    /// Bytes that the truths of an atom take in so many states.
    pub(crate) fn bytes((reached, made_up): (usize, usize)) -> u64 {
        let words = reached.div_ceil(64) + made_up.div_ceil(64);
        (2 * size_of::<u64>() * words + BESIDE_BITS) as u64
    }

    /// The column of an atom that is defined only in some of so many states.
    fn within(&self, within: &Truth, counts: (usize, usize)) -> Self {
        let undefined = complement(within, counts);
        let or_undefined = |truth: &Truth| {
            let mut all = truth.clone();
            merge(&mut all, &undefined, |is_so, undefined| is_so | undefined);
            Rc::new(all)
        };
        Self {
            positive: or_undefined(&self.positive),
            negative: or_undefined(&self.negative),
        }
    }

    /// Whether the atom is true in some state.
    pub(crate) fn is_true_somewhere(&self) -> bool {
        self.positive.count() > 0
    }

    /// Whether the atom is false in some state.
    pub(crate) fn is_false_somewhere(&self) -> bool {
        self.negative.count() > 0
    }

    /// That of an atom that is defined in none of so many states.
    pub(crate) fn silent((reached, made_up): (usize, usize)) -> Self {
        let all = Rc::new(Truth {
            reached: ones(reached),
            made_up: ones(made_up),
        });
        Self {
            positive: Rc::clone(&all),
            negative: all,
        }
    }
}

/// The columns of claims within guards, which are told apart by where these are kept.
type Joined = FxHashMap<(Vec<*const Truth>, *const Truth), Column>;

/// What makes two formulas count as the same: where they are true in the blocks that were looked at.
pub(crate) fn signature(columns: &[Column]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for column in columns {
        (&column.positive.reached, &column.positive.made_up).hash(&mut hasher);
        (&column.negative.reached, &column.negative.made_up).hash(&mut hasher);
    }
    hasher.finish()
}

/// The same of the negation.
pub(crate) fn opposite(columns: &[Column]) -> u64 {
    let negated: Vec<Column> = columns
        .iter()
        .map(|column| Column {
            positive: Rc::clone(&column.negative),
            negative: Rc::clone(&column.positive),
        })
        .collect();
    signature(&negated)
}

/// Why columns are not known.
pub(crate) enum Unknown {
    /// They take more memory than there is for them.
    Full,
    /// What may be spent was spent before all of them were known.
    Spent,
    /// Something has too many values to try.
    Reason(String),
}

impl From<String> for Unknown {
    fn from(reason: String) -> Self {
        Self::Reason(reason)
    }
}

/// What was asked so far, by block and formula.
pub(crate) struct Columns {
    automaton: AutomatonId,
    known: Vec<FxHashMap<Expr, Column>>,
    /// Bytes that may still be taken, by these and by what is made of them.
    left: u64,
}

impl Columns {
    /// Nothing was asked yet; what is kept takes about so many bytes at most.
    pub(crate) fn new(automaton: AutomatonId, memory: u64) -> Self {
        Self {
            automaton,
            left: memory,
            known: Vec::new(),
        }
    }

    /// Takes some of the memory that is left.
    ///
    /// # Errors
    /// If there is not so much.
    pub(crate) fn takes(&mut self, bytes: u64) -> Result<(), Unknown> {
        self.left = self.left.checked_sub(bytes).ok_or(Unknown::Full)?;
        Ok(())
    }

    /// Bytes that may still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// A closed formula as an invariant; the locals are those that it binds.
    fn stated(&self, (formula, locals): &Closed) -> Invariant {
        Invariant {
            name: "literal".into(),
            automaton: self.automaton,
            locals: locals.clone(),
            formula: formula.clone(),
            uses: None,
            span: formula.span,
        }
    }

    /// The columns of atoms in a block: for each assignment of the variables, one for each atom.
    ///
    /// # Errors
    /// If there is no memory for them, or what may be spent is spent.
    pub(crate) fn of(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        (locals, atoms): (&[Local], &[Term]),
        assignments: &[Vec<Expr>],
    ) -> Result<Vec<Vec<Column>>, Unknown> {
        if self.known.len() <= block {
            self.known.resize_with(block + 1, FxHashMap::default);
        }
        let Grounding { all, rows } = Grounding::of(atoms, assignments);
        let mut columns: Vec<Column> = Vec::with_capacity(all.len());
        let mut joined = Joined::default();
        let counts = evidence.states(block);
        for some in all.chunks(GROUNDED_TOGETHER) {
            let values = some
                .iter()
                .map(|(atom, at)| (&atoms[*atom], &assignments[*at]));
            let some = values.map(|(atom, values)| Ground::of(atom, locals, values));
            let some: Vec<Ground> = some.collect();
            self.ask_for(evidence, block, &some)?;
            for ground in &some {
                columns.push(self.column((block, counts), ground, &mut joined)?);
            }
        }
        let column = |at: u32| columns[at as usize].clone();
        let row = |row: Vec<u32>| row.into_iter().map(column).collect();
        Ok(rows.into_iter().map(row).collect())
    }

    /// Asks for the truth of atoms with values for their variables, as far as it is not known yet.
    fn ask_for(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        all: &[Ground],
    ) -> Result<(), Unknown> {
        let guards = all.iter().flat_map(|ground| &ground.guards);
        self.ask(evidence, block, guards.map(Asked::of))?;
        let within = all.iter().map(|ground| match ground.is_apart {
            true => None,
            false => self.guarded(block, ground),
        });
        let within: Vec<Option<Truth>> = within.collect();
        let claims = all.iter().zip(&within);
        let claims = claims.map(|(ground, within)| Asked {
            formula: &ground.claim,
            within: within.as_ref(),
        });
        self.ask(evidence, block, claims)
    }

    /// The column of an atom whose claim and guards are known. Those of the same guards and claim are one.
    fn column(
        &mut self,
        (block, counts): (usize, (usize, usize)),
        ground: &Ground,
        joined: &mut Joined,
    ) -> Result<Column, Unknown> {
        let known = &self.known[block];
        let claim = known[&ground.claim.0].clone();
        if !ground.is_apart {
            return Ok(claim);
        }
        let guards = ground.guards.iter();
        let guards = guards.map(|guard| Rc::as_ptr(&known[&guard.0].positive));
        let key = (guards.collect(), Rc::as_ptr(&claim.positive));
        if let Some(column) = joined.get(&key) {
            return Ok(column.clone());
        }
        let column = match self.guarded(block, ground) {
            Some(within) => claim.within(&within, counts),
            None => claim,
        };
        self.takes(Column::bytes(counts))?;
        joined.insert(key, column.clone());
        Ok(column)
    }

    /// Where all guards of an atom are true, which are known, if it has any.
    fn guarded(&self, block: usize, ground: &Ground) -> Option<Truth> {
        let mut columns = ground
            .guards
            .iter()
            .map(|guard| &self.known[block][&guard.0].positive);
        let mut all = (**columns.next()?).clone();
        columns.for_each(|other| merge(&mut all, other, |all, other| all & other));
        Some(all)
    }

    /// Asks for the truth of formulas that are not known yet.
    fn ask<'g>(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        formulas: impl Iterator<Item = Asked<'g>>,
    ) -> Result<(), Unknown> {
        let mut seen: FxHashSet<&Expr> = FxHashSet::default();
        let is_open = |asked: &Asked<'g>| {
            let formula = &asked.formula.0;
            !self.known[block].contains_key(formula) && seen.insert(formula)
        };
        let open = formulas.filter(is_open);
        // Those that are asked about all states may be worth machine code.
        let (some, all): (Vec<Asked<'g>>, Vec<Asked<'g>>) =
            open.partition(|asked| asked.within.is_some());
        let each = Column::bytes(evidence.states(block));
        for formulas in some.chunks(AT_ONCE).chain(all.chunks(AT_ONCE)) {
            if evidence.is_spent() {
                return Err(Unknown::Spent);
            }
            let own = formulas.iter().map(|asked| bytes_of(&asked.formula.0));
            self.takes(formulas.len() as u64 * each + own.sum::<u64>())?;
            self.evaluate(evidence, block, formulas)?;
        }
        Ok(())
    }

    /// Evaluates formulas. One that cannot be evaluated in this instance, because it quantifies over infinitely many values, say,
    /// counts as defined nowhere.
    fn evaluate(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        formulas: &[Asked<'_>],
    ) -> Result<(), Unknown> {
        let asked = formulas.iter().map(|asked| self.stated(asked.formula));
        let asked: Vec<Invariant> = asked.collect();
        let within: Vec<Option<&Truth>> = formulas.iter().map(|asked| asked.within).collect();
        let Ok(truths) = evidence.truths_within(block, &asked, &within) else {
            match formulas {
                [] => {}
                [asked] => {
                    let silent = Column::silent(evidence.states(block));
                    let formula = asked.formula.0.clone();
                    self.known[block].insert(formula, silent);
                }
                _ => {
                    let (first, second) = formulas.split_at(formulas.len() / 2);
                    self.evaluate(evidence, block, first)?;
                    self.evaluate(evidence, block, second)?;
                }
            }
            return Ok(());
        };
        let truths = truths.ok_or(Unknown::Spent)?;
        for (asked, positive) in formulas.iter().zip(truths) {
            let counts = evidence.states(block);
            let negative = complement(&positive, counts);
            let column = Column {
                positive: Rc::new(positive),
                negative: Rc::new(negative),
            };
            let column = match asked.within {
                Some(within) => column.within(within, counts),
                None => column,
            };
            let formula = asked.formula.0.clone();
            self.known[block].insert(formula, column);
        }
        Ok(())
    }
}

/// A formula whose truth is asked for.
struct Asked<'g> {
    formula: &'g Closed,
    /// The states in which it may be false, if these are known.
    within: Option<&'g Truth>,
}

impl<'g> Asked<'g> {
    /// A formula that is evaluated as it stands, in all states.
    fn of(formula: &'g Closed) -> Self {
        Self {
            formula,
            within: None,
        }
    }
}
