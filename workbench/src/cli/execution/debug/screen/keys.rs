//! What each key does.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::host::Host;

use super::Screen;

/// What a key does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Does {
    /// It is this command.
    Command(&'static str),
    /// It begins this command, whose rest is typed.
    Begins(&'static str),
    /// It changes what is shown.
    Shows(Change),
}

#[cfg(test)]
impl Does {
    /// The command that it is.
    pub(super) fn command(self) -> Option<&'static str> {
        match self {
            Self::Command(line) => Some(line),
            _ => None,
        }
    }
}

/// A change of what is shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    NextChoice,
    PreviousChoice,
    AllOrChanged,
    Zoom,
    Down,
    Up,
}

/// A key, how it is called, and what it does.
pub(super) struct Key {
    pub(super) code: KeyCode,
    pub(super) name: &'static str,
    pub(super) does: Does,
    /// What is said of it.
    about: &'static str,
}

const fn key(code: KeyCode, name: &'static str, does: Does, about: &'static str) -> Key {
    Key {
        code,
        name,
        does,
        about,
    }
}

const fn letter(letter: char, name: &'static str, does: Does, about: &'static str) -> Key {
    key(KeyCode::Char(letter), name, does, about)
}

/// All keys but Enter, which takes the chosen step, in the order in which they are explained.
pub(super) const KEYS: &[Key] = &[
    key(
        KeyCode::Right,
        "right",
        Does::Command("forward"),
        "one step forward",
    ),
    key(
        KeyCode::Left,
        "left",
        Does::Command("back"),
        "one step back",
    ),
    key(
        KeyCode::Home,
        "Home",
        Does::Command("go 0"),
        "to the first state",
    ),
    key(
        KeyCode::End,
        "End",
        Does::Command("end"),
        "to the last state",
    ),
    key(
        KeyCode::Down,
        "down",
        Does::Shows(Change::NextChoice),
        "choose the next step (Enter takes it)",
    ),
    key(
        KeyCode::Up,
        "up",
        Does::Shows(Change::PreviousChoice),
        "choose the step before",
    ),
    letter(
        'g',
        "g",
        Does::Begins("go "),
        "to the state after so many steps",
    ),
    letter(
        'r',
        "r",
        Does::Command("random"),
        "take a step that is drawn",
    ),
    letter(
        'o',
        "o",
        Does::Begins("only "),
        "take a step of one component, action or element",
    ),
    letter(
        'u',
        "u",
        Does::Begins("until "),
        "go on until a formula holds",
    ),
    letter(
        'U',
        "U",
        Does::Begins("rewind "),
        "go back to where a formula held",
    ),
    letter(
        'c',
        "c",
        Does::Command("continue"),
        "go on to a breakpoint or a violated invariant",
    ),
    letter('B', "B", Does::Begins("break "), "set a breakpoint"),
    letter(
        'f',
        "f",
        Does::Begins("find "),
        "take a shortest way to where a formula holds",
    ),
    letter(
        'l',
        "l",
        Does::Begins("sibling "),
        "take the live sibling: it reaches a formula, and parts as late as possible",
    ),
    letter(
        'w',
        "w",
        Does::Begins("watch "),
        "show a term in every state",
    ),
    letter('=', "=", Does::Begins("eval "), "evaluate a term"),
    letter(
        'y',
        "y",
        Does::Begins("why "),
        "say why an action is disabled, and since when",
    ),
    letter(
        'i',
        "i",
        Does::Command("invariants"),
        "say which invariants hold",
    ),
    letter('d', "d", Does::Begins("diff "), "compare two states"),
    letter(
        'b',
        "b",
        Does::Command("branches"),
        "list the runs of this session",
    ),
    letter('s', "s", Does::Begins("switch "), "go on with another run"),
    letter(
        'C',
        "C",
        Does::Begins("compare "),
        "compare this run with another",
    ),
    letter('/', "/", Does::Begins("filter "), "list only some steps"),
    letter(
        'G',
        "G",
        Does::Command("graph"),
        "draw the run: components across, steps down",
    ),
    letter(
        'S',
        "S",
        Does::Begins("save "),
        "write the run as a trace file",
    ),
    key(
        KeyCode::Tab,
        "Tab",
        Does::Shows(Change::AllOrChanged),
        "show all variables, or what the last step changed",
    ),
    letter(
        'z',
        "z",
        Does::Shows(Change::Zoom),
        "give the answer all the room, or take it back",
    ),
    key(
        KeyCode::PageDown,
        "PgDn",
        Does::Shows(Change::Down),
        "scroll the answer down",
    ),
    key(
        KeyCode::PageUp,
        "PgUp",
        Does::Shows(Change::Up),
        "scroll the answer up",
    ),
    letter(
        ':',
        ":",
        Does::Begins(""),
        "type any command; `:help` explains them",
    ),
    letter('q', "q", Does::Command("quit"), "end the session"),
];

