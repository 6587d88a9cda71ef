//! Strategies: which of the enabled steps a run takes.
//!
//! Most of them schedule *threads*, as their papers do: at each step a policy chooses one of the threads that have an enabled
//! step, and one of this thread's enabled steps is drawn. What a thread is [`Threads`] says. The runs of *systematic*
//! strategies go different ways: see [`Ways`].

mod beginnings;
mod circle;
mod delays;
mod divergences;
mod guided;
mod points;
mod policy;
mod preemptions;
mod priorities;
mod threaded;
mod threads;
mod ways;

use std::fmt;

use crate::vm::draws::Draws;

use beginnings::{Beginning, Beginnings};
use delays::Delays;
use divergences::{Divergences, Diverging};
pub(super) use guided::Guided;
use points::Points;
use policy::Policy;
use preemptions::Preemptions;
use priorities::Priorities;
pub(super) use threaded::Threaded;
pub use threads::Threads;
use ways::Guide;
pub use ways::{Way, Ways};

/// How a run chooses among the enabled steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Draws an action by weight, and then any of the parameters that enable it.
    #[default]
    Random,
    /// Threads have random priorities, which change at `depth - 1` random steps (PCT: Burckhardt, Kothari, Musuvathi and
    /// Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010, section 3).
    Priorities {
        /// The greatest number of ordering constraints that a failure may need.
        depth: u32,
    },
    /// Threads run in turn, each as long as it can, but for so many delays at random steps, where the next one has its
    /// turn (Emmi, Qadeer and Rakamarić, "Delay-bounded scheduling", POPL 2011, section 3).
    Delays {
        /// The number of delays.
        bound: u32,
    },
    /// A thread runs as long as it can, and any may follow; it is preempted at so many random steps (Musuvathi and Qadeer,
    /// "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007, section 2).
    Preemptions {
        /// The number of preemptions.
        bound: u32,
    },
    /// The first run lets threads run in turn, each as long as it can. The others differ from it by so many steps at most, all
    /// of them one after the other (Aronis, Fritchie and Sagonas, "Testing and Verifying Chain Repair Methods for CORFU Using
    /// Stateless Model Checking", iFM 2017, section 3, "exploration tree bounding").
    Divergences {
        /// The number of divergences.
        bound: u32,
    },
    /// All beginnings of one step are tried, then all of two, up to so many; what follows is drawn (Killian, Anderson, Jhala and
    /// Vahdat, "Life, Death, and the Critical Transition", NSDI 2007, section 3.1).
    DepthFirst {
        /// The greatest number of steps that are tried in all ways.
        depth: u32,
    },
}

/// What each strategy is called. If it has a depth, the least one and the usual one follow.
const NAMES: [(&str, Option<(u32, u32)>); 6] = [
    ("random", None),
    ("pct", Some((1, 3))),
    ("delays", Some((0, 2))),
    ("preemptions", Some((0, 2))),
    ("divergences", Some((0, 2))),
    ("depth-first", Some((1, 10))),
];

impl Strategy {
    /// The greatest depth that can be asked for.
    pub const MOST: u32 = 1000;

    /// What takes turns where no single strategy is asked for: they find different failures, and none of them finds all.
    pub const PORTFOLIO: [Self; 8] = [
        Self::Random,
        Self::Priorities { depth: 2 },
        Self::Delays { bound: 1 },
        Self::Preemptions { bound: 2 },
        Self::Random,
        Self::Priorities { depth: 3 },
        Self::Delays { bound: 3 },
        Self::Priorities { depth: 5 },
    ];

    /// A strategy by its name, at a depth or, where none is given, at its usual one.
    ///
    /// # Errors
    /// What is wrong with the name or the depth.
    pub fn named(name: &str, depth: Option<u32>) -> Result<Self, String> {
        let Some((_, depths)) = NAMES.iter().find(|(known, _)| *known == name) else {
            let known = NAMES.map(|(known, _)| known).join(", ");
            return Err(format!(
                "there is no strategy {name}; there are {known} and portfolio"
            ));
        };
        let Some((least, usual)) = *depths else {
            return match depth {
                None => Ok(Self::Random),
                Some(_) => Err(format!("strategy {name} has no depth")),
            };
        };
        let depth = depth.unwrap_or(usual);
        if !(least..=Self::MOST).contains(&depth) {
            return Err(format!(
                "the depth of strategy {name} is from {least} to {}, not {depth}",
                Self::MOST
            ));
        }
        Ok(match name {
            "pct" => Self::Priorities { depth },
            "delays" => Self::Delays { bound: depth },
            "preemptions" => Self::Preemptions { bound: depth },
            "divergences" => Self::Divergences { bound: depth },
            _ => Self::DepthFirst { depth },
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Priorities { .. } => "pct",
            Self::Delays { .. } => "delays",
            Self::Preemptions { .. } => "preemptions",
            Self::Divergences { .. } => "divergences",
            Self::DepthFirst { .. } => "depth-first",
        }
    }

    /// Its depth: how many ordering constraints, delays, preemptions or divergences it has room for, or how many steps are
    /// tried in all ways.
    #[must_use]
    pub fn depth(self) -> Option<u32> {
        match self {
            Self::Random => None,
            Self::Priorities { depth } | Self::DepthFirst { depth } => Some(depth),
            Self::Delays { bound } | Self::Preemptions { bound } | Self::Divergences { bound } => {
                Some(bound)
            }
        }
    }

    /// Whether it draws actions by their weights, at least in a part of a run; all others tell threads apart.
    #[must_use]
    pub fn draws_actions(self) -> bool {
        matches!(self, Self::Random | Self::DepthFirst { .. })
    }

    /// The ways that its runs go, if it is systematic.
    #[must_use]
    pub fn ways(self) -> Option<Ways> {
        match self {
            Self::Divergences { bound } => {
                Some(Ways::from(Way::default(), Divergences::new(bound)))
            }
            Self::DepthFirst { depth } => {
                Some(Ways::from(Beginnings::first(), Beginnings::new(depth)))
            }
            _ => None,
        }
    }

    /// What leads a run along a way, if it is systematic.
    pub(super) fn guide(self, way: Way) -> Option<Box<dyn Guide>> {
        match self {
            Self::Divergences { .. } => Some(Box::new(Diverging::of(way))),
            Self::DepthFirst { .. } => Some(Box::new(Beginning::of(way))),
            _ => None,
        }
    }

    /// Its policy for a run of at most so many steps, if it draws something and schedules threads.
    pub(super) fn policy(self, steps: u64, draws: &mut Draws) -> Option<Box<dyn Policy>> {
        match self {
            Self::Random | Self::Divergences { .. } | Self::DepthFirst { .. } => None,
            Self::Priorities { depth } => {
                let changes = Points::drawn(depth.saturating_sub(1), steps, draws);
                Some(Box::new(Priorities::new(changes)))
            }
            Self::Delays { bound } => {
                Some(Box::new(Delays::new(Points::drawn(bound, steps, draws))))
            }
            Self::Preemptions { bound } => Some(Box::new(Preemptions::new(Points::drawn(
                bound, steps, draws,
            )))),
        }
    }
}

/// `pct (depth 3)`
impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.depth() {
            None => write!(f, "{}", self.name()),
            Some(depth) => write!(f, "{} (depth {depth})", self.name()),
        }
    }
}
