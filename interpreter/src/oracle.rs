//! Who resolves the choices inside a step: chance, a script that tries all of them, or a record of earlier ones.

use std::collections::VecDeque;

use crate::cell::Cell;
use crate::code::Site;
use crate::draws::Draws;

/// Resolves the `choose` statements, and what `ensuring` leaves open, in the order in which they are met.
pub trait Oracle {
    /// The value that the next choice must take, if it is settled. It is checked against the choice's predicate.
    fn given(&mut self) -> Option<Cell> {
        None
    }

    /// Which of its `count` rows the determinator of the next choice yields; none for those who ask for all
    /// possibilities, whatever a run would choose.
    fn row(&mut self, _site: Site, _count: usize) -> Option<usize> {
        None
    }

    /// Which of `count` possibilities (at least one) the next choice takes.
    fn pick(&mut self, count: usize) -> usize;
}

/// Every possibility is equally likely, where no determinator says which is next.
impl Oracle for Draws {
    fn row(&mut self, site: Site, count: usize) -> Option<usize> {
        Some(Draws::row(self, site, count))
    }

    fn pick(&mut self, count: usize) -> usize {
        self.position(count)
    }
}

impl<O: Oracle + ?Sized> Oracle for &mut O {
    fn given(&mut self) -> Option<Cell> {
        (**self).given()
    }

    fn row(&mut self, site: Site, count: usize) -> Option<usize> {
        (**self).row(site, count)
    }

    fn pick(&mut self, count: usize) -> usize {
        (**self).pick(count)
    }
}

/// Some values are given; what they leave open is for another oracle.
#[derive(Debug)]
pub struct Given<O> {
    values: VecDeque<Cell>,
    otherwise: O,
}

impl<O> Given<O> {
    /// The values, in the order of the choices.
    pub fn new(values: impl IntoIterator<Item = Cell>, otherwise: O) -> Self {
        Self {
            values: values.into_iter().collect(),
            otherwise,
        }
    }

    /// Whether values are left for which there was no choice.
    pub(crate) fn is_left_over(&self) -> bool {
        !self.values.is_empty()
    }
}

impl<O: Oracle> Oracle for Given<O> {
    fn given(&mut self) -> Option<Cell> {
        self.values.pop_front()
    }

    fn row(&mut self, site: Site, count: usize) -> Option<usize> {
        self.otherwise.row(site, count)
    }

    fn pick(&mut self, count: usize) -> usize {
        self.otherwise.pick(count)
    }
}

/// Always the first possibility.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl Oracle for First {
    fn pick(&mut self, _: usize) -> usize {
        0
    }
}

/// One way through a tree of choices, and the way to the next: an odometer. Each way is a run of the same step from
/// its beginning, so nothing has to be undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// The picks made so far, each with the number of possibilities there were.
    picks: Vec<(usize, usize)>,
    /// How many of them the current run has used.
    position: usize,
}

impl Script {
    /// Sets out on the next way, if there is one.
    pub(crate) fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some((pick, count)) = self.picks.pop() {
            if pick + 1 < count {
                self.picks.push((pick + 1, count));
                return true;
            }
        }
        false
    }
}

impl Oracle for Script {
    fn pick(&mut self, count: usize) -> usize {
        if self.position == self.picks.len() {
            self.picks.push((0, count));
        }
        let pick = self.picks[self.position].0;
        self.position += 1;
        pick
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_goes_every_way_once() {
        let (mut script, mut ways) = (Script::default(), Vec::new());
        loop {
            // The second choice exists on one branch only.
            let first = script.pick(2);
            let second = if first == 1 { script.pick(3) } else { 9 };
            ways.push((first, second));
            if !script.advance() {
                break;
            }
        }
        assert_eq!(ways, [(0, 9), (1, 0), (1, 1), (1, 2)]);
    }
}