/// How far one key scrolls, in lines.
const PAGE: usize = 5;

impl Screen<'_> {
    /// Does what a key asks for; says whether the session goes on.
    pub(super) fn press(&mut self, key: KeyEvent, host: &dyn Host) -> bool {
        if is_interrupt(key) {
            return false;
        }
        match self.input.take() {
            Some(text) => self.type_key(text, key.code, host),
            None => self.command_key(key.code, host),
        }
    }

    /// A key while a command is typed.
    fn type_key(&mut self, mut text: String, code: KeyCode, host: &dyn Host) -> bool {
        match code {
            KeyCode::Enter => return self.line(&text, host),
            KeyCode::Esc => return true,
            KeyCode::Char(c) => text.push(c),
            KeyCode::Backspace => drop(text.pop()),
            _ => {}
        }
        self.input = Some(text);
        true
    }

    fn command_key(&mut self, code: KeyCode, host: &dyn Host) -> bool {
        match code {
            KeyCode::Enter => return self.take_chosen(host),
            KeyCode::Char('?') => {
                self.answer.text = help();
                self.answer.scrolled = 0;
                self.answer.is_mistake = false;
                self.is_zoomed = true;
            }
            KeyCode::Esc => self.is_zoomed = false,
            code => {
                let does = KEYS.iter().find(|key| key.code == code);
                match does.map(|key| key.does) {
                    Some(Does::Command(line)) => return self.line(line, host),
                    Some(Does::Begins(line)) => self.input = Some(line.to_owned()),
                    Some(Does::Shows(change)) => self.change(change),
                    None => {}
                }
            }
        }
        true
    }

    fn take_chosen(&mut self, host: &dyn Host) -> bool {
        match self.choices.get(self.selected) {
            Some((number, _)) => self.line(&format!("take {number}"), host),
            None => true,
        }
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::NextChoice => {
                self.selected = (self.selected + 1).min(self.choices.len().saturating_sub(1));
            }
            Change::PreviousChoice => self.selected = self.selected.saturating_sub(1),
            Change::AllOrChanged => self.shows_all = !self.shows_all,
            Change::Zoom => self.is_zoomed = !self.is_zoomed,
            Change::Down => {
                let last = self.answer.text.lines().count().saturating_sub(1);
                self.answer.scrolled = (self.answer.scrolled + PAGE).min(last);
            }
            Change::Up => self.answer.scrolled = self.answer.scrolled.saturating_sub(PAGE),
        }
    }
}

/// What the keys do, a line for each.
fn help() -> String {
    let mut text = String::from("  Enter  take the step that is chosen\n");
    for key in KEYS {
        text.push_str(&format!("  {:<6} {}\n", key.name, key.about));
    }
    text + "  Esc    leave what is being typed, or this page\n"
}

/// Whether a key is Ctrl-C, which a terminal hands over like any other while it shows the screen.
pub(super) fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
