//! New names for the elements of sorts: a permutation of each.

use super::bits::ones;
use finite::Universe;
use ioa_lang::core::{Model, SortId, SortSize};

/// A permutation of the elements of each sort. That of a sort of groups follows from that of the members.
#[derive(Clone, Debug)]
pub(super) struct Renaming {
    /// By sort, the new name of each element.
    images: Vec<Vec<u64>>,
}

/// A sort of groups.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The sort.
    pub(super) sort: SortId,
    /// The sort of the members.
    pub(super) member: SortId,
    /// For each group, the mask of its members; ascending.
    pub(super) masks: Vec<u64>,
}

impl Groups {
    /// The sorts of groups over a sort, and those over these, each after its members.
    pub(super) fn over(model: &Model, universe: &Universe, sort: SortId) -> Vec<Self> {
        let (mut all, mut members, mut from) = (Vec::new(), vec![sort], 0);
        while let Some(member) = members.get(from).copied() {
            for (sort, declared) in (0..).map(SortId).zip(&model.sorts) {
                if matches!(declared.size, SortSize::GroupsOf(_, m) if m == member) {
                    let groups = 0..universe.size(sort);
                    let masks = groups.map(|g| universe.members(sort, g)).collect();
                    all.push(Self {
                        sort,
                        member,
                        masks,
                    });
                    members.push(sort);
                }
            }
            from += 1;
        }
        all
    }
}

impl Renaming {
    /// The one that leaves everything as it is.
    pub(super) fn identity(model: &Model, universe: &Universe) -> Self {
        let sorts = (0..model.sorts.len()).map(SortId::at);
        Self {
            images: sorts.map(|s| (0..universe.size(s)).collect()).collect(),
        }
    }

    /// Two elements of a sort change places.
    pub(super) fn swap(mut self, sort: SortId, (a, b): (u64, u64), groups: &[Groups]) -> Self {
        self.images[sort.index()].swap(a as usize, b as usize);
        self.follow(groups);
        self
    }

    /// The new name of an element.
    pub(super) fn image(&self, sort: SortId, element: u64) -> u64 {
        self.images[sort.index()][element as usize]
    }

    /// Gives an element a new name. It is for the caller to keep it a permutation, and to let the groups
    /// [`follow`](Self::follow).
    pub(super) fn set(&mut self, sort: SortId, element: u64, image: u64) {
        self.images[sort.index()][element as usize] = image;
    }

    /// Gives groups the names that follow from those of their members.
    pub(super) fn follow(&mut self, groups: &[Groups]) {
        for groups in groups {
            for (group, mask) in (0..).zip(&groups.masks) {
                let moved = ones(*mask).map(|m| 1 << self.image(groups.member, m));
                let moved = moved.fold(0, |all, one: u64| all | one);
                // A family has all sets of some sizes, so the groups are permuted too.
                let image = groups.masks.binary_search(&moved).expect("a group");
                self.set(groups.sort, group, image as u64);
            }
        }
    }
}
