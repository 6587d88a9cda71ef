//! Keeps a proof making progress: an obligation that exceeds its limits is abandoned, and the others are still proved.
//!
//! The solver does not look at its limits everywhere, and no thread that is inside it can be ended. The process can: it
//! begins again, as the same command in the same process with nothing of the old one left, and is told what to give up.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use ioa_lang::core::{AutomatonId, Model, TransitionId};
use prover_bridge::{Kind, Part, Target, Task, Watch, obligations};
use session::finding::Status;
use session::host::Stop;
use session::numbers::counted;

use crate::restart;

/// By how much anything may exceed the time for a question, which the solver's own limit ends where it looks at it.
const MARGIN: Duration = Duration::from_secs(3);

/// How long a solver that is told to stop may take to do so.
const GRACE: Duration = Duration::from_secs(3);

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
    /// Why the command is to come to an end, if it is.
    pub stopped: &'w (dyn Fn() -> Option<Stop> + Sync),
    /// Says what is being proved.
    pub tell: &'w (dyn Fn(&str) + Sync),
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
    /// The names of obligations.
    names: BTreeMap<Task, String>,
    given_up: Vec<Task>,
    /// How many questions were put to the solver or answered.
    turns: AtomicU64,
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
        self.turns.fetch_add(1, Ordering::Relaxed);
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
        let listed = obligations(target);
        let automata = (0..target.model.automata.len()).map(AutomatonId::at);
        let tasks: Vec<Task> = (listed.iter().map(|o| Task::Obligation(o.kind)))
            .chain(automata.map(Task::Warnings))
            .collect();
        let names = listed.into_iter();
        let names = names.map(|o| (Task::Obligation(o.kind), o.name));
        Self {
            model: target.model,
            whole,
            allowed: timeout.saturating_add(MARGIN),
            given_up: given_up(&tasks),
            tasks,
            names: names.collect(),
            turns: AtomicU64::new(0),
            threads: Mutex::default(),
        }
    }

    /// Looks at the threads until the proof is done.
    fn look(&self, done: &Receiver<()>) {
        let mut stopped = None;
        while done.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            if let Some(stop) = (self.whole.stopped)() {
                let since = *stopped.get_or_insert_with(Instant::now);
                if since.elapsed() > GRACE {
                    self.end(stop);
                }
                continue;
            }
            (self.whole.tell)(&self.doing());
            let stuck = self.stuck();
            if !stuck.is_empty() {
                self.begin_again(&stuck);
            }
        }
    }

    /// What the threads are at, in words.
    fn doing(&self) -> String {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let tasks = threads.iter().flat_map(|doing| doing.tasks.first());
        let names = tasks.map(|task| self.names.get(task).map_or("warnings", String::as_str));
        let names: Vec<&str> = names.collect();
        // A question counts when it is put and when it is answered.
        let questions = self.turns.load(Ordering::Relaxed) / 2;
        format!(
            "proving {} ({})",
            names.join(" and "),
            counted(questions, "question")
        )
    }

    /// Ends the process although the solver, which does not stop, keeps what was found so far.
    fn end(&self, stop: Stop) -> ! {
        (self.whole.complain)(&format!(
            "error: {}, but the solver does not stop: what was found so far is lost\n",
            stop.words()
        ));
        let status = match stop {
            Stop::Interrupted => Status::Interrupted,
            Stop::Time => Status::NotEstablished,
        };
        std::process::exit(i32::from(status.code()))
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
