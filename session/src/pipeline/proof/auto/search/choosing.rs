//! Clauses are chosen that exclude counterexamples, and become lemmas.

use std::collections::{BTreeMap, BTreeSet};

use invariants::learn::{Clause, Less, Targets};
use ioa_lang::core::{AutomatonId, Invariant};

use super::archive::{Cti, Owner, Spot, targets};
use super::cover::{BEST, Choice, cover};
use super::{Lemma, Search};
use crate::study::BadInput;

/// What is chosen at once.
struct Chosen {
    chosen: Vec<Choice>,
    /// The counterexamples that no clause excludes.
    uncovered: Vec<Cti>,
    /// Whether other instances refuted some clauses.
    is_refuted: bool,
}

/// Where the open counterexamples of lemmas lie, as far as their states are of an automaton: by lemma.
fn by_owner(open: &BTreeMap<usize, &Cti>, automaton: AutomatonId) -> BTreeMap<usize, Targets> {
    let mut lemmas: BTreeMap<usize, Vec<&Spot>> = BTreeMap::new();
    for cti in open.values() {
        if let Owner::Lemma(at) = cti.owner {
            let own = cti.spots.iter().filter(|spot| spot.automaton == automaton);
            lemmas.entry(at).or_default().extend(own);
        }
    }
    let each = lemmas.into_iter();
    each.map(|(at, spots)| (at, targets(spots.into_iter())))
        .collect()
}

/// Whether a clause of an automaton is among the lemmas, or was given up.
fn is_taken(
    (lemmas, given_up): (&[Lemma], &BTreeSet<(AutomatonId, Clause)>),
    (automaton, clause): (AutomatonId, &Clause),
) -> bool {
    let mut lemmas = lemmas.iter();
    given_up.contains(&(automaton, clause.clone()))
        || lemmas
            .any(|l| !l.is_dropped && l.clause == *clause && l.invariant.automaton == automaton)
}

impl Search<'_, '_> {
    /// Adopts clauses that exclude counterexamples, until other instances refute none of them; returns the counterexamples that
    /// no clause excludes.
    pub(super) fn cover(&mut self) -> Result<Vec<Cti>, BadInput> {
        let mut tested = BEST;
        loop {
            let Chosen {
                chosen,
                uncovered,
                is_refuted,
            } = self.choose(tested)?;
            // What refutes clauses is learnt from, so that others may be found for what they excluded.
            let learns = is_refuted && !uncovered.is_empty() && !self.is_over();
            if !self.adopt(&chosen)? && !learns {
                return Ok(uncovered);
            }
            // Where one is refuted, those after it often are as well.
            tested *= 4;
        }
    }

    /// Clauses that exclude counterexamples which no lemma excludes so far; so many are tested for each of these before any is
    /// chosen.
    fn choose(&mut self, tested: usize) -> Result<Chosen, BadInput> {
        let all = (0..).zip(&self.ctis);
        let open: BTreeMap<usize, &Cti> = all.filter(|(_, cti)| !self.is_excluded(cti)).collect();
        let mut choices = Vec::new();
        for (automaton, source) in &mut *self.sources {
            let spots = open.values().flat_map(|cti| &cti.spots);
            let targets = targets(spots.filter(|spot| spot.automaton == *automaton));
            if targets.is_empty() {
                continue;
            }
            let is_taken =
                |clause: &Clause| is_taken((&self.lemmas, &self.given_up), (*automaton, clause));
            let mut found = source.excluding(&targets)?;
            for (at, own) in by_owner(&open, *automaton) {
                let lemma = &self.lemmas[at];
                if lemma.invariant.automaton == *automaton {
                    found.extend(source.stronger(&lemma.clause, (&own, &targets))?);
                    if self.effort.less.is_some() {
                        let clause = (&lemma.clause, Less::Identities);
                        let general = source.more_general(clause, &targets)?;
                        found.extend(general.filter(|general| general.hits(&targets, &own)));
                    }
                }
            }
            let found = found.into_iter();
            let found = found.filter(|exclusion| !is_taken(&exclusion.clause));
            choices
                .extend(found.map(|exclusion| Choice::new(*automaton, exclusion, &targets, &open)));
        }
        let open: BTreeSet<usize> = open.keys().copied().collect();
        let all = choices.len();
        let choices = self.surviving(choices, (&open, tested))?;
        let is_refuted = choices.len() < all;
        let (inductive, others) = self.by_induction(choices, &open);
        let (mut chosen, open) = cover(inductive, open);
        let (others, left) = cover(others, open);
        chosen.extend(others);
        let chosen = match self.effort.less {
            Some(less) => self.more_general(chosen, less)?,
            None => chosen,
        };
        let uncovered = left.into_iter().map(|at| self.ctis[at].clone()).collect();
        Ok(Chosen {
            chosen,
            uncovered,
            is_refuted,
        })
    }

