//! Runs: rows in a file, by shard, and sorted within each.

use std::ops::Range;

use crate::store::disk::block::{Block, Coded, HEADER};
use crate::store::disk::folder::Kept;
use crate::store::hash::Hash;

/// A file with its length.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) name: String,
    file: Box<dyn Kept>,
    pub(crate) length: u64,
}

impl Stored {
    /// An empty file.
    pub(crate) fn new(name: String, file: Box<dyn Kept>) -> Self {
        Self::of_length(name, file, 0)
    }

    /// A file of which so many bytes count.
    pub(crate) fn of_length(name: String, file: Box<dyn Kept>, length: u64) -> Self {
        Self { name, file, length }
    }

    /// Appends blocks to the file and to a run.
    pub(crate) fn append(&mut self, coded: &Coded, run: &mut Run) -> Result<(), String> {
        self.file.append(&coded.bytes)?;
        for block in &coded.blocks {
            run.add(block.moved(self.length));
        }
        self.length += coded.bytes.len() as u64;
        Ok(())
    }

    /// Appends the rows of a block.
    pub(crate) fn read(
        &self,
        block: &Block,
        width: usize,
        rows: &mut Vec<u64>,
    ) -> Result<(), String> {
        let mut bytes = vec![0; block.bytes()];
        self.file.read(block.offset, &mut bytes)?;
        let decoded = block.decode(&bytes, width, rows);
        decoded.ok_or_else(|| self.damaged())
    }

    /// Removes what is after the bytes that count.
    pub(crate) fn cut(&mut self) -> Result<(), String> {
        self.file.cut(self.length)
    }

    pub(crate) fn sync(&mut self) -> Result<(), String> {
        self.file.sync()
    }

    /// The run that so many bytes are, from an offset on.
    pub(crate) fn run(
        &self,
        (from, bytes): (u64, u64),
        (width, hash): (usize, Hash),
    ) -> Result<Run, String> {
        let (mut run, mut at) = (Run::default(), from);
        let end = from.checked_add(bytes).ok_or_else(|| self.damaged())?;
        let mut last: Option<(usize, Vec<u64>)> = None;
        while at < end {
            let mut header = [0; HEADER];
            self.file.read(at, &mut header)?;
            let block = Block::of_header(&header, at).filter(|block| block.is_small(width));
            let block = block.ok_or_else(|| self.damaged())?;
            let mut rows = Vec::with_capacity(block.rows() * width);
            self.read(&block, width, &mut rows)?;
            let order = |row: &[u64]| (hash.shard_of(hash.of(row)), row.to_vec());
            let first = order(&rows[..width]);
            let is_ours = |row: &[u64]| !is_beyond(row, hash) && order(row).0 == block.shard();
            let are_right = rows.chunks_exact(width).all(is_ours);
            if !are_right || last.is_some_and(|last| last >= first) {
                return Err(self.damaged());
            }
            last = Some(order(&rows[rows.len() - width..]));
            run.add(block.with_least(rows[0]));
            at += block.bytes() as u64;
        }
        match at == end {
            true => Ok(run),
            false => Err(self.damaged()),
        }
    }

    fn damaged(&self) -> String {
        format!("{} is damaged: its contents do not add up", self.name)
    }
}

/// Whether a row of one word has bits that no state uses.
fn is_beyond(row: &[u64], hash: Hash) -> bool {
    row.len() == 1 && hash.is_beyond(row[0])
}

/// Rows in a file.
#[derive(Debug, Default)]
pub(crate) struct Run {
    blocks: Vec<Block>,
    /// How many rows there are up to the end of each block.
    ends: Vec<u64>,
}

impl Run {
    fn add(&mut self, block: Block) {
        self.ends.push(self.rows() + block.rows() as u64);
        self.blocks.push(block);
    }

    /// Gives back the room for more blocks.
    pub(crate) fn shrink(&mut self) {
        self.blocks.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The bytes of the file that they take.
    pub(crate) fn bytes_in_file(&self) -> u64 {
        let blocks = self.blocks.iter();
        blocks.map(|block| block.bytes() as u64).sum()
    }

    /// The bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.blocks.capacity() * (size_of::<Block>() + size_of::<u64>())) as u64
    }

    /// The blocks of a shard.
    pub(crate) fn of_shard(&self, shard: usize) -> &[Block] {
        let from = self.blocks.partition_point(|b| b.shard() < shard);
        let behind = &self.blocks[from..];
        &behind[..behind.partition_point(|b| b.shard() == shard)]
    }

    /// How many rows a shard has.
    pub(crate) fn rows_of(&self, shard: usize) -> usize {
        self.of_shard(shard).iter().map(Block::rows).sum()
    }

    /// The blocks in which some positions lie, each with the positions within it.
    pub(crate) fn at(
        &self,
        positions: Range<usize>,
    ) -> impl Iterator<Item = (&Block, Range<usize>)> {
        let from = self
            .ends
            .partition_point(|end| *end <= positions.start as u64);
        let blocks = self.blocks[from..].iter().zip(&self.ends[from..]);
        let blocks = blocks.map(|(block, end)| (block, *end as usize - block.rows()));
        blocks
            .take_while(move |(_, begin)| *begin < positions.end)
            .map(move |(block, begin)| {
                let from = positions.start.max(begin) - begin;
                (block, from..block.rows().min(positions.end - begin))
            })
    }
}
