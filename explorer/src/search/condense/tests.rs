//! Searches whose states are condensed find what others find.

#[path = "../../../tests/saving/mod.rs"]
mod saving;

use interpreter::{Batch, Broken, Successors, Unexpanded};

use self::saving::{giving, words_of};
use crate::search::{Bounds, Question, Search, Status};
use crate::store::hash::inverse;

/// The points of a cube, with a step along each axis, and a mark that is set at some points and remains.
#[derive(Clone, Default)]
struct Marked {
    /// The coordinates of a point are stored times this number, which is odd: so they use few bits, or all.
    factor: u64,
    /// At these points a bit can be set where none is.
    marks: Vec<(Point, u32)>,
    /// Whether it is said that steps depend on what was expanded before.
    remembers: bool,
}

type Point = [u64; 3];

/// The words of a state: the coordinates, the marks, and one that is always the same.
const WIDTH: usize = 5;

const ALWAYS: u64 = 0xfeed;

const EDGE: u64 = 70;

/// Where the invariant is violated.
const BAD: Point = [60, 61, 62];

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

impl Marked {
    fn row(&self, [x, y, z]: Point, marks: u64) -> [u64; WIDTH] {
        let [x, y, z] = [x, y, z].map(|c| c.wrapping_mul(self.factor));
        [x, ALWAYS, y, marks, z]
    }

    fn point(&self, row: &[u64]) -> (Point, u64) {
        assert_eq!(row[1], ALWAYS);
        let point = [row[0], row[2], row[4]];
        (point.map(|c| c.wrapping_mul(inverse(self.factor))), row[3])
    }

    fn search(&self, threads: usize, bounds: Bounds) -> Search<Self> {
        let start = self.row([0; 3], 0);
        Search::new(vec![self.clone(); threads], &start, bounds)
    }
}

impl Successors for Marked {
    fn engine(&self) -> &'static str {
        "the test"
    }

    fn words(&self) -> usize {
        WIDTH
    }

    fn remembers(&self) -> bool {
        self.remembers
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        batch.clear(4);
        for row in states.chunks_exact(WIDTH) {
            let (point, marks) = self.point(row);
            for axis in 0..3 {
                let mut next = point;
                next[axis] += 1;
                if next[axis] < EDGE {
                    batch.words.extend(self.row(next, marks));
                    batch.fired[axis] += 1;
                }
            }
            let marked = |(at, _): &&(Point, u32)| marks == 0 && *at == point;
            for (_, bit) in self.marks.iter().filter(marked) {
                batch.words.extend(self.row(point, marks | 1 << bit));
                batch.fired[3] += 1;
            }
            batch.conclude(point != [EDGE - 1; 3], WIDTH);
        }
        Ok(())
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        broken.clear();
        for (state, row) in states.chunks_exact(WIDTH).enumerate() {
            if self.point(row).0 == BAD {
                broken.push(Broken {
                    state,
                    invariant: 0,
                });
            }
        }
    }
}

fn finish(search: &mut Search<Marked>) {
    while search.advance() == Status::Going {}
}

fn saved(search: &Search<Marked>) -> Vec<u64> {
    words_of(|put| search.save(put))
}

fn restored(marked: &Marked, words: &[u64]) -> Option<Search<Marked>> {
    Search::restore(vec![marked.clone(); 2], NO_BOUNDS, &mut giving(words)).ok()
}

/// Points at which marks are set that are not met by chance.
fn marks() -> Vec<(Point, u32)> {
    vec![([3, 60, 40], 5), ([65, 60, 2], 60), ([50, 65, 65], 33)]
}

/// The points and marks of all states, in order.
fn states(marked: &Marked, search: &Search<Marked>) -> Vec<(Point, u64)> {
    let mut states: Vec<_> = search.states().map(|row| marked.point(&row)).collect();
    states.sort_unstable();
    states
}

