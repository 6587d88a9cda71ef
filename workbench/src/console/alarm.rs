//! Tells what is being computed that it is no longer wanted: because its time is over, or because all is stopped.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use interpreter::Cancel;
use session::host::Alarm;

/// How often it looks whether all is stopped.
const LOOK: Duration = Duration::from_millis(50);

/// A thread that waits. When this is dropped, it has ended.
pub(crate) struct Waiting(Option<(mpsc::Sender<()>, JoinHandle<()>)>);

impl Waiting {
    /// Sets `cancel` once so much time has passed, if it is bounded, or as soon as all is stopped.
    pub(crate) fn new(
        time: Option<Duration>,
        is_stopped: impl Fn() -> bool + Send + 'static,
        cancel: &Arc<Cancel>,
    ) -> Self {
        let cancel = Arc::clone(cancel);
        // A time that is further away than clocks go is none.
        let end = time.and_then(|time| Instant::now().checked_add(time));
        let (done, over) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            loop {
                let left = end.map(|end| end.saturating_duration_since(Instant::now()));
                let pause = left.map_or(LOOK, |left| left.min(LOOK));
                if over.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                if is_stopped() || end.is_some_and(|end| Instant::now() >= end) {
                    return cancel.set(true);
                }
            }
        });
        Self(Some((done, thread)))
    }
}

impl Alarm for Waiting {}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.0.take() {
            drop(done);
            // It does nothing that could panic.
            let _ = thread.join();
        }
    }
}
