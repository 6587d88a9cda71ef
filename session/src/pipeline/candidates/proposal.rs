//! What is proposed, as text and as a finding.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpreter::Instance;
use invariants::Report;
use invariants::learn::{Learnt, Lemma, NO_MEMORY};
use ioa_lang::core::{AutomatonId, Invariant, Model};
use ioa_lang::print::{self, Context};

use super::focus::Focused;
use super::states::{FEW_STATES, Looked};
use super::support::Question;
use crate::finding::{Finding, Item, Kind, Verdict};
use crate::host::Stop;
use crate::numbers::{count, counted};
use crate::study::Study;

/// What is proposed, and what it was tested on.
#[derive(Debug)]
pub struct Proposal {
    /// The instance in which the runs were made.
    pub instance: Arc<Instance>,
    /// The automaton.
    pub automaton: AutomatonId,
    /// What was looked at of it.
    pub focused: Focused,
    /// The conditions that tell no cases apart, in words.
    pub constant: Vec<String>,
    /// What the runs show: the steps of each action, and what was not looked at.
    pub runs: Report,
    /// The candidates.
    pub learnt: Learnt,
    /// The instances that the candidates were tested on.
    pub looked: Looked,
    /// What the states say of a formula in question, if there is one.
    pub question: Option<Question>,
    /// Why the search was stopped, if it was.
    pub stopped: Option<Stop>,
    /// What the candidates were chosen for, if they were.
    pub purpose: Option<Purpose>,
}

/// What candidates were chosen for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A property, by the counterexamples to induction that they exclude.
    Induction {
        /// What it is called.
        name: String,
        /// How many counterexamples there were, to it and to the candidates that were chosen.
        counterexamples: u64,
        /// How many of them no candidate excludes.
        open: u64,
        /// The obligations about which the solver found out nothing.
        unknown: Vec<String>,
        /// What each candidate is needed for, if the property is inductive with them.
        needed: BTreeMap<String, BTreeSet<String>>,
        /// How many candidates were not chosen.
        others: usize,
    },
    /// A formula that is to stay possible, by the dead states in which they are false: in the others they are all true.
    Life {
        /// The formula.
        formula: String,
        /// How many dead states there are.
        dead: u64,
        /// In how many of them no candidate is false.
        open: u64,
    },
}

/// So many obligations are named where there are more that could not be decided.
const NAMED: usize = 3;

