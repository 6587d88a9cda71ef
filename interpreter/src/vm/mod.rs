//! The evaluator: compiled terms over the valuations and bound variables of a machine.

mod collections;
mod domain;
pub(crate) mod draws;
pub(crate) mod exec;
mod general;
pub(crate) mod halt;
mod number;
pub(crate) mod ops;
pub(crate) mod oracle;
mod word;

use std::collections::BTreeSet;
use std::sync::Arc;

use ioa_lang::Span;
use ioa_lang::core::{StmtId, Store};

use crate::code::{Binder, Frame, Limbs, Slot, Target, Term};
use crate::interrupt::cancel::Cancel;
use crate::interrupt::fault::LimitKind;
use crate::interrupt::limits::FUEL;
use crate::state::cell::Cell;
use crate::state::layout::{Location, State};
use crate::state::range_overflows::RangeOverflows;
use crate::transition::Choice;
use crate::vm::draws::{Draws, Stream};
use crate::vm::halt::{Stop, stop};

/// The machine on which terms and statements are evaluated: five valuations, the bound variables, and fuel.
#[derive(Debug)]
pub(crate) struct Machine {
    /// The valuations, by [`Store`].
    stores: [State; 5],
    /// Bound variables of packed types, by slot.
    words: Vec<u64>,
    /// Bound variables of other types, by slot.
    cells: Vec<Cell>,
    /// Fuel until the next check of cancellation and of `reserve`.
    fuel: u64,
    /// The remaining fuel after that.
    reserve: u64,
    /// The fuel that this operation began with.
    filled: u64,
    /// The fuel that operations before this one have used.
    used_before: u64,
    /// The generator for schedules.
    pub(crate) draws: Draws,
    /// The values of the choices in the current step, in order.
    pub(crate) chosen: Vec<Choice>,
    /// The branches that were taken, if they are recorded.
    pub(crate) branches: Option<Branches>,
    /// Where integers that do not fit are recorded, and elements that have no number.
    range_overflows: Arc<RangeOverflows>,
    /// Whether evaluation goes on with some other element where one has no number, so that all of these are recorded.
    pub(crate) meets_all: bool,
    cancel: Arc<Cancel>,
}

/// Branches of `if` statements that somebody wrote: the statement and the position of the branch; that of `else` comes last.
pub type Branches = BTreeSet<(StmtId, usize)>;

/// The fuel that a cancellable operation uses between two checks of cancellation; this takes some milliseconds.
const SLICE: u64 = 1 << 16;

/// Many valuations of the same bound variables; words and cells are separate, for speed.
#[derive(Debug, Default)]
pub(crate) struct Saved {
    words: Vec<u64>,
    cells: Vec<Cell>,
}

impl Saved {
    /// Removes all of them.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.cells.clear();
    }

    /// The values at a position.
    pub(crate) fn at(&self, binders: &[Binder], place: usize) -> impl Iterator<Item = Cell> {
        let packed = binders.iter().filter(|binder| binder.packed).count();
        let mut words = self.words.iter().skip(place * packed);
        let mut cells = self.cells.iter().skip(place * (binders.len() - packed));
        let values = binders.iter().map(move |binder| match binder.packed {
            true => words.next().copied().map(Cell::Word),
            false => cells.next().cloned(),
        });
        values.map(|value| value.expect("a saved value"))
    }
}

impl Machine {
    /// A machine whose random draws come from a seed.
    pub(crate) fn new(seed: u64, range_overflows: &Arc<RangeOverflows>) -> Self {
        Self {
            stores: Default::default(),
            words: Vec::new(),
            cells: Vec::new(),
            fuel: FUEL,
            reserve: 0,
            filled: FUEL,
            used_before: 0,
            draws: Draws::new(seed, Stream::Schedule),
            chosen: Vec::new(),
            branches: None,
            range_overflows: Arc::clone(range_overflows),
            meets_all: false,
            cancel: Arc::default(),
        }
    }

    /// The same machine, which stops when it is cancelled.
    pub(crate) fn heeding(self, cancel: &Arc<Cancel>) -> Self {
        let cancel = Arc::clone(cancel);
        Self { cancel, ..self }
    }

    /// Makes room for an item's bound variables, and refills the fuel.
    pub(crate) fn enter(&mut self, frame: &Frame) {
        self.reserve(frame.slots);
        self.refuel();
    }

    /// Makes room for bound variables.
    pub(crate) fn reserve(&mut self, slots: usize) {
        if self.words.len() < slots {
            self.words.resize(slots, 0);
            self.cells.resize(slots, Cell::Word(0));
        }
    }

    /// Begins a new operation.
    pub(crate) fn refuel(&mut self) {
        self.used_before = self.used();
        (self.fuel, self.reserve, self.filled) = (FUEL, 0, FUEL);
    }

    /// Begins a new operation that stops when it is cancelled, unless it is short.
    pub(crate) fn refuel_heeding(&mut self) {
        self.refuel_within(FUEL);
    }

    /// The same, with so much fuel.
    pub(crate) fn refuel_within(&mut self, fuel: u64) {
        self.used_before = self.used();
        self.filled = fuel;
        self.fuel = fuel.min(SLICE);
        self.reserve = fuel - self.fuel;
    }

    /// The fuel that was used so far.
    pub(crate) fn used(&self) -> u64 {
        self.used_before + (self.filled - self.fuel - self.reserve)
    }

