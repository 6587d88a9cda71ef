//! Sequences: a length and places, of which those behind the length hold 0.

use finite::{Elements, Form, Packing, Slice, Slots, WideForm, low_bits};
use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Op};

use super::super::Compiler;
use super::super::number::decoded;
use super::row::Row;
use super::terms::{any, cut, lowest, moved, sum};
use crate::code::{Arith, Binary, Case, Limbs, Narrow, Slot, Within, Word};

/// A term that is a sequence, taken apart.
pub(super) struct Sequence {
    lets: Vec<(Slot, Word)>,
    /// A leaf.
    length: Word,
    /// The limbs with the places.
    places: Vec<Word>,
    row: Row,
    /// How the length is packed where the sequence is a word: how many bits are below the places.
    below: Option<u32>,
}

impl Sequence {
    /// The sequence as limbs: one, or the places and the length.
    pub(super) fn limbs(self) -> Limbs {
        let Self {
            lets,
            length,
            mut places,
            below,
            ..
        } = self;
        let words = match below {
            None => {
                places.push(length);
                places
            }
            Some(shift) => match places.pop() {
                Some(places) => {
                    let value = Box::new(places);
                    let places = Word::Shift { value, shift };
                    vec![Word::binary(Binary::Or, places, length)]
                }
                None => vec![length],
            },
        };
        Limbs { lets, words }
    }

    /// A term that is evaluated after the temporaries.
    fn around(self, word: Word) -> Word {
        let words = Vec::new();
        let lets = self.lets;
        Limbs { lets, words }.around(word)
    }
}

/// How the sequences of a type are packed: the length, an element.
type Packed = (Packing, Packing);

