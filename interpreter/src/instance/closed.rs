//! Terms that read no state and have no free variables.

use std::sync::Arc;

use ioa_lang::core::{Axiom, Expr, Local};
use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, Value};

use crate::compile;
use crate::instance::Instance;
use crate::interrupt::fault::Interrupt;
use crate::state::cell::Shape;
use crate::vm::Machine;
use crate::vm::halt::interrupt;

impl Instance {
    /// Whether an axiom is true here. Where it cannot be evaluated, the answer is no.
    #[must_use]
    pub fn satisfies(&self, axiom: &Axiom) -> bool {
        let value = self.closed_value(&axiom.formula, &axiom.locals);
        value == Ok(Value::Bool(true))
    }

    /// The value of a term that reads no state. All of its variables are bound inside it, and are among the locals.
    ///
    /// # Errors
    /// Why it cannot be computed, or has no value.
    pub fn closed_value(&self, term: &Expr, locals: &[Local]) -> Result<Value, Vec<Diagnostic>> {
        let scope = self.scope([None; 5], locals);
        let (frame, code) = compile::item(scope, |compiler| compiler.term(term))?;
        let mut machine = Machine::new(0, &Arc::default());
        machine.enter(&frame);
        match machine.term(&code) {
            Ok(cell) => Ok(Shape::of(&self.model, &self.universe, &term.ty).decode(&cell)),
            Err(stop) => {
                let why = match interrupt(*stop, &frame) {
                    Interrupt::Fault(fault) => fault.kind.to_string(),
                    Interrupt::Limit(limit) => limit.kind.to_string(),
                };
                let message = format!("the term has no value: {why}");
                Err(vec![Diagnostic::error(Code::CannotRun, term.span, message)])
            }
        }
    }
}
