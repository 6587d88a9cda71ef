//! Terms that are simpler where a part of them is constant.

use finite::{Slice, low_bits};
use ioa_lang::Span;
use ioa_lang::core::{Expr, Op, Type};

use crate::code::{Arith, Binary, Word};

/// The sum of two numbers that are not below zero.
pub(super) fn sum(a: Word, b: Word, span: Span) -> Word {
    of_two(Op::Add, [a, b], (true, span))
}

/// An operator on two numbers, with the number that a term stands for as its result.
pub(super) fn arithmetic(op: Op, parts: [Word; 2], whole: &Expr) -> Word {
    of_two(op, parts, (whole.ty == Type::Nat, whole.span))
}

fn of_two(op: Op, parts: [Word; 2], (nat, span): (bool, Span)) -> Word {
    Word::Arith(Box::new(Arith {
        op,
        parts: Box::new(parts),
        nat,
        span,
    }))
}

/// The sum of some numbers, which is the value of a term. It is made of the sums of both halves, so that it is not nested deeply.
pub(super) fn total(mut numbers: Vec<Word>, whole: &Expr) -> Word {
    match numbers.len() {
        0 => Word::FALSE,
        1 => numbers.remove(0),
        count => {
            let rest = numbers.split_off(count / 2);
            let halves = [numbers, rest].map(|half| total(half, whole));
            arithmetic(Op::Add, halves, whole)
        }
    }
}

/// A number moved by a constant.
pub(super) fn moved(number: Word, by: i64) -> Word {
    match (number, by) {
        (number, 0) => number,
        (Word::Const(n), by) => Word::Const(n.wrapping_add_signed(by)),
        (number, by) => Word::Offset(Box::new(number), by),
    }
}

/// Whether a word is a constant.
pub(super) fn equal(word: &Word, constant: u64) -> Word {
    match word {
        Word::Const(n) => Word::Const(u64::from(*n == constant)),
        word => Word::binary(Binary::Equal, word.clone(), Word::Const(constant)),
    }
}

/// The one word or the other.
pub(super) fn chosen(condition: Word, yes: Word, no: Word) -> Word {
    match condition {
        Word::Const(0) => no,
        Word::Const(_) => yes,
        condition => Word::If(Box::new([condition, yes, no])),
    }
}

/// Whether one of some words is 1.
pub(super) fn any(words: impl Iterator<Item = Word>) -> Word {
    let joined = words.reduce(|a, b| Word::binary(Binary::Or, a, b));
    joined.unwrap_or(Word::FALSE)
}

/// The lowest bits of a word.
pub(super) fn lowest(word: Word, bits: u32) -> Word {
    match bits {
        0 => Word::FALSE,
        64.. => word,
        bits => Word::binary(Binary::And, word, Word::Const(low_bits(bits))),
    }
}

/// Some bits of a word, from one on.
pub(super) fn cut(word: &Word, shift: u32, bits: u32) -> Word {
    if bits == 0 {
        return Word::FALSE;
    }
    let slice = Slice::new(shift, bits);
    match word {
        Word::Const(n) => Word::Const(slice.read(*n)),
        word => Word::Extract {
            from: Box::new(word.clone()),
            slice,
        },
    }
}
