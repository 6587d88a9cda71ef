//! The case studies are read without a complaint.

use std::fs;
use std::path::{Path, PathBuf};

use ioa_lang::source::{FileId, SourceFile};
use ioa_lang::syntax::{ast::Item, parse};
use ioa_lang::{Sources, load};

fn read(name: &str) -> Vec<Item> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../case-studies")
        .join(name);
    let text = fs::read_to_string(&path).expect("the case study is there");
    let parsed = parse(FileId(0), &text);
    assert_eq!(parsed.diagnostics, [], "in {name}");
    parsed.items
}

#[test]
fn the_specification_has_its_parts() {
    let items = read("paxos/cons.ioa");
    let [
        Item::Type(_),
        Item::Type(_),
        Item::Automaton(cons),
        Item::Invariant(_),
        Item::Invariant(_),
    ] = &items[..]
    else {
        panic!("unexpected items: {items:#?}");
    };
    assert_eq!(cons.signature.len(), 4);
    assert_eq!(cons.states.len(), 5);
    assert_eq!(cons.transitions.len(), 4);
}

#[test]
fn the_ballot_algorithm_has_its_parts() {
    let items = read("paxos/global1.ioa");
    let theories = items
        .iter()
        .filter(|item| matches!(item, Item::Theory(_)))
        .count();
    let invariants = items
        .iter()
        .filter(|item| matches!(item, Item::Invariant(_)))
        .count();
    assert_eq!((theories, invariants), (2, 5));
}

#[test]
fn the_refinement_has_an_entry_for_each_action() {
    let items = read("paxos/refinement.ioa");
    let [Item::Simulation(simulation)] = &items[..] else {
        panic!("unexpected items: {items:#?}");
    };
    let proof = simulation.proof.as_ref().expect("there is a proof block");
    assert_eq!((proof.initially.len(), proof.entries.len()), (5, 8));
}

#[test]
fn the_schedules_are_read() {
    for name in ["paxos/normal.ndr", "paxos/contention.ndr"] {
        let items = read(name);
        assert!(
            matches!(&items[..], [Item::Schedule(_)]),
            "{name}: {items:#?}"
        );
    }
}

/// The texts of the parts of the library that a study names.
fn library(study: &Path) -> Vec<PathBuf> {
    let manifest = fs::read_to_string(study.join("ioa.toml")).expect("a study has a manifest");
    let names = manifest.split("\"library:").skip(1);
    let names = names.map(|rest| rest.split('"').next().expect("the end of a name"));
    let environments = study.with_file_name("environments");
    let file = |name| environments.join(format!("{name}.ioa"));
    names.map(file).collect()
}

/// Every study by itself, with all its files.
#[test]
fn no_study_has_a_warning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies");
    let mut studies: Vec<_> = fs::read_dir(root)
        .expect("the studies are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    studies.sort();
    assert!(studies.len() >= 5, "{studies:?}");
    for study in studies {
        let mut sources = Sources::new();
        let files = fs::read_dir(&study).expect("a study is a folder");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "ioa" || e == "ndr"));
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).expect("the file can be read");
            sources.add(file.display().to_string(), text);
        }
        for part in library(&study) {
            let text = fs::read_to_string(&part).expect("a part of the library");
            sources.add_file(SourceFile {
                name: part.display().to_string(),
                text,
                library: true,
            });
        }
        let found = load(&sources).diagnostics;
        assert!(
            found.is_empty(),
            "{}",
            ioa_lang::diagnostic::render(&found, &sources, false)
        );
    }
}
