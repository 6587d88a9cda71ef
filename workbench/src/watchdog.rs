//! Keeps a proof making progress: an obligation that exceeds its limits is abandoned, and the others are still proved.
//!
//! The solver does not look at its limits everywhere, and no thread that is inside it can be ended. The process can: it
//! begins again, as the same command in the same process with nothing of the old one left, and is told what to give up.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use ioa_lang::core::{AutomatonId, Model, TransitionId};
use prover_bridge::{Kind, Part, Target, Task, Watch, obligations};
use session::finding::Status;

use crate::restart;

/// By how much anything may exceed the time for a question, which the solver's own limit ends where it looks at it.
const MARGIN: Duration = Duration::from_secs(3);

/// How long a look at the threads is away from the next.
const PAUSE: Duration = Duration::from_millis(50);

/// What a thread is at.
struct Doing {
    thread: ThreadId,
    tasks: Vec<Task>,
    since: Instant,
}

/// The process of a command, which can begin again because it does nothing else.
#[derive(Clone, Copy)]
pub struct Whole<'w> {
    /// How long the user has waited for the command.
    pub waited: &'w (dyn Fn() -> Duration + Sync),
    /// Says what went wrong.
    pub complain: &'w (dyn Fn(&str) + Sync),
}

/// Watches the threads of a proof.
struct Watchdog<'w> {
    model: &'w Model,
    whole: Whole<'w>,
    /// How long anything may take.
    allowed: Duration,
    /// All that may take too long, in an order that is the same in every process.
    tasks: Vec<Task>,
    given_up: Vec<Task>,
    threads: Mutex<Vec<Doing>>,
}

/// Runs a proof about everything that a model states, whose questions may take so much time each, and watches that it
/// goes on. Where the process is not the command's alone it cannot begin again, and the solver's own limits have to do.
pub fn watched<T>(
    target: &Target<'_>,
    timeout: Duration,
    whole: Whole<'_>,
    proof: impl FnOnce(Option<&dyn Watch>) -> T,
) -> T {
    let watchdog = &Watchdog::new(target, timeout, whole);
    thread::scope(|scope| {
        let (done, waiting) = mpsc::channel();
        scope.spawn(move || watchdog.look(&waiting));
        let result = proof(Some(watchdog));
        drop(done);
        result
    })
}

impl Watch for Watchdog<'_> {
    fn turns_to(&self, tasks: &[Task]) {
        let thread = thread::current().id();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|doing| doing.thread != thread);
        if !tasks.is_empty() {
            threads.push(Doing {
                thread,
                tasks: tasks.to_vec(),
                since: Instant::now(),
            });
        }
    }

    fn goes_on(&self) {
        let thread = thread::current().id();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(doing) = threads.iter_mut().find(|doing| doing.thread == thread) {
            doing.since = Instant::now();
        }
    }

    fn is_given_up(&self, task: Task) -> bool {
        self.given_up.contains(&task)
    }
}

impl<'w> Watchdog<'w> {
    fn new(target: &Target<'w>, timeout: Duration, whole: Whole<'w>) -> Self {
        let kinds = obligations(target).into_iter().map(|o| o.kind);
        let automata = (0..target.model.automata.len()).map(AutomatonId::at);
        let tasks: Vec<Task> = kinds
            .map(Task::Obligation)
            .chain(automata.map(Task::Warnings))
            .collect();
        Self {
            model: target.model,
            whole,
            allowed: timeout.saturating_add(MARGIN),
            given_up: given_up(&tasks),
            tasks,
            threads: Mutex::default(),
        }
    }

    /// Looks at the threads until the proof is done.
    fn look(&self, done: &Receiver<()>) {
        while done.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            let stuck = self.stuck();
            if !stuck.is_empty() {
                self.begin_again(&stuck);
            }
        }
    }

    /// What has taken too long.
    fn stuck(&self) -> Vec<Task> {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let late = threads
            .iter()
            .filter(|doing| doing.since.elapsed() > self.allowed);
        late.flat_map(|doing| doing.tasks.clone()).collect()
    }

    /// Begins again without these tasks; and without all about a clause that something was given up of before.
    fn begin_again(&self, stuck: &[Task]) -> ! {
        let clause = |task: &Task| clause_of(self.model, *task);
        let known: Vec<Clause> = self.given_up.iter().filter_map(clause).collect();
        let hopeless: Vec<Clause> = stuck.iter().filter_map(clause).collect();
        let is_lost = |task: &Task| {
            let hopeless = |c: Clause| known.contains(&c) && hopeless.contains(&c);
            self.given_up.contains(task)
                || stuck.contains(task)
                || clause(task).is_some_and(hopeless)
        };
        let numbered = self.tasks.iter().enumerate();
        let lost = numbered.filter(|(_, task)| is_lost(task));
        let lost: Vec<usize> = lost.map(|(number, _)| number).collect();
        let failed = restart::begin((self.whole.waited)(), &lost);
        (self.whole.complain)(&format!(
            "error: the solver does not stop at its limits, and the proof cannot begin again without it: {failed}\n"
        ));
        std::process::exit(i32::from(Status::NotEstablished.code()))
    }
}

/// The tasks that this process was told to give up.
fn given_up(tasks: &[Task]) -> Vec<Task> {
    let numbers = restart::told().map_or_else(Vec::new, |told| told.given_up);
    numbers
        .iter()
        .filter_map(|n| tasks.get(*n).copied())
        .collect()
}

/// A clause that obligations are about: of an automaton, or of the low one of a simulation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clause {
    Of(AutomatonId, TransitionId),
    Simulated(usize, TransitionId),
}

fn clause_of(model: &Model, task: Task) -> Option<Clause> {
    let Task::Obligation(kind) = task else {
        return None;
    };
    match kind {
        Kind::Consecution {
            invariant,
            transition,
        } => Some(Clause::Of(
            model.invariants[invariant].automaton,
            transition,
        )),
        Kind::Definedness(Part::Transition(automaton, transition)) => {
            Some(Clause::Of(automaton, transition))
        }
        Kind::SimulationStep {
            simulation,
            transition,
        }
        | Kind::Definedness(Part::Entry(simulation, transition)) => {
            Some(Clause::Simulated(simulation, transition))
        }
        _ => None,
    }
}
