//! The small instances that a suggestion is looked for in.

use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Model, Simulation};
use paired_exec::{Joint, JointError, Reach};

use crate::host::Host;
use crate::instances::SMALL;
use crate::numbers::count;
use crate::pipeline::pairs::definition::reason;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// The sizes of sorts, by name.
pub(super) type Sizes = Vec<(String, u64)>;

/// An instance with the pairs of states that may be related.
pub(super) struct Sample {
    pub(super) universe: Universe,
    pub(super) instance: Arc<Instance>,
    pub(super) joint: Joint,
    /// For each low state the high states that a refinement mapping may map it to; where there is no such mapping, those that
    /// it may be related to.
    pub(super) related: Vec<Vec<usize>>,
    /// The sizes, as people write them.
    pub(super) sizes: Sizes,
}

/// How far each instance is looked at.
const REACH: Reach = Reach {
    low_states: 1_500,
    pairs: 12_000,
    fragment: 3,
};

/// At most so many instances are looked at.
const INSTANCES: usize = 5;

impl Sample {
    /// The values that a high variable may have beside a low state.
    pub(super) fn allowed(&self, low: usize, value: &dyn Fn(usize) -> Value) -> Vec<Value> {
        let mut values: Vec<Value> = self.related[low].iter().map(|high| value(*high)).collect();
        values.sort();
        values.dedup();
        values
    }

    /// The low states that may be related to something.
    pub(super) fn low_states(&self) -> Vec<usize> {
        let states = 0..self.related.len();
        states
            .filter(|low| !self.related[*low].is_empty())
            .collect()
    }

    fn of(
        (model, universe): (&Arc<Model>, Universe),
        simulation: &Simulation,
        sizes: Sizes,
        host: &dyn Host,
    ) -> Result<Self, JointError> {
        let instance = Arc::new(Instance::new(Arc::clone(model), universe.clone()));
        let mut progress = host.begins("pairing states", None);
        let joint = Joint::explore(
            &instance,
            simulation,
            REACH,
            &mut |_, _| Ok(true),
            &mut |pairs| {
                progress.say(&format!("{} pairs of states", count(pairs as u64)));
                host.stopped().is_none()
            },
        )?;
        let related = images(&joint);
        Ok(Self {
            universe,
            instance,
            joint,
            related,
            sizes,
        })
    }
}

/// The instances, with more than one element of each sort first. In each of them both automata can be run.
///
/// # Errors
/// Sizes that do not fit the model; why an automaton cannot be run.
pub(super) fn samples(
    (study, setup): (&Study, &Setup),
    simulation: &Simulation,
    host: &dyn Host,
) -> Result<Vec<Sample>, BadInput> {
    let setting = study.model.setting_of_simulation(simulation);
    let mut samples = Vec::new();
    for sizes in sizes(study, setup, [simulation.low, simulation.high]) {
        let setup = setup.at_sizes(sizes.clone());
        let is_first = samples.is_empty();
        let universes = match study.universes(&setup, setting.clone()) {
            Ok(universes) => universes.each,
            Err(refused) if is_first => return Err(refused),
            Err(_) => continue,
        };
        for universe in universes.into_iter().take(2) {
            let about = (&study.model, universe);
            match Sample::of(about, simulation, sizes.clone(), host) {
                Ok(sample) => samples.push(sample),
                Err(why) if samples.is_empty() => return Err(refusal(study, simulation, why)),
                Err(_) => {}
            }
        }
        if samples.len() >= INSTANCES || host.stopped().is_some() {
            break;
        }
    }
    Ok(samples)
}

/// The instance at some sizes, if both automata can be run there.
pub(super) fn sample_at(
    (study, setup): (&Study, &Setup),
    simulation: &Simulation,
    sizes: Sizes,
    host: &dyn Host,
) -> Option<Sample> {
    let setting = study.model.setting_of_simulation(simulation);
    let setup = setup.at_sizes(sizes.clone());
    let universes = study.universes(&setup, setting).ok()?;
    let universe = universes.each.into_iter().next()?;
    Sample::of((&study.model, universe), simulation, sizes, host).ok()
}

