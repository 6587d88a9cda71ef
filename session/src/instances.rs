//! The finite instances that a command runs in: made for each setting when it is first asked for, one for each
//! interpretation of what is assumed there.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finite::{SizeError, Universe};
use interpreter::{Instance, trace};
use ioa_lang::core::{AutomatonId, Setting, SortId, SortSize};

use crate::finding::Finding;
use crate::interpretation::{self, Found, Tried, Universes};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// An instance for each interpretation of what a setting assumes, or for the one that is chosen.
#[derive(Clone, Debug)]
pub struct Interpreted {
    instances: Vec<Arc<Instance>>,
    /// The number of the first one's interpretation, from 1.
    first: u64,
    are_all: bool,
}

impl Interpreted {
    /// A single instance, beside which there may be others.
    #[must_use]
    pub fn one(instance: Arc<Instance>) -> Self {
        Self {
            instances: vec![instance],
            first: 1,
            are_all: false,
        }
    }

    /// The same, with other instances in the places of these; none if one of them has none.
    #[must_use]
    pub fn replaced(&self, by: impl Fn(&Arc<Instance>) -> Option<Arc<Instance>>) -> Option<Self> {
        let instances = self.instances.iter().map(by).collect::<Option<_>>()?;
        Some(Self { instances, ..*self })
    }

    /// The instance of run number `k` of many, counted from 0, and the number of its interpretation: the runs take turns.
    #[must_use]
    pub fn of_run(&self, k: u64) -> (u64, &Arc<Instance>) {
        let place = k % self.count();
        (self.first + place, &self.instances[place as usize])
    }

    /// How many there are, at least one.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.instances.len() as u64
    }

    /// The number of an interpretation, where there are others from which to tell it.
    #[must_use]
    pub fn among_others(&self, number: u64) -> Option<u64> {
        (self.count() > 1).then_some(number)
    }

    /// Adds to what a finding tells in which interpretation it was found, by its number, where there are others.
    pub fn add_note(
        &self,
        study: &Study,
        (automaton, number): (AutomatonId, u64),
        finding: &mut Finding,
    ) {
        let place = number
            .checked_sub(self.first)
            .and_then(|at| usize::try_from(at).ok());
        let instance = place.and_then(|place| self.instances.get(place));
        if let (Some(number), Some(instance)) = (self.among_others(number), instance) {
            let note = interpretation::note(study, instance.universe(), automaton, number);
            for story in &mut finding.stories {
                story.notes.push(note.clone());
            }
        }
    }

    /// The setup that asks for the instance with this number alone.
    #[must_use]
    pub fn setup(&self, setup: &Setup, number: u64) -> Setup {
        setup.in_interpretation(self.among_others(number))
    }

    /// What so many runs try together.
    #[must_use]
    pub fn tried(&self, runs: u64) -> Tried {
        Tried {
            count: self.count().min(runs),
            are_all: self.are_all && runs >= self.count(),
        }
    }
}

/// The instances of a study at the sizes that a command asks for.
pub struct Instances<'s> {
    study: &'s Study,
    setup: &'s Setup,
    made: RefCell<BTreeMap<Setting, Interpreted>>,
}

impl<'s> Instances<'s> {
    /// No instances yet.
    #[must_use]
    pub fn new(study: &'s Study, setup: &'s Setup) -> Self {
        Self {
            study,
            setup,
            made: RefCell::default(),
        }
    }

    /// The first of the instances in which an automaton is run.
    ///
    /// # Errors
    /// Sizes that do not fit the model, or at which what the automaton assumes has no interpretation.
    pub fn of(&self, automaton: AutomatonId) -> Result<Arc<Instance>, BadInput> {
        Ok(Arc::clone(self.each(automaton)?.of_run(0).1))
    }

    /// All instances in which an automaton is run.
    ///
    /// # Errors
    /// As those of [`of`](Self::of).
    pub fn each(&self, automaton: AutomatonId) -> Result<Interpreted, BadInput> {
        self.in_setting(self.study.model.setting([automaton]))
    }

    /// All instances in which the automata of a simulation are run side by side.
    ///
    /// # Errors
    /// As those of [`of`](Self::of).
    pub fn each_of_simulation(&self, position: usize) -> Result<Interpreted, BadInput> {
        let simulation = &self.study.model.simulations[position];
        self.in_setting(self.study.model.setting_of_simulation(simulation))
    }

