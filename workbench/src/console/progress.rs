//! Progress on long work, as a terminal shows it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use session::host::Progress;

/// A sign of life; it goes when this is dropped.
#[derive(Debug)]
pub(super) struct Spinner {
    bar: ProgressBar,
    /// Dropping it tells the waiting thread that the work is done.
    _done: mpsc::Sender<()>,
}

impl Spinner {
    /// A sign of life for work whose length is not known, seen only if it takes longer than a second.
    pub(super) fn new(what: &str, is_wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        let (done, waiting) = mpsc::channel::<()>();
        if is_wanted {
            let bar = bar.clone();
            std::thread::spawn(move || {
                if waiting.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(100));
                }
            });
        }
        Self { bar, _done: done }
    }

    /// Says in words how far it is.
    pub(super) fn tell(&self, how_far: &str) {
        self.bar.set_message(how_far.to_owned());
    }
}

impl Progress for Spinner {
    fn step(&mut self) {}

    fn say(&mut self, how_far: &str) {
        self.tell(how_far);
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Progress on one piece of long work.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
    wanted: bool,
    started: Instant,
}

impl Bar {
    /// A bar for `total` pieces of work, seen only if the work takes longer than a second.
    pub(super) fn new(what: &str, total: u64, is_wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let template = "{msg:<28} {bar:30} {pos}/{len}  {elapsed}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Self {
            bar,
            wanted: is_wanted,
            started: Instant::now(),
        }
    }
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
