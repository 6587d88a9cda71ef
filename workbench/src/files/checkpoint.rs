//! Files in which a search is kept.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use session::host::Place;

use crate::files::{self, Made};

/// A file that holds a search, or is to hold one.
#[derive(Debug)]
pub struct CheckpointFile(PathBuf);

impl CheckpointFile {
    /// The file at a path.
    #[must_use]
    pub fn at(path: &Path) -> Arc<dyn Place> {
        Arc::new(Self(path.to_owned()))
    }
}

impl Place for CheckpointFile {
    fn name(&self) -> String {
        self.0.display().to_string()
    }

    fn replace(
        &self,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), String> {
        files::write_through(&self.0, Made::Checkpoint, |file| fill(file))
    }

    fn open(&self) -> Result<Box<dyn Read + '_>, String> {
        let refuse = |e| format!("cannot open {}: {}", self.name(), files::reason(&e));
        Ok(Box::new(File::open(&self.0).map_err(refuse)?))
    }
}

/// Refuses to write where there is a checkpoint that is not the one that is taken up, or anything else.
///
/// # Errors
/// Says what is there.
pub fn check_free(file: Option<&Path>, taken_up: Option<&Path>) -> Result<(), String> {
    let Some(file) = file else {
        return Ok(());
    };
    if taken_up == Some(file) || !file.exists() {
        return Ok(());
    }
    let shown = file.display();
    Err(match files::is_made(file, Made::Checkpoint) {
        true => format!(
            "{shown} is a checkpoint already: go on from it with --resume {shown}, or remove it"
        ),
        false => format!("{shown} is there already and is no checkpoint: name another file"),
    })
}
