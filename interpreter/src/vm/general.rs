//! Evaluating the terms that compute cells.

use std::ops::ControlFlow;

use ioa_lang::Span;
use ioa_lang::core::RandomDraw;
use num_bigint::BigInt;

use super::Machine;
use super::domain::Bits;
use super::ops;
use crate::code::{Apply, Binder, Entries, General, Loop};
use crate::interrupt::fault::{FaultKind, LimitKind};
use crate::state::cell::{Cell, Number, Shape};
use crate::vm::halt::{At, Stop, stop};

impl Machine {
    /// The value of a term.
    pub(crate) fn general(&mut self, term: &General) -> Result<Cell, Stop> {
        Ok(match term {
            General::Const(cell) => cell.clone(),
            General::Load(store, cell) => {
                self.stores[*store as usize].cells[*cell as usize].clone()
            }
            General::Local(slot) => self.cells[*slot as usize].clone(),
            General::Word(word) => Cell::Word(self.word(word)?),
            General::Number(word) => Cell::Int(Number::Small(self.word(word)?.cast_signed())),
            General::If(condition, branches) => {
                let branch = usize::from(self.word(condition)? == 0);
                self.general(&branches[branch])?
            }
            General::Apply(apply) => self.apply(apply)?,
            General::Collect(turn, binder) => self.collect(turn, binder)?,
            General::Entries(array) => self.entries(array)?,
            General::Draw(draw, args, span) => self.draw(*draw, args, *span)?,
            General::Bits(mask) => {
                let codes = Bits(self.word(mask)?).map(Cell::Word);
                Cell::seq(codes.collect()).expect("a word has few bits")
            }
            General::Unpacked(unpacking, limbs) => {
                let limbs = limbs.iter().map(|limb| self.word(limb));
                unpacking.cell(&limbs.collect::<Result<Vec<u64>, _>>()?)
            }
            General::Table(table, index) => table[self.word(index)? as usize].clone(),
        })
    }

    fn apply(&mut self, apply: &Apply) -> Result<Cell, Stop> {
        ops::applied(apply, |arg| self.general(arg))?.at(apply.span)
    }

    fn collect(&mut self, turn: &Loop, binder: &Binder) -> Result<Cell, Stop> {
        let (mut found, mut parts) = (imbl::OrdSet::new(), 1_u64);
        let _ = self.each(&turn.domain, turn.slot, turn.span, &mut |machine| {
            if machine.word(&turn.body)? != 0 {
                let value = match (&*binder.shape, machine.bound(binder)) {
                    // As an element it is not a word, even if it is one as a bound variable.
                    (Shape::Number { .. }, Cell::Word(n)) => {
                        Cell::Int(Number::Small(n.cast_signed()))
                    }
                    (_, value) => value,
                };
                parts += value.parts();
                found.insert(value);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Cell::counted_set(found, parts).at(turn.span)
    }

    fn entries(&mut self, array: &Entries) -> Result<Cell, Stop> {
        let (mut items, mut parts) = (imbl::Vector::new(), 1_u64);
        for index in &*array.indices {
            self.words[array.slot as usize] = *index;
            let entry = self.general(&array.entry)?;
            parts = parts.saturating_add(entry.parts());
            items.push_back(entry);
        }
        Cell::dense(items, parts).at(array.span)
    }

    fn draw(&mut self, draw: RandomDraw, args: &[General], span: Span) -> Result<Cell, Stop> {
        match draw {
            RandomDraw::Bool => Ok(Cell::Word(self.draws.below(2))),
            RandomDraw::Int => {
                let (low, high) = (self.number(&args[0])?, self.number(&args[1])?);
                self.draw_between(&low, &high).map(Cell::Int).at(span)
            }
            RandomDraw::Element => {
                let elements: Vec<Cell> = match self.general(&args[0])? {
                    Cell::Set(set) => set.items.iter().cloned().collect(),
                    Cell::Seq(seq) => seq.items.iter().cloned().collect(),
                    cell => unreachable!("a draw is from a collection: {cell:?}"),
                };
                if elements.is_empty() {
                    return Err(stop(FaultKind::EmptyDraw, span));
                }
                Ok(elements[self.draws.position(elements.len())].clone())
            }
        }
    }

    fn number(&mut self, term: &General) -> Result<Number, Stop> {
        match self.general(term)? {
            Cell::Int(n) => Ok(n),
            cell => unreachable!("a number is expected: {cell:?}"),
        }
    }

    fn draw_between(
        &mut self,
        low: &Number,
        high: &Number,
    ) -> Result<Number, crate::interrupt::fault::UnplacedInterrupt> {
        if high < low {
            return Err(FaultKind::EmptyDraw.into());
        }
        let count: BigInt = high.to_big() - low.to_big() + 1;
        let count = u64::try_from(count).map_err(|_| LimitKind::Domain)?;
        let offset = BigInt::from(self.draws.below(count));
        Ok(Number::bounded(low.to_big() + offset)?)
    }
}
