//! The ranges of integers that a search tries first, and ranges as words, as a checkpoint keeps them.

use std::cmp::Ordering;
use std::sync::Arc;

use finite::{Dictionary, MOST_NUMBERS, NARROW_GUESS, Packing, Place, Range, Ranges, intervals};
use interpreter::{Instance, Layout};
use ioa_lang::core::{AutomatonId, Model, Type};

/// A state with more words than this is wide.
const WIDE: usize = 16;

/// Where states have no more words than this, elements have no dictionaries: what is said of members of sets is computed for all of them at
/// once where their codes are known.
const LONG: usize = 8;

/// The ranges that are tried first: what the text says, else a guess.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct FirstRanges {
    automaton: AutomatonId,
    usual: Option<Ranges>,
    /// Those with smaller guesses in the elements of sets; none if nothing is guessed there.
    narrow: Option<Ranges>,
}

impl FirstRanges {
    /// For the integers of an automaton.
    pub(in crate::pipeline) fn of(model: &Model, automaton: AutomatonId) -> Self {
        let known = intervals(model, automaton);
        let in_elements = Place::in_elements(model, automaton);
        let guessed = |place: &Place| place.guess();
        let smaller = |place: &Place| match in_elements.contains(place) && !place.is_amount() {
            true => NARROW_GUESS,
            false => place.guess(),
        };
        let ranges = |guess: &dyn Fn(&Place) -> Range| {
            Ranges::of(model, automaton, |place| {
                Some(known.get(place).copied().unwrap_or_else(|| guess(place)))
            })
        };
        let (usual, narrow) = (ranges(&guessed), ranges(&smaller));
        Self {
            automaton,
            narrow: narrow.filter(|narrow| Some(narrow) != usual.as_ref()),
            usual,
        }
    }

    /// The ranges to try in an instance: those with the smaller guesses if the usual ones leave states unpacked, or make them wide and
    /// at least twice as wide.
    pub(in crate::pipeline) fn at(&self, instance: &Instance) -> Option<&Ranges> {
        // Only the places of the variables are asked for, so nothing is compiled.
        let words = |ranges: &Ranges| {
            let layout = laid_out(instance, self.automaton, ranges);
            layout.is_packed().then(|| layout.words())
        };
        let usual = self.usual.as_ref()?;
        let Some(narrow) = &self.narrow else {
            return Some(usual);
        };
        let saves_much = match (words(usual), words(narrow)) {
            (None, narrow) => narrow.is_some(),
            (Some(usual), Some(narrow)) => usual > WIDE && usual >= 2 * narrow,
            (Some(_), None) => false,
        };
        Some(if saves_much { narrow } else { usual })
    }
}

/// Gives dictionaries to the elements of large sets and multisets, once: one that becomes too large is not tried again.
pub(in crate::pipeline) struct Numbering<'n> {
    instance: &'n Instance,
    automata: &'n [AutomatonId],
    may_number: bool,
    is_at_once: bool,
}

impl<'n> Numbering<'n> {
    /// For the states of some automata, if numbers may be used.
    pub(in crate::pipeline) fn new(
        instance: &'n Instance,
        automata: &'n [AutomatonId],
        may_number: bool,
    ) -> Self {
        Self {
            instance,
            automata,
            may_number,
            is_at_once: false,
        }
    }

    /// Lets elements have numbers as soon as they are met: nothing must depend on the numbers.
    pub(in crate::pipeline) fn at_once(mut self) -> Self {
        self.is_at_once = true;
        self
    }

    /// The same ranges, with dictionaries if these may be used and are worthwhile.
    pub(in crate::pipeline) fn add(&mut self, ranges: Option<Ranges>) -> Option<Ranges> {
        let plain = ranges.as_ref().filter(|_| self.may_number);
        let found = plain.and_then(|plain| {
            let each = self.automata.iter();
            let found = each.filter_map(|automaton| numbered(self.instance, *automaton, plain));
            found.reduce(Ranges::and)
        });
        let Some(found) = found else {
            return ranges;
        };
        self.may_number = false;
        Some(match self.is_at_once {
            true => found.numbering_at_once(),
            false => found,
        })
    }
}

/// The same ranges with dictionaries for the elements of large sets and multisets, if more is packed then or states take at most half the
/// words.
fn numbered(instance: &Instance, automaton: AutomatonId, ranges: &Ranges) -> Option<Ranges> {
    let collections = finite::collections(instance.model(), automaton);
    let numbered = ranges.clone().with_dictionaries(collections);
    let plain = laid_out(instance, automaton, ranges);
    let other = laid_out(instance, automaton, &numbered);
    let saves_much = match plain.cells().cmp(&other.cells()) {
        Ordering::Less => false,
        Ordering::Equal => plain.words() > LONG && plain.words() >= 2 * other.words(),
        Ordering::Greater => true,
    };
    saves_much.then_some(numbered)
}

/// How the states of an automaton lie in words with these ranges.
fn laid_out(instance: &Instance, automaton: AutomatonId, ranges: &Ranges) -> Layout {
    let model = instance.model();
    let universe = instance
        .universe()
        .clone()
        .with_ranges(Some(ranges.clone()));
    let variables = &model.automaton(automaton).variables;
    Layout::of(model, &universe, Some(automaton), variables)
}

