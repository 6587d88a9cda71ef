//! Reads commands from lines of text. What is wrong is pointed at in the line.

use ioa_lang::diagnostic::{Code, nearest};
use ioa_lang::{Diagnostic, Sources, Span};
use session::study::BadInput;

use crate::command::{Command, Given, HELP, Help, help};

/// What messages call the place that a line comes from.
pub(crate) const PLACE: &str = "command";

/// More steps than this are not taken by one command.
const MOST_AT_ONCE: usize = 100_000;

impl Command {
    /// The command in a line; none where there are only blanks or a comment, which begins with `%`.
    ///
    /// # Errors
    /// What is wrong, at its place in the line, with advice.
    pub fn parse(line: &str) -> Result<Option<Self>, BadInput> {
        let line = line.trim_end();
        let start = line.len() - line.trim_start().len();
        let rest = &line[start..];
        if rest.is_empty() || rest.starts_with('%') {
            return Ok(None);
        }
        // They would control the terminal wherever the line is shown again.
        if let Some((place, c)) = rest.char_indices().find(|(_, c)| is_control(*c)) {
            let place = (start + place, start + place + c.len_utf8());
            let message = format!("a command has no control character {}", c.escape_unicode());
            return Err(at(
                line,
                place,
                &message,
                "in a string it is written like that",
            ));
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..end];
        let Some(entry) = named(word) else {
            return Err(unknown(line, (start, start + end), word));
        };
        Arguments {
            line,
            at: start + end,
            entry,
        }
        .command()
        .map(Some)
    }
}

/// Whether a character controls the terminal; a tab is a blank.
fn is_control(c: char) -> bool {
    c.is_control() && c != '\t'
}

/// The entry of a command by one of its names.
fn named(word: &str) -> Option<&'static Help> {
    HELP.iter()
        .find(|help| help.name == word || help.short == Some(word))
}

fn unknown(line: &str, (from, to): (usize, usize), word: &str) -> BadInput {
    let advice = match nearest(word, HELP.iter().map(|help| help.name)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`help` lists the commands".to_owned(),
    };
    at(
        line,
        (from, to),
        &format!("no command is named `{word}`"),
        &advice,
    )
}

/// A mistake at a place of a line.
pub(crate) fn at(line: &str, (from, to): (usize, usize), message: &str, help: &str) -> BadInput {
    let mut sources = Sources::new();
    let file = sources.add(PLACE, line);
    let mistake =
        Diagnostic::error(Code::Unexpected, Span::new(file, from, to), message).help(help);
    BadInput {
        sources,
        diagnostics: vec![mistake],
        messages: Vec::new(),
    }
}

/// What follows the name of a command.
struct Arguments<'l> {
    line: &'l str,
    /// Where what is still to be read begins.
    at: usize,
    entry: &'static Help,
}

