//! Names: those of the source as far as TLA+ allows them. TLA+ has one name space for everything, and no definition may hide
//! another with the same name.

use std::collections::BTreeSet;

/// The name of the steps of an automaton.
pub(super) const SPECIFICATION: &str = "Spec";

/// Words that TLA+ reserves, or that an extended module defines.
const TAKEN: &[&str] = &[
    "ACTION",
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "BOOLEAN",
    "BY",
    "CASE",
    "CHOOSE",
    "CONSTANT",
    "CONSTANTS",
    "COROLLARY",
    "DEF",
    "DEFINE",
    "DEFS",
    "DOMAIN",
    "ELSE",
    "ENABLED",
    "EXCEPT",
    "EXTENDS",
    "FALSE",
    "HAVE",
    "HIDE",
    "IF",
    "IN",
    "INSTANCE",
    "LAMBDA",
    "LEMMA",
    "LET",
    "LOCAL",
    "MODULE",
    "NEW",
    "OBVIOUS",
    "OMITTED",
    "ONLY",
    "OTHER",
    "PICK",
    "PROOF",
    "PROPOSITION",
    "PROVE",
    "QED",
    "RECURSIVE",
    "STATE",
    "STRING",
    "SUBSET",
    "SUFFICES",
    "TAKE",
    "TEMPORAL",
    "THEN",
    "THEOREM",
    "TRUE",
    "UNCHANGED",
    "UNION",
    "USE",
    "VARIABLE",
    "VARIABLES",
    "WITH",
    "WITNESS",
    "Any",
    "Append",
    "Assert",
    "BagCardinality",
    "BagIn",
    "BagOfAll",
    "BagToSet",
    "BagUnion",
    "Cardinality",
    "CopiesIn",
    "EmptyBag",
    "Head",
    "Int",
    "IsABag",
    "IsFiniteSet",
    "JavaTime",
    "Len",
    "Nat",
    "Permutations",
    "Print",
    "PrintT",
    "RandomElement",
    "SelectSeq",
    "Seq",
    "SetToBag",
    "SortSeq",
    "SubBag",
    "SubSeq",
    "TLCEval",
    "TLCGet",
    "TLCSet",
    "Tail",
    "ToString",
    "vars",
    "Init",
    "Next",
    "Spec",
    "TypeOK",
    // Extended modules, and those that they extend. A module with the same name would replace them.
    "Bags",
    "FiniteSets",
    "Integers",
    "Naturals",
    "Sequences",
    "TLC",
];

/// The names given so far.
#[derive(Clone, Debug)]
pub(super) struct Names {
    global: BTreeSet<String>,
    local: BTreeSet<String>,
    /// Whether the name of a bound variable can be reused after its scope.
    reuse: bool,
}

impl Names {
    pub(super) fn new() -> Self {
        Self {
            global: TAKEN.iter().map(|word| (*word).to_owned()).collect(),
            local: BTreeSet::new(),
            reuse: true,
        }
    }

    /// A name that is known in the whole module.
    pub(super) fn global(&mut self, wanted: &str) -> String {
        let name = self.free(wanted);
        self.global.insert(name.clone());
        name
    }

    /// Begins a definition, whose bound variables have names of their own. Terms of an effect are moved, so in an effect no
    /// two binders may have the same name, not even in separate scopes: then `reuse` is false.
    pub(super) fn begin(&mut self, reuse: bool) {
        self.local.clear();
        self.reuse = reuse;
    }

    /// A name for a bound variable.
    pub(super) fn enter(&mut self, wanted: &str) -> String {
        let name = self.free(wanted);
        self.local.insert(name.clone());
        name
    }

    /// Ends the scope of a bound variable.
    pub(super) fn leave(&mut self, name: &str) {
        if self.reuse {
            self.local.remove(name);
        }
    }

    fn free(&self, wanted: &str) -> String {
        let wanted = mangled(wanted);
        let taken = |name: &String| self.global.contains(name) || self.local.contains(name);
        if !taken(&wanted) {
            return wanted;
        }
        (2..)
            .map(|number| format!("{wanted}_{number}"))
            .find(|name| !taken(name))
            .expect("there are more numbers than names")
    }
}

/// The name of a record's field (a tuple's field, a union's tag), and of an enumeration's value as a string. These have a
/// name space of their own.
pub(super) fn field(name: &str) -> String {
    let name = mangled(name);
    if TAKEN.contains(&&*name) {
        format!("{name}_f")
    } else {
        name
    }
}

/// An identifier of TLA+ that resembles the name. It does not end in `_`, since such names are reserved for the helpers'
/// parameters.
fn mangled(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(legal).collect();
    let primed = name.ends_with('_');
    let name = name.trim_end_matches('_');
    let name = if primed {
        format!("{name}_p")
    } else {
        name.to_owned()
    };
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !name.starts_with("WF_")
        && !name.starts_with("SF_");
    if plain { name } else { format!("x_{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_things_share_a_name_and_all_are_legal() {
        let mut names = Names::new();
        assert_eq!(names.global("box"), "box");
        assert_eq!(names.global("Init"), "Init_2");
        // A module of this name would be extended in the place of the standard one.
        assert_eq!(names.global("Bags"), "Bags_2");
        assert_eq!(names.global("P.status"), "P_status");
        assert_eq!(names.global("WF_x"), "x_WF_x");
        names.begin(true);
        assert_eq!(names.enter("box"), "box_2");
        assert_eq!(names.enter("n'"), "n_p");
        assert_eq!(names.enter("n"), "n");
        assert_eq!(names.enter("n"), "n_2");
        names.leave("n");
        assert_eq!(names.enter("n"), "n");
    }
}
