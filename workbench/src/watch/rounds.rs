//! `--watch`: the same command again whenever one of its files changes. Each round is a process of its own, so that
//! nothing of a round, not even its end, can reach the next one.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use chrono::Local;
use session::finding::Status;

use crate::console::{Console, interrupt};
use crate::reading;

use super::Watch;

/// The variable that tells a process that it is one round of a command that is repeated.
const ROUND: &str = "IOA_ROUND";

/// How often it is asked whether a round is over or the user has had enough.
const LOOK: Duration = Duration::from_millis(50);

/// How long a round may take to come to its end when it is asked to.
const PATIENCE: Duration = Duration::from_secs(20);

/// What empties a terminal and goes to its top.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Whether this process is one round.
pub(crate) fn is_round() -> bool {
    std::env::var_os(ROUND).is_some()
}

/// Repeats the command of this process until it is interrupted.
pub(crate) fn run(inputs: &[PathBuf]) -> ExitCode {
    interrupt::heed();
    let console = Console::new(false, false);
    let status = match rounds(inputs, &console) {
        Ok(()) => Status::Interrupted,
        Err(message) => {
            console.complain(&format!("error: {message}\n"));
            Status::BadInput
        }
    };
    ExitCode::from(status.code())
}

fn rounds(inputs: &[PathBuf], console: &Console) -> Result<(), String> {
    let mut watch = Watch::begin(reading::looked_at(inputs))?;
    while let Some(news) = round(&mut watch, console)? {
        watch = Watch::begin(reading::looked_at(inputs))?;
        if io::stdout().is_terminal() {
            console.print(CLEAR)?;
        }
        console.complain(&format!("{}: {}\n", time(), news.join(", ")));
    }
    Ok(())
}

/// Runs the command once, and says what made that outdated; nothing if the user has had enough.
fn round(watch: &mut Watch, console: &Console) -> Result<Option<Vec<String>>, String> {
    let mut round = Round::begin()?;
    loop {
        if interrupt::is_requested() {
            round.end();
            return Ok(None);
        }
        let news = watch.news(LOOK)?;
        if !news.is_empty() {
            round.end();
            return Ok(Some(news));
        }
        if round.has_just_ended() {
            let files = match watch.count() {
                1 => "one file is".to_owned(),
                n => format!("{n} files are"),
            };
            console.complain(&format!("{}: {files} watched; Ctrl-C ends this\n", time()));
        }
    }
}

/// The time of the day.
fn time() -> String {
    Local::now().format("%H:%M:%S").to_string()
}

/// A process that runs the command once.
struct Round {
    process: Child,
    is_over: bool,
}

impl Round {
    fn begin() -> Result<Self, String> {
        let fail = |e: io::Error| format!("cannot run the command: {e}");
        let program = std::env::current_exe().map_err(fail)?;
        let mut command = Command::new(program);
        command.args(std::env::args_os().skip(1)).env(ROUND, "1");
        // When the other end of this pipe is closed, even because this process is killed, the round comes to its end.
        let process = command.stdin(Stdio::piped()).spawn().map_err(fail)?;
        Ok(Self {
            process,
            is_over: false,
        })
    }

    /// Whether it has come to its end since this was asked.
    fn has_just_ended(&mut self) -> bool {
        let ended = !self.is_over && !matches!(self.process.try_wait(), Ok(None));
        self.is_over |= ended;
        ended
    }

    /// Asks it to come to its end and waits for that; but not forever.
    fn end(mut self) {
        drop(self.process.stdin.take());
        let asked = Instant::now();
        while matches!(self.process.try_wait(), Ok(None)) {
            if asked.elapsed() > PATIENCE {
                let _ = self.process.kill();
                let _ = self.process.wait();
            }
            std::thread::sleep(LOOK);
        }
    }
}
