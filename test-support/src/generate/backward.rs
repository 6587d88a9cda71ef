//! Random backward simulations, some of which hold.

use rand::RngExt;

use super::constructs::types::Ty;
use super::explorable::{Generated, constants, header};
use super::{Draft, Generator, Model, Names};

/// A backward simulation from `Random` to `High`, which differs from `Random` in some lines: the model of a draft.
#[must_use]
pub fn backward(draft: &Draft) -> Model {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut generator = Generator::of_few_states(head);
    let choices = generator.rng.clone();
    let Generated {
        variables,
        automaton,
        ..
    } = generator.of_parts(draft.get(1..).unwrap_or_default());
    generator.rng = choices;
    let high = generator.altered(&automaton);
    let relation = generator.relation(&variables);
    let text = format!(
        "{}{automaton}{high}backward simulation from Random to High: {relation}\n",
        header()
    );
    Model::new("Random", &text, vec![("Node", 2), ("Ballot", 2)])
}

impl Generator {
    /// `High`: some actions are always enabled, some never, and `ready` may start either way.
    pub(super) fn altered(&mut self, automaton: &str) -> String {
        let lines = automaton.lines().map(|line| {
            if line.starts_with("      pre ") && self.once_in(3) {
                return format!("      pre {}", self.pick(&["false", "true"]));
            }
            if line.ends_with("ready: Bool := false") && self.once_in(3) {
                return line.replace(" := false", "");
            }
            line.to_owned()
        });
        let lines: Vec<String> = lines.collect();
        lines.join("\n").replacen("Random", "High", 1) + "\n"
    }

    /// A relation: most variables are equal, possibly in conjunction or disjunction with another formula.
    pub(super) fn relation(&mut self, variables: &Names) -> String {
        let equal = variables.iter().filter(|_| !self.once_in(4));
        let equal = equal.map(|(name, _)| format!("Random.{name} = High.{name}"));
        let equal: Vec<String> = equal.collect();
        let equal = match equal.is_empty() {
            true => "true".to_owned(),
            false => equal.join(" /\\ "),
        };
        let of = |automaton: &'static str| {
            let variables = variables.iter();
            variables.map(move |(name, ty)| (format!("{automaton}.{name}"), ty.clone()))
        };
        self.scope = constants();
        self.scope.extend(of("Random").chain(of("High")));
        match self.rng.random_range(0..4) {
            0 => format!("({equal}) /\\ ({})", self.term(&Ty::Bool, 2)),
            1 => format!("({equal}) \\/ ({})", self.term(&Ty::Bool, 2)),
            _ => equal,
        }
    }
}
