//! The language of the e-graph: terms and formulas of the detector, without types.
//!
//! Leaving types out is sound: `{}` of all set types can be one thing, as can all `nil`s, and the elements of
//! different sorts are different things. All relations are brought to a few: `a <= b` is `~(b < a)`.

use egg::{Analysis, DidMerge, EGraph, Id, Symbol, define_language};

define_language! {
    /// A node of the e-graph.
    pub(crate) enum Logic {
        "true" = True,
        "false" = False,
        "nil" = Nil,
        "emp" = Empty,
        "not" = Not(Id),
        "or" = Or([Id; 2]),
        "eq" = Equal([Id; 2]),
        "lt" = Less([Id; 2]),
        "in" = Member([Id; 2]),
        "sub" = Subset([Id; 2]),
        "uni" = Union([Id; 2]),
        "int" = Intersection([Id; 2]),
        "emb" = Embed(Id),
        "val" = Val(Id),
        "sel" = Select([Id; 2]),
        "fld" = Field([Id; 2]),
        "siz" = Size(Id),
        "add" = Add([Id; 2]),
        "mul" = Multiply([Id; 2]),
        Number(i64),
        Name(Symbol),
    }
}

/// An e-graph of the language.
pub(crate) type Graph = EGraph<Logic, Constants>;

/// What is known of a class: the number that it is, and whether it is true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    number: Option<i64>,
    truth: Option<bool>,
}

/// Folds constants, and notices when two different ones have been equated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    /// Whether the facts of the graph contradict each other.
    pub(crate) is_contradiction: bool,
}

impl Analysis<Logic> for Constants {
    type Data = Known;

    fn make(graph: &mut Graph, node: &Logic, _: Id) -> Known {
        let number = |id: &Id| graph[*id].data.number;
        let both = |[a, b]: &[Id; 2]| Some((number(a)?, number(b)?));
        let of_number = |number| Known {
            number,
            truth: None,
        };
        let of_truth = |truth| Known {
            number: None,
            truth,
        };
        match node {
            Logic::True => of_truth(Some(true)),
            Logic::False => of_truth(Some(false)),
            Logic::Not(a) => of_truth(graph[*a].data.truth.map(|t| !t)),
            Logic::Number(n) => of_number(Some(*n)),
            Logic::Add(args) => of_number(both(args).and_then(|(a, b)| a.checked_add(b))),
            Logic::Multiply(args) => of_number(both(args).and_then(|(a, b)| a.checked_mul(b))),
            Logic::Less(args) => of_truth(both(args).map(|(a, b)| a < b)),
            Logic::Equal(args) => of_truth(both(args).map(|(a, b)| a == b)),
            _ => Known::default(),
        }
    }

    fn merge(&mut self, a: &mut Known, b: Known) -> DidMerge {
        let before = *a;
        let numbers = a.number.is_some() && b.number.is_some() && a.number != b.number;
        let truths = a.truth.is_some() && b.truth.is_some() && a.truth != b.truth;
        self.is_contradiction |= numbers || truths;
        a.number = a.number.or(b.number);
        a.truth = a.truth.or(b.truth);
        DidMerge(*a != before, *a != b)
    }

    fn modify(graph: &mut Graph, id: Id) {
        let known = graph[id].data;
        if let Some(n) = known.number {
            let constant = graph.add(Logic::Number(n));
            graph.union(id, constant);
        }
        if let Some(truth) = known.truth {
            let constant = graph.add(if truth { Logic::True } else { Logic::False });
            graph.union(id, constant);
        }
    }
}
