//! Terms that a user asks about, evaluated in states.

use std::sync::Arc;

use ioa_lang::core::StateTerm;
use ioa_lang::{Diagnostic, Value};

use crate::code::{Frame, Term};
use crate::compile::{self, of_state};
use crate::executor::Executor;
use crate::interrupt::fault::Interrupt;
use crate::state::cell::Shape;
use crate::state::layout::State;
use crate::vm::halt::interrupt;

/// A compiled term over the states of an automaton, which can be evaluated in any number of them.
#[derive(Clone, Debug)]
pub struct Inspection {
    frame: Frame,
    term: Term,
    shape: Arc<Shape>,
}

impl Executor<'_> {
    /// Prepares a term over the states of this automaton.
    ///
    /// # Errors
    /// Every reason why it cannot be evaluated at these sizes.
    pub fn inspection(&self, term: &StateTerm) -> Result<Inspection, Vec<Diagnostic>> {
        let scope = self
            .instance
            .scope(of_state(&self.code.layout), &term.locals);
        let (frame, (code, shape)) = compile::item(scope, |compiler| {
            (compiler.term(&term.term), compiler.shape(&term.term.ty))
        })?;
        Ok(Inspection {
            frame,
            term: code,
            shape,
        })
    }

    /// The value that a term has in a state.
    ///
    /// # Errors
    /// A fault if the term has no value, or a limit.
    pub fn inspect(&mut self, state: &State, term: &Inspection) -> Result<Value, Interrupt> {
        self.load(state, &term.frame);
        match self.machine.term(&term.term) {
            Ok(cell) => Ok(term.shape.decode(&cell)),
            Err(stop) => Err(interrupt(*stop, &term.frame)),
        }
    }
}
