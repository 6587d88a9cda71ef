//! The values that a statement iterates over. All of them are found before the first one is used, because the statement may
//! change what they depend on.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value,
};
use cranelift_frontend::Variable;
use interpreter::code::{Case, Domain, Level, Plan, Slot, Word};

use super::plan::{Body, INNERMOST, positions};
use crate::analysis::are_listed;
use crate::emit::Emitter;
use crate::emit::asked::Listed;
use crate::reach::smear;
use crate::value::{Bits, Truth};

/// The codes of some values.
pub(in crate::emit) enum Candidates {
    /// The positions of the bits of a mask.
    Mask(Bits),
    /// The positions of the bits of several words.
    Words(Words),
    /// What the interpreter has listed.
    Listed(Listed),
}

/// A set of codes that is stored in words of the function's stack frame.
pub(in crate::emit) struct Words {
    frame: Frame,
    /// How many codes it has at most.
    codes: u64,
    /// Not 0 if it has any.
    some: Bits,
}

/// Values in a list that lies in words of the function's stack frame.
pub(in crate::emit) struct Given {
    pub(super) frame: Frame,
    pub(super) count: Bits,
}

/// A number of words of the function's stack frame.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    slot: StackSlot,
    words: u64,
}

impl Frame {
    /// The greatest code of a set that lies in it.
    fn last_code(self) -> u64 {
        WORD * self.words - 1
    }
}

/// A set under construction.
pub(in crate::emit) struct Gathered {
    set: Variable,
    /// The greatest mask that it can be.
    most: u64,
}

