//! Honesty by mutation: each study with one thing wrong at a time must be caught, by the stage that its `mutants.toml`
//! names; and changes that are listed there as harmless must still be proved.

use std::path::Path;

use ioa_lang::Sources;
use serde::Deserialize;
use session::finding::{self, Finding, Kind, Status, Verdict};
use session::manifest::Manifest;
use session::study::Study;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutations {
    #[serde(rename = "mutant")]
    mutants: Vec<Mutant>,
    #[serde(default, rename = "harmless")]
    harmless: Vec<Change>,
}

/// A change that is wrong.
#[derive(Deserialize)]
struct Mutant {
    #[serde(flatten)]
    change: Change,
    stage: Stage,
    catches: String,
}

/// Where a mutant must be caught.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stage {
    Run,
    Pair,
    Live,
    Prove,
}

/// One replacement in one file.
#[derive(Deserialize)]
struct Change {
    name: String,
    file: String,
    find: String,
    replace: String,
}

impl Stage {
    fn caught(self, finding: &Finding) -> bool {
        match self {
            Self::Run => finding.kind == Kind::Invariant && finding.verdict == Verdict::Violated,
            Self::Pair => finding.kind == Kind::Pair && finding.verdict == Verdict::Violated,
            Self::Live => finding.kind == Kind::Liveness && finding.verdict == Verdict::Violated,
            Self::Prove => {
                matches!(finding.kind, Kind::Invariant | Kind::Simulation)
                    && matches!(finding.verdict, Verdict::Refuted | Verdict::Violated)
            }
        }
    }
}

#[test]
fn every_mutant_is_caught_by_the_stage_it_names() {
    let mut missed = Vec::new();
    let mut tried = 0;
    for (folder, mutations) in mutations() {
        let study = crate::common::load(&folder);
        for mutant in &mutations.mutants {
            tried += 1;
            let mut mutated = mutated(&study, &mutant.change);
            // Candidates catch nothing: they are what is true of a model, whatever it is.
            mutated.manifest.infer = None;
            if !matches!(mutant.stage, Stage::Prove) {
                // What is to be caught before the proof has to be caught without it.
                mutated.manifest.prove = None;
            }
            let findings = crate::common::verify(&mutated);
            let caught = findings
                .iter()
                .any(|f| f.name == mutant.catches && mutant.stage.caught(f));
            let status = finding::status(&findings, &study.manifest.expect);
            if !caught || status == Status::Holds {
                missed.push(format!(
                    "{} (to be caught by {:?} at {})\n{}",
                    mutant.change.name,
                    mutant.stage,
                    mutant.catches,
                    crate::common::summary(&findings)
                ));
            }
        }
    }
    assert!(tried >= 15, "only {tried} mutants were tried");
    assert!(
        missed.is_empty(),
        "{} of {tried} missed:\n{}",
        missed.len(),
        missed.join("\n\n")
    );
}

#[test]
fn what_a_model_can_do_without_is_still_proved() {
    for (folder, mutations) in mutations() {
        let study = crate::common::load(&folder);
        for change in &mutations.harmless {
            let findings = crate::common::verify(&mutated(&study, change));
            let status = finding::status(&findings, &study.manifest.expect);
            assert_eq!(
                status,
                Status::Holds,
                "{}\n{}",
                change.name,
                crate::common::summary(&findings)
            );
            let proved = |f: &&Finding| f.verdict == Verdict::Proved;
            assert_ne!(findings.iter().filter(proved).count(), 0, "{}", change.name);
        }
    }
}

/// The mutations of each study that has any.
fn mutations() -> Vec<(std::path::PathBuf, Mutations)> {
    let read = |folder: std::path::PathBuf| {
        let text = std::fs::read_to_string(folder.join("mutants.toml")).ok()?;
        let parsed = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        Some((folder, parsed))
    };
    crate::common::studies()
        .into_iter()
        .filter_map(read)
        .collect()
}

/// The study with one replacement made.
fn mutated(study: &Study, change: &Change) -> Study {
    let mut sources = Sources::new();
    let mut made = 0;
    for (_, file) in study.sources.iter() {
        let mut file = file.clone();
        let name = Path::new(&file.name).file_name();
        if name.is_some_and(|name| name == change.file.as_str()) {
            made += file.text.matches(&change.find).count();
            file.text = file.text.replace(&change.find, &change.replace);
        }
        sources.add_file(file);
    }
    // What the detector makes of a mutant is no question here, and takes its time.
    let mut manifest = Manifest {
        infer: None,
        ..study.manifest.clone()
    };
    // Another model may have another number of states.
    for explore in &mut manifest.explores {
        explore.distinct = None;
    }
    assert_eq!(
        made, 1,
        "{}: the text to replace must occur exactly once",
        change.name
    );
    Study::from_sources(manifest, study.inputs.clone(), sources)
        .unwrap_or_else(|bad| panic!("{}: {}", change.name, bad.render(false)))
}
