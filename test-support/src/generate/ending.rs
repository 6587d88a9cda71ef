//! Random automata all of whose executions end, with steps that enable and disable each other.

use rand::RngExt;

use super::choices::Choices;
use super::{Draft, Generator, Model};

/// The state of every such automaton, except for the variables that record which steps were taken.
const STATES: &str = "    x: Bool := false, y: Bool := true, z: Bool := false, k: Int := 0,
    on: Array[Node, Bool] := constant(false), seen: Set[Node] := {}, at: Map[Node, Bool] := empty,
    mail: Seq[Bool] := {}";

/// Maximum number of actions of an automaton; executions are enumerated, so there must be few.
const ACTIONS: usize = 5;

/// An automaton `Random` each of whose actions is taken at most once for each value of its parameter: the model of a draft.
#[must_use]
pub fn ending(draft: &Draft) -> Model {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut generator = Generator::by(Choices::listed(head), false);
    let nodes = if generator.once_in(6) { 3 } else { 2 };
    let invariants: Vec<String> = (0..2)
        .map(|n| format!("invariant I{n} of Random: {}\n", generator.seldom_false()))
        .collect();
    let parts = draft.get(1..).unwrap_or_default().iter().take(ACTIONS);
    let actions = parts.enumerate().map(|(n, choices)| {
        generator.rng = Choices::listed(choices);
        generator.single(n)
    });
    let actions: Vec<Single> = actions.collect();
    let join =
        |part: fn(&Single) -> &String| -> String { actions.iter().map(part).cloned().collect() };
    let text = format!(
        "type Node\nautomaton Random\n  signature\n    internal last\n{}  states\n{STATES},\n    over: Bool := false{}\n  \
         transitions\n    internal last\n      pre ~over\n      eff over := true\n{}{}",
        join(|a| &a.heading),
        join(|a| &a.state),
        join(|a| &a.clause),
        invariants.concat(),
    );
    Model::new("Random", &text, vec![("Node", nodes)])
}

/// An action that is taken at most once.
struct Single {
    heading: String,
    /// The formula that says whether it was taken.
    state: String,
    clause: String,
}

impl Generator {
    fn single(&mut self, n: usize) -> Single {
        let is_family = self.once_in(3);
        let (params, formals, taken, state) = match is_family {
            true => (
                "(n)",
                "(n: Node)",
                format!("t{n}[n]"),
                "Array[Node, Bool] := constant(false)",
            ),
            false => ("", "", format!("t{n}"), "Bool := false"),
        };
        let mut clause = format!("    internal a{n}{params}\n      pre ~{taken}");
        for _ in 0..self.rng.random_range(0..3) {
            clause.push_str(&format!(" /\\ {}", self.literal(is_family)));
        }
        clause.push_str(&format!("\n      eff {taken} := true"));
        for _ in 0..self.rng.random_range(1..3) {
            clause.push_str(&format!("; {}", self.change(is_family)));
        }
        clause.push('\n');
        Single {
            heading: format!("    internal a{n}{formals}\n"),
            state: format!(", t{n}: {state}"),
            clause,
        }
    }

    /// A formula about one variable, or about a cell of it.
    fn literal(&mut self, has_n: bool) -> String {
        let mut found = vec![
            "\\A m: Node (on[m])",
            "(\\E m: Node (m \\in seen))",
            "k <= 1",
            "k >= 2",
            "(len(mail) <= 0 \\/ ~head(mail))",
            "z",
            "~z",
            "~y",
            "y",
            "~x",
            "x",
        ];
        if has_n {
            found.extend([
                "~(n \\in seen)",
                "on[n]",
                "n \\in seen",
                "~on[n]",
                "~defined(at, n)",
            ]);
        }
        self.pick(&found).to_owned()
    }

    /// A statement that changes one variable, or a cell of it.
    fn change(&mut self, has_n: bool) -> String {
        let mut found = vec![
            "z := head(mail)",
            "if x then y := false fi",
            "for m: Node where true do on[m] := true od",
            "x := choose b where b \\/ y",
            "k := choose i where i = k + 1 \\/ i = k - 1",
            "mail := mail |- true",
            "mail := mail |- z",
            "k := k + 1",
            "k := k - 1",
            "z := ~z",
            "y := x",
            "y := false",
            "x := true",
        ];
        if has_n {
            found.extend([
                "at[n] := x",
                "seen := delete(n, seen)",
                "seen := insert(n, seen)",
                "on[n] := true",
                "on[n] := ~on[n]",
            ]);
        }
        self.pick(&found).to_owned()
    }

    /// An invariant that is false in some states, if it is false at all.
    fn seldom_false(&mut self) -> String {
        let formulas = [
            "\\A m: Node (on[m] => m \\in seen \\/ x)",
            "x \\/ y \\/ k < 2",
            "~(x /\\ ~y /\\ z)",
            "\\A m: Node (~(defined(at, m) /\\ ~at[m] /\\ on[m]))",
            "len(mail) = 0 \\/ ~head(mail)",
            "k = 0 \\/ y",
            "k < 3",
        ];
        self.pick(&formulas).to_owned()
    }
}
