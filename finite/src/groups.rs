//! Which sets the groups of an instance are. A theory of quorums promises only that any two of them meet, and one of subsets promises
//! nothing, so what holds with all majorities, or with all sets, need not hold with others.

use ioa_lang::core::{Family, Meaning, Model, Setting, SortId, SortSize};

/// Which sets of members the groups of an instance are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Groups {
    /// All sets of the sort's family: majorities, or all subsets.
    #[default]
    Natural,
    /// All sets with the first member, which alone is enough.
    WithFirst,
    /// The set of all members alone.
    Everyone,
    /// All sets with the first member and another one, and the set of all others.
    FirstAndAnother,
}

impl Groups {
    /// All but the natural ones. In each of them any two groups meet.
    pub const OTHERS: [Self; 3] = [Self::WithFirst, Self::Everyone, Self::FirstAndAnother];

    /// The groups of `n` members, of which there are fewer than 64, as masks, smallest mask first.
    pub(crate) fn masks(self, family: Family, n: u64) -> Vec<u64> {
        let all = (1_u64 << n) - 1;
        let is_group = |mask: u64| match self {
            Self::Natural => match family {
                Family::Majorities => u64::from(mask.count_ones()) * 2 > n,
                Family::Subsets => true,
            },
            Self::WithFirst => mask & 1 == 1,
            Self::Everyone => mask == all,
            Self::FirstAndAnother => match mask & 1 {
                1 => mask.count_ones() > 1 || n == 1,
                _ => mask | 1 == all && n > 1,
            },
        };
        (0..=all).filter(|mask| is_group(*mask)).collect()
    }
}

/// The sorts of groups that a setting assumes, each with its family and the sort of its members.
pub fn group_sorts<'m>(
    model: &'m Model,
    setting: &'m Setting,
) -> impl Iterator<Item = (SortId, Family, SortId)> {
    let operators = model.known_operators(setting);
    operators.filter_map(|(_, operator)| match operator.meaning {
        Meaning::InGroup { group, .. } => match model.sorts[group.index()].size {
            SortSize::GroupsOf(family, member) => Some((group, family, member)),
            SortSize::Given => None,
        },
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_two_groups_meet_unless_they_are_all_subsets() {
        for n in 1..=5 {
            let families = Groups::OTHERS.map(|groups| groups.masks(Family::Subsets, n));
            for masks in families
                .into_iter()
                .chain([Groups::Natural.masks(Family::Majorities, n)])
            {
                assert!(!masks.is_empty());
                let mut pairs = masks.iter().flat_map(|a| masks.iter().map(move |b| (a, b)));
                assert!(pairs.all(|(a, b)| a & b != 0), "{n} {masks:?}");
            }
        }
        assert_eq!(Groups::Natural.masks(Family::Subsets, 2), [0, 1, 2, 3]);
        assert_eq!(Groups::WithFirst.masks(Family::Majorities, 2), [1, 3]);
        let wheel = Groups::FirstAndAnother.masks(Family::Majorities, 4);
        assert_eq!(wheel, [3, 5, 7, 9, 11, 13, 14, 15]);
    }
}
