//! Quantifiers over the members of a set: those that satisfy what is said of them are found all at once.
//!
//! "Some reply is to this client" and "no acknowledgement is from this server" look at a set of messages, which takes several
//! words, member by member. But which messages are to a client is about no state: it is a mask, and a few operations
//! say whether it has a bit in common with the set. What depends on some bits of the state is a mask from a table. Only the rest of
//! what is said is evaluated member by member, for those members that are left.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I8;
use interpreter::code::{Domain, Fold, Loop, Slot, Word};

use super::super::tables::price;
use super::{Chosen, FEW, LIMB, MAX_BITS, SPARSE, entry_words, last_code};
use crate::analysis::{can_stop, size};
use crate::emit::Emitter;
use crate::emit::dictionary::dictionary_of;
use crate::value::{Bits, Truth};

/// What a turn of a loop costs beside its body, in operations: it is hard to foresee which is the last.
const TURN: u64 = 10;

/// A loop over the bits of one word is written out, as a rule, where that takes no more operations.
const WRITTEN_OUT: u64 = 512;

/// The members of a set that matter to a loop.
pub(in crate::emit) struct Members {
    /// Those that satisfy a part of what is said, in limbs.
    pub(in crate::emit) limbs: Vec<Bits>,
    /// The other part.
    rest: Word,
}

impl Emitter<'_> {
    /// The members of a set for which the body of a loop is true, or false if it is asked whether it is true for all; none if it
    /// is better to look at one after the other.
    pub(in crate::emit) fn members(&mut self, turn: &Loop) -> Option<Members> {
        let masks = match &turn.domain {
            Domain::Mask(mask) => std::slice::from_ref(mask),
            Domain::Masks(masks) => masks,
            _ => return None,
        };
        let codes = self.limbs_of(&turn.domain)?;
        let all: u32 = codes.iter().map(|limb| limb.count_ones()).sum();
        if self.filling || turn.exhaustive || can_stop(&turn.body) || all < FEW {
            return None;
        }
        let said = match turn.fold {
            Fold::All => negated(&turn.body),
            Fold::Any | Fold::Collect => turn.body.clone(),
        };
        self.bind_any(turn.slot, last_code(&codes), &turn.domain);
        let parts: Vec<Word> = match said {
            Word::And(parts) => parts.iter().flat_map(conjuncts).collect(),
            single => conjuncts(&single),
        };
        let (fixed, others): (Vec<Word>, Vec<Word>) =
            parts.into_iter().partition(|part| self.is_fixed(part));
        let (mut sets, mut rest) = (Vec::new(), Vec::new());
        for part in std::iter::once(Word::all(fixed)).chain(others) {
            let set = self.set_of(&part, turn.slot, (&codes, all));
            // A table says nothing of elements that had no number when it was made.
            if set.is_none() || dictionary_of(&part).is_some() {
                rest.push(part);
            }
            sets.extend(set);
        }
        if sets.is_empty() {
            return None;
        }
        let mut limbs: Vec<Bits> = masks.iter().map(|mask| self.word(mask)).collect();
        for set in sets {
            limbs = self.common(&limbs, &set);
        }
        let rest = Word::all(rest);
        Some(Members { limbs, rest })
    }

    /// The codes of a variable's values that satisfy a condition, if it is worthwhile to find all of them at once.
    fn set_of(
        &mut self,
        part: &Word,
        slot: Slot,
        (codes, all): (&[u64], u32),
    ) -> Option<Vec<Bits>> {
        if *part == Word::TRUE {
            return None;
        }
        // Another condition may have been tried for each value, and a table is made for all of them.
        self.bind_one_of(slot, codes);
        let known = self.support_beside(part, slot)?;
        if known.bits() == 0
            && let Some(set) = self.constant_set(part, slot, codes)
        {
            return Some(set);
        }
        self.bind_one_of(slot, codes);
        let all = u64::from(all);
        let written_out = (size(part) + 2) * all;
        let one_by_one = match codes {
            [_] if written_out <= WRITTEN_OUT => written_out,
            _ => (self.effort(part) + TURN) * all.div_ceil(u64::from(SPARSE)),
        };
        let words = entry_words(codes) << known.bits().min(MAX_BITS);
        let is_worthwhile = known.bits() <= MAX_BITS
            && words * size_of::<u64>() as u64 <= self.entries
            && one_by_one >= price(&known) + 2 * codes.len() as u64;
        is_worthwhile.then(|| self.values_by(&Chosen::Looked(part.clone()), (slot, codes)))
    }

    /// The codes of a variable's values that satisfy a condition, if these are known when the code is made.
    pub(super) fn known_set(
        &mut self,
        part: &Word,
        (slot, codes): (Slot, &[u64]),
    ) -> Option<Vec<Bits>> {
        self.bind_one_of(slot, codes);
        let known = self.support_beside(part, slot)?;
        match known.bits() {
            0 => self.constant_set(part, slot, codes),
            _ => None,
        }
    }

    /// The codes of a variable's values that satisfy a condition, if each of them can be computed when the code is made.
    fn constant_set(&mut self, part: &Word, slot: Slot, codes: &[u64]) -> Option<Vec<Bits>> {
        self.filling = true;
        let limbs = (0..).zip(codes).map(|(limb, codes)| {
            let bits = crate::support::bits_of(*codes);
            let set = bits.map(|bit| {
                let code = LIMB * limb + u64::from(bit);
                self.bind(slot, Bits::Known(code), code);
                match self.truth(part) {
                    Truth::Known(holds) => Some(u64::from(holds) << bit),
                    Truth::In(_) => None,
                }
            });
            set.sum::<Option<u64>>().map(Bits::Known)
        });
        let set = limbs.collect();
        self.filling = false;
        set
    }

    /// Whether there is a member.
    pub(in crate::emit) fn is_any(&mut self, turn: &Loop, members: &Members) -> Truth {
        if members.rest == Word::TRUE {
            let all = members.limbs.iter().copied();
            let all = all.reduce(|all, limb| self.or(all, limb));
            return self.differ(all.unwrap_or(Bits::Known(0)), Bits::Known(0));
        }
        let found = self.builder.declare_var(I8);
        let none = self.byte(Truth::Known(false));
        self.builder.def_var(found, none);
        let done = self.builder.create_block();
        self.each_member(turn, members, &mut |e| {
            let is_one = e.looked_up(&members.rest);
            let byte = e.byte(is_one);
            e.builder.def_var(found, byte);
            let goes_on = e.not(is_one);
            e.unless(goes_on, done);
        });
        self.builder.ins().jump(done, &[]);
        self.enter(done);
        Truth::In(self.builder.use_var(found))
    }

    /// The mask of all members, which has one limb.
    pub(in crate::emit) fn mask_of_members(&mut self, turn: &Loop, members: &Members) -> Bits {
        if members.rest == Word::TRUE {
            return members.limbs[0];
        }
        self.gathering(&mut |e, found| {
            e.each_member(turn, members, &mut |e| {
                let is_one = e.truth(&members.rest);
                let code = e.slot(turn.slot);
                e.gather(found, code, is_one);
            });
        })
    }

    /// Emits what is done with each value that may be a member.
    fn each_member(&mut self, turn: &Loop, members: &Members, body: &mut dyn FnMut(&mut Self)) {
        let reach = self.reach.codes(&turn.domain);
        let count = self.reach.count(&turn.domain);
        let mut each = |e: &mut Self, code| {
            e.bind(turn.slot, code, reach);
            body(e);
        };
        match members.limbs[..] {
            [mask] => self.each_bit_among(mask, count, &mut each),
            _ => self.each_bit_of(&members.limbs, count, &mut each),
        }
    }
}

