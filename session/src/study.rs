//! A study: the files that the user named, read, parsed and checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::core::{
    AutomatonId, Extent, Invariant, Model, Setting, Sort, SortId, SortSize, TransitionId,
};
use ioa_lang::diagnostic::{self, Diagnostic};
use ioa_lang::{FileId, Resolved, Sources, Span};
use serde::Serialize;

use crate::interpretation::known::Known;
use crate::manifest::Manifest;
use crate::setup::Setup;
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

/// A formula that is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Formula<'f> {
    /// What the place is called where it stands.
    pub place: &'f str,
    /// The name that it gets.
    pub name: &'f str,
    /// The formula itself.
    pub text: &'f str,
}

/// Automata by the setting that they are run in.
pub type BySetting = BTreeMap<Setting, Vec<AutomatonId>>;

/// A diagnostic for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Remark {
    /// `diagnostic`
    pub kind: &'static str,
    /// `error` or `warning`
    pub severity: &'static str,
    /// What kind of mistake it is, where it is in a text: `ioa explain` tells more of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// The file, where the remark is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Advice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub help: Vec<String>,
}

/// Why a command cannot begin: what is wrong with the input or the request.
#[derive(Debug, Default)]
pub struct BadInput {
    /// The texts that the diagnostics point into.
    pub sources: Sources,
    /// What is wrong with the texts.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong otherwise: a missing file, an unknown name, a bad size.
    pub messages: Vec<String>,
}

impl BadInput {
    /// A mistake that is in no text.
    #[must_use]
    pub fn message(message: impl Into<String>) -> Self {
        Self {
            messages: vec![message.into()],
            ..Self::default()
        }
    }

    /// The mistakes as people read them.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let mut out = diagnostic::render(&self.diagnostics, &self.sources, color);
        for message in &self.messages {
            out.push_str(&format!("error: {message}\n"));
        }
        out
    }

    /// The mistakes for programs.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        let plain = self.messages.iter().map(|message| Remark {
            kind: "diagnostic",
            severity: "error",
            code: None,
            message: message.clone(),
            file: None,
            line: None,
            column: None,
            help: Vec::new(),
        });
        remarks(&self.diagnostics, &self.sources)
            .into_iter()
            .chain(plain)
            .collect()
    }
}

