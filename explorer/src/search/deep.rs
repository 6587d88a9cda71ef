//! Deep searches: the work of a round does not depend on how many levels there are, and questions about the progress of a
//! search cost nothing.

use interpreter::{Batch, Broken, Successors, Unexpanded};

use super::{Bounds, Search, Status};
use crate::store::shard::lookups;

/// A few numbers to each level: from each, steps lead to the one that is `WIDE` greater and to those beside that.
struct Ladder {
    rungs: u64,
}

/// The states of a level, about.
const WIDE: u64 = 5;

impl Successors for Ladder {
    fn engine(&self) -> &'static str {
        "the test"
    }

    fn words(&self) -> usize {
        1
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        batch.clear(1);
        for state in states {
            let level = state / WIDE + 1;
            let next = (0..WIDE).map(|place| level * WIDE + place);
            batch.words.extend(next.filter(|_| level < self.rungs));
            batch.conclude(true, 1);
        }
        Ok(())
    }

    fn check(&mut self, _: &[u64], broken: &mut Vec<Broken>) {
        broken.clear();
    }
}

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

/// How often the levels of shards are asked for in a search of so many levels.
fn lookups_of(rungs: u64) -> u64 {
    let before = lookups::so_far();
    let mut search = Search::new(vec![Ladder { rungs }], &[0], NO_BOUNDS);
    while search.advance() == Status::Going {}
    assert_eq!(search.distinct(), 1 + (rungs - 1) * WIDE);
    assert_eq!(search.depth() as u64, rungs - 1);
    lookups::so_far() - before
}

#[test]
fn the_work_of_a_round_does_not_depend_on_the_number_of_levels() {
    let (few, many) = (lookups_of(100), lookups_of(10_000));
    assert!(few > 0 && many <= 100 * few, "{few} and {many}");
    // To copy the states of a level, those of each shard are looked for once; there are 32 shards.
    assert!(many <= 10_000 * 32, "{many}");
}

#[test]
fn a_search_of_narrow_levels_stays_in_few_shards() {
    let rungs = 60_000;
    let mut search = Search::new(vec![Ladder { rungs }], &[0], NO_BOUNDS);
    let before = search.visited.shards.len();
    while search.advance() == Status::Going {}
    assert_eq!(search.distinct(), 1 + (rungs - 1) * WIDE);
    assert!(
        search.visited.is_crowded(),
        "in wide levels these would be more"
    );
    assert_eq!(search.visited.shards.len(), before);
}

#[test]
fn the_progress_of_a_search_is_told_without_looking_at_its_shards() {
    let mut search = Search::new(vec![Ladder { rungs: 1_000 }], &[0], NO_BOUNDS);
    while search.advance() == Status::Going {}
    let before = lookups::so_far();
    let told = (search.depth(), search.queue(), search.distinct());
    assert_eq!(told, (999, 0, 1 + 999 * WIDE));
    assert_eq!(
        search.levels().iter().map(|l| l.states).sum::<u64>(),
        1 + 999 * WIDE
    );
    assert_eq!(lookups::so_far(), before);
}
