//! From the core back to text: expressions as legal IOA, with as few parentheses as the grammar allows.
//!
//! The text means the expression again when it is read where the expression stood. An expression that was put together
//! rather than read can lose something: `{}` or `nil` may stand where nothing says of what type it is, and a difference
//! of two `Nat`s that was taken in the integers is read as one of `Nat`s where no `Int` stands beside it.

mod names;
mod term;

use crate::core::{AutomatonId, Expr, Local, Model, Schedule, Simulation, Variable};
use crate::source::Name;

/// The names that an expression may refer to: those of the item it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    locals: &'a [Local],
    /// The state of the one automaton at hand.
    state: &'a [Variable],
    /// The own variables of a schedule or proof block.
    block: &'a [Variable],
    low: Option<(&'a Name, &'a [Variable])>,
    high: Option<(&'a Name, &'a [Variable])>,
}

impl<'a> Context<'a> {
    /// Expressions that read no state, such as axioms.
    #[must_use]
    pub fn stateless(locals: &'a [Local]) -> Self {
        Self {
            locals,
            state: &[],
            block: &[],
            low: None,
            high: None,
        }
    }

    /// Expressions about one automaton: in its transitions, start states and invariants.
    #[must_use]
    pub fn automaton(model: &'a Model, automaton: AutomatonId, locals: &'a [Local]) -> Self {
        Self {
            state: &model.automaton(automaton).variables,
            ..Self::stateless(locals)
        }
    }

    /// Expressions in a schedule.
    #[must_use]
    pub fn schedule(model: &'a Model, schedule: &'a Schedule) -> Self {
        Self {
            block: &schedule.variables,
            ..Self::automaton(model, schedule.automaton, &schedule.program.locals)
        }
    }

    /// Expressions in a simulation: in its relation and its proof block. The locals are those of the part at hand.
    #[must_use]
    pub fn simulation(model: &'a Model, simulation: &'a Simulation, locals: &'a [Local]) -> Self {
        let side = |id| {
            let automaton = model.automaton(id);
            Some((&automaton.name, &automaton.variables[..]))
        };
        Self {
            block: simulation
                .proof
                .as_ref()
                .map_or(&[], |proof| &proof.variables),
            low: side(simulation.low),
            high: side(simulation.high),
            ..Self::stateless(locals)
        }
    }
}

/// An expression as IOA text. Bound variables are renamed where two would get in each other's way.
#[must_use]
pub fn expr(model: &Model, context: &Context<'_>, expr: &Expr) -> String {
    let names = names::Names::new(model, context, expr);
    term::Printer::new(model, context, names).print(expr)
}