/// A search that was finished has found what one has found whose states cannot be condensed.
fn assert_is_whole(marked: &Marked, search: &mut Search<Marked>) {
    let other = Marked {
        factor: 0x9e37_79b9_7f4a_7c15,
        ..marked.clone()
    };
    let mut whole = other.search(1, NO_BOUNDS);
    whole.condensing.is_considered = true;
    finish(&mut whole);
    assert!(whole.visited.condensed.is_none());
    assert!(states(marked, search) == states(&other, &whole));
    assert_eq!(search.levels(), whole.levels());
    assert_eq!(search.fired(), whole.fired());
    assert_eq!(search.quiescent(), whole.quiescent());
    let questions = |search: &Search<Marked>| -> Vec<(Question, usize)> {
        let found = search.findings().iter();
        found.map(|f| (f.question, f.depth)).collect()
    };
    assert_eq!(questions(search), questions(&whole));
    let bad = search.findings()[0].clone();
    assert_eq!(marked.point(&bad.state).0, BAD);
    let path = search.path(&bad).expect("a way");
    assert_eq!(path.rows().count(), 1 + BAD.iter().sum::<u64>() as usize);
}

#[test]
fn states_are_condensed_once_there_are_enough() {
    let marked = Marked {
        factor: 1,
        marks: Vec::new(),
        ..Marked::default()
    };
    for threads in [1, 3] {
        let mut search = marked.search(threads, NO_BOUNDS);
        finish(&mut search);
        assert_eq!(search.visited.stored_width(), 1);
        assert_eq!(search.condensing.times, 0);
        assert_is_whole(&marked, &mut search);
    }
}

#[test]
fn a_level_begins_again_where_a_state_is_beyond() {
    let marked = Marked {
        factor: 1,
        marks: marks(),
        ..Marked::default()
    };
    let mut search = marked.search(2, NO_BOUNDS);
    finish(&mut search);
    assert_eq!(search.visited.stored_width(), 1);
    assert!(search.condensing.times > 0);
    assert_is_whole(&marked, &mut search);
}

#[test]
fn states_that_are_often_beyond_are_stored_as_they_come() {
    // One at each depth, where few walks go.
    let marks = (0..40).map(|n| ([0, 30 + u64::from(n), 65], n));
    let marked = Marked {
        factor: 1,
        marks: marks.collect(),
        ..Marked::default()
    };
    let mut search = marked.search(1, NO_BOUNDS);
    finish(&mut search);
    assert_eq!(search.visited.stored_width(), WIDTH);
    assert_is_whole(&marked, &mut search);
}

#[test]
fn a_search_of_condensed_states_goes_on_where_it_was_saved() {
    let marked = Marked {
        factor: 1,
        marks: marks(),
        ..Marked::default()
    };
    let mut whole = marked.search(1, NO_BOUNDS);
    finish(&mut whole);
    for states in [20_000, 160_000, 250_000, 330_000] {
        let bounds = Bounds {
            states: Some(states),
            ..NO_BOUNDS
        };
        let mut search = marked.search(1, bounds);
        finish(&mut search);
        let words = saved(&search);
        let mut again = restored(&marked, &words).expect("a search");
        finish(&mut again);
        assert!(again.states().eq(whole.states()));
        assert_is_whole(&marked, &mut again);
    }
}

#[test]
fn a_search_of_condensed_states_keeps_to_its_memory() {
    let marked = Marked {
        factor: 1,
        marks: marks(),
        ..Marked::default()
    };
    for mebibytes in [2, 4, 8, 12, 16, 20] {
        let bounds = Bounds {
            memory: mebibytes << 20,
            ..NO_BOUNDS
        };
        let mut search = marked.search(1, bounds);
        let mut most = 0;
        while search.advance() == Status::Going {
            most = most.max(search.memory());
        }
        assert!(most <= bounds.memory, "{most} at {mebibytes} MiB");
        let mut again = restored(&marked, &saved(&search)).expect("a search");
        finish(&mut again);
        assert_is_whole(&marked, &mut again);
    }
}

#[test]
fn states_are_not_condensed_where_steps_depend_on_those_before() {
    for remembers in [true, false] {
        let marked = Marked {
            factor: 1,
            marks: Vec::new(),
            remembers,
        };
        let mut search = marked.search(1, NO_BOUNDS);
        finish(&mut search);
        assert_eq!(search.visited.condensed.is_none(), remembers);
    }
}
