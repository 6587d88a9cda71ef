//! Conditions that are tested for all values of a parameter at once, without a branch.
//!
//! Which channels are empty is hard to foresee, so that a branch for each of them is often mispredicted; and to find where the
//! channel of any node lies takes longer than to read that of a certain one. Therefore what the cheap conditions say of each
//! value is computed without a branch, and the loop goes only through the values that satisfy them.

use interpreter::code::{Domain, Level, Slot, Word};
use ioa_lang::core::Op;

use super::{mentions, parts_of};
use crate::analysis::can_stop;
use crate::emit::Emitter;
use crate::emit::loops::plan::{is_short, positions};
use crate::value::{Bits, Truth};

/// Maximum number of operations of a condition that is tested for a value, once the value is known.
const CHEAP: u64 = 16;

/// Maximum number of operations of the tests for all values.
const ALL: u64 = 512;

/// Fewer values than these are tested one after the other.
const FEW: usize = 3;

impl Emitter<'_> {
    /// Tests the cheap conditions on a binder for all values at once, if that is worthwhile for a loop whose body takes so many
    /// operations: gives the values for which they are true, or one stops, and what has still to be tested for each of these.
    pub(in crate::emit) fn tested(
        &mut self,
        level: &Level,
        operations: u64,
    ) -> Option<(Bits, Word)> {
        let codes = known_codes(&level.domain)?;
        if codes.len() < FEW || is_short(&codes, operations) {
            return None;
        }
        let slot = level.binder.slot;
        let Divided { cheap, left, work } = divided(parts_of(&level.filter), slot);
        let all = (work + 1).saturating_mul(codes.len() as u64);
        if cheap.is_empty() || all > ALL || !self.may_unroll(all) {
            return None;
        }
        let mut mask = Bits::Known(0);
        for code in codes {
            self.bind(slot, Bits::Known(code), code);
            let may_hold = self.may_hold(&cheap);
            mask = self.with_bit(mask, code, may_hold);
        }
        Some((mask, Word::all(left)))
    }

    /// Whether all of some conditions are true, or one stops after those before it were true.
    fn may_hold(&mut self, conditions: &[&Word]) -> Truth {
        let (mut all, mut any_stops) = (Truth::Known(true), Truth::Known(false));
        for condition in conditions {
            let outer = self.stops.replace(Truth::Known(false));
            let holds = self.truth(condition);
            let stops = std::mem::replace(&mut self.stops, outer);
            let stops = self.join(all, stops.unwrap_or(Truth::Known(false)), true);
            any_stops = self.join(any_stops, stops, false);
            all = self.join(all, holds, true);
        }
        self.join(all, any_stops, false)
    }
}

/// The conditions on a binder.
struct Divided<'w> {
    /// Those that are tested for all values at once.
    cheap: Vec<&'w Word>,
    /// Those that are tested for each value that is left.
    left: Vec<Word>,
    /// How many operations the first take for a value.
    work: u64,
}

/// Divides the conditions on a binder. Until one of them can stop, a value that is left is known to satisfy those that were
/// tested. What is written after one that is not tested must not hide that it stops.
fn divided(parts: &[Word], slot: Slot) -> Divided<'_> {
    let (mut cheap, mut left, mut work) = (Vec::new(), Vec::new(), 0);
    let (mut is_certain, mut is_hidden) = (true, false);
    for part in parts {
        let more = Known(vec![slot]).work(part);
        let is_cheap = more <= CHEAP && is_straight(part) && mentions(part, slot);
        let is_tested = is_cheap && !is_hidden;
        if is_tested {
            cheap.push(part);
            work += more + 1;
        }
        let stops = can_stop(part);
        is_certain &= !stops;
        is_hidden |= stops && !is_tested;
        if !is_tested || !is_certain {
            left.push(part.clone());
        }
    }
    Divided { cheap, left, work }
}

/// The values of a domain, if they are known when code is emitted and can be in a mask.
fn known_codes(domain: &Domain) -> Option<Vec<u64>> {
    match domain {
        Domain::Mask(Word::Const(mask)) => Some(positions(*mask)),
        Domain::Below(count) if *count <= u64::from(u64::BITS) => Some((0..*count).collect()),
        Domain::Codes(codes) if codes.iter().all(|code| *code < u64::from(u64::BITS)) => {
            Some(codes.to_vec())
        }
        _ => None,
    }
}

/// Whether a term needs no loop, and can be computed whether it stops or not: a division by 0 cannot.
fn is_straight(word: &Word) -> bool {
    let mut is_straight = match word {
        Word::Loop(_) | Word::Cell(_) => false,
        Word::Arith(arith) => !matches!(arith.op, Op::Div | Op::Mod | Op::Pow),
        _ => true,
    };
    word.children(&mut |child| is_straight &= self::is_straight(child));
    is_straight
}

/// The variables whose values are known when code is emitted.
struct Known(Vec<Slot>);

impl Known {
    /// How many operations a term takes.
    fn work(&mut self, word: &Word) -> u64 {
        self.look(word).unwrap_or(0)
    }

    /// How many operations a term takes; none if its value is known.
    fn look(&mut self, word: &Word) -> Option<u64> {
        match word {
            Word::Const(_) => None,
            Word::Local(slot) if self.0.contains(slot) => None,
            Word::Local(_) => Some(0),
            Word::Let(slot, parts) => {
                let before = self.look(&parts[0]);
                if before.is_none() {
                    self.0.push(*slot);
                }
                let after = self.look(&parts[1])?;
                Some(before.unwrap_or(0) + after)
            }
            Word::If(parts) => {
                let [condition, yes, no] = std::array::from_fn(|at| self.look(&parts[at]));
                match condition {
                    None => yes.max(no),
                    Some(condition) => Some(condition + yes.unwrap_or(0) + no.unwrap_or(0) + 1),
                }
            }
            Word::Load(..) => Some(1),
            word => {
                let mut parts = None;
                word.children(&mut |part| {
                    if let Some(more) = self.look(part) {
                        parts = Some(parts.unwrap_or(0) + more);
                    }
                });
                Some(parts? + 1)
            }
        }
    }
}
