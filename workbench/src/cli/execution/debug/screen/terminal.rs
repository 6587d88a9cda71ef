//! The terminal: keys in, screens out. Whatever happens, it is left as it was.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use debugger::Reply;
use interpreter::Cancel;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use session::host::{Alarm, Host, Progress, Silent, Stop};
use session::study::BadInput;

use super::Screen;
use super::keys::is_interrupt;
use crate::cli::execution::debug::subject::Session;
use crate::console::{Console, interrupt};

/// Shows a session in the terminal until the user ends it.
///
/// # Errors
/// There is no terminal, or it cannot be used.
pub(in crate::cli::execution::debug) fn run(
    session: Session<'_>,
    opening: &Reply,
    console: &Console,
) -> Result<(), BadInput> {
    if !(std::io::stdout().is_terminal() && std::io::stdin().is_terminal()) {
        return Err(BadInput::message(
            "this is no terminal: `--script FILE` takes the commands from a file, and `ioa repl` from standard input",
        ));
    }
    let mut screen = Screen::new(session, opening);
    let host = Keyboard {
        console,
        is_interrupted: AtomicBool::new(false),
    };
    // From here on a panic restores the terminal before it is reported.
    let mut terminal = ratatui::try_init().map_err(|why| unusable(&why))?;
    let ended = until_the_end(&mut screen, &mut terminal, &host);
    ratatui::restore();
    ended.map_err(|why| unusable(&why))
}

fn unusable(why: &std::io::Error) -> BadInput {
    BadInput::message(format!("the terminal cannot be used: {why}"))
}

fn until_the_end(
    screen: &mut Screen<'_>,
    terminal: &mut DefaultTerminal,
    host: &Keyboard<'_>,
) -> std::io::Result<()> {
    while !interrupt::is_requested() {
        terminal.draw(|frame| screen.draw(frame))?;
        host.is_interrupted.store(false, Ordering::Relaxed);
        if let Some(Event::Key(key)) = next_event()?
            && key.kind == KeyEventKind::Press
            && !screen.press(key, host)
        {
            return Ok(());
        }
    }
    Ok(())
}

/// Whether the process was asked to end is looked at this often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// What the terminal reports next; nothing if the process is asked to end before that. (Ctrl-C is a key here, and asks for
/// nothing: such a request comes from outside.)
fn next_event() -> std::io::Result<Option<Event>> {
    while !interrupt::is_requested() {
        if event::poll(BETWEEN_LOOKS)? {
            return event::read().map(Some);
        }
    }
    Ok(None)
}

/// A host that long commands ask whether Ctrl-C was pressed meanwhile: it ends the command, not the session.
struct Keyboard<'c> {
    console: &'c Console,
    is_interrupted: AtomicBool,
}

impl Host for Keyboard<'_> {
    fn now(&self) -> Duration {
        self.console.now()
    }

    fn begins(&self, _: &str, _: Option<u64>) -> Box<dyn Progress> {
        Box::new(Silent)
    }

    fn warns(&self, _: &str) {}

    fn stopped(&self) -> Option<Stop> {
        while matches!(event::poll(Duration::ZERO), Ok(true)) {
            if let Ok(Event::Key(key)) = event::read()
                && is_interrupt(key)
            {
                self.is_interrupted.store(true, Ordering::Relaxed);
            }
        }
        let is_interrupted = self.is_interrupted.load(Ordering::Relaxed);
        (is_interrupted || interrupt::is_requested()).then_some(Stop::Interrupted)
    }

    fn cancels(&self, _: Option<Duration>, _: &Arc<Cancel>) -> Box<dyn Alarm> {
        Box::new(Silent)
    }

    fn spare_memory(&self) -> u64 {
        self.console.spare_memory()
    }
}
