//! The finite instances that a command runs in: one for each setting, made when it is first asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use finite::{SizeError, Universe};
use interpreter::Instance;
use ioa_lang::core::{AutomatonId, Setting};

use crate::interpretation;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// The instances of a study at the sizes that a command asks for.
pub struct Instances<'s> {
    study: &'s Study,
    setup: &'s Setup,
    made: RefCell<BTreeMap<Setting, Arc<Instance>>>,
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

    /// The instance in which an automaton is run.
    ///
    /// # Errors
    /// Sizes that do not fit the model, or at which what the automaton assumes has no interpretation.
    pub fn of(&self, automaton: AutomatonId) -> Result<Arc<Instance>, BadInput> {
        self.in_setting(self.study.model.setting([automaton]))
    }

    /// The instance in which the automata of a simulation are run side by side.
    ///
    /// # Errors
    /// As those of [`of`](Self::of).
    pub fn of_simulation(&self, position: usize) -> Result<Arc<Instance>, BadInput> {
        let simulation = &self.study.model.simulations[position];
        self.in_setting(self.study.model.setting_of_simulation(simulation))
    }

    fn in_setting(&self, setting: Setting) -> Result<Arc<Instance>, BadInput> {
        if let Some(made) = self.made.borrow().get(&setting) {
            return Ok(Arc::clone(made));
        }
        let instance = Arc::new(self.study.instance(self.setup, setting.clone())?);
        self.made
            .borrow_mut()
            .insert(setting, Arc::clone(&instance));
        Ok(instance)
    }
}

impl Study {
    /// The finite instance to run at in a setting: the manifest's sizes, which those of the setup override.
    ///
    /// # Errors
    /// Sizes that do not fit the model, or at which its axioms have no interpretation.
    pub fn universe(&self, setup: &Setup, setting: Setting) -> Result<Universe, BadInput> {
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
        let refuse = |errors: Vec<SizeError>| BadInput {
            messages: errors.iter().map(ToString::to_string).collect(),
            ..BadInput::default()
        };
        let sized = Universe::sized(&self.model, setting, &sizes).map_err(refuse)?;
        let chosen = setup.interpretation.or(self.manifest.study.interpretation);
        let interpretation = interpretation::find(self, &sized, chosen.unwrap_or(1))?;
        sized
            .interpreted(&self.model, interpretation)
            .map_err(refuse)
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
}
