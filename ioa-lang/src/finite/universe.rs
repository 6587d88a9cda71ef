//! The sizes of the sorts and the meaning of the theories' operators in a finite instance.

use std::collections::BTreeMap;

use crate::core::{Family, Meaning, Model, Sort, SortId, SortSize, Type};
use crate::value::Value;

/// No sort may have more elements than this in a finite instance.
pub const MAX_SORT_SIZE: u64 = 4096;

/// No sort of groups is built over more members than this: there could be more than [`MAX_SORT_SIZE`] of them.
const MAX_MEMBERS: u64 = 12;

/// A finite instance of a model's sorts and theories.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Universe {
    /// Number of elements by sort.
    sizes: Vec<u64>,
    /// For each sort of groups: its elements as masks of member indices. Empty for other sorts.
    groups: Vec<Vec<u64>>,
}

/// Why sizes do not make a finite instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeError {
    /// A size was given for a name that is not a sort.
    UnknownSort {
        /// The name.
        name: String,
        /// A sort's name that it may have been meant to be.
        nearest: Option<String>,
    },
    /// A sort has no size.
    Missing(String),
    /// A sort was given a size of 0; every sort has at least one element.
    Zero(String),
    /// A size beyond what can be run.
    TooLarge {
        /// The sort.
        name: String,
        /// The size asked for.
        size: u64,
        /// The largest size allowed.
        limit: u64,
    },
    /// A size was given for a sort whose size follows from another's.
    Derived {
        /// The sort.
        name: String,
        /// The sort it follows from.
        from: String,
    },
}

impl std::fmt::Display for SizeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownSort {
                name,
                nearest: None,
            } => write!(f, "no sort is named {name}"),
            Self::UnknownSort {
                name,
                nearest: Some(nearest),
            } => write!(f, "no sort is named {name}; did you mean {nearest}?"),
            Self::Missing(name) => {
                write!(
                    f,
                    "sort {name} has no size: give one with --sort {name}=3 or in ioa.toml"
                )
            }
            Self::Zero(name) => write!(f, "sort {name} cannot have size 0: a sort is never empty"),
            Self::TooLarge { name, size, limit } => {
                write!(
                    f,
                    "size {size} of sort {name} is too large to run: the limit is {limit}"
                )
            }
            Self::Derived { name, from } => write!(
                f,
                "the size of sort {name} follows from that of {from} and cannot be given"
            ),
        }
    }
}

impl std::error::Error for SizeError {}

impl Universe {
    /// The instance with these sizes, by sort name.
    ///
    /// # Errors
    /// Every reason why the sizes do not fit the model: unknown, missing, zero, too large, or derived sorts.
    pub fn new(model: &Model, sizes: &BTreeMap<String, u64>) -> Result<Self, Vec<SizeError>> {
        let mut errors: Vec<SizeError> = sizes
            .keys()
            .filter(|name| model.sort_named(name).is_none())
            .map(|name| SizeError::UnknownSort {
                name: name.clone(),
                nearest: crate::diagnostic::nearest(name, model.sorts.iter().map(|s| &*s.name))
                    .map(str::to_owned),
            })
            .collect();
        for sort in &model.sorts {
            errors.extend(size_error(model, sort, sizes.get(&*sort.name).copied()));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut universe = Self {
            sizes: model
                .sorts
                .iter()
                .map(|s| sizes.get(&*s.name).copied().unwrap_or(0))
                .collect(),
            groups: vec![Vec::new(); model.sorts.len()],
        };
        for i in 0..model.sorts.len() {
            universe.derive(model, SortId::at(i))?;
        }
        Ok(universe)
    }

    /// Fills in what follows from the sizes of other sorts, which come first. (The front end sees to it that no size
    /// follows from itself.)
    fn derive(&mut self, model: &Model, sort: SortId) -> Result<(), Vec<SizeError>> {
        let Sort { name, size, .. } = &model.sorts[sort.index()];
        let SortSize::GroupsOf(family, member) = *size else {
            return Ok(());
        };
        self.derive(model, member)?;
        let members = self.size(member);
        if members > MAX_MEMBERS {
            return Err(vec![SizeError::TooLarge {
                name: name.to_string(),
                size: members,
                limit: MAX_MEMBERS,
            }]);
        }
        self.groups[sort.index()] = groups(family, members);
        self.sizes[sort.index()] = self.groups[sort.index()].len() as u64;
        Ok(())
    }

    /// The number of elements of a sort; never 0.
    #[must_use]
    pub fn size(&self, sort: SortId) -> u64 {
        self.sizes[sort.index()]
    }

    /// The sizes by sort name, the derived ones included.
    #[must_use]
    pub fn sizes(&self, model: &Model) -> BTreeMap<String, u64> {
        let names = model.sorts.iter().map(|s| s.name.to_string());
        names.zip(self.sizes.iter().copied()).collect()
    }

    /// The members of a group given by sort and index, as a mask of member indices.
    #[must_use]
    pub fn members(&self, sort: SortId, group: u64) -> u64 {
        self.groups[sort.index()][usize::try_from(group).expect("a group's index")]
    }

    /// A theory's operator applied to elements given by index.
    #[must_use]
    pub fn holds(&self, meaning: Meaning, args: &[u64]) -> bool {
        match meaning {
            Meaning::Less(_) => args[0] < args[1],
            Meaning::InGroup { group, .. } => self.members(group, args[1]) >> args[0] & 1 == 1,
        }
    }

    /// All values of a type in a fixed order, or `None` where there are infinitely many or more than `limit`.
    #[must_use]
    pub fn values(&self, model: &Model, ty: &Type, limit: u64) -> Option<Vec<Value>> {
        let packing = super::Packing::of(model, self, ty)?;
        let codes = packing.codes(limit)?;
        Some(codes.into_iter().map(|code| packing.decode(code)).collect())
    }
}

fn size_error(model: &Model, sort: &Sort, given: Option<u64>) -> Option<SizeError> {
    let name = sort.name.to_string();
    match (sort.size, given) {
        (SortSize::Given, None) => Some(SizeError::Missing(name)),
        (SortSize::Given, Some(0)) => Some(SizeError::Zero(name)),
        (SortSize::Given, Some(size)) => {
            let has_groups = model
                .sorts
                .iter()
                .any(|s| matches!(s.size, SortSize::GroupsOf(_, m) if model.sorts[m.index()].name == sort.name));
            let limit = if has_groups {
                MAX_MEMBERS
            } else {
                MAX_SORT_SIZE
            };
            (size > limit).then_some(SizeError::TooLarge { name, size, limit })
        }
        (SortSize::GroupsOf(..), None) => None,
        (SortSize::GroupsOf(_, member), Some(_)) => Some(SizeError::Derived {
            name,
            from: model.sorts[member.index()].name.to_string(),
        }),
    }
}

/// The sets of a family over `n` members, as masks, smallest mask first.
fn groups(family: Family, n: u64) -> Vec<u64> {
    (0..1_u64 << n)
        .filter(|mask| match family {
            Family::Majorities => u64::from(mask.count_ones()) * 2 > n,
            Family::Subsets => true,
        })
        .collect()
}