/// All places that could have ranges, in their order.
fn places(instance: &Instance, automaton: AutomatonId) -> Ranges {
    Ranges::of(instance.model(), automaton, |_| Some(finite::GUESS)).unwrap_or_default()
}

/// The ranges of an instance as words: whether integers are words at all; for each place whether it has a range, and the ends of that;
/// for each type of sets or multisets whether its elements have a dictionary, the room in it, and the codes in it after their number.
pub(in crate::pipeline::explore) fn words(instance: &Instance, automaton: AutomatonId) -> Vec<u64> {
    let places = places(instance, automaton);
    let ranges = instance.universe().ranges();
    let each =
        places.iter().flat_map(
            |(place, _)| match ranges.and_then(|ranges| ranges.get(place)) {
                Some((_, range)) => [1, range.low.cast_unsigned(), range.high.cast_unsigned()],
                None => [0; 3],
            },
        );
    let head = std::iter::once(u64::from(ranges.is_some()));
    let mut words: Vec<u64> = head.chain(each).collect();
    for ty in finite::collections(instance.model(), automaton) {
        let own = ranges.and_then(|ranges| ranges.dictionary(&Place::Part(ty, 0)));
        let Some((_, own)) = own else {
            words.push(0);
            continue;
        };
        let codes = (0..own.len() as u64).map(|number| own.code(number));
        words.extend([1, own.room(), own.len() as u64]);
        words.extend(codes);
    }
    words
}

/// How many words the ranges of an instance are at most.
pub(in crate::pipeline::explore) fn most_words(
    instance: &Instance,
    automaton: AutomatonId,
) -> usize {
    let collections = finite::collections(instance.model(), automaton);
    1 + 3 * places(instance, automaton).len() + collections.len() * (3 + MOST_NUMBERS)
}

/// The ranges that some words are; none if there are none, or these words are no ranges.
pub(in crate::pipeline::explore) fn of_words(
    instance: &Instance,
    automaton: AutomatonId,
    words: &[u64],
) -> Option<Ranges> {
    let (are_words, words) = words.split_first()?;
    let (ranges, mut words) = words.split_at_checked(3 * places(instance, automaton).len())?;
    let mut each = ranges.chunks_exact(3);
    let mut next = |_: &Place| match each.next()? {
        [1, low, high] => Some(Range {
            low: low.cast_signed(),
            high: high.cast_signed(),
        }),
        _ => None,
    };
    let ranges = Ranges::of(instance.model(), automaton, &mut next).filter(|_| *are_words == 1)?;
    let mut dictionaries = Vec::new();
    for ty in finite::collections(instance.model(), automaton) {
        let (is_numbered, rest) = words.split_first()?;
        words = rest;
        if *is_numbered == 1 {
            let ([room, count], rest) = words.split_first_chunk()?;
            let (codes, rest) = rest.split_at_checked(usize::try_from(*count).ok()?)?;
            dictionaries.push((ty, Dictionary::restored(*room, codes)?));
            words = rest;
        }
    }
    let universe = instance
        .universe()
        .clone()
        .with_ranges(Some(ranges.clone()));
    // Machine code takes whatever is in a dictionary for the code of an element.
    let are_codes = |(ty, own): &(Type, Arc<Dictionary>)| {
        let mut codes = (0..own.len() as u64).map(|number| own.code(number));
        let element = instance.model().parts_of(ty)[0];
        let packing = Packing::of(instance.model(), &universe, element);
        codes.all(|code| packing.as_ref().is_some_and(|p| p.is_code(code)))
    };
    let are_good = dictionaries.iter().all(are_codes);
    are_good.then(|| ranges.with_these_dictionaries(dictionaries))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use finite::Universe;
    use ioa_lang::core::Type;

    use super::*;
    use crate::study::Study;

    /// Notes with a clock each; the sets of those that were sent take 16 bits for each of so many combinations of clocks.
    fn notes(clocks: &str) -> String {
        format!(
            "\
type Node
type Note = tuple of from: Node, {clocks}: Nat
automaton Notes
  signature internal send(i: Node, n: Nat)
  states sent: Array[Node, Set[Note]] := constant({{}}), round: Nat := 0
  transitions
    internal send(i, n)
      pre n = round
      eff round := round + 1
"
        )
    }

    /// The range that is tried first for the round, and for the clocks in the notes.
    fn tried(clocks: &str) -> (Range, Range) {
        let study = Study::of_text(notes(clocks));
        let (model, id) = (&study.model, AutomatonId::at(0));
        let sizes = BTreeMap::from([("Node".to_owned(), 3)]);
        let universe = Universe::new(model, model.every_setting(), &sizes).expect("they fit");
        let instance = Instance::new(Arc::clone(model), universe);
        let first = FirstRanges::of(model, id);
        let ranges = first.at(&instance).expect("integers are words").clone();
        let of = |wanted: &dyn Fn(&Place) -> bool| {
            let found = ranges.iter().find(|(place, _)| wanted(place));
            found.expect("it has a range").1
        };
        (
            of(&|place| matches!(place, Place::Variable(..))),
            of(&|place| matches!(place, Place::Part(Type::Tuple(_), 1))),
        )
    }

    #[test]
    fn numbers_in_elements_are_guessed_smaller_where_their_sets_would_be_wide() {
        let usual = finite::GUESS;
        assert_eq!(tried("clock"), (usual, usual));
        assert_eq!(tried("a, b, c"), (usual, NARROW_GUESS));
    }
}