/// Takes a code.
pub(super) type Take<'t, 'f> = dyn FnMut(&mut Emitter<'f>, Bits) + 't;

/// The bits of a word.
const WORD: u64 = u64::BITS as u64;

impl<'f> Emitter<'f> {
    /// The values of the one binder of a plan.
    pub(in crate::emit) fn candidates(&mut self, plan: &Plan) -> Candidates {
        let [level] = &*plan.levels else {
            unreachable!("a statement binds one variable");
        };
        if are_listed(plan, &mut self.reach) {
            return Candidates::Listed(self.listed_by(plan));
        }
        let last = self.reach.codes(&level.domain);
        match (&level.domain, takes_all(plan, level)) {
            (Domain::Mask(mask), true) => return Candidates::Mask(self.word(mask)),
            (Domain::Masks(masks), true) => {
                let codes = self.reach.count(&level.domain);
                let masks: Vec<Bits> = masks.iter().map(|mask| self.word(mask)).collect();
                return Candidates::Words(self.framed(&masks, codes));
            }
            _ => {}
        }
        let codes = self.reach.count(&level.domain);
        self.code_set((last, codes), &mut |e, put| {
            e.plan(plan, &mut |e| {
                let code = e.slot(level.binder.slot);
                put(e, code);
            });
        })
    }

    /// A set of what `fill` takes: at most so many codes, the last of which is given first.
    pub(super) fn code_set(
        &mut self,
        (last, codes): (u64, u64),
        fill: &mut dyn FnMut(&mut Self, &mut Take<'_, 'f>),
    ) -> Candidates {
        if last < WORD {
            let found = self.gathering(&mut |e, found| {
                fill(e, &mut |e, code| e.gather(found, code, Truth::Known(true)));
            });
            return Candidates::Mask(found);
        }
        let words = last / WORD + 1;
        let some = self.builder.declare_var(I64);
        let frame = self.frame(words);
        let none = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(some, none);
        self.counted(words, &mut |e, at| e.set_limb(frame, at, Bits::Known(0)));
        fill(self, &mut |e, code| {
            e.put(frame, code);
            let one = e.builder.ins().iconst(I64, 1);
            e.builder.def_var(some, one);
        });
        let some = Bits::any(self.builder.use_var(some));
        Candidates::Words(Words { frame, codes, some })
    }

    /// A set of at most so many codes, given as masks each of which goes on where the one before ends.
    pub(in crate::emit) fn framed(&mut self, masks: &[Bits], codes: u64) -> Words {
        let frame = self.frame(masks.len() as u64);
        let mut some = Bits::Known(0);
        for (at, mask) in (0..).zip(masks) {
            self.set_limb(frame, Bits::Known(at), *mask);
            some = self.or(some, *mask);
        }
        Words { frame, codes, some }
    }

    /// Whether there are any values.
    pub(in crate::emit) fn are_any(&mut self, values: &Candidates) -> Truth {
        let some = match values {
            Candidates::Mask(some) | Candidates::Words(Words { some, .. }) => *some,
            Candidates::Listed(list) => list.count,
        };
        self.differ(some, Bits::Known(0))
    }

    /// Emits `body` for each of some values: in the order of their codes, or as they are listed.
    pub(in crate::emit) fn each_candidate(
        &mut self,
        values: &Candidates,
        slot: Slot,
        body: &mut Body<'_, 'f>,
    ) {
        match values {
            Candidates::Mask(Bits::Known(mask)) => {
                self.each_known(&positions(*mask), slot, INNERMOST, body);
            }
            Candidates::Mask(mask) => self.each_bit(*mask, &mut |e, code| {
                e.bind(slot, code, WORD - 1);
                body(e);
            }),
            Candidates::Listed(list) => self.each_listed(*list, &mut |e, value| {
                e.bind(slot, value, u64::MAX);
                body(e);
            }),
            Candidates::Words(words) => {
                let reach = smear(words.frame.last_code());
                self.each_in(words, &mut |e, code| {
                    e.bind(slot, code, reach);
                    body(e);
                });
            }
        }
    }

    /// For each code of a set, lowest first.
    pub(in crate::emit) fn each_in(&mut self, set: &Words, body: &mut dyn FnMut(&mut Self, Bits)) {
        let turns = self.turns.saturating_mul(set.codes);
        self.counted(set.frame.words, &mut |e, at| {
            let mask = e.limb_of(set.frame, at);
            let begin = e.mul(at, WORD);
            e.each_bit(mask, &mut |e, bit| {
                let code = e.add(begin, bit);
                // There may be fewer codes than bits.
                let outer = std::mem::replace(&mut e.turns, turns);
                body(e, code);
                e.turns = outer;
            });
        });
    }

    /// The values that some terms give, each once, in a list.
    pub(in crate::emit) fn given(&mut self, cases: &[Case]) -> Given {
        let frame = self.frame(cases.len() as u64);
        let count = self.builder.declare_var(I64);
        let none = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(count, none);
        for (position, case) in (0..).zip(cases) {
            let next = self.builder.create_block();
            self.require(&case.given, next);
            let value = self.word(&case.value);
            let so_far = Bits::up_to(position, self.builder.use_var(count));
            // What was not given before lies behind the others, where it may be anything.
            for before in 0..position {
                let other = self.limb_of(frame, Bits::Known(before));
                let (same, there) = (
                    self.equal(value, other),
                    self.less(Bits::Known(before), so_far),
                );
                let is_known = self.join(same, there, true);
                let is_new = self.not(is_known);
                self.unless(is_new, next);
            }
            self.set_limb(frame, so_far, value);
            let more = self.add(so_far, Bits::Known(1));
            let more = self.value(more);
            self.builder.def_var(count, more);
            self.builder.ins().jump(next, &[]);
            self.enter(next);
        }
        let count = Bits::up_to(cases.len() as u64, self.builder.use_var(count));
        Given { frame, count }
    }

    /// For each of the values that terms give.
    pub(in crate::emit) fn each_given(
        &mut self,
        given: &Given,
        reach: u64,
        body: &mut dyn FnMut(&mut Self, Bits),
    ) {
        self.counted_to(given.count, &mut |e, at| {
            let value = e.limb_of(given.frame, at);
            body(e, value.limited(reach));
        });
    }

    /// Puts a code into a set. If the set has no room for it, the code bails out to the interpreter.
    fn put(&mut self, frame: Frame, code: Bits) {
        let is_code = self.not_above(code, frame.last_code());
        self.unless(is_code, self.bailout);
        let code = code.limited(frame.last_code().min(code.most()));
        let at = self.shr(code, Bits::Known(u64::from(WORD.ilog2())));
        let position = self.and(code, Bits::Known(WORD - 1));
        let bit = self.bit(position);
        let so_far = self.limb_of(frame, at);
        let with = self.or(so_far, bit);
        self.set_limb(frame, at, with);
    }

    /// Adds words to the function's stack frame.
    pub(super) fn frame(&mut self, words: u64) -> Frame {
        let bytes = words as u32 * u64::BITS / 8;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.builder.create_sized_stack_slot(data);
        Frame { slot, words }
    }

    pub(super) fn limb_of(&mut self, frame: Frame, at: Bits) -> Bits {
        let place = self.place_of(frame, at);
        let flags = MemFlagsData::trusted();
        Bits::any(self.builder.ins().load(I64, flags, place, 0))
    }

    pub(super) fn set_limb(&mut self, frame: Frame, at: Bits, word: Bits) {
        let place = self.place_of(frame, at);
        let (word, flags) = (self.value(word), MemFlagsData::trusted());
        self.builder.ins().store(flags, word, place, 0);
    }

    fn place_of(&mut self, frame: Frame, at: Bits) -> Value {
        let start = Bits::any(self.builder.ins().stack_addr(I64, frame.slot, 0));
        let distance = self.mul(at, WORD / 8);
        let place = self.add(start, distance);
        self.value(place)
    }

    /// The set of what `fill` gathers.
    pub(in crate::emit) fn gathering(
        &mut self,
        fill: &mut dyn FnMut(&mut Self, &mut Gathered),
    ) -> Bits {
        let set = self.builder.declare_var(I64);
        let none = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(set, none);
        let mut found = Gathered { set, most: 0 };
        fill(self, &mut found);
        Bits::up_to(found.most, self.builder.use_var(set))
    }

    /// Puts a code into a set if a condition holds. If no set has room for it, the code bails out to the interpreter.
    pub(in crate::emit) fn gather(&mut self, found: &mut Gathered, code: Bits, holds: Truth) {
        let is_code = self.not_above(code, WORD - 1);
        let absent = self.not(holds);
        let fits = self.join(absent, is_code, false);
        self.unless(fits, self.bailout);
        let bit = self.number(holds);
        let bit = self.shl(bit, code);
        found.most |= smear(bit.most());
        let so_far = Bits::any(self.builder.use_var(found.set));
        let with = self.or(so_far, bit);
        let with = self.value(with);
        self.builder.def_var(found.set, with);
    }
}

/// Whether all values of a plan's one domain satisfy it.
fn takes_all(plan: &Plan, level: &Level) -> bool {
    (&plan.filter, &level.filter) == (&Word::TRUE, &Word::TRUE)
}
