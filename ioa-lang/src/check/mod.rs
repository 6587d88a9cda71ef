//! From syntax trees to the core: resolves names, determines the type of every term, and expands syntactic sugar.
//!
//! All items of all files share one name space. They are checked in rounds, so that an item may use later items: types,
//! theories, headings of automata, bodies of automata, and finally claims about automata. A mistake leaves its item out of
//! the model, and nothing else.

mod body;
mod claim;
mod claims;
mod composition;
mod context;
mod declare;
mod instance;
mod lint;
pub(crate) mod reread;
mod term;
mod widen;

use std::collections::BTreeSet;
use std::sync::Arc;

use body::{automaton, loops, signature, transition};
use claim::{guard, open, properties, traces, uses};
use context::{checker, report, scope, world};
use declare::{
    axioms, declarations, lets, order, ordered, parameters, theories, types, vocabularies,
};
use lint::{unreachable, unused};

use self::claims::{Names, invariants, is_named, liveness, schedules, simulations};
use self::report::{Report, duplicate};
use self::world::{Clauses, Header, Namespace, World};
use crate::core::{
    Automaton, AutomatonId, Extent, Guard, Invariant, Liveness, Model, OpenTerm, Schedule,
    Simulation, StateTerm, Type,
};
use crate::diagnostic::Diagnostic;
use crate::source::{Name, Span};
use crate::syntax::ast::{self, AutomatonItem, Item, VocabularyItem};

pub(crate) use self::report::sort_and_dedup;

/// Checks the items of all files together: the model as far as it was understood, and every diagnostic.
///
/// `unread` contains the words of those pieces of text that could not be fully parsed. A name among them may be declared
/// there, so it is not reported as missing.
#[must_use]
pub fn check(items: &[Item], unread: BTreeSet<Name>) -> (Model, Resolved, Vec<Diagnostic>) {
    let mut report = Report::new(unread);
    let mut world = World::default();
    let types = items.iter().flat_map(|item| match item {
        Item::Type(item) => std::slice::from_ref(item),
        Item::Vocabulary(item) if item.params.is_empty() => &item.types[..],
        _ => &[],
    });
    declarations::declare(types, &mut world, &mut report);
    let vocabularies: Vec<&VocabularyItem> = items
        .iter()
        .filter_map(|item| match item {
            Item::Vocabulary(item) => Some(item),
            _ => None,
        })
        .collect();
    vocabularies::declare(&vocabularies, &mut world, &mut report);
    for item in items {
        if let Item::Theory(theory) = item {
            theories::assume(theory, Namespace::All, &mut world, &mut report);
        }
    }
    let lets = items.iter().filter_map(|item| match item {
        Item::Let(item) => Some(item),
        _ => None,
    });
    lets::declare(lets, Namespace::All, &mut world, &mut report);
    let automata = declare_automata(items, &mut world, &mut report);
    for id in composition::components_first(&automata, &world, &mut report) {
        check_automaton(automata[id.index()], id, &mut world, &mut report);
    }
    let mut names = Names::new("the invariant");
    let invariants = invariants(items, &mut names, &mut world, &mut report);
    names.what = "the liveness property";
    let liveness = liveness(items, &mut names, &mut world, &mut report);
    let simulations = simulations(items, &mut world, &mut report);
    uses::check(items, &mut report);
    let schedules = schedules(items, &automata, &mut world, &mut report);
    unused::declarations(items, &world, &mut report);

    let clauses = world.clauses.clone();
    let cores = world.cores.clone();
    let mut kept: Vec<Option<AutomatonId>> = Vec::new();
    let mut model_automata = Vec::new();
    for ((item, clauses), core) in automata.iter().zip(clauses).zip(cores) {
        let has_name = is_named(&item.name, AutomatonId::at(kept.len()), &world);
        kept.push(core.filter(|_| has_name).map(|automaton| {
            model_automata.push(Automaton {
                transitions: clauses.understood,
                ..automaton
            });
            AutomatonId::at(model_automata.len() - 1)
        }));
    }
    theories::settle(&mut world, &kept);
    let mut model = Model {
        automata: model_automata,
        ..world.model.clone()
    };
    keep_properties(&mut model, &kept, invariants, simulations, schedules);
    model.liveness = liveness
        .into_iter()
        .filter_map(|property| {
            Some(Liveness {
                automaton: kept[property.automaton.index()]?,
                ..property
            })
        })
        .collect();
    (model, Resolved(Arc::new(world)), report.into_diagnostics())
}

/// What the names of a checked model stand for.
#[derive(Clone, Default)]
pub struct Resolved(Arc<World>);

impl std::fmt::Debug for Resolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let automata = self.0.automata.keys();
        f.debug_set().entries(automata).finish()
    }
}

impl Resolved {
    /// Why no simulation can relate two automata, if none can: one has an external action that the other does not have. The
    /// span is that of the statement that relates them.
    #[must_use]
    pub fn incomparable(&self, low: AutomatonId, high: AutomatonId, span: Span) -> Vec<Diagnostic> {
        let mut report = Report::new(BTreeSet::new());
        traces::comparable(low, high, span, &self.0, &mut report);
        report.into_diagnostics()
    }

