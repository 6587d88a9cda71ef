//! Multisets: how often each element is there, side by side by the elements' codes.
//!
//! Two multisets are added, subtracted and compared limb by limb, all counts of a limb at once (Warren, "Hacker's
//! Delight", second edition, section 2-18).

use finite::{Form, Packing, Slots, WideForm, low_bits};
use ioa_lang::Span;
use ioa_lang::core::{Expr, Op};

use super::super::Compiler;
use super::row::Row;
use super::sequence::narrowed;
use super::terms::{any, chosen, cut, moved, sum};
use crate::code::{Binary, Limbs, Slot, Word};

/// A term that is a multiset, taken apart.
struct Multiset {
    lets: Vec<(Slot, Word)>,
    /// The limbs with the counts, each a leaf.
    limbs: Vec<Word>,
    row: Row,
    element: Packing,
    count: Packing,
}

/// Where the count of a value is.
struct Place {
    /// A leaf: 0 if the value has no code.
    code: Word,
    /// Whether the value has a code, a leaf.
    has_code: Word,
    /// What the place holds, a leaf.
    count: Word,
}

impl Multiset {
    fn limbs(self, words: Vec<Word>) -> Limbs {
        let lets = self.lets;
        Limbs { lets, words }
    }

    /// A term that is evaluated after the temporaries.
    fn around(self, word: Word) -> Word {
        self.limbs(Vec::new()).around(word)
    }
}

