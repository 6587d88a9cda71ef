//! What a command is answered with.

use session::story::{Blame, Frame};

/// A part of an answer. How it looks is for whoever shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A line of text.
    Line(String),
    /// A state, or a step with what it changed.
    Frame(Frame),
    /// A formula that is false, and what is said of when it became so.
    False(Blame, String),
}

/// The answer to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

impl Reply {
    /// An answer of one line.
    #[must_use]
    pub fn line(text: impl Into<String>) -> Self {
        let mut reply = Self::default();
        reply.say(text);
        reply
    }

    /// Adds a line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Line(text.into()));
    }

    /// Adds a state or a step.
    pub fn show(&mut self, frame: Frame) {
        self.parts.push(Part::Frame(frame));
    }
}
