//! Loops over the values of a domain, and over the valuations of a plan.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I64;
use interpreter::code::{Bound, Domain, Level, Plan, Slot, Term, Word};

use crate::analysis::{can_stop, size};
use crate::emit::Emitter;
use crate::emit::dictionary::of_numbers;
use crate::value::{Bits, Truth};

/// What is emitted for each value or valuation.
pub(crate) type Body<'b, 'f> = dyn FnMut(&mut Emitter<'f>) + 'b;

/// What is emitted for each valuation that may satisfy a plan; the truth value says whether it does.
pub(crate) type Candidate<'b, 'f> = dyn FnMut(&mut Emitter<'f>, Truth) + 'b;

/// Maximum number of operations of a loop that is unrolled.
const UNROLL: u64 = 160;

impl<'f> Emitter<'f> {
    /// Emits `body`, of approximately `size` operations, for each value of a domain.
    pub(in crate::emit) fn each(
        &mut self,
        domain: &Domain,
        slot: Slot,
        operations: u64,
        body: &mut Body<'_, 'f>,
    ) {
        let reach = self.reach.codes(domain);
        if self.reach.is_listed(domain) {
            let list = self.listed(domain, slot);
            return self.each_listed(list, &mut |e, value| {
                e.bind(slot, value, reach);
                body(e);
            });
        }
        match domain {
            Domain::Mask(mask) => match self.word(mask) {
                Bits::Known(mask) => self.each_known(&positions(mask), slot, operations, body),
                mask => self.each_bit(mask, &mut |e, code| {
                    e.bind(slot, code, reach);
                    body(e);
                }),
            },
            Domain::Masks(masks) => {
                let count = self.reach.count(domain);
                let masks: Vec<Bits> = masks.iter().map(|mask| self.word(mask)).collect();
                self.each_bit_of(&masks, count, &mut |e, code| {
                    e.bind(slot, code, reach);
                    body(e);
                });
            }
            Domain::Numbered(numbered) => {
                self.each_numbered(numbered, (slot, operations), body);
            }
            Domain::Below(n) if *n <= 64 => {
                let codes: Vec<u64> = (0..*n).collect();
                self.each_known(&codes, slot, operations, body);
            }
            Domain::Below(n) => self.counted(*n, &mut |e, code| {
                e.bind(slot, code, reach);
                body(e);
            }),
            Domain::Codes(codes) if codes.iter().all(|code| *code < 64) => {
                self.each_known(codes, slot, operations, body);
            }
            Domain::Codes(codes) => self.counted(codes.len() as u64, &mut |e, place| {
                let code = e.loaded(codes, place);
                e.bind(slot, code, reach);
                body(e);
            }),
            Domain::Exactly(Term::Word(word)) => {
                let code = self.word(word);
                self.bind(slot, code, reach);
                body(self);
            }
            Domain::Exactly(Term::General(term)) => {
                let name = self.name(term);
                self.bind(slot, name, reach);
                body(self);
            }
            Domain::OneOf(cases) => {
                let given = self.given(cases);
                self.each_given(&given, reach, &mut |e, value| {
                    e.bind(slot, value, reach);
                    body(e);
                });
            }
            Domain::Range(low, high, _) => {
                let count = self.reach.count(domain);
                let (low, high) = (self.end(low, true), self.end(high, false));
                self.between((low, high), count, &mut |e, n| {
                    e.bind(slot, n, reach);
                    body(e);
                });
            }
            Domain::Found(sources) => self.each_found((domain, sources), slot, body),
            _ => unreachable!("the values of other domains are listed"),
        }
    }

    /// The strongest of some bounds of an integer, the lower (true) or the upper ones.
    fn end(&mut self, bounds: &[Bound<Word>], low: bool) -> Bits {
        let mut best = None;
        for bound in bounds {
            let mut n = self.word(&bound.term);
            if bound.strict {
                let step = if low { 1 } else { u64::MAX };
                n = self.add(n, Bits::Known(step));
            }
            best = Some(match best {
                None => n,
                Some(best) => self.stronger(low, best, n),
            });
        }
        best.expect("an integer is enumerated between at least one bound on either side")
    }

    /// Emits a loop over the integers from one to another. The analysis excludes more than `count` of them; if there were
    /// more, the interpreter would handle the state.
    fn between(
        &mut self,
        (low, high): (Bits, Bits),
        count: u64,
        body: &mut dyn FnMut(&mut Self, Bits),
    ) {
        let first = self.value(low);
        let next = self.builder.declare_var(I64);
        self.builder.def_var(next, first);
        let (turn, done) = (self.builder.create_block(), self.builder.create_block());
        let some = self.builder.create_block();
        let empty = self.below(high, low);
        let empty = self.byte(empty);
        self.builder.ins().brif(empty, done, &[], some, &[]);
        self.enter(some);
        let distance = self.minus(high, low);
        let bounded = self.not_above(distance, count.saturating_sub(1));
        self.unless(bounded, self.bailout);
        self.builder.ins().jump(turn, &[]);
        self.builder.switch_to_block(turn);
        let at = Bits::any(self.builder.use_var(next));
        let after = self.add(at, Bits::Known(1));
        let after = self.value(after);
        self.builder.def_var(next, after);
        self.turned(count, &mut |e| body(e, at));
        let after = Bits::any(self.builder.use_var(next));
        let over = self.below(high, after);
        let over = self.byte(over);
        self.builder.ins().brif(over, done, &[], turn, &[]);
        self.builder.seal_block(turn);
        self.enter(done);
    }

    /// Emits the body of a loop with at most `count` iterations.
    fn turned(&mut self, count: u64, body: &mut dyn FnMut(&mut Self)) {
        let turns = self.turns;
        self.turns = turns.saturating_mul(count);
        body(self);
        self.turns = turns;
    }

    /// For each of some codes below 64.
    pub(in crate::emit) fn each_known(
        &mut self,
        codes: &[u64],
        slot: Slot,
        operations: u64,
        body: &mut Body<'_, 'f>,
    ) {
        let reach = codes.iter().fold(0, |bits, code| bits | code);
        let all = all_turns(codes, operations);
        if codes.len() <= 1 || is_short(codes, operations) && self.may_unroll(all) {
            for code in codes {
                self.bind(slot, Bits::Known(*code), reach);
                body(self);
            }
        } else {
            let mask = codes.iter().fold(0, |mask, code| mask | 1 << code);
            self.each_bit(Bits::Known(mask), &mut |e, code| {
                e.bind(slot, code, reach);
                body(e);
            });
        }
    }

    /// For each bit of a mask, lowest first.
    pub(in crate::emit) fn each_bit(&mut self, mask: Bits, body: &mut dyn FnMut(&mut Self, Bits)) {
        let count = match mask {
            Bits::Known(mask) => mask.count_ones(),
            mask => last_bit(mask.most()) + 1,
        };
        self.each_bit_among(mask, u64::from(count), body);
    }

    /// For each bit of a mask that has at most so many.
    pub(in crate::emit) fn each_bit_among(
        &mut self,
        mask: Bits,
        count: u64,
        body: &mut dyn FnMut(&mut Self, Bits),
    ) {
        let last = last_bit(mask.most());
        let mask = self.value(mask);
        let rest = self.builder.declare_var(I64);
        self.builder.def_var(rest, mask);
        let (turn, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(mask, turn, &[], done, &[]);
        self.builder.switch_to_block(turn);
        let mask = self.builder.use_var(rest);
        let code = self.builder.ins().ctz(mask);
        let one = self.builder.ins().iconst(I64, 1);
        let less = self.builder.ins().isub(mask, one);
        let left = self.builder.ins().band(mask, less);
        self.builder.def_var(rest, left);
        let code = Bits::up_to(u64::from(last), code);
        self.turned(count, &mut |e| body(e, code));
        let left = self.builder.use_var(rest);
        self.builder.ins().brif(left, turn, &[], done, &[]);
        self.builder.seal_block(turn);
        self.enter(done);
    }

    /// For each bit of some masks, each of which goes on where the one before ends, lowest first: at most `count`.
    pub(in crate::emit) fn each_bit_of(
        &mut self,
        masks: &[Bits],
        count: u64,
        body: &mut dyn FnMut(&mut Self, Bits),
    ) {
        let is_any = |mask: &Bits| *mask != Bits::Known(0);
        let Some(first) = masks.iter().position(is_any) else {
            return;
        };
        let last = masks.iter().rposition(is_any).unwrap_or(first);
        let begin = Bits::Known(u64::from(u64::BITS) * first as u64);
        let body = &mut |e: &mut Self, bit| {
            let code = e.add(begin, bit);
            body(e, code);
        };
        match masks[first..=last] {
            [mask] => self.each_bit_among(mask, count.min(u64::from(u64::BITS)), body),
            ref masks => {
                let set = self.framed(masks, count);
                self.each_in(&set, body);
            }
        }
    }

    /// For each number below `n`, which is not 0.
    pub(in crate::emit) fn counted(&mut self, n: u64, body: &mut dyn FnMut(&mut Self, Bits)) {
        self.counted_to(Bits::Known(n), body);
    }

    /// For each number below another, which may be 0 unless it is known.
    pub(in crate::emit) fn counted_to(&mut self, n: Bits, body: &mut dyn FnMut(&mut Self, Bits)) {
        let next = self.builder.declare_var(I64);
        let zero = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(next, zero);
        let (turn, done) = (self.builder.create_block(), self.builder.create_block());
        match n {
            Bits::Known(_) => self.builder.ins().jump(turn, &[]),
            Bits::In { value, .. } => self.builder.ins().brif(value, turn, &[], done, &[]),
        };
        self.builder.switch_to_block(turn);
        let at = self.builder.use_var(next);
        let one = self.builder.ins().iconst(I64, 1);
        let after = self.builder.ins().iadd(at, one);
        self.builder.def_var(next, after);
        let code = Bits::up_to(n.most().saturating_sub(1), at);
        self.turned(n.most(), &mut |e| body(e, code));
        let after = Bits::any(self.builder.use_var(next));
        let more = self.less(after, n);
        let more = self.byte(more);
        self.builder.ins().brif(more, turn, &[], done, &[]);
        self.builder.seal_block(turn);
        self.enter(done);
    }

    /// Emits `inner` for each valuation of a plan.
    pub(crate) fn plan(&mut self, plan: &Plan, inner: &mut Body<'_, 'f>) {
        self.plan_by(plan, false, &mut |e, _| inner(e));
    }

    /// As [`Emitter::plan`]; but if `eager` is set, `inner` is emitted without a branch if the last condition on a valuation
    /// is cheap.
    pub(in crate::emit) fn plan_by(
        &mut self,
        plan: &Plan,
        eager: bool,
        inner: &mut Candidate<'_, 'f>,
    ) {
        let done = self.builder.create_block();
        self.require(&plan.filter, done);
        self.levels(&plan.levels, eager, inner);
        self.builder.ins().jump(done, &[]);
        self.enter(done);
    }

    fn levels(&mut self, levels: &[Level], eager: bool, inner: &mut Candidate<'_, 'f>) {
        let Some((level, rest)) = levels.split_first() else {
            return inner(self, Truth::Known(true));
        };
        for level in levels {
            let codes = self.reach.codes(&level.domain);
            self.bind(level.binder.slot, Bits::Known(0), codes);
        }
        let by_number;
        let (level, value) = match &level.domain {
            Domain::Numbered(numbered) => {
                by_number = of_numbers(level, numbered);
                (&by_number, Some((level.binder.slot, numbered.value())))
            }
            _ => (level, None),
        };
        let name = |e: &mut Self| {
            if let Some((slot, value)) = &value {
                e.bind_word(*slot, value);
            }
        };
        let inside: u64 = rest.iter().map(|level| self.level_effort(level)).sum();
        let effort = self.effort(&level.filter);
        let operations = INNERMOST + inside + effort;
        let unbranched =
            eager && rest.is_empty() && effort <= UNBRANCHED && !can_stop(&level.filter);
        let slot = level.binder.slot;
        if let Some(conditions) = self.conditions(level) {
            let reach = self.reach.codes(&level.domain);
            let values = self.values_of(level, &conditions);
            let count = self.reach.count(&level.domain);
            let mut turn = |e: &mut Self, code| {
                e.take_turn();
                e.bind(slot, code, reach);
                name(e);
                e.levels_if(&conditions.rest, rest, eager, inner);
            };
            return match values[..] {
                [values] => self.each_bit_among(values, count, &mut turn),
                _ => self.each_bit_of(&values, count, &mut turn),
            };
        }
        if !unbranched && let Some((mask, left)) = self.tested(level, operations) {
            let reach = self.reach.codes(&level.domain);
            let count = self.reach.count(&level.domain);
            return self.each_bit_among(mask, count, &mut |e, code| {
                e.take_turn();
                e.bind(slot, code, reach);
                name(e);
                e.levels_if(&left, rest, eager, inner);
            });
        }
        self.each(&level.domain, slot, operations, &mut |e| {
            e.take_turn();
            name(e);
            if level.filter == Word::TRUE {
                return e.levels(rest, eager, inner);
            }
            if unbranched {
                let holds = e.truth(&level.filter);
                return inner(e, holds);
            }
            e.levels_if(&level.filter, rest, eager, inner);
        });
    }

    /// The rest of the levels, where a condition on the binders so far holds.
    fn levels_if(
        &mut self,
        condition: &Word,
        rest: &[Level],
        eager: bool,
        inner: &mut Candidate<'_, 'f>,
    ) {
        let skip = self.builder.create_block();
        self.require(condition, skip);
        self.levels(rest, eager, inner);
        self.builder.ins().jump(skip, &[]);
        self.enter(skip);
    }

    /// Approximate number of operations to set a binder to one value.
    fn level_effort(&self, level: &Level) -> u64 {
        let domain = match &level.domain {
            Domain::Mask(word) => size(word),
            _ => 0,
        };
        4 + domain + self.effort(&level.filter)
    }
}

/// Maximum number of operations of a condition, and of an effect, that are computed without a branch: it is hard to predict
/// which steps are enabled, and a mispredicted branch costs more.
pub(in crate::emit) const UNBRANCHED: u64 = 24;

/// Approximate number of operations of an effect.
pub(in crate::emit) const INNERMOST: u64 = 12;

/// The operations of a loop that is unrolled, whose body takes so many.
fn all_turns(codes: &[u64], operations: u64) -> u64 {
    (operations + 2).saturating_mul(codes.len() as u64)
}

/// Whether a loop over some values whose body takes so many operations is unrolled, while there is room for it.
pub(in crate::emit) fn is_short(codes: &[u64], operations: u64) -> bool {
    all_turns(codes, operations) <= UNROLL
}

/// The position of the highest bit of a word; 0 where there is none.
fn last_bit(mask: u64) -> u32 {
    mask.checked_ilog2().unwrap_or(0)
}

/// The positions of the bits of a word, ascending.
pub(in crate::emit) fn positions(mask: u64) -> Vec<u64> {
    (0..64).filter(|at| mask >> at & 1 == 1).collect()
}
