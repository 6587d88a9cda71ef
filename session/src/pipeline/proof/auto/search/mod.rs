//! The search for lemmas, backwards from the goals: what breaks a goal has to be excluded by a lemma, and what breaks that by
//! another one.
//!
//! The solver gives counterexamples to induction, small ones. A lemma is chosen among the clauses that hold in all states of
//! small instances: the one that excludes most of them, and of equal ones the simplest. A counterexample that no clause excludes
//! is looked for among the reachable states: if it is one of them, the lemma that it breaks is false, or the goal is. If it is
//! not, the lemma is given up, since nothing at hand helps to prove it, and others take its place.
//!
//! After Schultz, Dardik and Tripakis (FMCAD 2022), who choose lemmas by what they exclude, and Schultz, Ashton, Howard and
//! Tripakis, Scalable, Interpretable Distributed Protocol Verification by Inductive Proof Slicing (2024), who search backwards.

pub(super) mod archive;
mod asking;
mod choosing;
pub(super) mod cover;
pub(super) mod obstacle;
mod rest;
mod sifted;
pub(super) mod slicing;

use std::collections::BTreeSet;

use invariants::learn::Clause;
use ioa_lang::core::{AutomatonId, Invariant};
use prover_bridge::Options;

use super::super::request::Request;
use super::effort::Effort;
use super::goals::Goals;
use super::source::Sources;
use crate::finding::Scope;
use crate::host::{Host, Progress};
use crate::pipeline::candidates::Reached;
use crate::study::BadInput;

use archive::{Cti, Failed, Owner, spot, taken_in};
use asking::Lemmas;
use obstacle::Obstacle;

/// A clause that was chosen.
struct Lemma {
    invariant: Invariant,
    clause: Clause,
    /// Whether it was given up.
    is_dropped: bool,
}

/// A counterexample that nothing excludes.
pub(super) struct Open {
    /// What it breaks.
    pub(super) cti: Cti,
    /// Whether it is reached.
    pub(super) reached: Reached,
}

impl Open {
    /// What it says about the proof.
    pub(super) fn obstacle(&self) -> Obstacle {
        let sizes = Scope::Sizes(self.cti.found.sizes.clone()).words();
        let reached = match self.reached {
            Reached::Yes => "is reached".to_owned(),
            Reached::No => "is not reachable: a lemma is missing that excludes it".to_owned(),
            Reached::NotAmong(0) => "was not looked for".to_owned(),
            Reached::NotAmong(n) => format!("is none of the first {n} states"),
        };
        let sizes = match &*sizes {
            "" => String::new(),
            sizes => format!(" ({sizes})"),
        };
        let said = format!(" fails from a state that {reached}{sizes}");
        Obstacle::to(&self.cti.obligation, &said)
    }
}

/// How a search ends.
pub(super) enum Ending {
    /// The goals and the lemmas are inductive together.
    Inductive,
    /// A state is reached from which a step breaks a goal.
    Violated(Box<Cti>),
    /// These counterexamples remain, and what the solver did not find out.
    Open(Vec<Open>, Vec<Obstacle>),
    /// The budget is used up.
    OverBudget,
}

/// What comes of choosing lemmas that exclude all counterexamples.
enum Excluded {
    /// These counterexamples to goals remain.
    Open(Vec<Open>),
    /// This one shows that a goal is violated.
    Violated(Box<Cti>),
    /// The budget is used up.
    OverBudget,
}

/// The search with all that it keeps from round to round.
pub(super) struct Search<'g, 's> {
    goals: &'g Goals,
    request: &'g Request,
    effort: &'g Effort,
    options: Options<'g>,
    /// Whether enough was done.
    is_enough: &'g dyn Fn() -> bool,
    host: &'g dyn Host,
    sources: &'g mut Sources<'s>,
    /// Lemmas that are inductive by themselves.
    known: Vec<Invariant>,
    lemmas: Vec<Lemma>,
    /// Counterexamples whose owners are not proved yet.
    ctis: Vec<Cti>,
    /// The obligations that are proved relative to the lemmas, by name.
    holds: BTreeSet<String>,
    given_up: BTreeSet<(AutomatonId, Clause)>,
    /// How many clauses other instances refuted: lemmas are numbered with these, so that no two have the same name.
    refuted: usize,
    /// How many rounds there were.
    pub(super) rounds: u64,
    /// How many counterexamples there were.
    pub(super) seen: u64,
}

