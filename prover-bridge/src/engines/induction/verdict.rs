//! From answers to verdicts: counterexamples, missing lemmas, costs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ioa_lang::Name;

use super::condition::{Lacking, roots, unclear};
use super::round::{Purpose, Raw, Round};
use super::spread::spread;
use super::warnings::warnings;
use crate::counterexample::{self, Found, Search};
use crate::obligations::{Kind, Obligation, Target, Unit, units};
use crate::options::{Allowance, Options};
use crate::reason::Reason;
use crate::report::{Condition, Outcome, Report, Spent, Verdict};
use crate::solver::{Answer, in_context_of};
use crate::watch::Clock;
use crate::watch::Task;

/// Turns raw answers into outcomes.
pub(super) struct Finish<'r, 'a> {
    pub(super) target: &'r Target<'a>,
    pub(super) options: &'r Options<'r>,
    pub(super) clock: Clock<'r>,
    /// When the proof began.
    pub(super) begun: Duration,
    pub(super) established: &'r [bool],
}

impl Finish<'_, '_> {
    pub(super) fn write(
        &self,
        listed: Vec<Obligation>,
        settled: &BTreeMap<Kind, Raw>,
        lost: &BTreeSet<Kind>,
    ) -> Report {
        let lacking = self.lacking(settled, lost);
        let proved = (self.clock)();
        let searched = self.search(settled, lost);
        let found = (self.clock)();
        let outcomes: Vec<Outcome> = listed
            .into_iter()
            .filter_map(|obligation| {
                let raw = settled.get(&obligation.kind)?;
                let lacking = lacking.get(&obligation.kind);
                let searched = searched.get(&obligation.kind);
                Some(self.outcome(obligation, raw, lacking, searched))
            })
            .collect();
        let warnings = warnings(self.target, self.options, self.established);
        Report {
            queries: outcomes.iter().map(|o| o.queries).sum(),
            established: self.established.to_vec(),
            outcomes,
            warnings,
            spent: Spent {
                proofs: proved.saturating_sub(self.begun),
                counterexamples: found.saturating_sub(proved),
                warnings: (self.clock)().saturating_sub(found),
            },
        }
    }

    /// For each obligation that was proved with invariants withdrawn since: which of those its proof waits for.
    fn lacking(
        &self,
        settled: &BTreeMap<Kind, Raw>,
        lost: &BTreeSet<Kind>,
    ) -> BTreeMap<Kind, Lacking> {
        let mine = |kinds: &[Kind]| kinds.iter().copied().filter(|k| lost.contains(k)).collect();
        let open: Vec<(Unit, Vec<Kind>)> = units(self.target)
            .into_iter()
            .map(|(unit, kinds)| (unit, mine(&kinds)))
            .filter(|(_, kinds): &(Unit, Vec<Kind>)| !kinds.is_empty())
            .collect();
        let options = Options {
            needed_invariants: true,
            ..self.options.clone()
        };
        let round = Round {
            target: self.target,
            assumable: &vec![true; self.established.len()],
            options: &options,
            clock: self.clock,
            lanes: None,
            purpose: Purpose::Search,
        };
        let withdrawn = |i: &usize| !self.established[*i];
        let answers = round.solve(&open).into_iter();
        let needed = answers.map(|(kind, raw)| {
            let needed = match (raw.needed, raw.answer) {
                (Some(needed), _) => needed,
                // The proof was stopped before this was found out.
                (None, Answer::Unknown(Reason::Stopped)) => Vec::new(),
                // All were assumed when it was proved: where it was not found in time which of them it needs, it waits for all.
                (None, _) => (0..self.established.len()).collect(),
            };
            let lacking = Lacking {
                invariants: needed.into_iter().filter(withdrawn).collect(),
                time: raw.time,
            };
            (kind, lacking)
        });
        let open = settled.iter().filter(|(_, raw)| !raw.is_grounded());
        let open: BTreeSet<Kind> = open.map(|(kind, _)| *kind).collect();
        roots(&needed.collect(), &open)
    }

