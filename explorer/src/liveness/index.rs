//! Which state a row is: a hash table of positions, with open addressing.

/// No state.
const FREE: u32 = u32::MAX;

/// An odd number without a pattern in its bits: that of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The positions of rows in a list that others keep.
#[derive(Debug)]
pub(super) struct Index {
    places: Vec<u32>,
    len: usize,
}

impl Index {
    pub(super) fn new() -> Self {
        Self {
            places: vec![FREE; 1 << 10],
            len: 0,
        }
    }

    /// The bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        (self.places.len() * size_of::<u32>()) as u64
    }

    /// The position of a row among those that are listed one after another.
    pub(super) fn find(&self, rows: &[u64], row: &[u64]) -> Option<u32> {
        let position = self.places[self.place(rows, row)];
        (position != FREE).then_some(position)
    }

    /// Notes the position of the last of the rows, which is not among those before.
    pub(super) fn push(&mut self, rows: &[u64], width: usize) {
        let position = rows.len() / width - 1;
        let place = self.place(rows, &rows[position * width..]);
        self.places[place] = u32::try_from(position).expect("fewer than 2^32 states");
        self.len += 1;
        if 2 * self.len > self.places.len() {
            self.grow(rows, width);
        }
    }

    fn grow(&mut self, rows: &[u64], width: usize) {
        self.places = vec![FREE; 4 * self.places.len()];
        for (position, row) in (0..).zip(rows.chunks_exact(width)) {
            let place = self.place(rows, row);
            self.places[place] = position;
        }
    }

    /// Where the position of a row is, or would be.
    fn place(&self, rows: &[u64], row: &[u64]) -> usize {
        let (mask, width) = (self.places.len() - 1, row.len());
        let mut place = hash(row) as usize & mask;
        loop {
            match self.places[place] {
                FREE => return place,
                position if rows[position as usize * width..][..width] == *row => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }
}

fn hash(row: &[u64]) -> u64 {
    let hash = row.iter().fold(0_u64, |hash, word| {
        (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR)
    });
    hash ^ (hash >> 32)
}
