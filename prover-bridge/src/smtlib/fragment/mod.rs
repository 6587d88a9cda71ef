//! In which fragment of logic an obligation lies: whether its ground instances are finitely many, and if not, what is to blame.
//!
//! An obligation is *effectively propositional* (EPR) in many sorts if, after Skolemisation, its sorts can be put in an order
//! in which every function leads upwards: each term of a sort is then built from terms of sorts below it, and there are
//! finitely many of them (Abadi, Rabinovich and Sagiv, Decidable fragments of many-sorted logic, 2010). The sort graph has an
//! arrow from the sort of each argument of a function to that of its value, and from the sort of each universal variable to
//! that of each existential one in its scope. Numbers, sequences and other built-in theories lie outside.
//!
//! ```text
//! words   a script as nested lists
//! graph   the arrows between sorts, and circles of them
//! walk    which arrows each assertion has
//! ```

mod graph;
mod walk;
mod words;

use std::collections::BTreeSet;
use std::fmt;

use crate::obligations::{Obligation, Target};
use crate::reason::Reason;
use crate::smtlib::smt_lib;

use graph::Graph;
use walk::Declared;
use words::Word;

/// In which fragment an obligation lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The arrows between sorts, such as `Node -> Ballot`.
    pub arrows: Vec<String>,
    /// Built-in theories that it uses, such as arithmetic.
    pub theories: Vec<&'static str>,
    /// The formulas that leave EPR, with the reasons; none if it is in EPR.
    pub leaving: Vec<Leaving>,
}

/// Formulas that leave the fragment together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// What they are called: invariants, axioms, clauses, `denied` for the goal.
    pub formulas: Vec<String>,
    /// Why.
    pub why: String,
}

/// In which fragment an obligation lies, as it is written for other solvers.
///
/// # Errors
/// Why the obligation has no reading in logic.
pub fn fragment(target: &Target<'_>, obligation: &Obligation) -> Result<Fragment, Reason> {
    Ok(of_script(&smt_lib(target, obligation)?))
}

/// In which fragment the assertions of a script lie.
fn of_script(script: &str) -> Fragment {
    let commands = words::read(script);
    let mut declared = Declared::default();
    commands
        .iter()
        .for_each(|command| declared.declare(command));
    let (mut graph, mut theories, mut leaving) = (Graph::default(), BTreeSet::new(), Vec::new());
    for command in &commands {
        let [Word::Name("assert"), assertion] = command.parts() else {
            continue;
        };
        let (label, formula) = named(assertion);
        let found = declared.assertion(formula);
        theories.extend(found.theories);
        leaving.extend(found.endless.into_iter().map(|ty| Leaving {
            formulas: vec![label.clone()],
            why: format!("it speaks of all values of {ty}"),
        }));
        for (from, to, through) in found.arrows {
            graph.add(&from, &to, &label, &through);
        }
    }
    leaving.extend(graph.circles().into_iter().map(|circle| Leaving {
        formulas: circle.formulas,
        why: circle.words,
    }));
    Fragment {
        arrows: graph.arrows(),
        theories: theories.into_iter().collect(),
        leaving,
    }
}

/// The label and the formula of an assertion `(! formula :named |0: label|)`.
fn named<'w, 's>(assertion: &'w Word<'s>) -> (String, &'w Word<'s>) {
    match assertion.parts() {
        [
            Word::Name("!"),
            formula,
            Word::Name(":named"),
            Word::Name(label),
        ] => {
            let label = label.trim_matches('|');
            let label = label.split_once(": ").map_or(label, |(_, label)| label);
            (label.to_owned(), formula)
        }
        _ => ("a formula".into(), assertion),
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = match &self.theories[..] {
            [] => String::new(),
            theories => format!(" with {}", theories.join(" and ")),
        };
        if !self.leaving.is_empty() {
            let each = self.leaving.iter();
            let each = each.map(|l| format!("{} ({})", l.why, l.formulas.join(", ")));
            return write!(
                f,
                "outside EPR{with}: {}",
                each.collect::<Vec<_>>().join("; ")
            );
        }
        match &self.arrows[..] {
            [] => write!(f, "EPR{with}"),
            arrows => write!(f, "EPR{with}, sorts {}", arrows.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SORTS: &str = "(declare-sort sort.A 0)\n(declare-sort sort.B 0)\n\
        (declare-fun f (sort.A) sort.B)\n(declare-fun g (sort.B) sort.A)\n\
        (declare-fun n (sort.A) Int)\n(declare-fun a () sort.A)\n";

    fn of(assertions: &[&str]) -> String {
        let each = assertions.iter().enumerate();
        let asserted = each.map(|(at, a)| format!("(assert (! {a} :named |{at}: P{at}|))\n"));
        of_script(&format!("{SORTS}{}", asserted.collect::<String>())).to_string()
    }

    #[test]
    fn arrows_come_from_functions_of_variables_and_from_alternations() {
        assert_eq!(of(&["(= (g (f a)) a)"]), "EPR");
        assert_eq!(
            of(&["(forall ((x sort.A)) (= (f x) (f a)))"]),
            "EPR, sorts A -> B"
        );
        assert_eq!(
            of(&["(forall ((x sort.A)) (exists ((y sort.B)) (= (f x) y)))"]),
            "EPR, sorts A -> B"
        );
        // What is denied is existential where it says that it is universal.
        assert_eq!(
            of(&["(not (exists ((x sort.A)) (forall ((y sort.B)) (= (f a) y))))"]),
            "EPR, sorts A -> B"
        );
    }

    #[test]
    fn a_circle_names_the_formulas_that_make_it() {
        let circle = of(&[
            "(forall ((x sort.A)) (= (f x) (f a)))",
            "(forall ((y sort.B)) (= (g y) a))",
        ]);
        assert_eq!(circle, "outside EPR: A -> B by f -> A by g (P0, P1)");
        let both = of(&[
            "(= (exists ((x sort.A)) (= x a)) (forall ((x sort.A)) (exists ((z sort.A)) (= x z))))",
        ]);
        assert!(
            both.starts_with("outside EPR: A -> A by an existential"),
            "{both}"
        );
    }

    #[test]
    fn numbers_are_a_theory_and_quantifiers_over_them_leave() {
        assert_eq!(
            of(&["(forall ((x sort.A)) (< (n x) (+ (n a) 1)))"]),
            "EPR with arithmetic"
        );
        assert_eq!(
            of(&["(forall ((k Int)) (< k (n a)))"]),
            "outside EPR with arithmetic: it speaks of all values of Int (P0)"
        );
        assert_eq!(
            of(&["(exists ((k Int)) (< k (n a)))"]),
            "EPR with arithmetic"
        );
    }

    #[test]
    fn what_is_shared_counts_where_it_is_used() {
        let shared = "(let (($x1 (forall ((y sort.B)) (= (g y) a)))) (=> $x1 false))";
        assert_eq!(of(&[shared]), "EPR");
        let shared = "(let (($x1 (forall ((y sort.B)) (= (g y) a)))) (and $x1 $x1))";
        assert_eq!(of(&[shared]), "EPR, sorts B -> A");
    }
}
