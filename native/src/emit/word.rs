//! Terms that compute words.

use std::sync::Arc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData};
use finite::{Elements, Slice, low_bits};
use interpreter::Field;
use interpreter::code::{Binary, Fold, Payload, Slot, Within, Word};
use ioa_lang::core::Store;

use super::Emitter;
use crate::analysis::{can_stop, size};
use crate::jit::kept::Kept;
use crate::value::{Bits, Truth};

/// A packed value that lies in a word, perhaps beside other values, which must not be read with it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    word: Bits,
    slice: Slice,
}

/// Maximum number of operations of a branch of a conditional that is computed even if the other branch is taken.
const EAGER: u64 = 12;

impl Emitter<'_> {
    /// The value of a term.
    pub(crate) fn word(&mut self, word: &Word) -> Bits {
        let bits = self.word_of(word);
        self.audited(word, bits);
        bits
    }

    fn word_of(&mut self, word: &Word) -> Bits {
        match word {
            Word::Const(n) => Bits::Known(*n),
            Word::Load(store, field) => self.load(*store, *field),
            Word::Local(slot) => self.slot(*slot),
            Word::Loop(turn) if turn.fold == Fold::Collect => self.collected(turn),
            Word::Binary(
                op @ (Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::AndNot
                | Binary::Insert
                | Binary::Delete
                | Binary::Plus
                | Binary::Minus),
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
            Word::Within(within) => self.within(within),
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

    /// Sets a bound variable to the value of a term.
    pub(super) fn bind_word(&mut self, slot: Slot, word: &Word) {
        let bits = self.reach.word(word);
        let value = self.word(word);
        self.bind(slot, value, bits);
    }

    pub(super) fn load(&mut self, store: Store, field: Field) -> Bits {
        let (word, slice) = (self.raw(store, field), field.slice());
        self.whole(Place { word, slice })
    }

    /// Where the value of a term lies. To read a part of a variable, it is not necessary to extract the variable from its
    /// word first.
    fn place(&mut self, word: &Word) -> Place {
        match word {
            Word::Load(store, field) => {
                let (word, slice) = (self.raw(*store, *field), field.slice());
                Place { word, slice }
            }
            word => {
                let word = self.word(word);
                let slice = Slice::new(0, u64::BITS - word.most().leading_zeros());
                Place { word, slice }
            }
        }
    }

    /// A packed value.
    fn whole(&mut self, place: Place) -> Bits {
        let Place { word, slice } = place;
        let from = self.shr(word, Bits::Known(u64::from(slice.shift())));
        self.and(from, Bits::Known(slice.mask()))
    }

    /// Some of the bits of a packed value.
    fn part(&mut self, place: Place, part: Slice) -> Bits {
        let Place { word, slice } = place;
        let slice = slice.part(part);
        self.whole(Place { word, slice })
    }

    /// The bits of a packed array or set under a mask, from element number `index` on, where each element has the same
    /// width. Every read at a computed index happens here. It never sees what lies beside the array: bits outside are read
    /// as 0.
    pub(super) fn element(&mut self, array: &Word, index: Bits, (width, mask): (u32, u64)) -> Bits {
        let place = self.place(array);
        self.element_at(place, index, (width, mask))
    }

    pub(super) fn element_at(
        &mut self,
        place: Place,
        index: Bits,
        (width, mask): (u32, u64),
    ) -> Bits {
        let at = self.offset(index, width);
        let length = u64::from(u64::BITS - mask.leading_zeros());
        let end = at.most().saturating_add(length);
        let from = if end <= u64::from(place.slice.bits()) {
            let at = self.add(at, Bits::Known(u64::from(place.slice.shift())));
            self.shr(place.word, at)
        } else {
            let array = self.whole(place);
            self.shr(array, at)
        };
        self.and(from, Bits::Known(mask))
    }

    /// The first bit of element number `index`, or a position after the last bit of a word if there is no such element.
    pub(super) fn offset(&mut self, index: Bits, width: u32) -> Bits {
        let index = match index.most().checked_mul(u64::from(width)) {
            Some(_) => index,
            None => self.at_most(index, u64::from(u64::BITS)),
        };
        self.mul(index, u64::from(width))
    }

    /// The set with one element, or the empty set if the element cannot be in a set.
    pub(super) fn bit(&mut self, index: Bits) -> Bits {
        self.shl(Bits::Known(1), index)
    }

    pub(super) fn binary(&mut self, op: Binary, left: &Word, right: &Word) -> Bits {
        let (left, right) = (self.word(left), self.word(right));
        match op {
            Binary::And => self.and(left, right),
            Binary::Or => self.or(left, right),
            Binary::Xor => self.xor(left, right),
            Binary::Plus => self.add(left, right),
            Binary::Minus => self.minus(left, right),
            Binary::AndNot => self.without(left, right),
            Binary::Insert => {
                let bit = self.bit(left);
                self.or(right, bit)
            }
            Binary::Delete => {
                let bit = self.bit(left);
                self.without(right, bit)
            }
            Binary::Equal | Binary::Less | Binary::SignedLess | Binary::Subset | Binary::Member => {
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
            return self.either(Truth::In(value), a, b);
        }
        let [yes, no, done] = std::array::from_fn(|_| self.builder.create_block());
        let result = self.builder.append_block_param(done, I64);
        self.builder.ins().brif(value, yes, &[], no, &[]);
        let mut most = 0;
        for (block, part) in [(yes, &parts[1]), (no, &parts[2])] {
            self.enter(block);
            let bits = self.word(part);
            most = bits.most().max(most);
            let bits = [BlockArg::Value(self.value(bits))];
            self.builder.ins().jump(done, &bits);
        }
        self.enter(done);
        Bits::up_to(most, result)
    }

    fn pred(&mut self, null: &Word) -> Bits {
        let code = self.word(null);
        let some = self.differ(code, Bits::Known(0));
        let some = self.number(some);
        self.less_by(code, some)
    }

    fn val(&mut self, null: &Word) -> Bits {
        let code = self.word(null);
        let some = self.differ(code, Bits::Known(0));
        self.unless(some, self.bailout);
        self.less_by(code, Bits::Known(1))
    }

    /// The difference of a word and another that is not greater.
    fn less_by(&mut self, a: Bits, b: Bits) -> Bits {
        self.minus(a, b).limited(a.most())
    }

    fn payload(&mut self, payload: &Payload) -> Bits {
        let code = self.word(&payload.from);
        let variant = self.shr(code, Bits::Known(u64::from(payload.slice.bits())));
        let right = self.equal(variant, Bits::Known(u64::from(payload.variant)));
        self.unless(right, self.bailout);
        self.and(code, Bits::Known(payload.slice.mask()))
    }

    fn within(&mut self, within: &Within) -> Bits {
        let (index, length) = (self.word(&within.index), self.word(&within.length));
        let is_there = self.less(index, length);
        self.unless(is_there, self.bailout);
        self.word(&within.value)
    }

    /// An entry of a table: extracted from a constant if all entries fit into one, otherwise loaded.
    fn table(&mut self, entries: &Arc<[u64]>, index: &Word) -> Bits {
        let index = match self.word(index) {
            Bits::Known(n) => {
                let entry = usize::try_from(n).ok().and_then(|n| entries.get(n));
                return Bits::Known(entry.copied().unwrap_or(0));
            }
            index => index,
        };
        let used = entries.iter().fold(0, |bits, entry| bits | entry);
        let width = u64::BITS - used.leading_zeros();
        if width == 0 {
            return Bits::Known(0);
        }
        if entries.len() as u64 * u64::from(width) <= 64 {
            let (elements, places) = (Elements::new(width), entries.iter().zip(0..));
            let word = places.fold(0, |all, (entry, at)| elements.replaced(all, at, *entry));
            let place = Place {
                word: Bits::Known(word),
                slice: Slice::new(0, u64::BITS),
            };
            return self.element_at(place, index, (width, elements.mask()));
        }
        self.loaded(entries, index)
    }

    /// An entry of a table that the code owns; the last entry if the index is too large.
    pub(super) fn loaded(&mut self, entries: &Arc<[u64]>, index: Bits) -> Bits {
        let Some(last) = entries.len().checked_sub(1) else {
            return Bits::Known(0);
        };
        let most = entries.iter().copied().max().unwrap_or(0);
        let start = self.address(Kept::Constants(Arc::clone(entries)));
        let index = self.at_most(index, last as u64);
        let offset = self.shl(index, Bits::Known(3));
        let place = self.add(start, offset);
        let place = self.value(place);
        let flags = MemFlagsData::trusted();
        Bits::up_to(most, self.builder.ins().load(I64, flags, place, 0))
    }

    /// The terms that extract or replace bits in tuples and arrays.
    fn rearranged(&mut self, word: &Word) -> Bits {
        match word {
            Word::Extract { from, slice } => {
                let place = self.place(from);
                self.part(place, *slice)
            }
            Word::Shift { value, shift } => {
                let value = self.word(value);
                self.shl(value, Bits::Known(u64::from(*shift)))
            }
            Word::Times(a, factor) => {
                let a = self.word(a);
                self.mul(a, *factor)
            }
            Word::Update { parts, slice } => {
                let (whole, part) = (self.word(&parts[0]), self.word(&parts[1]));
                let at = Bits::Known(u64::from(slice.shift()));
                self.replaced(whole, at, (slice.mask(), part))
            }
            Word::Select { parts, elements } => {
                let index = self.word(&parts[1]);
                self.element(&parts[0], index, (elements.width(), elements.mask()))
            }
            Word::Assign { parts, elements } => {
                let (array, index) = (self.word(&parts[0]), self.word(&parts[1]));
                let element = self.word(&parts[2]);
                let at = self.offset(index, elements.width());
                self.replaced(array, at, (elements.mask(), element))
            }
            Word::Column {
                parts,
                elements,
                count,
            } => {
                let bit = self.word(&parts[1]);
                let bits = self.element(&parts[0], bit, (1, elements.lowest_bits(*count)));
                self.compressed(bits, elements.width(), *count)
            }
            Word::Matches {
                parts,
                elements,
                count,
            } => self.matches(parts, *elements, *count),
            _ => unreachable!("every other term is computed by Emitter::word"),
        }
    }

    /// A word with the bits under a mask, from some position on, replaced by others.
    fn replaced(&mut self, whole: Bits, at: Bits, part: (u64, Bits)) -> Bits {
        self.replaced_in(Slice::new(0, u64::BITS), whole, at, part)
    }

    /// A word with the bits under a mask, from some position of a packed value on, replaced by others. Every write at a
    /// computed index happens here. It never changes what lies beside the value.
    pub(super) fn replaced_in(
        &mut self,
        slice: Slice,
        whole: Bits,
        at: Bits,
        (mask, part): (u64, Bits),
    ) -> Bits {
        let hole = self.shl(Bits::Known(mask), at);
        let hole = self.lying_in(slice, hole);
        let part = self.and(part, Bits::Known(mask));
        let part = self.shl(part, at);
        let part = self.lying_in(slice, part);
        let kept = self.without(whole, hole);
        self.or(kept, part)
    }

    /// Bits of a packed value, moved to where they lie in its word; bits that the value does not have are dropped.
    pub(super) fn lying_in(&mut self, slice: Slice, bits: Bits) -> Bits {
        let bits = self.and(bits, Bits::Known(slice.mask()));
        self.shl(bits, Bits::Known(u64::from(slice.shift())))
    }

    /// The indices of the elements of an array that equal a value. All elements are compared at once: an element is equal if
    /// no bit differs, so the differing bits of each element are combined into its lowest bit.
    fn matches(&mut self, parts: &[Word; 2], elements: Elements, count: u32) -> Bits {
        let (value, width) = (self.word(&parts[1]), elements.width());
        // No element equals a value that is wider than an element.
        let fits = self.not_above(value, elements.mask());
        if width == 0 {
            let equal = self.number(fits);
            return self.mul(equal, low_bits(count));
        }
        let value = self.and(value, Bits::Known(elements.mask()));
        let array = self.place(&parts[0]);
        let array = self.part(array, Slice::new(0, width * count));
        let ones = elements.lowest_bits(count);
        let repeated = self.mul(value, ones);
        let mut differ = self.xor(array, repeated);
        let mut joined = 1;
        while joined < width {
            let more = joined.min(width - joined);
            let shifted = self.shr(differ, Bits::Known(u64::from(more)));
            differ = self.or(differ, shifted);
            joined += more;
        }
        let equal = self.without(Bits::Known(ones), differ);
        let equal = self.either(fits, equal, Bits::Known(0));
        self.compressed(equal, width, count)
    }

    /// Compresses the `count` bits at multiples of `width` into adjacent bits: neighbours are joined, then pairs, and so on.
    /// (Warren, Hacker's Delight, section 7-4, for a fixed mask.)
    fn compressed(&mut self, mut bits: Bits, width: u32, count: u32) -> Bits {
        if width == 0 {
            // There is only one bit.
            let first = self.and(bits, Bits::Known(1));
            return self.mul(first, low_bits(count));
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

/// A mask of the lowest `group` bits in each field that `group` elements occupy.
fn groups(group: u32, width: u32, count: u32) -> u64 {
    let starts = (0..count).step_by(group as usize).map(|i| i * width);
    starts.fold(0, |mask, at| mask | low_bits(group) << at)
}
