//! Liveness properties are held to an enumeration of all ways to go round.

use std::collections::BTreeSet;

use interpreter::Instance;
use ioa_lang::core::Invariant;
use session::host::Silent;
use session::manifest::Manifest;
use session::pipeline::explore::{self, ExplorePlan, Limits};
use session::pipeline::liveness::{Dead, Outcome, Transient, answers};
use session::study::Study;
use test_support::generate::Model;
use test_support::reference::Lassos;

use crate::verdict::{Case, Seen, Unlike, refused, template};

/// An automaton with more reachable states is not looked at.
const STATES: usize = 60;

impl Case {
    /// The first liveness property of a text is decided as the enumeration says, by machine code and without it.
    pub(crate) fn against_the_enumeration(&self, text: &str) -> Result<BTreeSet<Seen>, Unlike> {
        let property = &self.model.liveness[0];
        let expected = self.world().lassos(property, STATES);
        let expected = expected.map_err(|why| Unlike::Skipped(format!("the reference: {why}")))?;
        let mut seen = BTreeSet::new();
        for native in [false, true] {
            seen.extend(self.decided(text, native, &expected)?);
        }
        Ok(seen)
    }

    /// The property of a monitor is decided as the enumeration says of the composition that is its twin, which has as many
    /// states and as short lassos.
    pub(crate) fn against_the_composition(&self, model: &Model) -> Result<BTreeSet<Seen>, Unlike> {
        let text = model.twin.clone().expect("a monitor has a twin");
        let twin = Case::new(&Model {
            text,
            ..model.clone()
        });
        let twin =
            twin.map_err(|error| Unlike::Skipped(format!("the twin: {}", template(&error))))?;
        let expected = twin.world().lassos(&twin.model.liveness[0], STATES);
        let expected = expected.map_err(|why| Unlike::Skipped(format!("the reference: {why}")))?;
        let mut seen = BTreeSet::new();
        for native in [false, true] {
            seen.extend(self.decided(&model.text, native, &expected)?);
        }
        let own = self.world().lassos(&self.model.liveness[0], STATES);
        let own = own.map_err(|why| Unlike::Skipped(format!("the reference: {why}")))?;
        match own == expected {
            true => Ok(seen),
            false => Err(Unlike::Differs {
                what: "a monitor and its composition".into(),
                shown: format!(
                    "the composition {expected:?}
the monitor {own:?}"
                ),
            }),
        }
    }

    fn decided(
        &self,
        text: &str,
        native: bool,
        expected: &Lassos,
    ) -> Result<BTreeSet<Seen>, Unlike> {
        let mut sources = ioa_lang::Sources::new();
        sources.add("random.ioa", text);
        let study = Study::from_sources(Manifest::default(), "random.ioa".into(), sources);
        let mut study = study.expect("the text was read before");
        study.possible = self.possible().into_iter().collect();
        let instance = Instance::new(study.model.clone(), self.universe.clone());
        let plan = ExplorePlan {
            native,
            ..ExplorePlan::survey(self.automaton, Limits::default())
        };
        let explored = match explore::explore(&study, &instance, &plan, 1, &Silent) {
            Ok(explored) => explored,
            Err(_) if !expected.faults.is_empty() || expected.states == 0 => {
                return Ok(BTreeSet::from([Seen::Fault]));
            }
            Err(bad) => return Err(refused(&bad.render(false), "a liveness property")),
        };
        let mut answers = answers(&study, &explored, &plan, &Silent);
        let found = answers.remove(0).outcome;
        let possible = answers.pop().map(|answer| answer.outcome);
        let unlike = |what: &str| Unlike::Differs {
            what: format!("a liveness property: {what}"),
            shown: format!("expected {expected:?}\nfound    {found:?}"),
        };
        let mut all = BTreeSet::from([verdict(&found, expected).map_err(unlike)?]);
        all.extend(match possible {
            None => None,
            Some(possible) => what_is_possible(&possible, expected).map_err(unlike)?,
        });
        Ok(all)
    }

    /// The first formula of the property, if it has no parameters.
    fn possible(&self) -> Option<Invariant> {
        let property = &self.model.liveness[0];
        let formula = property.formula.formulas()[0].clone();
        property.params.is_empty().then(|| Invariant {
            name: property.name.clone(),
            automaton: property.automaton,
            locals: property.locals.clone(),
            formula,
            uses: None,
            span: property.span,
        })
    }
}

/// What is seen of the property, if it is decided as expected; otherwise how it differs.
fn verdict(found: &Outcome, expected: &Lassos) -> Result<Seen, &'static str> {
    let is_at_fault = !expected.faults.is_empty() || expected.states == 0;
    match (found, expected.shortest) {
        (Outcome::Unknown(_), _) if is_at_fault => Ok(Seen::Fault),
        (Outcome::Unknown(_), _) => Err("unknown"),
        _ if is_at_fault => Err("a verdict on what is at fault"),
        (Outcome::Undefined(_), _) if expected.undefined => Ok(Seen::UndefinedTerm),
        (Outcome::Undefined(_), _) => Err("undefined"),
        _ if expected.undefined => Err("defined"),
        (Outcome::Possible { .. } | Outcome::Dead(_), _) => Err("the answer to another question"),
        (Outcome::Holds { .. }, None) => Ok(Seen::Holds),
        (Outcome::Holds { .. }, Some(_)) => Err("a lasso is missed"),
        (Outcome::Violated(_), None) => Err("there is no such lasso"),
        (Outcome::Violated(lasso), Some(shortest)) => {
            if lasso.disagreement.is_some() || lasso.is_unfair() {
                return Err("a lasso that is none");
            }
            let length = lasso.trace.steps.len();
            // Several values of the parameters may each have a lasso, of which the first is shown.
            let is_only = lasso.values.is_empty();
            if length < shortest || is_only && lasso.is_shortest && length > shortest {
                return Err("the length of a lasso");
            }
            match length > lasso.stem {
                true => Ok(Seen::Cycle),
                false => Ok(Seen::Rest),
            }
        }
    }
}

/// What is seen of whether the first formula stays possible, if it is decided as expected; otherwise how it differs. Nothing is
/// seen where somebody cannot decide it: the reference stops where a formula has no value.
fn what_is_possible(found: &Outcome, expected: &Lassos) -> Result<Option<Seen>, &'static str> {
    match (found, expected.dead) {
        _ if expected.undefined => Ok(None),
        (Outcome::Unknown(_) | Outcome::Undefined(_), _) => Ok(None),
        (Outcome::Possible { transient, .. }, None)
            if is_farthest(transient.as_ref(), expected) =>
        {
            Ok(Some(Seen::Possible))
        }
        (Outcome::Dead(dead), Some(steps))
            if dead.trace.steps.len() == steps
                && is_way_out(dead)
                && is_farthest(dead.transient.as_ref(), expected) =>
        {
            Ok(Some(Seen::Dead))
        }
        _ => Err("what is possible"),
    }
}

/// Whether the transient state from which the most steps are needed is one, and the way from there begins in it.
fn is_farthest(transient: Option<&Transient>, expected: &Lassos) -> bool {
    let farthest = transient.map_or(0, Transient::farthest);
    let begins = transient.is_none_or(|one| one.trace.last() == &one.way_out.start);
    farthest == expected.farthest as u64 && begins
}

/// Whether the way out of a dead end begins in the state before it.
fn is_way_out(dead: &Dead) -> bool {
    let before = dead.trace.steps.len().checked_sub(1);
    let before = before.and_then(|before| dead.trace.state(before));
    dead.way_out.as_ref().map(|way| &way.start) == before
}
