//! What has to be saved beside the files, so that their levels can be taken up again.

use std::sync::Arc;

use crate::store::disk::folder::Folder;
use crate::store::disk::run::Stored;
use crate::store::disk::{Disk, Known, LEVELS, known_name};
use crate::store::hash::Hash;

impl Disk {
    /// How many levels `known` covers, its number and its bytes; and the bytes of each level.
    pub(super) fn words(&self) -> Vec<u64> {
        let known = self.known.as_ref().map_or(0, |known| known.stored.length);
        let levels = self.levels.iter().map(|level| level.bytes_in_file());
        [self.covered as u64, self.written, known]
            .into_iter()
            .chain(levels)
            .collect()
    }

    /// The levels that were saved. All of their rows are read, and what was written later is removed.
    ///
    /// # Errors
    /// Says which file cannot be read, or is not what was saved; nothing more where the words are none that were saved.
    pub(crate) fn restored(
        folder: Arc<dyn Folder>,
        kind: (usize, Hash),
        words: &[u64],
    ) -> Result<Self, Option<String>> {
        let ([covered, written, known], levels) = words.split_first_chunk().ok_or(None)?;
        let length = levels.iter().try_fold(0_u64, |sum, n| sum.checked_add(*n));
        let length = length.ok_or(None)?;
        let file = Stored::of_length(LEVELS.into(), folder.open(LEVELS)?, length);
        let mut disk = Self::with(folder, kind, file);
        let mut from = 0;
        for bytes in levels {
            let level = disk.file.run((from, *bytes), kind)?;
            disk.states += level.rows();
            disk.levels.push(level);
            from += bytes;
        }
        disk.file.cut()?;
        disk.written = *written;
        disk.covered = usize::try_from(*covered).map_err(|_| None)?;
        if disk.covered > disk.levels.len() || (*covered > 0) != (*written > 0) {
            return Err(None);
        }
        if *written > 0 {
            let name = known_name(*written);
            let stored = Stored::of_length(name.clone(), disk.folder.open(&name)?, *known);
            let run = stored.run((0, *known), kind)?;
            let covered = disk.levels[..disk.covered].iter();
            if run.rows() != covered.map(|level| level.rows()).sum::<u64>() {
                return Err(None);
            }
            disk.known = Some(Known { stored, run });
        }
        // Memory has none of the states.
        disk.is_emptied = true;
        Ok(disk)
    }
}
