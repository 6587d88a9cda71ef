//! Who resolves the choices inside a step: chance, a script that tries all of them, or a record of earlier ones.

use std::collections::VecDeque;

use crate::code::Site;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::vm::draws::Draws;

/// Resolves the `choose` statements, and what `ensuring` leaves open, in the order in which they are met.
pub trait Oracle {
    /// The value that the next choice must take, if it is settled. It is checked against the choice's predicate.
    fn given(&mut self) -> Option<Cell> {
        None
    }

    /// The state that a start program is to arrive at, if there is one: it settles each choice. That the predicate allows
    /// it is checked.
    fn destination(&self) -> Option<&State> {
        None
    }

    /// Which of its `count` rows the determinator of the next choice yields; none for those who ask for all
    /// possibilities, whatever a run would choose.
    fn row(&mut self, _site: Site, _count: usize) -> Option<usize> {
        None
    }

    /// The possibility that the next choice takes, where it is known already: the possibilities are not searched for.
    fn recall(&mut self) -> Option<Vec<Cell>> {
        None
    }

    /// Which of `count` possibilities (at least one) the next choice takes.
    fn pick(&mut self, count: usize) -> usize;

    /// Which of these possibilities the next choice takes.
    fn pick_of(&mut self, options: &Options) -> usize {
        self.pick(options.len())
    }
}

/// The possibilities of one choice: each of as many values as it has variables, and there is at least one.
#[derive(Clone, Debug, Default)]
pub struct Options {
    values: Vec<Cell>,
    /// How many values a possibility has.
    width: usize,
}

impl Options {
    /// None yet, of a choice with so many variables.
    pub(crate) fn new(width: usize) -> Self {
        let values = Vec::new();
        Self { values, width }
    }

    /// Adds the values of one more possibility.
    pub(crate) fn push(&mut self, values: impl Iterator<Item = Cell>) {
        self.values.extend(values);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values of one of them.
    #[must_use]
    pub fn get(&self, at: usize) -> &[Cell] {
        &self.values[at * self.width..][..self.width]
    }

    /// The parts of all values.
    fn parts(&self) -> u64 {
        self.values.iter().map(Cell::parts).sum()
    }
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

    fn destination(&self) -> Option<&State> {
        (**self).destination()
    }

    fn row(&mut self, site: Site, count: usize) -> Option<usize> {
        (**self).row(site, count)
    }

    fn recall(&mut self) -> Option<Vec<Cell>> {
        (**self).recall()
    }

    fn pick(&mut self, count: usize) -> usize {
        (**self).pick(count)
    }

    fn pick_of(&mut self, options: &Options) -> usize {
        (**self).pick_of(options)
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

/// What leads to a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toward<'s>(pub(crate) &'s State);

impl Oracle for Toward<'_> {
    fn destination(&self) -> Option<&State> {
        Some(self.0)
    }

    fn pick(&mut self, _: usize) -> usize {
        0
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
    /// The picks made so far.
    picks: Vec<Pick>,
    /// How many of them the current run has used.
    position: usize,
    /// The parts of the possibilities that are kept.
    parts: u64,
}

/// What a script picks at one choice.
#[derive(Clone, Debug)]
struct Pick {
    picked: usize,
    /// How many possibilities there are.
    count: usize,
    /// The possibilities, so that the next run need not search for them again; none where they are too large to be kept.
    options: Options,
}

/// No more parts of possibilities than this are kept.
const MAX_KEPT: u64 = 1 << 20;

impl Script {
    /// Sets out on the next way, if there is one.
    pub(crate) fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some(last) = self.picks.last_mut() {
            last.picked += 1;
            if last.picked < last.count {
                return true;
            }
            self.parts -= last.options.parts();
            self.picks.pop();
        }
        false
    }

    /// The pick at the next choice; the first possibility where the run has not been there.
    fn next(&mut self, count: usize, options: impl FnOnce(u64) -> Options) -> usize {
        if self.position == self.picks.len() {
            let options = options(MAX_KEPT - self.parts);
            self.parts += options.parts();
            self.picks.push(Pick {
                picked: 0,
                count,
                options,
            });
        }
        let pick = self.picks[self.position].picked;
        self.position += 1;
        pick
    }
}

impl Oracle for Script {
    fn recall(&mut self) -> Option<Vec<Cell>> {
        let Pick {
            picked, options, ..
        } = self.picks.get(self.position)?;
        if options.is_empty() {
            return None;
        }
        self.position += 1;
        Some(options.get(*picked).to_vec())
    }

    fn pick(&mut self, count: usize) -> usize {
        self.next(count, |_| Options::default())
    }

    fn pick_of(&mut self, options: &Options) -> usize {
        self.next(options.len(), |room| match options.parts() <= room {
            true => options.clone(),
            false => Options::default(),
        })
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
