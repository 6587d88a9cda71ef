//! Where a command speaks: colour and width of the terminal, and progress on long work.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use interpreter::Cancel;
use prover_bridge::{Target, Watch};
use session::host::{Alarm, Host, Progress};
use sysinfo::System;

use crate::alarm::Waiting;
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
    /// When it was made, at the beginning of the command.
    began: Instant,
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
            },
            color_err: allowed && err,
            progress: err && !json,
            is_whole_process: true,
            began: Instant::now(),
        }
    }

    /// A console that shows nothing: for use as a library.
    #[must_use]
    pub fn silent() -> Self {
        Self {
            style: Style {
                color: false,
                width: None,
                full: false,
            },
            color_err: false,
            progress: false,
            is_whole_process: false,
            began: Instant::now(),
        }
    }

    /// How long the user has waited for the command, with what it took before it [began again](crate::restart).
    #[must_use]
    pub fn waited(&self) -> Duration {
        restart::earlier() + self.began.elapsed()
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

    /// A bar for `total` pieces of work, seen only if the work takes longer than a second.
    fn bar(&self, what: &str, total: u64) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let template = "{msg:<28} {bar:30} {pos}/{len}  {elapsed}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Bar {
            bar,
            wanted: self.progress,
            started: Instant::now(),
        }
    }

    /// A sign of life for work whose length is not known, seen only if it takes longer than a second.
    fn spinner(&self, what: &str) -> Spinner {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_message(what.to_owned());
        let (done, waiting) = mpsc::channel::<()>();
        if self.progress {
            let bar = bar.clone();
            std::thread::spawn(move || {
                if waiting.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(100));
                }
            });
        }
        Spinner { bar, _done: done }
    }
}

impl Host for Console {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
        match pieces {
            Some(total) => Box::new(self.bar(work, total)),
            None => Box::new(self.spinner(work)),
        }
    }

    fn warns(&self, message: &str) {
        self.complain(&format!("warning: {message}\n"));
    }

    fn cancels_after(&self, time: Duration, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
        Box::new(Waiting::new(time, cancel))
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

    fn supervises(
        &self,
        target: &Target<'_>,
        timeout: Duration,
        proof: &mut dyn FnMut(Option<&dyn Watch>),
    ) {
        if !self.is_whole_process {
            return proof(None);
        }
        let whole = Whole {
            waited: &|| self.waited(),
            complain: &|message| self.complain(message),
        };
        watched(target, timeout, whole, proof);
    }
}

/// Part of the memory that is free which an exploration may take if nothing is said, in quarters.
const QUARTERS_OF_MEMORY: u64 = 3;

/// What it takes where it is not known how much is free.
const MODEST_MEMORY: u64 = 4 << 30;

/// A sign of life; it goes when this is dropped.
#[derive(Debug)]
struct Spinner {
    bar: ProgressBar,
    /// Dropping it tells the waiting thread that the work is done.
    _done: mpsc::Sender<()>,
}

impl Progress for Spinner {
    fn step(&mut self) {}

    fn say(&mut self, how_far: &str) {
        self.bar.set_message(how_far.to_owned());
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn terminal_width(is_terminal: bool) -> Option<u16> {
    is_terminal
        .then(|| comfy_table::Table::new().width())
        .flatten()
}

/// Progress on one piece of long work.
#[derive(Debug)]
struct Bar {
    bar: ProgressBar,
    wanted: bool,
    started: Instant,
}

impl Progress for Bar {
    fn step(&mut self) {
        self.bar.inc(1);
        if self.wanted && self.started.elapsed() > Duration::from_secs(1) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.wanted = false;
        }
    }

    fn say(&mut self, how_far: &str) {
        self.bar.set_message(how_far.to_owned());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
