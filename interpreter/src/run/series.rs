//! Runs that several workers make, and that are looked at in their order: no result depends on how many workers there are.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// At most so many runs wait for each worker, so that neither the reports that wait to be looked at nor the runs that are
/// made in vain are many.
const MOST_WAITING: usize = 64;

/// Many runs, one after the other, of which each can be made without the others.
pub trait Series {
    /// What is to be done in a run.
    type Job: Sync;
    /// What has become of a run.
    type Made: Send;
    /// What makes runs, one after the other.
    type Worker: Send;

    /// The next run that is to be made, if there is one. With a single worker, the one before has been looked at.
    fn next(&mut self) -> Option<Self::Job>;

    /// Makes a run. `Break` says that the runs after it are not wanted, and leaves out what was not even begun.
    fn make(worker: &mut Self::Worker, job: &Self::Job) -> Outcome<Self::Made>;

    /// Looks at a run, after all before it. `Break` ends all.
    fn look(&mut self, job: Self::Job, made: Self::Made) -> ControlFlow<()>;
}

/// What a worker says about a run: what became of it, and whether those after it are wanted.
pub type Outcome<M> = ControlFlow<Option<M>, M>;

/// Makes the runs of a series, on one thread for each worker. At least one worker is needed.
pub fn in_order<B: Series>(series: &mut B, workers: &mut [B::Worker]) {
    let most = match workers.len() {
        0 | 1 => 1,
        several => several * MOST_WAITING,
    };
    // The first runs often show all that is wanted.
    let mut size = workers.len().max(1);
    loop {
        let next = std::iter::from_fn(|| series.next());
        let jobs: Vec<B::Job> = next.take(size).collect();
        let made = round::<B>(workers, &jobs);
        let is_cut = made.len() < jobs.len() || jobs.len() < size;
        for (job, outcome) in jobs.into_iter().zip(made) {
            let (made, is_last) = match outcome {
                ControlFlow::Continue(made) => (Some(made), false),
                ControlFlow::Break(made) => (made, true),
            };
            let looked = made.map(|made| series.look(job, made));
            if is_last || looked.is_some_and(|looked| looked.is_break()) {
                return;
            }
        }
        if is_cut {
            return;
        }
        size = (2 * size).min(most);
    }
}

/// Makes some runs; what became of them in their order, up to the first after which none is wanted.
fn round<B: Series>(workers: &mut [B::Worker], jobs: &[B::Job]) -> Vec<Outcome<B::Made>> {
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(jobs.len()));
    let (next, end) = (&next, &end);
    let work = |worker: &mut B::Worker| {
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= end.load(Ordering::Relaxed) {
                return made;
            }
            let outcome = B::make(worker, &jobs[at]);
            if outcome.is_break() {
                end.fetch_min(at + 1, Ordering::Relaxed);
            }
            made.push((at, outcome));
        }
    };
    let Some((first, others)) = workers.split_first_mut() else {
        return Vec::new();
    };
    let wanted = others.len().min(jobs.len().saturating_sub(1));
    let mut made = thread::scope(|scope| {
        let others = others[..wanted].iter_mut();
        let spawn = |worker| thread::Builder::new().spawn_scoped(scope, || work(worker));
        // Where no thread is to be had, the others do its work.
        let threads: Vec<_> = others.filter_map(|worker| spawn(worker).ok()).collect();
        let mut made = work(first);
        for thread in threads {
            match thread.join() {
                Ok(others) => made.extend(others),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    made.sort_unstable_by_key(|(at, _)| *at);
    made.truncate(end.load(Ordering::Relaxed));
    made.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow::{self, Break, Continue};

    use super::{Outcome, Series, in_order};

    /// Squares the numbers below a bound, where nothing is wanted after `last`.
    struct Squares {
        numbers: std::ops::Range<u64>,
        looked: Vec<(u64, u64)>,
        enough: usize,
    }

    /// Knows after which number no square is wanted, and which number it does not begin with.
    #[derive(Clone)]
    struct Squarer {
        last: u64,
        refused: u64,
        made: u64,
    }

    impl Series for Squares {
        type Job = u64;
        type Made = u64;
        type Worker = Squarer;

        fn next(&mut self) -> Option<u64> {
            self.numbers.next()
        }

        fn make(worker: &mut Squarer, job: &u64) -> Outcome<u64> {
            worker.made += 1;
            match *job {
                job if job == worker.refused => Break(None),
                job if job == worker.last => Break(Some(job * job)),
                job => Continue(job * job),
            }
        }

        fn look(&mut self, job: u64, made: u64) -> ControlFlow<()> {
            self.looked.push((job, made));
            match self.looked.len() < self.enough {
                true => Continue(()),
                false => Break(()),
            }
        }
    }

    const NEVER: u64 = u64::MAX;

    /// How many squares are looked at, all of them in order, with each number of workers; how many are made at most.
    fn looked((last, refused): (u64, u64), enough: usize) -> (usize, u64) {
        let mut seen = Vec::new();
        let mut most = 0;
        for workers in [1, 2, 5] {
            let worker = Squarer {
                last,
                refused,
                made: 0,
            };
            let mut workers = vec![worker; workers];
            let mut squares = Squares {
                numbers: 0..1000,
                looked: Vec::new(),
                enough,
            };
            in_order(&mut squares, &mut workers);
            let each = squares.looked.iter().zip(0..);
            assert!(each.into_iter().all(|(looked, n)| *looked == (n, n * n)));
            seen.push(squares.looked.len());
            most = most.max(workers.iter().map(|worker| worker.made).sum());
        }
        assert!(seen.iter().all(|n| *n == seen[0]), "{seen:?}");
        (seen[0], most)
    }

    #[test]
    fn what_is_looked_at_does_not_depend_on_the_number_of_workers() {
        assert_eq!(looked((NEVER, NEVER), usize::MAX), (1000, 1000));
        assert_eq!(looked((700, NEVER), usize::MAX).0, 701);
        assert_eq!(looked((NEVER, 700), usize::MAX).0, 700);
        assert_eq!(looked((NEVER, NEVER), 123).0, 123);
    }

    #[test]
    fn little_is_made_in_vain() {
        let (seen, made) = looked((2, NEVER), usize::MAX);
        assert_eq!(seen, 3);
        assert!(made <= 3 + 5, "{made}");
    }
}
