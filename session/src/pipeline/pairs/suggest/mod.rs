//! A relation and a proof block, proposed from all states of small instances.
//!
//! ```text
//! basis        what all of it works on
//! sample       small instances, with the pairs of states that a forward simulation may relate (`paired_exec::Joint`)
//! language     terms and formulas, and where they are true
//! observed     what is seen of a high variable
//! definitions  what a high variable may be in terms of the low state
//! relation     a definition for each high variable, such that together they are a forward simulation
//! questions    the low steps that have to be answered
//! block        which high actions answer each of them, with which parameters, under which conditions
//! stated       all of it as a simulation of the core, and as IOA text
//! told         why there is nothing to propose
//! ```
//! Nothing is trusted because it was found here. What is proposed is followed along all executions of the instances, and judged
//! by the prover like a simulation that a person wrote. People get it as text, which means the same.

mod basis;
mod block;
mod definitions;
mod language;
mod observed;
mod questions;
mod relation;
mod sample;
mod stated;
mod told;

use ioa_lang::core::{AutomatonId, Direction, Simulation, VarId};

use self::basis::Suggesting;
use self::definitions::{Definition, stated};
use self::relation::{Relation, unknown};
use self::sample::{Sizes, larger, sample_at, samples};
use super::{Bounds, exhaustive};
use crate::finding::{Finding, Verdict};
use crate::host::Host;
use crate::instances::Instances;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Simulations that stand on all executions of small instances, the simplest one first.
#[derive(Debug)]
pub struct Suggestion {
    /// Them; none if there is nothing to propose.
    pub proposals: Vec<Proposal>,
    /// Why there is nothing to propose, if that is so.
    pub nothing: Option<Finding>,
}

/// A simulation that is proposed.
#[derive(Debug)]
pub struct Proposal {
    /// The simulation as IOA text, ready to be pasted.
    pub text: String,
    /// The study with it in place of any other simulation of these automata.
    pub study: Study,
    /// What following it along all executions of small instances comes to.
    pub findings: Vec<Finding>,
}

/// No more pairs of states than this are visited in each instance when a proposal is followed.
const FOLLOWED: u64 = 20_000;
/// So many relations are tried before it is given up.
const RELATIONS: usize = 6;
/// So often it is begun again with an instance in which all proposals failed.
const ROUNDS: usize = 2;
/// So many proposals are enough: the prover may like another one better than the first.
const PROPOSALS: usize = 3;

/// Proposes forward simulations from one automaton to another, which `name` names as `Low to High`. If one is stated, its relation
/// is tried first.
///
/// # Errors
/// Names that no automata have; sizes that do not fit the model; an automaton that cannot be run.
pub fn suggest(
    (study, setup): (&Study, &Setup),
    name: Option<&str>,
    host: &dyn Host,
) -> Result<Suggestion, BadInput> {
    let (low, high) = automata(study, name)?;
    let simulation = unknown(low, high);
    let setup = &Setup {
        automaton: None,
        ..setup.clone()
    };
    let mut found = samples((study, setup), &simulation, host)?;
    let mut round = 0;
    loop {
        let suggesting = Suggesting {
            study,
            setting: study.model.setting_of_simulation(&simulation),
            universes: found.iter().map(|s| s.universe.clone()).collect(),
            samples: found,
            simulation: simulation.clone(),
            host,
        };
        if let Some(finding) = suggesting.impossible() {
            return Ok(Suggestion {
                proposals: Vec::new(),
                nothing: Some(finding),
            });
        }
        let mut suggestion = suggesting.propose(setup)?;
        let Some((sizes, why)) = suggesting.second_look(setup, &mut suggestion)? else {
            return Ok(suggestion);
        };
        let refuting = sample_at((study, setup), &simulation, sizes, host);
        let Some(refuting) = refuting.filter(|_| round < ROUNDS) else {
            suggestion.nothing = Some(why);
            return Ok(suggestion);
        };
        // What refuted is learnt from.
        found = suggesting.samples;
        found.push(refuting);
        round += 1;
    }
}

/// The automata of a simulation that need not be stated: those that `name` names as `Low to High`, or those of the only one
/// that there is.
fn automata(study: &Study, name: Option<&str>) -> Result<(AutomatonId, AutomatonId), BadInput> {
    let Some(name) = name else {
        return match &study.model.simulations[..] {
            [only] => Ok((only.low, only.high)),
            _ => Err(BadInput::message(
                "from which automaton to which? name them: --simulation \"Low to High\"",
            )),
        };
    };
    match name.split_once(" to ") {
        Some((low, high)) => {
            let [low, high] = [low, high].map(|name| study.automaton(Some(name.trim())));
            let (low, high) = (low?, high?);
            match low == high {
                false => Ok((low, high)),
                true => Err(BadInput::message(format!(
                    "{name} is a simulation from an automaton to itself"
                ))),
            }
        }
        None => Err(BadInput::message(format!(
            "{name} does not name two automata, as \"Low to High\" does"
        ))),
    }
}

/// What came of the relations that were tried.
#[derive(Default)]
struct Tried {
    proposals: Vec<Proposal>,
    /// Why the first one that failed did so.
    failed: Option<Finding>,
}

