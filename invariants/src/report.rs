//! What the detector reports, and its text.

use ioa_lang::core::ActionId;

/// How much evidence a candidate needs, and how many are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// A candidate is proposed if the probability that it holds by chance is at most 1 minus this.
    pub confidence: f64,
    /// No more candidates than this are shown, the most useful ones.
    pub limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            confidence: 0.99,
            limit: 60,
        }
    }
}

/// Where a candidate was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// In every state.
    State,
    /// In every step of an action.
    Step(ActionId),
}

/// A likely invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// A name that no invariant of the model has.
    pub name: String,
    /// IOA text.
    pub formula: String,
    /// Where it was observed.
    pub point: Point,
    /// Samples it was tested on, repeated ones included.
    pub samples: u64,
    /// Distinct samples it was tested on.
    pub rows: u64,
    /// Distinct valuations of the variables it speaks of on which it says something: its premise holds, its sets are not
    /// empty. They are counted on a cross section of the samples, where these are very many.
    pub support: u64,
    /// 1 minus the probability that it holds by chance, by the heuristics of
    /// [Daikon](https://plse.cs.washington.edu/daikon/).
    pub confidence: f64,
}

/// Why a formula that holds is not among the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It holds whatever the state.
    Trivial,
    /// It says the same as this formula.
    SameAs(String),
    /// Others that were kept imply it.
    Implied,
    /// There is too little evidence for it.
    Unjustified,
    /// More useful ones fill the list.
    BeyondLimit,
}

/// A formula that holds on all samples and is not among the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// IOA text.
    pub formula: String,
    /// Why it is left out.
    pub reason: Reason,
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
    /// Variables that no step changed.
    pub unchanged: Vec<String>,
    /// Relations between the states before and after (`x'`) and the parameters, strongest first.
    pub relations: Vec<String>,
    /// What holds of the parameters in the state before.
    pub conditions: Vec<String>,
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
    /// Likely invariants, the most useful first.
    pub candidates: Vec<Candidate>,
    /// What else holds, and why it is left out.
    pub left: Vec<Left>,
    /// What holds in the steps of each action that was seen.
    pub effects: Vec<Effect>,
    /// Limits that were reached, in words.
    pub notes: Vec<String>,
}

impl Report {
    /// The number of formulas that were left out for a reason like this one.
    #[must_use]
    pub fn count(&self, like: impl Fn(&Reason) -> bool) -> usize {
        self.left.iter().filter(|l| like(&l.reason)).count()
    }

    /// A legal IOA text: the candidates as invariants, the rest as comments.
    #[must_use]
    pub fn to_ioa(&self) -> String {
        let mut out = format!(
            "% Likely invariants of {}: true of all {} states seen ({} distinct), proved of none.\n",
            self.subject, self.samples, self.rows
        );
        for note in &self.notes {
            out.push_str(&format!("% Note: {note}\n"));
        }
        for candidate in &self.candidates {
            out.push_str(&format!(
                "\n% {} situations, confidence {:.4}\ninvariant {} of {}: {}\n",
                candidate.support,
                candidate.confidence,
                candidate.name,
                self.subject,
                candidate.formula
            ));
        }
        for effect in &self.effects {
            out.push('\n');
            for line in effect.lines() {
                out.push_str(&format!("% {line}\n"));
            }
        }
        out
    }
}

impl Effect {
    /// The effect as lines of plain text.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut out = vec![format!(
            "{}: {} steps, {} distinct",
            self.heading, self.samples, self.rows
        )];
        let indented = |label: &str, text: &String| format!("  {label} {text}");
        out.extend(self.conditions.iter().map(|c| indented("before:", c)));
        out.extend(self.relations.iter().map(|r| indented("effect:", r)));
        if !self.unchanged.is_empty() {
            out.push(indented("unchanged:", &self.unchanged.join(", ")));
        }
        out
    }
}
