//! A study: the files that the user named, read, parsed and checked.

mod asked;
mod mistakes;
mod named;
mod stated;
#[cfg(feature = "smt")]
pub(crate) mod written;

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::core::{AutomatonId, Invariant, Model, Sort, SortId, SortSize, TransitionId};
use ioa_lang::diagnostic::{self, Diagnostic};
use ioa_lang::{Resolved, Sources, Span};

pub(crate) use asked::says_something;
pub use asked::{Formula, asks_something};
pub use mistakes::{BadInput, Remark, remarks};
pub use named::BySetting;
pub(crate) use named::{did_you_mean, unknown};

use crate::interpretation::known::Known;
use crate::manifest::Manifest;
use crate::verdict::Scope;

/// Files with their meaning.
#[derive(Debug)]
pub struct Study {
    /// The name: the manifest's, or that of the first file.
    pub name: String,
    /// The manifest; an empty one where files were given instead of a folder.
    pub manifest: Manifest,
    /// The inputs as the user gave them, for commands that the tool prints.
    pub inputs: String,
    /// The texts.
    pub sources: Sources,
    /// What they mean.
    pub model: Arc<Model>,
    /// What its names stand for, so that formulas can be asked about.
    pub names: Resolved,
    /// The interpretations of its theories that were found so far.
    pub known: Known,
    /// Formulas that a plan asks to stay possible: of each, whether a state with it can be reached from every state.
    pub possible: Vec<Invariant>,
    /// Invariants that are left out because they cannot be evaluated at the sizes at hand.
    pub unevaluable: Vec<Unevaluable>,
    /// Warnings. (Errors are a [`BadInput`].)
    pub warnings: Vec<Diagnostic>,
}

/// An invariant that cannot be evaluated at some sizes, though it may be proved.
#[derive(Clone, Debug)]
pub struct Unevaluable {
    /// The invariant.
    pub invariant: Invariant,
    /// Why it cannot, in one line.
    pub why: String,
}

impl Study {
    /// A study of one text that is right, for tests.
    #[cfg(test)]
    pub(crate) fn of_text(text: impl Into<String>) -> Self {
        let mut sources = Sources::new();
        sources.add("text.ioa", text.into());
        let study = Self::from_sources(Manifest::default(), "text.ioa".into(), sources);
        study.expect("a right model")
    }

    /// Parses and checks texts.
    ///
    /// # Errors
    /// Every mistake in every text, together.
    pub fn from_sources(
        manifest: Manifest,
        inputs: String,
        sources: Sources,
    ) -> Result<Self, BadInput> {
        let loaded = ioa_lang::load(&sources);
        if diagnostic::has_errors(&loaded.diagnostics) {
            return Err(BadInput {
                sources,
                diagnostics: loaded.diagnostics,
                messages: Vec::new(),
            });
        }
        if loaded.model == Model::default() {
            return Err(BadInput::message(format!("{inputs} declares nothing")));
        }
        let name = if manifest.study.name.is_empty() {
            inputs.clone()
        } else {
            manifest.study.name.clone()
        };
        Ok(Self {
            name,
            manifest,
            inputs,
            sources,
            model: Arc::new(loaded.model),
            names: loaded.names,
            known: Known::default(),
            possible: Vec::new(),
            unevaluable: Vec::new(),
            warnings: loaded.diagnostics,
        })
    }

    /// Diagnostics about this study's texts as a reason not to begin.
    #[must_use]
    pub fn refuse(&self, diagnostics: Vec<Diagnostic>) -> BadInput {
        BadInput {
            sources: self.sources.clone(),
            diagnostics,
            messages: Vec::new(),
        }
    }

    /// What a finding at an instance covers: the sizes that were given. (Those of quorums and the like follow.)
    #[must_use]
    pub fn scope(&self, instance: &Instance) -> Scope {
        Scope::Sizes(self.given_sizes(instance.universe()))
    }

    /// The sizes of a universe that were given.
    #[must_use]
    pub fn given_sizes(&self, universe: &Universe) -> BTreeMap<String, u64> {
        let sorts = (0..).map(SortId).zip(&self.model.sorts);
        let given =
            sorts.filter(|(id, sort)| sort.size == SortSize::Given && !universe.is_open(*id));
        let size = |(id, sort): (SortId, &Sort)| (sort.name.to_string(), universe.size(id));
        given.map(size).collect()
    }

    /// What a clause is called: the kind and the name of its action, and its place.
    #[must_use]
    pub fn clause(&self, automaton: AutomatonId, clause: TransitionId) -> String {
        let automaton = self.model.automaton(automaton);
        let action = automaton.action_of(clause);
        let at = automaton.transitions[clause.index()].span;
        let (kind, name) = (action.kind.keyword(), &action.name);
        format!("{kind} {name} ({})", self.location(at))
    }

    /// `file:line:column` of a span.
    #[must_use]
    pub fn location(&self, span: Span) -> String {
        self.sources.location(span).to_string()
    }

    /// The sources as file names with texts.
    #[must_use]
    pub fn texts(&self) -> Vec<(String, String)> {
        let files = self.sources.iter();
        files
            .map(|(_, f)| (f.name.clone(), f.text.clone()))
            .collect()
    }
}
