//! A counterexample as people read it: states, the actions between them, what changed, and what is to blame.
//!
//! Violated runs, failed paired runs and counterexamples to induction are all told in this one form, which the
//! terminal, the page and the JSON each show in their own way.

pub mod execution;
#[cfg(feature = "smt")]
pub mod induction;
pub mod lockstep;
mod statement;

use ioa_lang::core::{Automaton, Model, TransitionId};
use ioa_lang::{Name, Span, Value};
use serde::Serialize;

use crate::study::Study;

pub use statement::Statement;

/// One counterexample, or one run that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Story {
    /// What happened, in one line.
    pub headline: String,
    /// States and the actions that led to them, in order.
    pub frames: Vec<Frame>,
    /// Where a short account of them may begin, if they are many.
    #[serde(skip)]
    pub cut: Option<Cut>,
    /// The whole execution as a trace file, for pictures of it; of a simulation, that of the low automaton.
    #[serde(skip)]
    pub recorded: Option<String>,
    /// Of an infinite execution: after this step, what follows is repeated forever; if nothing follows, nothing happens any
    /// more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_after: Option<usize>,
    /// The formulas that are false, innermost cause first.
    pub blame: Vec<Blame>,
    /// What else the reader should know.
    pub notes: Vec<String>,
    /// Invariants each of which excludes the first state, as IOA text. They are not proved, and perhaps not true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

/// A state, and what led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// The action that led here, or the name of a first state.
    pub title: String,
    /// Its position in the run, counted from 0 for the start state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Variables with their values: all of them in a first state, then those that changed.
    pub values: Vec<Binding>,
}

/// Where a short account of many frames begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many frames it leaves out.
    pub omitted: usize,
    /// The state from which it goes on, in full, in place of the last of them.
    pub state: Frame,
}

/// A name with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Binding {
    /// The variable, in the user's own words.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its value before, where it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Of a collection, the elements that it has now and had not before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Those that it had before and has no longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

impl Binding {
    /// Whether its values have no more characters than that.
    fn is_at_most(&self, characters: usize) -> bool {
        let mut values = [Some(&self.value), self.was.as_ref()].into_iter().flatten();
        values.all(|value| value.chars().count() <= characters)
    }
}

/// A formula that should hold and does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blame {
    /// The formula as written.
    pub formula: String,
    /// Where it stands: `file:line:column`.
    pub location: String,
    /// The values of the bound variables that make it false.
    pub bindings: Vec<Binding>,
}

impl Story {
    /// A story without states.
    #[must_use]
    pub fn bare(headline: impl Into<String>, blame: Vec<Blame>) -> Self {
        Self {
            headline: headline.into(),
            frames: Vec::new(),
            cut: None,
            recorded: None,
            repeats_after: None,
            candidates: Vec::new(),
            blame,
            notes: Vec::new(),
        }
    }
}

impl Story {
    /// Whether a frame is the first of those that are repeated forever.
    #[must_use]
    pub fn repeats_from(&self, frame: &Frame) -> bool {
        self.repeats_after.is_some() && frame.step == self.repeats_after.map(|step| step + 1)
    }

    /// Whether nothing happens any more after the last frame.
    #[must_use]
    pub fn ends_in_rest(&self) -> bool {
        let last = self.frames.last().and_then(|frame| frame.step);
        self.repeats_after.is_some() && last == self.repeats_after
    }
}

impl Binding {
    /// A name and a value.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            was: None,
            added: Vec::new(),
            removed: Vec::new(),
        }
    }
}

impl Blame {
    /// A false formula of the study's sources.
    #[must_use]
    pub fn at(study: &Study, span: Span, bindings: &[(Name, Value)]) -> Self {
        let mut blame = Self {
            formula: unwrapped(&study.sources.one_line(span)).to_owned(),
            location: study.location(span),
            bindings: Vec::new(),
        };
        let named = bindings.iter();
        blame.bind(named.map(|(name, value)| Binding::new(&**name, value.display(&study.model))));
        blame
    }

    /// Adds values, each of them once: a term may stand in the formula more often.
    pub(super) fn bind(&mut self, values: impl IntoIterator<Item = Binding>) {
        for value in values {
            if !self.bindings.contains(&value) {
                self.bindings.push(value);
            }
        }
    }
}

/// A formula without the parentheses around all of it.
fn unwrapped(formula: &str) -> &str {
    let mut depth = 0_usize;
    let closes_last = formula.char_indices().all(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0 || at + 1 == formula.len()
    });
    match formula.strip_prefix('(').and_then(|f| f.strip_suffix(')')) {
        Some(inner) if closes_last => inner.trim(),
        _ => formula,
    }
}

/// An action with its parameters as it is fired: `internal vote(Node#0, Ballot#1)`.
#[must_use]
pub fn action(
    model: &Model,
    automaton: &Automaton,
    transition: TransitionId,
    params: &[Value],
) -> String {
    let action = automaton.action_of(transition);
    format!(
        "{} {}",
        action.kind.keyword(),
        call(model, &action.name, &params[..action.params.len()])
    )
}

/// A name applied to values; the name alone where there are none.
#[must_use]
pub fn call(model: &Model, name: &str, values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(|v| v.display(model)).collect();
    match shown.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::unwrapped;

    #[test]
    fn only_parentheses_around_the_whole_are_dropped() {
        assert_eq!(unwrapped("(a = b)"), "a = b");
        assert_eq!(unwrapped("(a) /\\ (b)"), "(a) /\\ (b)");
        assert_eq!(unwrapped("f(a)"), "f(a)");
        assert_eq!(unwrapped("()"), "");
    }
}
