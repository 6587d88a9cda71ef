//! A session: commands, and their answers with the help of files where they need them.

use std::path::Path;

use debugger::{Command, Debugger, Reply};
use session::host::Host;
use session::study::BadInput;

use super::subject::Subject;

/// A debugger and what it debugs.
#[derive(Debug)]
pub(super) struct Session<'s> {
    pub(super) subject: &'s Subject,
    pub(super) debugger: Debugger<'s>,
}

impl Session<'_> {
    /// Does what a command asks.
    pub(super) fn answer(&mut self, command: &Command, host: &dyn Host) -> Result<Reply, BadInput> {
        match command {
            Command::Save(path) => self.subject.save(self.debugger.trace(), Path::new(path)),
            Command::Graph => {
                let drawn = self.subject.drawn(self.debugger.trace())?;
                Ok(Reply::line(drawn.trim_end()))
            }
            command => self.debugger.execute(command, host),
        }
    }
}
