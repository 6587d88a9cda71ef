//! The debugger on a whole screen: the run, the steps that can be taken, the state, and the last answer.
//!
//! Every key stands for a command, or for the beginning of one, as a script would write it. Only `terminal.rs` knows a
//! terminal, so that tests can press keys and look at what is drawn.

mod column;
mod keys;
mod panes;
mod terminal;
#[cfg(test)]
mod tests;

use debugger::{Command, Event, Reply};
use session::host::Host;
use session::study::BadInput;

use super::shown;
use super::subject::Session;
use crate::report::terminal::Style;

pub(super) use terminal::run;

/// At most so many choices are listed.
const MOST_CHOICES: usize = 1_000;

/// How text is written into the panes, which have widths and colours of their own.
const PLAIN: Style = Style {
    color: false,
    width: None,
    full: true,
    all: true,
};

/// What the screen shows.
struct Screen<'s> {
    session: Session<'s>,
    /// The automaton's name.
    name: String,
    /// The steps of the run.
    events: Vec<Event>,
    /// The steps that can be taken here, with their numbers.
    choices: Vec<(usize, String)>,
    /// Why there may be more of them.
    trouble: Option<String>,
    /// The step that Enter takes, by its position in the list.
    selected: usize,
    /// Whether all variables are shown, not only those that the last step changed.
    shows_all: bool,
    /// How many rows of the variables are scrolled out of sight.
    scrolled: usize,
    /// Whether the last answer takes all the room.
    is_zoomed: bool,
    /// What the last command was answered with.
    answer: Answer,
    /// The command that is being typed.
    input: Option<String>,
}

/// An answer as lines of text.
#[derive(Default)]
struct Answer {
    text: String,
    /// How many of its lines are scrolled out of sight.
    scrolled: usize,
    /// Whether it is a mistake.
    is_mistake: bool,
}

impl<'s> Screen<'s> {
    fn new(session: Session<'s>, opening: &Reply) -> Self {
        let subject = session.subject;
        let name = &subject
            .study
            .model
            .automaton(session.debugger.automaton())
            .name;
        let mut screen = Self {
            name: name.to_string(),
            session,
            events: Vec::new(),
            choices: Vec::new(),
            trouble: None,
            selected: 0,
            shows_all: true,
            scrolled: 0,
            is_zoomed: false,
            answer: Answer::default(),
            input: None,
        };
        screen.tell(Ok(opening.clone()));
        screen
    }

    /// Executes a line of commands as a script writes them; says whether the session goes on.
    fn line(&mut self, line: &str, host: &dyn Host) -> bool {
        let answer = match Command::parse(line) {
            Ok(None) => return true,
            Ok(Some(Command::Quit)) => return false,
            Ok(Some(command)) => self.session.answer(&command, host),
            Err(bad) => Err(bad),
        };
        self.tell(answer);
        true
    }

    /// Shows an answer, or a mistake, and the state that it led to.
    fn tell(&mut self, answer: Result<Reply, BadInput>) {
        self.answer = match answer {
            Ok(reply) => Answer {
                text: shown::text(&reply, PLAIN),
                ..Answer::default()
            },
            Err(bad) => Answer {
                text: bad.render(false),
                scrolled: 0,
                is_mistake: true,
            },
        };
        self.events = self.session.debugger.events();
        (self.choices, self.trouble) = self.session.debugger.choices(MOST_CHOICES);
        self.selected = 0;
    }
}
