//! Enumeration of the values of a domain, and of the valuations of a plan.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ioa_lang::Span;

use super::Machine;
use crate::code::{Bound, Domain, General, Level, Numbered, Plan, Slot, Source, Term, Word};
use crate::interrupt::fault::LimitKind;
use crate::interrupt::limits::MAX_DOMAIN;
use crate::state::cell::{Cell, Number};
use crate::vm::halt::{At, Stop, stop};

/// Called for each value or valuation; `Break` ends the enumeration.
pub(crate) type Visit<'v> = dyn FnMut(&mut Machine) -> Result<ControlFlow<()>, Stop> + 'v;

impl Machine {
    /// Sets a bound variable to each value of a domain.
    pub(crate) fn each(
        &mut self,
        domain: &Domain,
        slot: Slot,
        span: Span,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        match domain {
            Domain::Mask(mask) => {
                let codes = Bits(self.word(mask)?);
                self.each_word(codes, slot, span, visit)
            }
            Domain::Masks(masks) => {
                let codes = self.positions(masks)?;
                self.each_word(codes.into_iter(), slot, span, visit)
            }
            Domain::Numbered(numbered) => {
                let codes = self.numbered(numbered)?;
                self.each_word(codes.into_iter(), slot, span, visit)
            }
            Domain::Below(n) => self.each_word(0..*n, slot, span, visit),
            Domain::Codes(codes) => self.each_word(codes.iter().copied(), slot, span, visit),
            Domain::Exactly(Term::Word(word)) => {
                let code = self.word(word)?;
                self.each_word([code].into_iter(), slot, span, visit)
            }
            Domain::Exactly(Term::Limbs(_)) => {
                unreachable!("a bound variable has no limbs")
            }
            Domain::Exactly(Term::General(term)) => {
                let cell = self.general(term)?;
                self.each_of([cell].into_iter(), slot, span, visit)
            }
            Domain::OneOf(cases) => {
                let mut values = Vec::with_capacity(cases.len());
                for case in cases {
                    if self.word(&case.given)? != 0 {
                        let value = self.word(&case.value)?;
                        if !values.contains(&value) {
                            values.push(value);
                        }
                    }
                }
                self.each_word(values.into_iter(), slot, span, visit)
            }
            Domain::Elements(term) => {
                let cell = self.general(term)?;
                self.each_of(elements(&cell).cloned(), slot, span, visit)
            }
            Domain::Numbers(term) => {
                let cell = self.general(term)?;
                let numbers = elements(&cell).map(|n| self.small(n, span));
                let numbers: Vec<u64> = numbers.collect::<Result<_, _>>()?;
                self.each_word(numbers.into_iter(), slot, span, visit)
            }
            Domain::Range(low, high, at) => {
                let low = self.end(low, 1, *at)?;
                let high = self.end(high, -1, *at)?;
                if i128::from(high) - i128::from(low) >= i128::from(MAX_DOMAIN) {
                    return Err(stop(LimitKind::Domain, *at));
                }
                let numbers = (low..=high).map(i64::cast_unsigned);
                self.each_word(numbers, slot, span, visit)
            }
            Domain::Between(low, high, at) => {
                let low = self.extreme(low, 1, *at)?;
                let high = self.extreme(high, -1, *at)?;
                self.each_of(between(&low, &high).at(*at)?, slot, span, visit)
            }
            Domain::Found(sources) => {
                let found = self.found(sources, span)?;
                self.each_of(found.into_iter(), slot, span, visit)
            }
        }
    }

    /// The positions of the bits of several masks, each of which continues the one before.
    fn positions(&mut self, masks: &[Word]) -> Result<Vec<u64>, Stop> {
        let mut positions = Vec::new();
        for (mask, begin) in masks.iter().zip((0..).step_by(64)) {
            positions.extend(Bits(self.word(mask)?).map(|bit| begin + bit));
        }
        Ok(positions)
    }