impl Arguments<'_> {
    fn command(mut self) -> Result<Command, BadInput> {
        let command = match self.entry.name {
            "forward" => Command::Forward(self.number_or(1)?),
            "back" => Command::Back(self.number_or(1)?),
            "go" => Command::Go(self.number()?),
            "end" => Command::End,
            "here" => Command::Here,
            "state" => Command::State,
            "path" => Command::Path(self.range()?),
            "enabled" => Command::Enabled(self.word().map(|(word, _)| word)),
            "take" => Command::Take(self.number()?),
            "fire" => Command::Fire(self.given()?),
            "random" => Command::Random(self.count()?),
            "only" => Command::Only(self.name()?, self.count()?),
            "until" => Command::Until(self.given()?),
            "rewind" => Command::Rewind(self.given()?),
            "continue" => Command::Continue,
            "find" => Command::Find(self.given()?),
            "sibling" => Command::Sibling(self.given()?),
            "starts" => Command::Starts,
            "start" => Command::Start(self.number()?),
            "eval" => Command::Eval(self.given()?),
            "watch" => Command::Watch(self.given()?),
            "unwatch" => Command::Unwatch(self.number()?),
            "break" => Command::Break(self.given()?),
            "unbreak" => Command::Unbreak(self.number()?),
            "why" => Command::Why(self.given()?),
            "invariants" => Command::Invariants,
            "diff" => Command::Diff(self.number()?, self.number()?),
            "compare" => Command::Compare(self.number()?),
            "branches" => Command::Branches,
            "switch" => Command::Switch(self.number()?),
            "filter" => Command::Filter(self.names()),
            "graph" => Command::Graph,
            "save" => Command::Save(self.given()?.text().to_owned()),
            "help" => Command::Help(self.topic()?),
            name => {
                debug_assert_eq!(name, "quit", "each command is read");
                Command::Quit
            }
        };
        self.finished()?;
        Ok(command)
    }

    /// The next word, and where it stands.
    fn word(&mut self) -> Option<(String, (usize, usize))> {
        let rest = &self.line[self.at..];
        let from = self.at + rest.len() - rest.trim_start().len();
        let rest = &self.line[from..];
        let to = from + rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = to;
        (from < to).then(|| (self.line[from..to].to_owned(), (from, to)))
    }

    fn names(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.word())
            .map(|(word, _)| word)
            .collect()
    }

    fn name(&mut self) -> Result<String, BadInput> {
        match self.word() {
            Some((word, _)) => Ok(word),
            None => Err(self.missing("a name")),
        }
    }

    fn number(&mut self) -> Result<usize, BadInput> {
        match self.word() {
            Some((word, place)) => self.parsed(&word, place),
            None => Err(self.missing("a number")),
        }
    }

    fn number_or(&mut self, otherwise: usize) -> Result<usize, BadInput> {
        match self.word() {
            Some((word, place)) => self.parsed(&word, place),
            None => Ok(otherwise),
        }
    }

    /// A number of steps to be taken.
    fn count(&mut self) -> Result<usize, BadInput> {
        let Some((word, place)) = self.word() else {
            return Ok(1);
        };
        let count = self.parsed(&word, place)?;
        match count <= MOST_AT_ONCE {
            true => Ok(count),
            false => Err(at(
                self.line,
                place,
                &format!("one command takes at most {MOST_AT_ONCE} steps"),
                "`ioa run` is for long runs; `--trace` writes them to a file that can be opened here",
            )),
        }
    }

    fn range(&mut self) -> Result<Option<(usize, usize)>, BadInput> {
        let Some((word, place)) = self.word() else {
            return Ok(None);
        };
        let from = self.parsed(&word, place)?;
        Ok(Some((from, self.number()?)))
    }

    fn parsed(&self, word: &str, place: (usize, usize)) -> Result<usize, BadInput> {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse().map_err(|_| {
            let message = match is_number {
                true => format!("{word} is more than can be counted here"),
                false => format!("`{word}` is no number"),
            };
            at(self.line, place, &message, &self.usage())
        })
    }

    /// The rest of the line, which is read later.
    fn given(&mut self) -> Result<Given, BadInput> {
        let rest = &self.line[self.at..];
        let from = self.at + rest.len() - rest.trim_start().len();
        self.at = self.line.len();
        if from == self.line.len() {
            return Err(self.missing(&self.entry.usage.to_lowercase()));
        }
        Ok(Given {
            line: self.line.to_owned(),
            from,
        })
    }

    /// The command that help is asked for.
    fn topic(&mut self) -> Result<Option<String>, BadInput> {
        let Some((word, place)) = self.word() else {
            return Ok(None);
        };
        match help(Some(&word)).is_empty() {
            true => Err(unknown(self.line, place, &word)),
            false => Ok(Some(word)),
        }
    }

    fn missing(&self, what: &str) -> BadInput {
        let end = self.line.len();
        let message = format!("`{}` wants {what}", self.entry.name);
        at(self.line, (end, end), &message, &self.usage())
    }

    fn usage(&self) -> String {
        format!("write `{} {}`", self.entry.name, self.entry.usage)
    }

    /// That nothing is left.
    fn finished(&mut self) -> Result<(), BadInput> {
        let Some((_, (from, _))) = self.word() else {
            return Ok(());
        };
        let usage = match self.entry.usage {
            "" => format!("`{}` takes no arguments", self.entry.name),
            _ => self.usage(),
        };
        let place = (from, self.line.len());
        Err(at(self.line, place, "this is too much", &usage))
    }
}
