//! A slow and simple reference implementation of the core: what an exploration of an automaton must find, taken directly
//! from the documentation of the core.
//!
//! Values are data, quantifiers are loops over all values of a type, choices are lists of outcomes, and the states that were
//! visited are a set. Nothing is packed, compiled, lifted or skipped, and nothing is shared with the crates under test
//! except the core itself and, for the meaning of built-in theories, [`Universe`].

mod backward;
mod domain;
mod liveness;
mod operator;
mod orders;
mod product;
mod search;
mod statement;
mod step;
mod term;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{Automaton, AutomatonId, FunctionId, Local, LocalId, Meaning, Model, Type};

use crate::theory::rows;

pub use backward::{Backward, Condition};
pub use liveness::Lassos;
pub use orders::{Orders, orders};
pub use product::{Component, Product};
pub use search::{Answer, Budget, Faulty, Level};
pub use step::{Expansion, Step};

/// A run-time error of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A partial operator was applied outside its domain.
    Undefined,
    /// No value satisfies the predicate of a `choose`.
    NothingToChoose,
    /// A clause is enabled, but `ensuring` rules out all results of its effect.
    NoOutcome,
    /// The environment may give an input to which no clause applies.
    Refused,
}

/// Why there is no value or no step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The model is at fault.
    Fault(Fault),
    /// This implementation cannot decide: there would be too many values to try, or infinitely many.
    Beyond(String),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault:?}"),
            Self::Beyond(why) => f.write_str(why),
        }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A result, or none if the model is at fault, which is recorded.
///
/// # Errors
/// This implementation cannot decide.
fn result_or_fault<T>(
    result: Result<T, Stop>,
    faults: &mut BTreeSet<Fault>,
) -> Result<Option<T>, Stop> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Stop::Fault(fault)) => {
            faults.insert(fault);
            Ok(None)
        }
        Err(beyond) => Err(beyond),
    }
}

/// A state: a value for each variable of the automaton.
pub type State = Vec<Value>;

/// The interpretation of the uninterpreted operators: for each operator, its results by its arguments.
pub type Tables = BTreeMap<FunctionId, BTreeMap<Vec<Value>, Value>>;

/// A finite instance of a model for this implementation.
#[derive(Debug)]
pub struct World<'m> {
    /// The model.
    pub model: &'m Model,
    /// The sizes of the sorts and the meaning of the built-in theories.
    pub universe: &'m Universe,
    tables: Tables,
    /// Integers beyond this, either way, are not among the values that are tried.
    window: i64,
    domains: RefCell<BTreeMap<Type, Rc<[Value]>>>,
}

/// What a term may refer to.
#[derive(Clone, Debug)]
pub struct Scope<'s> {
    /// The bound variables of the item that contains the term, with their types.
    pub locals: &'s [Local],
    /// Their values, as far as they are bound.
    pub bound: Vec<Option<Value>>,
    /// The state that is read; in a relation, the low one.
    pub pre: &'s [Value],
    /// The state after a step, which `ensuring` reads; in a relation, the high one.
    pub post: &'s [Value],
}

impl<'s> Scope<'s> {
    /// A term of an item in a state.
    #[must_use]
    pub fn new(locals: &'s [Local], pre: &'s [Value]) -> Self {
        Self {
            locals,
            bound: vec![None; locals.len()],
            pre,
            post: &[],
        }
    }

    fn bind(&mut self, local: LocalId, value: Value) {
        self.bound[local.index()] = Some(value);
    }
}

impl<'m> World<'m> {
    /// A finite instance in which integers from `-window` to `window` are tried where a type has infinitely many.
    ///
    /// The tables of the universe are read in the order of the arguments' codes that it documents.
    #[must_use]
    pub fn new(model: &'m Model, universe: &'m Universe, window: i64) -> Self {
        let tables = universe.interpretation().tables.iter();
        let tables = tables.map(|(id, results)| {
            let params = &model.functions[id.index()].params;
            let rows = rows(model, universe, params).into_iter();
            (*id, rows.zip(results.iter().cloned()).collect())
        });
        Self {
            model,
            universe,
            tables: tables.collect(),
            window,
            domains: RefCell::default(),
        }
    }

    /// The same instance with another interpretation of the operators.
    #[must_use]
    pub fn with_tables(mut self, tables: Tables) -> Self {
        self.tables.extend(tables);
        self
    }

    fn automaton(&self, id: AutomatonId) -> &'m Automaton {
        self.model.automaton(id)
    }

    /// The result of an operator of a theory for these arguments.
    fn theory(&self, id: FunctionId, args: &[Value]) -> Value {
        let meaning = self.model.functions[id.index()].meaning;
        if meaning == Meaning::Axioms {
            return self.tables[&id][args].clone();
        }
        let element = |value: &Value| match value {
            Value::Element(_, n) => u64::from(*n),
            other => panic!("{other:?} is no element of a sort"),
        };
        let args: Vec<u64> = args.iter().map(element).collect();
        Value::Bool(self.universe.holds(meaning, &args))
    }
}
