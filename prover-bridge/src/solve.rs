//! The solver: bounded questions, and what they cost.

use std::time::Duration;

use z3::ast::{Ast, Bool, Dynamic};
use z3::{Config, DeclKind, Params, SatResult, Solver, StatisticsValue};

use crate::encode::and;
use crate::obligations::{Goal, Kind, Piece};
use crate::prove::Clock;
use crate::report::Reason;
use crate::watch::{Task, Watch};

/// How far a proof may go, and what else is wanted of it.
#[derive(Clone)]
pub struct Options<'o> {
    /// Time for all questions about one obligation, and as much again for the search for a counterexample to it; what is
    /// asked beside obligations has as much for each question.
    pub timeout: Duration,
    /// Work for one question, in Z3's own unit; 0 for no limit.
    pub resource_limit: u32,
    /// Seed of the solver's choices.
    pub seed: u32,
    /// Threads to use. The outcome does not depend on it.
    pub threads: usize,
    /// Whether to find out which invariants each proof needs.
    pub needed_invariants: bool,
    /// Whether to look for small counterexamples; without, a refuted obligation gets the first one found.
    pub shrink: bool,
    /// Asked between questions; when it says yes, what is left is [`Reason::Stopped`].
    pub stop: Option<&'o (dyn Fn() -> bool + Sync)>,
    /// Which obligations are asked for, where not all are. Those of the invariants that their proofs use are added.
    pub only: Option<&'o (dyn Fn(Kind) -> bool + Sync)>,
    /// Who is told what the threads are at.
    pub watch: Option<&'o dyn Watch>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(20),
            resource_limit: 0,
            seed: 0,
            threads: 2,
            needed_invariants: false,
            shrink: true,
            stop: None,
            only: None,
            watch: None,
        }
    }
}

impl Options<'_> {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }

    /// Says what this thread turns to.
    pub(crate) fn turns_to(&self, tasks: &[Task]) {
        if let Some(watch) = self.watch {
            watch.turns_to(tasks);
        }
    }

    /// Says that this thread turns to something that these obligations need.
    pub(crate) fn turns_to_obligations(&self, kinds: &[Kind]) {
        if let Some(watch) = self.watch {
            let tasks: Vec<Task> = kinds.iter().copied().map(Task::Obligation).collect();
            watch.turns_to(&tasks);
        }
    }

    /// Says that this thread goes on.
    fn goes_on(&self) {
        if let Some(watch) = self.watch {
            watch.goes_on();
        }
    }

    /// Whether a task is not to be tried.
    pub(crate) fn is_given_up(&self, task: Task) -> bool {
        self.watch.is_some_and(|watch| watch.is_given_up(task))
    }
}

/// An answer of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Unsat,
    Sat,
    Unknown(Reason),
}

/// When something has to be answered by: what is asked later is not asked any more.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'o> {
    clock: Clock<'o>,
    at: Duration,
}

impl<'o> Deadline<'o> {
    /// The end of what `options` allow to what has begun at some time.
    pub(crate) fn of(options: &Options<'_>, clock: Clock<'o>, begun: Duration) -> Self {
        Self {
            clock,
            at: begun.saturating_add(options.timeout),
        }
    }

    fn left(self) -> Duration {
        self.at.saturating_sub((self.clock)())
    }
}

/// What is asserted, and the solver that is asked about it, with its limits.
///
/// The solver takes what is asserted apart when it is asked, never before: only then do its limits hold, and taking
/// apart may take as long as searching. So it gets the assertions all at once with the first question about them, in a
/// solver of their own, instead of scope by scope.
pub(crate) struct Session<'o> {
    options: &'o Options<'o>,
    variation: u32,
    /// The most work for each question, where it is less than the options say.
    work: Option<u32>,
    /// The end of the time for all questions together; without, each may take the time that the options say.
    deadline: Option<Deadline<'o>>,
    /// What is asserted, scope after scope.
    asserted: Vec<Bool>,
    /// How many scopes are open.
    depth: u32,
    /// The conjuncts of what is assumed in the open scopes.
    assumed: Vec<Bool>,
    /// A solver that knows all that is asserted, once it was asked about that.
    solver: Option<Solver>,
    queries: u32,
    resources: u64,
}

impl<'o> Session<'o> {
    pub(crate) fn new(options: &'o Options<'o>) -> Self {
        Self::varied(options, 0)
    }

