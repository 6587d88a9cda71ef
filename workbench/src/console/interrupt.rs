//! Interrupts from the keyboard, and requests to terminate: the first asks for what was found so far, a later one ends the
//! process at once.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use session::finding::Status;

/// Whether the user has interrupted the process.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// When that was, for the last interrupt that was not taken for an echo of the one before.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

/// Two requests that are closer to each other are one: `timeout` of GNU, for example, sends one to the process and then
/// another one to its whole group.
const ECHO: Duration = Duration::from_millis(500);

/// From now on the first interrupt only takes note of itself, so that whatever goes on can come to an end. Where no such
/// thing can be arranged, an interrupt ends the process, as it does anyway.
pub(crate) fn heed() {
    let _ = ctrlc::set_handler(|| {
        if !is_echo() && INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Status::Interrupted.code()));
        }
    });
}

/// Whether an interrupt that comes now is an echo of the one before.
fn is_echo() -> bool {
    let Ok(mut last) = LAST.lock() else {
        return false;
    };
    let is_echo = last.is_some_and(|last| last.elapsed() < ECHO);
    if !is_echo {
        *last = Some(Instant::now());
    }
    is_echo
}

/// From now on, the end of the standard input is as good as an interrupt.
pub(crate) fn heed_end_of_input() {
    std::thread::spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        INTERRUPTED.store(true, Ordering::Relaxed);
    });
}

/// What was interrupted has come to its end, and the next one is as good as the first. Where a person gives one command after
/// the other, an interrupt ends one of them and not the session.
pub(crate) fn forget() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}

/// Whether there was one.
pub(crate) fn is_requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
