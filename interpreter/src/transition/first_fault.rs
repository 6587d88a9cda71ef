//! Going on after a fault: a step without a result says nothing about the other steps.

use std::ops::ControlFlow;

use crate::interrupt::fault::Interrupt;

/// Keeps the first fault in an enumeration of steps, which goes on after it. A limit ends the enumeration.
#[derive(Debug, Default)]
pub struct FirstFault(Option<Interrupt>);

impl FirstFault {
    /// Takes what came of a part of the enumeration. A fault is kept, and the enumeration goes on.
    ///
    /// # Errors
    /// A limit.
    pub fn pass(
        &mut self,
        part: Result<ControlFlow<()>, Interrupt>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        match part {
            Err(fault @ Interrupt::Fault(_)) => {
                self.0.get_or_insert(fault);
                Ok(ControlFlow::Continue(()))
            }
            other => other,
        }
    }

    /// What came of the whole enumeration, when all parts were taken.
    ///
    /// # Errors
    /// The first fault.
    pub fn end(self) -> Result<ControlFlow<()>, Interrupt> {
        self.0.map_or(Ok(ControlFlow::Continue(())), Err)
    }
}
