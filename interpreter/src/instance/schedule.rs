//! A schedule, compiled.

use finite::Universe;
use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, Model, Schedule};

use crate::code::Program;
use crate::compile::{self, Scope};
use crate::state::layout::{Layout, State};

/// A program that drives an automaton.
#[derive(Debug)]
pub(crate) struct ScheduleCode {
    pub(crate) automaton: AutomatonId,
    /// The initial values of its own variables.
    pub(crate) blank: State,
    pub(crate) program: Program,
}

impl ScheduleCode {
    /// `state` is the layout of the automaton that it drives.
    pub(crate) fn compile(
        model: &Model,
        universe: &Universe,
        state: &Layout,
        schedule: &Schedule,
    ) -> Result<Self, Vec<Diagnostic>> {
        let layout = Layout::of(model, universe, None, &schedule.variables);
        let stores = [Some(state), None, None, None, Some(&layout)];
        let scope = Scope {
            model,
            universe,
            stores,
            locals: &schedule.program.locals,
        };
        let program = compile::program(scope, &schedule.program.body)?;
        Ok(Self {
            automaton: schedule.automaton,
            blank: layout.blank()?,
            program,
        })
    }
}
