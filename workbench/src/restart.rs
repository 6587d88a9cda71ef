//! A command that begins again: the same program in the same process, with nothing of the old one left but what it is told.

use std::io;
use std::process::Command;
use std::time::Duration;

/// The variable that tells a process that begins again what to give up: its number, the milliseconds that the command
/// has taken by then, and the numbers of the tasks.
const GIVEN_UP: &str = "IOA_GIVEN_UP";

/// What a process was told that begins again.
pub struct Told {
    /// How long the command took until it began again.
    pub earlier: Duration,
    /// The numbers of the tasks to give up.
    pub given_up: Vec<usize>,
}

/// What this process was told, if it has begun again.
#[must_use]
pub fn told() -> Option<Told> {
    let told = std::env::var(GIVEN_UP).ok()?;
    let (process, told) = told.split_once(':')?;
    let (milliseconds, tasks) = told.split_once(':')?;
    let earlier = Duration::from_millis(milliseconds.parse().ok()?);
    (process == std::process::id().to_string()).then(|| Told {
        earlier,
        given_up: tasks.split(',').filter_map(|n| n.parse().ok()).collect(),
    })
}

/// How long the command took until it began again; nothing where it did not.
#[must_use]
pub fn earlier() -> Duration {
    told().map_or(Duration::ZERO, |told| told.earlier)
}

/// Begins again, and tells the process how long the command has taken by now and which tasks to give up. Returns only
/// where that fails, with the reason.
pub fn begin(waited: Duration, given_up: &[usize]) -> io::Error {
    let tasks: Vec<String> = given_up.iter().map(usize::to_string).collect();
    let milliseconds = waited.as_millis();
    let told = format!("{}:{milliseconds}:{}", std::process::id(), tasks.join(","));
    let mut arguments = std::env::args_os();
    let named = arguments.next().unwrap_or_default();
    let program = std::env::current_exe().unwrap_or_else(|_| named.into());
    replace(Command::new(program).args(arguments).env(GIVEN_UP, told))
}

/// Lets another program go on in this process; returns only where that fails.
#[cfg(unix)]
fn replace(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Says that no other program can go on in this process.
#[cfg(not(unix))]
fn replace(_: &mut Command) -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "on this system, a process cannot be replaced",
    )
}
