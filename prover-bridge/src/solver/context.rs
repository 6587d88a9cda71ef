//! Contexts of the solver: each piece of work has one of its own.

use std::cell::Cell;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use z3::Config;

use crate::options::Options;

/// How often it is looked whether a question is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// Runs `work` in a solver context of its own, on this thread. If the options have it stopped, the question that it is at is
/// interrupted.
pub(crate) fn in_context_of<T: Send + Sync>(
    options: &Options<'_>,
    work: impl FnOnce() -> T + Send + Sync,
) -> T {
    let Some(stop) = options.stop else {
        return in_context(work);
    };
    in_context(|| {
        let context = z3::Context::thread_local();
        let handle = &context.handle();
        thread::scope(|scope| {
            let (done, over) = mpsc::channel::<()>();
            scope.spawn(move || {
                while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    // Between two questions this has no effect, so it is said again.
                    if stop() {
                        handle.interrupt();
                    }
                }
            });
            let result = work();
            drop(done);
            result
        })
    })
}

thread_local! {
    /// Whether nothing has used the solver on this thread.
    static IS_FRESH: Cell<bool> = const { Cell::new(true) };
    /// The work that the solver had done in the present context when it was last asked for that, in its own unit.
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Runs `work` in a solver context of its own, on this thread.
pub(crate) fn in_context<T: Send + Sync>(work: impl FnOnce() -> T + Send + Sync) -> T {
    let outer = DONE.replace(0);
    // A thread has a context from the beginning. To make another one takes longer than many a question.
    let result = match IS_FRESH.replace(false) {
        true => work(),
        false => z3::with_z3_config(&Config::new(), work),
    };
    DONE.set(outer);
    result
}

/// The work that was done in the present context since this was last asked for, of all that was done so far.
pub(super) fn newly_done(in_all: u64) -> u64 {
    in_all.saturating_sub(DONE.replace(in_all))
}
