//! What is asked of the prover, and what comes of it.

use std::time::Duration;

use prover_bridge::Spent;
use prover_bridge::counterexample::Execution;

use ioa_lang::core::{AutomatonId, Extent};

use super::super::plan::command::quoted;
use super::repeat::Repeated;
use crate::finding::Finding;
use crate::study::{BadInput, Formula, Study, asks_something};

/// Work for each obligation, in the solver's own unit, where nothing else is asked for: that of some seconds.
pub const WORK: u32 = 20_000_000;

/// Time for each obligation, where nothing else is asked for: several times as much as that work takes on a slow machine, so that
/// verdicts do not depend on the clock.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// How far proofs may go, and what else is wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// Names of invariants or simulations to report on; all where none is named.
    pub only: Vec<String>,
    /// Formulas to report on besides, which are to hold in every reachable state of the automaton.
    pub check: Vec<String>,
    /// The automaton to report on; all where none is named.
    pub automaton: Option<String>,
    /// Time for each obligation, and as much again for the search for a counterexample to it.
    pub timeout: Duration,
    /// Work for each obligation, in the solver's own unit, and as much again for that search; 0 for no limit.
    pub work: u32,
    /// Whether each obligation is asked by itself from the beginning, so that what it costs does not depend on what else is asked.
    pub apart: bool,
    /// Whether to find out which invariants each obligation needs.
    pub cores: bool,
    /// Whether counterexamples for several reasons are looked for to each obligation, not only one.
    pub all: bool,
    /// At most how many threads.
    pub threads: usize,
    /// How invariants are proved.
    pub method: Method,
    /// How many times proofs by induction are decided, with what must not matter to them changed each time.
    pub repeat: u32,
    /// When all of it ends, by the host's clock; what is left then is not proved.
    pub until: Option<Duration>,
}

/// How invariants are proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By induction, with simulations and all that proofs presume.
    #[default]
    Induction,
    /// Not proved, but checked in executions of at most so many steps, at every size.
    Bounded(u32),
    /// By induction over so many steps.
    KInduction(u32),
}

impl Method {
    /// What asks for it on the command line.
    pub(super) fn flag(self) -> String {
        match self {
            Self::Induction => String::new(),
            Self::Bounded(steps) => format!(" --bmc {steps}"),
            Self::KInduction(k) => format!(" --k-induction {k}"),
        }
    }
}

impl Request {
    /// A request for proofs by induction, by these names or of all that is stated, on so many threads, within the usual limits.
    #[must_use]
    pub fn by_induction(only: Vec<String>, threads: usize) -> Self {
        Self {
            only,
            check: Vec::new(),
            automaton: None,
            timeout: TIMEOUT,
            work: WORK,
            apart: false,
            cores: false,
            all: false,
            threads,
            method: Method::Induction,
            repeat: 1,
            until: None,
        }
    }

    /// The study with the formulas as invariants, and the request that is about these and about what else is named.
    ///
    /// # Errors
    /// What is wrong with the formulas; several automata and none named.
    pub fn asked(&self, study: &Study) -> Result<(Study, Self), BadInput> {
        for text in &self.check {
            asks_something("--check", text)?;
        }
        let read = |automaton| {
            let formulas = self.check.iter().map(|text| Formula {
                place: "--check",
                name: text,
                text,
            });
            study.formulas((automaton, Extent::EverySize), formulas)
        };
        let automaton = study.automaton(self.automaton.as_deref()).or_else(|why| {
            // What the formulas speak of may leave no choice.
            let all = (0..study.model.automata.len()).map(AutomatonId::at);
            let legible: Vec<AutomatonId> = all.filter(|id| read(*id).is_ok()).collect();
            match (&self.automaton, &legible[..]) {
                (None, [only]) => Ok(*only),
                _ => Err(why),
            }
        })?;
        let (sources, mut stated) = read(automaton)?;
        let mut invariants = study.model.invariants.clone();
        invariants.append(&mut stated);
        let request = Self {
            only: self.only.iter().chain(&self.check).cloned().collect(),
            ..self.clone()
        };
        Ok((study.stating(sources, invariants), request))
    }

    /// What asks for the proof of an invariant or a simulation again.
    pub(super) fn command(&self, study: &Study, name: &str) -> String {
        let named = match self.check.iter().any(|text| text == name) {
            false => format!("--only \"{name}\""),
            true => {
                let automaton = self.automaton.iter();
                let automaton: String = automaton.map(|a| format!("--automaton {a} ")).collect();
                format!("{automaton}--check {}", quoted(name))
            }
        };
        format!(
            "ioa prove {} {named}{}{}{}{}",
            study.inputs,
            self.method.flag(),
            if self.all { " --all" } else { "" },
            self.limit_flags(),
            self.repeat_flag()
        )
    }

    /// What asks for as many times on the command line.
    fn repeat_flag(&self) -> String {
        match self.repeat {
            0 | 1 => String::new(),
            n => format!(" --repeat {n}"),
        }
    }

    /// What asks for the same limits on the command line.
    fn limit_flags(&self) -> String {
        let timeout = (self.timeout != TIMEOUT).then_some(self.timeout.as_millis());
        let timeout = timeout.map(|milliseconds| format!(" --timeout {milliseconds}"));
        let work = self.apart.then(|| format!(" --rlimit {}", self.work));
        timeout.into_iter().chain(work).collect()
    }
}

/// What came of a proof.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What is established and what is not.
    pub findings: Vec<Finding>,
    /// Headings of invariants and of entries of proof blocks with the `uses` that suffices for them, where it was to be found out
    /// what proofs need.
    pub uses: Vec<String>,
    /// What the time went to.
    pub spent: Spent,
    /// How long it took to find out what executions show of what is not proved; nothing, where all is.
    pub sorting: Option<Duration>,
    /// What came of deciding it several times, where that was asked for.
    pub repeated: Option<Repeated>,
    /// The states that show why something is not established, in the order in which they were found.
    pub shown: Vec<Shown>,
}

/// States that the solver found, consecutive ones.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What they show, as a sentence without its full stop.
    pub what: String,
    /// The states, with the actions between them.
    pub states: Execution,
}
