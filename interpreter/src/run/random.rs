//! Random runs: uniform among the enabled transition clauses, then among the parameters that enable the one drawn.

use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, TransitionId};

use super::walk::{Go, Walk};
use super::{Ending, Observer, Options, Report};
use crate::instance::Instance;
use crate::instance::automaton::TransitionCode;
use crate::state::cell::Cell;
use crate::transition::{ClauseSteps, Known};
use crate::vm::Saved;
use crate::vm::draws::{Draws, Stream};
use crate::vm::halt::{Stop, interrupt};

/// Runs an automaton under the random scheduler.
///
/// # Errors
/// Every reason why it cannot be run at these sizes, among them parameters that cannot be enumerated.
pub fn random(
    instance: &Instance,
    automaton: AutomatonId,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, Vec<Diagnostic>> {
    run(instance, automaton, options, observer, None)
}

/// The same run, with steps that are known without evaluation as far as possible.
///
/// # Errors
/// As those of [`random`].
pub fn random_by(
    instance: &Instance,
    automaton: AutomatonId,
    options: Options,
    observer: &mut dyn Observer,
    fast: &mut dyn ClauseSteps,
) -> Result<Report, Vec<Diagnostic>> {
    run(instance, automaton, options, observer, Some(fast))
}

fn run<'o>(
    instance: &Instance,
    automaton: AutomatonId,
    options: Options,
    observer: &'o mut dyn Observer,
    fast: Option<&'o mut dyn ClauseSteps>,
) -> Result<Report, Vec<Diagnostic>> {
    let mut walk = Walk::new(instance, automaton, options, observer)?;
    walk.executor.check_enumerable()?;
    walk.fast = fast;
    let clauses = instance.model().automaton(automaton).transitions.len();
    let mut scheduler = Scheduler {
        draws: Draws::new(options.seed, Stream::Schedule),
        clauses: (0..clauses).map(TransitionId::at).collect(),
        valuations: Saved::default(),
        steps: Vec::new(),
    };
    let ending = match walk.start() {
        Go::Break(ending) => ending,
        Go::Continue(()) => loop {
            if let Go::Break(ending) = scheduler.step(&mut walk) {
                break ending;
            }
        },
    };
    Ok(walk.report(ending))
}

/// Draws the next step.
struct Scheduler {
    draws: Draws,
    /// All clauses, in an order that changes.
    clauses: Vec<TransitionId>,
    /// The enabling parameters of one clause, one valuation after the other.
    valuations: Saved,
    /// The steps by one clause, where they are known without evaluation.
    steps: Vec<u64>,
}

impl Scheduler {
    /// One step. Clauses are drawn without putting back until one is enabled, which makes the one that is taken
    /// uniform among the enabled ones without asking the others.
    fn step(&mut self, walk: &mut Walk<'_, '_>) -> Go {
        walk.may_step()?;
        for tried in 0..self.clauses.len() {
            let drawn = tried + self.draws.position(self.clauses.len() - tried);
            self.clauses.swap(tried, drawn);
            let transition = self.clauses[tried];
            match self.known_step(walk, transition) {
                Taken::Step(go) => return go,
                Taken::Disabled => continue,
                Taken::Unknown => {}
            }
            let code = walk.executor.clause(transition);
            walk.executor.load(&walk.state, &code.frame);
            match self.bind(walk, code) {
                Ok(true) => return walk.take(transition),
                Ok(false) => {}
                Err(stop) => {
                    return Go::Break(interrupt(*stop, &code.frame).into());
                }
            }
        }
        Go::Break(Ending::Deadlock)
    }

    /// Binds the parameters of a clause to values that enable it, if there are any.
    fn bind(&mut self, walk: &mut Walk<'_, '_>, code: &TransitionCode) -> Result<bool, Stop> {
        let handed = code.handed.as_ref();
        let (plan, binders) = match handed {
            Some(handed) => (&handed.params, code.params()),
            None => (&code.free, &code.binders[..]),
        };
        let plan = plan.as_ref().expect("checked before the run");
        let machine = &mut walk.executor.machine;
        let (mut count, valuations) = (0_usize, &mut self.valuations);
        valuations.clear();
        machine.every_valuation(plan, &mut |machine| {
            if let Some(handed) = handed
                && !machine.may_hand_out(code, handed)?
            {
                return Ok(());
            }
            count += 1;
            for binder in binders {
                machine.save(binder, valuations);
            }
            Ok(())
        })?;
        if count == 0 {
            return Ok(false);
        }
        let drawn = self.draws.position(count);
        machine.restore(binders, &self.valuations, drawn);
        if let Some(handed) = handed {
            machine.hand_out(code, handed, &mut self.draws)?;
        }
        Ok(true)
    }

    /// Draws and takes a step by a clause, if the steps by it are known without evaluation.
    fn known_step(&mut self, walk: &mut Walk<'_, '_>, transition: TransitionId) -> Taken {
        let Some(fast) = walk.fast.as_deref_mut() else {
            return Taken::Unknown;
        };
        self.steps.clear();
        let state = walk.state.words();
        let Some(known) = fast.steps_by(state, transition, &mut self.steps) else {
            return Taken::Unknown;
        };
        let code = walk.executor.clause(transition);
        let binders = code.binders.len();
        let width = match known {
            Known::Parameters => binders,
            Known::Steps => binders + state.len(),
        };
        let count = self.steps.len() / width;
        if count == 0 {
            return Taken::Disabled;
        }
        let drawn = &self.steps[self.draws.position(count) * width..][..width];
        let (values, after) = drawn.split_at(binders);
        if known == Known::Steps && walk.is_unobserved() {
            return Taken::Step(walk.take_unobserved(after));
        }
        walk.executor.load(&walk.state, &code.frame);
        for (binder, value) in code.binders.iter().zip(values) {
            walk.executor.machine.bind(binder.slot, Cell::Word(*value));
        }
        Taken::Step(match known {
            Known::Parameters => walk.take(transition),
            Known::Steps => walk.take_to(transition, after),
        })
    }
}

/// What came of a clause whose steps may be known without evaluation.
enum Taken {
    /// It took a step: whether the run goes on.
    Step(Go),
    /// It is not enabled.
    Disabled,
    /// It has to be evaluated.
    Unknown,
}
