//! What lemmas are looked for: the invariants and simulations that are to be proved, without the lemmas that a person wrote.

use std::sync::Arc;

use invariants::learn::has_ranges;
use ioa_lang::core::{AutomatonId, Invariant, Model};
use prover_bridge::{Options, Stated, houdini};

use super::super::request::Request;
use crate::instances::Instances;
use crate::setup::Setup;
use crate::study::Study;

/// What is to be proved.
pub(super) struct Goals {
    /// A study that states the goals alone.
    pub(super) study: Study,
    /// The automata whose states lemmas may speak of.
    pub(super) automata: Vec<AutomatonId>,
}

impl Goals {
    /// The invariants that a request names, or all; the simulations stay in the model, and the request says which are meant.
    pub(super) fn of(study: &Study, request: &Request) -> Self {
        let model = &study.model;
        let is_named =
            |name: &str| request.only.is_empty() || request.only.iter().any(|n| n == name);
        let is_asked = |id: AutomatonId| {
            let asked = request.automaton.as_ref();
            asked.is_none_or(|name| **name == *model.automaton(id).name)
        };
        let stated: Vec<Invariant> = model
            .invariants
            .iter()
            .filter(|i| is_named(&i.name) && is_asked(i.automaton))
            .cloned()
            .collect();
        let simulations = model.simulations.iter();
        let simulations =
            simulations.filter(|s| is_named(&model.simulation_name(s)) && is_asked(s.low));
        let of_simulations = simulations.flat_map(|s| [s.low, s.high]);
        let mut automata: Vec<AutomatonId> = stated.iter().map(|i| i.automaton).collect();
        automata.extend(of_simulations);
        automata.sort_unstable();
        automata.dedup();
        let mut study = study.stating(study.sources.clone(), stated);
        lift_restrictions(Arc::make_mut(&mut study.model));
        Self { study, automata }
    }

    /// These goals and more of them.
    pub(super) fn and(&self, more: &[Invariant]) -> Self {
        let stated = self.study.model.invariants.iter().chain(more);
        let stated: Vec<Invariant> = stated.cloned().collect();
        Self {
            study: self.study.stating(self.study.sources.clone(), stated),
            automata: self.automata.clone(),
        }
    }

    /// Those of these goals that are wanted.
    pub(super) fn only(&self, is_wanted: impl Fn(&Invariant) -> bool) -> Self {
        let mut stated = self.study.model.invariants.clone();
        stated.retain(is_wanted);
        Self {
            study: self.study.stating(self.study.sources.clone(), stated),
            automata: self.automata.clone(),
        }
    }

    /// Whether some automaton has collections over whose elements or positions lemmas may quantify. Where that cannot be told, it
    /// may be so.
    pub(super) fn have_ranges(&self, setup: &Setup) -> bool {
        let instances = Instances::new(&self.study, setup);
        self.automata.iter().any(|automaton| {
            let instance = instances.of(*automaton);
            let about = (&*self.study.model, *automaton);
            instance.map_or(true, |instance| has_ranges(about, instance.universe()))
        })
    }

    /// The goals about the states of an automaton.
    pub(super) fn invariants_of(&self, automaton: AutomatonId) -> Vec<Invariant> {
        let stated = self.study.model.invariants.iter();
        let own = stated.filter(|i| i.automaton == automaton);
        own.cloned().collect()
    }

    /// Those of some lemmas about an automaton that are inductive together, perhaps with the help of goals.
    pub(super) fn inductive_among(
        &self,
        automaton: AutomatonId,
        lemmas: Vec<Invariant>,
        options: &Options<'_>,
    ) -> Vec<Invariant> {
        let own = lemmas.len();
        let mut candidates = lemmas;
        candidates.extend(self.invariants_of(automaton));
        let goals = candidates.len() - own;
        let inductive = |candidates: &[Invariant]| {
            let model = &self.study.model;
            houdini(model, automaton, candidates, Stated::Ignored, options).kept
        };
        let mut kept = inductive(&candidates);
        if kept.iter().filter(|at| **at >= own).count() < goals {
            // Lemmas must not rest on a goal that is not inductive with them.
            kept = inductive(&candidates[..own]);
        }
        let kept = kept.into_iter().filter(|at| *at < own);
        kept.map(|at| candidates[at].clone()).collect()
    }

    /// The goals about the states of an automaton that can be evaluated in instances. The others can be proved, but no execution refutes
    /// them.
    pub(super) fn evaluable_of(&self, automaton: AutomatonId, setup: &Setup) -> Vec<Invariant> {
        let evaluable = self.study.evaluable(setup);
        let mut stated = self.invariants_of(automaton);
        if let Some(evaluable) = evaluable {
            let unevaluable = &evaluable.unevaluable;
            stated.retain(|goal| unevaluable.iter().all(|one| one.invariant != *goal));
        }
        stated
    }
}

/// Forgets what `uses` restricts: the lemmas that are found have names of their own.
fn lift_restrictions(model: &mut Model) {
    for invariant in &mut model.invariants {
        invariant.uses = None;
    }
    let proofs = model
        .simulations
        .iter_mut()
        .filter_map(|s| s.proof.as_mut());
    for entry in proofs.flat_map(|proof| &mut proof.entries) {
        entry.uses = None;
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn goals_that_no_instance_can_evaluate_are_goals_all_the_same() {
        let study = Study::of_text(
            "\
automaton Count
  signature internal more
  states n: Nat := 0
  transitions
    internal more
      eff n := n + 1
invariant Small of Count: \\A i: Nat (i < n => i + 1 <= n)
invariant Squares of Count: \\A i: Nat (i * i >= i)
",
        );
        let request = Request::by_induction(Vec::new(), 1);
        let goals = Goals::of(&study, &request);
        let names = |goals: Vec<Invariant>| -> Vec<String> {
            goals.iter().map(|goal| goal.name.to_string()).collect()
        };
        let automaton = AutomatonId::at(0);
        assert_eq!(names(goals.invariants_of(automaton)), ["Small", "Squares"]);
        let evaluable = goals.evaluable_of(automaton, &Setup::default());
        assert_eq!(names(evaluable), ["Small"]);
    }
}