    /// Elements that are given by their numbers, in the order of these.
    fn numbered(&mut self, numbered: &Numbered) -> Result<Vec<u64>, Stop> {
        let (first, last) = numbered.codes;
        let codes = self.positions(&numbered.masks)?.into_iter();
        let codes = codes.map(|number| numbered.dictionary.code(number));
        let meant = codes.filter(|code| (first..=last).contains(code));
        Ok(meant.map(|code| code - first).collect())
    }

    /// The values found at some sources.
    fn found(&mut self, sources: &[Source], span: Span) -> Result<BTreeSet<Cell>, Stop> {
        let mut found = BTreeSet::new();
        for source in sources {
            if self.word(&source.given)? == 0 {
                continue;
            }
            let _ = self.each(&source.outer, source.slot, span, &mut |machine| {
                if machine.word(&source.filter)? != 0 {
                    found.insert(machine.term(&source.value)?);
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(found)
    }

    fn each_word(
        &mut self,
        codes: impl Iterator<Item = u64>,
        slot: Slot,
        span: Span,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        for code in codes {
            self.spend(1, span)?;
            self.words[slot as usize] = code;
            match visit(self) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(ControlFlow::Break(())),
                Err(stop) => return Err(stop.bind(slot, Cell::Word(code))),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn each_of(
        &mut self,
        values: impl Iterator<Item = Cell>,
        slot: Slot,
        span: Span,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        for value in values {
            self.spend(1, span)?;
            self.bind(slot, value.clone());
            match visit(self) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(ControlFlow::Break(())),
                Err(stop) => return Err(stop.bind(slot, value)),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// [`Machine::extreme`] for bounds that are words.
    fn end(&mut self, bounds: &[Bound<Word>], step: i64, span: Span) -> Result<i64, Stop> {
        let mut best: Option<i64> = None;
        for bound in bounds {
            let n = self.word(&bound.term)?.cast_signed();
            let n = if bound.strict {
                n.checked_add(step)
            } else {
                Some(n)
            };
            let n = n.ok_or_else(|| self.beyond(span))?;
            let stronger = |best: i64| if step > 0 { n.max(best) } else { n.min(best) };
            best = Some(best.map_or(n, stronger));
        }
        Ok(best.expect("an integer is enumerated between at least one bound on either side"))
    }

    /// The strongest of some bounds: the greatest of lower ones (`step` is 1), the least of upper ones (`step` is -1).
    fn extreme(
        &mut self,
        bounds: &[Bound<General>],
        step: i64,
        span: Span,
    ) -> Result<Number, Stop> {
        let stronger = |new: &Number, old: &Number| if step > 0 { new > old } else { new < old };
        let mut best: Option<Number> = None;
        for bound in bounds {
            let Cell::Int(mut n) = self.general(&bound.term)? else {
                unreachable!("a bound of an integer is a number");
            };
            if bound.strict {
                n = n.add(&Number::Small(step)).at(span)?;
            }
            if best.as_ref().is_none_or(|best| stronger(&n, best)) {
                best = Some(n);
            }
        }
        Ok(best.expect("an integer is enumerated between at least one bound on either side"))
    }

    /// Sets the binders of a plan to each valuation that satisfies its conjuncts.
    pub(crate) fn valuations(
        &mut self,
        plan: &Plan,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        if self.word(&plan.filter)? == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        self.levels(&plan.levels, plan.span, visit)
    }

    /// Sets the binders of a plan to every valuation that satisfies its conjuncts.
    ///
    /// # Errors
    /// As those of [`Machine::past_faults`].
    pub(crate) fn every_valuation(
        &mut self,
        plan: &Plan,
        visit: &mut dyn FnMut(&mut Machine) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let visited = self.past_faults(plan, &mut |machine| {
            visit(machine).map(ControlFlow::Continue)
        });
        visited.map(|_| ())
    }

    /// The same as [`Machine::valuations`], but a valuation for which the conjuncts are undefined, or for which `visit` faults,
    /// says nothing about the others: these are visited nevertheless.
    ///
    /// # Errors
    /// The first fault, unless `visit` ends the enumeration after it; a limit, at once.
    pub(crate) fn past_faults(
        &mut self,
        plan: &Plan,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        if self.word(&plan.filter)? == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        let mut first = None;
        match (self.levels_past_faults(plan, 0, &mut first, visit)?, first) {
            (ControlFlow::Continue(()), Some(fault)) => Err(fault),
            (flow, _) => Ok(flow),
        }
    }

    /// Does this for the binders of a plan from a level on, where those of the levels before it have values. Keeps the first
    /// fault of a valuation.
    fn levels_past_faults(
        &mut self,
        plan: &Plan,
        at: usize,
        first: &mut Option<Stop>,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        let Some(level) = plan.levels.get(at) else {
            return visit(self);
        };
        let slot = level.binder.slot;
        self.each(&level.domain, slot, plan.span, &mut |machine| {
            let tried = match machine.word(&level.filter) {
                Ok(0) => Ok(ControlFlow::Continue(())),
                Ok(_) => machine.levels_past_faults(plan, at + 1, first, visit),
                Err(stop) => Err(stop),
            };
            match tried {
                Err(stop) if stop.is_fault() => {
                    first.get_or_insert_with(|| machine.told(stop, &plan.levels[..=at]));
                    Ok(ControlFlow::Continue(()))
                }
                other => other,
            }
        })
    }

    /// A stop with the values that the binders of some levels have.
    fn told(&self, stop: Stop, levels: &[Level]) -> Stop {
        let binders = levels.iter().rev().map(|level| &level.binder);
        binders.fold(stop, |stop, binder| {
            stop.bind(binder.slot, self.bound(binder))
        })
    }

    /// Faults if the conjuncts of a plan are undefined for some valuation, so that the outcome does not depend on whether a
    /// valuation is searched for or given.
    pub(crate) fn check_defined(&mut self, plan: &Plan) -> Result<(), Stop> {
        if plan.partial {
            self.every_valuation(plan, &mut |_| Ok(()))?;
        }
        Ok(())
    }

    fn levels(
        &mut self,
        levels: &[Level],
        span: Span,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        let Some((level, inner)) = levels.split_first() else {
            return visit(self);
        };
        self.each(&level.domain, level.binder.slot, span, &mut |machine| {
            if machine.word(&level.filter)? == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            machine.levels(inner, span, visit)
        })
    }
}

/// The positions of the bits of a word, ascending.
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.0 == 0 {
            return None;
        }
        let position = u64::from(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(position)
    }
}

/// The elements of a collection, or the keys of a map, in their order, each once.
fn elements(collection: &Cell) -> Box<dyn Iterator<Item = &Cell> + '_> {
    match collection {
        Cell::Set(set) => Box::new(set.items.iter()),
        Cell::Seq(seq) => Box::new(seq.items.iter().collect::<BTreeSet<_>>().into_iter()),
        Cell::Mset(mset) => Box::new(mset.items.keys()),
        Cell::Map(map) => Box::new(map.items.keys()),
        cell => unreachable!("only collections have elements: {cell:?}"),
    }
}

/// The numbers from `low` to `high`, if there are not too many.
fn between(low: &Number, high: &Number) -> Result<impl Iterator<Item = Cell> + use<>, LimitKind> {
    let count = if high < low {
        0
    } else {
        let span = high.sub(low)?.to_usize().map(|n| n as u64);
        let span = span.filter(|n| *n < MAX_DOMAIN).ok_or(LimitKind::Domain)?;
        span as i64 + 1
    };
    let low = low.clone();
    Ok((0..count).filter_map(move |n| low.add(&Number::Small(n)).ok().map(Cell::Int)))
}
