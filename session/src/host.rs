//! The host: the services (time, progress, cancellation, storage) that a question needs from the program that asks it.

use std::fmt::Debug;
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use explorer::Folder;
use interpreter::Cancel;
#[cfg(feature = "smt")]
use prover_bridge::{Fingerprint, Proofs, Target, Watch};
#[cfg(feature = "smt")]
use serde::{Deserialize, Serialize};

/// The program that asks.
pub trait Host: Sync {
    /// The time since some moment in the past, always the same one.
    fn now(&self) -> Duration;

    /// Some work begins, of so many pieces where their number is known.
    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress>;

    /// Hears of trouble that is no reason to stop.
    fn warns(&self, message: &str);

    /// Why everything is to stop, if it is.
    fn stopped(&self) -> Option<Stop> {
        None
    }

    /// Sets `cancel` once so much time has passed, if it is bounded, or as soon as all is [stopped](Self::stopped), unless
    /// what is returned is dropped before. A host that cannot do two things at once may leave this to checks
    /// between two pieces of work.
    fn cancels(&self, time: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm>;

    /// How many bytes an exploration may take by default.
    fn spare_memory(&self) -> u64;

    /// Does several things, side by side if the host can.
    fn does(&self, jobs: &[&(dyn Fn() + Sync)]) {
        jobs.iter().for_each(|job| job());
    }

    /// What was proved before, if the host remembers that.
    #[cfg(feature = "smt")]
    fn proofs(&self) -> Option<&dyn Proofs> {
        None
    }

    /// The lemmas that were found before, if the host remembers that.
    #[cfg(feature = "smt")]
    fn searches(&self) -> Option<&dyn Searches> {
        None
    }

    /// Runs a proof, each of whose questions to the solver may take so much time, and watches that it goes on, if the
    /// host can.
    #[cfg(feature = "smt")]
    fn supervises(
        &self,
        target: &Target<'_>,
        timeout: Duration,
        proof: &mut dyn FnMut(Option<&dyn Watch>),
    ) {
        let _ = (target, timeout);
        proof(None);
    }
}

/// A memory of what searches for lemmas have found. It may forget; what it makes up is proved again, and does no harm.
#[cfg(feature = "smt")]
pub trait Searches: Sync {
    /// The lemmas that were found for a question, if it was asked before.
    fn recall_lemmas(&self, question: &Fingerprint) -> Option<Vec<FoundLemma>>;

    /// Remembers the lemmas that were found for a question.
    fn remember_lemmas(&self, question: &Fingerprint, lemmas: &[FoundLemma]);
}

/// A lemma that a search found.
#[cfg(feature = "smt")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundLemma {
    /// The name of the automaton that it is about.
    pub automaton: String,
    /// Its own name.
    pub name: String,
    /// What holds, as IOA text.
    pub formula: String,
    /// The names of the goals and lemmas whose proofs need it.
    pub needed_for: Vec<String>,
}

/// Why a command ends before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user has interrupted it.
    Interrupted,
    /// The time that the user allowed is over.
    Time,
}

impl Stop {
    /// What is said about what was stopped.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::Time => "stopped at the bound on time",
        }
    }
}

/// The same host, for a part of the work that may take only so much time. It is not for proofs, of which it remembers none.
#[derive(Clone, Copy)]
pub struct Briefly<'h> {
    host: &'h dyn Host,
    until: Duration,
    /// Whether it ends earlier where everything is to stop.
    heeds_stop: bool,
}

impl<'h> Briefly<'h> {
    /// For so many seconds from now on.
    #[must_use]
    pub fn new(host: &'h dyn Host, seconds: f64) -> Self {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Self {
            host,
            until: host.now().saturating_add(time),
            heeds_stop: true,
        }
    }

    /// The same, even if everything is to stop: for the last questions about what was found before.
    #[must_use]
    pub fn to_the_end(host: &'h dyn Host, seconds: f64) -> Self {
        Self {
            heeds_stop: false,
            ..Self::new(host, seconds)
        }
    }

    fn left(&self) -> Duration {
        self.until.saturating_sub(self.host.now())
    }
}