impl<'g, 's> Search<'g, 's> {
    /// A search that may use lemmas that are inductive by themselves.
    pub(super) fn new(
        (goals, request): (&'g Goals, &'g Request),
        (effort, options, is_enough): (&'g Effort, Options<'g>, &'g dyn Fn() -> bool),
        (known, sources): (Vec<Invariant>, &'g mut Sources<'s>),
        host: &'g dyn Host,
    ) -> Self {
        Self {
            goals,
            request,
            effort,
            options,
            is_enough,
            host,
            sources,
            known,
            lemmas: Vec::new(),
            ctis: Vec::new(),
            holds: BTreeSet::new(),
            given_up: BTreeSet::new(),
            refuted: 0,
            rounds: 0,
            seen: 0,
        }
    }

    /// All lemmas: those that are inductive by themselves, then those that were chosen.
    pub(super) fn lemmas(&self) -> Vec<Invariant> {
        [&self.known[..], &self.chosen()].concat()
    }

    /// The lemmas that were chosen and not given up.
    fn chosen(&self) -> Vec<Invariant> {
        let chosen = self.lemmas.iter().filter(|lemma| !lemma.is_dropped);
        chosen.map(|lemma| lemma.invariant.clone()).collect()
    }

    /// All that is assumed in the proof: the lemmas, then the goals.
    fn assumed(&self) -> Vec<Invariant> {
        let lemmas = Lemmas {
            known: &self.known,
            chosen: &self.chosen(),
        };
        lemmas.with(self.goals)
    }

    /// Looks for lemmas until nothing breaks them or the goals.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn run(&mut self, progress: &mut dyn Progress) -> Result<Ending, BadInput> {
        // Until the solver is asked, the goals count as open; without any round it is asked at the end.
        let mut open = match self.effort.rounds {
            0 => Vec::new(),
            _ => vec![Owner::Goal],
        };
        while self.rounds < self.effort.rounds && !self.is_over() {
            self.rounds += 1;
            let (found, unknown) = self.ask();
            progress.say(&format!(
                "round {}: {} lemmas, {} obligations open",
                self.rounds,
                self.lemmas.iter().filter(|lemma| !lemma.is_dropped).count(),
                found.len() + unknown.len()
            ));
            if found.is_empty() && unknown.is_empty() {
                return Ok(Ending::Inductive);
            }
            let owners = found.iter().map(|failed| failed.owner);
            open = owners
                .chain(unknown.iter().map(|(owner, _)| *owner))
                .collect();
            if self.is_turn() && self.follows_without(&open) {
                return Ok(Ending::Inductive);
            }
            self.seen += found.len() as u64;
            let assumed = self.assumed();
            let fresh = taken_in(&self.goals.study, self.sources, (found.clone(), &assumed));
            let mut is_new = !fresh.is_empty();
            is_new |= self.starts(&found);
            self.ctis.extend(fresh);
            let left = match self.exclude()? {
                Excluded::Open(left) => left,
                Excluded::Violated(cti) => return Ok(Ending::Violated(cti)),
                Excluded::OverBudget => break,
            };
            let lost: Vec<usize> = unknown
                .iter()
                .filter_map(|(owner, _)| lemma(*owner))
                .collect();
            is_new |= !lost.is_empty();
            lost.into_iter().for_each(|at| self.give_up(at));
            if !left.is_empty() || !is_new {
                let unknown = unknown.into_iter().map(|(_, what)| what).collect();
                return Ok(Ending::Open(left, unknown));
            }
        }
        Ok(match self.follows_without(&open) {
            true => Ending::Inductive,
            false => Ending::OverBudget,
        })
    }

    fn is_over(&self) -> bool {
        (self.is_enough)() || self.options.stop.is_some_and(|stop| stop())
    }