/// A term that is true where another is false.
fn negated(word: &Word) -> Word {
    match word {
        Word::Const(n) => Word::Const(u64::from(*n == 0)),
        Word::Not(word) => (**word).clone(),
        Word::Implies(parts) => {
            let mut all = conjuncts(&parts[0]);
            all.extend(conjuncts(&negated(&parts[1])));
            Word::all(all)
        }
        Word::Or(parts) => Word::all(
            parts
                .iter()
                .flat_map(|part| conjuncts(&negated(part)))
                .collect(),
        ),
        Word::Let(slot, parts) => {
            let [value, said] = &**parts;
            let said = conjuncts(&negated(said)).into_iter();
            Word::all(said.map(|part| named(*slot, value, part)).collect())
        }
        word => Word::Not(Box::new(word.clone())),
    }
}

/// A term evaluated with a value in a slot.
fn named(slot: Slot, value: &Word, term: Word) -> Word {
    Word::Let(slot, Box::new([value.clone(), term]))
}

fn conjuncts(word: &Word) -> Vec<Word> {
    match word {
        Word::And(parts) => parts.to_vec(),
        Word::Let(slot, parts) if matches!(parts[1], Word::And(_)) => {
            let said = conjuncts(&parts[1]).into_iter();
            said.map(|part| named(*slot, &parts[0], part)).collect()
        }
        single => vec![single.clone()],
    }
}
