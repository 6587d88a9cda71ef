//! Random monitors of random automata, and compositions that mean the same.

use rand::RngExt;

use super::explorable::{Generated, Visited, header};
use super::{Draft, Generator, Model};

/// The state of a monitor.
const STATES: &str = "    heat: Nat := 0,\n    odd: Bool := false\n";

/// A reaction of a monitor to an action, possibly under a condition. The first reaction that matches is taken.
struct Reaction {
    condition: Option<String>,
    effect: String,
}

/// `Watched`, a monitor of an automaton with tasks: the model of a draft. Its twin is a composition of the same automaton,
/// whose internal actions are outputs there, with an automaton that receives all that the monitor observes.
#[must_use]
pub fn monitored(draft: &Draft) -> Model {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut generator = Generator::of_few_states(head);
    let choices = generator.rng.clone();
    let Generated {
        automaton, actions, ..
    } = generator.of_parts(draft.get(1..).unwrap_or_default());
    generator.rng = choices;
    let tasks = generator.tasks();
    let [hot, cold] = generator.temperature();
    let (mut monitor, mut receiver) = (Clauses::default(), Clauses::default());
    let idle = Visited {
        name: "idle".into(),
        keyword: "internal",
        params: Vec::new(),
        heading: "    internal idle\n".into(),
    };
    for action in actions.iter().chain([&idle]) {
        if generator.once_in(4) {
            continue;
        }
        let reactions = generator.reactions(action);
        monitor.observe(action, &reactions);
        receiver.receive(action, &reactions);
    }
    let monitor = format!(
        "{}{automaton}{tasks}monitor Watched of Random\n{}  hot {}\n  cold {}\n",
        header(),
        monitor.text(),
        hot,
        cold
    );
    let composition = format!(
        "{}{}{tasks}automaton Watch\n{}automaton Watched\n  components\n    Random;\n    Watch\n\
         liveness L of Watched: (always eventually {}) => (always eventually {})\n",
        header(),
        automaton.replace("internal ", "output "),
        receiver.text(),
        of_component(hot, "Watch"),
        of_component(cold, "Watch")
    );
    let sizes = vec![("Node", 2), ("Ballot", 2)];
    let twin = Model::new("Watched", &composition, sizes.clone()).text;
    Model {
        twin: Some(twin),
        ..Model::new("Watched", &monitor, sizes)
    }
}

/// The signature and the transitions of an automaton.
#[derive(Default)]
struct Clauses {
    signature: String,
    transitions: String,
}

impl Clauses {
    /// A clause for each reaction.
    fn observe(&mut self, action: &Visited, reactions: &[Reaction]) {
        let call = self.declare(action);
        for Reaction { condition, effect } in reactions {
            let condition = condition.as_ref().map(|c| format!(" where {c}"));
            let condition = condition.unwrap_or_default();
            self.transitions.push_str(&format!(
                "    input {call}{condition}\n      eff {effect}\n"
            ));
        }
    }

    /// One clause, which tests the conditions in turn.
    fn receive(&mut self, action: &Visited, reactions: &[Reaction]) {
        let call = self.declare(action);
        let (mut effect, mut keyword) = (String::new(), "if");
        for reaction in reactions {
            match (&reaction.condition, keyword) {
                (Some(condition), _) => {
                    effect.push_str(&format!("{keyword} {condition} then {} ", reaction.effect));
                    keyword = "elseif";
                }
                (None, "if") => {
                    effect.clone_from(&reaction.effect);
                    break;
                }
                (None, _) => {
                    effect.push_str(&format!("else {} ", reaction.effect));
                    break;
                }
            }
        }
        if effect.starts_with("if ") && keyword == "elseif" {
            effect.push_str("fi");
        }
        self.transitions
            .push_str(&format!("    input {call}\n      eff {effect}\n"));
    }

    /// Adds an action to the signature, and returns how a clause names it.
    fn declare(&mut self, action: &Visited) -> String {
        let heading = action.heading.replacen(action.keyword, "input", 1);
        self.signature.push_str(&heading);
        let names: Vec<&str> = action.params.iter().map(|(name, _)| &**name).collect();
        match names.is_empty() {
            true => action.name.clone(),
            false => format!("{}({})", action.name, names.join(", ")),
        }
    }

    fn text(&self) -> String {
        let Self {
            signature,
            transitions,
        } = self;
        format!("  signature\n{signature}  states\n{STATES}  transitions\n{transitions}")
    }
}

impl Generator {
    /// The reactions of a monitor to an action. Reactions after one without a condition are never taken.
    fn reactions(&mut self, action: &Visited) -> Vec<Reaction> {
        let count = self.rng.random_range(1..=3);
        let mut reactions = Vec::new();
        for _ in 0..count {
            let is_open = action.params.is_empty() || self.once_in(3);
            let condition = (!is_open).then(|| self.of_params(&action.params, 1));
            let effect = self.pick(&[
                "heat := 0",
                "heat := 1",
                "heat := 2",
                "heat := if heat = 2 then 1 else 2",
                "odd := ~odd",
                "odd := ~odd; heat := if odd then 0 else 1",
                "if odd then heat := 2 fi",
            ]);
            reactions.push(Reaction {
                condition,
                effect: effect.to_owned(),
            });
        }
        reactions
    }

    /// Which states are hot, and which are cold.
    fn temperature(&mut self) -> [&'static str; 2] {
        let hot = self.pick(&["heat = 2", "heat > 0", "odd \\/ heat = 2", "true"]);
        let cold = self.pick(&["heat = 0", "heat < 2", "odd /\\ heat = 0", "~odd", "false"]);
        [hot, cold]
    }
}

/// A formula over the state of a component.
fn of_component(formula: &str, path: &str) -> String {
    let formula = formula.replace("heat", &format!("{path}.heat"));
    format!("({})", formula.replace("odd", &format!("{path}.odd")))
}
