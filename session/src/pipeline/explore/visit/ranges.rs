//! The ranges of integers that a search tries first, and ranges as words, as a checkpoint keeps them.

use finite::{Place, Range, Ranges, intervals};
use interpreter::Instance;
use ioa_lang::core::{AutomatonId, Model};

/// What is tried first: what the text says, else a guess.
pub(in crate::pipeline) fn first(model: &Model, automaton: AutomatonId) -> Option<Ranges> {
    let known = intervals(model, automaton);
    Ranges::of(model, automaton, |place| {
        Some(known.get(place).copied().unwrap_or_else(|| place.guess()))
    })
}

/// All places that could have ranges, in their order.
fn places(instance: &Instance, automaton: AutomatonId) -> Ranges {
    Ranges::of(instance.model(), automaton, |_| Some(finite::GUESS)).unwrap_or_default()
}

/// The ranges of an instance as words: whether integers are words at all, then for each place whether it has a range, and
/// the ends of that.
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
    std::iter::once(u64::from(ranges.is_some()))
        .chain(each)
        .collect()
}

/// The ranges that some words are.
pub(in crate::pipeline::explore) fn of_words(
    instance: &Instance,
    automaton: AutomatonId,
    words: &[u64],
) -> Option<Ranges> {
    let (are_words, ranges) = words.split_first()?;
    let mut each = ranges.chunks_exact(3);
    let mut next = |_: &Place| match each.next()? {
        [1, low, high] => Some(Range {
            low: low.cast_signed(),
            high: high.cast_signed(),
        }),
        _ => None,
    };
    Ranges::of(instance.model(), automaton, &mut next).filter(|_| *are_words == 1)
}