    /// In place of each clause one that supposes less of its variables, if there is one: it excludes all that the clause does.
    fn more_general(&mut self, chosen: Vec<Choice>, less: Less) -> Result<Vec<Choice>, BadInput> {
        let each = chosen.into_iter();
        each.map(|choice| {
            let (automaton, clause) = (choice.automaton, &choice.clause);
            let identities = self.supposing_less(automaton, (clause, Less::Identities))?;
            // What is inductive raises no new question, however much it says.
            let is_taken = |choice: &Choice| {
                less == Less::Identities || self.is_inductive(automaton, &choice.clause)
            };
            let general = match identities.filter(is_taken) {
                Some(general) => Some(general),
                None => self.supposing_less(automaton, (clause, Less::Differences))?,
            };
            Ok(general.unwrap_or(choice))
        })
        .collect()
    }

    /// The choice of a clause that supposes so much less than a given one; none if there is no such clause, or it is taken already.
    fn supposing_less(
        &mut self,
        automaton: AutomatonId,
        clause: (&Clause, Less),
    ) -> Result<Option<Choice>, BadInput> {
        let all = (0..).zip(&self.ctis);
        let open: BTreeMap<usize, &Cti> = all.filter(|(_, cti)| !self.is_excluded(cti)).collect();
        let spots = open.values().flat_map(|cti| &cti.spots);
        let targets = targets(spots.filter(|spot| spot.automaton == automaton));
        let source = self.sources.get_mut(&automaton);
        let source = source.expect("clauses come from a source");
        let found = source.more_general(clause, &targets)?;
        let taken = (&self.lemmas[..], &self.given_up);
        let found = found.filter(|found| !is_taken(taken, (automaton, &found.clause)));
        Ok(found.map(|found| Choice::new(automaton, found, &targets, &open)))
    }

    /// Whether a clause is inductive relative to all that is assumed.
    fn is_inductive(&self, automaton: AutomatonId, clause: &Clause) -> bool {
        let stated = self.sources[&automaton].stated(clause, "asked");
        !self.inductive_among(automaton, &[stated]).is_empty()
    }

