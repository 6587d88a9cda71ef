//! How much memory the states take that are learnt from. It is counted, not measured, so that the same comes of a search each time.

use interpreter::States;

use super::StatePool;

/// The part of the memory that states may take which are learnt from.
const STATES_SHARE: u64 = 8;
/// Of what is left for states, those of one instance that were reached may take this part, and those that are made up for it so much
/// again.
const INSTANCE_SHARE: u64 = 16;
/// What is said where there is no memory for more.
const FEW_STATES: &str = "the memory was used up: fewer states were learnt from";

impl StatePool<'_> {
    /// Bytes that the states of one more instance may take.
    pub(super) fn room(&self) -> u64 {
        let held: u64 = self.blocks.iter().map(|block| block.bytes()).sum();
        (self.budget.memory / STATES_SHARE).saturating_sub(held) / INSTANCE_SHARE
    }

    /// As many of the states as there is room for, evenly chosen; it is noted if these are not all.
    pub(super) fn fitting(&mut self, states: States) -> States {
        let few = states.thinned(self.room());
        if few.len() < states.len() {
            self.lacks_memory();
        }
        few
    }

    /// Notes that more states would be learnt from if there were more memory.
    pub(super) fn lacks_memory(&mut self) {
        self.looked.note(FEW_STATES);
    }
}
