//! What a study has under some name.

use std::collections::BTreeMap;

use ioa_lang::core::{AutomatonId, Setting};
use ioa_lang::diagnostic;
use ioa_lang::print::Abbreviations;

use super::Study;
use super::mistakes::BadInput;

/// Automata by the setting that they are run in.
pub type BySetting = BTreeMap<Setting, Vec<AutomatonId>>;

impl Study {
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

    /// The names that an automaton gives to terms, to write others with.
    #[must_use]
    pub fn abbreviations(&self, automaton: AutomatonId) -> Abbreviations {
        Abbreviations::new(&self.model, self.names.named_expressions(automaton))
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
}

pub(crate) fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> BadInput {
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