/// Diagnostics for programs.
#[must_use]
pub fn remarks(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Remark> {
    diagnostics
        .iter()
        .map(|d| {
            let at = sources.location(d.span);
            Remark {
                kind: "diagnostic",
                severity: match d.severity {
                    diagnostic::Severity::Error => "error",
                    diagnostic::Severity::Warning => "warning",
                },
                code: Some(d.code.name()),
                message: d.message.clone(),
                file: Some(at.file),
                line: Some(at.line),
                column: Some(at.column),
                help: d.help.clone(),
            }
        })
        .collect()
}

impl Study {
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

    /// The automaton with this name or, without one, the only automaton there is.
    ///
    /// # Errors
    /// Names the automata there are.
    pub fn automaton(&self, name: Option<&str>) -> Result<AutomatonId, BadInput> {
        let names = || self.model.automata.iter().map(|a| &*a.name);
        match name {
            Some(name) => self
                .model
                .automaton_named(name)
                .ok_or_else(|| unknown("automaton", name, names())),
            None if self.model.automata.len() == 1 => Ok(AutomatonId(0)),
            None => Err(ambiguous("automaton", "--automaton", names())),
        }
    }

    /// The automata that a command is about, those of one setting together: the one with this name or, without one, all.
    ///
    /// # Errors
    /// Names the automata there are.
    pub fn by_setting(&self, name: Option<&str>) -> Result<BySetting, BadInput> {
        let automata: Vec<AutomatonId> = match name {
            Some(_) => vec![self.automaton(name)?],
            None => (0..self.model.automata.len())
                .map(AutomatonId::at)
                .collect(),
        };
        let mut settings = BySetting::new();
        for id in automata {
            let setting = self.model.setting([id]);
            settings.entry(setting).or_default().push(id);
        }
        if settings.is_empty() {
            settings.insert(Setting::default(), Vec::new());
        }
        Ok(settings)
    }

    /// The position of the simulation with this name or, without one, of the only simulation there is.
    ///
    /// # Errors
    /// Names the simulations there are.
    pub fn simulation_index(&self, name: Option<&str>) -> Result<usize, BadInput> {
        let simulations = self.model.simulations.iter();
        let names: Vec<String> = simulations.map(|s| self.model.simulation_name(s)).collect();
        let shown = || names.iter().map(String::as_str);
        match name {
            Some(name) => shown()
                .position(|n| n == name)
                .ok_or_else(|| unknown("simulation", name, shown())),
            None if names.len() == 1 => Ok(0),
            None => Err(ambiguous("simulation", "--simulation", shown())),
        }
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

    /// Formulas over the state of an automaton as invariants of it, with the sources that they stand in; the extent says
    /// whether they may name elements.
    ///
    /// # Errors
    /// Every mistake in every formula, together.
    pub fn formulas<'f>(
        &self,
        about: (AutomatonId, Extent),
        formulas: impl IntoIterator<Item = Formula<'f>>,
    ) -> Result<(Sources, Vec<Invariant>), BadInput> {
        let texts = formulas.into_iter().map(|f| (f.place, f.text, f.name));
        self.reading(texts, |file, text, name| {
            ioa_lang::formula(&self.names, (file, text), about, &name.into())
        })
    }

    /// What more texts mean, each given with its place and whatever else is needed to read it; with the sources that they stand
    /// in.
    ///
    /// # Errors
    /// Every mistake in every text, together.
    fn reading<'t, K, T>(
        &self,
        texts: impl IntoIterator<Item = (&'t str, &'t str, K)>,
        read: impl Fn(FileId, &str, K) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<(Sources, Vec<T>), BadInput> {
        let mut sources = self.sources.clone();
        let (mut meant, mut bad) = (Vec::new(), None);
        for (place, text, more) in texts {
            let file = sources.add(place, text);
            match read(file, text, more) {
                Ok(one) => meant.push(one),
                Err(mistakes) => bad.get_or_insert_with(Vec::new).extend(mistakes),
            }
        }
        match bad {
            None => Ok((sources, meant)),
            Some(diagnostics) => Err(BadInput {
                sources,
                diagnostics,
                messages: Vec::new(),
            }),
        }
    }

    /// The same study, with other invariants; the sources are those that they stand in.
    #[must_use]
    pub fn stating(&self, sources: Sources, invariants: Vec<Invariant>) -> Self {
        let mut model = Model::clone(&self.model);
        model.invariants = invariants;
        Self {
            name: self.name.clone(),
            manifest: self.manifest.clone(),
            inputs: self.inputs.clone(),
            sources,
            model: Arc::new(model),
            names: self.names.clone(),
            known: self.known.clone(),
            possible: Vec::new(),
            unevaluable: self.unevaluable.clone(),
            warnings: Vec::new(),
        }
    }

    /// The study in which an automaton takes some actions only under conditions of the form `action(x): P`.
    ///
    /// # Errors
    /// Every mistake in every condition, together.
    pub fn restricted(
        self,
        automaton: AutomatonId,
        conditions: &[String],
    ) -> Result<Self, BadInput> {
        let about = (automaton, Extent::OneInstance);
        let texts = conditions.iter().map(|text| ("--when", &**text, ()));
        let (sources, guards) = self.reading(texts, |file, text, ()| {
            ioa_lang::guard(&self.names, (file, text), about)
        })?;
        let mut model = Model::clone(&self.model);
        for guard in &guards {
            model.automata[automaton.index()].restrict(guard);
        }
        Ok(Self {
            sources,
            model: Arc::new(model),
            ..self
        })
    }

    /// The study without the invariants that cannot be evaluated at some sizes, if there are any: they keep nothing from being run,
    /// and what is run says nothing about them.
    #[must_use]
    pub fn evaluable(&self, setup: &Setup) -> Option<Self> {
        let mut reasons: BTreeMap<usize, String> = BTreeMap::new();
        for automaton in (0..self.model.automata.len()).map(AutomatonId::at) {
            let mut stated = self.model.invariants.iter();
            if !stated.any(|one| one.automaton == automaton && !one.locals.is_empty()) {
                continue;
            }
            // Sizes that do not fit are refused where something is run.
            let Ok(universe) = self.universe(setup, self.model.setting([automaton])) else {
                continue;
            };
            let instance = Instance::new(Arc::clone(&self.model), universe);
            for (position, why) in instance.unevaluable(automaton) {
                let why: Vec<&str> = why.iter().map(|d| &*d.message).collect();
                reasons.insert(position, why.join("; "));
            }
        }
        if reasons.is_empty() {
            return None;
        }
        let mut kept = Vec::new();
        let mut unevaluable = self.unevaluable.clone();
        for (position, invariant) in self.model.invariants.iter().cloned().enumerate() {
            match reasons.remove(&position) {
                Some(why) => unevaluable.push(Unevaluable { invariant, why }),
                None => kept.push(invariant),
            }
        }
        Some(Self {
            unevaluable,
            ..self.stating(self.sources.clone(), kept)
        })
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

    /// The position of a schedule in the model.
    ///
    /// # Errors
    /// Names the schedules there are.
    pub fn schedule_index(&self, name: &str) -> Result<usize, BadInput> {
        let names = || self.model.schedules.iter().map(|s| &*s.name);
        names()
            .position(|n| n == name)
            .ok_or_else(|| unknown("schedule", name, names()))
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

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> BadInput {
    let hint = did_you_mean(name, known.clone());
    let hint = hint.unwrap_or_else(|| format!("; there is {}", list(known)));
    BadInput::message(format!("no {what} is named {name}{hint}"))
}

/// What to add to a message about an unknown name: the nearest known one, if one is near.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    diagnostic::nearest(name, known).map(|nearest| format!("; did you mean {nearest}?"))
}

fn ambiguous<'a>(what: &str, flag: &str, known: impl Iterator<Item = &'a str>) -> BadInput {
    let mut known = known.peekable();
    if known.peek().is_none() {
        return BadInput::message(format!("there is no {what}"));
    }
    BadInput::message(format!(
        "which {what}? name one with {flag}: there is {}",
        list(known)
    ))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "none".into()
    } else {
        names.join(", ")
    }
}

/// Refuses a formula that a flag gives and that has only blanks and comments in it.
///
/// # Errors
/// That it says nothing.
pub fn asks_something(flag: &str, text: &str) -> Result<(), BadInput> {
    let mut lines = text.lines().map(str::trim_start);
    match lines.all(|line| line.is_empty() || line.starts_with('%')) {
        true => Err(BadInput::message(format!(
            "{flag} wants a formula, and there is none"
        ))),
        false => Ok(()),
    }
}
