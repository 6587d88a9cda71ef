//! What the detector reports.

use ioa_lang::core::{ActionId, AutomatonId, Expr, Invariant, Local, Model};
use ioa_lang::print::{self, Context};

/// How much evidence is needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// A relation is proposed if the probability that it holds by chance is at most 1 minus this.
    pub confidence: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { confidence: 0.99 }
    }
}

/// A relation that holds in all states seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// What holds.
    pub invariant: Invariant,
    /// Distinct valuations of the variables it speaks of on which it says something: its sets are not empty, its bounds are
    /// reached. They are counted on a cross section of the samples, where these are very many.
    pub support: u64,
    /// 1 minus the probability that it holds by chance, by the heuristics of
    /// [Daikon](https://plse.cs.washington.edu/daikon/).
    pub confidence: f64,
}

/// What holds in all steps of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The action.
    pub action: ActionId,
    /// As in `vote(i, b)`.
    pub heading: String,
    /// Steps seen, repeated ones included.
    pub samples: u64,
    /// Distinct steps seen.
    pub rows: u64,
    /// The parameters of the action, and the variables that are bound in what is said of its steps.
    pub locals: Vec<Local>,
    /// Variables that no step changed.
    pub unchanged: Vec<Expr>,
    /// Relations between the states before and after (`x'`) and the parameters, strongest first. The parameters are bound
    /// variables, the first of the locals.
    pub relations: Vec<Expr>,
    /// What holds of the parameters in the state before.
    pub conditions: Vec<Expr>,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The automaton's name.
    pub subject: String,
    /// States seen, repeated ones included.
    pub samples: u64,
    /// Distinct states seen.
    pub rows: u64,
    /// What holds in all states and is not likely to do so by chance.
    pub relations: Vec<Relation>,
    /// How many relations hold for which there is too little evidence.
    pub unjustified: usize,
    /// What holds in the steps of each action that was seen.
    pub effects: Vec<Effect>,
    /// Limits that were reached, in words.
    pub notes: Vec<String>,
}

impl Effect {
    /// The effect as lines of plain text; the automaton is that of the action.
    #[must_use]
    pub fn lines(&self, model: &Model, automaton: AutomatonId) -> Vec<String> {
        let context = Context::automaton(model, automaton, &self.locals);
        let text = |term: &Expr| print::expr(model, &context, term);
        let steps = match self.samples {
            1 => "1 step".to_owned(),
            n => format!("{n} steps, {} distinct", self.rows),
        };
        let mut out = vec![format!("{}: {steps}", self.heading)];
        let labelled = |label: &str, term: &Expr| format!("  {label} {}", text(term));
        out.extend(self.conditions.iter().map(|c| labelled("before:", c)));
        out.extend(self.relations.iter().map(|r| labelled("effect:", r)));
        if !self.unchanged.is_empty() {
            let unchanged: Vec<String> = self.unchanged.iter().map(text).collect();
            out.push(format!("  unchanged: {}", unchanged.join(", ")));
        }
        out
    }
}
