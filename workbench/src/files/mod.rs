//! Reading what the user names and writing what the tool makes, with errors that say which file and why.

pub mod checkpoint;
pub mod disk;
pub mod proofs;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::report::graph;

/// No input file may be larger than this, in bytes.
const MAX_INPUT_BYTES: u64 = 32 << 20;

/// Reads a text file.
///
/// # Errors
/// Says in one sentence what is wrong: missing, unreadable, a folder, too large, or not UTF-8 (with the offset of the
/// first bad byte).
pub fn read_text(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let file = fs::File::open(path).map_err(|e| format!("cannot open {shown}: {}", reason(&e)))?;
    let kind = file
        .metadata()
        .map_err(|e| format!("cannot read {shown}: {}", reason(&e)))?;
    if kind.is_dir() {
        return Err(format!("{shown} is a folder, not a file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_INPUT_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| format!("cannot read {shown}: {}", reason(&e)))?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        return Err(format!(
            "{shown} is larger than {} MiB: a text is read into memory as a whole",
            MAX_INPUT_BYTES >> 20
        ));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!("{shown} is not a text file: byte {at} is not UTF-8")
    })
}

/// What the tool writes. Each kind is known by words near its beginning, so that writing again replaces only a file that
/// the tool made, and a slip of the hand never costs a user's own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// An ITF trace.
    Trace,
    /// The detector's candidates as IOA text.
    Candidates,
    /// A report for people.
    Page,
    /// A document for programs.
    Document,
    /// An obligation in SMT-LIB.
    Script,
    /// A TLA+ module, or its configuration.
    Module,
    /// A search that can be taken up again.
    Checkpoint,
    /// What a search on disk is taken up from.
    DiskSearch,
    /// What shows that a folder is one of a search on disk.
    DiskLock,
    /// A graph of states for Graphviz.
    Graph,
    /// What proofs need, for Graphviz.
    ProofGraph,
    /// The same for Mermaid.
    ProofDiagram,
    /// A log for ShiViz.
    Log,
    /// A diagram for Mermaid.
    Diagram,
    /// An event graph as a picture.
    Picture,
    /// An event graph as a page to step through.
    Steps,
    /// A test report for build servers.
    Junit,
    /// What an analysis found, for code hosts.
    Sarif,
}

impl Made {
    /// The words that such a file is known by.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Trace => "\"#meta\"",
            Self::Candidates => "% Likely invariants of",
            Self::Page => "- IOA report</title>",
            Self::Document => "\"command\":",
            Self::Script => "; Obligation",
            Self::Module => exporters::tla::MARK,
            Self::Checkpoint => session::pipeline::explore::MARK,
            Self::DiskSearch => session::pipeline::explore::DISK_MARK,
            Self::DiskLock => "ioa keeps a search in this folder",
            Self::Graph => "// States of",
            Self::ProofGraph => graph::DOT_MARK,
            Self::ProofDiagram => graph::MERMAID_MARK,
            Self::Log => exporters::execution::PARSER,
            Self::Diagram => exporters::execution::DIAGRAM_MARK,
            Self::Picture => exporters::execution::PICTURE_MARK,
            Self::Steps => exporters::execution::PAGE_MARK,
            Self::Junit => "<testsuites name=\"ioa\"",
            Self::Sarif => "sarif-2.1.0.json",
        }
    }
}

/// The mark of a made file stands within so many bytes of its beginning.
const MARK_WITHIN: u64 = 400;

/// Whether a file may be written there: better asked before long work than after it.
///
/// # Errors
/// A file of that name is there that the tool has not made.
pub fn may_be_written(path: &Path, made: Made) -> Result<(), String> {
    match path.exists() && !is_stream(path) && !is_made(path, made) {
        true => Err(is_not_ours(path)),
        false => Ok(()),
    }
}

/// Whether what is there is no file of its own but leads elsewhere: a pipe, a terminal, another device. Nothing is lost by
/// writing to it, and reading from it may take forever.
fn is_stream(path: &Path) -> bool {
    let is_other = |kind: fs::FileType| !kind.is_file() && !kind.is_dir();
    path.starts_with("/dev") || fs::metadata(path).is_ok_and(|found| is_other(found.file_type()))
}