    /// Small counterexamples: to what was not proved with all invariants assumed, and to what is lost with those that
    /// are withdrawn.
    fn search(
        &self,
        settled: &BTreeMap<Kind, Raw>,
        lost: &BTreeSet<Kind>,
    ) -> BTreeMap<Kind, (Search<Found>, Duration)> {
        let mut open = Vec::new();
        for (unit, kinds) in units(self.target) {
            for kind in kinds {
                if let Some(raw) = settled.get(&kind)
                    && may_be_refuted(&raw.answer)
                    && !self.options.is_given_up(Task::Obligation(kind))
                {
                    open.push((unit, kind, raw));
                }
            }
        }
        let all = vec![true; self.established.len()];
        let assumable = |kind: &Kind| {
            let assumable = match lost.contains(kind) {
                true => self.established,
                false => &all,
            };
            self.target.assumable(*kind, assumable)
        };
        let found = spread(&open, self.options.threads, |(unit, kind, raw)| {
            let begun = (self.clock)();
            self.options.turns_to_obligations(&[*kind]);
            let sizes = raw.sizes.as_deref();
            let assumable = assumable(kind);
            let limits = (self.options, Allowance::of(self.options, self.clock, begun));
            let asked = (*unit, *kind);
            let search = in_context_of(self.options, || {
                counterexample::find((self.target, 0), asked, &assumable, sizes, limits)
            });
            self.options.turns_to(&[]);
            vec![(*kind, (search, (self.clock)().saturating_sub(begun)))]
        });
        found.into_iter().collect()
    }

    fn outcome(
        &self,
        obligation: Obligation,
        raw: &Raw,
        lacking: Option<&Lacking>,
        searched: Option<&(Search<Found>, Duration)>,
    ) -> Outcome {
        let names = |of: &Vec<usize>| -> Vec<Name> {
            of.iter()
                .map(|i| self.target.invariants[*i].name.clone())
                .collect()
        };
        let invariants = lacking.map(|lacking| &lacking.invariants);
        let verdict = match (&raw.answer, invariants, searched) {
            (Answer::Unsat, _, _) => match &raw.basis {
                Some(Ok(grounded)) => Verdict::Proved(*grounded),
                Some(Err(why)) => Verdict::Vacuous(why.clone()),
                None => Verdict::Unknown(Reason::Incomplete(
                    "whether what it assumes can be was not asked".into(),
                )),
            },
            (_, Some(none), _) if none.is_empty() => Verdict::Unknown(unclear()),
            (_, Some(invariants), searched) => Verdict::ProvedIf(Condition {
                invariants: names(invariants),
                without: searched.and_then(|(search, _)| {
                    let found = search.found.as_ref().ok()?;
                    Some(Box::new(found.first.clone()))
                }),
            }),
            (answer, None, Some((search, _))) => judged(answer, &search.found),
            (Answer::Unknown(reason), None, None) => Verdict::Unknown(reason.clone()),
            (Answer::Sat, None, None) => Verdict::Unknown(Reason::Incomplete(
                "no counterexample was looked for".into(),
            )),
        };
        let others = match (&verdict, searched) {
            (
                Verdict::Refuted(_),
                Some((
                    Search {
                        found: Ok(found), ..
                    },
                    _,
                )),
            ) => found.others.clone(),
            _ => Vec::new(),
        };
        let (extra, time) = searched.map_or((0, Duration::ZERO), |(s, t)| (s.queries, *t));
        let time = time + lacking.map_or(Duration::ZERO, |lacking| lacking.time);
        Outcome {
            obligation,
            verdict,
            time: raw.time + time,
            resources: raw.resources,
            queries: raw.queries + extra,
            needed: raw.needed.as_ref().map(names),
            others,
            recalled: raw.recalled,
        }
    }
}

/// Whether a counterexample may be found though the unbounded question had this answer.
pub(super) fn may_be_refuted(answer: &Answer) -> bool {
    match answer {
        Answer::Unsat => false,
        Answer::Sat => true,
        Answer::Unknown(reason) => {
            !matches!(reason, Reason::OutsideEncoding { .. } | Reason::Stopped)
        }
    }
}

/// The verdict where the unbounded question had this answer and the search came to that. Only a counterexample in hand
/// refutes: the solver's own may have infinite sets, or sizes that are none.
fn judged(answer: &Answer, found: &Result<Found, Reason>) -> Verdict {
    match (found, answer) {
        (Ok(found), _) => Verdict::Refuted(Box::new(found.first.clone())),
        (Err(_), Answer::Unknown(reason)) => Verdict::Unknown(reason.clone()),
        (Err(Reason::Incomplete(why)), _) => Verdict::Unknown(Reason::Incomplete(format!(
            "the solver has a countermodel, but {why}"
        ))),
        (Err(reason), _) => Verdict::Unknown(reason.clone()),
    }
}