/// The first of some names, and how many more there are.
fn first_of(names: &[String]) -> String {
    let first = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

impl Purpose {
    /// What came of it, in words.
    fn words(&self) -> String {
        match self {
            Self::Induction {
                name,
                counterexamples,
                open,
                unknown,
                others,
                ..
            } => {
                let found = counted(*counterexamples, "counterexample");
                let rest = counted(*others as u64, "other candidate");
                let what = match (open, &unknown[..]) {
                    (0, []) if *counterexamples == 0 => format!("{name} is inductive by itself"),
                    (0, []) => format!("with them {name} is inductive; {found} to induction"),
                    (0, unknown) => format!(
                        "they exclude {found} to induction; {} could not be decided: {}",
                        counted(unknown.len() as u64, "obligation"),
                        first_of(unknown)
                    ),
                    (open, _) => format!(
                        "of {found} to the induction of {name} and of themselves they leave {open}"
                    ),
                };
                format!("{what}; {rest} not shown")
            }
            Self::Life { dead: 0, .. } => {
                "no state is dead in the instances that were learnt from".into()
            }
            Self::Life { open: 0, .. } => "in every dead state some candidate is false".into(),
            Self::Life { dead, open, .. } => format!(
                "no candidate is false in {} of {}",
                count(*open),
                counted(*dead, "dead state")
            ),
        }
    }

    /// What a candidate is needed for, if that is known.
    fn needed_for(&self, lemma: &Lemma) -> Vec<String> {
        let needed = match self {
            Self::Induction { needed, .. } => needed.get(&*lemma.invariant.name),
            Self::Life { .. } => None,
        };
        needed.into_iter().flatten().cloned().collect()
    }

    /// What is said of a candidate: what it is needed for, and how many states it excludes.
    fn said_of(&self, lemma: &Lemma) -> String {
        let excludes = lemma.excludes;
        match self {
            Self::Induction { .. } => {
                let excluded = format!("excludes {}", counted(excludes, "counterexample"));
                match &self.needed_for(lemma)[..] {
                    [] => excluded,
                    users => format!("needed for {}; {excluded}", users.join(", ")),
                }
            }
            Self::Life { dead, .. } => {
                format!(
                    "false in {} of {}",
                    count(excludes),
                    counted(*dead, "dead state")
                )
            }
        }
    }
}

impl Proposal {
    /// The candidates as IOA text.
    #[must_use]
    pub fn formulas(&self, study: &Study) -> Vec<String> {
        let names = study.abbreviations(self.automaton);
        let lemmas = self.learnt.lemmas.iter().map(|lemma| &lemma.invariant);
        let text = |stated: &Invariant| {
            let context = Context::automaton(&study.model, stated.automaton, &stated.locals);
            names.expr(&context, &stated.formula)
        };
        lemmas.map(text).collect()
    }

    /// The candidates as invariants.
    #[must_use]
    pub fn invariants(&self) -> Vec<Invariant> {
        let lemmas = self.learnt.lemmas.iter();
        lemmas.map(|lemma| lemma.invariant.clone()).collect()
    }

    /// What is to be said with the candidates: what was not looked at, one fact each.
    fn notes(&self) -> Vec<String> {
        let stopped = self.stopped.iter().map(|stop| stop.words().to_owned());
        let mut notes: Vec<String> = stopped.collect();
        notes.extend(self.runs.notes.iter().cloned());
        notes.extend(self.purpose.iter().map(Purpose::words));
        notes.extend(self.constant.iter().cloned());
        notes.extend(self.looked.hopeless());
        notes.extend(self.unfinished());
        notes
    }

    /// What the search did not come to, one fact each.
    pub(super) fn unfinished(&self) -> Vec<String> {
        let mut facts = self.learnt.partial.clone();
        facts.extend(self.looked.lacking.iter().map(|what| (*what).to_owned()));
        if !self.learnt.is_settled {
            facts.push(
                "not all instances were looked at once more: some candidates may be false"
                    .to_owned(),
            );
        }
        facts
    }

    /// Whether more memory would let the search go further.
    pub(super) fn lacks_memory(&self) -> bool {
        let is_full = self.learnt.partial.iter().any(|what| what == NO_MEMORY);
        is_full || self.looked.lacking.contains(&FEW_STATES)
    }

    /// What the candidates are.
    fn heading(&self) -> String {
        let name = &self.runs.subject;
        match &self.purpose {
            Some(Purpose::Life { formula, .. }) => format!(
                "What tells the dead states of {name}, from which `{formula}` is impossible, from the others:"
            ),
            _ => format!("Likely invariants of {name}, proved of none:"),
        }
    }

    /// What they were made from.
    fn sources(&self) -> String {
        let (runs, looked) = (&self.runs, &self.looked);
        let places = looked.instances as u64;
        match &self.purpose {
            Some(Purpose::Life { dead, .. }) => format!(
                "{} dead and {} other states of {}",
                count(*dead),
                count(looked.states),
                counted(places, "small instance")
            ),
            _ => format!(
                "{} of runs ({} distinct) and {} of {}",
                counted(runs.samples, "state"),
                count(runs.rows),
                count(looked.states),
                counted(places, "small instance")
            ),
        }
    }

    /// The states that the candidates are true of.
    fn population(&self) -> String {
        match &self.purpose {
            Some(Purpose::Life { formula, .. }) => {
                format!("states from which `{formula}` is possible")
            }
            _ => "reachable states".to_owned(),
        }
    }

    /// A legal IOA text: the candidates as invariants, the rest as comments.
    #[must_use]
    pub fn to_ioa(&self, study: &Study) -> String {
        let name = &self.runs.subject;
        let mut out = format!("% {}\n", self.heading());
        for line in self.looked.lines(&self.population()) {
            out.push_str(&format!("% {line}\n"));
        }
        for line in &self.focused.lines {
            out.push_str(&format!("% {line}\n"));
        }
        for note in self.notes() {
            out.push_str(&format!("% Note: {note}\n"));
        }
        let formulas = self.formulas(study);
        for (lemma, formula) in self.learnt.lemmas.iter().zip(formulas) {
            out.push('\n');
            if let Some(purpose) = &self.purpose {
                out.push_str(&format!("% {}\n", purpose.said_of(lemma)));
            }
            let own = &lemma.invariant.name;
            out.push_str(&format!("invariant {own} of {name}: {formula}\n"));
        }
        for effect in &self.runs.effects {
            out.push('\n');
            for line in effect.lines(&study.model, self.automaton) {
                out.push_str(&format!("% {line}\n"));
            }
        }
        out
    }
}

/// The formula of an invariant, as IOA text.
pub(in crate::pipeline) fn formula_text(model: &Model, stated: &Invariant) -> String {
    let context = Context::automaton(model, stated.automaton, &stated.locals);
    print::expr(model, &context, &stated.formula)
}

/// The finding about a proposal's candidates, without the time that they took.
#[must_use]
pub fn finding(study: &Study, proposal: &Proposal) -> Finding {
    let (runs, learnt) = (&proposal.runs, &proposal.learnt);
    let verdict = match (runs.samples, proposal.looked.states) {
        // All runs may have ended before there was a state.
        (0, 0) => Verdict::Vacuous,
        _ => Verdict::Tested,
    };
    let scope = study.scope(&proposal.instance);
    let mut finding = Finding::new(Kind::Infer, "candidates", &*runs.subject, verdict, scope);
    finding.figures = BTreeMap::from([
        ("samples", runs.samples),
        ("distinct", runs.rows),
        ("states", proposal.looked.states),
        ("candidates", learnt.lemmas.len() as u64),
        ("redundant", (learnt.redundant + learnt.implied) as u64),
        ("refuted", learnt.refuted as u64),
    ]);
    if let Some(Purpose::Life { dead, .. }) = &proposal.purpose {
        finding.figures.insert("dead_states", *dead);
    }
    finding.summary = format!(
        "{} from {}; {} refuted elsewhere; {} folded",
        counted(learnt.lemmas.len() as u64, "candidate"),
        proposal.sources(),
        count(learnt.refuted as u64),
        counted((learnt.redundant + learnt.implied) as u64, "redundant one")
    );
    for note in proposal
        .focused
        .lines
        .iter()
        .cloned()
        .chain(proposal.notes())
    {
        finding.summary.push_str(&format!("; {note}"));
    }
    let formulas = proposal.formulas(study).into_iter().zip(&learnt.lemmas);
    let item = |(text, lemma): (String, &Lemma)| Item {
        name: lemma.invariant.name.to_string(),
        text,
        verdict: None,
        figures: BTreeMap::from([("excludes", lemma.excludes)]),
        seconds: None,
        needed_for: (proposal.purpose.iter())
            .flat_map(|purpose| purpose.needed_for(lemma))
            .collect(),
        opinion: None,
    };
    finding.items = formulas.map(item).collect();
    finding
}
