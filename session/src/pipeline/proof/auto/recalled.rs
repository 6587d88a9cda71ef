//! Lemmas that an earlier search found for the same question. They are proved like all that is found, so a memory that is wrong
//! costs the time of a proof, and no more.

use ioa_lang::core::Simulation;
use prover_bridge::Fingerprint;

use super::told::{Attempt, Found, Telling, Written};
use crate::finding::Verdict;
use crate::host::FoundLemma;

impl Telling<'_> {
    /// What is told where the lemmas of an earlier search prove the goals; nothing where there are none, or these do not.
    pub(super) fn recalled(&self) -> Option<Found> {
        let lemmas = self.host.searches()?.recall_lemmas(&self.question())?;
        let model = &self.goals.study.model;
        let written = lemmas.into_iter().map(|lemma| {
            let automaton = model.automaton_named(&lemma.automaton)?;
            Some(Written {
                automaton,
                name: lemma.name,
                text: lemma.formula,
                needed_for: lemma.needed_for,
            })
        });
        let written: Vec<Written> = written.collect::<Option<_>>()?;
        let findings = self.ordinary_proof(&written, self.request.clone()).ok()?;
        let is_proved = findings.iter().all(|f| f.verdict == Verdict::Proved);
        let attempt = Attempt {
            is_recalled: true,
            ..Attempt::default()
        };
        is_proved.then(|| self.found(&attempt, &written, findings))
    }

    /// Remembers the lemmas with which the goals are proved.
    pub(super) fn remember(&self, written: &[Written]) {
        let model = &self.goals.study.model;
        let lemmas = written.iter().map(|lemma| FoundLemma {
            automaton: model.automaton(lemma.automaton).name.to_string(),
            name: lemma.name.clone(),
            formula: lemma.text.clone(),
            needed_for: lemma.needed_for.clone(),
        });
        if let Some(searches) = self.host.searches() {
            searches.remember_lemmas(&self.question(), &lemmas.collect::<Vec<_>>());
        }
    }

    /// What the search is known by: all texts, and the names of the goals in them.
    fn question(&self) -> Fingerprint {
        let model = &self.goals.study.model;
        let files = self.goals.study.sources.iter();
        let mut parts: Vec<String> = vec![env!("CARGO_PKG_VERSION").to_owned()];
        parts.extend(files.map(|(_, file)| file.text.clone()));
        let goals = model.invariants.iter();
        parts.extend(goals.map(|goal| format!("{} {}", goal.automaton.index(), goal.name)));
        let simulation = |simulation: &Simulation| model.simulation_name(simulation);
        parts.extend(model.simulations.iter().map(simulation));
        parts.extend(self.request.only.iter().cloned());
        parts.extend(self.request.automaton.clone());
        Fingerprint::of_texts(parts.iter().map(String::as_str))
    }
}
