//! Analysis of compiled terms before code is emitted: how much work a term can be, and whether there can be native code for
//! it at all.

mod work;

use std::fmt;

use interpreter::code::{
    Domain, General, Level, Limbs, Loop, Plan, Slot, Source, Stmt, StmtKind, Term, Word,
};
use interpreter::limits::{FUEL, STATEMENT_COST};
use interpreter::{Clause, Location, Question};

use self::work::{SIZE_OF_CALL, size_of_one};
use crate::asked::MAX_LISTED;
use crate::reach::{LAST_CANDIDATE, Reach, part_of};

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
        if self.work > MAX_WORK || self.size > MAX_SIZE {
            return Err(Untranslatable::TooLarge);
        }
        Ok(self)
    }
}

/// Maximum fuel for an item. The interpreter does some of the work twice, but its own bound is far higher.
const MAX_WORK: u64 = FUEL / 4;

/// A clause is translated if it can go through so many values of its parameters.
const LEAST_TURNS: u64 = 1 << 10;

/// Finds the bounds of compiled items, or why they have none.
#[derive(Debug, Default)]
pub(crate) struct CodegenCheck {
    reach: Reach,
    /// Whether code has to ask the interpreter for values that it cannot compute.
    asks: bool,
    /// Whether only one value of each parameter is counted.
    is_one_turn: bool,
}

/// How far the code of a clause may go through the values of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turns {
    /// Through all that there can be.
    All,
    /// Through so many for one state. In the sets of a state there are few as a rule, whatever they have room for; where there are more,
    /// the code bails out.
    Counted(u64),
}

impl CodegenCheck {
    /// Whether the code of the item that was checked asks the interpreter for something.
    pub(crate) fn asks(&self) -> bool {
        self.asks
    }

    /// The bounds of a formula.
    pub(crate) fn formula(&mut self, word: &Word) -> Result<Bounds, Untranslatable> {
        self.word(word)?.check()
    }

    /// Those of a clause and all that it can lead to, and how far its code may go through the values of its parameters.
    pub(crate) fn clause(
        &mut self,
        clause: &Clause<'_>,
    ) -> Result<(Bounds, Turns), Untranslatable> {
        let bounds = self.all_steps(clause)?;
        if bounds.work <= MAX_WORK {
            return Ok((bounds.check()?, Turns::All));
        }
        let mut one = Self {
            is_one_turn: true,
            ..Self::default()
        };
        let one = one.all_steps(clause)?.check()?;
        let turns = MAX_WORK / one.work.max(1);
        match turns >= LEAST_TURNS {
            true => Ok((bounds, Turns::Counted(turns))),
            false => Err(Untranslatable::TooLarge),
        }
    }

    fn all_steps(&mut self, clause: &Clause<'_>) -> Result<Bounds, Untranslatable> {
        let valuations = self.plan(clause.plan)?;
        let mut effect = self.block(clause.effect)?;
        if let Some(relation) = &clause.relation {
            for (location, binder) in &relation.open {
                match location {
                    Location::Bits(_) => {}
                    Location::Cell(_) if !binder.packed => {}
                    Location::Limbs(_) | Location::Cell(_) => return Err(Untranslatable::General),
                }
            }
            effect = effect.then(self.plan(relation.plan)?);
        }
        Ok(valuations.then(effect))
    }

    /// Those of the parameters of a clause alone.
    pub(crate) fn valuations(&mut self, clause: &Clause<'_>) -> Result<Bounds, Untranslatable> {
        self.plan(clause.plan)?.check()
    }

