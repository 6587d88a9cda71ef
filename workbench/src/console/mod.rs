//! Where a command speaks: colour and width of the terminal, and progress on long work.

mod alarm;
pub(crate) mod interrupt;
mod progress;

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use interpreter::Cancel;
use prover_bridge::{Proofs, Target, Watch, spread};
use session::host::{Alarm, Host, Progress, Searches, Stop};
use sysinfo::System;

use self::alarm::Waiting;
use self::progress::{Bar, Spinner};
use crate::files::proofs::ProofFile;
use crate::report::terminal::Style;
use crate::restart;
use crate::watchdog::{Whole, watched};

/// The terminal, or whatever stands in its place.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// How to draw on standard output.
    pub style: Style,
    /// Whether standard error takes colour.
    pub color_err: bool,
    /// Whether progress is shown: on a terminal, when people are to read the answer.
    progress: bool,
    /// Whether the process is there for one command alone, which may then begin again.
    pub is_whole_process: bool,
    /// What the command took before it [began again](crate::restart).
    earlier: Duration,
    /// When it was made, at the beginning of the command.
    began: Instant,
    /// How long the command may take, if the user bounds that.
    limit: Option<Duration>,
    /// Where proofs are remembered, if they are.
    proofs: Option<&'static ProofFile>,
}

impl Console {
    /// The console of this process, which shows executions in full if that is asked for. Colour needs a terminal and no
    /// `NO_COLOR`.
    #[must_use]
    pub fn new(json: bool, full: bool) -> Self {
        let allowed = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let (out, err) = (
            std::io::stdout().is_terminal(),
            std::io::stderr().is_terminal(),
        );
        let width = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        Self {
            style: Style {
                color: allowed && out && !json,
                width: width.or_else(|| terminal_width(out)),
                full,
                all: false,
            },
            color_err: allowed && err,
            progress: err && !json,
            is_whole_process: true,
            earlier: restart::earlier(),
            began: Instant::now(),
            limit: None,
            proofs: None,
        }
    }

    /// The same console, which shows all counterexamples if that is asked for.
    #[must_use]
    pub fn with_all(mut self, all: bool) -> Self {
        self.style.all = all;
        self
    }

    /// A console that shows nothing: for use as a library.
    #[must_use]
    pub fn silent() -> Self {
        Self {
            style: Style {
                color: false,
                width: None,
                full: false,
                all: false,
            },
            color_err: false,
            progress: false,
            is_whole_process: false,
            earlier: restart::earlier(),
            began: Instant::now(),
            limit: None,
            proofs: None,
        }
    }

    /// The same, for a command that need not prove again what its user had proved before.
    #[must_use]
    pub fn remembering(self) -> Self {
        let proofs = ProofFile::of_user();
        Self { proofs, ..self }
    }

    /// Why proofs are not remembered, where they should be.
    #[must_use]
    pub fn trouble_with_proofs(&self) -> Option<String> {
        self.proofs?.trouble()
    }

    /// The same, for a command that may take so many seconds.
    #[must_use]
    pub fn within(self, seconds: Option<f64>) -> Self {
        let limit = seconds.map(|s| Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX));
        Self { limit, ..self }
    }

    /// How long the user has waited for the command.
    #[must_use]
    pub fn waited(&self) -> Duration {
        self.earlier + self.began.elapsed()
    }

    /// Prints results. A reader that has gone away (a closed pipe) is no reason to fail.
    ///
    /// # Errors
    /// Why the results could not be written.
    pub fn print(&self, text: &str) -> Result<(), String> {
        let mut out = std::io::stdout();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() != ErrorKind::BrokenPipe => {
                Err(format!("cannot write the results: {e}"))
            }
            _ => Ok(()),
        }
    }

    /// Prints mistakes and doubts.
    pub fn complain(&self, text: &str) {
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

impl Host for Console {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
        match pieces {
            Some(total) => Box::new(Bar::new(work, total, self.progress)),
            None => Box::new(Spinner::new(work, self.progress)),
        }
    }

    fn warns(&self, message: &str) {
        self.complain(&format!("warning: {message}\n"));
    }

    fn stopped(&self) -> Option<Stop> {
        match self.limit {
            _ if interrupt::is_requested() => Some(Stop::Interrupted),
            Some(limit) if self.waited() >= limit => Some(Stop::Time),
            _ => None,
        }
    }

    fn cancels(&self, time: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
        let console = *self;
        let is_stopped = move || console.stopped().is_some();
        Box::new(Waiting::new(time, is_stopped, cancel))
    }

    /// Most of what is free, or a modest amount where the system does not say how much that is.
    fn spare_memory(&self) -> u64 {
        let free = System::new().map(|mut system| {
            system.refresh_memory();
            system.available_memory()
        });
        match free {
            Ok(free) if free > 0 => free / 4 * QUARTERS_OF_MEMORY,
            _ => MODEST_MEMORY,
        }
    }

    fn does(&self, jobs: &[&(dyn Fn() + Sync)]) {
        spread(jobs, jobs.len(), |job| {
            job();
            Vec::<()>::new()
        });
    }

    fn proofs(&self) -> Option<&dyn Proofs> {
        self.proofs.map(|file| file as &dyn Proofs)
    }

    fn searches(&self) -> Option<&dyn Searches> {
        self.proofs.map(|file| file as &dyn Searches)
    }

    fn supervises(
        &self,
        target: &Target<'_>,
        timeout: Duration,
        proof: &mut dyn FnMut(Option<&dyn Watch>),
    ) {
        if !self.is_whole_process {
            return proof(None);
        }
        let spinner = Spinner::new("proving", self.progress);
        let whole = Whole {
            tell: &|what| spinner.tell(what),
            waited: &|| self.waited(),
            stopped: &|| self.stopped(),
            complain: &|message| self.complain(message),
        };
        watched(target, timeout, whole, proof);
    }
}

/// How many quarters of the free memory an exploration may take by default.
const QUARTERS_OF_MEMORY: u64 = 3;

/// What it takes where it is not known how much is free.
const MODEST_MEMORY: u64 = 4 << 30;

fn terminal_width(is_terminal: bool) -> Option<u16> {
    is_terminal
        .then(|| comfy_table::Table::new().width())
        .flatten()
}
