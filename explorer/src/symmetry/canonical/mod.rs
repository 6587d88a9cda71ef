//! The representative of a state: of all states that renaming makes of it, one that depends on nothing else.
//!
//! The method is that of programs for the canonical form of graphs (McKay, "Practical graph isomorphism", 1981). The
//! elements stand in an ordered partition, at first one cell for each class of interchangeable elements. It is split by what a
//! state says of each element alone; often that is all it says. Otherwise it is *refined* by the elements' keys until these tell no
//! more of them apart. Where the elements of a cell are *twins*, so that
//! the state stays as it is when any two of them change places, their order does not matter. If all cells are like
//! that, the order of the elements gives their new names. If not, each element of the first cell that is not is tried as
//! the first one in it; of all the states that come of this, the least is the representative.
//!
//! Nothing here depends on the names that elements happen to have, so all states of an orbit have one representative;
//! and this is one of them.
//!
//! The orders that make the representative of a state are as many as there are ways of renaming that leave the state as it
//! is. So they tell how large its orbit is: as many as there are ways of renaming, divided by these.

mod memo;

use std::cmp::Ordering;

use super::Symmetry;
use super::colour::{Colours, Keys, add, mix};
use super::partition::Partition;
use super::renaming::Renaming;
use memo::Memo;

/// What it takes to find representatives, kept from one to the next.
#[derive(Clone, Debug)]
pub(super) struct Room {
    colours: Colours,
    keys: Keys,
    renaming: Renaming,
    partition: Partition,
    /// For each point, what a state says of it alone.
    alone: Vec<u64>,
    /// The least state so far; empty if there is none.
    best: Vec<u64>,
    /// How many orders make it.
    orders: u128,
    row: Vec<u64>,
    /// What was found before.
    memo: Memo,
}

impl Room {
    pub(super) fn new(symmetry: &Symmetry) -> Self {
        let sizes = symmetry.fixed.iter().map(Vec::len);
        Self {
            colours: symmetry.fixed.clone(),
            keys: sizes.map(|n| vec![0; n]).collect(),
            renaming: symmetry.identity.clone(),
            partition: symmetry.partition.clone(),
            alone: Vec::new(),
            best: Vec::new(),
            orders: 0,
            row: Vec::new(),
            memo: Memo::default(),
        }
    }

    /// The bytes that grow with the rows: those of the representatives found before.
    pub(super) fn memory(&self) -> u64 {
        self.memo.memory()
    }
}

impl Symmetry {
    /// Replaces a row by its representative: the same for all rows that differ in the names of interchangeable elements
    /// alone, and one of them.
    pub fn canonicalise(&self, row: &mut [u64]) {
        self.represent(row, &mut Room::new(self));
    }

    /// Replaces a row by its representative, which may be known from before.
    pub(super) fn represent_again(&self, row: &mut [u64], room: &mut Room) {
        if let Some(known) = room.memo.get(row) {
            return row.copy_from_slice(known);
        }
        self.find(row, room);
        room.memo.put(row, &room.best);
        row.copy_from_slice(&room.best);
    }

    /// Replaces a row by its representative.
    pub(super) fn represent(&self, row: &mut [u64], room: &mut Room) {
        self.find(row, room);
        row.copy_from_slice(&room.best);
    }

    /// How many rows renaming makes of one, this one included. It is for symmetries that [have counts](Self::has_counts).
    pub(super) fn orbit_size(&self, row: &[u64], room: &mut Room) -> u128 {
        self.find(row, room);
        self.order() / room.orders
    }

    /// How many times fewer states are visited with this symmetry, estimated from some of the rows; one if there are none.
    #[must_use]
    pub fn gain(&self, rows: impl Iterator<Item = impl AsRef<[u64]>>) -> f64 {
        let mut room = Room::new(self);
        let (mut count, mut orbits) = (0, 0.0);
        for row in rows {
            count += 1;
            // All rows of an orbit together add up to one.
            orbits += 1.0 / self.orbit_size(row.as_ref(), &mut room) as f64;
        }
        if count == 0 {
            1.0
        } else {
            f64::from(count) / orbits
        }
    }

    /// Leaves the representative of a row in [`Room::best`].
    fn find(&self, row: &[u64], room: &mut Room) {
        let mut partition = std::mem::take(&mut room.partition);
        partition.order.clone_from(&self.partition.order);
        partition.start.clone_from(&self.partition.start);
        room.best.clear();
        self.alone.find(row, &mut room.alone);
        partition.split(|point| room.alone[point]);
        if self.alone.is_all() {
            room.best.extend_from_slice(row);
            self.alone.rename(&mut room.best, &partition, &room.alone);
            room.orders = partition.orders_within_cells();
        } else {
            self.descend(row, &mut partition, 1, room);
        }
        room.partition = partition;
    }

