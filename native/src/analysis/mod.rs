//! Analysis of compiled terms before code is emitted: how much work a term can be, and whether there can be native code for
//! it at all.

mod work;

use std::fmt;

use interpreter::code::{
    Domain, Fold, General, Level, Limbs, Loop, Plan, Stmt, StmtKind, Term, TypeInfo, Word,
};
use interpreter::limits::{FUEL, STATEMENT_COST};
use interpreter::{Cell, Clause, Location, Number};
use ioa_lang::core::Op;

use self::work::size_of_one;
use crate::reach::{Interval, MAX_NUMBER, Reach, result};

pub(crate) use self::work::{can_stop, size};

/// Why there is no native code for a clause or a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Untranslatable {
    /// It cannot be run at these sizes at all, or its parameters cannot be enumerated.
    Unusable,
    /// It computes with values that do not fit a word, or with numbers.
    General,
    /// It has a `while` loop.
    While,
    /// It chooses inside a `for` loop.
    ChooseInFor,
    /// It iterates over more values than the interpreter allows, or its code would be very long.
    TooLarge,
}

impl fmt::Display for Untranslatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unusable => "it cannot be run at these sizes",
            Self::General => "it computes with values that do not fit a machine word",
            Self::While => "it has a while loop",
            Self::ChooseInFor => "it chooses inside a for loop",
            Self::TooLarge => "it runs through too many values",
        })
    }
}

/// Maximum number of operations in the code of a clause or formula.
const MAX_SIZE: u64 = 20_000;

/// Bounds for a compiled item: how much fuel its interpretation can use, how long its code can get, and how many results it
/// can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Units of fuel.
    pub(crate) work: u64,
    /// Operations in the code.
    pub(crate) size: u64,
    /// Successors, or valuations.
    pub(crate) results: u64,
}

impl Bounds {
    fn then(self, next: Self) -> Self {
        Self {
            work: self.work.saturating_add(next.work),
            size: self.size.saturating_add(next.size),
            results: self.results.saturating_mul(next.results),
        }
    }

    /// For each of `count` values.
    fn times(self, count: u64) -> Self {
        Self {
            work: self.work.saturating_add(1).saturating_mul(count),
            size: self.size.saturating_add(4),
            results: self.results.saturating_mul(count),
        }
    }

    fn of_work(work: u64, size: u64) -> Self {
        Self {
            work,
            size,
            results: 1,
        }
    }

    fn check(self) -> Result<Self, Untranslatable> {
        // The interpreter does some of the work twice, but its own bound is far higher.
        if self.work > FUEL / 4 || self.size > MAX_SIZE || self.results > MAX_RESULTS {
            return Err(Untranslatable::TooLarge);
        }
        Ok(self)
    }
}

/// Maximum number of steps from a state, and of results of a step, that the interpreter lists.
const MAX_RESULTS: u64 = interpreter::limits::MAX_OUTCOMES;

/// Maximum code of a value over which a statement iterates: the set of these values must fit into a stack frame.
const LAST_CANDIDATE: u64 = (1 << 12) - 1;

/// Finds the bounds of compiled items, or why they have none.
#[derive(Debug, Default)]
pub(crate) struct CodegenCheck(Reach);

impl CodegenCheck {
    /// Those of a formula.
    pub(crate) fn formula(word: &Word) -> Result<Bounds, Untranslatable> {
        Self::default().word(word)?.check()
    }

    /// Those of a clause and all that it can lead to.
    pub(crate) fn clause(clause: &Clause<'_>) -> Result<Bounds, Untranslatable> {
        let mut survey = Self::default();
        if clause.binders.iter().any(|binder| !binder.packed) {
            return Err(Untranslatable::General);
        }
        let valuations = survey.plan(clause.plan)?;
        let mut effect = survey.block(clause.effect)?;
        if let Some(relation) = &clause.relation {
            let packed = |location: &Location| matches!(location, Location::Bits(_));
            if !relation.open.iter().all(|(location, _)| packed(location)) {
                return Err(Untranslatable::General);
            }
            effect = effect.then(survey.plan(relation.plan)?);
        }
        valuations.then(effect).check()
    }

    /// Those of the parameters of a clause alone.
    pub(crate) fn valuations(clause: &Clause<'_>) -> Result<Bounds, Untranslatable> {
        if clause.binders.iter().any(|binder| !binder.packed) {
            return Err(Untranslatable::General);
        }
        Self::default().plan(clause.plan)?.check()
    }