    fn word(&mut self, word: &Word) -> Result<Bounds, Untranslatable> {
        let own = Bounds::of_work(0, size_of_one(word));
        match word {
            word if self.reach.is_asked(word) => self.asked(Question::word(word)),
            Word::Cell(general) => self.numbers(general),
            Word::Let(slot, parts) => {
                let value = self.word(&parts[0])?;
                let bits = self.reach.word(&parts[0]);
                self.reach.bind(*slot, bits);
                Ok(value.then(self.word(&parts[1])?))
            }
            Word::Loop(turn) => self.turn(turn),
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

    /// What the interpreter is asked for. What it does is bounded when it is done.
    fn asked(&mut self, question: Option<Question>) -> Result<Bounds, Untranslatable> {
        let question = question.ok_or(Untranslatable::General)?;
        self.asks = true;
        let size = SIZE_OF_CALL + question.inputs().len() as u64;
        Ok(Bounds::of_work(1, size))
    }

    /// The general terms that code computes: relations between numbers, and these.
    fn numbers(&mut self, term: &General) -> Result<Bounds, Untranslatable> {
        let mut total = Bounds::of_work(0, 1);
        match term {
            General::Word(set) => total = total.then(self.word(set)?),
            General::Apply(apply) => {
                for arg in &apply.args {
                    total = total.then(self.numbers(arg)?);
                }
            }
            _ => {}
        }
        Ok(total)
    }

    /// A general term, of whose value the name is wanted.
    fn name(&mut self, term: &General) -> Result<Bounds, Untranslatable> {
        match term {
            General::Load(..) | General::Local(_) => Ok(Bounds::of_work(0, 1)),
            General::If(condition, branches) => {
                let mut total = self.word(condition)?.then(Bounds::of_work(0, 2));
                for branch in &**branches {
                    total = total.then(self.name(branch)?);
                }
                Ok(total)
            }
            term => self.asked(Question::general(term, &Location::Cell(0))),
        }
    }

    fn turn(&mut self, turn: &Loop) -> Result<Bounds, Untranslatable> {
        let domain = self.domain(&turn.domain, turn.slot)?;
        let count = self.reach.count(&turn.domain);
        let codes = self.reach.codes(&turn.domain);
        self.reach.bind(turn.slot, codes);
        let body = self.word(&turn.body)?;
        let mut all = domain.then(body.times(count));
        all.results = 1;
        Ok(all)
    }

    /// A domain whose values a slot gets.
    fn domain(&mut self, domain: &Domain, slot: Slot) -> Result<Bounds, Untranslatable> {
        match domain {
            domain if self.reach.is_listed(domain) => {
                let listed = self.asked(Question::values(domain, slot))?;
                Ok(listed.then(Bounds::of_work(MAX_LISTED, 4)))
            }
            Domain::Exactly(Term::General(term)) => self.name(term),
            Domain::Below(_) | Domain::Codes(_) => Ok(Bounds::of_work(0, 1)),
            Domain::Mask(word) | Domain::Exactly(Term::Word(word)) => self.word(word),
            Domain::Masks(masks) => self.masks(masks),
            Domain::Numbered(numbered) => self.masks(&numbered.masks),
            Domain::OneOf(cases) => {
                let mut total = Bounds::of_work(0, 4);
                for case in cases {
                    let own = self.word(&case.given)?.then(self.word(&case.value)?);
                    // It is compared with those before it.
                    total = total
                        .then(own)
                        .then(Bounds::of_work(0, 2 * cases.len() as u64));
                }
                Ok(total)
            }
            Domain::Range(low, high, _) => {
                let mut total = Bounds::of_work(0, 4);
                for bound in low.iter().chain(high) {
                    total = total.then(self.word(&bound.term)?);
                }
                Ok(total)
            }
            Domain::Found(sources) => {
                let mut total = Bounds::of_work(0, 8);
                for source in sources {
                    total = total.then(self.source(source)?);
                }
                total.results = 1;
                Ok(total)
            }
            Domain::Exactly(_) | Domain::Elements(_) | Domain::Between(..) | Domain::Numbers(_) => {
                Err(Untranslatable::General)
            }
        }
    }

    /// A source at which code finds values by itself.
    fn source(&mut self, source: &Source) -> Result<Bounds, Untranslatable> {
        let part = part_of(source).ok_or(Untranslatable::General)?;
        let given = self.word(&source.given)?;
        let outer = self.domain(&source.outer, source.slot)?;
        let count = self.reach.count(&source.outer);
        let codes = self.reach.codes(&source.outer);
        self.reach.bind(source.slot, codes);
        let each = self.word(&source.filter)?.then(self.word(part)?);
        Ok(given.then(outer).then(each.times(count)))
    }

    fn masks(&mut self, masks: &[Word]) -> Result<Bounds, Untranslatable> {
        let mut total = Bounds::of_work(0, 8 * masks.len() as u64);
        for mask in masks {
            total = total.then(self.word(mask)?);
        }
        Ok(total)
    }

    fn plan(&mut self, plan: &Plan) -> Result<Bounds, Untranslatable> {
        let filter = self.word(&plan.filter)?;
        Ok(filter.then(self.levels(&plan.levels)?))
    }

    fn levels(&mut self, levels: &[Level]) -> Result<Bounds, Untranslatable> {
        let Some((level, inner)) = levels.split_first() else {
            return Ok(Bounds::of_work(0, 0));
        };
        let domain = self.domain(&level.domain, level.binder.slot)?;
        let count = match self.is_one_turn {
            true => 1,
            false => self.reach.count(&level.domain),
        };
        let codes = self.reach.codes(&level.domain);
        self.reach.bind(level.binder.slot, codes);
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
                let values = self.candidates(plan)?;
                Ok(values.then(self.assigned(&target.location, value)?))
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
                let values = self.candidates(plan)?;
                let mut all = values.then(self.block(body)?.times(values.results));
                all.results = 1;
                Ok(all)
            }
            StmtKind::While(..) => Err(Untranslatable::While),
            StmtKind::Fire(_) | StmtKind::FireAny(_) => Err(Untranslatable::General),
        }
    }

