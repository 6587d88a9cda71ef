//! Random theories: a few operators over one small sort, and axioms that may contradict each other.

use rand::RngExt;

use super::choices::Choices;
use super::{Draft, Generator, Model};

/// The operators: name, types, how many interpretations each has at sizes 1, 2 and 3.
const OPERATORS: [(&str, &str, [u64; 3]); 6] = [
    ("r", "P, P -> Bool", [2, 16, 512]),
    ("f", "P -> P", [1, 4, 27]),
    ("g", "P -> Bool", [2, 4, 8]),
    ("n", "-> Bool", [2, 2, 2]),
    ("d", "-> P", [1, 2, 3]),
    ("c", "-> P", [1, 2, 3]),
];

/// Maximum number of interpretations of a theory, ignoring its axioms.
const MOST: u64 = 1 << 9;

/// The theory of a draft, as text.
#[must_use]
pub fn theory(draft: &Draft) -> Model {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut g = Generator::by(Choices::listed(head), true);
    let size: u64 = 4 - g.rng.random_range(1..=3);
    let mut count = 1;
    let mut operators: Vec<(&str, &str)> = Vec::new();
    for (name, ty, interpretations) in OPERATORS {
        let more = interpretations[size as usize - 1];
        if count * more <= MOST && !g.once_in(3) {
            count *= more;
            operators.push((name, ty));
        }
    }
    // Terms need a constant as a base case.
    if !operators.iter().any(|(name, _)| *name == "c") {
        operators.push(("c", "-> P"));
    }
    let names: Vec<&str> = operators.iter().map(|(name, _)| *name).collect();
    let axioms = draft.iter().skip(1).map(|choices| {
        g.rng = Choices::listed(choices);
        format!("    {}", g.axiom(&names))
    });
    let axioms: Vec<String> = axioms.collect();
    let declared: Vec<String> = operators
        .iter()
        .map(|(name, ty)| format!("    {name}: {ty}"))
        .collect();
    let text = format!(
        "type P\nvocabulary V\n  operators\n{}\n  axioms\n{}\nend\nimports V\n\
         automaton A\n  signature internal idle\n  states at: P := c\n  transitions internal idle\n",
        declared.join(",\n"),
        axioms.join(";\n")
    );
    Model {
        text,
        automaton: "A",
        twin: None,
        sizes: vec![("P", size)],
    }
}

impl Generator {
    pub(super) fn axiom(&mut self, operators: &[&str]) -> String {
        let quantifiers = [
            "\\A x: P ",
            "\\E x: P ",
            "\\A x, y: P ",
            "\\A x: P \\E y: P ",
        ];
        let quantifier = self.pick(&quantifiers);
        let bound: &[&str] = if quantifier.contains('y') {
            &["x", "y"]
        } else {
            &["x"]
        };
        format!("({quantifier}({}))", self.fact(operators, bound, 2))
    }

    fn fact(&mut self, operators: &[&str], bound: &[&str], depth: u32) -> String {
        if depth > 0 && self.once_in(2) {
            let (a, b) = (
                self.fact(operators, bound, depth - 1),
                self.fact(operators, bound, depth - 1),
            );
            let sign = self.pick(&["/\\", "<=>", "\\/", "=>"]);
            return format!("({a} {sign} {b})");
        }
        let not = if self.once_in(3) { "~" } else { "" };
        let (a, b) = (self.point(operators, bound), self.point(operators, bound));
        let predicates: Vec<&str> = operators
            .iter()
            .copied()
            .filter(|name| ["r", "g", "n"].contains(name))
            .collect();
        let atom = match predicates.is_empty() || self.once_in(3) {
            true => "=",
            false => self.pick(&predicates),
        };
        match atom {
            "r" => format!("{not}(r({a}, {b}))"),
            "g" => format!("{not}(g({a}))"),
            "n" => format!("{not}(n)"),
            _ => format!("{not}({a} = {b})"),
        }
    }

    /// A term of the sort.
    fn point(&mut self, operators: &[&str], bound: &[&str]) -> String {
        if operators.contains(&"f") && self.once_in(3) {
            return format!("f({})", self.point(operators, bound));
        }
        let constants = operators
            .iter()
            .copied()
            .filter(|n| n.starts_with(['c', 'd']));
        let names: Vec<&str> = constants.chain(bound.iter().copied()).collect();
        self.pick(&names).to_owned()
    }
}
