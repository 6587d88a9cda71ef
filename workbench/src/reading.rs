//! Reading what the user named: a study, which is a folder with a manifest or files, and traces.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use interpreter::Instance;
use interpreter::trace::{Trace, TraceError};
use ioa_lang::Sources;
use session::manifest::{self, MANIFEST_NAME, Manifest};
use session::study::{BadInput, Study};

use crate::files;

/// Reads, parses and checks what the user named: one folder with a manifest, or files.
///
/// # Errors
/// Every mistake in every file, together.
pub fn study(inputs: &[PathBuf]) -> Result<Study, BadInput> {
    let (manifest, paths, mut sources) = resolve(inputs)?;
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
    resolve(inputs).map(|(_, paths, _)| paths)
}

/// The manifest and the files that the inputs stand for, with the manifest's own text among the sources if it is
/// needed to show a mistake in it.
fn resolve(inputs: &[PathBuf]) -> Result<(Manifest, Vec<PathBuf>, Sources), BadInput> {
    let folder = match inputs {
        [only] if only.is_dir() => only,
        _ => return Ok((Manifest::default(), inputs.to_vec(), Sources::new())),
    };
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
            Ok((manifest, paths, Sources::new()))
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
    let mut seen = BTreeMap::new();
    let mut messages = Vec::new();
    for source in &manifest.study.sources {
        let relative = Path::new(source);
        let inside = relative
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        if !inside {
            messages.push(format!(
                "{MANIFEST_NAME}: source {source} is not inside the study's folder"
            ));
        }
        if seen.insert(source, ()).is_some() {
            messages.push(format!("{MANIFEST_NAME}: source {source} is named twice"));
        }
    }
    if messages.is_empty() {
        Ok(manifest
            .study
            .sources
            .iter()
            .map(|s| folder.join(s))
            .collect())
    } else {
        Err(BadInput {
            messages,
            ..BadInput::default()
        })
    }
}