    /// The values that a statement goes through.
    fn candidates(&mut self, plan: &Plan) -> Result<Bounds, Untranslatable> {
        let [level] = &*plan.levels else {
            return Err(Untranslatable::General);
        };
        if are_listed(plan, &mut self.reach) {
            let listed = self.asked(Question::valuations(plan))?;
            self.reach.bind(level.binder.slot, u64::MAX);
            return Ok(listed.times(MAX_LISTED));
        }
        self.plan(plan)
    }

    fn assigned(&mut self, location: &Location, value: &Term) -> Result<Bounds, Untranslatable> {
        match (location, value) {
            (Location::Bits(_), Term::Word(word)) => self.word(word),
            (Location::Limbs(_), Term::Limbs(Limbs { lets, words })) => {
                let mut total = Bounds::of_work(0, 1);
                for (slot, value) in lets {
                    total = total.then(self.word(value)?);
                    let bits = self.reach.word(value);
                    self.reach.bind(*slot, bits);
                }
                for word in words {
                    total = total.then(self.word(word)?);
                }
                Ok(total)
            }
            (Location::Limbs(_), Term::General(term)) => {
                self.asked(Question::general(term, location))
            }
            (Location::Cell(_), Term::General(term)) => self.name(term),
            _ => Err(Untranslatable::General),
        }
    }
}

/// Whether the interpreter lists the values that a statement goes through: they must be found before the first one is used, and
/// a stack frame must have room for their set.
pub(crate) fn are_listed(plan: &Plan, reach: &mut Reach) -> bool {
    plan.levels.iter().any(|level| {
        let is_word = level.binder.packed && !reach.is_listed(&level.domain);
        !is_word || reach.codes(&level.domain) > LAST_CANDIDATE
    })
}

/// How often what follows a statement that chooses is generated.
fn branches(statement: &StmtKind) -> u64 {
    match statement {
        StmtKind::If(branches, _) => branches.len() as u64 + 1,
        _ => 1,
    }
}
