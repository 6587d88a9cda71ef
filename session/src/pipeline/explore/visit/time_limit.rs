//! The bound on time, and the end that the user asks for, which hold wherever a search is: whoever computes looks now and then whether it is over.

use std::sync::Arc;
use std::time::Duration;

use interpreter::Cancel;

use crate::host::{Alarm, Host, Stopwatch};

/// Cancels what is computed once its time is over. When this is dropped, nothing is cancelled any more: what is told of
/// a search is told in full.
pub(in crate::pipeline) struct TimeLimit<'h> {
    cancel: Arc<Cancel>,
    host: &'h dyn Host,
    /// `None` where time is not bounded.
    time: Option<Duration>,
    stopwatch: Stopwatch<'h>,
    alarm: Option<Box<dyn Alarm>>,
}

impl<'h> TimeLimit<'h> {
    /// A limit on what heeds `cancel`: so many seconds, if they are bounded.
    pub(in crate::pipeline) fn new(
        cancel: &Arc<Cancel>,
        seconds: Option<f64>,
        host: &'h dyn Host,
    ) -> Self {
        // A time that is over is no duration.
        let time = seconds.map(|s| Duration::try_from_secs_f64(s).unwrap_or_default());
        Self {
            cancel: Arc::clone(cancel),
            time,
            host,
            stopwatch: Stopwatch::start(host),
            alarm: Some(host.cancels(time, cancel)),
        }
    }

    /// Whether the time is over, or all is stopped. What is computed then has been cancelled, or is now.
    pub(in crate::pipeline) fn is_over(&self) -> bool {
        let is_late = |time| self.stopwatch.elapsed() >= time;
        if self.time.is_some_and(is_late) || self.host.stopped().is_some() {
            self.cancel.set(true);
        }
        self.cancel.is_set()
    }
}

impl Drop for TimeLimit<'_> {
    fn drop(&mut self) {
        drop(self.alarm.take());
        self.cancel.set(false);
    }
}