    /// What is not proved relative to the goals and the lemmas: counterexamples, and what there is none of.
    pub(super) fn ask(&mut self) -> (Vec<Failed>, Vec<(Owner, Obstacle)>) {
        let active = self.lemmas.iter().enumerate();
        let active = active.filter(|(_, lemma)| !lemma.is_dropped);
        let (numbers, chosen): (Vec<usize>, Vec<Invariant>) = active
            .map(|(at, lemma)| (at, lemma.invariant.clone()))
            .unzip();
        let lemmas = Lemmas {
            known: &self.known,
            chosen: &chosen,
        };
        let about = (self.goals, self.request);
        let unproved = lemmas.unproved(about, &mut self.holds, &self.options, self.host);
        let (mut found, mut unknown) = (Vec::new(), Vec::new());
        for unproved in unproved {
            let owner = unproved
                .lemma
                .map_or(Owner::Goal, |at| Owner::Lemma(numbers[at]));
            let obligation = unproved.obligation.name;
            match unproved.found {
                Ok(cti) => found.push(Failed {
                    owner,
                    broken: unproved.broken,
                    obligation,
                    found: cti,
                }),
                Err(why) => {
                    let obstacle = Obstacle::to(&obligation, &format!(": {why}"));
                    unknown.push((owner, obstacle));
                }
            }
        }
        (found, unknown)
    }

    /// Learns from start states in which lemmas are false, and gives these up; says whether there are any.
    fn starts(&mut self, found: &[Failed]) -> bool {
        let mut is_any = false;
        for failed in found {
            let cti = &failed.found;
            if let (Some(at), None, Some(start)) = (lemma(failed.owner), &cti.before, &cti.after) {
                is_any = true;
                let spot = spot(&self.goals.study, cti, start.automaton, &start.state);
                if let (Some(spot), Some(source)) = (spot, self.sources.get_mut(&start.automaton)) {
                    source.is_reached(&spot.universe, spot.state);
                }
                self.give_up(at);
            }
        }
        is_any
    }

    /// Gives a lemma up, and whatever was proved with it.
    fn give_up(&mut self, at: usize) {
        let lemma = &mut self.lemmas[at];
        if !lemma.is_dropped {
            lemma.is_dropped = true;
            self.given_up
                .insert((lemma.invariant.automaton, lemma.clause.clone()));
            self.holds.clear();
            self.ctis.retain(|cti| cti.owner != Owner::Lemma(at));
        }
    }

    /// Chooses lemmas that exclude all counterexamples.
    fn exclude(&mut self) -> Result<Excluded, BadInput> {
        loop {
            let (mut remaining, mut is_settled) = (Vec::new(), true);
            let uncovered = self.cover()?;
            if self.is_over() {
                // Not all clauses were looked for: that none excludes a counterexample is no reason to give a lemma up.
                return Ok(Excluded::OverBudget);
            }
            for cti in uncovered {
                let reached = self.reached(&cti)?;
                match cti.owner {
                    Owner::Goal if reached == Reached::Yes => {
                        return Ok(Excluded::Violated(Box::new(cti)));
                    }
                    Owner::Goal => remaining.push(Open { cti, reached }),
                    Owner::Lemma(at) => {
                        self.learn_from(&cti, reached);
                        self.give_up(at);
                        is_settled = false;
                    }
                }
            }
            if is_settled {
                return Ok(Excluded::Open(remaining));
            }
        }
    }

    /// Where the state before the step is reached, the one after it is too.
    fn learn_from(&mut self, cti: &Cti, reached: Reached) {
        let low = &cti.spots[0];
        if let (Reached::Yes, Some(after)) = (reached, &cti.after)
            && let Some(source) = self.sources.get_mut(&low.automaton)
        {
            source.is_reached(&low.universe, after.clone());
        }
    }

    /// Whether some lemma excludes a counterexample.
    fn is_excluded(&self, cti: &Cti) -> bool {
        let mut lemmas = cti.excluded_by.iter();
        lemmas.any(|at| !self.lemmas[*at].is_dropped)
    }

    /// Whether some state before the step of a counterexample is reached; in a simulation, that of the low automaton.
    fn reached(&self, cti: &Cti) -> Result<Reached, BadInput> {
        let low = &cti.spots[0];
        match (self.sources.get(&low.automaton), cti.spots.len()) {
            (Some(source), 1) => source.reaches(&low.universe, &low.state),
            // That both are reached, each by itself, shows nothing.
            _ => Ok(Reached::NotAmong(0)),
        }
    }
}

fn lemma(owner: Owner) -> Option<usize> {
    match owner {
        Owner::Goal => None,
        Owner::Lemma(at) => Some(at),
    }
}
