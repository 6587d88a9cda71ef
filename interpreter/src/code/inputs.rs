//! What the value of a term depends on.

use ioa_lang::core::Store;

use super::{Bound, Domain, Entries, General, Level, Limbs, Loop, Plan, Slot, Source, Term, Word};
use crate::state::layout::Field;

/// Something that is read from outside a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A packed variable, or a limb of one.
    Field(Store, Field),
    /// A cell of a state, by its position.
    Cell(Store, u32),
    /// A bound variable whose values are words.
    Word(Slot),
    /// A bound variable with other values.
    General(Slot),
}

/// Collects what terms read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    found: Vec<Input>,
    /// The variables that are bound around the present term, but inside the outermost one.
    bound: Vec<Slot>,
    /// The number of slots that the terms use.
    slots: usize,
    /// Whether a value is drawn at random.
    draws: bool,
}

impl Reading {
    /// What was read, each once, and the number of slots that are needed; none if it does not determine the value.
    pub(crate) fn finish(self) -> Option<(Vec<Input>, usize)> {
        (!self.draws).then_some((self.found, self.slots))
    }

    pub(crate) fn word(&mut self, word: &Word) {
        match word {
            Word::Load(store, field) => self.note(Input::Field(*store, *field)),
            Word::Local(slot) => self.local(*slot, Input::Word),
            Word::Cell(general) => self.general(general),
            Word::Loop(turn) => self.turn(turn),
            Word::Let(slot, parts) => {
                self.word(&parts[0]);
                self.inside(*slot, |reading| reading.word(&parts[1]));
            }
            word => word.children(&mut |part| self.word(part)),
        }
    }

    pub(crate) fn general(&mut self, term: &General) {
        match term {
            General::Const(_) => {}
            General::Load(store, cell) => self.note(Input::Cell(*store, *cell)),
            General::Local(slot) => self.local(*slot, Input::General),
            General::Word(word)
            | General::Number(word)
            | General::Bits(word)
            | General::Table(_, word) => self.word(word),
            General::If(condition, branches) => {
                self.word(condition);
                branches.iter().for_each(|branch| self.general(branch));
            }
            General::Apply(apply) => apply.args.iter().for_each(|arg| self.general(arg)),
            General::Collect(turn, _) => self.turn(turn),
            General::Entries(array) => {
                let Entries { slot, entry, .. } = &**array;
                self.inside(*slot, |reading| reading.general(entry));
            }
            General::Draw(_, args, _) => {
                self.draws = true;
                args.iter().for_each(|arg| self.general(arg));
            }
            General::Unpacked(_, limbs) => limbs.iter().for_each(|limb| self.word(limb)),
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Word(word) => self.word(word),
            Term::General(general) => self.general(general),
            Term::Limbs(Limbs { lets, words }) => {
                let depth = self.bound.len();
                for (slot, value) in lets {
                    self.word(value);
                    self.bind(*slot);
                }
                words.iter().for_each(|word| self.word(word));
                self.bound.truncate(depth);
            }
        }
    }

    /// A domain whose values a slot gets.
    pub(crate) fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Below(_) | Domain::Codes(_) => {}
            Domain::Mask(mask) => self.word(mask),
            Domain::Masks(masks) => masks.iter().for_each(|mask| self.word(mask)),
            Domain::Numbered(numbered) => {
                numbered.masks.iter().for_each(|mask| self.word(mask));
            }
            Domain::Exactly(term) => self.term(term),
            Domain::OneOf(cases) => cases.iter().for_each(|case| {
                self.word(&case.given);
                self.word(&case.value);
            }),
            Domain::Elements(term) | Domain::Numbers(term) => self.general(term),
            Domain::Between(low, high, _) => {
                let ends = low.iter().chain(high);
                ends.for_each(|Bound { term, .. }| self.general(term));
            }
            Domain::Range(low, high, _) => {
                let ends = low.iter().chain(high);
                ends.for_each(|Bound { term, .. }| self.word(term));
            }
            Domain::Found(sources) => sources.iter().for_each(|source| self.source(source)),
        }
    }

    fn source(&mut self, source: &Source) {
        self.word(&source.given);
        self.domain(&source.outer);
        self.inside(source.slot, |reading| {
            reading.word(&source.filter);
            reading.term(&source.value);
        });
    }

    fn turn(&mut self, turn: &Loop) {
        self.domain(&turn.domain);
        self.inside(turn.slot, |reading| reading.word(&turn.body));
    }

    pub(crate) fn plan(&mut self, plan: &Plan) {
        self.word(&plan.filter);
        let depth = self.bound.len();
        for Level {
            binder,
            domain,
            filter,
        } in &plan.levels
        {
            self.domain(domain);
            self.bind(binder.slot);
            self.word(filter);
        }
        self.bound.truncate(depth);
    }

    /// Notes the slot that gets the values of a domain.
    pub(crate) fn bind(&mut self, slot: Slot) {
        self.slots = self.slots.max(slot as usize + 1);
        self.bound.push(slot);
    }

    /// Visits what lies inside the scope of a slot.
    fn inside(&mut self, slot: Slot, visit: impl FnOnce(&mut Self)) {
        self.bind(slot);
        visit(self);
        self.bound.pop();
    }

    fn local(&mut self, slot: Slot, input: impl FnOnce(Slot) -> Input) {
        if !self.bound.contains(&slot) {
            self.slots = self.slots.max(slot as usize + 1);
            self.note(input(slot));
        }
    }

    fn note(&mut self, input: Input) {
        if !self.found.contains(&input) {
            self.found.push(input);
        }
    }
}
