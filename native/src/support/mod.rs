//! Which bits the value of a term depends on.
//!
//! A term may read a small part of a large state: the entries at one index of a few arrays, say. Where these bits are
//! few, its values can be kept in a table.

mod demand;

use finite::low_bits;
use interpreter::Field;
use interpreter::code::{Binary, Bound, Domain, Fold, Loop, Slot, Term, Word};
use ioa_lang::core::Store;
use rustc_hash::FxHashMap;

use self::demand::{Demand, Index};
use crate::reach::{Reach, positions};
use crate::value::Bits;

pub(crate) use self::demand::bits_of;

/// A group of bits that a term reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitGroup {
    pub(crate) source: Source,
    /// A mask of the bits of the source after it was shifted right.
    pub(crate) mask: u64,
    /// The amount by which it is shifted right: the sum of bound variables, each times a width.
    pub(crate) offset: Vec<(Slot, u32)>,
}

/// What the bits are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A word of a state.
    State(Store, usize),
    /// A variable that is bound outside the term.
    Slot(Slot),
}

/// The bits that a term depends on, and the cost of computing it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Support {
    pub(crate) groups: Vec<BitGroup>,
    /// Approximate number of operations of one evaluation, including all iterations of its loops.
    pub(crate) work: u64,
}

impl Support {
    /// How many bits there are.
    pub(crate) fn bits(&self) -> u32 {
        self.groups.iter().map(|p| p.mask.count_ones()).sum()
    }
}

/// The support of a term whose free variables have the given values and bits; none if it cannot be determined.
pub(crate) fn support(word: &Word, slots: &[Bits], reach: &Reach) -> Option<Support> {
    let mut finder = SupportFinder {
        slots,
        reach: reach.clone(),
        inner: FxHashMap::default(),
        turns: 1,
        found: Support::default(),
    };
    finder.reads(word, &Demand::whole())?;
    Some(finder.found)
}

/// A variable that is bound inside the term.
enum Inner {
    /// Bound by a loop; its values are the positions of the bits of a mask.
    Turns(u64),
    /// Bound by a `let`; the mask has the bits of its value that matter.
    Named(u64),
}

struct SupportFinder<'e> {
    slots: &'e [Bits],
    reach: Reach,
    inner: FxHashMap<Slot, Inner>,
    /// How often the current term is evaluated.
    turns: u64,
    found: Support,
}

