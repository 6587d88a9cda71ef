//! The bounds within which a run stays, whatever the model asks for.

/// No domain with more values than this is enumerated.
pub const MAX_DOMAIN: u64 = 1 << 20;

/// No value is made of more parts than this (a set counts itself and its elements).
pub const MAX_PARTS: u64 = 1 << 20;

/// No integer has more bits than this.
pub const MAX_INTEGER_BITS: u64 = 1 << 16;

/// How often the choices of a step or a start state are drawn at random before all ways to make them are listed.
pub(crate) const RANDOM_TRIES: usize = 64;

/// No more ways to resolve the choices of one step are tried than this.
pub const MAX_OUTCOMES: u64 = 1 << 20;

/// No more high steps than this answer one low step.
pub const MAX_FRAGMENT: usize = 1 << 12;

/// Work for one operation (a step, a formula, the statements between two steps of a schedule): each turn of a loop
/// over a domain costs one unit, each statement [`STATEMENT_COST`].
pub const FUEL: u64 = 1 << 25;

/// What a statement costs, in units of fuel.
pub const STATEMENT_COST: u64 = 64;

/// No expression or statement is nested more deeply than this, for the evaluator recurses over it.
pub(crate) const MAX_DEPTH: usize = 512;
