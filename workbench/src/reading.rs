//! Reading what the user named: a study, which is a folder with a manifest, files, parts of the library, or several of these;
//! and traces.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use interpreter::trace::TraceError;
use ioa_lang::diagnostic::Code;
use ioa_lang::source::SourceFile;
use ioa_lang::{Diagnostic, FileId, Sources, Span};
use session::manifest::library::{self, LibraryText};
use session::manifest::{self, MANIFEST_NAME, Manifest};
use session::pipeline::plan::command::word;
use session::study::{BadInput, Study};
use toml::Spanned;

use crate::files;

/// A text that the user named, or that the manifest of a study names.
#[derive(Clone, Debug)]
enum Source {
    /// A file.
    File(PathBuf),
    /// A part of the library.
    Library(&'static LibraryText),
}

impl Source {
    /// Where the text comes from, as messages show it.
    fn place(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Library(part) => part.place(),
        }
    }

    fn read(&self) -> Result<String, String> {
        match self {
            Self::File(path) => files::read_text(path),
            Self::Library(part) => Ok(part.text.to_owned()),
        }
    }

    /// What is the same for two names of one text: the same file can be named in several ways.
    fn identity(&self) -> PathBuf {
        match self {
            Self::File(path) => path.canonicalize().unwrap_or_else(|_| path.clone()),
            Self::Library(part) => part.place().into(),
        }
    }

    fn file(self) -> Option<PathBuf> {
        match self {
            Self::File(path) => Some(path),
            Self::Library(_) => None,
        }
    }
}

/// Reads, parses and checks what the user named: one folder with a manifest, files, parts of the library, or files and parts
/// beside such a folder.
///
/// # Errors
/// Every mistake in every file, together.
pub fn study(inputs: &[PathBuf]) -> Result<Study, BadInput> {
    let (manifest, named) = resolve(inputs)?;
    let mut sources = Sources::new();
    let mut messages = Vec::new();
    for source in &named {
        match source.read() {
            Ok(text) => drop(sources.add_file(SourceFile {
                name: source.place(),
                text,
                library: matches!(source, Source::Library(_)),
            })),
            Err(message) => messages.push(message),
        }
    }
    if !messages.is_empty() {
        return Err(BadInput {
            messages,
            ..BadInput::default()
        });
    }
    let shown: Vec<String> = inputs
        .iter()
        .map(|p| word(&p.display().to_string()))
        .collect();
    Study::from_sources(manifest, shown.join(" "), sources)
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

/// The source files that the user named, one by one or by the folder of their study. Parts of the library are none.
///
/// # Errors
/// What is wrong with the study's manifest.
pub fn paths(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    let (_, sources) = resolve(inputs)?;
    Ok(sources.into_iter().filter_map(Source::file).collect())
}

/// All files on which the answer to a command about these inputs depends, whether they are there or not. While a manifest
/// has mistakes, it stands for the files that it would name.
#[must_use]
pub fn looked_at(inputs: &[PathBuf]) -> Vec<PathBuf> {
    let (folders, others): (Vec<&PathBuf>, Vec<&PathBuf>) = inputs.iter().partition(|p| p.is_dir());
    let manifests = folders.iter().map(|folder| folder.join(MANIFEST_NAME));
    let files = || others.into_iter().filter(|path| part(path).is_none());
    let sources = paths(inputs).unwrap_or_else(|_| files().cloned().collect());
    manifests.chain(sources).collect()
}

/// The manifest and the sources that the inputs stand for: those of the folder, and then those beside it.
fn resolve(inputs: &[PathBuf]) -> Result<(Manifest, Vec<Source>), BadInput> {
    let (folders, others): (Vec<&PathBuf>, Vec<&PathBuf>) = inputs.iter().partition(|p| p.is_dir());
    let (manifest, mut sources) = match folders[..] {
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
    for path in others {
        match part(path) {
            None => sources.push(Source::File(path.clone())),
            Some(part) => sources.push(Source::Library(part.map_err(BadInput::message)?)),
        }
    }
    let mut seen = BTreeSet::new();
    let is_repeated = |source: &&Source| !seen.insert(source.identity());
    let repeated: Vec<&Source> = sources.iter().filter(is_repeated).collect();
    match repeated.is_empty() {
        true => Ok((manifest, sources)),
        false => Err(refusals(repeated.iter().map(|source| {
            format!(
                "{} is named twice, or is a source of the study that is named",
                source.place()
            )
        }))),
    }
}

/// The part of the library that a name on the command line means, if it means one.
fn part(path: &Path) -> Option<Result<&'static LibraryText, String>> {
    path.to_str().and_then(library::named)
}

/// A study's manifest, and the sources that it names.
fn read_folder(folder: &Path) -> Result<(Manifest, Vec<Source>), BadInput> {
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
    let refused = |diagnostics| BadInput {
        sources,
        diagnostics,
        messages: Vec::new(),
    };
    match manifest::parse(file, &text) {
        Ok(manifest) if manifest.study.sources.is_empty() => Err(BadInput::message(format!(
            "{} names no sources",
            path.display()
        ))),
        Ok(manifest) => match sources_of(folder, file, &manifest) {
            Ok(named) => Ok((manifest, named)),
            Err(diagnostics) => Err(refused(diagnostics)),
        },
        Err(diagnostic) => Err(refused(vec![*diagnostic])),
    }
}

/// A study's files lie in its own folder, so that a study that came from elsewhere cannot read anything else. Whatever else
/// it uses is in the library.
fn sources_of(
    folder: &Path,
    file: FileId,
    manifest: &Manifest,
) -> Result<Vec<Source>, Vec<Diagnostic>> {
    let is_inside = |source: &str| {
        let mut parts = Path::new(source).components();
        parts.all(|part| matches!(part, std::path::Component::Normal(_)))
    };
    let source = |named: &Spanned<String>| {
        let name = named.get_ref();
        let found = match library::named(name) {
            Some(part) => part.map(Source::Library),
            None if is_inside(name) => Ok(Source::File(folder.join(name))),
            None => Err(format!(
                "source {name} is not inside the study's folder, which is to hold all that it needs"
            )),
        };
        found.map_err(|message| {
            let span = Span::new(file, named.span().start, named.span().end);
            Diagnostic::error(
                Code::BadManifest,
                span,
                format!("{MANIFEST_NAME}: {message}"),
            )
        })
    };
    let (found, refused): (Vec<_>, Vec<_>) = manifest
        .study
        .sources
        .iter()
        .map(source)
        .partition(Result::is_ok);
    match refused.is_empty() {
        true => Ok(found.into_iter().flatten().collect()),
        false => Err(refused.into_iter().filter_map(Result::err).collect()),
    }
}

fn refusals(messages: impl Iterator<Item = String>) -> BadInput {
    BadInput {
        messages: messages.collect(),
        ..BadInput::default()
    }
}
