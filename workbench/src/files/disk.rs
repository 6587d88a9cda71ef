//! Folders in which searches keep their states.
//!
//! A folder has a file `lock`, which shows that it is one of these and is locked while a search uses it; a file `search`, from which
//! the search is taken up; and the files that the search asks for. What is called otherwise is never touched.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use explorer::{Folder, Kept};
use session::host::{Place, SearchFolder};

use crate::files::{self, Made};

/// The name of the lock.
const LOCK: &str = "lock";

/// The name of what the search is taken up from.
const SEARCH: &str = "search";

/// The names of the files with states are these, or begin so.
const STATES: [&str; 3] = ["levels", "spills", "known-"];

/// A folder that is locked for one search.
#[derive(Debug)]
pub struct DiskFolder {
    path: PathBuf,
    /// Whether it was made for this search.
    is_new: bool,
    _lock: File,
}

impl DiskFolder {
    /// The folder at a path, which is made if there is none.
    ///
    /// # Errors
    /// It cannot be made, it holds something else, or another search is using it.
    pub fn at(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        if path.is_file() {
            return Err(format!("{shown} is a file, and --disk needs a folder"));
        }
        let is_new = !path.exists();
        let fail = |e: io::Error| format!("cannot use {shown}: {}", files::reason(&e));
        fs::create_dir_all(path).map_err(fail)?;
        let lock = path.join(LOCK);
        let is_empty = fs::read_dir(path).map_err(fail)?.next().is_none();
        if !is_empty && !files::is_made(&lock, Made::DiskLock) {
            return Err(format!(
                "{shown} is not empty and holds no search: name another folder"
            ));
        }
        let mut options = OpenOptions::new();
        let mut lock = options.append(true).create(true).open(lock).map_err(fail)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(format!("another search is using {shown}"));
            }
            Err(TryLockError::Error(e)) => return Err(fail(e)),
            Ok(()) => {}
        }
        if is_empty {
            writeln!(lock, "{}", Made::DiskLock.mark()).map_err(fail)?;
        }
        Ok(Self {
            path: path.to_owned(),
            is_new,
            _lock: lock,
        })
    }

    /// Whether there is a search that can be taken up.
    #[must_use]
    pub fn holds_search(&self) -> bool {
        self.path.join(SEARCH).exists()
    }

    /// Where that is kept which the search is taken up from.
    #[must_use]
    pub fn place(&self) -> Arc<dyn Place> {
        Arc::new(SearchFile(self.path.clone()))
    }

    fn try_clear(&self) -> io::Result<()> {
        // Without this file, the others are none of a search.
        remove(&self.path.join(SEARCH))?;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if STATES.iter().any(|begin| name.starts_with(begin)) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    fn opened(&self, name: &str, is_new: bool) -> Result<Box<dyn Kept>, String> {
        let path = self.path.join(name);
        let fail = |e: io::Error| format!("cannot open {}: {}", path.display(), files::reason(&e));
        if is_new {
            remove(&path).map_err(fail)?;
        }
        let mut options = OpenOptions::new();
        let file = options.append(true).read(true).create(is_new).open(&path);
        Ok(Box::new(DiskFile {
            file: Mutex::new(file.map_err(fail)?),
            path,
        }))
    }
}

/// A folder that holds no search any more is left as it was found.
impl Drop for DiskFolder {
    fn drop(&mut self) {
        if !self.holds_search() && self.try_clear().is_ok() {
            let _ = remove(&self.path.join(LOCK));
            if self.is_new {
                let _ = fs::remove_dir(&self.path);
            }
        }
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

impl Folder for DiskFolder {
    fn create(&self, name: &str) -> Result<Box<dyn Kept>, String> {
        self.opened(name, true)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Kept>, String> {
        self.opened(name, false)
    }

    fn remove(&self, name: &str) -> Result<(), String> {
        let path = self.path.join(name);
        remove(&path)
            .map_err(|e| format!("cannot remove {}: {}", path.display(), files::reason(&e)))
    }
}

impl SearchFolder for DiskFolder {
    fn clear(&self) -> Result<(), String> {
        let cleared = self.try_clear();
        cleared.map_err(|e| {
            format!(
                "cannot empty {}: {}",
                self.path.display(),
                files::reason(&e)
            )
        })
    }
}

/// What the search in a folder is taken up from.
#[derive(Debug)]
struct SearchFile(PathBuf);

impl Place for SearchFile {
    fn name(&self) -> String {
        self.0.display().to_string()
    }

    fn replace(
        &self,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), String> {
        files::write_through(&self.0.join(SEARCH), Made::DiskSearch, |file| fill(file))?;
        // That the file has another name now, and that the others are there, is on the disk as well.
        let folder = File::open(&self.0).and_then(|folder| folder.sync_all());
        folder.map_err(|e| format!("cannot write {}: {}", self.name(), files::reason(&e)))
    }

    fn open(&self) -> Result<Box<dyn Read + '_>, String> {
        let refuse = |e| {
            format!(
                "cannot open the search in {}: {}",
                self.name(),
                files::reason(&e)
            )
        };
        Ok(Box::new(File::open(self.0.join(SEARCH)).map_err(refuse)?))
    }
}

/// A file with states.
#[derive(Debug)]
struct DiskFile {
    path: PathBuf,
    file: Mutex<File>,
}

impl DiskFile {
    fn with<T>(
        &self,
        what: &str,
        act: impl FnOnce(&mut File) -> io::Result<T>,
    ) -> Result<T, String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut file).map_err(|e| {
            let why = match e.kind() {
                io::ErrorKind::UnexpectedEof => "it is cut short".into(),
                _ => files::reason(&e),
            };
            format!("cannot {what} {}: {why}", self.path.display())
        })
    }
}

impl Kept for DiskFile {
    fn append(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.with("write", |file| file.write_all(bytes))
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), String> {
        self.with("read", |file| {
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(bytes)
        })
    }

    fn cut(&mut self, length: u64) -> Result<(), String> {
        self.with("cut", |file| match file.metadata()?.len() < length {
            true => Err(io::ErrorKind::UnexpectedEof.into()),
            false => file.set_len(length),
        })
    }

    fn sync(&mut self) -> Result<(), String> {
        self.with("write", |file| file.sync_all())
    }
}