    /// The invariant of an automaton that a formula is, if it has a meaning, and what is wrong with it.
    pub(crate) fn invariant(
        &self,
        name: &Name,
        about: (AutomatonId, Extent),
        formula: &ast::Expr,
        span: Span,
    ) -> (Option<Invariant>, Vec<Diagnostic>) {
        let mut report = Report::new(BTreeSet::new());
        let invariant = properties::stated(name, about, (formula, span), &self.0, &mut report);
        (invariant, report.into_diagnostics())
    }

    /// What is asked of the state before an action, if it has a meaning, and what is wrong with it.
    pub(crate) fn guard(
        &self,
        about: (AutomatonId, Extent),
        parts: (&ast::Expr, &ast::Expr),
    ) -> (Option<Guard>, Vec<Diagnostic>) {
        let mut report = Report::new(BTreeSet::new());
        let guard = guard::guard(about, parts, &self.0, &mut report);
        (guard, report.into_diagnostics())
    }

    /// What a term says about the states of an automaton, if it has a meaning, and what is wrong with it.
    pub(crate) fn term(
        &self,
        about: (AutomatonId, Extent),
        term: &ast::Expr,
        wanted: Option<&Type>,
    ) -> (Option<StateTerm>, Vec<Diagnostic>) {
        let mut report = Report::new(BTreeSet::new());
        let term = properties::term(about, term, wanted, &self.0, &mut report);
        (term, report.into_diagnostics())
    }

    /// The expressions that an automaton gives names to, in the order of their names, and then those that have names everywhere; the
    /// parameters are what each leaves open.
    #[must_use]
    pub fn named_expressions(&self, automaton: AutomatonId) -> Vec<(Name, OpenTerm)> {
        let namespaces = [Namespace::Automaton(automaton), Namespace::All];
        let known = namespaces
            .iter()
            .filter_map(|own| self.0.namespaces.get(own));
        let lets = known.flat_map(|entries| &entries.lets);
        lets.filter_map(|(name, own)| Some((name.clone(), own.as_open_term()?)))
            .collect()
    }

    /// The same of a term whose unknown names are variables.
    pub(crate) fn open_term(
        &self,
        automaton: AutomatonId,
        term: &ast::Expr,
        wanted: Option<&Type>,
    ) -> (Option<OpenTerm>, Vec<Diagnostic>) {
        let mut report = Report::new(BTreeSet::new());
        let term = open::open_term(automaton, term, wanted, &self.0, &mut report);
        (term, report.into_diagnostics())
    }
}

/// The names and parameters of all automata. An automaton whose name is taken has no name by which others could mean it,
/// but is checked like any other.
fn declare_automata<'a>(
    items: &'a [Item],
    world: &mut World,
    report: &mut Report,
) -> Vec<&'a AutomatonItem> {
    let mut automata: Vec<&AutomatonItem> = Vec::new();
    for item in items {
        let Item::Automaton(item) = item else {
            continue;
        };
        let id = AutomatonId::at(automata.len());
        if let Some(first) = world.automata.get(&item.name.name) {
            let first = automata[first.index()].name.span;
            report.add(duplicate("the automaton", &item.name, first));
        } else {
            world.automata.insert(item.name.name.clone(), id);
        }
        let open = parameters::declare(item, id, world, report);
        world.open.push(open);
        world.headers.push(Header::unknown(item.name.clone()));
        world.clauses.push(Clauses::default());
        world.cores.push(None);
        automata.push(item);
    }
    automata
}

/// Checks an automaton, after those it is composed of.
fn check_automaton(item: &AutomatonItem, id: AutomatonId, world: &mut World, report: &mut Report) {
    world.entered = vec![Namespace::Automaton(id)];
    if let Some(monitor) = &item.monitor {
        composition::monitor::observe(item, monitor, id, world, report);
        return;
    }
    composition::monitor::refuse_paths(item, report);
    if item.components.is_some() {
        composition::compose(item, id, world, report);
        lets::declare(item.lets.iter(), Namespace::Automaton(id), world, report);
        return;
    }
    world.headers[id.index()] = signature::header(item, world, report);
    lets::declare(item.lets.iter(), Namespace::Automaton(id), world, report);
    let (actions, action_ids) = signature::actions(item, world, report);
    let header = &mut world.headers[id.index()];
    (header.actions, header.action_ids) = (actions, action_ids);
    let body = automaton::body(item, id, world, report);
    let open = world.open[id.index()].to_core();
    world.cores[id.index()] =
        automaton::assemble(item, world.header(id), open, body.start, body.tasks);
    world.clauses[id.index()] = body.clauses;
}

/// Adds what is said about automata that are in the model, with their positions there.
fn keep_properties(
    model: &mut Model,
    kept: &[Option<AutomatonId>],
    invariants: Vec<Invariant>,
    simulations: Vec<Simulation>,
    schedules: Vec<Schedule>,
) {
    let position = |id: AutomatonId| kept[id.index()];
    model.invariants = invariants
        .into_iter()
        .filter_map(|invariant| {
            Some(Invariant {
                automaton: position(invariant.automaton)?,
                ..invariant
            })
        })
        .collect();
    model.simulations = simulations
        .into_iter()
        .filter_map(|simulation| {
            Some(Simulation {
                low: position(simulation.low)?,
                high: position(simulation.high)?,
                ..simulation
            })
        })
        .collect();
    model.schedules = schedules
        .into_iter()
        .filter_map(|schedule| {
            Some(Schedule {
                automaton: position(schedule.automaton)?,
                ..schedule
            })
        })
        .collect();
}
