//! Preemption bounding: Musuvathi and Qadeer, "Iterative context bounding for systematic testing of multithreaded programs",
//! PLDI 2007, section 2; here with preemptions that are drawn.

use super::points::Points;
use super::policy::Policy;
use super::threads::Thread;
use crate::vm::draws::Draws;

/// A thread runs as long as it has an enabled step, and then one that is drawn runs. At each point another one that is drawn
/// takes its place before.
pub(super) struct Preemptions {
    running: Option<Thread>,
    points: Points,
}

impl Preemptions {
    pub(super) fn new(points: Points) -> Self {
        Self {
            running: None,
            points,
        }
    }
}

impl Policy for Preemptions {
    fn choose(&mut self, step: u64, enabled: &[Thread], draws: &mut Draws) -> usize {
        let running = enabled.iter().position(|t| Some(*t) == self.running);
        let is_preempted = self.points.at(step).next().is_some();
        let position = match running {
            Some(running) if !is_preempted || enabled.len() == 1 => running,
            Some(running) => {
                let other = draws.position(enabled.len() - 1);
                other + usize::from(other >= running)
            }
            None => draws.position(enabled.len()),
        };
        self.running = Some(enabled[position]);
        position
    }
}
