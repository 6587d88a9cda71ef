//! Ranges of integers: the places in the states of an automaton where integers are packed in a few bits.
//!
//! `Int` and `Nat` have no packing, for they have infinitely many values. But in the states that an exploration visits most
//! stay small. A *place* is a variable of such a type, or a part of such a type in a composite one; a place with a *range*
//! is packed as the distance from the range's lower end. A range is a guess: code that stores a number there has to check
//! that it fits, and the computation starts again with a [wider](Ranges::widened) range if it does not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ioa_lang::core::{AutomatonId, Function, Interval, Model, Type, VarId};

use super::Dictionary;

/// Maximum width of a range; integers that would need more are general values.
const MAX_WIDTH: u64 = 1 << 32;

/// Maximum width of a range for keys of a map: each code takes a slot.
const MAX_KEY: i64 = 63;

/// Growth factor of a range that is too narrow: two more bits.
const GROWTH: i128 = 4;

/// Growth factor of a range that is narrower than the usual guess, and so was chosen to be narrow: one more bit.
const NARROW_GROWTH: i128 = 2;

/// Growth factor of the range of a length or a count. It is smaller, because one more slot takes as many bits as an element,
/// and one more bit for the counts is needed for each element.
const LENGTH_GROWTH: i128 = 2;

/// The position of the length among the parts of a sequence, and of the counts among those of a multiset: after that of the
/// elements.
const LENGTH: u32 = 1;

/// Where an integer is stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A variable.
    Variable(AutomatonId, VarId),
    /// A part of a composite type, by its position among the parts. It stands for this part of all values of the type.
    Part(Type, u32),
}

impl Place {
    /// The length of the sequences of a type.
    #[must_use]
    pub fn length_of(sequence: &Type) -> Self {
        Self::Part(sequence.clone(), LENGTH)
    }

    /// Whether the place is the length of sequences.
    #[must_use]
    pub fn is_length(&self) -> bool {
        matches!(self, Self::Part(Type::Seq(_), LENGTH))
    }

    /// The number of copies of an element in the multisets of a type.
    #[must_use]
    pub fn count_of(multiset: &Type) -> Self {
        Self::Part(multiset.clone(), LENGTH)
    }

    /// Whether the place is the number of copies of an element in multisets.
    #[must_use]
    pub fn is_count(&self) -> bool {
        matches!(self, Self::Part(Type::Mset(_), LENGTH))
    }

    /// Whether the place is a length or a number of copies.
    #[must_use]
    pub fn is_amount(&self) -> bool {
        self.is_length() || self.is_count()
    }

    /// The places inside the elements of sets and multisets and the keys of maps, in an automaton's variables. A set has a bit for each
    /// code of its elements, so that one more bit of a number there doubles it.
    #[must_use]
    pub fn in_elements(model: &Model, automaton: AutomatonId) -> BTreeSet<Self> {
        let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
        for variable in &model.automaton(automaton).variables {
            collect_in_elements(model, &variable.ty, &mut seen, &mut found);
        }
        found
    }

    /// The default range, used if nothing is known about the place.
    #[must_use]
    pub fn guess(&self) -> Range {
        match self.is_amount() {
            true => LENGTH_GUESS,
            false => GUESS,
        }
    }
}

/// The integers that a place is assumed to hold.
pub type Range = Interval;

/// The default range of integers.
pub const GUESS: Range = Range { low: 0, high: 15 };

/// The default range of integers [in elements](Place::in_elements) where that saves much.
pub const NARROW_GUESS: Range = Range { low: 0, high: 1 };

/// The default range of lengths and counts. It is small, because most channels hold few messages, and each slot for a
/// message takes many bits of a state.
const LENGTH_GUESS: Range = Range { low: 0, high: 1 };

/// The part of a range that is not below a number.
fn cut_below(range: Range, least: i64) -> Range {
    let low = range.low.max(least);
    Range { low, ..range }
}

/// A range extended to include some numbers, with room to grow on the side where they lie; none if it would be too wide.
///
/// Where numbers below zero occur, they are often few, such as the -1 next to the edge of a board. So the part below zero begins small,
/// and is more than doubled each time.
fn grown_to(range: Range, numbers: Range, growth: i128) -> Option<Range> {
    let (mut low, mut high) = (i128::from(range.low), i128::from(range.high));
    let needed = (i128::from(numbers.low), i128::from(numbers.high));
    if needed.0 < low {
        low = needed.0.min(2 * low.min(0) - 1);
    }
    let is_small = |low, high| high - low < i128::from(MAX_WIDTH);
    while high < needed.1 && is_small(low, high) {
        high += (high - low + 1) * (growth - 1);
    }
    if !is_small(low, high) {
        return None;
    }
    let (low, high) = (i64::try_from(low).ok()?, i64::try_from(high).ok()?);
    Some(Range { low, high })
}

