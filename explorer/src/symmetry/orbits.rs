//! Of all states of an orbit, the one that stands for them.

use std::sync::Arc;

use interpreter::Batch;

use super::Symmetry;
use super::canonical::Room;
use super::totals::OrbitCounter;
use crate::represented::Represent;

/// Puts in the place of each state the representative of its orbit, and counts what those stand for that are expanded.
#[derive(Debug)]
pub struct Orbits {
    symmetry: Arc<Symmetry>,
    counter: Arc<OrbitCounter>,
    room: Room,
}

impl Orbits {
    /// The orbits of a symmetry, for one of the workers that count together.
    #[must_use]
    pub fn of(symmetry: Arc<Symmetry>, counter: Arc<OrbitCounter>) -> Self {
        let room = Room::new(&symmetry);
        Self {
            symmetry,
            counter,
            room,
        }
    }
}

impl Represent for Orbits {
    fn represent(&mut self, row: &mut [u64]) {
        self.symmetry.represent_again(row, &mut self.room);
    }

    fn expanded(&mut self, states: &[u64], width: usize, batch: &Batch) {
        let Self {
            symmetry,
            counter,
            room,
        } = self;
        if !symmetry.has_counts() {
            return;
        }
        let rows = states.chunks_exact(width);
        let sizes = rows.map(|row| symmetry.orbit_size(row, room));
        counter.add(sizes.take(batch.ends.len()), batch);
    }

    fn memory(&self) -> u64 {
        self.room.memory()
    }
}
