//! Random runs: uniform among the enabled transition clauses, then among the parameters that enable the one drawn.

use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, TransitionId};

use super::walk::{Go, Walk};
use super::{Ending, Moves, Observer, Options, Report, Shortcut};
use crate::automaton::TransitionCode;
use crate::cell::Cell;
use crate::draws::{Draws, Stream};
use crate::eval::Saved;
use crate::fault::Stop;
use crate::instance::Instance;

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
    with_shortcut(instance, automaton, options, observer, None)
}

/// The same run, made faster by whoever knows the steps.
///
/// # Errors
/// As those of [`random`].
pub fn random_by(
    instance: &Instance,
    automaton: AutomatonId,
    options: Options,
    observer: &mut dyn Observer,
    shortcut: &mut dyn Shortcut,
) -> Result<Report, Vec<Diagnostic>> {
    with_shortcut(instance, automaton, options, observer, Some(shortcut))
}

fn with_shortcut<'o>(
    instance: &Instance,
    automaton: AutomatonId,
    options: Options,
    observer: &'o mut dyn Observer,
    shortcut: Option<&'o mut dyn Shortcut>,
) -> Result<Report, Vec<Diagnostic>> {
    let mut walk = Walk::new(instance, automaton, options, observer)?;
    walk.executor.check_enumerable()?;
    walk.shortcut = shortcut;
    let clauses = instance.model().automaton(automaton).transitions.len();
    let mut scheduler = Scheduler {
        draws: Draws::new(options.seed, Stream::Schedule),
        clauses: (0..clauses).map(TransitionId::at).collect(),
        valuations: Saved::default(),
        moves: Vec::new(),
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
    /// The steps that a shortcut knows.
    moves: Vec<u64>,
}

impl Scheduler {
    /// One step. Clauses are drawn without putting back until one is enabled, which makes the one that is taken
    /// uniform among the enabled ones without asking the others. Before it come the steps that a shortcut takes.
    fn step(&mut self, walk: &mut Walk<'_, '_>) -> Go {
        walk.stride(&mut self.clauses, &mut self.draws);
        walk.may_step()?;
        for tried in 0..self.clauses.len() {
            let drawn = tried + self.draws.position(self.clauses.len() - tried);
            self.clauses.swap(tried, drawn);
            let transition = self.clauses[tried];
            let code = walk.executor.clause(transition);
            match self.short(walk, transition, code) {
                Some(Some(go)) => return go,
                Some(None) => continue,
                None => walk.executor.load(&walk.state, &code.frame),
            }
            match self.bind(walk, code) {
                Ok(true) => return walk.take(transition),
                Ok(false) => {}
                Err(stop) => {
                    return Go::Break(crate::step::interrupt(*stop, &code.frame).into());
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

    /// Takes a step by a clause as a shortcut knows it: where to go then, or nothing if the clause is not enabled.
    /// Nothing at all if no shortcut knows.
    fn short(
        &mut self,
        walk: &mut Walk<'_, '_>,
        transition: TransitionId,
        code: &TransitionCode,
    ) -> Option<Option<Go>> {
        let shortcut = walk.shortcut.as_deref_mut()?;
        self.moves.clear();
        let kind = shortcut.moves(walk.state.words(), transition, &mut self.moves)?;
        let binders = code.binders.len();
        let width = match kind {
            Moves::Valuations => binders,
            Moves::Steps => binders + walk.state.words().len(),
        };
        let count = self.moves.len() / width;
        if count == 0 {
            return Some(None);
        }
        walk.executor.load(&walk.state, &code.frame);
        let drawn = &self.moves[self.draws.position(count) * width..][..width];
        let (values, after) = drawn.split_at(binders);
        for (binder, value) in code.binders.iter().zip(values) {
            walk.executor.machine.bind(binder.slot, Cell::Word(*value));
        }
        Some(Some(match kind {
            Moves::Valuations => walk.take(transition),
            Moves::Steps => walk.take_to(transition, after),
        }))
    }
}
