//! What a search says of itself.

use interpreter::Successors;

use crate::search::{Finding, Level, Search};
use crate::store::layers::Place;

impl<S: Successors> Search<S> {
    /// What was found, in the order in which it was.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        self.progress.findings.all()
    }

    /// How many start states there were, those that came twice included.
    #[must_use]
    pub fn starts(&self) -> u64 {
        self.progress.starts
    }

    /// The greatest depth of which there are states.
    #[must_use]
    pub fn depth(&self) -> usize {
        let depth = self.progress.depth();
        depth + usize::from(self.level_len(depth + 1) > 0)
    }

    /// What there is at each depth.
    #[must_use]
    pub fn levels(&self) -> Vec<Level> {
        let counted = (0..).zip(&self.progress.generated);
        let mut levels: Vec<Level> = counted
            .map(|(depth, generated)| Level {
                states: self.level_len(depth) as u64,
                generated: *generated,
            })
            .collect();
        let behind = self.level_len(levels.len()) as u64;
        if behind > 0 {
            levels.push(Level {
                states: behind,
                generated: 0,
            });
        }
        levels
    }

    /// By transition clause, how many successors it gave.
    #[must_use]
    pub fn fired(&self) -> &[u64] {
        &self.progress.fired
    }

    /// How many turns loops have taken in invariants that are interpreted.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.workers.iter().map(|worker| worker.steps.turns()).sum()
    }

    /// The states that were expanded in which inputs alone are enabled.
    #[must_use]
    pub fn quiescent(&self) -> u64 {
        self.progress.quiescent
    }

    /// The states that were visited.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.layers.len(&self.visited)
    }

    /// The states that are visited and not yet expanded.
    #[must_use]
    pub fn queue(&self) -> u64 {
        let depth = self.progress.depth();
        let open = self.level_len(depth) - self.progress.expanded;
        (open + self.level_len(depth + 1)) as u64
    }

    /// The bytes that are used for all of it, but for a few MiB that each thread works in.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.bytes() + self.bytes_of_round()
    }

    /// The rows of some visited states, at most about so many in each quarter of the depth: of those nearest to the start, then of
    /// those behind them, and so on. (Of all states, nearly all may lie at the greatest depth.)
    #[must_use]
    pub fn quarters(&self, most: usize) -> [Vec<Vec<u64>>; 4] {
        let mut quarters: [Vec<Vec<u64>>; 4] = Default::default();
        let levels = self.levels();
        let of_each = (4 * most / levels.len().max(4)).max(1);
        for (depth, level) in levels.iter().enumerate() {
            let states = usize::try_from(level.states).unwrap_or(usize::MAX);
            let quarter = &mut quarters[depth * 4 / levels.len()];
            for at in (0..states).step_by(states.div_ceil(of_each).max(1)) {
                let row = self.at(depth, at);
                if !row.is_empty() {
                    quarter.push(row);
                }
            }
        }
        quarters
    }

    /// The rows of all visited states, in no order that means anything, but always the same for the same bounds: where
    /// they leave little memory, the shards are not split. It ends early where there is [trouble](Self::trouble).
    pub fn states(&self) -> impl Iterator<Item = Vec<u64>> {
        let (mut place, mut rows) = (Place::default(), Vec::new());
        let portions = std::iter::from_fn(move || {
            rows.clear();
            let is_more = self.layers.read_next(&self.visited, &mut place, &mut rows);
            is_more.then(|| {
                let rows = rows.chunks_exact(self.visited.width);
                rows.map(<[u64]>::to_vec).collect::<Vec<_>>()
            })
        });
        portions.flatten()
    }

    /// Why states cannot be read or written any more, if that is so: nothing that is said of the search means anything then.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.layers.trouble()
    }
}
