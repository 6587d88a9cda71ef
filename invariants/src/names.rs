//! Names for bound variables.

use std::collections::BTreeSet;

use ioa_lang::core::{AutomatonId, Model};

/// The names that a bound variable of a formula about an automaton must not have.
pub(crate) fn visible(model: &Model, automaton: AutomatonId) -> BTreeSet<String> {
    let variables = model.automaton(automaton).variables.iter();
    let names = variables.map(|v| &v.name);
    let names = names.chain(model.functions.iter().map(|f| &f.name));
    let enumerators = model.enumerations.iter().flat_map(|e| &e.values);
    names.chain(enumerators).map(ToString::to_string).collect()
}

/// A name for a variable that is not taken: this letter, else the letters after it, else a numbered one.
pub(crate) fn fresh(first: char, taken: &BTreeSet<String>) -> String {
    let letters = ('a'..='z').cycle().skip_while(|c| *c != first).take(26);
    let readable = letters
        .filter(|c| !matches!(c, 'l' | 'o'))
        .map(String::from);
    let numbered = (1..).map(|n| format!("x{n}"));
    let mut names = readable.chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}
