//! Enumerates all executions, and counts them up to the order of independent steps.

use std::collections::BTreeSet;

/// The result of enumerating the executions of maximal length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders<S> {
    /// The number of executions.
    pub executions: u64,
    /// The number of their equivalence classes under exchanging neighbouring independent steps: Mazurkiewicz traces.
    pub orders: u64,
    /// The states in which they end.
    pub ends: BTreeSet<S>,
}

/// Enumerates all executions of maximal length from some start states; labels determine steps. None if there are too many
/// executions, or one has too many steps.
pub fn orders<S: Clone + Ord, L: Clone + Ord>(
    starts: &[S],
    mut steps: impl FnMut(&S) -> Vec<(L, S)>,
    mut are_dependent: impl FnMut(&L, &L) -> bool,
    (executions, length): (u64, usize),
) -> Option<Orders<S>> {
    let mut found = Orders {
        executions: 0,
        orders: 0,
        ends: BTreeSet::new(),
    };
    for start in starts {
        let mut classes = BTreeSet::new();
        let mut open = vec![(Vec::new(), start.clone())];
        while let Some((run, state)) = open.pop() {
            let next = steps(&state);
            if next.is_empty() {
                found.executions += 1;
                classes.insert(normal_form(&run, &mut are_dependent));
                found.ends.insert(state);
            } else if run.len() >= length || found.executions + open.len() as u64 > executions {
                return None;
            } else {
                open.extend(next.into_iter().map(|(label, after)| {
                    let run: Vec<L> = run.iter().cloned().chain([label]).collect();
                    (run, after)
                }));
            }
        }
        found.orders += classes.len() as u64;
    }
    Some(found)
}

/// The least of all sequences of labels that can be turned into this one by exchanging independent neighbours.
fn normal_form<L: Clone + Ord>(
    run: &[L],
    are_dependent: &mut impl FnMut(&L, &L) -> bool,
) -> Vec<L> {
    let mut left = run.to_vec();
    let mut sorted = Vec::new();
    while !left.is_empty() {
        // Those that can be brought to the front.
        let free = (0..left.len()).filter(|at| {
            let before = &left[..*at];
            before
                .iter()
                .all(|other| other != &left[*at] && !are_dependent(other, &left[*at]))
        });
        let least = free.min_by(|a, b| left[*a].cmp(&left[*b]));
        sorted.push(left.remove(least.expect("the first one is free")));
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::orders;

    /// Counts up two numbers to 1.
    fn steps(state: &(u8, u8)) -> Vec<(char, (u8, u8))> {
        let (a, b) = *state;
        let both = [(a == 0, ('a', (1, b))), (b == 0, ('b', (a, 1)))];
        both.into_iter()
            .filter_map(|(can, step)| can.then_some(step))
            .collect()
    }

    #[test]
    fn independent_steps_have_one_order_and_dependent_ones_two() {
        for (dependent, expected) in [(false, 1), (true, 2)] {
            let found = orders(&[(0, 0)], steps, |_, _| dependent, (10, 10)).expect("few");
            assert_eq!(
                (found.executions, found.orders, found.ends.len()),
                (2, expected, 1)
            );
        }
    }

    #[test]
    fn executions_that_do_not_end_are_too_long() {
        assert_eq!(
            orders(&[0], |_| vec![((), 0)], |(), ()| true, (10, 10)),
            None
        );
    }
}