/// The ranges of some places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    /// In the order of the places.
    places: Vec<(Place, Range)>,
    /// For each place, the least number of its type, which is a lower bound for the range.
    least: Vec<i64>,
    /// The elements of sets and multisets that have dictionaries. Their places are numbered behind the others.
    dictionaries: Vec<(Place, Arc<Dictionary>)>,
}

impl Ranges {
    /// The ranges of the places in an automaton's variables, as given by `guess`; places without a guess are left out. Even
    /// if there are no places, having ranges means that integers are computed as words. Returns none if an operator of a
    /// theory with a table takes or returns integers, since tables are built before any ranges are known.
    pub fn of(
        model: &Model,
        automaton: AutomatonId,
        mut guess: impl FnMut(&Place) -> Option<Range>,
    ) -> Option<Self> {
        if about_integers(model) {
            return None;
        }
        let found = places(model, automaton).into_iter().filter_map(|place| {
            let (range, least) = (guess(&place)?, least(model, &place));
            let range = from_zero(&place, cut_below(range, least));
            allows(&place, range).then_some(((place, range), least))
        });
        let (places, least) = found.unzip();
        Some(Self {
            places,
            least,
            dictionaries: Vec::new(),
        })
    }

    /// These ranges and others, of places in the variables of another automaton. A place that both have has room for the numbers of
    /// both.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        let mut dictionaries = self.dictionaries.clone();
        for (place, dictionary) in &others.dictionaries {
            if dictionaries.iter().all(|(known, _)| known != place) {
                dictionaries.push((place.clone(), Arc::clone(dictionary)));
            }
        }
        let listed = |ranges: Self| ranges.places.into_iter().zip(ranges.least);
        let mut all: BTreeMap<Place, (Range, i64)> = BTreeMap::new();
        for ((place, range), least) in listed(self).chain(listed(others)) {
            let known = all.entry(place).or_insert((range, least));
            known.0.low = known.0.low.min(range.low);
            known.0.high = known.0.high.max(range.high);
        }
        let all = all.into_iter();
        let (places, least) = all
            .map(|(place, (range, least))| ((place, range), least))
            .unzip();
        Self {
            places,
            least,
            dictionaries,
        }
    }

    /// The same, with an empty dictionary for the elements of each of some types of sets and multisets.
    #[must_use]
    pub fn with_dictionaries(self, collections: impl IntoIterator<Item = Type>) -> Self {
        let empty = collections.into_iter().map(|ty| (ty, Dictionary::new()));
        self.with_these_dictionaries(empty)
    }

    /// The same, with these dictionaries for the elements of some types.
    #[must_use]
    pub fn with_these_dictionaries(
        mut self,
        dictionaries: impl IntoIterator<Item = (Type, Arc<Dictionary>)>,
    ) -> Self {
        let each = dictionaries.into_iter();
        self.dictionaries = each.map(|(ty, own)| (Place::Part(ty, 0), own)).collect();
        self
    }

    /// The same, with empty dictionaries in which elements get numbers as soon as they are met.
    #[must_use]
    pub fn numbering_at_once(mut self) -> Self {
        for (_, own) in &mut self.dictionaries {
            *own = own.at_once();
        }
        self
    }

    /// The dictionary of the elements at a place, and the place's number: those of places that have ranges come before it.
    #[must_use]
    pub fn dictionary(&self, place: &Place) -> Option<(u32, &Arc<Dictionary>)> {
        let mut known = self.dictionaries.iter();
        let at = known.position(|(own, _)| own == place)?;
        let number = self.places.len() + at;
        Some((number as u32, &self.dictionaries[at].1))
    }

    /// All dictionaries, in the order of their numbers.
    pub fn dictionaries(&self) -> impl Iterator<Item = &(Place, Arc<Dictionary>)> {
        self.dictionaries.iter()
    }

    /// Whether no place has a range.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The number of places that have ranges.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The range of a place, and the place's number among the places that have a range.
    #[must_use]
    pub fn get(&self, place: &Place) -> Option<(u32, Range)> {
        let at = self.places.binary_search_by(|(p, _)| p.cmp(place)).ok()?;
        Some((at as u32, self.places[at].1))
    }

    /// All places with their ranges.
    pub fn iter(&self) -> impl Iterator<Item = &(Place, Range)> {
        self.places.iter()
    }

    /// These ranges with room for numbers that did not fit, given by the number of their place. A place that would need too
    /// wide a range loses its range, and one that would need too large a dictionary loses that. Dictionaries have room for what was met;
    /// with other ranges, the elements have other codes.
    #[must_use]
    pub fn widened(&self, misfits: &BTreeMap<u32, Range>) -> Self {
        let places = (0..).zip(self.places.iter().zip(&self.least));
        let widened = places.filter_map(|(number, ((place, range), least))| {
            let range = match misfits.get(&number) {
                Some(numbers) if !range.contains(*numbers) => {
                    let grown =
                        cut_below(grown_to(*range, *numbers, growth(place, *range))?, *least);
                    Some(grown).filter(|grown| grown.contains(*numbers))?
                }
                _ => *range,
            };
            allows(place, range).then(|| ((place.clone(), range), *least))
        });
        let (places, least): (Vec<(Place, Range)>, Vec<i64>) = widened.unzip();
        let is_same = places == self.places;
        let dictionaries = self.dictionaries.iter().filter_map(|(place, own)| {
            let wider = match is_same {
                true => own.widened()?,
                false => own.emptied(),
            };
            Some((place.clone(), wider))
        });
        Self {
            dictionaries: dictionaries.collect(),
            places,
            least,
        }
    }
}

