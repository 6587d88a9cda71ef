//! Commands from a script or from standard input, and their answers as text.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use debugger::{Command, Reply};
use session::host::Host;
use session::study::BadInput;

use super::shown;
use super::subject::Session;
use crate::console::{Console, interrupt};

/// More bytes than this are no command.
const LONGEST: u64 = 1 << 16;

/// A session by lines of text.
pub(super) struct Lines<'s> {
    session: Session<'s>,
    console: &'s Console,
}

impl<'s> Lines<'s> {
    pub(super) fn new(session: Session<'s>, console: &'s Console) -> Self {
        Self { session, console }
    }

    /// Prints an answer.
    pub(super) fn print(&self, reply: &Reply) -> Result<(), BadInput> {
        self.say(&shown::text(reply, self.console.style))
    }

    fn say(&self, text: &str) -> Result<(), BadInput> {
        self.console.print(text).map_err(BadInput::message)
    }

    /// Executes the commands of a script, up to the first mistake.
    pub(super) fn script(&mut self, path: &Path, script: &str) -> Result<(), BadInput> {
        let script = without_mark(script);
        for (number, line) in (1..).zip(script.lines()) {
            let stops = |mut bad: BadInput| {
                let place = path.display();
                bad.messages
                    .push(format!("the script stops at {place}:{number}"));
                bad
            };
            if let Some(stop) = self.console.stopped() {
                return Err(stops(BadInput::message(stop.words())));
            }
            let Some(command) = Command::parse(line).map_err(stops)? else {
                continue;
            };
            self.say(&format!("> {}\n", line.trim()))?;
            if command == Command::Quit {
                break;
            }
            let reply = self.session.answer(&command, self.console).map_err(stops)?;
            self.print(&reply)?;
        }
        Ok(())
    }

    /// Answers the commands of standard input as they come. A mistake is told, and changes nothing.
    pub(super) fn interactive(&mut self) -> Result<(), BadInput> {
        let mut input = std::io::stdin().lock();
        let prompts = std::io::stdin().is_terminal();
        loop {
            if prompts {
                let (at, of) = self.session.debugger.position();
                self.say(&format!("{at}/{of}> "))?;
            }
            let mut line = Vec::new();
            let read = std::io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut line);
            let read =
                read.map_err(|e| BadInput::message(format!("cannot read a command: {e}")))?;
            if read == 0 {
                return Ok(());
            }
            if prompts {
                interrupt::forget();
            }
            match self.line(&String::from_utf8_lossy(&line)) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(bad) => self.console.complain(&bad.render(self.console.color_err)),
            }
            if prompts {
                interrupt::forget();
            }
        }
    }

    /// Executes a line; says whether the session goes on.
    fn line(&mut self, line: &str) -> Result<bool, BadInput> {
        let Some(command) = Command::parse(without_mark(line))? else {
            return Ok(true);
        };
        if command == Command::Quit {
            return Ok(false);
        }
        let reply = self.session.answer(&command, self.console)?;
        self.print(&reply)?;
        Ok(true)
    }
}

/// A text without the mark with which some editors begin a file.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