impl Compiler<'_> {
    /// An operator on sequences that are words.
    pub(crate) fn sequence_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        if let Some(word) = self.of_sequence(expr, op, args) {
            return word;
        }
        self.sequence(expr).limbs().single()
    }

    /// An operator that takes a part of a sequence, or says something of one.
    pub(super) fn of_sequence(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Option<Word> {
        let span = expr.span;
        Some(match op {
            Op::Len => {
                let sequence = self.sequence(&args[0]);
                let length = sequence.length.clone();
                sequence.around(length)
            }
            Op::Head | Op::Last | Op::Nth => {
                let (_, element) = self.packed_sequence(&args[0]);
                let mut sequence = self.sequence(&args[0]);
                let (index, place) = match op {
                    Op::Head => (Word::FALSE, Word::FALSE),
                    Op::Last => (Word::FALSE, before(&sequence.length)),
                    _ => {
                        let index = self.word(&args[1]);
                        let index = self.kept(&mut sequence.lets, index);
                        (index.clone(), index)
                    }
                };
                let value = sequence.row.selected(&sequence.places, &place);
                let within = Word::Within(Box::new(Within {
                    index,
                    length: sequence.length.clone(),
                    value,
                    is_index: op == Op::Nth,
                    span,
                }));
                decoded(sequence.around(within), &element)
            }
            Op::SeqMember => {
                let (length, element) = self.packed_sequence(&args[1]);
                let (mut lets, mut value) = (Vec::new(), self.word(&args[0]));
                if let Form::Int(low, _) = element.form {
                    value = moved(value, low.saturating_neg());
                }
                let value = self.kept(&mut lets, value);
                let mut sequence = self.sequence(&args[1]);
                lets.append(&mut sequence.lets);
                let found = found(&sequence, &length, &value);
                let words = Vec::new();
                Limbs { lets, words }.around(found)
            }
            _ => return None,
        })
    }

    /// How a sequence is packed.
    fn packed_sequence(&mut self, expr: &Expr) -> Packed {
        if let Some(Form::Seq(length, element)) = self.shape(&expr.ty).packing().map(|p| &p.form) {
            return ((**length).clone(), (**element).clone());
        }
        match self.wide(&expr.ty).map(|wide| wide.form.clone()) {
            Some(WideForm::Seq { length, element }) => (length, element),
            _ => unreachable!("an operator of packed sequences has one"),
        }
    }

    /// A term that is a sequence, taken apart.
    pub(super) fn sequence(&mut self, expr: &Expr) -> Sequence {
        let ExprKind::Apply(op, args) = &expr.kind else {
            return self.whole_sequence(expr);
        };
        let (length, element) = self.packed_sequence(expr);
        match op {
            Op::EmptySeq => self.empty_sequence(expr),
            Op::Append | Op::Prepend => {
                let (whole, value) = match op {
                    Op::Append => (&args[0], &args[1]),
                    _ => (&args[1], &args[0]),
                };
                let mut sequence = self.sequence(whole);
                let value = self.code(value, &element);
                let value = self.kept(&mut sequence.lets, value);
                let longer = moved(sequence.length.clone(), 1);
                let longer = narrowed(longer, &length, expr.span);
                let longer = self.kept(&mut sequence.lets, longer);
                let row = &sequence.row;
                sequence.places = match op {
                    Op::Append => row.assigned(&sequence.places, &sequence.length, &value),
                    _ => pushed(row, &sequence.places, value),
                };
                sequence.length = longer;
                sequence
            }
            Op::Tail | Op::Init => {
                let mut sequence = self.sequence(&args[0]);
                let shorter = Word::Within(Box::new(Within {
                    index: Word::FALSE,
                    length: sequence.length.clone(),
                    value: before(&sequence.length),
                    is_index: false,
                    span: expr.span,
                }));
                sequence.length = self.kept(&mut sequence.lets, shorter);
                sequence.places = match op {
                    Op::Tail => pulled(&sequence.row, &sequence.places),
                    _ => {
                        let (places, last) = (&sequence.places, &sequence.length);
                        sequence.row.assigned(places, last, &Word::FALSE)
                    }
                };
                sequence
            }
            Op::Concat => {
                let (mut first, second) = (self.sequence(&args[0]), self.sequence(&args[1]));
                first.lets.extend(second.lets);
                let sum = sum(first.length.clone(), second.length, expr.span);
                let sum = narrowed(sum, &length, expr.span);
                let sum = self.kept(&mut first.lets, sum);
                first.places = joined(&first.row, &first.places, &first.length, &second.places);
                first.length = sum;
                first
            }
            _ => self.whole_sequence(expr),
        }
    }

    fn empty_sequence(&mut self, expr: &Expr) -> Sequence {
        let (length, element) = self.packed_sequence(expr);
        let row = Row::filled(length.max, Slots::of(element.slot_bits()));
        let is_word = self.is_packed(&expr.ty);
        Sequence {
            lets: Vec::new(),
            length: Word::FALSE,
            places: row.counts.iter().map(|_| Word::FALSE).collect(),
            row,
            below: is_word.then_some(length.bits),
        }
    }

    /// A sequence that is not put together here: it is taken apart.
    fn whole_sequence(&mut self, expr: &Expr) -> Sequence {
        let mut sequence = self.empty_sequence(expr);
        let Some(below) = sequence.below else {
            let Limbs { lets, words } = self.limbs(expr);
            sequence.lets = lets;
            let kept = words.into_iter().map(|w| self.kept(&mut sequence.lets, w));
            sequence.places = kept.collect();
            sequence.length = sequence.places.pop().unwrap_or(Word::FALSE);
            return sequence;
        };
        let code = self.word(expr);
        let code = self.kept(&mut sequence.lets, code);
        let cut = |shift, bits| Word::Extract {
            from: Box::new(code.clone()),
            slice: Slice::new(shift, bits),
        };
        let length = cut(0, below);
        sequence.length = self.kept(&mut sequence.lets, length);
        if let Some(places) = sequence.places.first_mut() {
            let bits = sequence.row.limb_bits(0);
            *places = self.kept(&mut sequence.lets, cut(below, bits));
        }
        sequence
    }

    /// The elements of a packed sequence, as a mask of their codes, where these are the integers that they are.
    pub(crate) fn members_of_sequence(&mut self, expr: &Expr) -> Option<Word> {
        if !self.is_packed(&expr.ty) && !self.has_limbs(expr) {
            return None;
        }
        let (length, element) = self.packed_sequence(expr);
        if !matches!(element.form, Form::Int(0, _)) || element.max > 63 {
            return None;
        }
        let sequence = self.sequence(expr);
        let members = (0..length.max).map(|at| {
            let code = sequence.row.selected(&sequence.places, &Word::Const(at));
            let bit = Word::binary(Binary::Insert, code, Word::FALSE);
            let is_there = Word::binary(Binary::Less, Word::Const(at), sequence.length.clone());
            Word::If(Box::new([is_there, bit, Word::FALSE]))
        });
        let members = any(members);
        Some(sequence.around(members))
    }
}

impl Compiler<'_> {
    /// The elements of a packed sequence, each in the case that there are so many, if there are not too many places.
    pub(crate) fn places_of_sequence(&mut self, expr: &Expr) -> Option<Box<[Case]>> {
        if !self.is_packed(&expr.ty) && !self.has_limbs(expr) {
            return None;
        }
        let (length, element) = self.packed_sequence(expr);
        if length.max > MAX_PLACES {
            return None;
        }
        let case = |at| {
            let sequence = self.sequence(expr);
            let given = Word::binary(Binary::Less, Word::Const(at), sequence.length.clone());
            let (lets, words) = (sequence.lets.clone(), Vec::new());
            let given = Limbs { lets, words }.around(given);
            let value = sequence.row.selected(&sequence.places, &Word::Const(at));
            Case {
                given,
                value: decoded(sequence.around(value), &element),
            }
        };
        Some((0..length.max).map(case).collect())
    }
}

