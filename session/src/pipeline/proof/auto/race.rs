//! Efforts side by side. Which of them answers is decided by the work that each has counted, so that it is the same one whatever
//! the clock says and however many threads there are: the one that has done least work when its search ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use interpreter::Cancel;
use prover_bridge::{Proofs, Target, Watch};

use crate::host::{Alarm, Host, Progress, Searches, Stop};
use crate::pipeline::candidates::Work;

/// The efforts that are made side by side.
pub(super) struct Race {
    /// The least work of those that have answered so far.
    least: AtomicU64,
    /// How many efforts there are.
    lanes: usize,
}

/// One of the efforts: its work, and a host that stops it once another one has answered with less.
pub(super) struct Lane<'r> {
    race: &'r Race,
    pub(super) work: Arc<Work>,
    host: &'r dyn Host,
}

impl Race {
    /// Runs an effort for each of these, side by side where there are threads for that; returns what comes of them, in their order,
    /// each with its work if it is an answer.
    pub(super) fn run<E: Sync, T: Send>(
        efforts: &[E],
        (threads, host): (usize, &dyn Host),
        run: impl Fn(&E, &Lane<'_>) -> T + Sync,
    ) -> Vec<T> {
        let race = &Self {
            least: AtomicU64::new(u64::MAX),
            lanes: efforts.len(),
        };
        let results: Vec<Mutex<Option<T>>> = efforts.iter().map(|_| Mutex::default()).collect();
        let one = |effort: &E, result: &Mutex<Option<T>>| {
            let work = Arc::default();
            let found = run(effort, &Lane { race, work, host });
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        };
        let jobs = efforts.iter().zip(&results);
        let jobs: Vec<_> = jobs
            .map(|(effort, result)| || one(effort, result))
            .collect();
        let jobs: Vec<&(dyn Fn() + Sync)> = jobs.iter().map(|job| job as _).collect();
        match threads {
            1 => jobs.iter().for_each(|job| job()),
            _ => host.does(&jobs),
        }
        let results = results.into_iter();
        results
            .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }
}

impl Lane<'_> {
    /// How many of so many threads are for this effort.
    pub(super) fn threads(&self, threads: usize) -> usize {
        (threads / self.race.lanes).max(1)
    }

    /// The effort has answered after so much work.
    pub(super) fn has_answered(&self, work: u64) {
        self.race.least.fetch_min(work, Ordering::Relaxed);
    }

    /// Whether another effort has answered after less work than this one has done by now.
    pub(super) fn is_lost(&self) -> bool {
        self.work.done() > self.race.least.load(Ordering::Relaxed)
    }
}

impl Host for Lane<'_> {
    fn now(&self) -> Duration {
        self.host.now()
    }

    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
        self.host.begins(work, pieces)
    }

    fn warns(&self, message: &str) {
        self.host.warns(message);
    }

    /// What an effort that has lost comes to is of no interest, whatever it says.
    fn stopped(&self) -> Option<Stop> {
        let lost = self.is_lost().then_some(Stop::Time);
        self.host.stopped().or(lost)
    }

    fn cancels(&self, time: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
        self.host.cancels(time, cancel)
    }

    fn spare_memory(&self) -> u64 {
        self.host.spare_memory() / self.race.lanes as u64
    }

    fn proofs(&self) -> Option<&dyn Proofs> {
        self.host.proofs()
    }

    fn searches(&self) -> Option<&dyn Searches> {
        self.host.searches()
    }

    fn supervises(
        &self,
        target: &Target<'_>,
        timeout: Duration,
        proof: &mut dyn FnMut(Option<&dyn Watch>),
    ) {
        self.host.supervises(target, timeout, proof);
    }
}
