//! Searches on disk, with far less memory than their states need: they find what a search in memory finds, and go on from
//! wherever they were stopped.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use explorer::{Bounds, Folder, Kept, Lost, Search, Status};

use super::saving::giving;
use super::{Cube, POINTS, assert_is_whole, saved};

/// The bytes of a file.
type Bytes = Arc<Mutex<Vec<u8>>>;

/// A folder in memory, with room for so many bytes in each file.
#[derive(Debug)]
struct Shelf {
    files: Mutex<BTreeMap<String, Bytes>>,
    room: usize,
}

/// A file of it.
#[derive(Debug)]
struct Page {
    bytes: Bytes,
    room: usize,
}

impl Shelf {
    fn with_room(room: usize) -> Arc<Self> {
        let files = Mutex::default();
        Arc::new(Self { files, room })
    }

    fn new() -> Arc<Self> {
        Self::with_room(usize::MAX)
    }

    /// The same files, which change no more.
    fn copy(&self) -> Arc<Self> {
        let copy = Self::new();
        for (name, bytes) in &*self.files.lock().expect("files") {
            let bytes = bytes.lock().expect("bytes").clone();
            copy.put(name, bytes);
        }
        copy
    }

    fn put(&self, name: &str, bytes: Vec<u8>) {
        let bytes = Arc::new(Mutex::new(bytes));
        self.files.lock().expect("files").insert(name.into(), bytes);
    }

    fn names(&self) -> Vec<String> {
        self.files.lock().expect("files").keys().cloned().collect()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        let bytes = Arc::clone(&self.files.lock().expect("files")[name]);
        bytes.lock().expect("bytes").clone()
    }

    fn page(&self, bytes: Bytes) -> Box<dyn Kept> {
        let room = self.room;
        Box::new(Page { bytes, room })
    }
}

impl Folder for Shelf {
    fn create(&self, name: &str) -> Result<Box<dyn Kept>, String> {
        self.put(name, Vec::new());
        self.open(name)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Kept>, String> {
        let files = self.files.lock().expect("files");
        let bytes = files.get(name).ok_or_else(|| format!("no {name}"))?;
        Ok(self.page(Arc::clone(bytes)))
    }

    fn remove(&self, name: &str) -> Result<(), String> {
        self.files.lock().expect("files").remove(name);
        Ok(())
    }
}

impl Kept for Page {
    fn append(&mut self, bytes: &[u8]) -> Result<(), String> {
        let mut all = self.bytes.lock().expect("bytes");
        all.extend_from_slice(bytes);
        match all.len() <= self.room {
            true => Ok(()),
            false => Err("the shelf is full".into()),
        }
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        let all = self.bytes.lock().expect("bytes");
        let from = usize::try_from(offset).map_err(|e| e.to_string())?;
        let found = from
            .checked_add(into.len())
            .and_then(|to| all.get(from..to));
        into.copy_from_slice(found.ok_or("it ends before")?);
        Ok(())
    }

    fn cut(&mut self, length: u64) -> Result<(), String> {
        let mut all = self.bytes.lock().expect("bytes");
        if (all.len() as u64) < length {
            return Err("it is shorter".into());
        }
        all.truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), String> {
        Ok(())
    }
}

const fn bounds(memory: u64) -> Bounds {
    Bounds {
        depth: None,
        states: None,
        memory,
    }
}

/// A search that has visited its start state.
fn begun(cube: Cube, threads: usize, bounds: Bounds, folder: Arc<Shelf>) -> Search<Cube> {
    let search = Search::begin_on_disk(vec![cube; threads], bounds, folder);
    let mut search = search.expect("a folder");
    search.add_starts(&cube.row([0; 3]));
    search
}

fn restored(
    cube: Cube,
    folder: Arc<Shelf>,
    words: &[u64],
) -> Result<Search<Cube>, Lost<&'static str>> {
    Search::restore_on_disk(vec![cube], bounds(SMALL), folder, &mut giving(words))
}

/// Much less than the states need.
const SMALL: u64 = 6 << 20;

#[test]
fn a_search_with_little_memory_finds_what_one_in_memory_finds() {
    for (words, memory, threads) in [(1, SMALL, 3), (3, 4 * SMALL, 1), (1, u64::MAX, 2)] {
        let (cube, shelf) = (Cube { words }, Shelf::new());
        let mut search = begun(cube, threads, bounds(memory), Arc::clone(&shelf));
        let ended = loop {
            match search.advance() {
                Status::Going => assert!(search.memory() <= memory, "{}", search.memory()),
                ended => break ended,
            }
        };
        assert_eq!(ended, Status::Complete, "{:?}", search.trouble());
        assert_is_whole(cube, &mut search);
        let mut states: Vec<_> = search.states().collect();
        states.sort();
        states.dedup();
        assert_eq!(states.len() as u64, POINTS);
        let known = shelf.names().iter().any(|name| name.starts_with("known"));
        assert_eq!(known, memory < u64::MAX, "{:?}", shelf.names());
    }
}

#[test]
fn a_search_goes_on_from_what_was_saved_whatever_was_written_later() {
    for words in [1, 3] {
        let (cube, shelf) = (Cube { words }, Shelf::new());
        let mut search = begun(cube, 2, bounds(SMALL), Arc::clone(&shelf));
        let (mut kept, mut seen) = (None, 0);
        while search.advance() == Status::Going {
            if search.depth() < seen {
                continue;
            }
            // What was saved some levels ago is taken up with the files as they are now.
            if let Some(words) = kept.replace(saved(&search)) {
                let mut again = restored(cube, shelf.copy(), &words).expect("a search");
                if seen == 200 {
                    while again.advance() == Status::Going {}
                    assert_is_whole(cube, &mut again);
                }
            }
            assert!(search.has_settled());
            search.clean();
            seen += 100;
        }
        assert_eq!(seen, 400);
    }
}

#[test]
fn a_full_disk_is_told() {
    let cube = Cube { words: 3 };
    let mut search = begun(cube, 1, bounds(SMALL), Shelf::with_room(200_000));
    while search.advance() == Status::Going {}
    assert_eq!(search.advance(), Status::Trouble);
    assert_eq!(search.trouble(), Some("the shelf is full"));
}

#[test]
fn files_that_are_not_those_that_were_written_are_refused() {
    let (cube, shelf) = (Cube { words: 3 }, Shelf::new());
    let bounds = Bounds {
        depth: Some(60),
        ..bounds(SMALL / 4)
    };
    let mut search = begun(cube, 1, bounds, Arc::clone(&shelf));
    while search.advance() == Status::Going {}
    search.clean();
    let words = saved(&search);
    assert!(restored(cube, shelf.copy(), &words).is_ok());
    for name in shelf.names() {
        let bytes = shelf.bytes(&name);
        for at in (0..bytes.len()).step_by(bytes.len() / 97) {
            let changed = shelf.copy();
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            changed.put(&name, damaged);
            assert!(restored(cube, changed, &words).is_err(), "{name} at {at}");
            let cut = shelf.copy();
            cut.put(&name, bytes[..at].to_vec());
            assert!(restored(cube, cut, &words).is_err(), "{name} up to {at}");
        }
    }
    for at in 0..words.len() {
        let mut changed = words.clone();
        changed[at] = changed[at].wrapping_add(1);
        // Counts of steps may be anything; what they are must not do harm.
        if let Ok(mut again) = restored(cube, shelf.copy(), &changed) {
            again.advance();
        }
    }
}
