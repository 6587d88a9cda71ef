//! The solver: bounded questions, and what they cost.

mod context;
mod cores;
mod loaded;
mod proofs;
mod shuffle;

use std::cell::OnceCell;
use std::time::Duration;

use z3::ast::{Ast, Bool, Dynamic};
use z3::{DeclKind, Params, SatResult};

use crate::logic::{and, may_bind_collections};
use crate::obligations::{Goal, Piece};
use crate::options::{Allowance, Options};
use crate::reason::Reason;
use context::newly_done;
pub(crate) use context::{in_context, in_context_of};
use loaded::{Loaded, work_done};
pub use proofs::{Fingerprint, Proofs, Proved};
pub(crate) use proofs::{Stated, stated};
pub use shuffle::renamed;
use shuffle::shuffled;

/// An answer of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Unsat,
    Sat,
    Unknown(Reason),
}

impl Answer {
    /// Whether more may be found out by asking otherwise.
    pub(crate) fn is_open(&self) -> bool {
        matches!(
            self,
            Self::Unknown(Reason::Timeout | Reason::ResourceLimit | Reason::Incomplete(_))
        )
    }
}

/// A solver with its limits: what is asserted, and the questions about it.
///
/// One solver of Z3 answers all questions and keeps what it knows of the assertions that they share; which of the assumptions
/// of a question its answer rests on, an unsat core says. Scopes hold what some questions share and others do not.
///
/// Z3 takes assertions apart when it is asked and when a scope is opened, and that may take as long as an answer. Its limits
/// hold only where it is asked. So before a scope is opened, Z3 is asked a question that has an answer as soon as the
/// assertions are taken apart: whether they can be true together with a literal and its negation.
pub(crate) struct Solver<'o> {
    options: &'o Options<'o>,
    variation: u32,
    /// Whether Z3 looks at those terms alone that matter so far, which pays where there are quantifiers.
    by_relevancy: bool,
    /// Whether quantifiers are instantiated by models as well.
    by_models: bool,
    /// The most work for each question, where it is less than the options say.
    work: Option<u32>,
    /// The limits of all questions together; without, those of the options hold for each.
    allowance: Option<Allowance<'o>>,
    asserted: Vec<Assertion>,
    /// How many scopes are open.
    depth: usize,
    /// The conjuncts of what is assumed in the open scopes.
    assumed: Vec<Bool>,
    loaded: Option<Loaded>,
    queries: u32,
    resources: u64,
}

/// A formula that is asserted.
struct Assertion {
    formula: Bool,
    /// How many scopes were open when it was.
    depth: usize,
    /// Whether some variable of a quantifier stands for a collection, once that is known.
    binds_collections: OnceCell<bool>,
}

impl Assertion {
    /// Whether some variable of a quantifier stands for a collection, which is an array for Z3. The text says so, where types are
    /// written only for such variables and for constant arrays.
    fn binds_collections(&self) -> bool {
        *self.binds_collections.get_or_init(|| {
            let text = self.formula.to_string();
            let mut arrays = text.match_indices("(Array ");
            arrays.any(|(at, _)| !text[..at].ends_with("(as const "))
        })
    }
}

impl<'o> Solver<'o> {
    pub(crate) fn new(options: &'o Options<'o>) -> Self {
        Self::varied(options, 0)
    }

    /// A solver that makes other choices than that of another variation.
    pub(crate) fn varied(options: &'o Options<'o>, variation: u32) -> Self {
        Self {
            options,
            variation,
            by_relevancy: true,
            by_models: true,
            work: None,
            allowance: None,
            asserted: Vec::new(),
            depth: 0,
            assumed: Vec::new(),
            loaded: None,
            queries: 0,
            resources: 0,
        }
    }

    /// The same, for questions without quantifiers.
    pub(crate) fn of_ground_terms(mut self) -> Self {
        self.by_relevancy = false;
        self
    }

    /// The same, but quantifiers are instantiated by what the question mentions, never by models.
    pub(crate) fn without_models(mut self) -> Self {
        self.by_models = false;
        self
    }

    /// The same, with limits of all questions together.
    pub(crate) fn allowed(mut self, allowance: &Allowance<'o>) -> Self {
        self.allowance = Some(allowance.clone());
        self
    }

    /// Runs `ask` with limits of all its questions together.
    pub(crate) fn within<T>(
        &mut self,
        allowance: &Allowance<'o>,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.allowance.replace(allowance.clone());
        let result = ask(self);
        self.allowance = outer;
        result
    }

