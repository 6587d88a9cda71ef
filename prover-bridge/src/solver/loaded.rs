//! What Z3 knows of the assertions.

use z3::ast::Bool;
use z3::{Params, SatResult, StatisticsValue};

/// A solver of Z3 that knows what is asserted.
pub(super) struct Loaded {
    pub(super) solver: z3::Solver,
    /// How many of the assertions it knows.
    pub(super) known: usize,
    /// How many scopes it has open.
    pub(super) depth: usize,
    /// Whether all that it knows is taken apart.
    pub(super) is_apart: bool,
    /// The milliseconds and the work that it was told to allow to a question.
    pub(super) limits: Option<(u32, u32)>,
}

impl Loaded {
    pub(super) fn empty() -> Self {
        Self {
            solver: z3::Solver::new(),
            known: 0,
            depth: 0,
            is_apart: true,
            limits: None,
        }
    }

    /// Tells Z3 what a question may cost, unless it knows.
    pub(super) fn set_limits(
        &mut self,
        limits: (u32, u32),
        parameters: impl FnOnce((u32, u32)) -> Params,
    ) {
        if self.limits != Some(limits) {
            self.solver.set_params(&parameters(limits));
            self.limits = Some(limits);
        }
    }

    /// Has Z3 take apart what is asserted, within the limits.
    pub(super) fn take_apart(&self) -> SatResult {
        let literal = Bool::new_const("contradiction!");
        self.solver
            .check_assumptions(&[literal.clone(), literal.not()])
    }

    /// Leaves the scopes that are deeper, with all that was asserted after the first assertions.
    pub(super) fn leave(&mut self, depth: usize, asserted: usize) {
        if self.depth > depth {
            self.solver.pop((self.depth - depth) as u32);
            (self.depth, self.is_apart) = (depth, true);
        }
        self.known = self.known.min(asserted);
    }
}

/// Work done so far in the context of a solver, in Z3's own unit.
pub(super) fn work_done(solver: &z3::Solver) -> u64 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(n)) => u64::from(n),
        Some(StatisticsValue::Double(n)) => n as u64,
        None => 0,
    }
}
