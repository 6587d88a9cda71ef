//! Why an evaluation stops, while it is passed out through the enclosing terms and statements.

use ioa_lang::Span;

use crate::code::{Frame, Slot};
use crate::interrupt::fault::{Fault, Interrupt, Limit, UnplacedInterrupt};
use crate::state::cell::Cell;

/// Why an evaluation stopped. It is boxed, so that results without a stop stay small.
pub(crate) type Stop = Box<Halt>;

/// An interrupt with its place, and the binders that it passed on its way out, innermost first.
#[derive(Clone, Debug)]
pub(crate) struct Halt {
    pub(crate) trouble: UnplacedInterrupt,
    pub(crate) span: Span,
    pub(crate) bindings: Vec<(Slot, Cell)>,
}

impl Halt {
    /// Whether the model is at fault, rather than that a limit was reached.
    pub(crate) fn is_fault(&self) -> bool {
        matches!(self.trouble, UnplacedInterrupt::Fault(_))
    }

    /// Notes the value that a binder had.
    pub(crate) fn bind(mut self: Box<Self>, slot: Slot, cell: Cell) -> Stop {
        self.bindings.push((slot, cell));
        self
    }
}

/// Adds the place to an interrupt.
pub(crate) trait At<T> {
    fn at(self, span: Span) -> Result<T, Stop>;
}

impl<T, E: Into<UnplacedInterrupt>> At<T> for Result<T, E> {
    fn at(self, span: Span) -> Result<T, Stop> {
        self.map_err(|trouble| stop(trouble, span))
    }
}

/// A stop at a place.
#[cold]
pub(crate) fn stop(trouble: impl Into<UnplacedInterrupt>, span: Span) -> Stop {
    Box::new(Halt {
        trouble: trouble.into(),
        span,
        bindings: Vec::new(),
    })
}

/// A stop, reported with the names of an item's bound variables.
#[cold]
pub(crate) fn interrupt(halt: Halt, frame: &Frame) -> Interrupt {
    let Halt {
        trouble,
        span,
        bindings,
    } = halt;
    match trouble {
        UnplacedInterrupt::Limit(kind) => Interrupt::Limit(Limit { kind, span }),
        UnplacedInterrupt::Fault(kind) => {
            // Slots after those of the item's variables have no names.
            let bindings = bindings.into_iter().rev().filter_map(|(slot, cell)| {
                let binder = frame.binders.get(slot as usize)?;
                Some((binder.name.clone(), binder.shape.decode(&cell)))
            });
            Interrupt::Fault(Fault {
                kind,
                item: frame.item,
                span,
                bindings: bindings.collect(),
            })
        }
    }
}
