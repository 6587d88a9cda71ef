//! Progress on long work, as a terminal shows it.

use std::sync::LazyLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use session::host::Progress;

/// Work that takes longer than this is worth showing.
const WORTH_SHOWING: Duration = Duration::from_secs(1);

/// The lines that are seen at the moment, one below the other.
static LINES: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A line about work that goes on. It is seen once the work has taken some time, whether or not it has come any further; it goes
/// when this is dropped.
#[derive(Debug)]
struct Line {
    bar: ProgressBar,
    /// Dropping it tells the waiting thread that the work is done.
    _done: mpsc::Sender<()>,
}

impl Line {
    fn new(pieces: Option<u64>, template: &str, what: &str, is_wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(pieces, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        let (done, waiting) = mpsc::channel::<()>();
        if is_wanted {
            let bar = bar.clone();
            std::thread::spawn(move || {
                if waiting.recv_timeout(WORTH_SHOWING) == Err(RecvTimeoutError::Timeout) {
                    LINES.add(bar.clone());
                    bar.enable_steady_tick(Duration::from_millis(100));
                }
            });
        }
        Self { bar, _done: done }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A sign of life.
#[derive(Debug)]
pub(super) struct Spinner(Line);

impl Spinner {
    /// A sign of life for work whose length is not known.
    pub(super) fn new(what: &str, is_wanted: bool) -> Self {
        Self(Line::new(
            None,
            "{spinner} {wide_msg} {elapsed}",
            what,
            is_wanted,
        ))
    }

    /// Says in words how far it is.
    pub(super) fn tell(&self, how_far: &str) {
        self.0.bar.set_message(how_far.to_owned());
    }
}

impl Progress for Spinner {
    fn step(&mut self) {}

    fn say(&mut self, how_far: &str) {
        self.tell(how_far);
    }
}

/// Progress on one piece of long work.
#[derive(Debug)]
pub(super) struct Bar(Line);

impl Bar {
    /// A bar for `total` pieces of work.
    pub(super) fn new(what: &str, total: u64, is_wanted: bool) -> Self {
        let template = "{msg:<28} {bar:30} {pos}/{len}  {per_sec}  {elapsed}";
        Self(Line::new(Some(total), template, what, is_wanted))
    }
}

impl Progress for Bar {
    fn step(&mut self) {
        self.0.bar.inc(1);
    }

    fn say(&mut self, how_far: &str) {
        self.0.bar.set_message(how_far.to_owned());
    }
}
