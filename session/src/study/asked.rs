//! Formulas and conditions that are asked about, read against a study.

use std::sync::Arc;

use ioa_lang::core::{AutomatonId, Extent, Invariant, Model, OpenTerm, Type};
use ioa_lang::{Diagnostic, FileId, Sources};

use super::Study;
use super::mistakes::BadInput;

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

impl Study {
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

    /// Terms over the state of an automaton that may leave variables open, each given with its place and, if it is to have a
    /// certain one, its type; with the sources that they stand in.
    ///
    /// # Errors
    /// Every mistake in every term, together.
    pub fn open_terms(
        &self,
        automaton: AutomatonId,
        texts: &[(&str, &str, Option<Type>)],
    ) -> Result<(Sources, Vec<OpenTerm>), BadInput> {
        let texts = texts.iter().map(|(place, text, ty)| (*place, *text, ty));
        self.reading(texts, |file, text, ty| {
            ioa_lang::open_term(&self.names, (file, text), automaton, ty.as_ref())
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
}

/// Refuses a formula that a flag gives and that has only blanks and comments in it.
///
/// # Errors
/// That it says nothing.
pub fn asks_something(flag: &str, text: &str) -> Result<(), BadInput> {
    says_something(flag, "formula", text)
}

/// Refuses what a flag gives if it has only blanks and comments in it; `what` it should be is said.
///
/// # Errors
/// That it says nothing.
pub(crate) fn says_something(flag: &str, what: &str, text: &str) -> Result<(), BadInput> {
    let mut lines = text.lines().map(str::trim_start);
    match lines.all(|line| line.is_empty() || line.starts_with('%')) {
        true => Err(BadInput::message(format!(
            "{flag} wants a {what}, and there is none"
        ))),
        false => Ok(()),
    }
}
