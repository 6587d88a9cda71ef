//! The file in which proofs are remembered from one command to the next, and the lemmas that were found for them.
//!
//! Each line is a record, which is appended with one write as soon as its proof is found: so commands that run at the same time
//! can share the file, and one that is killed loses nothing that it has found. What is no record, such as a line that was cut
//! short, is passed over. Only what people would wait for again is lost with the file.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use etcetera::BaseStrategy;
use prover_bridge::{Fingerprint, Proofs, Proved};
use serde::{Deserialize, Serialize};
use session::host::{FoundLemma, Searches};

use crate::files;

/// Names the folder of the file; proofs are not remembered if it is empty.
pub const VARIABLE: &str = "IOA_CACHE";

const NAME: &str = "proofs.jsonl";

/// Of a longer file only the end is kept, in bytes: about a hundred thousand proofs.
const MOST: u64 = 16 << 20;

/// What was in a file when it was read, and the file itself, to which what is found since is appended. What this process proved
/// it does not recall: so a command costs the same whether or not its proofs are remembered.
#[derive(Debug)]
pub struct ProofFile {
    path: PathBuf,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    proofs: BTreeMap<Fingerprint, Proved>,
    searches: BTreeMap<Fingerprint, Vec<FoundLemma>>,
    /// The file to append to, once there was something to append.
    file: Option<File>,
    /// Why nothing more is written.
    trouble: Option<String>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Record {
    Proof {
        obligation: Fingerprint,
        #[serde(flatten)]
        proof: Proved,
    },
    Search {
        question: Fingerprint,
        lemmas: Vec<FoundLemma>,
    },
}

impl Kept {
    fn take(&mut self, record: Record) {
        match record {
            Record::Proof { obligation, proof } => {
                self.proofs.insert(obligation, proof);
            }
            Record::Search { question, lemmas } => {
                self.searches.insert(question, lemmas);
            }
        }
    }
}

impl ProofFile {
    /// The file of the user who runs this process, if it is known and wanted.
    pub fn of_user() -> Option<&'static Self> {
        static FILE: OnceLock<Option<ProofFile>> = OnceLock::new();
        let file = FILE.get_or_init(|| Some(Self::at(&folder()?.join(NAME))));
        file.as_ref()
    }

    /// The file at a path, with what can be read there.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        let mut kept = Kept::default();
        let bytes = read_end(path).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        for record in lines.filter_map(|line| serde_json::from_slice::<Record>(line).ok()) {
            kept.take(record);
        }
        Self {
            path: path.to_owned(),
            kept: Mutex::new(kept),
        }
    }

    /// Why what was found could not be written to the file, if it could not.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        let trouble = self.kept().trouble.clone()?;
        let shown = self.path.display();
        Some(format!(
            "proofs are not remembered, as {shown} cannot be written: {trouble}"
        ))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a record, unless an earlier one could not be written.
    fn note(&self, record: &Record) {
        let mut kept = self.kept();
        if kept.trouble.is_none()
            && let Err(e) = self.append(&mut kept, record)
        {
            let folder = self.path.parent().filter(|folder| folder.is_file());
            kept.trouble = Some(match folder {
                Some(folder) => format!("{} is a file, not a folder", folder.display()),
                None => files::reason(&e),
            });
        }
    }

    fn append(&self, kept: &mut Kept, record: &Record) -> io::Result<()> {
        let mut file = match kept.file.take() {
            Some(file) => file,
            None => self.open()?,
        };
        // What another process left unfinished ends where this begins.
        file.write_all(format!("\n{}\n", serde_json::to_string(record)?).as_bytes())?;
        kept.file = Some(file);
        Ok(())
    }

    fn open(&self) -> io::Result<File> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        if fs::metadata(&self.path).is_ok_and(|found| found.len() > MOST) {
            shorten(&self.path)?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true).open(&self.path)
    }
}

impl Proofs for ProofFile {
    fn recall(&self, obligation: &Fingerprint) -> Option<Proved> {
        self.kept().proofs.get(obligation).cloned()
    }

    fn remember(&self, obligation: &Fingerprint, proof: &Proved) {
        self.note(&Record::Proof {
            obligation: obligation.clone(),
            proof: proof.clone(),
        });
    }
}

impl Searches for ProofFile {
    fn recall_lemmas(&self, question: &Fingerprint) -> Option<Vec<FoundLemma>> {
        self.kept().searches.get(question).cloned()
    }

    fn remember_lemmas(&self, question: &Fingerprint, lemmas: &[FoundLemma]) {
        self.note(&Record::Search {
            question: question.clone(),
            lemmas: lemmas.to_vec(),
        });
    }
}

/// The folder for what programs may forget.
fn folder() -> Option<PathBuf> {
    match std::env::var_os(VARIABLE) {
        Some(named) => (!named.is_empty()).then(|| PathBuf::from(named)),
        None => Some(
            etcetera::choose_base_strategy()
                .ok()?
                .cache_dir()
                .join("ioa"),
        ),
    }
}