/// The growth factor of the range of a place.
fn growth(place: &Place, range: Range) -> i128 {
    match place.is_amount() {
        true => LENGTH_GROWTH,
        false if range.span() < GUESS.span() => NARROW_GROWTH,
        false => GROWTH,
    }
}

/// The least number of a place's type.
fn least(model: &Model, place: &Place) -> i64 {
    if place.is_amount() {
        return 0;
    }
    let ty = match place {
        Place::Variable(automaton, variable) => {
            let variables = &model.automaton(*automaton).variables;
            variables.get(variable.index()).map(|v| &v.ty)
        }
        Place::Part(ty, position) => model.parts_of(ty).get(*position as usize).copied(),
    };
    match ty {
        Some(Type::Nat) => 0,
        _ => i64::MIN,
    }
}

/// What a place's range is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// A number by itself.
    Number,
    /// An element of a set or multiset: the number itself is its code.
    Element,
    /// A key of a map, a length or a count.
    Key,
}

fn used_as(place: &Place) -> Use {
    match place {
        place if place.is_amount() => Use::Key,
        Place::Part(Type::Map(..), 0) => Use::Key,
        Place::Part(Type::Set(_) | Type::Mset(_), _) => Use::Element,
        Place::Variable(..) | Place::Part(..) => Use::Number,
    }
}

/// The range with all numbers from 0 on, where numbers are their own codes.
fn from_zero(place: &Place, range: Range) -> Range {
    match used_as(place) {
        Use::Element if range.low > 0 => Range { low: 0, ..range },
        _ => range,
    }
}

/// Whether a place can have a range: keys have to be small, and so have lengths and counts. Elements may be large, since those that are met
/// can have numbers in a dictionary.
fn allows(place: &Place, range: Range) -> bool {
    let suits = match used_as(place) {
        Use::Number => true,
        Use::Element => range.low == 0,
        Use::Key => range.low == 0 && range.high <= MAX_KEY,
    };
    range.low <= range.high && range.span() < MAX_WIDTH && suits
}

/// Whether an operator of a theory takes or returns integers. One that stands for a number has no table.
fn about_integers(model: &Model) -> bool {
    let is_number = |f: &&Function| f.params.is_empty() && f.result.is_integer();
    let tabled = model.functions.iter().filter(|f| !is_number(f));
    let mut types = tabled.flat_map(|f| f.params.iter().chain([&f.result]));
    types.any(|ty| {
        let mut found = BTreeSet::new();
        collect(model, ty, &mut BTreeSet::new(), &mut found);
        ty.is_integer() || !found.is_empty()
    })
}

/// The places that an automaton's variables have.
fn places(model: &Model, automaton: AutomatonId) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    let core = model.automaton(automaton);
    for (v, variable) in (0..).map(VarId).zip(&core.variables) {
        // A variable that only `ensuring` restricts may become any integer.
        let is_open = core
            .transitions
            .iter()
            .any(|t| t.unconstrained.contains(&v));
        if variable.ty.is_integer() && !is_open {
            found.insert(Place::Variable(automaton, v));
        }
        collect(model, &variable.ty, &mut BTreeSet::new(), &mut found);
    }
    found
}

/// Adds the places in the values of a type, except those in types that are never packed.
fn collect<'m>(
    model: &'m Model,
    ty: &'m Type,
    seen: &mut BTreeSet<&'m Type>,
    found: &mut BTreeSet<Place>,
) {
    if !has_packed_parts(ty) || !seen.insert(ty) {
        return;
    }
    match ty {
        Type::Seq(_) => found.insert(Place::length_of(ty)),
        Type::Mset(_) => found.insert(Place::count_of(ty)),
        _ => false,
    };
    for (position, part) in (0..).zip(model.parts_of(ty)) {
        if part.is_integer() {
            found.insert(Place::Part(ty.clone(), position));
        }
        collect(model, part, seen, found);
    }
}