    /// Whether the work that it is to stop with is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    /// Stops between two operations if the work is cancelled.
    pub(crate) fn heed(&self, span: Span) -> Result<(), Stop> {
        match self.is_cancelled() {
            true => Err(stop(LimitKind::Cancelled, span)),
            false => Ok(()),
        }
    }

    /// Does `cost` units of work.
    pub(crate) fn spend(&mut self, cost: u64, span: Span) -> Result<(), Stop> {
        match self.fuel.checked_sub(cost) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => self.spend_reserve(cost, span),
        }
    }

    #[cold]
    fn spend_reserve(&mut self, cost: u64, span: Span) -> Result<(), Stop> {
        // There is a reserve only for cancellable operations.
        if self.reserve > 0 {
            self.heed(span)?;
        }
        let left = (self.fuel + self.reserve).checked_sub(cost);
        let left = left.ok_or_else(|| stop(LimitKind::Work, span))?;
        self.fuel = left.min(SLICE);
        self.reserve = left - self.fuel;
        Ok(())
    }

    /// A valuation.
    pub(crate) fn store(&self, store: Store) -> &State {
        &self.stores[store as usize]
    }

    /// A mutable valuation.
    pub(crate) fn store_mut(&mut self, store: Store) -> &mut State {
        &mut self.stores[store as usize]
    }

    /// Copies one valuation into another.
    pub(crate) fn copy_store(&mut self, from: Store, to: Store) {
        let source = std::mem::take(&mut self.stores[from as usize]);
        self.stores[to as usize].clone_from(&source);
        self.stores[from as usize] = source;
    }

    /// Exchanges two valuations.
    pub(crate) fn swap_stores(&mut self, a: Store, b: Store) {
        self.stores.swap(a as usize, b as usize);
    }

    /// Sets a bound variable.
    pub(crate) fn bind(&mut self, slot: Slot, cell: Cell) {
        match cell {
            Cell::Word(code) => self.words[slot as usize] = code,
            cell => self.cells[slot as usize] = cell,
        }
    }

    /// The value of a bound variable.
    pub(crate) fn bound(&self, binder: &Binder) -> Cell {
        if binder.packed {
            Cell::Word(self.words[binder.slot as usize])
        } else {
            self.cells[binder.slot as usize].clone()
        }
    }

    /// Forgets the value of a bound variable, so that [`Machine::bound_at`] knows the next one.
    pub(crate) fn unbind(&mut self, slot: Slot) {
        self.cells[slot as usize] = Cell::Word(0);
    }

    /// The value that a variable of any type was bound to after it was unbound.
    pub(crate) fn bound_at(&self, slot: Slot) -> Cell {
        match &self.cells[slot as usize] {
            // A word is never bound there.
            Cell::Word(_) => Cell::Word(self.words[slot as usize]),
            cell => cell.clone(),
        }
    }

    /// Appends the value of a bound variable to a list.
    pub(crate) fn save(&self, binder: &Binder, list: &mut Saved) {
        if binder.packed {
            list.words.push(self.words[binder.slot as usize]);
        } else {
            list.cells.push(self.cells[binder.slot as usize].clone());
        }
    }

    /// Sets bound variables to the values at a position of a list.
    pub(crate) fn restore(&mut self, binders: &[Binder], list: &Saved, place: usize) {
        for (binder, value) in binders.iter().zip(list.at(binders, place)) {
            self.bind(binder.slot, value);
        }
    }

    /// Evaluates a term.
    pub(crate) fn term(&mut self, term: &Term) -> Result<Cell, Stop> {
        match term {
            Term::Word(word) => self.word(word).map(Cell::Word),
            Term::Limbs(_) => unreachable!("only a variable has limbs"),
            Term::General(general) => self.general(general),
        }
    }

    /// Evaluates a term and sets a variable to the result.
    pub(crate) fn assign(&mut self, target: &Target, value: &Term) -> Result<(), Stop> {
        match (&target.location, value) {
            (Location::Bits(field), Term::Word(word)) => {
                let code = self.word(word)?;
                field.write(&mut self.stores[target.store as usize].words, code);
            }
            (Location::Limbs(place), Term::Limbs(Limbs { lets, words })) => {
                for (slot, word) in lets {
                    self.words[*slot as usize] = self.word(word)?;
                }
                // All of them are computed before the first is set.
                let limbs = words.iter().map(|word| self.word(word));
                let limbs: Vec<u64> = limbs.collect::<Result<_, _>>()?;
                place.write(&mut self.stores[target.store as usize].words, &limbs);
            }
            (_, value) => {
                let cell = self.term(value)?;
                self.set(target, cell)?;
            }
        }
        Ok(())
    }

    /// Sets a variable.
    fn set(&mut self, target: &Target, cell: Cell) -> Result<(), Stop> {
        let store = &mut self.stores[target.store as usize];
        match (&target.location, cell) {
            (Location::Bits(field), Cell::Word(code)) => field.write(&mut store.words, code),
            (Location::Limbs(place), cell) => {
                match place.unpacking().limbs(&cell, &self.range_overflows) {
                    Some(limbs) => place.write(&mut store.words, &limbs),
                    None if self.meets_all => {}
                    None => return Err(stop(LimitKind::RangeOverflow, Span::default())),
                }
            }
            (Location::Cell(at), cell) => store.cells[*at as usize] = cell,
            (Location::Bits(_), cell) => unreachable!("a packed variable holds words: {cell:?}"),
        }
        Ok(())
    }
}
