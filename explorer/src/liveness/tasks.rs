//! The tasks of an automaton, and sets of them.

use rustc_hash::FxHashMap;

use super::bits::Bits;

/// The tasks of an automaton, one for each valuation of a task's bound variables, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tasks {
    /// Those that take infinitely many steps if they are enabled from some point on.
    pub weak: Bits,
    /// Those that take infinitely many steps if they are enabled infinitely often.
    pub strong: Bits,
    /// How many there are.
    pub count: usize,
}

/// Sets of tasks, each kept once.
#[derive(Clone, Debug, Default)]
pub struct TaskSets {
    sets: Vec<Bits>,
    numbers: FxHashMap<Bits, u32>,
}

impl TaskSets {
    /// The number of a set.
    ///
    /// # Panics
    /// If there are more than 2^32 sets.
    pub fn number(&mut self, set: &Bits) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = u32::try_from(self.sets.len()).expect("fewer than 2^32 sets of tasks");
        self.sets.push(set.clone());
        self.numbers.insert(set.clone(), number);
        number
    }

    /// The set of a number.
    #[must_use]
    pub fn set(&self, number: u32) -> &Bits {
        &self.sets[number as usize]
    }
}