/// Adds the places in what the sets, multisets and maps in the values of a type hold.
fn collect_in_elements<'m>(
    model: &'m Model,
    ty: &'m Type,
    seen: &mut BTreeSet<&'m Type>,
    found: &mut BTreeSet<Place>,
) {
    if !seen.insert(ty) {
        return;
    }
    for (position, part) in (0..).zip(model.parts_of(ty)) {
        let is_element = match ty {
            Type::Set(_) | Type::Mset(_) => true,
            Type::Map(..) => position == 0,
            _ => false,
        };
        if is_element && part.is_integer() {
            found.insert(Place::Part(ty.clone(), position));
        }
        match is_element {
            true => collect(model, part, &mut BTreeSet::new(), found),
            false => collect_in_elements(model, part, seen, found),
        }
    }
}

/// Whether the parts of a type's values are packed along with the values, if the type is packed at all.
fn has_packed_parts(ty: &Type) -> bool {
    match ty {
        Type::Array(index, _) => !index.is_integer(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: i64, high: i64) -> Range {
        Range { low, high }
    }

    fn only(place: Place, range: Range) -> Ranges {
        Ranges {
            places: vec![(place, range)],
            least: vec![i64::MIN],
            dictionaries: Vec::new(),
        }
    }

    fn variable() -> Place {
        Place::Variable(AutomatonId::at(0), VarId::at(0))
    }

    #[test]
    fn a_range_grows_on_the_side_where_it_has_to() {
        let guess = GUESS;
        assert_eq!(grown_to(guess, range(3, 16), GROWTH), Some(range(0, 63)));
        assert_eq!(
            grown_to(guess, range(0, 1000), GROWTH),
            Some(range(0, 1023))
        );
        let below = |low| grown_to(guess, range(low, 0), GROWTH);
        assert_eq!(below(-1), Some(range(-1, 15)));
        assert_eq!(below(-50), Some(range(-50, 15)));
        let again = |low| grown_to(range(-3, 15), range(low, 0), GROWTH);
        assert_eq!(again(-4), Some(range(-7, 15)));
        assert_eq!(again(-9), Some(range(-9, 15)));
        assert_eq!(grown_to(guess, range(i64::MIN, i64::MAX), GROWTH), None);
        assert_eq!(grown_to(guess, range(0, 1 << 33), GROWTH), None);
    }

    #[test]
    fn a_range_of_natural_numbers_has_no_others() {
        let ranges = Ranges {
            least: vec![0],
            ..only(variable(), range(5, 8))
        };
        let misfit = |n| BTreeMap::from([(0, range(n, n))]);
        let wider = ranges.widened(&misfit(0));
        assert_eq!(wider.places, only(variable(), range(0, 8)).places);
        // No range would contain the number, so the attempts with wider ranges would never end.
        assert!(ranges.widened(&misfit(-1)).is_empty());
    }

    #[test]
    fn a_narrow_range_grows_by_one_bit_at_a_time() {
        let misfit = |high| BTreeMap::from([(0, range(0, high))]);
        let narrow = only(variable(), NARROW_GUESS);
        assert_eq!(narrow.widened(&misfit(2)), only(variable(), range(0, 3)));
        assert_eq!(narrow.widened(&misfit(9)), only(variable(), range(0, 15)));
    }

    #[test]
    fn a_place_that_needs_too_much_has_no_range_any_more() {
        let misfit = |high| BTreeMap::from([(0, range(0, high))]);
        let ranges = only(variable(), GUESS);
        assert_eq!(ranges.widened(&misfit(9)), ranges);
        assert_eq!(ranges.widened(&misfit(20)), only(variable(), range(0, 63)));
        assert!(ranges.widened(&misfit(i64::MAX)).is_empty());
        let below = BTreeMap::from([(0, range(-1, 0))]);
        let key = Place::Part(Type::Map(Box::new(Type::Nat), Box::new(Type::Bool)), 0);
        let ranges = only(key.clone(), GUESS);
        assert_eq!(ranges.widened(&misfit(63)), only(key, range(0, 63)));
        assert!(ranges.widened(&misfit(64)).is_empty());
        assert!(ranges.widened(&below).is_empty());
        let element = Place::Part(Type::set(Type::Nat), 0);
        let ranges = only(element.clone(), GUESS);
        assert_eq!(ranges.widened(&misfit(64)), only(element, range(0, 255)));
        assert!(ranges.widened(&below).is_empty());
    }
}
