//! Ways to give values to the variables of a diagram in an instance that may have fewer elements than there are variables.

use ioa_lang::core::Type;

/// For each variable the position of its value, if it has one.
pub(super) type Partial = Vec<Option<usize>>;

/// A variable of a diagram.
pub(super) struct Variable<'t> {
    pub(super) ty: &'t Type,
    /// Whether the type has an order: then the variables of the type ascend.
    pub(super) is_ordered: bool,
    /// How many values there are.
    pub(super) values: usize,
}

/// All ways to give distinct values to as many variables as possible, those with most values first; ascending ones where the type has
/// an order. None if these are more than so many.
///
/// Of three variables that ascend, the last one never has the first value. So that what is said of one of them alone is said of all
/// values, variables lack one where their neighbours leave no room for it.
pub(super) fn assignments(variables: &[Variable<'_>], most: usize) -> Vec<Partial> {
    let mut out: Vec<Partial> = vec![Vec::new()];
    for _ in variables {
        let longer = out.iter().flat_map(|row| longer(row, variables));
        out = longer.collect();
        if out.len() > most {
            return Vec::new();
        }
    }
    out.retain(|row| is_filled(row, variables));
    out.sort_by_key(|row| row.iter().filter(|value| value.is_none()).count());
    out
}

/// The variables of the same type as the one at a position.
fn alike<'v>(variables: &'v [Variable<'_>], at: usize) -> impl Iterator<Item = usize> + 'v {
    (0..variables.len()).filter(move |other| variables[*other].ty == variables[at].ty)
}

/// The ways to give a value, or none, to the next variable.
fn longer(row: &Partial, variables: &[Variable<'_>]) -> Vec<Partial> {
    let at = row.len();
    let Variable {
        is_ordered, values, ..
    } = variables[at];
    let before = alike(variables, at).filter(|other| *other < at);
    let (taken, lacking): (Vec<Option<usize>>, Vec<Option<usize>>) =
        before.map(|other| row[other]).partition(Option::is_some);
    let fits = |value: &usize| match is_ordered {
        true => taken.iter().flatten().all(|other| other < value),
        false => !taken.contains(&Some(*value)),
    };
    let missing = alike(variables, at).count().saturating_sub(values);
    let may_lack = is_ordered || lacking.len() < missing;
    let free = (0..values).filter(fits).map(Some);
    let each = free.chain(may_lack.then_some(None));
    each.map(|value| [&row[..], &[value]].concat()).collect()
}

/// Whether no variable of an ordered type lacks a value that it could have between those of its neighbours.
fn is_filled(row: &Partial, variables: &[Variable<'_>]) -> bool {
    let lacking = (0..row.len()).filter(|at| row[*at].is_none());
    let mut ordered = lacking.filter(|at| variables[*at].is_ordered);
    ordered.all(|at| {
        let below = alike(variables, at).filter(|other| *other < at);
        let above = alike(variables, at).filter(|other| *other > at);
        let first = below.filter_map(|other| row[other]).max();
        let end = above.filter_map(|other| row[other]).min();
        first.map_or(0, |first| first + 1) == end.unwrap_or(variables[at].values)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ioa_lang::core::SortId;

    /// The assignments to so many variables of a type with so many values.
    fn all(variables: usize, is_ordered: bool, values: usize) -> Vec<Partial> {
        let ty = Type::Sort(SortId::at(0));
        let each = (0..variables).map(|_| Variable {
            ty: &ty,
            is_ordered,
            values,
        });
        assignments(&each.collect::<Vec<_>>(), 1000)
    }

    #[test]
    fn each_variable_of_an_ordered_type_has_each_value_once_in_a_while() {
        let two = all(2, true, 3);
        assert_eq!(two[..3], [[0, 1], [0, 2], [1, 2]].map(|row| row.map(Some)));
        assert_eq!(two[3..], [[Some(2), None], [None, Some(0)]]);
        for values in 1..5 {
            for (variables, value) in (1..4).flat_map(|n| (0..values).map(move |value| (n, value)))
            {
                let all = all(variables, true, values);
                let has = |at: usize| all.iter().any(|row| row[at] == Some(value));
                assert!((0..variables).all(has), "{variables} of {values}: {all:?}");
            }
        }
    }

    #[test]
    fn values_ascend_and_no_variable_lacks_one_for_which_there_is_room() {
        for row in all(3, true, 4) {
            let values: Vec<usize> = row.iter().flatten().copied().collect();
            assert!(values.is_sorted_by(|a, b| a < b), "{row:?}");
            let could_have = |at: usize, value: usize| {
                let below = row[..at].iter().flatten().all(|other| *other < value);
                below && row[at + 1..].iter().flatten().all(|other| *other > value)
            };
            let lacking = (0..3).filter(|at| row[*at].is_none());
            let mut lacking = lacking.flat_map(|at| (0..4).map(move |value| (at, value)));
            assert!(!lacking.any(|(at, value)| could_have(at, value)), "{row:?}");
        }
    }

    #[test]
    fn without_an_order_values_are_lacking_only_where_there_are_too_few() {
        assert_eq!(all(2, false, 3).len(), 6);
        let few = all(3, false, 2);
        assert!(few.iter().all(|row| row.iter().flatten().count() == 2));
        assert_eq!(few.len(), 6);
    }

    #[test]
    fn with_too_many_there_are_none() {
        let ty = Type::Sort(SortId::at(0));
        let variables = [(); 3].map(|()| Variable {
            ty: &ty,
            is_ordered: false,
            values: 5,
        });
        assert_eq!(assignments(&variables, 60).len(), 60);
        assert!(assignments(&variables, 59).is_empty());
    }
}