/// No more places of a sequence are looked at one after the other.
const MAX_PLACES: u64 = 16;

/// The number before one that is not 0.
fn before(length: &Word) -> Word {
    Word::Pred(Box::new(length.clone()))
}

/// A length or a count, if there is room for so much.
pub(super) fn narrowed(value: Word, length: &Packing, span: Span) -> Word {
    let Form::Int(low, place) = length.form else {
        unreachable!("a length has a range");
    };
    let max = length.max;
    match value {
        Word::Const(n) if n <= max => Word::Const(n),
        value => Word::Narrow(Box::new(Narrow {
            value,
            low,
            max,
            place,
            span,
        })),
    }
}

/// Whether a code is in one of the places up to the length.
fn found(sequence: &Sequence, length: &Packing, value: &Word) -> Word {
    let row = &sequence.row;
    let limbs = row.begins().zip(&row.counts).zip(&sequence.places);
    let found = limbs.map(|((begin, count), places)| {
        let matches = Word::Matches {
            parts: Box::new([places.clone(), value.clone()]),
            elements: row.elements(),
            count: *count,
        };
        let taken = (0..=length.max.cast_signed()).map(|length| {
            let taken = (length - begin).clamp(0, i64::from(*count));
            low_bits(taken as u32)
        });
        let index = Box::new(sequence.length.clone());
        let taken = Word::Table(taken.collect(), index);
        Word::binary(Binary::And, matches, taken)
    });
    let found = Word::binary(Binary::Equal, any(found), Word::FALSE);
    Word::Not(Box::new(found))
}

/// Bits shifted up, beside others.
fn beside(low: Word, high: Word, shift: u32) -> Word {
    let high = match high {
        Word::Const(0) => return low,
        high if shift == 0 => high,
        high => Word::Shift {
            value: Box::new(high),
            shift,
        },
    };
    match low {
        Word::Const(0) => high,
        low => Word::binary(Binary::Or, low, high),
    }
}

/// All places moved up by one, with a value in the first.
fn pushed(row: &Row, places: &[Word], value: Word) -> Vec<Word> {
    let mut first = value;
    let limbs = places.iter().zip(&row.counts).map(|(places, count)| {
        let kept = (count - 1) * row.bits;
        let last = cut(places, kept, row.bits);
        beside(
            std::mem::replace(&mut first, last),
            cut(places, 0, kept),
            row.bits,
        )
    });
    limbs.collect()
}

/// All places but the first, moved down by one.
fn pulled(row: &Row, places: &[Word]) -> Vec<Word> {
    let behind = places.iter().skip(1).map(Some).chain([None]);
    let limbs = places.iter().zip(&row.counts).zip(behind);
    limbs
        .map(|((places, count), next)| {
            let kept = (count - 1) * row.bits;
            let next = next.map_or(Word::FALSE, |next| cut(next, 0, row.bits));
            beside(cut(places, row.bits.min(kept), kept), next, kept)
        })
        .collect()
}

/// The places of one sequence with those of another behind them, which are known to have room.
fn joined(row: &Row, first: &[Word], length: &Word, second: &[Word]) -> Vec<Word> {
    let begins: Vec<i64> = row.begins().collect();
    let elements = Elements::to_the_end(row.bits);
    let limbs = first.iter().enumerate().map(|(at, limb)| {
        second
            .iter()
            .zip(&begins)
            .fold(limb.clone(), |limb, (more, begin)| {
                // By how many places what is to be added lies above the limb, or below it.
                let above = moved(length.clone(), begin - begins[at]);
                let up = Word::Assign {
                    parts: Box::new([Word::FALSE, above, more.clone()]),
                    elements,
                };
                let limb = Word::binary(Binary::Or, limb, lowest(up, row.limb_bits(at)));
                if *begin >= begins[at] {
                    return limb;
                }
                let parts = [
                    Word::Const((begins[at] - begin).cast_unsigned()),
                    length.clone(),
                ];
                let below = Word::Arith(Box::new(Arith {
                    op: Op::Sub,
                    parts: Box::new(parts),
                    nat: false,
                    span: Span::default(),
                }));
                let parts = Box::new([more.clone(), below]);
                let down = Word::Select { parts, elements };
                Word::binary(Binary::Or, limb, lowest(down, row.limb_bits(at)))
            })
    });
    limbs.collect()
}
