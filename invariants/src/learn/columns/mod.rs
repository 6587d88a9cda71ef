//! The truth of atoms on the states of each block, asked for once and kept.

mod ground;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Expr, Invariant, Local};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::{Evidence, Truth, complement, merge, ones};
use super::term::Term;
use ground::{Claim, Closed, Formulas, Grounding};

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

/// What guards and claims are together, which are told apart by where their truths are kept.
#[derive(Default)]
struct Joined {
    guards: FxHashMap<Vec<*const Truth>, Rc<Truth>>,
    columns: FxHashMap<(*const Truth, *const Truth), Column>,
}

impl Joined {
    /// Where all of some guards are true, if there are any.
    fn within(&mut self, guards: &[Rc<Truth>]) -> Option<Rc<Truth>> {
        let (first, others) = guards.split_first()?;
        if others.is_empty() {
            return Some(Rc::clone(first));
        }
        let key = guards.iter().map(Rc::as_ptr).collect();
        let joint = self.guards.entry(key).or_insert_with(|| {
            let mut all = (**first).clone();
            let both = |all: u64, other: u64| all & other;
            others.iter().for_each(|other| merge(&mut all, other, both));
            Rc::new(all)
        });
        Some(Rc::clone(joint))
    }

    /// The column of a claim that is to be read within some states. Those of the same states and claim are one.
    ///
    /// # Errors
    /// If there is no memory for it.
    fn column(
        &mut self,
        within: &Rc<Truth>,
        claim: &Column,
        counts: (usize, usize),
        takes: impl FnOnce(u64) -> Result<(), Unknown>,
    ) -> Result<Column, Unknown> {
        let key = (Rc::as_ptr(within), Rc::as_ptr(&claim.positive));
        if let Some(column) = self.columns.get(&key) {
            return Ok(column.clone());
        }
        takes(Column::bytes(counts))?;
        let column = claim.within(within, counts);
        self.columns.insert(key, column.clone());
        Ok(column)
    }
}

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
    /// Bytes that columns take which only those have who asked for them.
    lent: u64,
}

impl Columns {
    /// Nothing was asked yet; what is kept takes about so many bytes at most.
    pub(crate) fn new(automaton: AutomatonId, memory: u64) -> Self {
        Self {
            automaton,
            left: memory,
            lent: 0,
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

    /// Takes memory for columns that are not kept here.
    fn lends(&mut self, bytes: u64) -> Result<(), Unknown> {
        self.takes(bytes)?;
        self.lent += bytes;
        Ok(())
    }

    /// Bytes that columns take which are not kept here.
    pub(crate) fn lent(&self) -> u64 {
        self.lent
    }

    /// Gives the memory back for which columns were asked since so much was lent, and which nobody has any more.
    pub(crate) fn give_back(&mut self, lent: u64) {
        self.left += self.lent - lent;
        self.lent = lent;
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
        let formulas = Formulas::of(atoms);
        let Grounding { all, rows } = formulas.grounding(assignments);
        let guards = self.guards(evidence, block, (&formulas, locals), (&all, assignments))?;
        let (first, counts) = (formulas.guards(), evidence.states(block));
        let mut columns: Vec<Option<Column>> = vec![None; all.len()];
        let mut joined = Joined::default();
        let places: Vec<usize> = (0..all.len()).filter(|at| first <= all[*at].0).collect();
        for places in places.chunks(GROUNDED_TOGETHER) {
            let claims = places.iter().map(|place| {
                let (at, position) = all[*place];
                let own = formulas.own(at - first, &rows[position]);
                let own = own.filter_map(|guard| guards[guard].clone());
                let within = joined.within(&own.collect::<Vec<_>>());
                let claim = formulas.atom(at - first, locals, &assignments[position]);
                (claim, within)
            });
            let claims: Vec<(Claim, Option<Rc<Truth>>)> = claims.collect();
            let asked = claims.iter().map(|(claim, within)| Asked {
                formula: &claim.formula,
                within: within.as_deref().filter(|_| !claim.is_apart),
            });
            self.ask(evidence, block, asked)?;
            for (place, (claim, within)) in places.iter().zip(&claims) {
                let known = self.known[block][&claim.formula.0].clone();
                columns[*place] = Some(match within {
                    Some(within) if claim.is_apart => {
                        joined.column(within, &known, counts, |bytes| self.lends(bytes))?
                    }
                    _ => known,
                });
            }
        }
        let column = |at: &u32| columns[*at as usize].clone();
        let row = |row: Vec<u32>| row[first..].iter().filter_map(column).collect();
        Ok(rows.into_iter().map(row).collect())
    }

    /// Where the guards of atoms are true; what is at other places is none.
    fn guards(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        (formulas, locals): (&Formulas<'_>, &[Local]),
        (all, assignments): (&[(usize, usize)], &[Vec<Expr>]),
    ) -> Result<Vec<Option<Rc<Truth>>>, Unknown> {
        let closed = all.iter().map(|(at, position)| {
            let is_guard = *at < formulas.guards();
            is_guard.then(|| formulas.guard(*at, locals, &assignments[*position]))
        });
        let closed: Vec<Option<Closed>> = closed.collect();
        self.ask(evidence, block, closed.iter().flatten().map(Asked::of))?;
        let known = &self.known[block];
        let truth = |guard: &Closed| Rc::clone(&known[&guard.0].positive);
        Ok(closed
            .iter()
            .map(|guard| guard.as_ref().map(truth))
            .collect())
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
