//! What the strategies that schedule threads have in common.

use super::threads::Thread;
use crate::vm::draws::Draws;

/// What decides which thread takes the next step.
pub(in crate::run) trait Policy {
    /// The position of the thread that takes a step, which has this number from 1, among the threads that have an enabled
    /// step: there is one, and none is there twice.
    fn choose(&mut self, step: u64, enabled: &[Thread], draws: &mut Draws) -> usize;
}

/// What policies remember of threads is forgotten where there are more than so many, but for those that have an enabled step:
/// a thread may be an action with its parameters, and some models make new ones in every step.
pub(super) const MOST_REMEMBERED: usize = 1 << 16;