    /// A solver that makes other choices than that of another variation.
    pub(crate) fn varied(options: &'o Options<'o>, variation: u32) -> Self {
        Self {
            options,
            variation,
            work: None,
            deadline: None,
            asserted: Vec::new(),
            depth: 0,
            assumed: Vec::new(),
            solver: None,
            queries: 0,
            resources: 0,
        }
    }

    /// The same, with an end to the time for all questions together.
    pub(crate) fn until(mut self, deadline: Deadline<'o>) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Runs `ask` with an end to the time for all its questions together.
    pub(crate) fn within<T>(
        &mut self,
        deadline: Deadline<'o>,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.deadline.replace(deadline);
        let result = ask(self);
        self.deadline = outer;
        result
    }

    pub(crate) fn assert(&mut self, formula: Bool) {
        self.asserted.push(formula);
        self.solver = None;
    }

    pub(crate) fn assert_all(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            if piece.formula.as_bool() != Some(true) {
                self.assert(piece.formula.clone());
                flatten(&piece.formula, &mut self.assumed);
            }
        }
    }

    /// Asserts something simple between two questions: a clause of literals and of equations between constants. The
    /// solver that was asked takes it in, and no limits hold while it does.
    pub(crate) fn assert_simple(&mut self, formula: Bool) {
        if let Some(solver) = &self.solver {
            solver.assert(&formula);
        }
        self.asserted.push(formula);
    }

    /// Asserts that some goal fails.
    ///
    /// What a step leaves alone is a goal that is also an assumption, the very same term. The solver does not see
    /// that by itself once both have been asserted, since it takes quantifiers apart first, and may search long for a
    /// proof of `p` from `p`. So such a goal is stated as `p => p`, which says the same and is simplified away.
    pub(crate) fn deny(&mut self, goals: &[Goal<'_>]) {
        let stated = goals.iter().map(|goal| {
            let known = self.assumed.iter().any(|p| p.ast_eq(&goal.formula));
            if known {
                goal.formula.implies(&goal.formula)
            } else {
                goal.formula.clone()
            }
        });
        let stated: Vec<Bool> = stated.collect();
        self.assert(and(&stated).not());
    }

    pub(crate) fn check(&mut self) -> Answer {
        if self.depth == 0 {
            return self.ask(Solver::check);
        }
        // A question in a scope is for the incremental solver, which is the one for assumptions.
        let always = Bool::new_const("asked!");
        self.ask(|solver| solver.check_assumptions(std::slice::from_ref(&always)))
    }

    pub(crate) fn check_assuming(&mut self, assumptions: &[Bool]) -> Answer {
        self.ask(|solver| solver.check_assumptions(assumptions))
    }

    /// Runs `ask` within an own scope of assertions.
    pub(crate) fn scoped<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let (asserted, assumed) = (self.asserted.len(), self.assumed.len());
        self.depth += 1;
        let result = ask(self);
        self.depth -= 1;
        if self.asserted.len() > asserted {
            self.asserted.truncate(asserted);
            self.solver = None;
        }
        self.assumed.truncate(assumed);
        result
    }

    /// Runs `ask` with at most this much work for each question, in Z3's own unit, or less where the options say so.
    pub(crate) fn limited<T>(&mut self, work: u32, ask: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.work.replace(work);
        let result = ask(self);
        self.work = outer;
        result
    }

    /// What a question may cost that is given so much time.
    fn limits(&self, timeout: Duration) -> Params {
        let resource_limit = match (self.options.resource_limit, self.work) {
            (0, work) => work.unwrap_or(0),
            (allowed, work) => work.map_or(allowed, |work| allowed.min(work)),
        };
        let limited = Options {
            resource_limit,
            timeout,
            ..self.options.clone()
        };
        parameters(&limited, self.variation)
    }

    /// Numbered assumptions that contradict what is asserted, as few as the solver happens to use; `None` where no
    /// contradiction is found.
    pub(crate) fn core(&mut self, literals: Vec<(usize, Bool)>) -> Option<Vec<(usize, Bool)>> {
        let assumed: Vec<Bool> = literals.iter().map(|(_, l)| l.clone()).collect();
        if self.check_assuming(&assumed) != Answer::Unsat {
            return None;
        }
        let core = self.solver.as_ref()?.get_unsat_core();
        let used = |(_, literal): &(usize, Bool)| core.iter().any(|c| c.ast_eq(literal));
        Some(literals.into_iter().filter(used).collect())
    }

