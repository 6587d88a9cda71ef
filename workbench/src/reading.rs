//! Reading what the user named: a study, which is a folder with a manifest, files, or both; and traces.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use interpreter::Instance;
use interpreter::trace::{Trace, TraceError};
use ioa_lang::Sources;
use session::manifest::{self, MANIFEST_NAME, Manifest};
use session::study::{BadInput, Study};

use crate::files;

/// Reads, parses and checks what the user named: one folder with a manifest, files, or files beside such a folder.
///
/// # Errors
/// Every mistake in every file, together.
pub fn study(inputs: &[PathBuf]) -> Result<Study, BadInput> {
    let (manifest, paths) = resolve(inputs)?;
    let mut sources = Sources::new();
    let mut messages = Vec::new();
    for path in &paths {
        match files::read_text(path) {
            Ok(text) => drop(sources.add(path.display().to_string(), text)),
            Err(message) => messages.push(message),
        }
    }
    if !messages.is_empty() {
        return Err(BadInput {
            messages,
            ..BadInput::default()
        });
    }
    let shown: Vec<String> = inputs.iter().map(|p| p.display().to_string()).collect();
    Study::from_sources(manifest, shown.join(" "), sources)
}

/// The trace of this instance that a file holds, given its text.
///
/// # Errors
/// Why it is none.
pub fn trace(instance: &Instance, path: &Path, text: &str) -> Result<Trace, BadInput> {
    let read = interpreter::trace::read(instance, text).map(|(trace, _)| trace);
    read.map_err(|e| refused(path, &e))
}

/// The inputs as a trace names them.
#[must_use]
pub fn named(inputs: &[PathBuf]) -> Vec<String> {
    let named = inputs.iter();
    named.map(|path| path.display().to_string()).collect()
}

/// That a file is not the trace it is taken for.
#[must_use]
pub fn refused(path: &Path, error: &TraceError) -> BadInput {
    BadInput::message(format!("{}: {error}", path.display()))
}

/// The source files that the user named, one by one or by the folder of their study.
///
/// # Errors
/// What is wrong with the study's manifest.
pub fn paths(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    resolve(inputs).map(|(_, paths)| paths)
}

/// All files on which the answer to a command about these inputs depends, whether they are there or not. While a manifest
/// has mistakes, it stands for the files that it would name.
#[must_use]
pub fn looked_at(inputs: &[PathBuf]) -> Vec<PathBuf> {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = inputs.iter().partition(|p| p.is_dir());
    let manifests = folders.iter().map(|folder| folder.join(MANIFEST_NAME));
    let sources = paths(inputs).unwrap_or_else(|_| files.into_iter().cloned().collect());
    manifests.chain(sources).collect()
}

/// The manifest and the source files that the inputs stand for: those of the folder, and then those beside it.
fn resolve(inputs: &[PathBuf]) -> Result<(Manifest, Vec<PathBuf>), BadInput> {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = inputs.iter().partition(|p| p.is_dir());
    let (manifest, mut paths) = match folders[..] {
        [] => (Manifest::default(), Vec::new()),
        [folder] => read_folder(folder)?,
        [first, second, ..] => {
            return Err(BadInput::message(format!(
                "{} and {} are two folders, and a command is about one study; name the files of the other one",
                first.display(),
                second.display()
            )));
        }
    };
    paths.extend(files.into_iter().cloned());
    let mut seen = BTreeSet::new();
    // The same file can be named in several ways.
    let is_new =
        |path: &&PathBuf| seen.insert(path.canonicalize().unwrap_or_else(|_| (*path).clone()));
    let (_, repeated): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_new);
    match repeated.is_empty() {
        true => Ok((manifest, paths)),
        false => Err(refusals(repeated.iter().map(|path| {
            format!(
                "{} is named twice, or is a source of the study that is named",
                path.display()
            )
        }))),
    }
}

/// A study's manifest, and the files that it names.
fn read_folder(folder: &Path) -> Result<(Manifest, Vec<PathBuf>), BadInput> {
    let path = folder.join(MANIFEST_NAME);
    if !path.is_file() {
        return Err(BadInput::message(format!(
            "folder {} has no {MANIFEST_NAME}; name the files instead, or write one",
            folder.display()
        )));
    }
    let text = files::read_text(&path).map_err(BadInput::message)?;
    let mut sources = Sources::new();
    let file = sources.add(path.display().to_string(), text.clone());
    match manifest::parse(file, &text) {
        Ok(manifest) if manifest.study.sources.is_empty() => Err(BadInput::message(format!(
            "{} names no sources",
            path.display()
        ))),
        Ok(manifest) => {
            let paths = source_paths(folder, &manifest)?;
            Ok((manifest, paths))
        }
        Err(diagnostic) => Err(BadInput {
            sources,
            diagnostics: vec![*diagnostic],
            messages: Vec::new(),
        }),
    }
}

/// A study's files lie in its own folder, so that a study that came from elsewhere cannot read anything else.
fn source_paths(folder: &Path, manifest: &Manifest) -> Result<Vec<PathBuf>, BadInput> {
    let is_inside = |source: &&String| {
        let mut parts = Path::new(source).components();
        parts.all(|part| matches!(part, std::path::Component::Normal(_)))
    };
    let sources = &manifest.study.sources;
    let (inside, outside): (Vec<&String>, Vec<&String>) = sources.iter().partition(is_inside);
    match outside.is_empty() {
        true => Ok(inside.iter().map(|source| folder.join(source)).collect()),
        false => Err(refusals(outside.iter().map(|source| {
            format!("{MANIFEST_NAME}: source {source} is not inside the study's folder")
        }))),
    }
}

fn refusals(messages: impl Iterator<Item = String>) -> BadInput {
    BadInput {
        messages: messages.collect(),
        ..BadInput::default()
    }
}
