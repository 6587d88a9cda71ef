//! The states that are made up for an instance when it is visited first.

use std::sync::Arc;

use finite::Universe;
use interpreter::{Instance, States};

use super::super::StatePool;
use super::Maker;

impl StatePool<'_> {
    /// States of an instance, so many, made up from those that were reached: fewer where there is no room for more, or when somebody
    /// interrupts. (The clock is not asked: this takes no time to speak of.)
    pub(in super::super) fn made_up(
        &mut self,
        universe: &Universe,
        reached: &States,
        count: usize,
    ) -> States {
        let instance = Instance::new(Arc::new(self.bare.clone()), universe.clone());
        let (layout, room) = (instance.layout(self.automaton), self.room());
        let is_enough = |made: &States| made.bytes() >= room || self.host.stopped().is_some();
        let made = Maker::new(&self.bare, universe).states(layout, reached, count, &is_enough);
        if made.bytes() >= room {
            self.lacks_memory();
        }
        made
    }
}
