//! Folders in which `ioa` is run as its users run it.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

/// A folder of its own with a copy of the Paxos study, in which things can be broken.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies/paxos");
        for entry in fs::read_dir(study).expect("the study is there") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().expect("a file has a name");
            fs::copy(&path, folder.path().join(name)).expect("a copy");
        }
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a written file");
    }

    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).expect("a text");
        assert_eq!(text.matches(from).count(), 1, "{from}");
        self.write(name, text.replace(from, to));
    }

    /// Runs `ioa` in the folder.
    pub(crate) fn ioa(&self, args: &[&str]) -> Answer {
        Answer::of(&self.command(args).output().expect("ioa runs"))
    }

    /// What runs `ioa` in the folder, without a memory of proofs.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ioa"));
        command.args(args).current_dir(self.folder.path());
        command.env("IOA_CACHE", "");
        command
    }
}

/// What a command said, and its exit status.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }

    /// The arguments of the command that shows the failure again.
    pub(crate) fn replay(&self) -> Vec<String> {
        let line = self.out.lines().find(|l| l.contains("see it again: ioa "));
        let line = line.unwrap_or_else(|| panic!("no replay command in {}", self.out));
        let words = line
            .split("see it again: ioa ")
            .nth(1)
            .expect("the command");
        // Arguments in quotes may hold blanks.
        let quoted = words.split('"').enumerate();
        quoted
            .flat_map(|(i, part)| match i % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect()
    }
}

/// Exit 2 and a message that says this, beside an answer that has this.
pub(crate) fn answered_but(answer: &Answer, found: &str, says: &str) {
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(
        answer.out.contains(found),
        "expected {found:?} in {answer:?}"
    );
    assert!(answer.err.contains(says), "expected {says:?} in {answer:?}");
}

/// Exit 2, a message that says this, nothing on standard output, no panic.
pub(crate) fn refused(answer: &Answer, says: &str) {
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.err.contains(says), "expected {says:?} in {answer:?}");
    assert!(
        answer.out.is_empty() && !answer.err.contains("panicked"),
        "{answer:?}"
    );
}
