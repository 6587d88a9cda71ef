//! The bound on time, which holds wherever a search is: whoever computes looks now and then whether it is over.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use interpreter::Cancel;

/// Cancels what is computed once its time is over. When this is dropped, nothing is cancelled any more: what is told of
/// a search is told in full.
pub(super) struct Watch {
    cancel: Arc<Cancel>,
    waiting: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Watch {
    /// Watches over what heeds `cancel`, for so many seconds if they are bounded.
    pub(super) fn new(cancel: &Arc<Cancel>, seconds: Option<f64>) -> Self {
        let mut watch = Self {
            cancel: Arc::clone(cancel),
            waiting: None,
        };
        match seconds.map(Duration::try_from_secs_f64) {
            // A time that is over is no duration.
            Some(Err(_)) => cancel.set(true),
            Some(Ok(time)) => watch.waiting = Some(watch.wait(time)),
            None => {}
        }
        watch
    }

    fn wait(&self, time: Duration) -> (mpsc::Sender<()>, JoinHandle<()>) {
        let cancel = Arc::clone(&self.cancel);
        let (done, over) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            if over.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                cancel.set(true);
            }
        });
        (done, thread)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.waiting.take() {
            drop(done);
            // It does nothing that could panic.
            let _ = thread.join();
        }
        self.cancel.set(false);
    }
}
