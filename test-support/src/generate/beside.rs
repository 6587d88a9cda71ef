//! Items that may be in the same files as an automaton, and must not affect it.

use super::choices::Choices;
use super::{Draft, Generator};

/// An automaton with claims about a sort, in two texts with other automata.
#[derive(Clone, Debug)]
pub struct Beside {
    /// An automaton `Own` with invariants about the sort `Node`, and nothing else.
    pub own: String,
    /// Automata with requirements on the sort, by `where` or in their headings. They can be added to `Own`, and to any
    /// automaton if there is a sort `Node`.
    pub others: String,
    /// A composition `Own` with the same invariants, whose components have conditions on their parameters.
    pub composed: String,
}

/// The items that a draft adds to others.
#[must_use]
pub fn beside(draft: &Draft) -> Beside {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut g = Generator::by(Choices::listed(head), true);
    let claims = (0..3).map(|n| {
        format!(
            "invariant Claim{n} of Own: {}\n",
            g.axiom(&[]).replace(": P", ": Node")
        )
    });
    let claims: String = claims.collect();
    let condition = g.asked();
    let others = draft.iter().skip(1).take(2).enumerate();
    let others = others.map(|(n, choices)| {
        g.rng = Choices::listed(choices);
        g.other(n)
    });
    let others: String = others.collect();
    Beside {
        own: format!(
            "type Node\nautomaton Own\n  signature internal turn\n  states b: Bool := false, s: Set[Node] := {{}}\n  \
             transitions internal turn eff b := ~b\n{claims}"
        ),
        others,
        composed: format!(
            "type Node\nautomaton Part(p, q: Node) where {condition}\n  signature internal turn\n  \
             states b: Bool := false\n  transitions internal turn eff b := ~b\n\
             automaton Own\n  components C[p, q: Node]: Part(p, q) where {condition}\n{claims}"
        ),
    }
}

impl Generator {
    /// The condition of an automaton on two parameters.
    fn asked(&mut self) -> String {
        let asked = [
            "p ~= p",
            "\\E x: Node (x ~= p /\\ x ~= q)",
            "\\A x: Node (x = p \\/ x = q)",
            "p ~= q",
        ];
        self.pick(&asked).to_owned()
    }

    /// An automaton with a requirement.
    fn other(&mut self, number: usize) -> String {
        let body = "  signature internal turn\n  states b: Bool := false\n  transitions internal turn eff b := ~b\n";
        let axioms = |axioms: &str| {
            format!(
                "vocabulary V{number}\n  operators\n    c{number}: -> Node,\n    d{number}: -> Node\n  axioms\n    {axioms}\nend\n\
                 automaton X{number}\n  assumes V{number}\n{body}"
            )
        };
        let (c, d) = (format!("c{number}"), format!("d{number}"));
        match self.pick(&[0, 1, 2, 3, 4]) {
            0 => {
                let axiom = self.axiom(&[&c, &d]).replace(": P", ": Node");
                axioms(&axiom)
            }
            1 => axioms(&format!("{c} ~= {d}")),
            2 => format!("automaton X{number}\n  assumes TotalOrder(Node)\n{body}"),
            3 => format!("automaton X{number}(I: type, i, j: I) where i ~= j\n{body}"),
            _ => {
                let condition = self.asked();
                format!("automaton X{number}(p, q: Node) where {condition}\n{body}")
            }
        }
    }
}
