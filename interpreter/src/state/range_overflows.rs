//! Integers that do not fit the bits reserved for them, and elements that have no number in the dictionary of their place.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use finite::{Dictionary, Range, Ranges};

/// The integers that did not fit, in all runs of one instance: for each place, the interval that contains them; and the elements that have
/// no number. The result does not depend on the order of the notes.
#[derive(Debug, Default)]
pub struct RangeOverflows {
    places: Vec<(AtomicI64, AtomicI64)>,
    /// The dictionaries, whose places come behind those with ranges.
    dictionaries: Vec<Arc<Dictionary>>,
    some: AtomicBool,
    beyond: AtomicBool,
}

impl RangeOverflows {
    /// An empty record for the places that have ranges.
    pub(crate) fn of(ranges: Option<&Ranges>) -> Self {
        let none = || (AtomicI64::new(i64::MAX), AtomicI64::new(i64::MIN));
        let places = ranges.map_or(0, Ranges::len);
        let dictionaries = ranges.into_iter().flat_map(Ranges::dictionaries);
        Self {
            places: (0..places).map(|_| none()).collect(),
            dictionaries: dictionaries.map(|(_, own)| Arc::clone(own)).collect(),
            ..Self::default()
        }
    }

    /// Records an integer that does not fit the range of a place, or the code of an element that has no number in the dictionary of one.
    #[cold]
    pub(crate) fn note(&self, place: u32, n: i64) {
        let Some((low, high)) = self.places.get(place as usize) else {
            let dictionary = &self.dictionaries[place as usize - self.places.len()];
            return dictionary.meet(n.cast_unsigned());
        };
        low.fetch_min(n, Ordering::Relaxed);
        high.fetch_max(n, Ordering::Relaxed);
        self.some.store(true, Ordering::Relaxed);
    }

    /// Records an integer that does not fit a word.
    pub(crate) fn note_beyond(&self) {
        self.beyond.store(true, Ordering::Relaxed);
        self.some.store(true, Ordering::Relaxed);
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.some.load(Ordering::Relaxed) && !self.is_unnumbered()
    }

    /// Gives numbers to the elements that were met and have none, if nothing else is recorded and there is room for them. Then there is no
    /// misfit any more, and what was computed since is to be computed again. Nothing may be computed meanwhile.
    #[must_use]
    pub fn number_met(&self) -> bool {
        let is_all = self.is_unnumbered() && !self.some.load(Ordering::Relaxed);
        is_all && self.dictionaries.iter().all(|own| own.number_met())
    }

    /// Forgets everything that was recorded: what was computed when it was is given up. Nothing may be computed meanwhile.
    pub fn forget(&self) {
        for (low, high) in &self.places {
            low.store(i64::MAX, Ordering::Relaxed);
            high.store(i64::MIN, Ordering::Relaxed);
        }
        self.some.store(false, Ordering::Relaxed);
        self.beyond.store(false, Ordering::Relaxed);
        self.dictionaries.iter().for_each(|own| own.forget_met());
    }

    /// Whether an element was met that has no number.
    fn is_unnumbered(&self) -> bool {
        self.dictionaries.iter().any(|own| own.has_met())
    }

    /// Ranges with room for the integers that did not fit; none if integers have to be general values.
    #[must_use]
    pub fn widen(&self, ranges: &Ranges) -> Option<Ranges> {
        if self.beyond.load(Ordering::Relaxed) {
            return None;
        }
        let noted = (0..).zip(&self.places).map(|(place, (low, high))| {
            let (low, high) = (low.load(Ordering::Relaxed), high.load(Ordering::Relaxed));
            (place, Range { low, high })
        });
        let noted: BTreeMap<u32, Range> = noted.filter(|(_, r)| r.low <= r.high).collect();
        Some(ranges.widened(&noted))
    }
}
