//! What is said of why a search ended.

use super::exploration::{Ended, LeftOut, Others};
use crate::finding::Verdict;
use crate::host::Stop;

/// What is known where not all states were visited.
pub(in crate::pipeline) fn unfinished(ended: Ended) -> Verdict {
    match ended {
        Ended::NoStart => Verdict::Vacuous,
        _ => Verdict::Unknown,
    }
}

/// Whether all states were visited that were to be visited, so that their number means something.
pub(in crate::pipeline) fn is_counted(ended: Ended) -> bool {
    matches!(
        ended,
        Ended::Complete | Ended::Outside(_) | Ended::Restricted(_)
    )
}

/// The bound that was asked for, if it was reached.
pub(in crate::pipeline) fn bound(ended: Ended) -> Option<&'static str> {
    match ended {
        Ended::Complete
        | Ended::Stuck
        | Ended::NoStart
        | Ended::Endless
        | Ended::Memory(false)
        | Ended::Stopped(Stop::Interrupted)
        | Ended::Interpretations(Others::TooMany) => None,
        Ended::Interpretations(Others::NotChosen | Others::NotInFile) => Some("interpretation"),
        Ended::Found | Ended::Interpretations(Others::Found) => Some("first finding"),
        Ended::Outside(_) => Some("within"),
        Ended::Restricted(LeftOut::Steps | LeftOut::Both) => Some("when"),
        Ended::Restricted(LeftOut::Differences) => Some("ignore"),
        Ended::Swarm => Some("swarm"),
        Ended::Depth => Some("depth"),
        Ended::States => Some("states"),
        Ended::Time | Ended::Stopped(Stop::Time) => Some("time"),
        Ended::Memory(true) => Some("memory"),
    }
}

/// Why a search did not visit all states.
pub(in crate::pipeline) fn stopped(ended: Ended) -> &'static str {
    match ended {
        Ended::Complete => "complete",
        Ended::Interpretations(Others::NotChosen) => "other interpretations are not tried",
        Ended::Interpretations(Others::NotInFile) => {
            "one interpretation is tried where the search or its graph goes into a file (--interpretation chooses it)"
        }
        Ended::Interpretations(Others::Found) => {
            "stopped at the first interpretation with a finding (--keep-going goes on, --interpretation chooses another)"
        }
        Ended::Interpretations(Others::TooMany) => "there are too many interpretations to try all",
        Ended::Stuck => "steps without a result were passed over",
        Ended::NoStart => "there is no start state",
        Ended::Found => "stopped at the first finding (--keep-going goes on)",
        Ended::Outside(_) => "what follows states outside of --within is not visited",
        Ended::Restricted(LeftOut::Steps) => "some steps are not taken (--when)",
        Ended::Restricted(LeftOut::Differences) => {
            "states that differ in ignored variables alone are taken for one (--ignore)"
        }
        Ended::Restricted(LeftOut::Both) => {
            "some steps are not taken (--when), and states that differ in ignored variables alone are taken for one (--ignore)"
        }
        Ended::Endless => "stopped at an execution that need not end",
        Ended::Swarm => "a swarm visits some of the states",
        Ended::Depth => "stopped at the bound on depth",
        Ended::States => "stopped at the bound on states",
        Ended::Time => Stop::Time.words(),
        Ended::Stopped(stop) => stop.words(),
        Ended::Memory(true) => "stopped at the bound on memory",
        Ended::Memory(false) => "stopped for want of memory (--memory sets the bound)",
    }
}
