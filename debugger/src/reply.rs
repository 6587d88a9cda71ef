//! The answers to commands.

use session::story::{Blame, Frame};

/// A piece of an answer. Whoever shows it decides how it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A line of text.
    Line(String),
    /// A state, or a step with what it changed.
    Frame(Frame),
    /// A formula that is false, and a remark on when it became false.
    False(Blame, String),
}

/// The answer to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Its pieces, in order.
    pub items: Vec<Item>,
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
        self.items.push(Item::Line(text.into()));
    }

    /// Adds a state or a step.
    pub fn show(&mut self, frame: Frame) {
        self.items.push(Item::Frame(frame));
    }
}
