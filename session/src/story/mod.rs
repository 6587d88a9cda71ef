//! A counterexample as people read it: states, the actions between them, what changed, and what is to blame.
//!
//! Violated runs, failed paired runs and counterexamples to induction are all told in this one form, which the
//! terminal, the page and the JSON each show in their own way.

pub mod execution;
#[cfg(feature = "smt")]
pub mod induction;
pub mod lockstep;
mod statement;

use std::collections::BTreeSet;

use ioa_lang::core::{Automaton, Model, TransitionId, exprs_of_clause, reads_of_expr};
use ioa_lang::{Name, Span, Value};
use serde::Serialize;

use crate::numbers::counted;
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
    /// The variables that the steps of a short account read or change.
    #[serde(skip)]
    pub touched: BTreeSet<String>,
    /// Invariants each of which excludes the first state, as IOA text. They are not proved, and perhaps not true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Whether what is to be shown is proved with these.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub candidates_settle: bool,
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

impl Cut {
    /// How many steps it leaves out, in words.
    #[must_use]
    pub fn earlier(&self) -> String {
        // A low step and the high steps that answer it are several frames.
        let steps = self.state.step.unwrap_or(self.omitted);
        counted(steps as u64, "earlier step")
    }
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
    /// The state variables that it reads, where that is known.
    #[serde(skip)]
    pub reads: BTreeSet<Name>,
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
            touched: BTreeSet::new(),
            candidates: Vec::new(),
            candidates_settle: false,
            blame,
            notes: Vec::new(),
        }
    }
}

/// A short account of an execution puts values aside where these are at least so many: a few are read faster than a line
/// about them.
const WORTH_PUTTING_ASIDE: usize = 3;

/// The same of a state that need not be reachable: the lemma that excludes it may be one on the other variables.
const WORTH_PUTTING_ASIDE_OF_MADE_UP: usize = 9;

impl Story {
    /// The values of a frame that matter for what failed, and those that neither the false formulas nor the steps of a short
    /// account have to do with.
    #[must_use]
    pub fn sorted_values<'f>(&self, frame: &'f Frame) -> (Vec<&'f Binding>, Vec<&'f Binding>) {
        let concerned = |binding: &&Binding| {
            let is_part_of = |name: &str| {
                let owner = binding.name.strip_suffix(name);
                owner.is_some_and(|owner| owner.is_empty() || owner.ends_with('.'))
            };
            let read = self.blame.iter().flat_map(|blame| &blame.reads);
            binding.was.is_some()
                || read.map(|name| &**name).any(is_part_of)
                || self.touched.iter().map(String::as_str).any(is_part_of)
        };
        let (first, rest): (Vec<_>, Vec<_>) = frame.values.iter().partition(concerned);
        let many = match frame.step {
            Some(_) => WORTH_PUTTING_ASIDE,
            None => WORTH_PUTTING_ASIDE_OF_MADE_UP,
        };
        match self.knows_what_is_read() && rest.len() >= many {
            true => (first, rest),
            false => (first.into_iter().chain(rest).collect(), Vec::new()),
        }
    }

    /// Whether it is known about each false formula what it reads.
    fn knows_what_is_read(&self) -> bool {
        !self.blame.is_empty() && self.blame.iter().all(|blame| !blame.reads.is_empty())
    }

    /// What its candidates are good for, and that they are no more than candidates.
    #[must_use]
    pub fn on_candidates(&self) -> &'static str {
        match self.candidates_settle {
            true => {
                "with each of these, the step is proved; they hold in all states that were visited, and are not proved themselves:"
            }
            false => {
                "each of these excludes the first state; they hold in all states that were visited, and are not proved:"
            }
        }
    }

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
            reads: BTreeSet::new(),
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

/// The variables that a clause reads, by name.
pub(crate) fn reads_of(automaton: &Automaton, transition: TransitionId) -> BTreeSet<&Name> {
    let mut reads = BTreeSet::new();
    exprs_of_clause(&automaton.transitions[transition.index()], &mut |expr| {
        reads_of_expr(expr, &mut |at, _| {
            reads.insert(&automaton.variables[at.var.index()].name);
        });
    });
    reads
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
