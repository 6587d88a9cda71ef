//! What cannot be meant in a finite instance: found before anything runs in it, shown as warnings about the text.

use std::collections::BTreeSet;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::Name;
use ioa_lang::core::{Automaton, AutomatonId};
use ioa_lang::diagnostic::{Code, Diagnostic, Severity};
use prover_bridge::{About, Options, Reason, Warning, warnings_at};

use crate::host::{Host, Stopwatch};
use crate::interpretation;
use crate::pipeline::explore::Ended;
use crate::pipeline::unreached;
pub use crate::pipeline::unreached::MAX_STATES;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// What was found when automata were inspected.
#[derive(Clone, Debug, Default)]
pub struct Doubts {
    /// What cannot be meant.
    pub warnings: Vec<Diagnostic>,
    /// The automata whose reachable states were not all visited: they have more than [`MAX_STATES`], or it took too long.
    pub unvisited: Vec<Name>,
}

/// What some automata cannot mean at the sizes of a universe: components that do not fit, clauses that never happen, invariants
/// that say nothing. What the solver can tell comes first; what only the reachable states show is added where they are
/// few.
///
/// # Errors
/// The sizes are too large for it.
pub fn doubts(
    study: &Study,
    universe: Universe,
    automata: &[AutomatonId],
    setup: &Setup,
    host: &dyn Host,
) -> Result<Doubts, Reason> {
    let threads = setup.threads;
    let stop = || host.stopped().is_some();
    let options = Options {
        threads,
        stop: Some(&stop),
        ..Options::default()
    };
    let sizes = study.given_sizes(&universe);
    let sizes: Vec<String> = sizes.iter().map(|(s, n)| format!("{s}={n}")).collect();
    let sizes = sizes.join(" ");
    let automata = sized(study, &universe, automata);
    let progress = host.begins("inspecting", None);
    let warnings = warnings_at(&study.model, &universe, &automata, &sizes, &options)?;
    drop(progress);
    let instance = Instance::new(Arc::clone(&study.model), universe);
    let mut doubts = unmet(&instance, &automata);
    doubts.extend(unlisted(&instance, &automata));
    doubts.extend(warnings.iter().map(told));
    let is_known = |about: &About| warnings.iter().any(|warning| warning.about == *about);
    let at = match sizes.as_str() {
        "" => String::new(),
        sizes => format!(" at {sizes}"),
    };
    let mut unvisited = Vec::new();
    let started = Stopwatch::start(host);
    for automaton in automata {
        let left = unreached::PATIENCE - started.seconds();
        if left <= 0.0 {
            unvisited.push(study.model.automaton(automaton).name.clone());
            continue;
        }
        let about = (automaton, &instance);
        // What cannot be explored at all is told by those who ask for it.
        let Some(found) = unreached::explored(study, setup, about, left, host) else {
            continue;
        };
        if found.ended != Ended::Complete {
            unvisited.push(study.model.automaton(automaton).name.clone());
            continue;
        }
        let interpreted = interpretation::words(study, instance.universe(), automaton, found.tried);
        let at = interpreted.map_or(at.clone(), |words| format!("{at} {words}"));
        let unreached = unreached::warnings(study, &found, &at).into_iter();
        let new = unreached.filter(|(about, _)| !is_known(about));
        doubts.extend(new.map(|(_, warning)| warning));
    }
    Ok(Doubts {
        warnings: doubts,
        unvisited,
    })
}

/// Those automata whose type parameters have sizes.
fn sized(study: &Study, universe: &Universe, automata: &[AutomatonId]) -> Vec<AutomatonId> {
    let is_sized = |automaton: &Automaton| {
        let mut sorts = automaton.parameters.sorts.iter();
        sorts.all(|sort| !universe.is_open(*sort))
    };
    let automata = automata.iter().copied();
    automata
        .filter(|id| is_sized(study.model.automaton(*id)))
        .collect()
}

/// What cannot be run or evaluated in any instance, for it ranges over values without end. Nothing is said about automata that
/// have no small instance.
///
/// # Errors
/// The name of an automaton that does not exist.
pub fn endless(study: &Study, setup: &Setup) -> Result<Vec<Diagnostic>, BadInput> {
    let mut warnings = Vec::new();
    for (setting, automata) in study.by_setting(setup.automaton.as_deref())? {
        let setup = study.sized(setup, &automata);
        if let Ok(universe) = study.universe(&setup, setting) {
            let instance = Instance::new(Arc::clone(&study.model), universe);
            warnings.extend(unlisted(&instance, &automata));
        }
    }
    Ok(warnings)
}

/// What automata ask of an instance and do not get.
fn unmet(instance: &Instance, automata: &[AutomatonId]) -> Vec<Diagnostic> {
    let unmet = automata.iter().flat_map(|id| instance.unmet(*id).cloned());
    let warned = unmet.map(|diagnostic| Diagnostic {
        severity: Severity::Warning,
        ..diagnostic
    });
    warned.collect()
}

/// What of automata cannot be run or evaluated in an instance, since its values cannot be listed.
fn unlisted(instance: &Instance, automata: &[AutomatonId]) -> Vec<Diagnostic> {
    // What is only a part of a composition is not run by itself.
    let models = instance.model().automata.iter();
    let parts: BTreeSet<&str> = models
        .flat_map(|whole| whole.components.iter().map(|part| &*part.automaton))
        .collect();
    let whole = automata.iter();
    let whole = whole.filter(|id| !parts.contains(&*instance.model().automaton(**id).name));
    let unrunnable = whole.flat_map(|id| {
        let name = instance.model().automaton(*id).name.clone();
        let why = instance.unrunnable(*id).into_iter();
        why.map(move |diagnostic| Diagnostic {
            severity: Severity::Warning,
            message: format!("{name} cannot be run: {}", diagnostic.message),
            ..diagnostic.clone()
        })
    });
    let unevaluable = automata.iter().flat_map(|id| instance.unevaluable(*id));
    let unevaluable = unevaluable.flat_map(|(position, why)| {
        let name = instance.model().invariants[position].name.clone();
        why.iter().map(move |diagnostic| Diagnostic {
            severity: Severity::Warning,
            message: format!(
                "{name} can be proved, but not evaluated: {}",
                diagnostic.message
            ),
            ..diagnostic.clone()
        })
    });
    unrunnable.chain(unevaluable).collect()
}

fn told(warning: &Warning) -> Diagnostic {
    let told = Diagnostic::warning(Code::Vacuous, warning.span, warning.to_string());
    let told = match warning.with.is_empty() {
        true => told,
        false => told.label("this contradicts"),
    };
    let with = warning.with.iter();
    with.fold(told, |told, span| told.related(*span, "this"))
}
