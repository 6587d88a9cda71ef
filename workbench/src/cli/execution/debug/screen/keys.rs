//! What each key does.

use debugger::HELP;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::host::Host;

use super::{Answer, Screen};

use Change::{
    AllOrChanged, Away, Down, Keys, Next, Previous, Up, VariablesDown, VariablesUp, Zoom,
};
use Does::{Begins, Runs, Shows, Takes};
use KeyCode::Char;

/// What a key does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Does {
    /// It is this command.
    Runs(&'static str),
    /// It begins this command, whose rest is typed.
    Begins(&'static str),
    /// It takes the step that is chosen.
    Takes,
    /// It changes what is shown, as these words say.
    Shows(Change, &'static str),
}

/// A change of what is shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Next,
    Previous,
    AllOrChanged,
    VariablesDown,
    VariablesUp,
    Zoom,
    Down,
    Up,
    Keys,
    Away,
}

/// What each key does, in the order in which the keys are explained.
pub(super) const KEYS: &[(KeyCode, Does)] = &[
    (KeyCode::Right, Runs("forward")),
    (KeyCode::Left, Runs("back")),
    (KeyCode::Home, Runs("go 0")),
    (KeyCode::End, Runs("end")),
    (KeyCode::Down, Shows(Next, "choose the next step")),
    (KeyCode::Up, Shows(Previous, "choose the step before")),
    (KeyCode::Enter, Takes),
    (Char('g'), Begins("go ")),
    (Char('r'), Runs("random")),
    (Char('o'), Begins("only ")),
    (Char('u'), Begins("until ")),
    (Char('U'), Begins("rewind ")),
    (Char('c'), Runs("continue")),
    (Char('B'), Begins("break ")),
    (Char('f'), Begins("find ")),
    (Char('l'), Begins("sibling ")),
    (Char('w'), Begins("watch ")),
    (Char('='), Begins("eval ")),
    (Char('y'), Begins("why ")),
    (Char('i'), Runs("invariants")),
    (Char('d'), Begins("diff ")),
    (Char('b'), Runs("branches")),
    (Char('s'), Begins("switch ")),
    (Char('C'), Begins("compare ")),
    (Char('/'), Begins("filter ")),
    (Char('G'), Runs("graph")),
    (Char('S'), Begins("save ")),
    (Char(':'), Begins("")),
    (
        KeyCode::Tab,
        Shows(
            AllOrChanged,
            "show all variables, or what the last step changed",
        ),
    ),
    (Char('j'), Shows(VariablesDown, "scroll the variables down")),
    (Char('k'), Shows(VariablesUp, "scroll the variables up")),
    (
        Char('z'),
        Shows(Zoom, "give the answer all the room, or take it back"),
    ),
    (KeyCode::PageDown, Shows(Down, "scroll the answer down")),
    (KeyCode::PageUp, Shows(Up, "scroll the answer up")),
    (Char('?'), Shows(Keys, "show this page")),
    (Char('q'), Runs("quit")),
    (
        KeyCode::Esc,
        Shows(Away, "leave what is being typed, or this page"),
    ),
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
        let key = KEYS.iter().find(|(of, _)| *of == code);
        match key.map(|(_, does)| *does) {
            Some(Runs(line)) => return self.line(line, host),
            Some(Begins(line)) => self.input = Some(line.to_owned()),
            Some(Takes) => return self.take_chosen(host),
            Some(Shows(change, _)) => self.change(change),
            None => {}
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
            Next => {
                self.selected = (self.selected + 1).min(self.choices.len().saturating_sub(1));
            }
            Previous => self.selected = self.selected.saturating_sub(1),
            AllOrChanged => self.shows_all = !self.shows_all,
            // How far they can be scrolled is known when they are drawn.
            VariablesDown => self.scrolled = self.scrolled.saturating_add(PAGE),
            VariablesUp => self.scrolled = self.scrolled.saturating_sub(PAGE),
            Zoom => self.is_zoomed = !self.is_zoomed,
            Down => {
                let last = self.answer.text.lines().count().saturating_sub(1);
                self.answer.scrolled = (self.answer.scrolled + PAGE).min(last);
            }
            Up => self.answer.scrolled = self.answer.scrolled.saturating_sub(PAGE),
            Keys => {
                self.answer = Answer {
                    text: explained(),
                    ..Answer::default()
                };
                self.is_zoomed = true;
            }
            Away => self.is_zoomed = false,
        }
    }
}

/// What the keys do, a line for each.
fn explained() -> String {
    let lines = KEYS.iter().map(|(code, does)| {
        let (line, about) = match does {
            Runs(line) | Begins(line) => (*line, about(line)),
            Takes => ("take", "take the step that is chosen"),
            Shows(_, about) => ("", *about),
        };
        format!("  {:<11} {line:<10} {about}\n", code.to_string())
    });
    lines.collect()
}

/// What the debugger says about the command that a line is, or begins.
fn about(line: &str) -> &'static str {
    let name = line.split(' ').next();
    let entry = HELP.iter().find(|entry| Some(entry.name) == name);
    entry.map_or("type any command; `:help` explains them", |entry| {
        entry.does
    })
}

/// Whether a key is Ctrl-C, which a terminal hands over like any other while it shows the screen.
pub(super) fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