    /// Tries all orders of the elements that agree with a partition and matter. Each stands for `alike` orders that
    /// make the same state.
    fn descend(&self, row: &[u64], partition: &mut Partition, alike: u128, room: &mut Room) {
        self.refine(row, partition, room);
        let Some(cell) = self.open_cell(row, partition) else {
            return self.try_order(row, partition, alike, room);
        };
        // Of twins, one is tried for all.
        let mut tried: Vec<(usize, u128)> = Vec::new();
        for at in cell.clone() {
            let point = partition.order[at];
            let is_twin = |other: usize| self.are_twins(row, partition.order[other], point);
            match tried.iter_mut().find(|(other, _)| is_twin(*other)) {
                Some((_, twins)) => *twins += 1,
                None => tried.push((at, 1)),
            }
        }
        for (at, twins) in tried {
            let mut branch = partition.clone();
            branch.single_out(cell.clone(), at);
            self.descend(row, &mut branch, alike.saturating_mul(twins), room);
        }
    }

    /// Splits cells until the elements' keys tell no more of them apart.
    fn refine(&self, row: &[u64], partition: &mut Partition, room: &mut Room) {
        while !partition.is_discrete() {
            self.colour(partition, &mut room.colours);
            self.find_keys(row, &room.colours, &mut room.keys);
            let key = |point: usize| {
                let (sort, element) = self.points[point];
                room.keys[sort.index()][element as usize]
            };
            if !partition.split(key) {
                break;
            }
        }
    }

    /// Gives the elements colours by their cells, and groups colours by those of their members.
    fn colour(&self, partition: &Partition, colours: &mut Colours) {
        for ((sort, element), start) in self.points.iter().zip(&partition.start) {
            colours[sort.index()][*element as usize] = mix(*start as u64, 1);
        }
        for groups in &self.groups {
            for (group, mask) in groups.masks.iter().enumerate() {
                let members = crate::symmetry::bits::ones(*mask);
                let colour = members.map(|m| mix(colours[groups.member.index()][m as usize], 2));
                let colour = colour.fold(0, u64::wrapping_add);
                colours[groups.sort.index()][group] = mix(colour, 3);
            }
        }
    }

    /// Gives each element its key: where it stands, and in which groups that stand somewhere.
    fn find_keys(&self, row: &[u64], colours: &Colours, keys: &mut Keys) {
        keys.iter_mut().for_each(|keys| keys.fill(0));
        for (number, variable) in (1..).zip(&self.variables) {
            variable.add_keys(row, number, colours, keys);
        }
        for groups in self.groups.iter().rev() {
            for (group, mask) in groups.masks.iter().enumerate() {
                let key = keys[groups.sort.index()][group];
                for member in crate::symmetry::bits::ones(*mask) {
                    add(keys, groups.member, member, key);
                }
            }
        }
    }

    /// The first cell the order of whose elements matters.
    fn open_cell(&self, row: &[u64], partition: &Partition) -> Option<std::ops::Range<usize>> {
        let mut from = 0;
        while from < partition.order.len() {
            let to = partition.end(from);
            let neighbours = partition.order[from..to].windows(2);
            for pair in neighbours {
                if !self.are_twins(row, pair[0], pair[1]) {
                    return Some(from..to);
                }
            }
            from = to;
        }
        None
    }

    /// Whether a state stays as it is when two elements of one class change places.
    fn are_twins(&self, row: &[u64], a: usize, b: usize) -> bool {
        let swap = &self.swaps[a.min(b)][a.max(b) - a.min(b) - 1];
        let mut variables = self.variables.iter();
        variables.all(|variable| variable.is_fixed(row, swap))
    }

    /// Names the elements by their order, and keeps the state if it is the least so far.
    fn try_order(&self, row: &[u64], partition: &Partition, alike: u128, room: &mut Room) {
        for (place, point) in self.points.iter().zip(&partition.order) {
            let (sort, element) = self.points[*point];
            room.renaming.set(sort, element, place.1);
        }
        room.renaming.follow(&self.groups);
        room.row.clear();
        room.row.extend_from_slice(row);
        self.rename(&mut room.row, &room.renaming);
        let alike = alike.saturating_mul(partition.orders_within_cells());
        match room.row.cmp(&room.best) {
            Ordering::Equal => room.orders = room.orders.saturating_add(alike),
            Ordering::Greater if !room.best.is_empty() => {}
            _ => {
                std::mem::swap(&mut room.best, &mut room.row);
                room.orders = alike;
            }
        }
    }

    /// Gives the elements of a state new names.
    pub(super) fn rename(&self, row: &mut [u64], renaming: &Renaming) {
        for variable in &self.variables {
            variable.rename(row, renaming);
        }
    }
}