impl Compiler<'_> {
    /// An operator on multisets that are words.
    pub(crate) fn multiset_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        match self.of_multiset(expr, op, args) {
            Some(word) => word,
            None => self.multiset_limbs(expr, op, args).single(),
        }
    }

    /// An operator that says something of multisets.
    pub(super) fn of_multiset(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Option<Word> {
        Some(match op {
            Op::MsetMember | Op::Count => {
                let (bag, place) = self.place_in(&args[1], &args[0]);
                let count = chosen(place.has_code, place.count, Word::FALSE);
                bag.around(match op {
                    Op::Count => count,
                    _ => Word::Not(Box::new(Word::binary(Binary::Equal, count, Word::FALSE))),
                })
            }
            Op::MsetSize => {
                let bag = self.multiset(&args[0]);
                let sizes = bag.limbs.iter().zip(&bag.row.counts);
                let sizes = sizes.flat_map(|(limb, count)| size(&bag.row, limb, *count));
                let size = sizes.reduce(|a, b| sum(a, b, expr.span));
                bag.around(size.unwrap_or(Word::FALSE))
            }
            Op::MsetSubset => {
                let (bag, others) = self.multisets(args);
                let within = bag.limbs.iter().zip(&others).zip(&bag.row.counts);
                let within = within.map(|((limb, other), count)| {
                    let all = Word::Const(tops(&bag.row, *count));
                    let not_less = not_less(&bag.row, *count, other, limb);
                    Word::binary(Binary::Equal, not_less, all)
                });
                let within = Word::all(within.collect());
                bag.around(within)
            }
            _ => return None,
        })
    }

    /// The limbs of an operator's result, where that is a multiset.
    pub(super) fn multiset_limbs(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Limbs {
        match op {
            Op::EmptyMset => {
                let row = self.row_of_counts(expr).0;
                let words = row.counts.iter().map(|_| Word::FALSE).collect();
                let lets = Vec::new();
                Limbs { lets, words }
            }
            Op::MsetInsert => self.one_more(expr, args),
            Op::MsetDelete => {
                let (bag, place) = self.place_in(&args[1], &args[0]);
                let less = Word::Pred(Box::new(place.count.clone()));
                let count = chosen(place.has_code, less, place.count);
                let words = bag.row.assigned(&bag.limbs, &place.code, &count);
                bag.limbs(words)
            }
            _ => self.combined(expr, op, args),
        }
    }

    fn one_more(&mut self, expr: &Expr, args: &[Expr]) -> Limbs {
        let (_, element, count) = self.row_of_counts(expr);
        let mut lets = Vec::new();
        let code = self.code(&args[0], &element);
        let code = self.kept(&mut lets, code);
        let mut bag = self.multiset(&args[1]);
        lets.append(&mut bag.lets);
        bag.lets = lets;
        let before = bag.row.selected(&bag.limbs, &code);
        let more = narrowed(moved(before, 1), &count, expr.span);
        let more = self.kept(&mut bag.lets, more);
        let words = bag.row.assigned(&bag.limbs, &code, &more);
        bag.limbs(words)
    }

    /// The sum, the intersection or the difference of two multisets.
    fn combined(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Limbs {
        let (mut bag, others) = self.multisets(args);
        let limbs = std::mem::take(&mut bag.limbs);
        let mut words = Vec::new();
        for (at, (limb, other)) in limbs.iter().zip(&others).enumerate() {
            let places = bag.row.counts[at];
            if op == Op::MsetUnion {
                words.push(self.added(&mut bag, places, (limb, other), expr.span));
                continue;
            }
            let first = not_less(&bag.row, places, limb, other);
            let is_greater = Word::Times(
                Box::new(cut(&first, bag.row.bits - 1, u64::BITS - bag.row.bits)),
                bag.row.elements().mask(),
            );
            let is_greater = self.kept(&mut bag.lets, is_greater);
            let less = Word::binary(
                Binary::Or,
                Word::binary(Binary::And, other.clone(), is_greater.clone()),
                Word::binary(Binary::AndNot, limb.clone(), is_greater),
            );
            words.push(match op {
                Op::MsetIntersection => less,
                _ => Word::binary(Binary::Minus, limb.clone(), less),
            });
        }
        bag.limbs(words)
    }

    /// The sums of the counts of two limbs, if there is room for each.
    fn added(
        &mut self,
        bag: &mut Multiset,
        places: u32,
        (limb, other): (&Word, &Word),
        span: Span,
    ) -> Word {
        let max = bag.count.max;
        let most = Word::Const(bag.row.elements().lowest_bits(places) * max);
        let room = self.kept(
            &mut bag.lets,
            Word::binary(Binary::Minus, most, limb.clone()),
        );
        let all = Word::Const(tops(&bag.row, places));
        let fits = Word::binary(Binary::Equal, not_less(&bag.row, places, &room, other), all);
        // A count that has no room is one that is greater than all that have.
        let beyond = chosen(fits, Word::FALSE, Word::Const(max + 1));
        let nothing = narrowed(beyond, &bag.count, span);
        let nothing = self.kept(&mut bag.lets, nothing);
        let sum = Word::binary(Binary::Plus, limb.clone(), other.clone());
        Word::binary(Binary::Or, nothing, sum)
    }

    /// A multiset, and where the count of a value is in it, which need not have a code.
    fn place_in(&mut self, bag: &Expr, value: &Expr) -> (Multiset, Place) {
        let mut lets = Vec::new();
        let mut bag = self.multiset(bag);
        let value = self.sought(value, &bag.element);
        let value = self.kept(&mut lets, value);
        lets.append(&mut bag.lets);
        bag.lets = lets;
        let (code, has_code) = match bag.element.form {
            Form::Int(..) | Form::Numbered(..) => {
                let end = Word::Const(bag.element.max + 1);
                let has_code = Word::binary(Binary::Less, value.clone(), end);
                let has_code = self.kept(&mut bag.lets, has_code);
                let code = chosen(has_code.clone(), value, Word::FALSE);
                (self.kept(&mut bag.lets, code), has_code)
            }
            _ => (value, Word::TRUE),
        };
        let count = bag.row.selected(&bag.limbs, &code);
        let count = self.kept(&mut bag.lets, count);
        let place = Place {
            code,
            has_code,
            count,
        };
        (bag, place)
    }

    /// Two multisets of one type: the first, and the limbs of the second, which are kept with it.
    fn multisets(&mut self, args: &[Expr]) -> (Multiset, Vec<Word>) {
        let (mut first, second) = (self.multiset(&args[0]), self.multiset(&args[1]));
        first.lets.extend(second.lets);
        (first, second.limbs)
    }

    /// A term that is a multiset, taken apart.
    fn multiset(&mut self, expr: &Expr) -> Multiset {
        let (row, element, count) = self.row_of_counts(expr);
        let Limbs { mut lets, words } = match self.is_packed(&expr.ty) {
            true => Limbs {
                lets: Vec::new(),
                words: vec![self.word(expr)],
            },
            false => self.limbs(expr),
        };
        let limbs = words.into_iter().map(|word| self.kept(&mut lets, word));
        let limbs = limbs.collect();
        Multiset {
            lets,
            limbs,
            row,
            element,
            count,
        }
    }

    /// The counts of a term that is a multiset, how an element is packed, and how a count is.
    fn row_of_counts(&mut self, expr: &Expr) -> (Row, Packing, Packing) {
        let packed = self.shape(&expr.ty).packing().map(|p| p.form.clone());
        let (element, count) = match packed {
            Some(Form::Mset(element, count)) => (*element, *count),
            _ => match self.wide(&expr.ty).map(|wide| wide.form.clone()) {
                Some(WideForm::Mset(element, count)) => (element, count),
                _ => unreachable!("an operator of packed multisets has one"),
            },
        };
        let slots = Slots::of(count.slot_bits());
        (Row::filled(element.max + 1, slots), element, count)
    }

    /// The elements of a multiset as masks, each of 64 codes; none if it does not lie in words.
    pub(crate) fn members_of_multiset(&mut self, expr: &Expr) -> Option<Box<[Word]>> {
        if !self.is_word_or_limbs(expr) {
            return None;
        }
        let bag = self.multiset(expr);
        let last = bag.element.max / u64::from(u64::BITS);
        let masks = (0..=last).map(|mask| {
            let begin = (mask * u64::from(u64::BITS)).cast_signed();
            let (lets, words) = (bag.lets.clone(), Vec::new());
            Limbs { lets, words }.around(members(&bag, begin))
        });
        Some(masks.collect())
    }
}

/// The mask of the elements from one code on.
fn members(bag: &Multiset, begin: i64) -> Word {
    let end = begin + i64::from(u64::BITS);
    let limbs = bag.limbs.iter().zip(&bag.row.counts).zip(bag.row.begins());
    any(limbs.filter_map(|((limb, count), first)| {
        let (from, to) = (begin.max(first), end.min(first + i64::from(*count)));
        (from < to).then(|| {
            let there = there(&bag.row, limb, *count);
            let members = cut(&there, (from - first) as u32, (to - from) as u32);
            match (from - begin) as u32 {
                0 => members,
                shift => Word::Shift {
                    value: Box::new(members),
                    shift,
                },
            }
        })
    }))
}

/// The mask of the places of a limb that do not hold 0.
fn there(row: &Row, limb: &Word, count: u32) -> Word {
    if row.bits == 1 {
        return limb.clone();
    }
    let missing = Word::Matches {
        parts: Box::new([limb.clone(), Word::FALSE]),
        elements: row.elements(),
        count,
    };
    Word::binary(Binary::AndNot, Word::Const(low_bits(count)), missing)
}

/// The numbers of which the sum is that of the counts in a limb: how many have each bit, times what it is worth.
fn size(row: &Row, limb: &Word, count: u32) -> impl Iterator<Item = Word> {
    let ones = row.elements().lowest_bits(count);
    (0..row.bits).map(move |bit| {
        let those = Word::binary(Binary::And, limb.clone(), Word::Const(ones << bit));
        let how_many = Word::Count(Box::new(those));
        match bit {
            0 => how_many,
            shift => Word::Shift {
                value: Box::new(how_many),
                shift,
            },
        }
    })
}

/// The highest bit of each place.
fn tops(row: &Row, count: u32) -> u64 {
    row.elements().lowest_bits(count) << (row.bits - 1)
}

/// The highest bits of those places in which the first limb does not hold less than the second.
///
/// Where a place's highest bit is set in what is subtracted from, and not in what is subtracted, it does not borrow from
/// the next place, and keeps the bit if its lower bits did not need it. The highest bits are then compared by themselves.
fn not_less(row: &Row, count: u32, first: &Word, second: &Word) -> Word {
    let tops = Word::Const(tops(row, count));
    let rest = Word::binary(
        Binary::Minus,
        Word::binary(Binary::Or, first.clone(), tops.clone()),
        Word::binary(Binary::AndNot, second.clone(), tops.clone()),
    );
    let differ = Word::binary(Binary::Xor, first.clone(), second.clone());
    let greater = Word::binary(Binary::AndNot, first.clone(), second.clone());
    let same = Word::binary(Binary::AndNot, rest, differ);
    let either = Word::binary(Binary::Or, greater, same);
    Word::binary(Binary::And, either, tops)
}
