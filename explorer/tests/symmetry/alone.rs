//! States that say of each element something alone: their representatives are found by sorting.

use super::several_words::packed;
use super::{Pieces, compare, invariants};
use explorer::symmetry::Symmetry;

const DECLARATIONS: &str = "type Node
type Color = enumeration of red, green, blue
type Flag = enumeration of f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20
type Pair = tuple of left, right: Null[Node]
automaton A
  signature
    internal a(n: Node, m: Node), b(n: Node, m: Node), c(n: Node, m: Node)
  states
    seen: Set[Node] := {},
    color: Array[Node, Color] := constant(red),
    leader: Null[Node] := nil,
    holder: Node := choose n where true,
    pair: Pair := [nil, nil],
    slot: Array[Color, Null[Node]] := constant(nil),
    flags: Array[Node, Set[Flag]] := constant({})
  transitions
";

/// What the effects of a random automaton are made of.
const EFFECTS: [&str; 10] = [
    "seen := insert(n, seen)",
    "seen := delete(m, seen)",
    "color[n] := blue",
    "color[m] := color[n]",
    "leader := embed(n)",
    "holder := m; leader := nil",
    "pair.left := embed(n); pair.right := leader",
    "slot[color[n]] := embed(m)",
    "flags[n] := insert(f20, insert(f3, flags[m]))",
    "flags[m] := delete(f3, flags[m]); pair.right := slot[red]",
];

const CONDITIONS: [&str; 6] = [
    "n ~= m",
    "n \\in seen",
    "leader = nil",
    "color[n] = color[m]",
    "holder ~= n",
    "pair.left ~= embed(n)",
];

const CLAIMS: [&str; 4] = [
    "size(seen) < 3",
    "\\A k: Node (leader = embed(k) => color[k] ~= blue)",
    "\\A k: Node (f20 \\in flags[k] => slot[blue] ~= embed(k))",
    "pair.left = nil \\/ pair.left ~= pair.right",
];

/// What random automata are made of.
const PIECES: Pieces = Pieces {
    declarations: DECLARATIONS,
    bound: "true",
    conditions: &CONDITIONS,
    effects: &EFFECTS,
    claims: &CLAIMS,
};

#[test]
fn states_whose_elements_are_sorted_have_the_same_answers() {
    let (mut full, mut reduced) = (0, 0);
    for seed in 1..=16 {
        let (instance, automaton) = packed(&PIECES.drawn(seed), 4);
        let symmetry = Symmetry::of(&instance, automaton, &invariants(&instance, automaton));
        assert_eq!(symmetry.order(), 24, "{:?}", symmetry.sorts());
        assert!(symmetry.can_pay(0.0), "it pays where elements are sorted");
        let (all, some) = compare(&instance, automaton);
        (full, reduced) = (full + all, reduced + some);
    }
    assert!(reduced * 8 < full, "{reduced} of {full}");
}

#[test]
fn where_elements_are_related_to_each_other_sorting_is_not_enough() {
    let related = [
        "next: Array[Node, Null[Node]] := constant(nil)",
        "edges: Set[Edge] := {}",
        "queue: Seq[Node] := {}",
        "votes: Array[Node, Set[Node]] := constant({})",
    ];
    for variable in related {
        let text = format!(
            "type Node type Edge = tuple of from, to: Node automaton A signature internal go states {variable} transitions internal go pre false"
        );
        let (instance, automaton) = packed(&text, 4);
        let symmetry = Symmetry::of(&instance, automaton, &[]);
        assert_eq!(symmetry.order(), 24);
        assert!(!symmetry.can_pay(0.0), "{variable}");
    }
}
