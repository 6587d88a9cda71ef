//! What is not proved of goals and lemmas relative to each other: all of them are assumed before each step.

use std::collections::BTreeSet;

use ioa_lang::core::Invariant;
use prover_bridge::{
    Counterexample, Kind, Obligation, Options, Part, Reason, Target, failing, obligations,
};

use super::super::super::request::Request;
use super::super::super::subject::{Subject, Wanted, subject};
use super::super::goals::Goals;
use crate::host::Host;

/// Lemmas that a question is about.
#[derive(Clone, Copy)]
pub(in super::super) struct Lemmas<'l> {
    /// These are inductive by themselves, so they are assumed and not asked about.
    pub(in super::super) known: &'l [Invariant],
    pub(in super::super) chosen: &'l [Invariant],
}

/// An obligation that does not follow.
pub(in super::super) struct Unproved {
    /// The chosen lemma that it is about, by position, if it is not about a goal.
    pub(in super::super) lemma: Option<usize>,
    pub(in super::super) obligation: Obligation,
    /// The invariant that the step breaks, if it is one.
    pub(in super::super) broken: Option<Invariant>,
    pub(in super::super) found: Result<Counterexample, Reason>,
}

impl Lemmas<'_> {
    /// All that is assumed with the goals.
    pub(in super::super) fn with(self, goals: &Goals) -> Vec<Invariant> {
        let all = [self.known, self.chosen, &goals.study.model.invariants];
        all.concat()
    }

    /// What does not follow of the goals that a request is about and of the chosen lemmas, without what is known to hold, by name;
    /// what does is added to that.
    pub(in super::super) fn unproved(
        self,
        (goals, request): (&Goals, &Request),
        holds: &mut BTreeSet<String>,
        options: &Options<'_>,
        host: &dyn Host,
    ) -> Vec<Unproved> {
        let own = self.known.len()..self.known.len() + self.chosen.len();
        let sources = goals.study.sources.clone();
        let study = goals.study.stating(sources, self.with(goals));
        let target = Target::everything(&study.model);
        let wanted = Wanted::of(&study, request);
        let about = |kind: Kind| match (kind, subject(&study, kind)) {
            (Kind::Definedness(Part::Invariant(i)), _) | (_, Subject::Invariant(i)) => Some(i),
            _ => None,
        };
        let is_wanted = |kind: Kind| match about(kind) {
            Some(invariant) => invariant >= own.start,
            None => wanted.contains(&study, subject(&study, kind)),
        };
        let mut asked = obligations(&target);
        asked.retain(|o| is_wanted(o.kind) && !holds.contains(&o.name));
        let kinds: BTreeSet<Kind> = asked.iter().map(|o| o.kind).collect();
        let only = |kind: Kind| kinds.contains(&kind);
        let options = Options {
            only: Some(&only),
            ..options.clone()
        };
        let failing = failing(&target, &options, &|| host.now());
        let failed: BTreeSet<Kind> = failing.iter().map(|f| f.obligation.kind).collect();
        let proved = asked.into_iter().filter(|o| !failed.contains(&o.kind));
        holds.extend(proved.map(|o| o.name));
        let unproved = failing.into_iter().map(|failing| Unproved {
            lemma: about(failing.obligation.kind)
                .filter(|invariant| own.contains(invariant))
                .map(|invariant| invariant - own.start),
            broken: match failing.obligation.kind {
                Kind::Consecution { invariant, .. } => {
                    Some(study.model.invariants[invariant].clone())
                }
                _ => None,
            },
            obligation: failing.obligation,
            found: failing.found,
        });
        unproved.collect()
    }
}
