//! Single terms, evaluated for machine code that cannot compute them.
//!
//! Machine code works on rows, in which the [name](Interned) of a cell stands for it. So a term is asked with words for what it
//! depends on, and answered with words.

use std::ops::ControlFlow;
use std::sync::Arc;

use ioa_lang::Span;
use ioa_lang::core::{AutomatonId, Store};

use crate::code::inputs::Reading;
use crate::code::{Domain, General, Input, Plan, Slot, Word};
use crate::instance::Instance;
use crate::interrupt::fault::LimitKind;
use crate::state::cell::Cell;
use crate::state::interned::Interned;
use crate::state::layout::{Limbs, Location};
use crate::state::range_overflows::RangeOverflows;
use crate::vm::Machine;
use crate::vm::halt::{Stop, stop};

/// What is asked of the interpreter.
#[derive(Clone, Debug)]
pub struct Question {
    sought: Sought,
    inputs: Vec<Input>,
    slots: usize,
}

#[derive(Clone, Debug)]
enum Sought {
    Word(Word),
    General(General),
    Limbs(General, Arc<Limbs>),
    Values(Domain, Slot),
    Valuations(Plan),
}

impl Question {
    /// The value of a term that computes a word.
    ///
    /// As for all questions, there is none about a term that draws at random.
    #[must_use]
    pub fn word(word: &Word) -> Option<Self> {
        let mut reading = Reading::default();
        reading.word(word);
        Self::made(Sought::Word(word.clone()), reading)
    }

    /// The value of a general term, which a variable at a location gets: its name, or its limbs.
    #[must_use]
    pub fn general(term: &General, location: &Location) -> Option<Self> {
        let mut reading = Reading::default();
        reading.general(term);
        let term = term.clone();
        let sought = match location {
            Location::Limbs(place) => Sought::Limbs(term, Arc::clone(place)),
            Location::Bits(_) | Location::Cell(_) => Sought::General(term),
        };
        Self::made(sought, reading)
    }

    /// The values of a domain, in their order, as words or by name.
    #[must_use]
    pub fn values(domain: &Domain, slot: Slot) -> Option<Self> {
        let mut reading = Reading::default();
        reading.domain(domain);
        reading.bind(slot);
        Self::made(Sought::Values(domain.clone(), slot), reading)
    }

    /// The values of the one binder of a plan that satisfy it.
    #[must_use]
    pub fn valuations(plan: &Plan) -> Option<Self> {
        let mut reading = Reading::default();
        reading.plan(plan);
        Self::made(Sought::Valuations(plan.clone()), reading)
    }

    fn made(sought: Sought, reading: Reading) -> Option<Self> {
        let (inputs, slots) = reading.finish()?;
        Some(Self {
            sought,
            inputs,
            slots,
        })
    }

    /// What the answer depends on.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many words the answer has; none if it is a list.
    #[must_use]
    pub fn words(&self) -> Option<usize> {
        match &self.sought {
            Sought::Word(_) | Sought::General(_) => Some(1),
            Sought::Limbs(_, place) => Some(place.fields().len()),
            Sought::Values(..) | Sought::Valuations(_) => None,
        }
    }
}

/// Evaluates terms over the rows of an automaton.
#[derive(Debug)]
pub struct Evaluator {
    machine: Machine,
    cells: Interned,
    /// The names of the cells in the valuations, as far as there are any.
    names: [Vec<Option<u64>>; 2],
    /// Integers that do not fit are recorded by whoever takes the step; here they only prevent an answer.
    range_overflows: Arc<RangeOverflows>,
}

impl Evaluator {
    /// For the states of an automaton, whose cells have these names.
    #[must_use]
    pub fn new(instance: &Instance, automaton: AutomatonId, cells: &Interned) -> Self {
        let ranges = instance.universe().ranges();
        let range_overflows = Arc::new(RangeOverflows::of(ranges));
        let mut machine = Machine::new(0, &range_overflows).heeding(instance.cancel());
        let layout = instance.layout(automaton);
        for store in [Store::Pre, Store::Post] {
            let state = machine.store_mut(store);
            state.words = vec![0; layout.words()];
            state.cells = vec![Cell::Word(0); layout.cells()];
        }
        Self {
            machine,
            cells: cells.clone(),
            names: [vec![None; layout.cells()], vec![None; layout.cells()]],
            range_overflows,
        }
    }

    /// Appends the answer to a question, given words for its [inputs](Question::inputs), and returns the fuel that was used;
    /// none if there is no answer, or none of at most so many words. What was appended then has no meaning.
    pub fn answer(
        &mut self,
        question: &Question,
        given: &[u64],
        most: usize,
        answer: &mut Vec<u64>,
    ) -> Option<u64> {
        self.machine.reserve(question.slots);
        for (input, word) in question.inputs.iter().zip(given) {
            self.set(*input, *word);
        }
        self.machine.refuel_heeding();
        let before = self.machine.used();
        let most = answer.len() + most;
        let found = self.find(&question.sought, most, answer);
        found.ok().filter(|()| answer.len() <= most)?;
        Some(self.machine.used() - before)
    }

    fn set(&mut self, input: Input, word: u64) {
        match input {
            Input::Field(store, field) => {
                field.write(&mut self.machine.store_mut(store).words, word);
            }
            Input::Cell(store, at) => {
                let name = &mut self.names[store as usize][at as usize];
                if *name != Some(word) {
                    *name = Some(word);
                    let cell = self.cells.cell(word);
                    self.machine.store_mut(store).cells[at as usize] = cell;
                }
            }
            Input::Word(slot) => self.machine.bind(slot, Cell::Word(word)),
            Input::General(slot) => {
                let cell = self.cells.cell(word);
                self.machine.bind(slot, cell);
            }
        }
    }

    fn find(&mut self, sought: &Sought, most: usize, answer: &mut Vec<u64>) -> Result<(), Stop> {
        let Self { machine, cells, .. } = self;
        let word = |cell: &Cell| match cell {
            Cell::Word(code) => *code,
            cell => cells.name(cell),
        };
        match sought {
            Sought::Word(term) => answer.push(machine.word(term)?),
            Sought::General(term) => answer.push(cells.name(&machine.general(term)?)),
            Sought::Limbs(term, place) => {
                let cell = machine.general(term)?;
                let limbs = place.unpacking().limbs(&cell, &self.range_overflows);
                let overflow = || stop(LimitKind::RangeOverflow, Span::default());
                answer.extend(limbs.ok_or_else(overflow)?);
            }
            Sought::Values(domain, slot) => {
                machine.unbind(*slot);
                let _ = machine.each(domain, *slot, Span::default(), &mut |machine| {
                    answer.push(word(&machine.bound_at(*slot)));
                    Ok(flow(answer.len() <= most))
                })?;
            }
            Sought::Valuations(plan) => {
                let [level] = &*plan.levels else {
                    unreachable!("a statement binds one variable");
                };
                let _ = machine.valuations(plan, &mut |machine| {
                    answer.push(word(&machine.bound(&level.binder)));
                    Ok(flow(answer.len() <= most))
                })?;
            }
        }
        Ok(())
    }
}

fn flow(goes_on: bool) -> ControlFlow<()> {
    match goes_on {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}