/// Writes a file as a whole or not at all: to a temporary neighbour first, then by renaming it. To a pipe or a device it is
/// written as it is.
///
/// # Errors
/// Says in one sentence what is wrong: the folder cannot be written, or a file of that name is there that the tool has
/// not made. An old file of that name is then untouched.
pub fn write_whole(path: &Path, text: &str, made: Made) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("cannot write {}: {}", path.display(), reason(&e));
    may_be_written(path, made)?;
    if is_stream(path) {
        return fs::write(path, text).map_err(fail);
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(fail)?;
    let mut file = ordinary(&mut tempfile::Builder::new())
        .tempfile_in(folder)
        .map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// Makes a temporary file as readable as any other: it would be for its owner alone.
#[cfg(unix)]
fn ordinary<'b, 'n>(file: &'b mut tempfile::Builder<'n, 'n>) -> &'b mut tempfile::Builder<'n, 'n> {
    use std::os::unix::fs::PermissionsExt;
    file.permissions(fs::Permissions::from_mode(0o666))
}

/// Leaves a temporary file as it is: who may read it follows from its folder.
#[cfg(not(unix))]
fn ordinary<'b, 'n>(file: &'b mut tempfile::Builder<'n, 'n>) -> &'b mut tempfile::Builder<'n, 'n> {
    file
}

/// Writes a large file as a whole or not at all: to a neighbour first, which is renamed when it is on the disk. The
/// neighbour always has the same name, so that killed processes do not leave one each.
///
/// # Errors
/// Those of [`write_whole`], and those of `write`.
pub fn write_through(
    path: &Path,
    made: Made,
    write: impl FnOnce(&mut fs::File) -> io::Result<()>,
) -> Result<(), String> {
    let fail = |e: io::Error| format!("cannot write {}: {}", path.display(), reason(&e));
    if path.exists() && (is_stream(path) || !is_made(path, made)) {
        return Err(is_not_ours(path));
    }
    let new = neighbour(path);
    let written = fs::File::create(&new).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&new, path)
    });
    written.map_err(|e| {
        let _ = fs::remove_file(&new);
        fail(e)
    })
}

/// `folder/.name.new`
fn neighbour(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.new"))
}

fn is_not_ours(path: &Path) -> String {
    format!(
        "{} is there already and is not what would be written: name another file, or remove it",
        path.display()
    )
}

/// Replaces a file that the user named by another text, as a whole or not at all. What a link points to is replaced,
/// not the link, and the permissions stay.
///
/// # Errors
/// Says in one sentence why the file cannot be written. It is then untouched.
pub fn replace_whole(path: &Path, text: &str) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("cannot write {}: {}", path.display(), reason(&e));
    let target = fs::canonicalize(path).map_err(fail)?;
    // Renaming would get around a file's own protection.
    let old = fs::OpenOptions::new()
        .write(true)
        .open(&target)
        .map_err(fail)?;
    let permissions = old.metadata().map_err(fail)?.permissions();
    let mut file = tempfile::NamedTempFile::new_in(folder_of(&target)).map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    file.as_file().set_permissions(permissions).map_err(fail)?;
    file.persist(&target).map_err(|e| fail(e.error))?;
    Ok(())
}

/// The folder that a file is in, or is to be in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Whether a file begins as one of a kind does that the tool makes.
pub(crate) fn is_made(path: &Path, made: Made) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|f| f.take(MARK_WITHIN).read_to_end(&mut start));
    read.is_ok() && String::from_utf8_lossy(&start).contains(made.mark())
}

/// The operating system's reason without its error number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_written_to_and_never_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let reader = {
            let path = path.clone();
            std::thread::spawn(move || fs::read_to_string(path).unwrap())
        };
        write_whole(&path, "digraph", Made::Graph).unwrap();
        assert_eq!(reader.join().unwrap(), "digraph");
        write_whole(Path::new("/dev/null"), "digraph", Made::Graph).unwrap();
        // What has to be there later is not kept in a pipe.
        let kept = write_through(&path, Made::Checkpoint, |_| Ok(()));
        assert!(kept.unwrap_err().contains("is there already"));
    }

    #[test]
    fn only_what_the_tool_made_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/run.itf.json");
        let trace = "{\"#meta\": {}}";
        write_whole(&path, trace, Made::Trace).unwrap();
        write_whole(&path, trace, Made::Trace).unwrap();
        let model = folder.path().join("model.ioa");
        fs::write(&model, "automaton A").unwrap();
        assert!(
            write_whole(&model, trace, Made::Trace)
                .unwrap_err()
                .contains("is there already")
        );
        assert_eq!(fs::read_to_string(&model).unwrap(), "automaton A");
    }

    #[test]
    fn what_cannot_be_written_to_its_end_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        let whole = |file: &mut fs::File| file.write_all(b"ioa checkpoint 2 whole");
        write_through(&path, Made::Checkpoint, whole).unwrap();
        let full = write_through(&path, Made::Checkpoint, |file| {
            file.write_all(b"ioa checkpoint 2 ha")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(full.unwrap_err().starts_with("cannot write"));
        assert!(fs::read_to_string(&path).unwrap().ends_with("whole"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let junk = folder.path().join("junk.ioa");
        fs::write(&junk, [b'a', 0xff, 0xfe]).unwrap();
        assert!(
            read_text(&junk)
                .unwrap_err()
                .ends_with("byte 1 is not UTF-8")
        );
        assert!(read_text(folder.path()).unwrap_err().contains("folder"));
        assert!(
            read_text(&folder.path().join("none"))
                .unwrap_err()
                .contains("no such file")
        );
    }
}
