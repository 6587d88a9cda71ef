//! Files that are watched for changes, and (in `rounds`) the command that is repeated when they change.

pub(crate) mod rounds;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use notify_debouncer_mini::notify::{self, RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

use crate::files;

/// Editors write a file in several steps, which are taken together if they come so close to each other.
const TOGETHER: Duration = Duration::from_millis(100);

/// Some files as they were at one moment, and what shows changes since then. What counts is their texts: a file that is
/// merely touched, or saved as it was, has not changed.
pub struct Watch {
    texts: BTreeMap<PathBuf, Result<String, String>>,
    bell: Bell,
}

impl Watch {
    /// Begins to watch, and only then looks at the files, so that no change is missed.
    ///
    /// # Errors
    /// Says why the system cannot watch them.
    pub fn begin(paths: Vec<PathBuf>) -> Result<Self, String> {
        let bell = Bell::over(folders(paths.iter()))?;
        let look = |path: PathBuf| {
            let text = files::read_text(&path);
            (path, text)
        };
        Ok(Self {
            texts: paths.into_iter().map(look).collect(),
            bell,
        })
    }

    /// How many files there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.texts.len()
    }

    /// What has happened to the files since they were looked at, in words; it waits so long for something to happen.
    ///
    /// # Errors
    /// Says why the system cannot watch them any longer.
    pub fn news(&mut self, wait: Duration) -> Result<Vec<String>, String> {
        if !self.bell.rings(wait) {
            return Ok(Vec::new());
        }
        // Folders come and go, too.
        let folders = folders(self.texts.keys());
        if folders != self.bell.folders {
            self.bell = Bell::over(folders)?;
        }
        let changes = self.texts.iter().filter_map(|(path, before)| {
            let now = files::read_text(path);
            let what = match (before, &now) {
                (before, now) if before == now => return None,
                (Ok(_), Err(_)) => "is gone or cannot be read",
                (Err(_), Ok(_)) => "is there",
                _ => "has changed",
            };
            Some(format!("{} {what}", path.display()))
        });
        Ok(changes.collect())
    }
}

/// The folders in which files can appear and disappear, or those which these would be made in.
fn folders<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> BTreeSet<PathBuf> {
    let folder = |path: &'p PathBuf| {
        let above = path.ancestors().skip(1);
        let mut there = above.filter(|folder| folder.is_dir());
        there.next().unwrap_or(Path::new(".")).to_owned()
    };
    paths.map(folder).collect()
}

/// Rings when something happens in one of some folders. (Most editors replace a file by another, which a watch on the file
/// itself would not survive.)
struct Bell {
    folders: BTreeSet<PathBuf>,
    rung: Receiver<DebounceEventResult>,
    /// It rings as long as this lives.
    _watcher: Debouncer<RecommendedWatcher>,
}

impl Bell {
    fn over(folders: BTreeSet<PathBuf>) -> Result<Self, String> {
        let fail = |e: notify::Error| format!("cannot watch the files: {e}");
        let (ring, rung) = mpsc::channel();
        let mut watcher = new_debouncer(TOGETHER, ring).map_err(fail)?;
        for folder in &folders {
            let watched = watcher.watcher().watch(folder, RecursiveMode::NonRecursive);
            watched.map_err(fail)?;
        }
        Ok(Self {
            folders,
            rung,
            _watcher: watcher,
        })
    }

    fn rings(&self, wait: Duration) -> bool {
        let rings = self.rung.recv_timeout(wait).is_ok();
        // What rang in the meantime is about the same look.
        while self.rung.try_recv().is_ok() {}
        rings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Instant;

    /// News that are awaited, in good time.
    fn awaited(watch: &mut Watch) -> Vec<String> {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(30) {
            let news = watch.news(Duration::from_millis(50)).unwrap();
            if !news.is_empty() {
                return news;
            }
        }
        panic!("nothing was noticed");
    }

    #[test]
    fn files_that_change_vanish_and_appear_are_noticed_even_in_folders_to_come() {
        let folder = tempfile::tempdir().unwrap();
        let (there, later) = (folder.path().join("a"), folder.path().join("b/c/d"));
        fs::write(&there, "1").unwrap();
        let both = vec![there.clone(), later.clone()];
        let mut watch = Watch::begin(both.clone()).unwrap();
        fs::create_dir_all(later.parent().unwrap()).unwrap();
        assert!(watch.news(Duration::from_secs(1)).unwrap().is_empty());
        fs::write(&later, "1").unwrap();
        assert_eq!(
            awaited(&mut watch),
            [format!("{} is there", later.display())]
        );

        let mut watch = Watch::begin(both.clone()).unwrap();
        fs::write(&there, "2").unwrap();
        assert_eq!(
            awaited(&mut watch),
            [format!("{} has changed", there.display())]
        );

        let mut watch = Watch::begin(both).unwrap();
        fs::remove_dir_all(folder.path().join("b")).unwrap();
        let gone = format!("{} is gone or cannot be read", later.display());
        assert_eq!(awaited(&mut watch), [gone]);
    }

    #[test]
    fn what_is_written_as_it_was_has_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "1").unwrap();
        let mut watch = Watch::begin(vec![path.clone()]).unwrap();
        fs::write(&path, "1").unwrap();
        fs::write(folder.path().join("other"), "1").unwrap();
        assert!(watch.news(Duration::from_secs(2)).unwrap().is_empty());
    }
}
