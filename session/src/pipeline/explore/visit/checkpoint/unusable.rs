//! Why a file cannot be used as a checkpoint.

use std::io::{self, ErrorKind};

/// Why a file cannot be used as a checkpoint.
#[derive(Debug)]
pub(super) enum Unusable {
    Unread(io::Error),
    NoCheckpoint,
    OtherVersion,
    Other,
    Damaged,
    NoState,
    /// A file with the states of a search on disk.
    File(String),
}

impl Unusable {
    /// What is said of a file.
    pub(super) fn told(self, (on_disk, shown): (bool, &str)) -> String {
        let held = if on_disk {
            "holds a search"
        } else {
            "is a checkpoint"
        };
        match self {
            Unusable::Unread(e) if e.kind() == ErrorKind::UnexpectedEof => match on_disk {
                true => format!("{shown} is damaged: its file `search` is cut short"),
                false => format!("{shown} is no whole checkpoint: it is cut short"),
            },
            Unusable::Unread(e) => format!("cannot read {shown}: {e}"),
            Unusable::NoCheckpoint if on_disk => {
                format!("{shown} is damaged: its file `search` is none that ioa has written")
            }
            Unusable::NoCheckpoint => format!("{shown} is no checkpoint"),
            Unusable::File(why) => why,
            Unusable::OtherVersion => {
                format!("{shown} {held} of another version of ioa")
            }
            Unusable::Other => format!(
                "{shown} {held} of something else: the model, the automaton, the sizes, the interpretation and \
             the questions have to be those of the search that wrote it"
            ),
            Unusable::Damaged => format!("{shown} is damaged: its contents do not add up"),
            Unusable::NoState => format!(
                "{shown} is damaged: it holds what is no state of the automaton, a value that is none of its type"
            ),
        }
    }
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        Self::Unread(error)
    }
}
