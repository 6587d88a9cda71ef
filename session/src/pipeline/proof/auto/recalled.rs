//! Lemmas that an earlier search found for the same question. They are proved like all that is found, so a memory that is wrong
//! costs the time of a proof, and no more.

use ioa_lang::core::Extent;
use prover_bridge::Fingerprint;

use super::told::{Attempt, Found, Telling, Written, free_names};
use crate::finding::Verdict;
use crate::host::FoundLemma;
use crate::study::Formula;

impl Telling<'_> {
    /// What is told where the lemmas of an earlier search prove the goals; nothing where there are none, or these do not.
    pub(super) fn recalled(&self) -> Option<Found> {
        let lemmas = self.host.searches()?.recall_lemmas(&self.question())?;
        // The names are those that a search would give.
        let mut named = free_names(&self.study.model).zip(&lemmas);
        if !named.all(|(name, lemma)| name == lemma.name) {
            return None;
        }
        let read = |lemma| self.read(lemma, &lemmas);
        let written: Vec<Written> = lemmas.iter().map(read).collect::<Option<_>>()?;
        let findings = self.ordinary_proof(&written, self.first()).ok()?;
        let is_proved = findings.iter().all(|f| f.verdict == Verdict::Proved);
        let attempt = Attempt {
            is_recalled: true,
            ..Attempt::default()
        };
        is_proved.then(|| self.found(&attempt, &written, findings))
    }

    /// One of the lemmas that are remembered. Nothing, if its text is about another model.
    fn read(&self, lemma: &FoundLemma, all: &[FoundLemma]) -> Option<Written> {
        let study = &self.goals.study;
        let mut needed_for = lemma.needed_for.iter();
        if !needed_for.all(|name| self.is_claim(name, all)) {
            return None;
        }
        let automaton = study.model.automaton_named(&lemma.automaton)?;
        let formula = Formula {
            place: "a lemma",
            name: &lemma.name,
            text: &lemma.formula,
        };
        let (_, stated) = study
            .formulas((automaton, Extent::EverySize), [formula])
            .ok()?;
        Some(Written {
            lemma: stated.into_iter().next()?,
            text: lemma.formula.clone(),
            needed_for: lemma.needed_for.clone(),
        })
    }

    /// Whether a goal, a lemma or an automaton, whose steps must have results, has this name.
    fn is_claim(&self, name: &str, lemmas: &[FoundLemma]) -> bool {
        let model = &self.goals.study.model;
        let mut simulations = model.simulations.iter();
        model.invariants.iter().any(|goal| *goal.name == *name)
            || simulations.any(|simulation| model.simulation_name(simulation) == name)
            || model.automaton_named(name).is_some()
            || lemmas.iter().any(|lemma| lemma.name == name)
    }

    /// Remembers the lemmas with which the goals are proved.
    pub(super) fn remember(&self, written: &[Written]) {
        let model = &self.goals.study.model;
        let lemmas = written.iter().map(|found| FoundLemma {
            automaton: model.automaton(found.lemma.automaton).name.to_string(),
            name: found.name().to_owned(),
            formula: found.text.clone(),
            needed_for: found.needed_for.clone(),
        });
        if let Some(searches) = self.host.searches() {
            searches.remember_lemmas(&self.question(), &lemmas.collect::<Vec<_>>());
        }
    }

    /// What the search is known by: all texts, and what of them is asked for.
    fn question(&self) -> Fingerprint {
        let model = &self.goals.study.model;
        let files = self.goals.study.sources.iter();
        let goals = model.invariants.iter();
        let simulations = model.simulations.iter();
        let lists: [Vec<String>; 6] = [
            vec![env!("CARGO_PKG_VERSION").to_owned()],
            files.map(|(_, file)| file.text.clone()).collect(),
            goals
                .map(|goal| format!("{} {}", goal.automaton.index(), goal.name))
                .collect(),
            simulations
                .map(|simulation| model.simulation_name(simulation))
                .collect(),
            self.request.only.clone(),
            self.request.automaton.iter().cloned().collect(),
        ];
        let counted = lists.into_iter().flat_map(|list| {
            let count = list.len().to_string();
            std::iter::once(count).chain(list)
        });
        let parts: Vec<String> = counted.collect();
        Fingerprint::of_texts(parts.iter().map(String::as_str))
    }
}