    fn word(&mut self, word: &Word) -> Result<Bounds, Untranslatable> {
        let own = Bounds::of_work(0, size_of_one(word));
        match word {
            Word::Cell(general) => self.numeric_relation(general),
            Word::Let(slot, parts) => {
                let value = self.word(&parts[0])?;
                let bits = self.0.word(&parts[0]);
                self.0.bind(*slot, bits);
                Ok(value.then(self.word(&parts[1])?))
            }
            Word::Loop(turn) => self.turn(turn),
            Word::Arith(_) | Word::Offset(..) if self.0.interval(word).is_none() => {
                Err(Untranslatable::General)
            }
            word => {
                let mut total = Ok(own);
                word.children(&mut |child| {
                    if let Ok(sum) = total {
                        total = self.word(child).map(|bounds| sum.then(bounds));
                    }
                });
                total
            }
        }
    }

    /// A relation between numbers that native code computes.
    fn numeric_relation(&mut self, general: &General) -> Result<Bounds, Untranslatable> {
        match general {
            General::Apply(apply) if matches!(apply.op, Op::Eq | Op::Lt | Op::Le) => {
                let (left, first) = self.numeral(&apply.args[0])?;
                let (right, second) = self.numeral(&apply.args[1])?;
                let small = |(low, high): Interval| -MAX_NUMBER <= low && high <= MAX_NUMBER;
                if !small(left) || !small(right) {
                    return Err(Untranslatable::General);
                }
                Ok(first.then(second).then(Bounds::of_work(0, 1)))
            }
            _ => Err(Untranslatable::General),
        }
    }

    /// The bounds of a term's value.
    fn numeral(&mut self, general: &General) -> Result<(Interval, Bounds), Untranslatable> {
        let apply = match general {
            General::Const(Cell::Int(Number::Small(n))) => {
                return Ok(((*n, *n), Bounds::of_work(0, 1)));
            }
            General::Apply(apply) => apply,
            _ => return Err(Untranslatable::General),
        };
        if let (Op::Size, [General::Word(set)], TypeInfo::Mask) =
            (apply.op, &*apply.args, &apply.about)
        {
            return Ok(((0, 64), self.word(set)?));
        }
        let [left, right] = &*apply.args else {
            return Err(Untranslatable::General);
        };
        let (a, first) = self.numeral(left)?;
        let (b, second) = self.numeral(right)?;
        let is_computed = match (apply.op, &apply.about) {
            (Op::Add, _) => true,
            // The difference of two `Nat` is undefined where it is below zero.
            (Op::Sub, about) => *about == TypeInfo::Nothing,
            (Op::Mul, _) => a.0 >= 0 && b.0 >= 0,
            _ => false,
        };
        let interval = result(apply.op, a, b).filter(|_| is_computed);
        let bounds = first.then(second).then(Bounds::of_work(0, 1));
        Ok((interval.ok_or(Untranslatable::General)?, bounds))
    }

    fn turn(&mut self, turn: &Loop) -> Result<Bounds, Untranslatable> {
        let domain = self.domain(&turn.domain)?;
        if turn.fold == Fold::Collect && self.0.codes(&turn.domain) > 63 {
            return Err(Untranslatable::TooLarge);
        }
        let count = self.0.count(&turn.domain);
        let codes = self.0.codes(&turn.domain);
        self.0.bind(turn.slot, codes);
        let body = self.word(&turn.body)?;
        let mut all = domain.then(body.times(count));
        all.results = 1;
        Ok(all)
    }

    fn domain(&mut self, domain: &Domain) -> Result<Bounds, Untranslatable> {
        match domain {
            Domain::Below(_) | Domain::Codes(_) => Ok(Bounds::of_work(0, 1)),
            Domain::Mask(word) | Domain::Exactly(Term::Word(word)) => self.word(word),
            Domain::Masks(masks) => {
                let mut total = Bounds::of_work(0, 8 * masks.len() as u64);
                for mask in masks {
                    total = total.then(self.word(mask)?);
                }
                Ok(total)
            }
            Domain::Range(low, high, _) => {
                let mut total = Bounds::of_work(0, 4);
                for bound in low.iter().chain(high) {
                    total = total.then(self.word(&bound.term)?);
                }
                // Their number must be known in advance.
                let known = self.0.range(low, high);
                known.map(|_| total).ok_or(Untranslatable::General)
            }
            Domain::Exactly(_)
            | Domain::Elements(_)
            | Domain::Between(..)
            | Domain::Numbers(_)
            | Domain::Found(_) => Err(Untranslatable::General),
        }
    }

