//! Keywords that a text uses as names.

use std::collections::{BTreeMap, BTreeSet};

use super::hints::no_name;
use crate::diagnostic::{Code, Diagnostic};

/// Using a keyword as a name is one mistake, however often the name is used: the mistakes at its other uses are dropped, and
/// the first one says how many there are. The mistakes are in the order of their places.
pub(in crate::syntax) fn once_for_each_keyword(text: &str, mistakes: &mut Vec<Diagnostic>) {
    let at = |mistake: &Diagnostic| {
        let place = mistake.span.start as usize..mistake.span.end as usize;
        text.get(place).unwrap_or_default()
    };
    let mut first: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (index, mistake) in mistakes.iter().enumerate() {
        if mistake.help.contains(&no_name(at(mistake))) {
            first.entry(at(mistake).to_owned()).or_insert((index, 0));
        }
    }
    let mut dropped = BTreeSet::new();
    for (index, mistake) in mistakes.iter().enumerate() {
        if let Some((declared, more)) = first.get_mut(at(mistake))
            && *declared != index
            && wants_name_or_value(mistake)
        {
            *more += 1;
            dropped.insert(index);
        }
    }
    for (declared, more) in first.into_values() {
        let said = match more {
            0 => continue,
            1 => "it is used as one at another place, too".to_owned(),
            _ => format!("it is used as one at {more} other places, too"),
        };
        mistakes[declared].help.push(said);
    }
    let mut index = 0..;
    mistakes.retain(|_| !dropped.contains(&index.next().expect("numbers have no end")));
}

/// Whether a name, or a term or formula that a name could be, was expected where a mistake is.
fn wants_name_or_value(mistake: &Diagnostic) -> bool {
    let expected = mistake.label.strip_prefix("expected ");
    let starts = |expected: &str| {
        ["a name", "a term", "a formula"]
            .iter()
            .any(|w| expected.starts_with(w))
    };
    mistake.code == Code::Unexpected && expected.is_some_and(starts)
}