/// Sizes beyond these: two more elements of one sort, and one more of each.
pub(super) fn larger(sizes: &[(String, u64)]) -> Vec<Sizes> {
    let more = |of: &dyn Fn(usize) -> u64| {
        let each = sizes.iter().enumerate();
        each.map(|(at, (sort, size))| (sort.clone(), size + of(at)))
            .collect()
    };
    let mut all: Vec<Sizes> = (0..sizes.len())
        .map(|one| more(&|at| if at == one { 2 } else { 0 }))
        .collect();
    if sizes.len() > 1 {
        all.push(more(&|_| 1));
    }
    all
}

fn refusal(study: &Study, simulation: &Simulation, why: JointError) -> BadInput {
    let (id, interrupt) = match why {
        JointError::CannotRun(diagnostics) => return study.refuse(diagnostics),
        JointError::Low(interrupt) => (simulation.low, interrupt),
        JointError::High(interrupt) | JointError::Relation(interrupt) => {
            (simulation.high, interrupt)
        }
    };
    let (name, what) = (&study.model.automaton(id).name, reason(study, &interrupt));
    BadInput::message(format!("{name} goes wrong by itself: {what}"))
}

/// Sizes of the sorts that both automata are about: those that are given, with a default; then few elements of each, so that all states may
/// be visited, since a larger instance may show no action that comes late; and then others in which one sort has one element more
/// or less.
fn sizes(study: &Study, setup: &Setup, automata: [AutomatonId; 2]) -> Vec<Sizes> {
    let given = |name: &str| {
        let asked = setup.sorts.iter().find(|(sort, _)| sort == name);
        asked.map(|(_, size)| *size)
    };
    let wanted = study.wanted_sizes(&automata);
    let base = wanted.map(|name| {
        let size = given(&name).unwrap_or(SMALL);
        (name, size)
    });
    let base: Sizes = base.collect();
    let mut all = vec![base.clone()];
    for most in [2, 1] {
        let few = base
            .iter()
            .map(|(sort, size)| (sort.clone(), *size.min(&most)));
        let few: Sizes = few.collect();
        if !all.contains(&few) {
            all.push(few);
        }
    }
    for larger in [true, false] {
        for at in 0..base.len() {
            let mut sizes = base.clone();
            let size = &mut sizes[at].1;
            *size = if larger { *size + 1 } else { *size - 1 };
            if *size > 0 && !all.contains(&sizes) {
                all.push(sizes);
            }
        }
    }
    all
}

/// For each low state the high states that a function may map it to, if the function is a forward simulation: a step from a
/// state to itself has to be answered by a fragment that leads back. Where no function is one, all that may be related.
fn images(joint: &Joint) -> Vec<Vec<usize>> {
    let mut related = vec![Vec::new(); joint.low_states().len()];
    for pair in joint.left() {
        let (low, high) = joint.pairs()[pair];
        related[low].push(high);
    }
    let mut images: Vec<Vec<usize>> = related.clone();
    loop {
        let is_image = |low: usize, high: usize| {
            let is_expanded = joint
                .pair_at(low, high)
                .is_some_and(|at| joint.is_expanded(at));
            !is_expanded
                || joint.moves(low).iter().all(|step| {
                    let mut answers = joint.answers(high, step).iter();
                    answers.any(|answer| match step.to == low {
                        true => answer.to == high,
                        false => images[step.to].contains(&answer.to),
                    })
                })
        };
        let kept: Vec<Vec<usize>> = images
            .iter()
            .enumerate()
            .map(|(low, all)| {
                all.iter()
                    .copied()
                    .filter(|high| is_image(low, *high))
                    .collect()
            })
            .collect();
        if kept == images {
            break;
        }
        images = kept;
    }
    let starts = joint.starts().iter();
    let is_started = |low: &usize| {
        images[*low]
            .iter()
            .any(|high| joint.high_starts().contains(high))
    };
    match starts.clone().all(is_started) {
        true => images,
        false => related,
    }
}
