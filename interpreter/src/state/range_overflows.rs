//! Integers that do not fit the bits reserved for them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use finite::{Range, Ranges};

/// The integers that did not fit, in all runs of one instance: for each place, the interval that contains them. The result
/// does not depend on the order of the notes.
#[derive(Debug, Default)]
pub struct RangeOverflows {
    places: Vec<(AtomicI64, AtomicI64)>,
    some: AtomicBool,
    beyond: AtomicBool,
}

impl RangeOverflows {
    /// An empty record for the places that have ranges.
    pub(crate) fn of(ranges: Option<&Ranges>) -> Self {
        let none = || (AtomicI64::new(i64::MAX), AtomicI64::new(i64::MIN));
        let places = ranges.map_or(0, Ranges::len);
        Self {
            places: (0..places).map(|_| none()).collect(),
            ..Self::default()
        }
    }

    /// Records an integer that does not fit the range of a place.
    #[cold]
    pub(crate) fn note(&self, place: u32, n: i64) {
        let (low, high) = &self.places[place as usize];
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
        !self.some.load(Ordering::Relaxed)
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
