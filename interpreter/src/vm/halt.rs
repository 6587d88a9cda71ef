//! Why an evaluation stops, on its way out through the terms and statements around it.

use ioa_lang::Span;

use crate::code::{Frame, Slot};
use crate::fault::{Fault, Interrupt, Limit, Trouble};
use crate::state::cell::Cell;

/// Why an evaluation stopped. Boxed, so that a result that has none stays small.
pub(crate) type Stop = Box<Halt>;

/// A trouble with its place, and the binders it passed on its way out, innermost first.
#[derive(Clone, Debug)]
pub(crate) struct Halt {
    pub(crate) trouble: Trouble,
    pub(crate) span: Span,
    pub(crate) bindings: Vec<(Slot, Cell)>,
}

impl Halt {
    /// Notes the value that a binder had.
    pub(crate) fn bind(mut self: Box<Self>, slot: Slot, cell: Cell) -> Stop {
        self.bindings.push((slot, cell));
        self
    }
}

/// Adds the place to a trouble.
pub(crate) trait At<T> {
    fn at(self, span: Span) -> Result<T, Stop>;
}

impl<T, E: Into<Trouble>> At<T> for Result<T, E> {
    fn at(self, span: Span) -> Result<T, Stop> {
        self.map_err(|trouble| stop(trouble, span))
    }
}

/// A stop at a place.
#[cold]
pub(crate) fn stop(trouble: impl Into<Trouble>, span: Span) -> Stop {
    Box::new(Halt {
        trouble: trouble.into(),
        span,
        bindings: Vec::new(),
    })
}

/// A stop, told with the names of an item's bound variables.
#[cold]
pub(crate) fn interrupt(halt: Halt, frame: &Frame) -> Interrupt {
    let Halt {
        trouble,
        span,
        bindings,
    } = halt;
    match trouble {
        Trouble::Limit(kind) => Interrupt::Limit(Limit { kind, span }),
        Trouble::Fault(kind) => {
            // Slots behind those of the item's variables have no names.
            let bindings = bindings.into_iter().rev().filter_map(|(slot, cell)| {
                let binder = frame.binders.get(slot as usize)?;
                Some((binder.name.clone(), binder.shape.decode(&cell)))
            });
            Interrupt::Fault(Fault {
                kind,
                span,
                bindings: bindings.collect(),
            })
        }
    }
}