    /// Makes lemmas of clauses that other instances do not refute; says whether some were refuted.
    fn adopt(&mut self, chosen: &[Choice]) -> Result<bool, BadInput> {
        let mut is_refuted = false;
        let automata: BTreeSet<AutomatonId> = chosen.iter().map(|c| c.automaton).collect();
        for automaton in automata {
            let source = self
                .sources
                .get_mut(&automaton)
                .expect("clauses come from a source");
            let own: Vec<&Choice> = chosen.iter().filter(|c| c.automaton == automaton).collect();
            let first = self.lemmas.len() + self.refuted;
            let names = (first..).map(|at| format!("chosen {at}"));
            let stated: Vec<Invariant> = own
                .iter()
                .zip(names)
                .map(|(choice, name)| source.stated(&choice.clause, &name))
                .collect();
            let refuted = source.second_look(&stated)?;
            for ((invariant, choice), refuted) in stated.into_iter().zip(own).zip(refuted) {
                is_refuted |= refuted;
                if refuted {
                    self.refuted += 1;
                    continue;
                }
                for cti in choice.excludes.keys() {
                    self.ctis[*cti].excluded_by.push(self.lemmas.len());
                }
                self.lemmas.push(Lemma {
                    invariant,
                    clause: choice.clause.clone(),
                    is_dropped: false,
                });
            }
        }
        Ok(is_refuted)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::time::Duration;

    use prover_bridge::Options;

    use super::super::super::super::request::Request;
    use super::super::super::effort::Effort;
    use super::super::super::gathered;
    use super::super::super::goals::Goals;
    use super::super::Ending;
    use super::*;
    use crate::host::Silent;
    use crate::instances::Instances;
    use crate::pipeline::candidates::Work;
    use crate::setup::Setup;
    use crate::study::Study;

    /// Once a ballot is open, no lower one can be completed any more: in each quorum somebody has not voted in that, and never will.
    const BALLOTS: &str = "\
type Acceptor
type Ballot
type Quorum
assumes TotalOrder(Ballot)
assumes Quorums(Quorum, Acceptor)
automaton Ballots
  signature internal join(a: Acceptor, b: Ballot), open(b: Ballot), vote(a: Acceptor, b: Ballot)
  states
    joined: Array[Acceptor, Null[Ballot]] := constant(nil),
    opened: Set[Ballot] := {},
    votes: Array[Acceptor, Set[Ballot]] := constant({})
  transitions
    internal join(a, b)
      pre joined[a] = nil \\/ joined[a].val < b
      eff joined[a] := embed(b)
    internal open(b)
      pre \\E q: Quorum \\A a: Acceptor (a \\in q => joined[a] = embed(b) /\\ votes[a] = {})
      eff opened := insert(b, opened)
    internal vote(a, b)
      pre b \\in opened /\\ (joined[a] = nil \\/ joined[a].val <= b)
      eff joined[a] := embed(b); votes[a] := insert(b, votes[a])
invariant One of Ballots:
  \\A b, c: Ballot
    ((\\E q: Quorum \\A a: Acceptor (a \\in q => b \\in votes[a]))
     /\\ (\\E q: Quorum \\A a: Acceptor (a \\in q => c \\in votes[a])) => b = c)
";

    #[test]
    fn a_lemma_that_a_step_breaks_is_strengthened_until_no_step_does() {
        let study = Study::of_text(BALLOTS);
        let request = Request::by_induction(Vec::new(), 1);
        let goals = Goals::of(&study, &request);
        let setup = study.sized(&Setup::default(), &goals.automata);
        // The first of the efforts, with enough to spend.
        let effort = Effort::all(3000.0)[0];
        let work = Rc::new(Work::default());
        let gathered = gathered(&goals, (&setup, &effort, &work), &Silent).expect("states");
        let mut sources = gathered.unwrap_or_else(|_| unreachable!("the goal holds"));
        let options = Options {
            timeout: Duration::from_secs(60),
            resource_limit: effort.work,
            threads: 1,
            ..Options::default()
        };
        let limits = (&effort, options, &(|| false) as &dyn Fn() -> bool);
        let known = (Vec::new(), &mut sources);
        let mut search = Search::new((&goals, &request), limits, known, &Silent);
        let ending = search.run(&mut Silent).expect("a search");
        assert!(matches!(ending, Ending::Inductive));
        let kept = search.lemmas.iter().filter(|lemma| !lemma.is_dropped);
        let mut kept = kept.map(|lemma| format!("{:?}", lemma.clause));
        assert!(kept.any(|clause| clause.contains("Stronger")));
        // What was found is true of all states of an instance.
        let lemmas = search.lemmas();
        let automaton = goals.automata[0];
        let instance = Instances::new(&goals.study, &setup)
            .of(automaton)
            .expect("sizes");
        let refuted = sources[&automaton].refuted_at(instance.universe(), &lemmas);
        assert!(!refuted.expect("a test").contains(&true));
    }
}