    fn plan(&mut self, plan: &Plan) -> Result<Bounds, Untranslatable> {
        let filter = self.word(&plan.filter)?;
        Ok(filter.then(self.levels(&plan.levels)?))
    }

    fn levels(&mut self, levels: &[Level]) -> Result<Bounds, Untranslatable> {
        let Some((level, inner)) = levels.split_first() else {
            return Ok(Bounds::of_work(0, 0));
        };
        if !level.binder.packed {
            return Err(Untranslatable::General);
        }
        let domain = self.domain(&level.domain)?;
        let count = self.0.count(&level.domain);
        let codes = self.0.codes(&level.domain);
        self.0.bind(level.binder.slot, codes);
        let inside = self.word(&level.filter)?.then(self.levels(inner)?);
        Ok(domain.then(inside.times(count)))
    }

    fn block(&mut self, block: &[Stmt]) -> Result<Bounds, Untranslatable> {
        let Some((first, rest)) = block.split_first() else {
            return Ok(Bounds::of_work(0, 4));
        };
        let own = Bounds::of_work(STATEMENT_COST, 4);
        let here = own.then(self.statement(&first.kind)?);
        let rest = self.block(rest)?;
        let mut all = here.then(rest);
        if first.chooses() {
            // What follows a choice is generated inside it, once for each branch that chooses.
            let copies = branches(&first.kind);
            all.size = here.size.saturating_add(rest.size.saturating_mul(copies));
        }
        Ok(all)
    }

    fn statement(&mut self, statement: &StmtKind) -> Result<Bounds, Untranslatable> {
        match statement {
            StmtKind::Set(target, value) => self.assigned(&target.location, value),
            StmtKind::Choose {
                choice,
                target,
                value,
            } => {
                let plan = choice.plan.as_ref().ok_or(Untranslatable::Unusable)?;
                if !choice.binder.packed {
                    return Err(Untranslatable::General);
                }
                let is_large = |level: &Level| self.0.codes(&level.domain) > LAST_CANDIDATE;
                if plan.levels.iter().any(is_large) {
                    return Err(Untranslatable::TooLarge);
                }
                let plan = self.plan(plan)?;
                Ok(plan.then(self.assigned(&target.location, value)?))
            }
            StmtKind::If(branches, otherwise) => {
                let mut total = self.block(otherwise)?;
                for (condition, body) in branches {
                    let condition = self.word(condition)?;
                    let body = self.block(body)?;
                    let results = total.results.max(body.results);
                    total = total.then(condition).then(body);
                    total.results = results;
                }
                Ok(total)
            }
            StmtKind::For { plan, body, .. } => {
                if body.iter().any(Stmt::chooses) {
                    return Err(Untranslatable::ChooseInFor);
                }
                let [level] = &*plan.levels else {
                    return Err(Untranslatable::General);
                };
                let values = self.plan(plan)?;
                if self.0.codes(&level.domain) > LAST_CANDIDATE {
                    return Err(Untranslatable::TooLarge);
                }
                let mut all = values.then(self.block(body)?.times(values.results));
                all.results = 1;
                Ok(all)
            }
            StmtKind::While(..) => Err(Untranslatable::While),
            StmtKind::Fire(_) | StmtKind::FireAny(_) => Err(Untranslatable::General),
        }
    }

    fn assigned(&mut self, location: &Location, value: &Term) -> Result<Bounds, Untranslatable> {
        match (location, value) {
            (Location::Bits(_), Term::Word(word)) => self.word(word),
            (Location::Limbs(_), Term::Limbs(Limbs { lets, words })) => {
                let mut total = Bounds::of_work(0, 1);
                for (slot, value) in lets {
                    total = total.then(self.word(value)?);
                    let bits = self.0.word(value);
                    self.0.bind(*slot, bits);
                }
                for word in words {
                    total = total.then(self.word(word)?);
                }
                Ok(total)
            }
            _ => Err(Untranslatable::General),
        }
    }
}

/// How often what follows a statement that chooses is generated.
fn branches(statement: &StmtKind) -> u64 {
    match statement {
        StmtKind::If(branches, _) => branches.len() as u64 + 1,
        _ => 1,
    }
}
