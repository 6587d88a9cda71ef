//! The whole detection: search every frame, keep what is justified, fold, rank, name.

use std::collections::BTreeSet;

use crate::effect;
use crate::fold::{Entry, Fate, fold};
use crate::frame::Frame;
use crate::rank;
use crate::report::{Candidate, Left, Options, Point, Reason, Report};
use crate::samples::Samples;
use crate::search::{Found, search, unrefuted};

/// Proposes invariants that hold on all states seen, and describes the steps of each action.
///
/// Without samples the report is empty.
#[must_use]
pub fn detect(samples: &Samples, options: &Options) -> Report {
    let mut report = Report {
        subject: samples.schema().subject().to_owned(),
        samples: samples.states().seen(),
        rows: samples.states().rows() as u64,
        effects: effect::of_actions(samples, options.confidence),
        notes: notes(samples),
        ..Report::default()
    };
    let found = search_all(samples);
    let limits = [
        (found.iter().any(|f| f.only_units), "implications"),
        (found.iter().any(|f| f.space.is_truncated), "some relations"),
    ];
    for (_, what) in limits.iter().filter(|(reached, _)| *reached) {
        let note = format!("too many variables: {what} were not tried under some quantifiers");
        report.notes.push(note);
    }
    let untried: BTreeSet<&String> = found.iter().flat_map(|f| &f.space.limits).collect();
    report.notes.extend(untried.into_iter().cloned());
    fill(samples, options, &found, &mut report);
    report
}

/// The formulas of the detector's language that no state seen refutes: before anything is left out, even those whose
/// premise never holds.
///
/// More samples only remove formulas from it, but for those with numbers fitted to the samples.
#[must_use]
pub fn holding(samples: &Samples) -> BTreeSet<String> {
    let frames = Frame::all(samples.schema()).into_iter();
    frames.flat_map(|frame| unrefuted(samples, frame)).collect()
}

fn search_all(samples: &Samples) -> Vec<Found> {
    if samples.states().rows() == 0 {
        return Vec::new();
    }
    let frames = Frame::all(samples.schema());
    frames.into_iter().map(|f| search(samples, f)).collect()
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
        let name = &schema.variables()[*at].name;
        out.push(format!(
            "{name} held a number beyond 64 bits: nothing is proposed about it"
        ));
    }
    out
}

fn fill(samples: &Samples, options: &Options, found: &[Found], report: &mut Report) {
    let schema = samples.schema();
    let all = found.iter().flat_map(|found| {
        found
            .findings
            .iter()
            .map(move |f| Entry { found, finding: f })
    });
    let (justified, weak): (Vec<Entry>, Vec<Entry>) =
        all.partition(|e| 1.0 - e.finding.evidence.chance >= options.confidence);
    let formula = |e: &Entry| e.found.space.formula(schema, &e.finding.clause);
    let left = |e: &Entry, reason| Left {
        formula: formula(e),
        reason,
    };
    let fates = fold(schema, &justified);
    let mut kept: Vec<&Entry> = Vec::new();
    for (entry, fate) in justified.iter().zip(&fates) {
        let reason = match fate {
            Fate::Kept => {
                kept.push(entry);
                continue;
            }
            Fate::Trivial => Reason::Trivial,
            Fate::Implied => Reason::Implied,
            Fate::Beyond => Reason::BeyondLimit,
            Fate::SameAs(other) => Reason::SameAs(formula(&justified[*other])),
        };
        report.left.push(left(entry, reason));
    }
    kept.sort_by_cached_key(|e| rank::order(schema, e));
    let beyond = kept.split_off(kept.len().min(options.limit));
    report
        .left
        .extend(beyond.into_iter().map(|e| left(e, Reason::BeyondLimit)));
    report
        .left
        .extend(weak.iter().map(|e| left(e, Reason::Unjustified)));
    let mut names = names(samples);
    for entry in kept {
        report.candidates.push(Candidate {
            name: names.next().unwrap_or_default(),
            formula: formula(entry),
            point: Point::State,
            samples: report.samples,
            rows: report.rows,
            support: entry.finding.evidence.support,
            confidence: 1.0 - entry.finding.evidence.chance,
        });
    }
}

/// `Cand1`, `Cand2`, ... without those that an invariant of the model has.
fn names(samples: &Samples) -> impl Iterator<Item = String> + '_ {
    let invariants = &samples.schema().model().invariants;
    (1..)
        .map(|n| format!("Cand{n}"))
        .filter(|name| invariants.iter().all(|i| *i.name != **name))
}
