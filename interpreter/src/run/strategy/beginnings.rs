//! Bounded depth-first search, and random walks from its periphery: Killian, Anderson, Jhala and Vahdat, "Life, Death, and the
//! Critical Transition", NSDI 2007, section 3.1, algorithms 1 and 2.

use super::ways::{Guide, Order, Way};

/// All beginnings of one step come first, then all of two, and so on. The way of a run says which start state it takes, and
/// which step in each of the next states.
pub(super) struct Beginnings {
    /// The greatest length of a way.
    most: usize,
    /// Whether some run was as long as the ways are now.
    is_reached: bool,
}

impl Beginnings {
    /// Those of at most so many steps.
    pub(super) fn new(depth: u32) -> Self {
        Self {
            most: 1 + depth as usize,
            is_reached: false,
        }
    }

    /// The first start state, and its first step.
    pub(super) fn first() -> Way {
        Way(vec![0; 2])
    }
}

impl Order for Beginnings {
    fn after(&mut self, Way(mut way): Way, met: &[u64]) -> Option<Way> {
        let length = way.len();
        self.is_reached |= met.len() == length;
        let last = (0..met.len()).rfind(|position| way[*position] + 1 < met[*position]);
        if let Some(position) = last {
            way[position] += 1;
            way[position + 1..].fill(0);
            return Some(Way(way));
        }
        let goes_on = std::mem::take(&mut self.is_reached) && length < self.most;
        goes_on.then(|| Way(vec![0; length + 1]))
    }
}

/// A beginning that a run takes; what follows is drawn.
pub(super) struct Beginning {
    way: Vec<u64>,
    /// How many states or steps there were to choose among, each time.
    met: Vec<u64>,
}

impl Beginning {
    pub(super) fn of(Way(way): Way) -> Self {
        Self {
            way,
            met: Vec::new(),
        }
    }
}

impl Guide for Beginning {
    fn leads(&self) -> bool {
        self.met.len() < self.way.len()
    }

    fn choose(&mut self, among: u64) -> Option<u64> {
        let chosen = self.way.get(self.met.len());
        self.met.extend(chosen.map(|_| among));
        chosen.copied()
    }

    fn met(&self) -> Vec<u64> {
        self.met.clone()
    }
}