impl SupportFinder<'_> {
    /// Notes what a term reads, if only some bits of its value matter.
    fn reads(&mut self, word: &Word, demand: &Demand) -> Option<()> {
        if self.reach.is_asked(word) {
            return None;
        }
        self.found.work = self.found.work.saturating_add(self.turns);
        let fixed = demand.offset.is_empty();
        let passes_on = matches!(
            word,
            Word::Load(..)
                | Word::Local(_)
                | Word::Extract { .. }
                | Word::Select { .. }
                | Word::Let(..)
        );
        if !passes_on {
            self.all_of(&demand.offset);
        }
        match word {
            Word::Const(_) => Some(()),
            Word::Load(store, field) => {
                self.load(*store, *field, demand);
                Some(())
            }
            Word::Local(slot) => {
                self.local(*slot, demand);
                Some(())
            }
            Word::Extract { from, slice } => {
                let mut demand = demand.clone();
                if fixed {
                    demand.mask &= slice.mask();
                }
                demand.mask <<= slice.shift();
                self.reads(from, &demand)
            }
            Word::Shift { value, shift } if fixed => {
                self.reads(value, &Demand::of(demand.mask >> shift))
            }
            Word::Select { parts, elements } => {
                let mut demand = demand.clone();
                if fixed {
                    demand.mask &= elements.mask();
                }
                self.element(&parts[0], &parts[1], elements.width(), &demand)
            }
            Word::Binary(Binary::Member, parts) => {
                self.element(&parts[1], &parts[0], 1, &Demand::of(1))
            }
            Word::Column {
                parts,
                elements,
                count,
            } => {
                let column = elements.lowest_bits(*count);
                self.element(&parts[0], &parts[1], 1, &Demand::of(column))
            }
            Word::Matches {
                parts,
                elements,
                count,
            } => {
                let all = low_bits(elements.width() * count);
                self.reads(&parts[0], &Demand::of(all))?;
                self.reads(&parts[1], &Demand::whole())
            }
            Word::Let(slot, parts) => self.named(*slot, parts, demand),
            Word::Loop(turn) => self.turned(turn),
            // A code may get a number later.
            Word::Cell(_) | Word::Number(_) => None,
            word => self.parts(word),
        }
    }

    /// Notes variables that determine which bits of a source are read.
    fn all_of(&mut self, offset: &[(Slot, u32)]) {
        for (slot, _) in offset {
            self.local(*slot, &Demand::whole());
        }
    }

    /// A term all of whose parts matter.
    fn parts(&mut self, word: &Word) -> Option<()> {
        let mut known = Some(());
        word.children(&mut |part| {
            known = known.and_then(|()| self.reads(part, &Demand::whole()));
        });
        known
    }

    fn load(&mut self, store: Store, field: Field, demand: &Demand) {
        let mut demand = demand.clone();
        if demand.offset.is_empty() {
            demand.mask &= field.slice().mask();
        }
        demand.mask <<= field.slice().shift();
        self.note(Source::State(store, field.word()), demand);
    }

    /// An element of an array or a set. The index counts as read, unless it only selects the bits of the array that are
    /// read.
    fn element(&mut self, array: &Word, index: &Word, width: u32, demand: &Demand) -> Option<()> {
        let linear = self.linear(index);
        let linear = linear.map(|values| demand.of_elements(&values, width));
        let wanted = match linear {
            Some(wanted) if self.is_within(array, &wanted) => wanted,
            _ => {
                self.reads(index, &Demand::whole())?;
                let bits = self.reach.word(index);
                let values = (bits < 64).then(|| Index::among(positions(bits)))?;
                demand.of_elements(&values, width)
            }
        };
        if !self.is_within(array, &wanted) {
            return None;
        }
        self.reads(array, &wanted)
    }

    /// Whether no values of the variables lead outside an array, to what lies beside it. (A read at a constant position is
    /// masked.)
    fn is_within(&mut self, array: &Word, wanted: &Demand) -> bool {
        let length = u64::from(u64::BITS - self.reach.word(array).leading_zeros());
        let mut end = u64::from(u64::BITS - wanted.mask.leading_zeros());
        for (slot, width) in &wanted.offset {
            let most = self
                .slots
                .get(*slot as usize)
                .map_or(u64::MAX, |s| s.most());
            end = end.saturating_add(most.saturating_mul(u64::from(*width)));
        }
        wanted.offset.is_empty() || end <= length
    }

    /// The values of an index that is made of variables, multiplied and added up.
    fn linear(&mut self, index: &Word) -> Option<Index> {
        match index {
            Word::Const(n) if *n < 64 => Some(Index::among(1 << n)),
            Word::Local(slot) => match (self.inner.get(slot), self.slots.get(*slot as usize)) {
                (Some(Inner::Turns(values)), _) => Some(Index::among(*values)),
                (None, Some(Bits::Known(n))) if *n < 64 => Some(Index::among(1 << n)),
                (None, Some(Bits::In { .. })) => Some(Index::moving(*slot)),
                _ => None,
            },
            Word::Shift { value, shift } => self.linear(value)?.times(*shift),
            Word::Binary(Binary::Or, parts) => {
                let apart = self.reach.word(&parts[0]) & self.reach.word(&parts[1]) == 0;
                let (left, right) = (self.linear(&parts[0])?, self.linear(&parts[1])?);
                left.plus(&right).filter(|_| apart)
            }
            Word::Update { parts, slice } => {
                let free = self.reach.word(&parts[0]) & slice.in_place() == 0;
                let fits = self.reach.word(&parts[1]) & !slice.mask() == 0;
                let (whole, part) = (self.linear(&parts[0])?, self.linear(&parts[1])?);
                whole
                    .plus(&part.times(slice.shift())?)
                    .filter(|_| free && fits)
            }
            _ => None,
        }
    }

    fn local(&mut self, slot: Slot, demand: &Demand) {
        let mask = if demand.offset.is_empty() {
            demand.mask
        } else {
            u64::MAX
        };
        match self.inner.get_mut(&slot) {
            Some(Inner::Turns(_)) => {}
            Some(Inner::Named(wanted)) => *wanted |= mask,
            None if !matches!(self.slots.get(slot as usize), Some(Bits::In { .. })) => {}
            None => {
                let bits = self.reach.word(&Word::Local(slot));
                self.note(Source::Slot(slot), Demand::of(mask & bits));
            }
        }
        self.all_of(&demand.offset);
    }

    fn named(&mut self, slot: Slot, parts: &[Word; 2], demand: &Demand) -> Option<()> {
        let bits = self.reach.word(&parts[0]);
        self.reach.bind(slot, bits);
        let outer = self.inner.insert(slot, Inner::Named(0));
        self.reads(&parts[1], demand)?;
        let wanted = match self.inner.remove(&slot) {
            Some(Inner::Named(wanted)) => wanted,
            _ => 0,
        };
        if let Some(outer) = outer {
            self.inner.insert(slot, outer);
        }
        self.reads(&parts[0], &Demand::of(wanted))
    }

    fn turned(&mut self, turn: &Loop) -> Option<()> {
        if self.reach.is_listed(&turn.domain) {
            return None;
        }
        match &turn.domain {
            Domain::Below(_) | Domain::Codes(_) => {}
            Domain::Mask(word) | Domain::Exactly(Term::Word(word)) => {
                self.reads(word, &Demand::whole())?;
            }
            Domain::Masks(masks) => masks
                .iter()
                .try_for_each(|mask| self.reads(mask, &Demand::whole()))?,
            Domain::Range(low, high, _) => low
                .iter()
                .chain(high)
                .try_for_each(|bound: &Bound<Word>| self.reads(&bound.term, &Demand::whole()))?,
            Domain::Exactly(_)
            | Domain::Numbered(_)
            | Domain::OneOf(_)
            | Domain::Elements(_)
            | Domain::Between(..)
            | Domain::Numbers(_)
            | Domain::Found(_) => {
                return None;
            }
        }
        let (codes, count) = (
            self.reach.codes(&turn.domain),
            self.reach.count(&turn.domain),
        );
        let values = match &turn.domain {
            _ if codes >= 64 => None,
            domain => Some(self.reach.as_mask(domain)),
        };
        self.reach.bind(turn.slot, codes);
        let inner = values.map_or(Inner::Named(0), Inner::Turns);
        let outer = self.inner.insert(turn.slot, inner);
        let turns = self.turns;
        self.turns = turns.saturating_mul(count);
        let wanted = if turn.fold == Fold::Collect {
            Demand::whole()
        } else {
            Demand::of(1)
        };
        self.reads(&turn.body, &wanted)?;
        self.turns = turns;
        match outer {
            Some(outer) => self.inner.insert(turn.slot, outer),
            None => self.inner.remove(&turn.slot),
        };
        Some(())
    }

    fn note(&mut self, source: Source, demand: Demand) {
        let Demand { mask, offset } = demand;
        let mut groups = self.found.groups.iter_mut();
        match groups.find(|p| p.source == source && p.offset == offset) {
            Some(group) => group.mask |= mask,
            None => self.found.groups.push(BitGroup {
                source,
                mask,
                offset,
            }),
        }
    }
}
