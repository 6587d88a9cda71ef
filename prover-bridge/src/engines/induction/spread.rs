//! Work spread over threads, with results in the order of the items.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Recursion over deep formulas needs room; it is address space until it is used.
const STACK: usize = 256 << 20;

/// Runs `work` on each item, on at most so many threads; the results come in the order of the items.
pub fn spread<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Vec<R> + Sync,
) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    // A thread that is free takes the next item.
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else {
                return done;
            };
            done.push((i, work(item)));
        }
    };
    let (run, mut results) = (&run, Vec::new());
    std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for _ in 0..threads {
            let builder = std::thread::Builder::new().stack_size(STACK);
            match builder.spawn_scoped(scope, run) {
                Ok(handle) => handles.push(handle),
                // Where no thread is to be had, this one does the work.
                Err(_) => results.extend(run()),
            }
        }
        for handle in handles {
            match handle.join() {
                Ok(found) => results.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().flat_map(|(_, found)| found).collect()
}