    /// A minimal set of numbered assumptions that contradict what is asserted, found by dropping one after the other;
    /// `None` where no contradiction is found.
    pub(crate) fn minimal_core(&mut self, literals: Vec<(usize, Bool)>) -> Option<Vec<usize>> {
        let mut kept = self.core(literals)?;
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            match self.core(fewer) {
                Some(core) => kept = core,
                None => at += 1,
            }
        }
        Some(kept.into_iter().map(|(number, _)| number).collect())
    }

    fn ask(&mut self, ask: impl FnOnce(&Solver) -> SatResult) -> Answer {
        if self.options.is_stopped() {
            return Answer::Unknown(Reason::Stopped);
        }
        let mut left = self.options.timeout;
        if let Some(deadline) = self.deadline {
            left = left.min(deadline.left());
            if left.is_zero() {
                return Answer::Unknown(Reason::Timeout);
            }
        }
        self.queries += 1;
        let solver = self.solver.take().unwrap_or_else(|| self.load());
        solver.set_params(&self.limits(left));
        let before = work_done(&solver);
        self.options.goes_on();
        let answer = match ask(&solver) {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Sat => Answer::Sat,
            SatResult::Unknown => Answer::Unknown(self.reason(&solver)),
        };
        self.options.goes_on();
        self.resources += work_done(&solver).saturating_sub(before);
        // What was interrupted may know only a part of what is asserted.
        if !matches!(answer, Answer::Unknown(_)) {
            self.solver = Some(solver);
        }
        answer
    }

    /// A solver that is to know what is asserted.
    fn load(&self) -> Solver {
        let solver = Solver::new();
        for formula in &self.asserted {
            solver.assert(formula);
        }
        solver
    }

    fn reason(&self, solver: &Solver) -> Reason {
        let said = solver.get_reason_unknown().unwrap_or_default();
        match said.as_str() {
            "timeout" => Reason::Timeout,
            // Z3 reports both limits as a cancellation; only one of them is set unless both are.
            "canceled" if self.options.resource_limit == 0 => Reason::Timeout,
            "canceled" | "max. resource limit exceeded" => Reason::ResourceLimit,
            _ => Reason::Incomplete(said),
        }
    }

    /// The model that was found, if the last answer was that there is one.
    pub(crate) fn model(&self) -> Option<z3::Model> {
        self.solver.as_ref()?.get_model()
    }

    /// Whether small counterexamples are wanted.
    pub(crate) fn shrinks(&self) -> bool {
        self.options.shrink
    }

    /// How many questions were asked so far.
    pub(crate) fn queries(&self) -> u32 {
        self.queries
    }

    /// Work done so far, in Z3's own unit.
    pub(crate) fn resources(&self) -> u64 {
        self.resources
    }
}

/// Work done so far in the context of a solver, in Z3's own unit.
fn work_done(solver: &Solver) -> u64 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(n)) => u64::from(n),
        Some(StatisticsValue::Double(n)) => n as u64,
        None => 0,
    }
}

/// The conjuncts of a formula.
fn flatten(formula: &Bool, out: &mut Vec<Bool>) {
    let mut open = vec![formula.clone()];
    while let Some(formula) = open.pop() {
        let is_conjunction = formula.safe_decl().is_ok_and(|d| d.kind() == DeclKind::And);
        if is_conjunction {
            open.extend(formula.children().iter().filter_map(Dynamic::as_bool));
        } else {
            out.push(formula);
        }
    }
}

/// The formula that some goal fails.
pub(crate) fn denial(goals: &[Goal<'_>]) -> Bool {
    let goals: Vec<Bool> = goals.iter().map(|g| g.formula.clone()).collect();
    and(&goals).not()
}

fn parameters(options: &Options<'_>, variation: u32) -> Params {
    let mut params = Params::new();
    let milliseconds = options
        .timeout
        .as_millis()
        .clamp(1, u128::from(u32::MAX - 1));
    params.set_u32("timeout", milliseconds as u32);
    params.set_u32("rlimit", options.resource_limit);
    params.set_u32("random_seed", options.seed.wrapping_add(variation / 2));
    // Every other variation does without the solver's guess at what suits the question.
    params.set_bool("auto_config", variation.is_multiple_of(2));
    // The program decides what an interrupt from the keyboard does, not the solver.
    params.set_bool("ctrl_c", false);
    params
}

/// Runs `work` in a solver context of its own, on this thread.
pub(crate) fn in_context<T: Send + Sync>(work: impl FnOnce() -> T + Send + Sync) -> T {
    z3::with_z3_config(&Config::new(), work)
}
