//! Efforts side by side. Of those that come to an answer, the first in their order decides, no matter which ends first: so the answer
//! is the same as if they were made one after the other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use interpreter::Cancel;
use prover_bridge::{Proofs, Target, Watch};

use crate::host::{Alarm, Host, Progress, Searches, Stop};

/// So many efforts are made at a time, where there are threads for that.
const AT_A_TIME: usize = 2;

/// Some efforts, a few of which are made at a time.
struct Race<'r> {
    host: &'r dyn Host,
    /// The effort that is begun next, by its place in the order.
    next: AtomicUsize,
    /// The first one that has come to an answer so far.
    answered: AtomicUsize,
}

/// An effort, as a host for what is done for it: it stops once an earlier one has come to an answer.
pub(super) struct Lane<'r> {
    race: &'r Race<'r>,
    place: usize,
    /// How many are made at a time.
    lanes: usize,
}

/// Makes efforts in their order up to the first that comes to an answer, a few at a time, and perhaps a part of those after it. Returns
/// what they come to, in their order.
pub(super) fn side_by_side<E: Sync, T: Send>(
    efforts: &[E],
    (threads, host): (usize, &dyn Host),
    make: impl Fn(&E, &Lane<'_>) -> T + Sync,
    is_answer: impl Fn(&T) -> bool + Sync,
) -> Vec<T> {
    let lanes = AT_A_TIME.min(threads).min(efforts.len()).max(1);
    let race = &Race {
        host,
        next: AtomicUsize::new(0),
        answered: AtomicUsize::new(usize::MAX),
    };
    let results: Vec<Mutex<Option<T>>> = efforts.iter().map(|_| Mutex::default()).collect();
    let makes_some = || {
        while let Some((place, effort)) = race.begun(efforts) {
            let found = make(effort, &Lane { race, place, lanes });
            if is_answer(&found) {
                race.answered.fetch_min(place, Ordering::Relaxed);
            }
            let mut result = results[place]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *result = Some(found);
        }
    };
    let jobs: Vec<&(dyn Fn() + Sync)> = vec![&makes_some; lanes];
    host.does(&jobs);
    let upto = race.answered.load(Ordering::Relaxed);
    let results = results.into_iter().take(upto.saturating_add(1));
    let found = results.map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner));
    found.flatten().collect()
}

impl Race<'_> {
    /// The effort that is begun now; none if there is none left, or if none is needed any more.
    fn begun<'e, E>(&self, efforts: &'e [E]) -> Option<(usize, &'e E)> {
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        let is_over = self.host.stopped().is_some() || self.is_answered_before(place);
        let effort = efforts.get(place).filter(|_| !is_over)?;
        Some((place, effort))
    }

    /// Whether an effort with a lower place has come to an answer.
    fn is_answered_before(&self, place: usize) -> bool {
        self.answered.load(Ordering::Relaxed) < place
    }
}

impl Lane<'_> {
    /// How many of so many threads are for this effort.
    pub(super) fn threads(&self, threads: usize) -> usize {
        (threads / self.lanes).max(1)
    }
}

impl Host for Lane<'_> {
    fn now(&self) -> Duration {
        self.race.host.now()
    }

    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
        self.race.host.begins(work, pieces)
    }

    fn warns(&self, message: &str) {
        self.race.host.warns(message);
    }

    /// What an effort after the one that has answered comes to is of no interest, whatever it says.
    fn stopped(&self) -> Option<Stop> {
        let is_needless = self.race.is_answered_before(self.place);
        let stopped = self.race.host.stopped();
        stopped.or(is_needless.then_some(Stop::Time))
    }

    /// The alarm does not hear that the effort is needless. What it would end looks at [`stopped`](Host::stopped) between two pieces
    /// of work.
    fn cancels(&self, time: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
        self.race.host.cancels(time, cancel)
    }

    fn spare_memory(&self) -> u64 {
        self.race.host.spare_memory() / self.lanes as u64
    }

    fn proofs(&self) -> Option<&dyn Proofs> {
        self.race.host.proofs()
    }

    fn searches(&self) -> Option<&dyn Searches> {
        self.race.host.searches()
    }

    fn supervises(
        &self,
        target: &Target<'_>,
        timeout: Duration,
        proof: &mut dyn FnMut(Option<&dyn Watch>),
    ) {
        match self.lanes {
            1 => self.race.host.supervises(target, timeout, proof),
            // A command that begins again for the sake of one effort would lose what the other one has found.
            _ => proof(None),
        }
    }
}
