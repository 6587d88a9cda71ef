//! The language guide is a test: whatever it says about an automaton or a command is tried.
//!
//! `docs/guide/README.md` describes the notation. `UPDATE=1 cargo test -p workbench --test guide` writes what was found
//! into the chapters instead of comparing; then read the difference.

mod chapter;
mod console;
mod coverage;
mod listing;
mod page;
mod values;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chapter::Chapter;
use coverage::Coverage;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide")
}

/// The chapters in their order.
fn chapters() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the guide is there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut chapters: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .filter(|path| path.file_name().is_some_and(|name| name != "README.md"))
        .collect();
    chapters.sort();
    assert!(!chapters.is_empty(), "the guide has no chapters");
    chapters
}

/// The first page, and the chapters in their order.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![folder().join("README.md")];
    pages.extend(chapters());
    pages
}

/// Tries all pages, on as many threads as there are processors.
fn try_all(paths: &[PathBuf]) -> Vec<Chapter> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let text = fs::read_to_string(path).expect("a chapter can be read");
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let tried = Chapter::try_out(&name, &text);
                    done.lock().expect("no chapter panics").push(tried);
                }
            });
        }
    });
    let mut chapters = done.into_inner().expect("no chapter panics");
    chapters.sort_by(|a, b| a.name.cmp(&b.name));
    chapters
}

#[test]
fn the_guide_tells_the_truth_and_leaves_nothing_out() {
    let tried = try_all(&pages());
    if std::env::var_os("UPDATE").is_some() {
        for chapter in &tried {
            fs::write(folder().join(&chapter.name), &chapter.updated)
                .expect("a chapter can be written");
        }
    }
    let complaints: Vec<&String> = tried
        .iter()
        .flat_map(|chapter| &chapter.complaints)
        .collect();
    let coverage = Coverage::of(&tried);
    println!("{coverage}");
    let shown: Vec<String> = complaints
        .iter()
        .map(|complaint| format!("{complaint}\n"))
        .collect();
    assert!(complaints.is_empty(), "\n{}", shown.join("\n"));
    coverage.judge();
}

#[test]
fn every_chapter_is_in_the_table_of_contents() {
    let contents =
        fs::read_to_string(folder().join("README.md")).expect("the guide has a first page");
    for path in chapters() {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        assert!(
            contents.contains(&format!("({name})")),
            "{name} is not in README.md"
        );
    }
}
