//! What proofs may assume: the names after `uses`.

use std::collections::BTreeMap;

use crate::check::report::Report;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Name;
use crate::syntax::ast::{Ident, InvariantItem, Item};

/// The names of what may be assumed.
pub(super) fn names(uses: Option<&[Ident]>) -> Option<Vec<Name>> {
    let names = uses?.iter().map(|ident| ident.name.clone());
    Some(names.collect())
}

/// Reports names that are of no invariant of the automata that a proof is about.
pub(in crate::check) fn check(items: &[Item], report: &mut Report) {
    let mut stated: BTreeMap<&Name, &InvariantItem> = BTreeMap::new();
    for item in items {
        if let Item::Invariant(invariant) = item {
            stated.entry(&invariant.name.name).or_insert(invariant);
        }
    }
    for item in items {
        match item {
            Item::Invariant(item) => {
                let uses = item.uses.iter().flatten();
                uses.for_each(|used| used_of(used, &[&item.automaton], &stated, report));
            }
            Item::Simulation(item) => {
                let entries = item.proof.iter().flat_map(|proof| &proof.entries);
                let uses = entries.flat_map(|entry| entry.uses.iter().flatten());
                uses.for_each(|used| used_of(used, &[&item.low, &item.high], &stated, report));
            }
            _ => {}
        }
    }
}

fn used_of(
    used: &Ident,
    automata: &[&Ident],
    stated: &BTreeMap<&Name, &InvariantItem>,
    report: &mut Report,
) {
    let Some(invariant) = stated.get(&used.name) else {
        let known = stated.keys().map(|name| &***name);
        let unknown = report.unknown("invariant", used, known);
        return report.add(unknown);
    };
    let is_of = |automaton: &&Ident| automaton.name == invariant.automaton.name;
    if !automata.iter().any(is_of) {
        let of = &invariant.automaton.name;
        let about: Vec<&str> = automata.iter().map(|a| &*a.name).collect();
        let message = format!(
            "{} is an invariant of {of}, and this proof is about {}",
            used.name,
            about.join(" and ")
        );
        report.add(
            Diagnostic::error(Code::UsesForeign, used.span, message)
                .label(format!("an invariant of {of}"))
                .related(invariant.name.span, "stated here"),
        );
    }
}
