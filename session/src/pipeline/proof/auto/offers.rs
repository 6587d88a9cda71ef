//! Invariants that are offered after a failed proof: each excludes the state before the step of a counterexample to induction,
//! and holds in all states that were visited.
//!
//! Of thousands of such clauses most exclude the state for what does not matter in it. Those that help are found by asking the
//! solver: with them, the obligation is proved, so that they exclude all of its counterexamples.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, Expr, ExprKind, Invariant, Model, Quantifier};
use prover_bridge::{Kind as Question, Options, Target, is_relatively_inductive};

use super::effort::PATIENCE;
use super::executed::Step;
use super::search::archive::{Cti, Failed, Owner, taken_in, targets};
use super::search::cover::Choice;
use super::source::Sources;
use super::told::{free_names, statement};
use crate::host::{Host, Stopwatch};
use crate::pipeline::candidates::formula_text;
use crate::study::{BadInput, Study};

/// So many are offered for each counterexample, if there are as many.
const MOST: usize = 3;

/// So many of the simplest ones of each automaton are looked at.
const TRIED: usize = 60;

/// Seconds for the question which of them settle the matter, and work for each question.
const SETTLING: f64 = 2.0;
const SETTLING_WORK: u32 = 500_000;

/// An invariant that excludes the state before a step.
pub(super) struct Offer {
    lemma: Invariant,
    /// How intricate it is. What says that something exists excludes many states for no reason of theirs.
    cost: (bool, u32),
    /// Whether the obligation is proved if it is assumed.
    pub(super) settles: bool,
}

/// For each counterexample, by name, what may be assumed to exclude the state before the step: what settles the matter, if anything
/// does. `all` is the study with everything that is stated, also what is proved.
///
/// # Errors
/// Why formulas cannot be evaluated.
pub(super) fn offers(
    (all, study): (&Study, &Study),
    open: &[Step<'_>],
    sources: &mut Sources<'_>,
    host: &dyn Host,
) -> Result<BTreeMap<String, Vec<Offer>>, BadInput> {
    let failed = open.iter().map(|step| Failed {
        owner: Owner::Goal,
        obligation: step.name.clone(),
        broken: None,
        found: step.found.clone(),
    });
    let ctis = taken_in(study, sources, (failed.collect(), &[]));
    let started = Stopwatch::start(host);
    let mut offers = BTreeMap::new();
    for step in open {
        let name = &step.name;
        let own = ctis.iter().enumerate();
        let own: BTreeMap<usize, &Cti> = own.filter(|(_, cti)| cti.obligation == *name).collect();
        let mut found = excluding(&own, sources)?;
        // Two clauses may be the same in their simplest form, which is what people get.
        let mut texts = BTreeSet::new();
        found.retain(|Offer { lemma, .. }| {
            texts.insert((lemma.automaton, formula_text(&all.model, lemma)))
        });
        let mut settled = 0;
        for offer in &mut found {
            let is_late = started.seconds() > SETTLING || host.stopped().is_some();
            if settled >= MOST || is_late {
                break;
            }
            offer.settles = settles(all, step.obligation.kind, &offer.lemma, host);
            settled += usize::from(offer.settles);
        }
        if settled > 0 {
            found.retain(|offer| offer.settles);
        }
        found.truncate(MOST);
        offers.insert(name.clone(), found);
    }
    Ok(offers)
}

/// Clauses that exclude the states of a counterexample and that no instance at hand refutes, the simplest first.
fn excluding(
    own: &BTreeMap<usize, &Cti>,
    sources: &mut Sources<'_>,
) -> Result<Vec<Offer>, BadInput> {
    let mut found = Vec::new();
    for (automaton, source) in sources {
        let spots = || {
            let spots = own.values().flat_map(|cti| &cti.spots);
            spots.filter(|spot| spot.automaton == *automaton)
        };
        let targets = targets(spots());
        if targets.is_empty() {
            continue;
        }
        let exclusions = source.excluding(&targets)?.into_iter();
        let choices = exclusions.map(|found| Choice::new(*automaton, found, &targets, own));
        let choices = choices.filter(|choice| !choice.excludes.is_empty());
        let offer = |(at, choice): (usize, Choice)| {
            let lemma = source.stated(&choice.clause, &format!("offered {at}"));
            Offer {
                cost: (says_that_something_exists(&lemma.formula), choice.cost),
                lemma,
                settles: false,
            }
        };
        let mut offers: Vec<Offer> = choices.enumerate().map(offer).collect();
        offers.sort_by_key(|offer| offer.cost);
        offers.truncate(TRIED);
        let refuted = source.second_look(&lemmas(&offers))?;
        drop_refuted(&mut offers, &refuted);
        for spot in spots() {
            let refuted = source.refuted_at(&spot.universe, &lemmas(&offers))?;
            drop_refuted(&mut offers, &refuted);
        }
        found.append(&mut offers);
    }
    found.sort_by_key(|offer| offer.cost);
    Ok(found)
}

fn lemmas(offers: &[Offer]) -> Vec<Invariant> {
    offers.iter().map(|offer| offer.lemma.clone()).collect()
}

/// Drops the offers that are refuted; there is a flag for each.
fn drop_refuted(offers: &mut Vec<Offer>, refuted: &[bool]) {
    let mut refuted = refuted.iter();
    offers.retain(|_| refuted.next() != Some(&true));
}

fn says_that_something_exists(formula: &Expr) -> bool {
    let mut says = false;
    formula.walk(&mut |expr| {
        says |= matches!(expr.kind, ExprKind::Quantified(Quantifier::Exists, ..));
    });
    says
}

/// Whether an obligation is proved if this invariant is assumed beside all that are stated.
fn settles(all: &Study, obligation: Question, lemma: &Invariant, host: &dyn Host) -> bool {
    let mut invariants = all.model.invariants.clone();
    invariants.push(lemma.clone());
    let study = all.stating(all.sources.clone(), invariants);
    let only = |asked: Question| asked == obligation;
    let stop = || host.stopped().is_some();
    let options = Options {
        timeout: PATIENCE,
        resource_limit: SETTLING_WORK,
        only: Some(&only),
        stop: Some(&stop),
        ..Options::default()
    };
    let target = Target::everything(&study.model);
    is_relatively_inductive(&target, &options, &|| host.now())
}

/// Texts of what is offered, each with a name that no other invariant has.
pub(super) struct Names<'m> {
    model: &'m Model,
    free: Box<dyn Iterator<Item = String> + 'm>,
    /// The texts so far, by their automata and formulas.
    given: BTreeMap<(AutomatonId, String), String>,
}

impl<'m> Names<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        Self {
            model,
            free: Box::new(free_names(model)),
            given: BTreeMap::new(),
        }
    }

    pub(super) fn texts(&mut self, offers: &[Offer]) -> Vec<String> {
        let lemmas = offers.iter().map(|offer| &offer.lemma);
        lemmas.map(|lemma| self.text(lemma)).collect()
    }

    fn text(&mut self, lemma: &Invariant) -> String {
        let (model, automaton) = (self.model, lemma.automaton);
        let formula = formula_text(model, lemma);
        let given = self.given.entry((automaton, formula.clone()));
        let text = given.or_insert_with(|| {
            let name = self.free.next().unwrap_or_default();
            statement(model, automaton, &name, &formula)
        });
        text.clone()
    }
}