/// What a file ends with.
fn read_end(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for a writer.
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(found.len().saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Forgets the older half of a file. What others append meanwhile may be lost.
fn shorten(path: &Path) -> io::Result<()> {
    let bytes = read_end(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut shorter = tempfile::NamedTempFile::new_in(folder)?;
    shorter.write_all(&bytes[bytes.len() / 2..])?;
    shorter.persist(path).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(n: usize) -> Fingerprint {
        serde_json::from_value(format!("{n:064x}").into()).unwrap()
    }

    fn proof(resources: u64) -> Proved {
        Proved {
            queries: 1,
            resources,
            needed: Some(vec![0, 2]),
            used: None,
        }
    }

    /// A file in a new folder with so many proofs.
    fn file_with(proofs: usize) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache").join(NAME);
        let file = ProofFile::at(&path);
        (0..proofs).for_each(|n| file.remember(&fingerprint(n), &proof(n as u64)));
        assert_eq!(file.trouble(), None);
        (folder, path)
    }

    #[test]
    fn what_one_process_proves_another_recalls() {
        let (_folder, path) = file_with(3);
        let file = ProofFile::at(&path);
        assert_eq!(file.recall(&fingerprint(2)), Some(proof(2)));
        assert_eq!(file.recall(&fingerprint(3)), None);
    }

    #[test]
    fn lemmas_are_remembered_beside_proofs() {
        let (_folder, path) = file_with(1);
        let lemma = FoundLemma {
            automaton: "Lock".into(),
            name: "Lemma1".into(),
            formula: "held => inside = 1".into(),
            needed_for: vec!["One".into()],
        };
        let lemmas = [lemma.clone(), lemma];
        ProofFile::at(&path).remember_lemmas(&fingerprint(0), &lemmas);
        let file = ProofFile::at(&path);
        assert_eq!(file.recall_lemmas(&fingerprint(0)), Some(lemmas.to_vec()));
        assert_eq!(file.recall_lemmas(&fingerprint(1)), None);
        assert_eq!(file.recall(&fingerprint(0)), Some(proof(0)));
    }

    #[test]
    fn processes_at_the_same_time_share_the_file() {
        let (_folder, path) = file_with(0);
        let files: Vec<ProofFile> = (0..4).map(|_| ProofFile::at(&path)).collect();
        std::thread::scope(|scope| {
            for (first, file) in files.iter().enumerate() {
                scope.spawn(move || {
                    let mine = (0..200).map(|n| 4 * n + first);
                    mine.for_each(|n| file.remember(&fingerprint(n), &proof(n as u64)));
                });
            }
        });
        let all = ProofFile::at(&path);
        assert!((0..800).all(|n| all.recall(&fingerprint(n)) == Some(proof(n as u64))));
    }

    #[test]
    fn a_line_that_was_cut_short_costs_no_other() {
        let (_folder, path) = file_with(3);
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let file = ProofFile::at(&path);
            file.remember(&fingerprint(7), &proof(7));
            let file = ProofFile::at(&path);
            assert_eq!(file.recall(&fingerprint(7)), Some(proof(7)));
            let known = |n: usize| file.recall(&fingerprint(n));
            assert!((0..3).all(|n| known(n).is_none_or(|found| found == proof(n as u64))));
        }
    }

    #[test]
    fn junk_is_passed_over() {
        let (_folder, path) = file_with(1);
        let mut junk = vec![0xff, b'\n', b'{', b'}', b'\n'];
        junk.extend(fs::read(&path).unwrap());
        junk.extend(b"{\"obligation\": 3}\n[[[[[[");
        fs::write(&path, junk).unwrap();
        assert_eq!(ProofFile::at(&path).recall(&fingerprint(0)), Some(proof(0)));
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::write(&taken, "a file").unwrap();
        let file = ProofFile::at(&taken.join(NAME));
        file.remember(&fingerprint(1), &proof(1));
        assert!(file.trouble().unwrap().contains("cannot be written"));
        assert_eq!(fs::read_to_string(&taken).unwrap(), "a file");
    }

    #[test]
    fn of_a_file_that_grew_too_long_the_end_is_kept() {
        let (_folder, path) = file_with(1);
        let record = fs::read(&path).unwrap();
        let mut long = record.clone();
        long.resize(usize::try_from(MOST).unwrap() + 5, b'\n');
        long.extend(record);
        fs::write(&path, long).unwrap();
        let file = ProofFile::at(&path);
        assert_eq!(file.recall(&fingerprint(0)), Some(proof(0)));
        file.remember(&fingerprint(1), &proof(1));
        assert!(fs::metadata(&path).unwrap().len() < MOST);
        let file = ProofFile::at(&path);
        assert!((0..2).all(|n| file.recall(&fingerprint(n)).is_some()));
    }
}
