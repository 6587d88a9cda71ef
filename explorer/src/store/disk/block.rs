//! Sorted rows as bytes.
//!
//! Rows are written in *blocks*. Of each row a block holds what differs from the row before it: how many words are the same,
//! by how much the next word is greater, and the other words; all of them in as few bytes as they need (LEB128). So a state
//! takes two or three bytes where there are many.

/// The rows of a block, at most: about what one thread expands at once.
const MOST_ROWS: usize = 2048;

/// The bytes before the rows of a block: how many rows there are and of which shard, how many bytes, and a sum over all.
pub(crate) const HEADER: usize = 3 * size_of::<u64>();

/// The bits of a header's first word that count the rows.
const ROWS_BITS: u32 = 32;

/// The bits of a byte that belong to a number; the last one says whether more follow.
const SEVEN: u32 = 7;

/// Where a block lies, and what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The first word of the least of its rows.
    pub(crate) least: u64,
    /// Where it begins.
    pub(crate) offset: u64,
    bytes: u32,
    rows: u16,
    shard: u16,
}

/// Blocks that are yet to be written, with offsets from the first.
#[derive(Debug, Default)]
pub(crate) struct Coded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) blocks: Vec<Block>,
}

/// Who writes the rows of one shard, in their order, as blocks.
pub(crate) struct Coder<'c> {
    coded: &'c mut Coded,
    shard: usize,
    /// The row before, of the same block; zeros at its beginning.
    before: Vec<u64>,
    rows: usize,
    least: u64,
    begin: usize,
}

impl<'c> Coder<'c> {
    pub(crate) fn new(coded: &'c mut Coded, shard: usize, width: usize) -> Self {
        Self {
            coded,
            shard,
            before: vec![0; width],
            rows: 0,
            least: 0,
            begin: 0,
        }
    }

    /// Writes the next row, which is greater than the one before.
    pub(crate) fn push(&mut self, row: &[u64]) {
        if self.rows == 0 {
            (self.begin, self.least) = (self.coded.bytes.len(), row[0]);
            self.coded.bytes.resize(self.begin + HEADER, 0);
            self.before.fill(0);
        }
        put_row(&mut self.coded.bytes, &self.before, row);
        self.before.copy_from_slice(row);
        self.rows += 1;
        if self.rows == MOST_ROWS {
            self.close();
        }
    }

    /// Ends the last block.
    pub(crate) fn finish(mut self) {
        if self.rows > 0 {
            self.close();
        }
    }

    fn close(&mut self) {
        let (header, payload) = self.coded.bytes[self.begin..].split_at_mut(HEADER);
        let block = Block {
            least: self.least,
            offset: self.begin as u64,
            bytes: payload.len() as u32,
            rows: self.rows as u16,
            shard: self.shard as u16,
        };
        header.copy_from_slice(&block.header(payload));
        self.coded.blocks.push(block);
        self.rows = 0;
    }
}

impl Block {
    /// The header in front of these rows.
    fn header(&self, payload: &[u8]) -> [u8; HEADER] {
        let first = u64::from(self.shard) << ROWS_BITS | u64::from(self.rows);
        let words = [first, u64::from(self.bytes)];
        let sum = words.iter().copied().chain(words_of(payload)).fold(1, with);
        let mut header = [0; HEADER];
        let (places, _) = header.as_chunks_mut::<{ size_of::<u64>() }>();
        for (place, word) in places.iter_mut().zip(words.into_iter().chain([sum])) {
            *place = word.to_le_bytes();
        }
        header
    }

    /// The block that a header describes, which stands at an offset; its least row is not known yet.
    pub(crate) fn of_header(header: &[u8; HEADER], offset: u64) -> Option<Self> {
        let (words, _) = header.as_chunks::<{ size_of::<u64>() }>();
        let [first, bytes] = [0, 1].map(|at| u64::from_le_bytes(words[at]));
        let block = Self {
            least: 0,
            offset,
            bytes: u32::try_from(bytes).ok()?,
            rows: u16::try_from(first & (u64::MAX >> ROWS_BITS)).ok()?,
            shard: u16::try_from(first >> ROWS_BITS).ok()?,
        };
        (1..=MOST_ROWS).contains(&block.rows()).then_some(block)
    }

