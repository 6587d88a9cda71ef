//! Terms that compute words.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData};
use interpreter::Field;
use interpreter::code::{Binary, Fold, Payload, Slot, Word};
use ioa_lang::core::Store;

use super::{Bits, Emitter, Truth};
use crate::analysis::{can_stop, size};
use crate::reach::low;

/// A branch of a conditional with no more operations than this is computed although the other may be taken.
const EAGER: u64 = 12;

impl Emitter<'_> {
    /// The value of a term.
    pub(crate) fn word(&mut self, word: &Word) -> Bits {
        match word {
            Word::Const(n) => Bits::Known(*n),
            Word::Load(store, field) => self.load(*store, *field),
            Word::Local(slot) => self.slot(*slot),
            Word::Loop(turn) if turn.fold == Fold::Collect => self.collected(turn),
            Word::Binary(
                op @ (Binary::Meet
                | Binary::Join
                | Binary::Differ
                | Binary::Without
                | Binary::Insert
                | Binary::Delete),
                parts,
            ) => self.binary(*op, &parts[0], &parts[1]),
            Word::Not(_)
            | Word::And(_)
            | Word::Or(_)
            | Word::Implies(_)
            | Word::Binary(..)
            | Word::Loop(_)
            | Word::Cell(_) => {
                let truth = self.truth(word);
                self.number(truth)
            }
            Word::If(parts) => self.conditional(parts),
            Word::Table(entries, index) => self.table(entries, index),
            Word::Succ(a) => {
                let a = self.word(a);
                self.add(a, Bits::Known(1))
            }
            Word::Pred(a) => self.pred(a),
            Word::Val(a, _) | Word::Entry(a, _) => self.val(a),
            Word::Payload(payload) => self.payload(payload),
            Word::Let(slot, parts) => {
                self.bind_word(*slot, &parts[0]);
                self.word(&parts[1])
            }
            Word::Offset(code, low) => {
                let code = self.word(code);
                self.add(code, Bits::Known(low.cast_unsigned()))
            }
            Word::Narrow(narrow) => self.narrow(narrow),
            Word::Arith(arith) => self.arith(arith),
            Word::Count(set) => {
                let set = self.word(set);
                self.count(set)
            }
            other => self.rearranged(other),
        }
    }

    /// Gives a bound variable the value of a term.
    pub(super) fn bind_word(&mut self, slot: Slot, word: &Word) {
        let bits = self.reach.word(word);
        let value = self.word(word);
        self.bind(slot, value, bits);
    }

    fn load(&mut self, store: Store, field: Field) -> Bits {
        let raw = self.raw(store, field);
        let shifted = self.shr(raw, Bits::Known(u64::from(field.shift)));
        if u64::from(field.shift) + u64::from(field.mask.count_ones()) >= 64 {
            return shifted;
        }
        self.and(shifted, Bits::Known(field.mask))
    }

    /// A word in which the term's value lies at some bit, perhaps among others: what reads a part of a variable need
    /// not cut the variable out first.
    fn lying(&mut self, word: &Word) -> (Bits, u64) {
        match word {
            Word::Load(store, field) => (self.raw(*store, *field), u64::from(field.shift)),
            word => (self.word(word), 0),
        }
    }

    /// The bits from element number `index` on, each of some width, of a packed array or set.
    pub(super) fn element(&mut self, array: &Word, index: Bits, width: u32) -> Bits {
        let (from, shift) = self.lying(array);
        let at = self.mul(index, u64::from(width));
        let at = self.add(at, Bits::Known(shift));
        self.shr(from, at)
    }

    pub(super) fn binary(&mut self, op: Binary, left: &Word, right: &Word) -> Bits {
        let (left, right) = (self.word(left), self.word(right));
        match op {
            Binary::Meet => self.and(left, right),
            Binary::Join => self.or(left, right),
            Binary::Differ => self.xor(left, right),
            Binary::Without => self.without(left, right),
            Binary::Insert => {
                let bit = self.shl(Bits::Known(1), left);
                self.or(right, bit)
            }
            Binary::Delete => {
                let bit = self.shl(Bits::Known(1), left);
                self.without(right, bit)
            }
            Binary::Equal | Binary::Less | Binary::Below | Binary::Subset | Binary::Member => {
                unreachable!("a relation is a truth value")
            }
        }
    }

    fn conditional(&mut self, parts: &[Word; 3]) -> Bits {
        let value = match self.truth(&parts[0]) {
            Truth::Known(true) => return self.word(&parts[1]),
            Truth::Known(false) => return self.word(&parts[2]),
            Truth::In(value) => value,
        };
        let eager = |word: &Word| size(word) <= EAGER && !can_stop(word);
        if eager(&parts[1]) && eager(&parts[2]) {
            let (a, b) = (self.word(&parts[1]), self.word(&parts[2]));
            let (a, b) = (self.value(a), self.value(b));
            return Bits::In(self.builder.ins().select(value, a, b));
        }
        let [yes, no, done] = std::array::from_fn(|_| self.builder.create_block());
        let result = self.builder.append_block_param(done, I64);
        self.builder.ins().brif(value, yes, &[], no, &[]);
        for (block, part) in [(yes, &parts[1]), (no, &parts[2])] {
            self.enter(block);
            let bits = self.word(part);
            let bits = [BlockArg::Value(self.value(bits))];
            self.builder.ins().jump(done, &bits);
        }
        self.enter(done);
        Bits::In(result)
    }

    fn pred(&mut self, null: &Word) -> Bits {
        let code = self.word(null);
        let some = self.differ(code, Bits::Known(0));
        let some = self.number(some);
        self.minus(code, some)
    }

    fn val(&mut self, null: &Word) -> Bits {
        let code = self.word(null);
        let some = self.differ(code, Bits::Known(0));
        self.unless(some, self.trouble);
        self.add(code, Bits::Known(u64::MAX))
    }

    fn payload(&mut self, payload: &Payload) -> Bits {
        let code = self.word(&payload.from);
        let variant = if payload.width < 64 {
            self.shr(code, Bits::Known(u64::from(payload.width)))
        } else {
            Bits::Known(0)
        };
        let right = self.equal(variant, Bits::Known(u64::from(payload.variant)));
        self.unless(right, self.trouble);
        self.and(code, Bits::Known(payload.mask))
    }

    /// The entry of a table: cut out of a constant where all entries fit one, else loaded.
    fn table(&mut self, entries: &std::sync::Arc<[u64]>, index: &Word) -> Bits {
        let index = match self.word(index) {
            Bits::Known(n) => return Bits::Known(entries[n as usize]),
            index => index,
        };
        let used = entries.iter().fold(0, |bits, entry| bits | entry);
        let width = u64::BITS - used.leading_zeros();
        if width == 0 {
            return Bits::Known(0);
        }
        if entries.len() as u64 * u64::from(width) <= 64 {
            let places = entries.iter().zip(0_u32..);
            let all = places.fold(0, |all, (entry, at)| all | entry << (at * width));
            let at = self.mul(index, u64::from(width));
            let entry = self.shr(Bits::Known(all), at);
            return self.and(entry, Bits::Known(low(width)));
        }
        self.loaded(entries, index)
    }

    /// An entry of a table that the instance owns, which outlives the code made from it.
    pub(super) fn loaded(&mut self, entries: &[u64], index: Bits) -> Bits {
        let start = Bits::Known(entries.as_ptr() as u64);
        let offset = self.shl(index, Bits::Known(3));
        let place = self.add(start, offset);
        let place = self.value(place);
        let flags = MemFlagsData::trusted();
        Bits::In(self.builder.ins().load(I64, flags, place, 0))
    }

    /// The terms that move bits about in tuples and arrays.
    fn rearranged(&mut self, word: &Word) -> Bits {
        match word {
            Word::Extract { from, shift, mask } => {
                let (from, at) = self.lying(from);
                let part = self.shr(from, Bits::Known(u64::from(*shift) + at));
                self.and(part, Bits::Known(*mask))
            }
            Word::Shift { value, shift } => {
                let value = self.word(value);
                self.shl(value, Bits::Known(u64::from(*shift)))
            }
            Word::Times(a, factor) => {
                let a = self.word(a);
                self.mul(a, *factor)
            }
            Word::Update { parts, shift, mask } => {
                let (whole, part) = (self.word(&parts[0]), self.word(&parts[1]));
                self.replaced(whole, Bits::Known(u64::from(*shift)), (*mask, part))
            }
            Word::Select { parts, width, mask } => {
                let index = self.word(&parts[1]);
                let element = self.element(&parts[0], index, *width);
                self.and(element, Bits::Known(*mask))
            }
            Word::Assign { parts, width, mask } => {
                let (array, index) = (self.word(&parts[0]), self.word(&parts[1]));
                let element = self.word(&parts[2]);
                let at = self.mul(index, u64::from(*width));
                self.replaced(array, at, (*mask, element))
            }
            Word::Column {
                parts,
                width,
                count,
            } => {
                let bit = self.word(&parts[1]);
                let bits = self.element(&parts[0], bit, 1);
                let bits = self.and(bits, Bits::Known(ones(*width, *count)));
                self.compressed(bits, *width, *count)
            }
            Word::Matches {
                parts,
                width,
                count,
                ..
            } => self.matches(parts, *width, *count),
            _ => unreachable!("every other term is computed by Emitter::word"),
        }
    }

    /// A word with the bits under a mask, from some position on, replaced by others.
    pub(super) fn replaced(&mut self, whole: Bits, at: Bits, (mask, part): (u64, Bits)) -> Bits {
        let hole = self.shl(Bits::Known(mask), at);
        let kept = self.without(whole, hole);
        let part = self.shl(part, at);
        self.or(kept, part)
    }

    /// The numbers of the elements of an array that equal a value: all compared at once. An element is equal where no
    /// bit differs; the bits of each element are joined into its lowest one.
    fn matches(&mut self, parts: &[Word; 2], width: u32, count: u32) -> Bits {
        let value = self.word(&parts[1]);
        if width == 0 {
            let equal = self.equal(value, Bits::Known(0));
            let equal = self.number(equal);
            return self.mul(equal, low(count));
        }
        let array = self.element(&parts[0], Bits::Known(0), 0);
        let repeated = self.mul(value, ones(width, count));
        let mut differ = self.xor(array, repeated);
        let mut joined = 1;
        while joined < width {
            let more = joined.min(width - joined);
            let shifted = self.shr(differ, Bits::Known(u64::from(more)));
            differ = self.or(differ, shifted);
            joined += more;
        }
        let equal = self.without(Bits::Known(ones(width, count)), differ);
        self.compressed(equal, width, count)
    }

    /// The `count` bits at multiples of `width` side by side: neighbours are brought together, then pairs, and so on.
    /// (Warren, Hacker's Delight, section 7-4, for a fixed mask.)
    fn compressed(&mut self, mut bits: Bits, width: u32, count: u32) -> Bits {
        if width == 0 {
            // All of them are the one bit there is.
            let first = self.and(bits, Bits::Known(1));
            return self.mul(first, low(count));
        }
        let mut group = 1;
        while group < count && width > 1 {
            let by = u64::from(group * (width - 1));
            let shifted = self.shr(bits, Bits::Known(by));
            let both = self.or(bits, shifted);
            group *= 2;
            bits = self.and(both, Bits::Known(groups(group, width, count)));
        }
        bits
    }
}

/// The lowest bit of each of `count` places of `width` bits.
fn ones(width: u32, count: u32) -> u64 {
    (0..count).fold(0, |ones, i| ones | 1 << (i * width))
}

/// The lowest `group` bits of each place that `group` elements take together.
fn groups(group: u32, width: u32, count: u32) -> u64 {
    let starts = (0..count).step_by(group as usize).map(|i| i * width);
    starts.fold(0, |mask, at| mask | low(group) << at)
}