impl Host for Briefly<'_> {
    fn now(&self) -> Duration {
        self.host.now()
    }

    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
        self.host.begins(work, pieces)
    }

    fn warns(&self, message: &str) {
        self.host.warns(message);
    }

    fn stopped(&self) -> Option<Stop> {
        let is_over = self.left().is_zero();
        let stop = self.host.stopped().filter(|_| self.heeds_stop);
        stop.or(is_over.then_some(Stop::Time))
    }

    fn cancels(&self, time: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
        let left = self.left();
        let time = time.map_or(left, |time| time.min(left));
        self.host.cancels(Some(time), cancel)
    }

    fn spare_memory(&self) -> u64 {
        self.host.spare_memory()
    }
}

/// Measures how long something takes for a host.
#[derive(Clone, Copy)]
pub struct Stopwatch<'h> {
    host: &'h dyn Host,
    started: Duration,
}

impl<'h> Stopwatch<'h> {
    /// Begins now.
    #[must_use]
    pub fn start(host: &'h dyn Host) -> Self {
        let started = host.now();
        Self { host, started }
    }

    /// The time since it began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.host.now().saturating_sub(self.started)
    }

    /// The same in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }
}

impl std::fmt::Debug for Stopwatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stopwatch")
            .field("started", &self.started)
            .finish_non_exhaustive()
    }
}

/// How far some work is. The work has ended when this is dropped.
pub trait Progress {
    /// One more piece is done.
    fn step(&mut self);

    /// Says in words how far it is.
    fn say(&mut self, how_far: &str);
}

/// A pending alarm; dropping it cancels the alarm.
pub trait Alarm {}

/// A place where something large is kept and taken up again, such as a file.
pub trait Place: Debug + Send + Sync {
    /// What it is called.
    fn name(&self) -> String;

    /// Replaces what is kept there by what `fill` writes: as a whole, or not at all.
    ///
    /// # Errors
    /// Says why it could not be written; what was there before is still there.
    fn replace(&self, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>)
    -> Result<(), String>;

    /// What is kept there.
    ///
    /// # Errors
    /// Says why it cannot be read.
    fn open(&self) -> Result<Box<dyn Read + '_>, String>;
}

/// A folder that holds a search whose states do not stay in memory.
pub trait SearchFolder: Folder {
    /// Removes the files of the search, so that another one can begin.
    ///
    /// # Errors
    /// Says which file cannot be removed, and why.
    fn clear(&self) -> Result<(), String>;
}

/// A place in memory.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<Vec<u8>>);

impl InMemory {
    /// A place where this is kept.
    #[must_use]
    pub fn holding(bytes: Vec<u8>) -> Self {
        Self(Mutex::new(bytes))
    }

    /// What is kept there now.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }
}

impl Place for InMemory {
    fn name(&self) -> String {
        "memory".into()
    }

    fn replace(
        &self,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), String> {
        let mut bytes = Vec::new();
        fill(&mut bytes).map_err(|e| e.to_string())?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = bytes;
        Ok(())
    }

    fn open(&self) -> Result<Box<dyn Read + '_>, String> {
        Ok(Box::new(Cursor::new(self.bytes())))
    }
}

/// A host that shows nothing, stops nothing, and for which no time passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

/// The memory that an exploration may take for a host that does not know how much there is.
const MEMORY: u64 = 1 << 30;

impl Host for Silent {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn begins(&self, _: &str, _: Option<u64>) -> Box<dyn Progress> {
        Box::new(Self)
    }

    fn warns(&self, _: &str) {}

    fn cancels(&self, _: Option<Duration>, _: &Arc<Cancel>) -> Box<dyn Alarm> {
        Box::new(Self)
    }

    fn spare_memory(&self) -> u64 {
        MEMORY
    }
}

impl Progress for Silent {
    fn step(&mut self) {}

    fn say(&mut self, _: &str) {}
}

impl Alarm for Silent {}
