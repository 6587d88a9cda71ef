//! The search for the critical transition of an execution.

/// The position of the first state that does not recover, among those of an execution of which the state at position 0
/// recovers and the last one, at this position, does not: first by steps of twice the length, then by halving (Killian, Anderson,
/// Jhala and Vahdat, "Life, Death, and the Critical Transition", NSDI 2007, algorithm 3).
///
/// No state after a dead one recovers, so there is one such position if the answers are right. If they are not, what is found is still
/// a state that was said not to recover after one that was said to.
///
/// # Errors
/// Why a state could not be asked about.
pub(super) fn first_dead<E>(
    last: usize,
    recovers: &mut dyn FnMut(usize) -> Result<bool, E>,
) -> Result<usize, E> {
    let (mut live, mut dead) = (0, last);
    let mut length = 1;
    while live + length < dead {
        match recovers(live + length)? {
            true => live += length,
            false => dead = live + length,
        }
        length *= 2;
    }
    while live + 1 < dead {
        let middle = live.midpoint(dead);
        match recovers(middle)? {
            true => live = middle,
            false => dead = middle,
        }
    }
    Ok(dead)
}

#[cfg(test)]
mod tests {
    use super::first_dead;

    #[test]
    fn it_is_found_wherever_it_is_and_by_few_questions() {
        for last in 1..200_usize {
            for dead in 1..=last {
                let mut asked = 0;
                let found = first_dead(last, &mut |position| {
                    assert!((1..last).contains(&position));
                    asked += 1;
                    Ok::<_, ()>(position < dead)
                });
                assert_eq!(found, Ok(dead));
                assert!(asked <= 2 * (last.ilog2() + 1), "{last} {dead}: {asked}");
            }
        }
    }

    #[test]
    fn wrong_answers_lead_to_a_pair_of_states_all_the_same() {
        let answers = |position: usize| !position.is_multiple_of(3);
        let found = first_dead(50, &mut |position| Ok::<_, ()>(answers(position)));
        let found = found.expect("no question fails");
        assert!(found == 50 || !answers(found));
        assert!(found == 1 || answers(found - 1));
    }

    #[test]
    fn a_question_that_fails_ends_it() {
        assert_eq!(first_dead(9, &mut |_| Err("stopped")), Err("stopped"));
    }
}
