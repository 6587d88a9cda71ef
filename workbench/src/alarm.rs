//! Something that happens once some time has passed, unless it is no longer wanted.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use interpreter::Cancel;
use session::host::Alarm;

/// A thread that waits. When this is dropped, it has ended.
pub(crate) struct Waiting(Option<(mpsc::Sender<()>, JoinHandle<()>)>);

impl Waiting {
    /// Sets `cancel` once so much time has passed.
    pub(crate) fn new(time: Duration, cancel: &Arc<Cancel>) -> Self {
        let cancel = Arc::clone(cancel);
        let (done, over) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            if over.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                cancel.set(true);
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