    fn in_setting(&self, setting: Setting) -> Result<Interpreted, BadInput> {
        if let Some(made) = self.made.borrow().get(&setting) {
            return Ok(made.clone());
        }
        let made = self.study.instances(self.setup, setting.clone())?;
        self.made.borrow_mut().insert(setting, made.clone());
        Ok(made)
    }
}

/// What is wrong with sizes.
fn refuse(errors: &[SizeError]) -> BadInput {
    BadInput {
        messages: errors.iter().map(ToString::to_string).collect(),
        ..BadInput::default()
    }
}

/// Elements of a sort for which no size is given.
pub(crate) const SMALL: u64 = 2;

/// Elements of such a sort at most, where the axioms of a theory want more.
const LARGER: u64 = 4;

/// So many sizes are tried for that.
const MOST_TRIED: usize = 40;

/// Sizes of so many sorts that are not all small, the smaller ones first.
fn larger(sorts: usize) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..sorts {
        let longer = all.iter().flat_map(|sizes: &Vec<u64>| {
            (SMALL..=LARGER).map(move |size| [&sizes[..], &[size]].concat())
        });
        all = longer.take(10 * MOST_TRIED).collect();
    }
    all.sort_by_key(|sizes| sizes.iter().sum::<u64>());
    all.into_iter().skip(1).take(MOST_TRIED).collect()
}

impl Study {
    /// The first universe of a setting, or the one whose interpretation is chosen; the manifest's sizes are overridden by
    /// those of the setup.
    ///
    /// # Errors
    /// Sizes that do not fit the model, or at which its axioms have no interpretation.
    pub fn universe(&self, setup: &Setup, setting: Setting) -> Result<Universe, BadInput> {
        let mut universes = self.universes(setup, setting)?;
        Ok(universes.each.swap_remove(0))
    }

    /// The names of the sorts that instances of these automata want a size for.
    pub(crate) fn wanted_sizes(&self, automata: &[AutomatonId]) -> impl Iterator<Item = String> {
        let others = (0..).map(AutomatonId).zip(&self.model.automata);
        let others = others.filter(|(id, _)| !automata.contains(id));
        let foreign: BTreeSet<SortId> = others
            .flat_map(|(_, other)| other.parameters.sorts.iter().copied())
            .collect();
        let sorts = (0..).map(SortId).zip(&self.model.sorts);
        let wanted =
            sorts.filter(move |(id, sort)| sort.size == SortSize::Given && !foreign.contains(id));
        wanted.map(|(_, sort)| sort.name.to_string())
    }

    /// The setup with two elements of each sort that instances of these automata want a size for and that has none; with more of some,
    /// if the axioms of their theories have no interpretation otherwise.
    #[must_use]
    pub fn sized(&self, setup: &Setup, automata: &[AutomatonId]) -> Setup {
        let is_given = |name: &str| {
            let mut sorts = setup.sorts.iter();
            self.manifest.sizes.contains_key(name) || sorts.any(|(given, _)| given == name)
        };
        let wanted = self.wanted_sizes(automata).filter(|name| !is_given(name));
        let wanted: Vec<String> = wanted.collect();
        let with = |sizes: Vec<u64>| {
            let added = wanted.iter().cloned().zip(sizes);
            Setup {
                sorts: setup.sorts.iter().cloned().chain(added).collect(),
                ..setup.clone()
            }
        };
        let setting = self.model.setting(automata.iter().copied());
        let has_instance = |setup: &Setup| self.universe(setup, setting.clone()).is_ok();
        let small = with(vec![SMALL; wanted.len()]);
        if wanted.is_empty() || has_instance(&small) {
            return small;
        }
        let mut larger = larger(wanted.len()).into_iter().map(with);
        larger.find(has_instance).unwrap_or(small)
    }

    /// That all sorts exist to which a setup gives sizes.
    ///
    /// # Errors
    /// Names one that does not.
    pub fn check_sorts(&self, setup: &Setup) -> Result<(), BadInput> {
        let sizes = setup.sorts.iter().cloned().collect();
        let nobody = self.model.setting([]);
        match Universe::sized(&self.model, nobody, &sizes) {
            Err(errors) => {
                let unknown = errors
                    .iter()
                    .filter(|error| matches!(error, SizeError::UnknownSort { .. }));
                let messages: Vec<String> = unknown.map(ToString::to_string).collect();
                match messages.is_empty() {
                    true => Ok(()),
                    false => Err(BadInput {
                        messages,
                        ..BadInput::default()
                    }),
                }
            }
            Ok(_) => Ok(()),
        }
    }

