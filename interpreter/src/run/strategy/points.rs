//! The random steps of a run at which a policy does something else.

use crate::vm::draws::Draws;

/// The shortest part of a run over which points are drawn.
const SHORTEST: u64 = 8;

/// Some steps of a run.
///
/// The papers draw them among all steps of a run, whose number they take from runs that were made before. A run here knows
/// its seed alone, so that it can be repeated alone. So it first draws the part of its steps among which all points lie: all
/// of them, half of them, a quarter, and so on, each as likely. Of a run whose length is not known this loses a factor that is
/// logarithmic in the limit of its steps.
pub(super) struct Points {
    /// The steps, in the order in which they were drawn.
    steps: Vec<u64>,
}

impl Points {
    /// So many points of a run of at most so many steps.
    pub(super) fn drawn(count: u32, steps: u64, draws: &mut Draws) -> Self {
        let halvings = u64::from((steps / SHORTEST).max(1).ilog2());
        let among = (steps >> draws.below(halvings + 1)).max(1);
        Self {
            steps: (0..count).map(|_| 1 + draws.below(among)).collect(),
        }
    }

    /// The numbers, from 0, of the points that lie at a step.
    pub(super) fn at(&self, step: u64) -> impl Iterator<Item = u64> {
        let numbered = self.steps.iter().zip(0..);
        numbered.filter_map(move |(point, number)| (*point == step).then_some(number))
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.steps.len() as u64
    }
}
