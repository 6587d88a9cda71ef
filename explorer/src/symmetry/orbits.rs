//! Of all states of an orbit, the one that stands for them.

use std::sync::Arc;

use super::Symmetry;
use super::canonical::Room;
use crate::represented::Represent;

/// Puts in the place of each state the representative of its orbit.
#[derive(Debug)]
pub struct Orbits {
    symmetry: Arc<Symmetry>,
    room: Room,
}

impl Orbits {
    /// The orbits of a symmetry.
    #[must_use]
    pub fn of(symmetry: Arc<Symmetry>) -> Self {
        let room = Room::new(&symmetry);
        Self { symmetry, room }
    }
}

impl Represent for Orbits {
    fn represent(&mut self, row: &mut [u64]) {
        self.symmetry.represent_again(row, &mut self.room);
    }

    fn memory(&self) -> u64 {
        self.room.memory()
    }

    fn forget(&mut self) {
        self.room = Room::new(&self.symmetry);
    }
}
