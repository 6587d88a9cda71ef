//! The negation of a temporal formula, as cases of what happens infinitely often and what no longer happens.

use ioa_lang::core::{Connective, Temporal};

/// A formula has at most so many cases.
const MOST_CASES: usize = 1 << 12;

/// A formula has at most so many `leads to`.
const MOST_PENDING: usize = 16;

/// A formula has too many cases, or too many `leads to` in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyCases;

/// What may be true of a state with its pending bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A fact about the state.
    Fact(usize),
    /// That one of the `leads to` waits for its goal.
    Pending(usize),
}

/// A mark that is there, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) mark: Mark,
    pub(super) truth: bool,
}

/// Of an execution: all this happens in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Case {
    /// What is true infinitely often.
    pub(super) recurring: Vec<Literal>,
    /// What is true only finitely often.
    pub(super) ceasing: Vec<Literal>,
}

/// An execution violates a formula if it is of one of these cases.
#[derive(Debug)]
pub(super) struct Cases {
    pub(super) all: Vec<Case>,
    /// The premise and the goal of each `leads to`.
    pub(super) pending: Vec<(usize, usize)>,
}

/// The cases in which a formula is false.
///
/// # Errors
/// It has too many of them.
pub(super) fn cases(formula: &Temporal<usize>) -> Result<Cases, TooManyCases> {
    let mut pending = Vec::new();
    let all = of(formula, false, &mut pending)?;
    match pending.len() <= MOST_PENDING {
        true => Ok(Cases { all, pending }),
        false => Err(TooManyCases),
    }
}

/// The cases in which a formula is true, or those in which it is false.
fn of(
    formula: &Temporal<usize>,
    truth: bool,
    pending: &mut Vec<(usize, usize)>,
) -> Result<Vec<Case>, TooManyCases> {
    Ok(match formula {
        Temporal::AlwaysEventually(fact) => vec![recurs(Mark::Fact(*fact), true, truth)],
        Temporal::EventuallyAlways(fact) => vec![recurs(Mark::Fact(*fact), false, !truth)],
        Temporal::LeadsTo(premise, goal) => {
            pending.push((*premise, *goal));
            vec![recurs(Mark::Pending(pending.len() - 1), false, truth)]
        }
        Temporal::Not(inner) => of(inner, !truth, pending)?,
        Temporal::Joined(connective, sides) => {
            let is_left_negated = *connective == Connective::Implies;
            let left = of(&sides[0], truth != is_left_negated, pending)?;
            let right = of(&sides[1], truth, pending)?;
            match (*connective == Connective::And) == truth {
                true => both(&left, &right)?,
                false => [left, right].concat(),
            }
        }
    })
}

/// That a mark is there (or is not) infinitely often; or else, that it is so only finitely often.
fn recurs(mark: Mark, is_there: bool, infinitely: bool) -> Case {
    let literal = Literal {
        mark,
        truth: is_there,
    };
    let mut case = Case::default();
    match infinitely {
        true => case.recurring.push(literal),
        false => case.ceasing.push(literal),
    }
    case
}

/// The cases of a conjunction.
fn both(left: &[Case], right: &[Case]) -> Result<Vec<Case>, TooManyCases> {
    if left.len().saturating_mul(right.len()) > MOST_CASES {
        return Err(TooManyCases);
    }
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    let joined = pairs.map(|(a, b)| Case {
        recurring: [&a.recurring[..], &b.recurring].concat(),
        ceasing: [&a.ceasing[..], &b.ceasing].concat(),
    });
    Ok(joined.collect())
}
