//! Detection from samples: search every frame, keep what is justified.

use std::collections::BTreeSet;

use crate::relations::confidence::Finding;
use crate::relations::effect;
use crate::relations::frame::Frame;
use crate::relations::search::{Found, search};
use crate::report::{Options, Relation, Report};
use crate::samples::Samples;

/// What is said where it was stopped.
const STOPPED: &str = "stopped: not all relations were tried on the states of runs";

/// Proposes invariants that hold on all states seen, and describes the steps of each action.
///
/// Without samples the report is empty.
#[must_use]
pub fn detect(samples: &Samples, options: &Options) -> Report {
    detect_until(samples, options, &|| false)
}

/// The same, unless it is stopped: then the report says what is missing.
#[must_use]
pub fn detect_until(samples: &Samples, options: &Options, is_stopped: &dyn Fn() -> bool) -> Report {
    let mut report = Report {
        subject: samples.schema().subject().to_owned(),
        samples: samples.states().seen(),
        rows: samples.states().rows() as u64,
        effects: effect::of_actions(samples, options.confidence, is_stopped),
        notes: notes(samples),
        ..Report::default()
    };
    let found = search_all(samples, is_stopped);
    if is_stopped() {
        report.notes.push(STOPPED.to_owned());
    }
    if found.iter().any(|f| f.space.is_truncated) {
        let note = "too many variables: some relations were not tried under some quantifiers";
        report.notes.push(note.to_owned());
    }
    let untried: BTreeSet<&String> = found.iter().flat_map(|f| &f.space.limits).collect();
    report.notes.extend(untried.into_iter().cloned());
    fill(samples, options, &found, &mut report);
    report
}

fn search_all(samples: &Samples, is_stopped: &dyn Fn() -> bool) -> Vec<Found> {
    if samples.states().rows() == 0 {
        return Vec::new();
    }
    let frames = Frame::all(samples.schema());
    let frames = frames.iter().take_while(|_| !is_stopped());
    frames.flat_map(|f| search(samples, f)).collect()
}

fn notes(samples: &Samples) -> Vec<String> {
    let schema = samples.schema();
    let mut out = Vec::new();
    let refused = samples.states().refused();
    if refused > 0 {
        out.push(format!(
            "{refused} states beyond the limit of {} distinct ones were not looked at",
            samples.states().rows()
        ));
    }
    for at in samples.lost() {
        let name = &schema.state_columns()[*at].name;
        out.push(format!(
            "{name} held a number beyond 64 bits: nothing is proposed about it"
        ));
    }
    out.extend(schema.notes().iter().cloned());
    out
}

fn fill(samples: &Samples, options: &Options, found: &[Found], report: &mut Report) {
    let schema = samples.schema();
    for found in found {
        for Finding { literal, evidence } in &found.findings {
            let confidence = 1.0 - evidence.chance;
            match confidence >= options.confidence {
                true => report.relations.push(Relation {
                    invariant: found.space.invariant(schema, *literal),
                    support: evidence.support,
                    confidence,
                }),
                false => report.unjustified += 1,
            }
        }
    }
}
