//! Terms that compute words.

use std::sync::Arc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value};
use finite::{Elements, Slice};
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
    pub(super) word: Bits,
    pub(super) slice: Slice,
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
            word if self.reach.is_asked(word) => self.asked(word),
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
            Word::Number(numbering) => self.numbering(numbering),
            Word::Element(element) => self.element_numbered(element),
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
    pub(super) fn place(&mut self, word: &Word) -> Place {
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
    pub(super) fn whole(&mut self, place: Place) -> Bits {
        let Place { word, slice } = place;
        let from = self.shr(word, Bits::Known(u64::from(slice.shift())));
        self.and(from, Bits::Known(slice.mask()))
    }

    /// Some of the bits of a packed value.
    pub(super) fn part(&mut self, place: Place, part: Slice) -> Bits {
        let Place { word, slice } = place;
        let slice = slice.part(part);
        self.whole(Place { word, slice })
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
        let eager = |word: &Word| self.stops.is_some() || size(word) <= EAGER && !can_stop(word);
        if eager(&parts[1]) && eager(&parts[2]) {
            let (a, b) = (self.word(&parts[1]), self.word(&parts[2]));
            return self.either(Truth::In(value), a, b);
        }
        self.branched(value, [&parts[1], &parts[2]], Self::word)
    }

    /// The value of the first of two parts where a condition holds, and of the second where it does not; only that one is
    /// computed.
    pub(super) fn branched<P>(
        &mut self,
        condition: Value,
        parts: [&P; 2],
        compute: impl Fn(&mut Self, &P) -> Bits,
    ) -> Bits {
        let [yes, no, done] = std::array::from_fn(|_| self.builder.create_block());
        let result = self.builder.append_block_param(done, I64);
        self.builder.ins().brif(condition, yes, &[], no, &[]);
        let mut most = 0;
        for (block, part) in [yes, no].into_iter().zip(parts) {
            self.enter(block);
            let bits = compute(self, part);
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
        self.defined(some, |e| e.less_by(code, Bits::Known(1)))
    }

    /// The difference of a word and another that is not greater.
    fn less_by(&mut self, a: Bits, b: Bits) -> Bits {
        self.minus(a, b).limited(a.most())
    }

    fn payload(&mut self, payload: &Payload) -> Bits {
        let code = self.word(&payload.from);
        let distance = self.minus(code, Bits::Known(payload.begin));
        let right = self.not_above(distance, payload.max);
        self.defined(right, |_| distance.limited(payload.max))
    }

    fn within(&mut self, within: &Within) -> Bits {
        let (index, length) = (self.word(&within.index), self.word(&within.length));
        let is_there = self.less(index, length);
        self.defined(is_there, |e| e.word(&within.value))
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
        Bits::up_to(most, self.loaded_at(start, index))
    }

    /// The word at an index after an address.
    pub(super) fn loaded_at(&mut self, start: Bits, index: Bits) -> Value {
        let offset = self.shl(index, Bits::Known(3));
        let place = self.add(start, offset);
        let place = self.value(place);
        self.builder
            .ins()
            .load(I64, MemFlagsData::trusted(), place, 0)
    }
}
