//! What may stand in the files beside an automaton, and is nothing to it.

use super::choices::Choices;
use super::{Draft, Generator};

/// An automaton that says something of a sort, in two ways of standing beside others.
#[derive(Clone, Debug)]
pub struct Beside {
    /// An automaton `Own` with invariants about the sort `Node`, and nothing else.
    pub own: String,
    /// Automata that ask something of the sort, by `where` or in their headings; they can stand beside `Own`, and beside
    /// any automaton where there is a sort `Node`.
    pub others: String,
    /// A composition `Own` with the same invariants, whose components ask something of their parameters.
    pub composed: String,
}

/// What a draft makes stand beside others.
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
    /// What an automaton asks of two parameters.
    fn asked(&mut self) -> String {
        let asked = [
            "p ~= p",
            "\\E x: Node (x ~= p /\\ x ~= q)",
            "\\A x: Node (x = p \\/ x = q)",
            "p ~= q",
        ];
        self.pick(&asked).to_owned()
    }

    /// An automaton that asks something.
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
