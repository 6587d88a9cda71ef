//! Delay bounding: Emmi, Qadeer and Rakamarić, "Delay-bounded scheduling", POPL 2011, section 3.

use super::circle::Circle;
use super::points::Points;
use super::policy::Policy;
use super::threads::Thread;
use crate::vm::draws::Draws;

/// Threads run in turn, each as long as it has an enabled step, and at each point the next one has its turn.
pub(super) struct Delays {
    circle: Circle,
    delays: Points,
}

impl Delays {
    pub(super) fn new(delays: Points) -> Self {
        Self {
            circle: Circle::default(),
            delays,
        }
    }
}

impl Policy for Delays {
    fn choose(&mut self, step: u64, enabled: &[Thread], _: &mut Draws) -> usize {
        self.circle.join(enabled);
        let mut position = self.circle.next(enabled);
        for _ in self.delays.at(step) {
            self.circle.skip(enabled[position]);
            position = self.circle.next(enabled);
        }
        self.circle.give(enabled[position]);
        position
    }
}
