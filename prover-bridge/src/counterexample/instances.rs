//! Finite instances to look for something in, the smallest first.

use crate::logic::{FiniteSize, Logic, Size};
use crate::obligations::Target;
use crate::reason::Reason;

/// Without a countermodel that says how many elements may be needed, sorts are tried up to this size.
const BLIND_SIZE: u32 = 3;

/// No more combinations of sizes than this are tried.
const MAX_INSTANCES: usize = 200;

/// A sort with more elements in the solver's countermodel than this is tried up to this size only.
const MAX_SIZE: u32 = 6;

/// What came of a search.
#[derive(Clone, Debug)]
pub(crate) struct Search<T> {
    pub(crate) found: Result<T, Reason>,
    pub(crate) queries: u32,
}

/// What came of a search in one instance, and how many questions were asked.
pub(super) type Attempt<T> = (Result<Option<T>, Reason>, u32);

/// Looks in instances of these sizes, one after the other, until something is found or an instance is too much. All share the present
/// context, for to make one takes longer than to search most of them; `copy` tells this search from others in that context.
pub(super) fn first_found<T>(
    (target, copy): (&Target<'_>, usize),
    sizes: &[Vec<u32>],
    nothing: &str,
    attempt: impl for<'l> Fn(&Target<'l>, &'l Logic<'l>) -> Attempt<T>,
) -> Search<T> {
    let mut queries = 0;
    let mut last = Reason::Incomplete(nothing.into());
    for sorts in sizes {
        let (found, asked) = in_instance((target, copy), sorts, &attempt);
        queries += asked;
        let found = match found {
            Ok(None) => continue,
            Err(reason @ Reason::Incomplete(_)) => {
                last = reason;
                continue;
            }
            Ok(Some(found)) => Ok(found),
            // What is too much for a small instance is too much for a larger one.
            Err(reason) => Err(reason),
        };
        return Search { found, queries };
    }
    Search {
        found: Err(last),
        queries,
    }
}

/// Looks in an instance with so many elements of each sort.
fn in_instance<T>(
    (target, copy): (&Target<'_>, usize),
    sorts: &[u32],
    attempt: &impl for<'l> Fn(&Target<'l>, &'l Logic<'l>) -> Attempt<T>,
) -> Attempt<T> {
    let size = Size::Finite(FiniteSize {
        copy,
        sorts: sorts.to_vec(),
        meaning: None,
        expand: true,
        windowed: true,
    });
    let mut logic = Logic::new(target.model, size);
    match logic.declare_theories() {
        Ok(()) => attempt(target, &logic),
        Err(unsupported) => (Err(Reason::from(unsupported)), 0),
    }
}

/// The sizes to try: fewest elements first. The solver's countermodel only says how far to go: which sizes are tried
/// before that does not depend on it. One element is enough of a sort that does not matter.
pub(super) fn instances(matter: &[bool], found: Option<&[u32]>, shrink: bool) -> Vec<Vec<u32>> {
    let sorts = matter.len() as u32;
    let (limit, largest) = match found {
        Some(sizes) if !shrink => return vec![sizes.to_vec()],
        Some(sizes) => (MAX_SIZE, sizes.iter().sum()),
        None => (BLIND_SIZE, sorts * BLIND_SIZE),
    };
    let limits = matter.iter().map(|m| if *m { limit } else { 1 });
    let limits: Vec<u32> = limits.collect();
    let mut all = Vec::new();
    for total in sorts..=largest {
        compositions(total, &limits, &mut Vec::new(), &mut all);
        if all.len() >= MAX_INSTANCES {
            break;
        }
    }
    // What the solver itself found is the last resort.
    let last = found.map(<[u32]>::to_vec);
    all.extend(last.filter(|sizes| !all.contains(sizes)));
    all
}

/// All ways to write `total` as a sum of positive numbers within the limits.
fn compositions(total: u32, limits: &[u32], prefix: &mut Vec<u32>, out: &mut Vec<Vec<u32>>) {
    let Some((limit, rest)) = limits.split_first() else {
        if total == 0 {
            out.push(prefix.clone());
        }
        return;
    };
    if out.len() >= MAX_INSTANCES {
        return;
    }
    for n in 1..=(*limit).min(total) {
        prefix.push(n);
        compositions(total - n, rest, prefix, out);
        prefix.pop();
    }
}
