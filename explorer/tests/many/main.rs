//! A search of so many states that they are taken to more shards on the way, over states whose number is known.

mod disk;
#[path = "../saving/mod.rs"]
mod saving;

use explorer::{Bounds, Question, Search, Status};
use interpreter::{Batch, Broken, Successors, Unexpanded};
use saving::{giving, words_of};

/// The points of a cube, with a step along each axis.
#[derive(Clone, Copy)]
struct Cube {
    /// The words of a point: its number, or its coordinates.
    words: usize,
}

type Point = [u64; 3];

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

/// The points of an edge: there are more than a million of all, which are taken to more shards however they are stored.
const EDGE: u64 = 110;

const POINTS: u64 = EDGE * EDGE * EDGE;

/// An odd number. In the coordinates times this number points differ in all bits, so that no word of a point can be left out.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number by which a product with an odd number has to be multiplied to undo it.
const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut round) = (odd, 0);
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// Where the invariant is violated.
const BAD: Point = [100, 90, 105];

/// Where no step begins.
const LAST: Point = [EDGE - 1; 3];

/// The position, in what is saved of a search, of the number of its shards.
const SHARDS: usize = 1;

/// The position there of how many successors a state has had.
const SUCCESSORS_EACH: usize = 3;

impl Cube {
    fn row(self, point: Point) -> Vec<u64> {
        match self.words {
            1 => vec![point.iter().fold(0, |number, c| number * EDGE + c)],
            _ => point.map(|c| c.wrapping_mul(FACTOR)).to_vec(),
        }
    }

    fn point(self, row: &[u64]) -> Point {
        match *row {
            [n] => [n / EDGE / EDGE, n / EDGE % EDGE, n % EDGE],
            [x, y, z] => [x, y, z].map(|c| c.wrapping_mul(inverse(FACTOR))),
            _ => panic!("one word or three"),
        }
    }

    fn points(self, states: &[u64]) -> impl Iterator<Item = Point> {
        let rows = states.chunks_exact(self.words);
        rows.map(move |row| self.point(row))
    }
}

impl Successors for Cube {
    fn engine(&self) -> &'static str {
        "the test"
    }

    fn words(&self) -> usize {
        self.words
    }

    fn bits(&self) -> u32 {
        POINTS.ilog2() + 1
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        batch.clear(3);
        for point in self.points(states) {
            for axis in 0..3 {
                let mut next = point;
                next[axis] += 1;
                if next[axis] < EDGE {
                    batch.words.extend(self.row(next));
                    batch.fired[axis] += 1;
                }
            }
            batch.conclude(point != LAST, self.words);
        }
        Ok(())
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        let bad = self.points(states).enumerate().filter(|(_, p)| *p == BAD);
        broken.clear();
        broken.extend(bad.map(|(state, _)| Broken {
            state,
            invariant: 0,
        }));
    }
}

/// The points at each distance from the origin.
fn by_distance() -> Vec<u64> {
    let mut counts = vec![0; LAST.iter().sum::<u64>() as usize + 1];
    for n in 0..POINTS {
        let point = Cube { words: 1 }.point(&[n]);
        counts[point.iter().sum::<u64>() as usize] += 1;
    }
    counts
}

fn search(cube: Cube, threads: usize, bounds: Bounds) -> Search<Cube> {
    let start = cube.row([0; 3]);
    let mut search = Search::new(vec![cube; threads], &start, bounds);
    while search.advance() == Status::Going {}
    search
}

fn saved(search: &Search<Cube>) -> Vec<u64> {
    words_of(|put| search.save(put))
}

fn restored(cube: Cube, words: &[u64]) -> Search<Cube> {
    Search::restore(vec![cube; 2], NO_BOUNDS, &mut giving(words)).expect("a search")
}

/// Everything is found that there is to be found: all states at their depths, both findings, and a shortest way to the first.
fn assert_is_whole(cube: Cube, search: &mut Search<Cube>) {
    assert_eq!(search.distinct(), POINTS);
    let states = search.levels().into_iter().map(|l| l.states);
    assert!(states.eq(by_distance()));
    assert_eq!(search.fired(), [EDGE * EDGE * (EDGE - 1); 3]);
    let findings = search.findings().to_vec();
    let [bad, deadlock] = &findings[..] else {
        panic!("{findings:?}");
    };
    assert_eq!(bad.question, Question::Invariant(0));
    assert_eq!(cube.point(&bad.state), BAD);
    assert_eq!(deadlock.question, Question::Deadlock);
    assert_eq!(cube.point(&deadlock.state), LAST);
    let path = search.path(bad).expect("a way");
    let distances = path.rows().map(|row| cube.point(row).iter().sum::<u64>());
    assert!(distances.eq(0..=BAD.iter().sum()));
}

#[test]
fn all_states_are_counted_at_their_depth_in_however_many_shards_they_are() {
    for words in [1, 3] {
        let cube = Cube { words };
        assert_is_whole(cube, &mut search(cube, 2, NO_BOUNDS));
    }
}

#[test]
fn the_order_does_not_depend_on_threads_nor_on_where_a_search_was_saved() {
    for words in [1, 3] {
        let cube = Cube { words };
        let whole = search(cube, 1, NO_BOUNDS);
        assert!(search(cube, 3, NO_BOUNDS).states().eq(whole.states()));
        let mut shards = Vec::new();
        for states in [1_000, POINTS - 1_000] {
            let bounds = Bounds {
                states: Some(states),
                ..NO_BOUNDS
            };
            let saved = saved(&search(cube, 2, bounds));
            shards.push(saved[SHARDS]);
            let mut again = restored(cube, &saved);
            while again.advance() == Status::Going {}
            assert!(again.states().eq(whole.states()));
            assert_eq!(again.levels(), whole.levels());
            assert_eq!(again.findings(), whole.findings());
        }
        assert!(shards[0] < shards[1], "{shards:?}");
    }
}

#[test]
fn a_search_keeps_to_its_memory_and_goes_on_with_more() {
    let cube = Cube { words: 3 };
    for (mebibytes, shards) in [(12, 32), (24, 256)] {
        let bounds = Bounds {
            memory: mebibytes << 20,
            ..NO_BOUNDS
        };
        let mut search = Search::new(vec![cube], &cube.row([0; 3]), bounds);
        while search.advance() == Status::Going {
            let (used, bound) = (search.memory(), bounds.memory);
            assert!(
                used <= bound,
                "{used} of {bound} bytes at {} states",
                search.distinct()
            );
        }
        assert!(search.distinct() > 200_000, "{}", search.distinct());
        let saved = saved(&search);
        assert_eq!(saved[SHARDS], shards);
        let mut again = restored(cube, &saved);
        while again.advance() == Status::Going {}
        assert_eq!(again.distinct(), POINTS);
    }
}

#[test]
fn a_claim_about_the_successors_of_a_state_changes_no_count() {
    let cube = Cube { words: 3 };
    let bounds = |depth| Bounds {
        depth: Some(depth),
        ..NO_BOUNDS
    };
    let further = search(cube, 1, bounds(9));
    let words = saved(&search(cube, 1, bounds(3)));
    for claim in [1, 1 << 32, 1 << 63, u64::MAX] {
        let mut words = words.clone();
        words[SUCCESSORS_EACH] = claim;
        let mut again = restored(cube, &words);
        while again.levels().len() < 10 {
            assert_eq!(again.advance(), Status::Going);
        }
        assert_eq!(again.levels()[..9], further.levels()[..9]);
    }
}
