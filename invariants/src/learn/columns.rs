//! The truth of atoms on the states of each block, asked for once and kept.

use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Expr, ExprKind, Invariant, Local, LocalId, Op, Substitution};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::{Evidence, Truth, complement, merge, ones};
use super::frame::formula;
use super::term::Term;

/// More formulas than this are not asked for at once: each has a bit for every state until it is kept.
const AT_ONCE: usize = 512;

/// About how many bytes a formula and its columns take beside the bits.
const BESIDE_BITS: usize = 600;

/// A formula without free variables, and the locals that it binds.
type Closed = (Expr, Vec<Local>);

/// The columns of one atom under one assignment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// Where the atom is true, or not defined.
    pub(crate) positive: Rc<Truth>,
    /// Where the atom is false, or not defined.
    pub(crate) negative: Rc<Truth>,
}

impl Column {
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
    known: FxHashMap<(usize, Expr), Column>,
    /// Bytes that may still be taken.
    left: u64,
}

impl Columns {
    /// Nothing was asked yet; what is kept takes about so many bytes at most.
    pub(crate) fn new(automaton: AutomatonId, memory: u64) -> Self {
        Self {
            automaton,
            left: memory,
            known: FxHashMap::default(),
        }
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
        let ground: Vec<Vec<Ground>> = assignments
            .iter()
            .map(|values| {
                atoms
                    .iter()
                    .map(|a| Ground::of(a, locals, values))
                    .collect()
            })
            .collect();
        let all = || ground.iter().flatten();
        let guards = all().filter_map(|ground| Some((ground.guard.as_ref()?, None)));
        self.ask(evidence, block, guards)?;
        let claims = all().map(|ground| (&ground.claim, ground.guard.as_ref()));
        self.ask(evidence, block, claims)?;
        let column = |ground: &Ground| self.known[&(block, ground.claim.0.clone())].clone();
        Ok(ground
            .iter()
            .map(|row| row.iter().map(column).collect())
            .collect())
    }

    /// Asks for the truth of formulas that are not known yet, each with its guard, which is known.
    fn ask<'g>(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        formulas: impl Iterator<Item = (&'g Closed, Option<&'g Closed>)>,
    ) -> Result<(), Unknown> {
        let mut seen: FxHashSet<&Expr> = FxHashSet::default();
        let is_open = |(closed, _): &(&'g Closed, Option<&'g Closed>)| {
            !self.known.contains_key(&(block, closed.0.clone())) && seen.insert(&closed.0)
        };
        let open: Vec<(&Closed, Option<&Closed>)> = formulas.filter(is_open).collect();
        let (reached, made_up) = evidence.states(block);
        let words = reached.div_ceil(64) + made_up.div_ceil(64);
        let bytes = (open.len() * (2 * 8 * words + BESIDE_BITS)) as u64;
        self.left = self.left.checked_sub(bytes).ok_or(Unknown::Full)?;
        for (guard, formulas) in by_guard(open) {
            let guard = guard.map(|guard| self.known[&(block, guard.0.clone())].clone());
            for formulas in formulas.chunks(AT_ONCE) {
                if evidence.is_spent() {
                    return Err(Unknown::Spent);
                }
                self.evaluate(evidence, block, formulas, guard.as_ref());
            }
        }
        Ok(())
    }

    /// Evaluates formulas that are defined where their guard is true. One that cannot be evaluated in this instance, because it
    /// quantifies over infinitely many values, say, counts as defined nowhere.
    fn evaluate(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        formulas: &[&Closed],
        guard: Option<&Column>,
    ) {
        let asked: Vec<Invariant> = formulas.iter().map(|closed| self.stated(closed)).collect();
        let within = guard.map(|guard| &*guard.positive);
        let Ok(truths) = evidence.truths(block, &asked, within) else {
            match formulas {
                [] => {}
                [(formula, _)] => {
                    let silent = Column::silent(evidence.states(block));
                    self.known.insert((block, formula.clone()), silent);
                }
                _ => {
                    let (first, second) = formulas.split_at(formulas.len() / 2);
                    self.evaluate(evidence, block, first, guard);
                    self.evaluate(evidence, block, second, guard);
                }
            }
            return;
        };
        for (closed, positive) in formulas.iter().zip(truths) {
            let mut negative = complement(&positive, evidence.states(block));
            if let Some(guard) = guard {
                merge(&mut negative, &guard.negative, |is_false, undefined| {
                    is_false | undefined
                });
            }
            let column = Column {
                positive: Rc::new(positive),
                negative: Rc::new(negative),
            };
            self.known.insert((block, closed.0.clone()), column);
        }
    }
}

/// Formulas by their guards, in the order in which the guards come.
fn by_guard<'g>(
    formulas: Vec<(&'g Closed, Option<&'g Closed>)>,
) -> Vec<(Option<&'g Closed>, Vec<&'g Closed>)> {
    let mut positions: FxHashMap<Option<&Expr>, usize> = FxHashMap::default();
    let mut groups: Vec<(Option<&Closed>, Vec<&Closed>)> = Vec::new();
    for (closed, guard) in formulas {
        let at = *positions
            .entry(guard.map(|guard| &guard.0))
            .or_insert(groups.len());
        if at == groups.len() {
            groups.push((guard, Vec::new()));
        }
        groups[at].1.push(closed);
    }
    groups
}

/// An atom with values for the first of the locals.
struct Ground {
    /// What makes it defined, if anything has to.
    guard: Option<Closed>,
    /// The atom, true where it is not defined.
    claim: Closed,
}

impl Ground {
    fn of(atom: &Term, locals: &[Local], values: &[Expr]) -> Self {
        let mut bound: Vec<Local> = Vec::new();
        let mut ground = |expr: &Expr| {
            let values = values.iter().cloned().enumerate();
            let values = values.map(|(at, value)| (LocalId::at(at), value));
            Substitution::new(locals, &mut bound, values).copy(expr)
        };
        let holds = ground(&atom.expr);
        let guards: Vec<Expr> = atom.guards.iter().map(&mut ground).collect();
        if guards.is_empty() {
            let claim = (holds, bound);
            return Self { guard: None, claim };
        }
        let guard = Expr::conjunction(guards, holds.span);
        let claim = formula(ExprKind::Apply(Op::Implies, vec![guard.clone(), holds]));
        Self {
            guard: Some((guard, bound.clone())),
            claim: (claim, bound),
        }
    }
}
