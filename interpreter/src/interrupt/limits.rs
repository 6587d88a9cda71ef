//! The limits of a run, whatever the model requires.

/// Maximum number of values of a domain that is enumerated.
pub const MAX_DOMAIN: u64 = 1 << 20;

/// Maximum number of parts of a value (a set counts itself and its elements).
pub const MAX_PARTS: u64 = 1 << 20;

/// Maximum number of bits of an integer.
pub const MAX_INTEGER_BITS: u64 = 1 << 16;

/// How often the choices of a step or a start state are drawn at random before all possible choices are enumerated.
pub(crate) const RANDOM_TRIES: usize = 64;

/// Maximum number of ways to resolve the choices of one step that are tried.
pub const MAX_OUTCOMES: u64 = 1 << 20;

/// Maximum number of high steps that answer one low step.
pub const MAX_FRAGMENT: usize = 1 << 12;

/// Fuel for one operation (a step, a formula, the statements between two steps of a schedule): each iteration of a loop over
/// a domain costs one unit, each statement [`STATEMENT_COST`].
pub const FUEL: u64 = 1 << 25;

/// What a statement costs, in units of fuel.
pub const STATEMENT_COST: u64 = 64;

/// Maximum nesting depth of an expression or statement, since the evaluator is recursive.
pub(crate) const MAX_DEPTH: usize = 512;