    pub(crate) fn assert(&mut self, formula: Bool) {
        let depth = self.depth;
        self.asserted.push(Assertion {
            formula,
            depth,
            binds_collections: OnceCell::new(),
        });
    }

    pub(crate) fn assert_all(&mut self, pieces: &[Piece]) {
        for piece in shuffled(pieces, self.options.order) {
            if piece.formula.as_bool() != Some(true) {
                self.assert(piece.formula.clone());
                flatten(&piece.formula, &mut self.assumed);
            }
        }
    }

    /// All that is asserted.
    pub(crate) fn asserted(&self) -> Vec<Bool> {
        let each = self.asserted.iter();
        each.map(|assertion| assertion.formula.clone()).collect()
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

    /// Asks whether what is asserted can be true. Outside of any scope that is a question by itself, for which Z3 chooses
    /// its own strategy.
    pub(crate) fn check(&mut self) -> Answer {
        if self.depth == 0 {
            self.loaded = None;
            return self.ask(&[]);
        }
        self.check_assuming(&[])
    }

    /// Asks whether what is asserted can be true together with some literals.
    pub(crate) fn check_assuming(&mut self, literals: &[Bool]) -> Answer {
        if literals.is_empty() && self.depth == 0 {
            // A question with assumptions is for Z3's incremental solver, as is any in a scope.
            return self.ask(&[Bool::new_const("asked!")]);
        }
        self.ask(literals)
    }

    /// Asks the same as [`Solver::check`]; where the incremental solver gives up, once more as a question by itself, for which
    /// Z3 chooses its own strategy. In that case there is no model to be had.
    pub(crate) fn check_in_every_way(&mut self) -> Answer {
        let answer = self.check_assuming(&[]);
        if !matches!(answer, Answer::Unknown(_)) {
            return answer;
        }
        let (depth, depths) = (self.depth, self.flatten_scopes());
        self.loaded = None;
        let answer = self.ask(&[]);
        self.loaded = None;
        self.depth = depth;
        for (assertion, depth) in self.asserted.iter_mut().zip(depths) {
            assertion.depth = depth;
        }
        answer
    }

    /// Makes what is asserted in scopes as if it were asserted outside of them; returns how deep each assertion was.
    fn flatten_scopes(&mut self) -> Vec<usize> {
        self.depth = 0;
        let asserted = self.asserted.iter_mut();
        asserted
            .map(|assertion| std::mem::take(&mut assertion.depth))
            .collect()
    }

    /// Runs `ask` within an own scope of assertions.
    pub(crate) fn scoped<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let (asserted, assumed) = (self.asserted.len(), self.assumed.len());
        self.depth += 1;
        let result = ask(self);
        self.depth -= 1;
        self.asserted.truncate(asserted);
        self.assumed.truncate(assumed);
        if let Some(loaded) = &mut self.loaded {
            loaded.leave(self.depth, asserted);
        }
        result
    }

    /// Runs `ask` with at most this much work for each question, in Z3's own unit, or less where the options or an outer limit
    /// say so.
    pub(crate) fn limited<T>(&mut self, work: u32, ask: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.work;
        self.work = Some(outer.map_or(work, |outer| outer.min(work)));
        let result = ask(self);
        self.work = outer;
        result
    }

    /// The most work for a question, in Z3's own unit; 0 for no limit.
    fn work_limit(&self) -> u32 {
        let of_options = Some(self.options.resource_limit).filter(|limit| *limit > 0);
        let left = self.allowance.as_ref().and_then(Allowance::work);
        let left = left.map(|left| u32::try_from(left).unwrap_or(u32::MAX));
        let limits = [of_options, self.work, left].into_iter().flatten();
        limits.min().unwrap_or(0)
    }

    /// What keeps another question from being asked.
    fn obstacle(&self) -> Option<Reason> {
        if self.options.is_stopped() {
            return Some(Reason::Stopped);
        }
        let allowance = self.allowance.as_ref()?;
        match (allowance.time().is_zero(), allowance.work()) {
            (true, _) => Some(Reason::Timeout),
            (false, Some(0)) => Some(Reason::ResourceLimit),
            (false, _) => None,
        }
    }

    /// The most time for a question.
    fn time_limit(&self) -> Duration {
        let allowed = self.options.timeout;
        let left = self.allowance.as_ref().map(Allowance::time);
        left.map_or(allowed, |left| left.min(allowed))
    }

    /// So much time in milliseconds; more by at most a sixteenth of what the options allow, so that few questions
    /// differ: telling Z3 what it may do takes as long as a small question.
    fn milliseconds(&self, left: Duration) -> u32 {
        let whole = |time: Duration| time.as_millis().clamp(1, u128::from(u32::MAX - 1)) as u32;
        let (allowed, left) = (whole(self.options.timeout), whole(left));
        let rounded = left.checked_next_multiple_of((allowed / 16).max(1));
        rounded.unwrap_or(allowed).min(allowed)
    }

