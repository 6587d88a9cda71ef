//! Work spread over threads, with results in the order of the items.

/// Recursion over deep formulas needs room; it is address space until it is used.
const STACK: usize = 256 << 20;

/// Runs `work` on each item, on at most so many threads; the results come in the order of the items.
pub fn spread<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Vec<R> + Sync,
) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    let run = |thread: usize| {
        let mine = items.iter().enumerate().skip(thread).step_by(threads);
        mine.map(|(i, item)| (i, work(item))).collect::<Vec<_>>()
    };
    let (run, mut results) = (&run, Vec::new());
    std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for thread in 0..threads {
            let builder = std::thread::Builder::new().stack_size(STACK);
            match builder.spawn_scoped(scope, move || run(thread)) {
                Ok(handle) => handles.push(handle),
                // Where no thread is to be had, this one does the work.
                Err(_) => results.extend(run(thread)),
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
