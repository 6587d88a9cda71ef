//! Evaluating the terms that compute words.

use std::ops::ControlFlow;

use finite::Elements;
use ioa_lang::{Name, Span};

use super::Machine;
use super::ops::other_variant;
use crate::code::{Binary, Domain, Fold, Loop, Payload, Within, Word};
use crate::interrupt::fault::FaultKind;
use crate::state::cell::Cell;
use crate::vm::halt::{Stop, stop};

impl Machine {
    /// The value of a term.
    pub(crate) fn word(&mut self, word: &Word) -> Result<u64, Stop> {
        Ok(match word {
            Word::Const(n) => *n,
            Word::Load(store, field) => field.read(&self.stores[*store as usize].words),
            Word::Local(slot) => self.words[*slot as usize],
            Word::Not(a) => self.word(a)? ^ 1,
            Word::And(parts) => return self.all(parts),
            Word::Or(parts) => return self.any(parts),
            Word::Implies(parts) => {
                if self.word(&parts[0])? == 0 {
                    1
                } else {
                    self.word(&parts[1])?
                }
            }
            Word::If(parts) => {
                let branch = if self.word(&parts[0])? == 0 {
                    &parts[2]
                } else {
                    &parts[1]
                };
                self.word(branch)?
            }
            Word::Binary(op, parts) => {
                let left = self.word(&parts[0])?;
                binary(*op, left, self.word(&parts[1])?)
            }
            Word::Select { parts, elements } => {
                let array = self.word(&parts[0])?;
                elements.read(array, self.word(&parts[1])?)
            }
            Word::Table(table, index) => table[self.word(index)? as usize],
            Word::Loop(turn) => self.turn(turn)?,
            Word::Let(slot, parts) => {
                self.words[*slot as usize] = self.word(&parts[0])?;
                self.word(&parts[1])?
            }
            Word::Succ(a) => self.word(a)? + 1,
            Word::Pred(a) => self.word(a)?.saturating_sub(1),
            Word::Val(a, span) => match self.word(a)? {
                0 => return Err(nil(*span)),
                code => code - 1,
            },
            Word::Entry(a, span) => match self.word(a)? {
                0 => return Err(stop(FaultKind::UndefinedEntry, *span)),
                code => code - 1,
            },
            Word::Payload(payload) => self.payload(payload)?,
            Word::Within(within) => self.within(within)?,
            Word::Cell(general) => match self.general(general)? {
                Cell::Word(code) => code,
                cell => self.small(&cell, Span::default())?,
            },
            Word::Offset(a, low) => self.word(a)?.wrapping_add_signed(*low),
            Word::Narrow(narrow) => self.narrow(narrow)?,
            Word::Number(numbering) => self.numbering(numbering)?,
            Word::Element(element) => {
                let number = self.word(&element.number)?;
                element.dictionary.code(number)
            }
            Word::Arith(arith) => self.arith(arith)?,
            Word::Count(a) => u64::from(self.word(a)?.count_ones()),
            other => return self.rearranged(other),
        })
    }

    fn payload(&mut self, payload: &Payload) -> Result<u64, Stop> {
        let code = self.word(&payload.from)?;
        let distance = code.wrapping_sub(payload.begin);
        if distance > payload.max {
            let names: Vec<Name> = payload.variants.iter().map(|(_, n)| n.clone()).collect();
            let (found, _) = finite::payload(&payload.variants, code);
            let kind = other_variant(&names, payload.variant as usize, found);
            return Err(stop(kind, payload.span));
        }
        Ok(distance)
    }

    fn within(&mut self, within: &Within) -> Result<u64, Stop> {
        let index = self.word(&within.index)?;
        let length = self.word(&within.length)?;
        if index < length {
            return self.word(&within.value);
        }
        let kind = match within.is_index {
            true => FaultKind::IndexOutOfRange {
                index: index.cast_signed().to_string(),
                len: length as usize,
            },
            false => FaultKind::EmptySequence,
        };
        Err(stop(kind, within.span))
    }

    fn all(&mut self, parts: &[Word]) -> Result<u64, Stop> {
        for part in parts {
            if self.word(part)? == 0 {
                return Ok(0);
            }
        }
        Ok(1)
    }

