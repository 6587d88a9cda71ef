//! A search of so many states that they are taken to more shards on the way, over states whose number is known.

use explorer::{Bounds, Question, Search, Status};
use interpreter::{Batch, Broken, Successors, Unexpanded};

/// The points of a square that a step takes from, one to the right or one up.
#[derive(Clone, Copy)]
struct Square {
    side: u64,
    /// The words of a point: its number, or its coordinates.
    words: usize,
}

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

/// More than a million states, however they are stored: these are taken to more shards.
const MANY: u64 = 1_100;

/// Where the invariant is violated.
const BAD: (u64, u64) = (1_000, 1_050);

/// The position, in what is saved of a search, of the number of its shards.
const SHARDS: usize = 1;

impl Square {
    fn row(self, (x, y): (u64, u64)) -> Vec<u64> {
        match self.words {
            1 => vec![x * self.side + y],
            _ => vec![x, y],
        }
    }

    fn point(self, row: &[u64]) -> (u64, u64) {
        match row {
            [number] => (number / self.side, number % self.side),
            [x, y] => (*x, *y),
            _ => panic!("one word or two"),
        }
    }

    fn points(self, states: &[u64]) -> impl Iterator<Item = (u64, u64)> {
        let rows = states.chunks_exact(self.words);
        rows.map(move |row| self.point(row))
    }
}

impl Successors for Square {
    fn words(&self) -> usize {
        self.words
    }

    fn bits(&self) -> u32 {
        (self.side * self.side).ilog2() + 1
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        batch.clear(2);
        for (x, y) in self.points(states) {
            for (clause, (x, y)) in [(x + 1, y), (x, y + 1)].into_iter().enumerate() {
                if x < self.side && y < self.side {
                    batch.words.extend(self.row((x, y)));
                    batch.fired[clause] += 1;
                }
            }
            let end = self.side - 1;
            batch.conclude((x, y) != (end, end), self.words);
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

fn search(square: Square, threads: usize, bounds: Bounds) -> Search<Square> {
    let start = square.row((0, 0));
    let mut search = Search::new(vec![square; threads], &start, bounds);
    while search.advance() == Status::Going {}
    search
}

fn saved(search: &Search<Square>) -> Vec<u64> {
    let mut words = Vec::new();
    let put = &mut |more: &[u64]| -> Result<(), ()> {
        words.extend_from_slice(more);
        Ok(())
    };
    search.save(put).expect("a list takes all words");
    words
}

fn restored(square: Square, words: &[u64]) -> Search<Square> {
    let mut rest = words;
    let get = &mut |into: &mut [u64]| -> Result<(), ()> {
        let (first, others) = rest.split_at_checked(into.len()).ok_or(())?;
        into.copy_from_slice(first);
        rest = others;
        Ok(())
    };
    Search::restore(vec![square; 2], NO_BOUNDS, get).expect("a search")
}

#[test]
fn all_states_are_counted_at_their_depth_in_however_many_shards_they_are() {
    for words in [1, 2] {
        let square = Square { side: MANY, words };
        let mut search = search(square, 2, NO_BOUNDS);
        assert_eq!(search.distinct(), MANY * MANY);
        let expected = (1..=MANY).chain((1..MANY).rev());
        assert!(search.levels().iter().map(|l| l.states).eq(expected));
        assert_eq!(search.fired(), [MANY * (MANY - 1); 2]);
        let findings: Vec<_> = search.findings().to_vec();
        let [bad, deadlock] = &findings[..] else {
            panic!("{findings:?}");
        };
        assert_eq!(bad.question, Question::Invariant(0));
        assert_eq!(square.point(&bad.state), BAD);
        assert_eq!(deadlock.question, Question::Deadlock);
        assert_eq!(square.point(&deadlock.state), (MANY - 1, MANY - 1));
        let path = search.path(&bad.state, bad.depth);
        let depths = path.iter().map(|row| square.point(row));
        assert!(depths.map(|(x, y)| x + y).eq(0..=BAD.0 + BAD.1));
    }
}

#[test]
fn the_order_does_not_depend_on_threads_nor_on_where_a_search_was_saved() {
    for words in [1, 2] {
        let square = Square { side: MANY, words };
        let whole = search(square, 1, NO_BOUNDS);
        assert!(search(square, 3, NO_BOUNDS).states().eq(whole.states()));
        let mut shards = Vec::new();
        for states in [1_000, MANY * MANY - 1_000] {
            let bounds = Bounds {
                states: Some(states),
                ..NO_BOUNDS
            };
            let saved = saved(&search(square, 2, bounds));
            shards.push(saved[SHARDS]);
            let mut again = restored(square, &saved);
            while again.advance() == Status::Going {}
            assert!(again.states().eq(whole.states()));
            assert_eq!(again.levels(), whole.levels());
            assert_eq!(again.findings(), whole.findings());
        }
        assert!(shards[0] < shards[1], "{shards:?}");
    }
}

#[test]
fn a_search_keeps_to_its_memory() {
    let square = Square {
        side: MANY,
        words: 2,
    };
    let bounds = Bounds {
        memory: 12 << 20,
        ..NO_BOUNDS
    };
    let search = search(square, 1, bounds);
    assert!(search.memory() <= bounds.memory);
    assert!(search.distinct() > 300_000, "{}", search.distinct());
}