impl Suggesting<'_> {
    /// Tries the relation that is stated, and then others.
    fn propose(&self, setup: &Setup) -> Result<Suggestion, BadInput> {
        let mut tried = Tried::default();
        let ours = |s: &&Simulation| {
            (s.low, s.high) == (self.simulation.low, self.simulation.high)
                && s.direction == Direction::Forward
        };
        let mut there = self.study.model.simulations.iter().filter(ours);
        if let Some(definition) = there.next().and_then(stated) {
            let relations = self.relations(&[vec![definition]], 1);
            let relations = relations.into_iter().map(Relation::stated_whole);
            self.try_all(&relations.collect::<Vec<_>>(), setup, &mut tried)?;
        }
        for in_every_way in [false, true] {
            if !tried.proposals.is_empty() || !self.goes_on() {
                break;
            }
            let definitions = self.all_definitions(in_every_way);
            let relations = self.relations(&definitions, RELATIONS);
            if relations.is_empty() && in_every_way {
                let nothing = self.no_relation(&definitions);
                tried.failed.get_or_insert(nothing);
            }
            self.try_all(&relations, setup, &mut tried)?;
        }
        let failed = match self.host.stopped() {
            Some(stop) => Some(self.cut_short(stop)),
            None => tried.failed,
        };
        let nothing = failed.filter(|_| tried.proposals.is_empty());
        Ok(Suggestion {
            proposals: tried.proposals,
            nothing,
        })
    }

    /// What each high variable may be.
    fn all_definitions(&self, in_every_way: bool) -> Vec<Vec<Definition>> {
        let mut progress = self.host.begins("looking for a simulation", None);
        let variables = self.high().variables.iter().enumerate();
        variables
            .map(|(at, variable)| {
                progress.say(&format!("what {}.{} is", self.high().name, variable.name));
                self.definitions(VarId::at(at), in_every_way)
            })
            .collect()
    }

    /// Looks for blocks for these relations, and follows what is found.
    fn try_all(
        &self,
        relations: &[Relation],
        setup: &Setup,
        tried: &mut Tried,
    ) -> Result<(), BadInput> {
        for thorough in [1, 4] {
            for relation in relations {
                if tried.proposals.len() >= PROPOSALS || !self.goes_on() {
                    return Ok(());
                }
                let entries = match self.entries(relation, thorough) {
                    Ok(entries) => entries,
                    Err(open) => {
                        let why = || self.no_answer(relation, &open);
                        tried.failed.get_or_insert_with(why);
                        continue;
                    }
                };
                let (study, text) = self.stated(relation, &entries)?;
                let findings = self.followed(&study, setup)?;
                let holds = |finding: &Finding| finding.verdict != Verdict::Violated;
                if findings.iter().all(holds) {
                    tried.proposals.push(Proposal {
                        text,
                        study,
                        findings,
                    });
                    continue;
                }
                let why = || self.not_followed(&text, findings);
                tried.failed.get_or_insert_with(why);
            }
            if !tried.proposals.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// What following a proposal comes to in each instance.
    fn followed(&self, study: &Study, setup: &Setup) -> Result<Vec<Finding>, BadInput> {
        let mut findings: Vec<Finding> = Vec::new();
        for sample in &self.samples {
            let finding = self.followed_at(study, &sample.sizes, setup)?;
            if findings.iter().all(|known| known.scope != finding.scope) {
                findings.push(finding);
            }
        }
        Ok(findings)
    }

    /// What following a proposal comes to at some sizes.
    fn followed_at(
        &self,
        study: &Study,
        sizes: &[(String, u64)],
        setup: &Setup,
    ) -> Result<Finding, BadInput> {
        let name = study.model.simulation_name(&self.simulation);
        let simulation = study.simulation_index(Some(&name))?;
        let setup = setup.at_sizes(sizes.to_vec());
        let instances = Instances::new(study, &setup).each_of_simulation(simulation)?;
        let bounds = Bounds::of_states(FOLLOWED);
        let asked = (simulation, &bounds);
        let (mut finding, _) = exhaustive::check(study, &instances, &setup, asked, self.host)?;
        // What holds up to a bound that nobody asked for is no failure to establish what was asked for.
        if finding.bound.as_deref() == Some("states") && finding.stories.is_empty() {
            finding.verdict = Verdict::Tested;
            finding.bound = None;
        }
        Ok(finding)
    }

    /// Follows proposals in larger instances, and leaves out those that fail there. If none is left, the sizes at which the last
    /// one failed, and how.
    fn second_look(
        &self,
        setup: &Setup,
        suggestion: &mut Suggestion,
    ) -> Result<Option<(Sizes, Finding)>, BadInput> {
        let mut failed = None;
        let mut left = Vec::new();
        for mut proposal in std::mem::take(&mut suggestion.proposals) {
            let mut stands = true;
            for sizes in larger(&self.samples[0].sizes) {
                // What is too large to be run says nothing.
                let Ok(finding) = self.followed_at(&proposal.study, &sizes, setup) else {
                    continue;
                };
                if finding.verdict == Verdict::Violated {
                    failed = Some((sizes, self.not_followed(&proposal.text, vec![finding])));
                    stands = false;
                    break;
                }
                let is_new = |known: &Finding| known.scope != finding.scope;
                if proposal.findings.iter().all(is_new) {
                    proposal.findings.push(finding);
                }
            }
            left.extend(stands.then_some(proposal));
        }
        suggestion.proposals = left;
        Ok(failed.filter(|_| suggestion.proposals.is_empty()))
    }
}
