//! What `docs/architecture.md` promises of every crate: no circle of files, and no folder with too many rooms.

mod arrows;
mod circles;
mod names;

use std::fs;
use std::path::{Path, PathBuf};

use names::Names;

/// A dozen rooms, and the page that says what they are.
const MAX_ROOMS: usize = 13;

/// The folders with the sources of the crates of the workspace.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = fs::read_dir(&root).expect("the workspace can be read");
    let sources = crates.map(|entry| entry.expect("a folder").path().join("src"));
    let mut sources: Vec<PathBuf> = sources.filter(|path| path.is_dir()).collect();
    sources.sort();
    assert!(sources.len() > 5, "only {sources:?}");
    sources
}

#[test]
fn files_of_a_crate_do_not_depend_on_each_other_in_a_circle() {
    let mut wrong = String::new();
    for source in sources() {
        let names = Names::of_crate(&source);
        let arrows = arrows::of_crate(&names);
        let circles = circles::of(&arrows);
        let name = crate_of(&source);
        for circle in &circles {
            wrong.push_str(&format!("\na circle in {name}:\n"));
            for (from, to, item) in circles::inside(&arrows, circle) {
                wrong.push_str(&format!("  {from} takes {item} from {to}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "circles of files:\n{wrong}");
}

#[test]
fn no_folder_has_more_than_a_dozen_rooms() {
    let mut crowded = Vec::new();
    for source in sources() {
        let name = crate_of(&source);
        let mut open = vec![source.clone()];
        while let Some(folder) = open.pop() {
            let entries = fs::read_dir(&folder).expect("a folder can be read");
            let entries: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
            let is_room =
                |path: &&PathBuf| path.is_dir() || path.extension().is_some_and(|e| e == "rs");
            let rooms = entries.iter().filter(is_room).count();
            if rooms > MAX_ROOMS {
                let inside = folder.strip_prefix(&source).expect("inside of the crate");
                crowded.push(format!("{name}/{}: {rooms} rooms", inside.display()));
            }
            open.extend(entries.into_iter().filter(|path| path.is_dir()));
        }
    }
    crowded.sort();
    assert!(crowded.is_empty(), "{crowded:#?}");
}

/// The name of the crate with these sources.
fn crate_of(source: &Path) -> String {
    let folder = source.parent().and_then(Path::file_name);
    folder.expect("a crate").to_string_lossy().into_owned()
}

#[test]
fn a_circle_is_found() {
    let arrow = |from: &str, to: &str| (from.to_owned(), to.to_owned(), "Item".to_owned());
    let arrows = [
        arrow("a", "b"),
        arrow("b", "c"),
        arrow("c", "a"),
        arrow("c", "d"),
    ];
    let circles = circles::of(&arrows);
    assert_eq!(circles.len(), 1);
    assert_eq!(circles::inside(&arrows, &circles[0]).count(), 3);
    assert!(circles::of(&arrows[1..]).is_empty());
}
