//! Several jobs of one command, each on a thread of its own.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

/// Formulas are nested, and what reads them goes as deep; this is address space until it is used.
const STACK: usize = 256 << 20;

/// Does all jobs, each on a thread of its own if there are threads.
pub(super) fn on_threads(jobs: &[&(dyn Fn() + Sync)]) {
    thread::scope(|scope| {
        let mut working = Vec::new();
        for job in jobs {
            match Builder::new().stack_size(STACK).spawn_scoped(scope, job) {
                Ok(thread) => working.push(thread),
                // Where no thread is to be had, this one does the work.
                Err(_) => job(),
            }
        }
        for thread in working {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
    });
}
