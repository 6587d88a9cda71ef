//! What a search on disk needs from the program that provides files.

use std::fmt::Debug;

/// A folder in which a search keeps its files.
pub trait Folder: Debug + Send + Sync {
    /// An empty file of this name, in the place of one that the search has made before.
    ///
    /// # Errors
    /// Says which file cannot be made, and why.
    fn create(&self, name: &str) -> Result<Box<dyn Kept>, String>;

    /// A file that the search has made before.
    ///
    /// # Errors
    /// Says which file cannot be opened, and why.
    fn open(&self, name: &str) -> Result<Box<dyn Kept>, String>;

    /// Removes a file that the search has made, if it is there.
    ///
    /// # Errors
    /// Says which file cannot be removed, and why.
    fn remove(&self, name: &str) -> Result<(), String>;
}

/// A file in such a folder. It grows at its end and can be read anywhere.
pub trait Kept: Debug + Send + Sync {
    /// Appends bytes.
    ///
    /// # Errors
    /// Says which file cannot be written, and why: for instance, that the disk is full.
    fn append(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// Reads as many bytes as there is room for, from an offset on.
    ///
    /// # Errors
    /// Says which file cannot be read, and why: for instance, that it ends before.
    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), String>;

    /// Removes all bytes from an offset on.
    ///
    /// # Errors
    /// Says which file cannot be cut, and why: for instance, that it is shorter.
    fn cut(&mut self, length: u64) -> Result<(), String>;

    /// Waits until all bytes are on the disk.
    ///
    /// # Errors
    /// Says which file could not be written, and why.
    fn sync(&mut self) -> Result<(), String>;
}