    /// Universes of a setting, which differ in what its theories mean, or the one that the setup or the study chooses.
    ///
    /// # Errors
    /// As those of [`universe`](Self::universe).
    pub fn universes(&self, setup: &Setup, setting: Setting) -> Result<Universes, BadInput> {
        let (sized, sizes) = self.uninterpreted(setup, setting.clone())?;
        self.check_interpretation(setup)?;
        let chosen = self.chosen_interpretation(setup);
        let asked = (setting, sizes);
        let Found { tables, are_all } = interpretation::wanted(self, &sized, chosen, asked)?;
        let each = tables.into_iter();
        let universes = each.map(|meaning| sized.clone().interpreted(&self.model, meaning));
        let each = universes
            .collect::<Result<_, _>>()
            .map_err(|errors| refuse(&errors))?;
        Ok(Universes { each, are_all })
    }

    /// The instance at the sizes of a setup in which the theories mean what a trace says.
    ///
    /// # Errors
    /// Sizes that do not fit the model; a text that is no trace, or whose interpretation does not satisfy the axioms.
    pub fn instance_of_trace(
        &self,
        (setup, setting): (&Setup, Setting),
        text: &str,
    ) -> Result<Instance, BadInput> {
        let (sized, _) = self.uninterpreted(setup, setting)?;
        let meaning = trace::interpretation((&self.model, &sized), text);
        let meaning = meaning.map_err(|why| BadInput::message(why.to_string()))?;
        let universe = sized
            .interpreted(&self.model, meaning)
            .map_err(|errors| refuse(&errors))?;
        let instance = Instance::new(Arc::clone(&self.model), universe);
        match interpretation::unsatisfied(&instance, |_| false) {
            None => Ok(instance),
            Some(axiom) => Err(BadInput::message(format!(
                "the interpretation of the theories does not satisfy {axiom}, or it cannot be evaluated whether it does"
            ))),
        }
    }

    /// The universe of a setting at the sizes of a setup, in which the theories have no meaning yet, and the sizes.
    fn uninterpreted(
        &self,
        setup: &Setup,
        setting: Setting,
    ) -> Result<(Universe, BTreeMap<String, u64>), BadInput> {
        let mut sizes = self.manifest.sizes.clone();
        let mut given = BTreeMap::new();
        for (name, size) in &setup.sorts {
            let other = given.insert(name, size).filter(|other| *other != size);
            if let Some(other) = other {
                return Err(BadInput::message(format!(
                    "sort {name} cannot have size {other} and size {size}"
                )));
            }
            sizes.insert(name.clone(), *size);
        }
        let sized =
            Universe::sized(&self.model, setting, &sizes).map_err(|errors| refuse(&errors))?;
        Ok((sized, sizes))
    }

    /// That there is something to interpret where a setup says in which interpretation.
    fn check_interpretation(&self, setup: &Setup) -> Result<(), BadInput> {
        match setup.interpretation {
            Some(number) if number > 1 && !self.model.is_interpreted_freely() => {
                Err(BadInput::message(format!(
                    "there is no interpretation {number}: no operator of these texts is described by axioms alone, so that \
                 --interpretation has no effect"
                )))
            }
            _ => Ok(()),
        }
    }

    /// The number of the interpretation to run in, if one is chosen.
    #[must_use]
    pub fn chosen_interpretation(&self, setup: &Setup) -> Option<u64> {
        setup.interpretation.or(self.manifest.study.interpretation)
    }

    /// The automata's finite instance in a setting at the sizes asked for, compiled.
    ///
    /// # Errors
    /// Sizes that do not fit the model.
    pub fn instance(&self, setup: &Setup, setting: Setting) -> Result<Instance, BadInput> {
        Ok(Instance::new(
            Arc::clone(&self.model),
            self.universe(setup, setting)?,
        ))
    }

    /// As [`instance`](Self::instance), for each of the interpretations that are tried, or for the one that the setup or the study chooses.
    ///
    /// # Errors
    /// As those of [`instance`](Self::instance).
    pub fn instances(&self, setup: &Setup, setting: Setting) -> Result<Interpreted, BadInput> {
        let Universes { each, are_all } = self.universes(setup, setting)?;
        let instance = |universe| Arc::new(Instance::new(Arc::clone(&self.model), universe));
        Ok(Interpreted {
            instances: each.into_iter().map(instance).collect(),
            first: self.chosen_interpretation(setup).unwrap_or(1),
            are_all,
        })
    }
}