    fn any(&mut self, parts: &[Word]) -> Result<u64, Stop> {
        for part in parts {
            if self.word(part)? != 0 {
                return Ok(1);
            }
        }
        Ok(0)
    }

    /// The terms that extract or replace bits in tuples and arrays.
    fn rearranged(&mut self, word: &Word) -> Result<u64, Stop> {
        Ok(match word {
            Word::Extract { from, slice } => slice.read(self.word(from)?),
            Word::Shift { value, shift } => self.word(value)? << shift,
            Word::Times(a, factor) => self.word(a)?.wrapping_mul(*factor),
            Word::Update { parts, slice } => {
                let whole = self.word(&parts[0])?;
                slice.replaced(whole, self.word(&parts[1])?)
            }
            Word::Assign { parts, elements } => {
                let array = self.word(&parts[0])?;
                let index = self.word(&parts[1])?;
                elements.replaced(array, index, self.word(&parts[2])?)
            }
            Word::Column {
                parts,
                elements,
                count,
            } => {
                let array = self.word(&parts[0])?;
                elements.column(array, *count, self.word(&parts[1])?)
            }
            Word::Matches {
                parts,
                elements,
                count,
            } => {
                let array = self.word(&parts[0])?;
                elements.matches(array, *count, self.word(&parts[1])?)
            }
            _ => unreachable!("every other term is evaluated by Machine::word"),
        })
    }

    fn turn(&mut self, turn: &Loop) -> Result<u64, Stop> {
        if let Domain::Mask(mask) = &turn.domain {
            return self.turn_over_mask(turn, mask);
        }
        let (slot, body) = (turn.slot, &turn.body);
        let (mut acc, last) = turn.ends();
        let _ = self.each(&turn.domain, slot, turn.span, &mut |machine| {
            let code = machine.words[slot as usize];
            acc = turn.fold.fold(acc, code, machine.word(body)?);
            Ok(if acc == last {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        Ok(acc)
    }

    /// The usual case, without a closure.
    fn turn_over_mask(&mut self, turn: &Loop, mask: &Word) -> Result<u64, Stop> {
        let slot = turn.slot as usize;
        let (mut acc, last) = turn.ends();
        let mut codes = self.word(mask)?;
        self.spend(u64::from(codes.count_ones()), turn.span)?;
        while codes != 0 {
            let code = u64::from(codes.trailing_zeros());
            codes &= codes - 1;
            self.words[slot] = code;
            match self.word(&turn.body) {
                Ok(value) => acc = turn.fold.fold(acc, code, value),
                Err(stop) => return Err(stop.bind(turn.slot, Cell::Word(code))),
            }
            if acc == last {
                break;
            }
        }
        Ok(acc)
    }
}

impl Loop {
    /// The initial value, and the value at which the loop may end early.
    fn ends(&self) -> (u64, u64) {
        let (first, last) = match self.fold {
            Fold::All => (1, 0),
            Fold::Any => (0, 1),
            Fold::Collect => (0, NEVER),
        };
        (first, if self.exhaustive { NEVER } else { last })
    }
}

/// No loop reaches this value before its end, since the last code completes a mask of all codes.
const NEVER: u64 = u64::MAX;

impl Fold {
    fn fold(self, acc: u64, code: u64, value: u64) -> u64 {
        match self {
            Self::All => acc & value,
            Self::Any => acc | value,
            // Loops that do not collect a mask may have more values than a mask has bits.
            Self::Collect if value == 0 => acc,
            Self::Collect => acc | value << code,
        }
    }
}

/// The bits of a set: whether each code is an element.
const BITS: Elements = Elements::new(1);

fn binary(op: Binary, left: u64, right: u64) -> u64 {
    match op {
        Binary::Equal => u64::from(left == right),
        Binary::Less => u64::from(left < right),
        Binary::SignedLess => u64::from(left.cast_signed() < right.cast_signed()),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::AndNot => left & !right,
        Binary::Subset => u64::from(left & !right == 0),
        Binary::Member => BITS.read(right, left),
        Binary::Insert => BITS.replaced(right, left, 1),
        Binary::Delete => BITS.replaced(right, left, 0),
        Binary::Plus => left.wrapping_add(right),
        Binary::Minus => left.wrapping_sub(right),
    }
}

#[cold]
fn nil(span: Span) -> Stop {
    stop(FaultKind::ValueOfNil, span)
}
