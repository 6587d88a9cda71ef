//! Oracles, which resolve the choices inside a step: random draws, a script that tries all possibilities, or a record of
//! earlier choices.

use std::collections::VecDeque;

use crate::code::{Binder, Site, drawn};
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::vm::draws::Draws;

/// Resolves the `choose` statements, and what `ensuring` leaves open, in order of evaluation.
pub trait Oracle {
    /// The value that the next choice must take, if it is determined. It is checked against the choice's predicate.
    fn given(&mut self) -> Option<Cell> {
        None
    }

    /// The target state of a start program, if there is one. It determines each choice, which is then checked against the
    /// predicate.
    fn destination(&self) -> Option<&State> {
        None
    }

    /// Which of its `count` rows the determinator of the next choice yields; none for oracles that try all possibilities,
    /// whatever a run would choose.
    fn row(&mut self, _site: Site, _count: usize) -> Option<usize> {
        None
    }

    /// The possibility that the next choice takes, if it is already known; then the possibilities are not enumerated.
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

/// The possibilities of one choice: each has a value for each variable of the choice, and there is at least one.
#[derive(Clone, Debug, Default)]
pub struct Options {
    values: Vec<Cell>,
    /// How many values a possibility has.
    width: usize,
    /// The variables, if the possibilities are not listed in the order in which they are counted.
    binders: Vec<Binder>,
}

impl Options {
    /// No possibilities yet, for a choice of values for some variables.
    pub(crate) fn new<'b>(binders: impl ExactSizeIterator<Item = &'b Binder> + Clone) -> Self {
        let is_ordered = binders.clone().any(|binder| binder.order.is_some());
        Self {
            values: Vec::new(),
            width: binders.len(),
            binders: match is_ordered {
                true => binders.cloned().collect(),
                false => Vec::new(),
            },
        }
    }

    /// Where in the list the possibility is that a draw of this position means.
    fn drawn(&self, position: usize) -> usize {
        drawn(&self.binders, (self.len(), position), |at| {
            self.get(at).to_vec()
        })
    }

    /// Adds the values of one more possibility.
    pub(crate) fn push(&mut self, values: impl Iterator<Item = Cell>) {
        self.values.extend(values);
    }

    /// The number of possibilities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// Whether there are no possibilities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values of one possibility.
    #[must_use]
    pub fn get(&self, at: usize) -> &[Cell] {
        &self.values[at * self.width..][..self.width]
    }

    /// The number of parts of all values.
    fn parts(&self) -> u64 {
        self.values.iter().map(Cell::parts).sum()
    }
}

/// Every possibility is equally likely, unless a determinator says which one is next.
impl Oracle for Draws {
    fn row(&mut self, site: Site, count: usize) -> Option<usize> {
        Some(Draws::row(self, site, count))
    }

    fn pick(&mut self, count: usize) -> usize {
        self.position(count)
    }

    fn pick_of(&mut self, options: &Options) -> usize {
        options.drawn(self.position(options.len()))
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

/// Some values are given; another oracle resolves the remaining choices.
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

    /// Whether more values were given than there were choices.
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

/// The oracle whose choices lead to a given state.
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

/// Enumerates the paths through a tree of choices like an odometer. Each path executes the same step from its beginning, so
/// nothing has to be undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// The picks made so far.
    picks: Vec<Pick>,
    /// How many of them the current path has used.
    position: usize,
    /// The number of parts of the stored possibilities.
    parts: u64,
}

/// What a script picks at one choice.
#[derive(Clone, Debug)]
struct Pick {
    picked: usize,
    /// The number of possibilities.
    count: usize,
    /// The possibilities, so that the next path need not enumerate them again; none if they are too large to be stored.
    options: Options,
}

/// Maximum number of parts of stored possibilities.
const MAX_KEPT: u64 = 1 << 20;

impl Script {
    /// Begins the next path, if there is one.
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

    /// The pick at the next choice; the first possibility if the choice is new.
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