    /// What Z3 is told before a question that may take so many milliseconds and so much work.
    fn parameters(&self, (milliseconds, work): (u32, u32)) -> Params {
        let mut params = Params::new();
        params.set_u32("timeout", milliseconds);
        params.set_u32("rlimit", work);
        let seed = self.options.seed.wrapping_add(self.variation / 2);
        params.set_u32("random_seed", seed);
        // Every other variation does without the solver's guess at what suits the question.
        params.set_bool("auto_config", self.variation.is_multiple_of(2));
        if !self.by_relevancy {
            params.set_u32("relevancy", 0);
        }
        if !self.by_models || self.binds_collections() {
            params.set_bool("mbqi", false);
        }
        // The program decides what an interrupt from the keyboard does, not the solver.
        params.set_bool("ctrl_c", false);
        params
    }

    /// Whether some variable of a quantifier stands for a set, or for another collection: where Z3 5.3.3 instantiates such a
    /// quantifier by models, it sometimes reads a null pointer.
    fn binds_collections(&self) -> bool {
        may_bind_collections() && self.asserted.iter().any(Assertion::binds_collections)
    }

    fn ask(&mut self, assumed: &[Bool]) -> Answer {
        if let Some(reason) = self.obstacle() {
            return Answer::Unknown(reason);
        }
        self.queries += 1;
        let mut loaded = self.loaded.take().unwrap_or_else(Loaded::empty);
        self.options.goes_on();
        let said = self.take_in(&mut loaded).unwrap_or_else(|| match assumed {
            [] => loaded.solver.check(),
            assumed => loaded.solver.check_assumptions(assumed),
        });
        self.options.goes_on();
        // Z3 gathers all its statistics to tell this, so it is not asked before each question as well.
        let work = newly_done(work_done(&loaded.solver));
        let answer = match said {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Sat => Answer::Sat,
            SatResult::Unknown if self.options.is_stopped() => Answer::Unknown(Reason::Stopped),
            SatResult::Unknown => Answer::Unknown(self.reason(&loaded, work)),
        };
        self.resources += work;
        self.options.spends(work);
        if let Some(allowance) = &self.allowance {
            allowance.spend(work);
        }
        loaded.is_apart = true;
        // What was interrupted may know only a part of what is asserted.
        if !matches!(answer, Answer::Unknown(_)) {
            self.loaded = Some(loaded);
        }
        answer
    }

    /// Asserts what Z3 does not know yet, in scopes as it was asserted; says so if a limit ends that.
    fn take_in(&self, loaded: &mut Loaded) -> Option<SatResult> {
        let mut limits = (self.milliseconds(self.time_limit()), self.work_limit());
        for depth in loaded.depth..=self.depth {
            if depth > loaded.depth {
                loaded.set_limits(limits, |limits| self.parameters(limits));
                if !loaded.is_apart && loaded.take_apart() == SatResult::Unknown {
                    return Some(SatResult::Unknown);
                }
                loaded.solver.push();
                (loaded.depth, loaded.is_apart) = (depth, true);
                limits.0 = self.milliseconds(self.time_limit());
            }
            let new = self.asserted[loaded.known..].iter();
            for assertion in new.take_while(|assertion| assertion.depth == depth) {
                loaded.solver.assert(&assertion.formula);
                loaded.known += 1;
                loaded.is_apart = false;
            }
        }
        loaded.set_limits(limits, |limits| self.parameters(limits));
        None
    }

    /// Why there is no answer to a question that took so much work.
    fn reason(&self, loaded: &Loaded, work: u64) -> Reason {
        let said = loaded.solver.get_reason_unknown().unwrap_or_default();
        let allowed = loaded.limits.map_or(0, |(_, work)| u64::from(work));
        match said.as_str() {
            "timeout" => Reason::Timeout,
            "max. resource limit exceeded" => Reason::ResourceLimit,
            // Z3 reports both limits as a cancellation, perhaps of a part of what it was doing.
            said if said.ends_with("canceled") => match allowed > 0 && work >= allowed {
                true => Reason::ResourceLimit,
                false => Reason::Timeout,
            },
            _ => Reason::Incomplete(said),
        }
    }

    /// The model that was found, if the last answer was that there is one.
    pub(crate) fn model(&self) -> Option<z3::Model> {
        self.loaded.as_ref()?.solver.get_model()
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