    /// The shard of its rows.
    pub(crate) fn shard(&self) -> usize {
        usize::from(self.shard)
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// The bytes that it takes, with its header.
    pub(crate) fn bytes(&self) -> usize {
        HEADER + self.bytes as usize
    }

    /// The same block, of which it is known now where its rows begin.
    pub(crate) fn with_least(self, least: u64) -> Self {
        Self { least, ..self }
    }

    /// The same block, so many bytes further on.
    pub(crate) fn moved(self, by: u64) -> Self {
        let offset = self.offset + by;
        Self { offset, ..self }
    }

    /// Whether it may have so many bytes, where rows have so many words.
    pub(crate) fn is_small(&self, width: usize) -> bool {
        let longest = u64::BITS.div_ceil(SEVEN) as usize;
        self.bytes as usize <= self.rows() * (width + 1) * longest
    }

    /// Appends the rows that some bytes are, of which the header is a part; none if they are not what was written.
    pub(crate) fn decode(&self, bytes: &[u8], width: usize, out: &mut Vec<u64>) -> Option<()> {
        let (header, mut payload) = bytes.split_first_chunk()?;
        if *header != self.header(payload) {
            return None;
        }
        let mut before = vec![0; width];
        for at in 0..self.rows() {
            take_row(&mut payload, &mut before, at > 0)?;
            out.extend_from_slice(&before);
        }
        payload.is_empty().then_some(())
    }
}

/// Bytes as words, the last of which is filled up.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (words, rest) = bytes.as_chunks::<{ size_of::<u64>() }>();
    let mut last = [0; size_of::<u64>()];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().copied().chain([last]);
    words.map(u64::from_le_bytes)
}

/// A sum with one more word in it. Each word changes it for good: the step can be undone only with the same word.
fn with(sum: u64, word: u64) -> u64 {
    let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_add(1)
}

fn put_row(bytes: &mut Vec<u8>, before: &[u64], row: &[u64]) {
    let same = row.iter().zip(before).take_while(|(a, b)| a == b).count();
    if row.len() > 1 {
        put(bytes, same as u64);
    } else if same == 1 {
        put(bytes, 0);
    }
    let Some((next, others)) = row[same..].split_first() else {
        return;
    };
    put(bytes, next - before[same]);
    others.iter().for_each(|word| put(bytes, *word));
}

/// Makes of a row the next one; whether there is a row before in the block, than which it has to be greater.
fn take_row(bytes: &mut &[u8], row: &mut [u64], is_greater: bool) -> Option<()> {
    let same = match row.len() {
        1 => 0,
        _ => usize::try_from(take(bytes)?).ok()?,
    };
    if same == row.len() {
        return (!is_greater).then_some(());
    }
    let (next, others) = row.get_mut(same..)?.split_first_mut()?;
    let more = take(bytes)?;
    if is_greater && more == 0 {
        return None;
    }
    *next = next.checked_add(more)?;
    for word in others {
        *word = take(bytes)?;
    }
    Some(())
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >> SEVEN != 0 {
        bytes.push(number as u8 | 1 << SEVEN);
        number >>= SEVEN;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & !(1 << SEVEN)).checked_shl(shift)?;
        if byte >> SEVEN == 0 {
            return Some(number);
        }
        shift += SEVEN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(width: u64) -> Vec<Vec<u64>> {
        let word = |n: u64, w: u64| (n / (w + 2)) << (7 * w) ^ if w == 2 { u64::MAX } else { 0 };
        let mut rows: Vec<Vec<u64>> = (0..5_000)
            .map(|n| (0..width).map(|w| word(n, w)).collect())
            .collect();
        rows.push(vec![u64::MAX; width as usize]);
        rows.sort();
        rows.dedup();
        rows
    }

    fn coded(rows: &[Vec<u64>]) -> Coded {
        let mut coded = Coded::default();
        let mut coder = Coder::new(&mut coded, 3, rows[0].len());
        rows.iter().for_each(|row| coder.push(row));
        coder.finish();
        coded
    }

    #[test]
    fn rows_come_back_as_they_were() {
        for width in 1..5 {
            let rows = rows(width);
            let coded = coded(&rows);
            assert!(coded.blocks.len() > 1);
            let mut found = Vec::new();
            for block in &coded.blocks {
                let bytes = &coded.bytes[block.offset as usize..][..block.bytes()];
                let header = bytes.first_chunk().expect("a header");
                let read = Block::of_header(header, block.offset).expect("a block");
                let least = block.least;
                assert_eq!(Block { least, ..read }, *block);
                assert!(read.is_small(width as usize));
                read.decode(bytes, width as usize, &mut found)
                    .expect("rows");
            }
            assert_eq!(found, rows.concat());
        }
    }

    #[test]
    fn bytes_that_were_changed_or_cut_are_no_block() {
        let coded = coded(&rows(2)[..200]);
        let block = coded.blocks[0];
        let bytes = &coded.bytes;
        assert!(block.decode(bytes, 2, &mut Vec::new()).is_some());
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(block.decode(&changed, 2, &mut Vec::new()), None);
            assert_eq!(block.decode(&bytes[..at], 2, &mut Vec::new()), None);
        }
        let other = Block { rows: 199, ..block };
        assert_eq!(other.decode(bytes, 2, &mut Vec::new()), None);
    }
}
