//! Random forward simulations with a proof block, some of which hold.

use rand::RngExt;

use super::constructs::types::Ty;
use super::explorable::{Generated, Visited, constants, header};
use super::{Draft, Generator, Model, Names, formals};

/// A forward simulation from `Random` to `High`, which differs from `Random` in some lines, with an entry for each action: the model of
/// a draft.
#[must_use]
pub fn forward(draft: &Draft) -> Model {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut generator = Generator::of_few_states(head);
    let choices = generator.rng.clone();
    let Generated {
        variables,
        actions,
        automaton,
        invariants,
    } = generator.of_parts(draft.get(1..).unwrap_or_default());
    generator.rng = choices;
    let high = match generator.once_in(2) {
        true => generator.altered(&automaton),
        false => automaton.replacen("Random", "High", 1),
    };
    let invariants = invariants.replace("of Random:", "of High:");
    let relation = match generator.once_in(4) {
        true => generator.relation(&variables),
        false => equal(&variables),
    };
    let block = generator.block(&variables, &actions);
    let text = format!(
        "{}{automaton}{high}{invariants}forward simulation from Random to High: {relation}\n{block}",
        header()
    );
    Model::new("Random", &text, vec![("Node", 2), ("Ballot", 2)])
}

impl Generator {
    fn block(&mut self, variables: &Names, actions: &[Visited]) -> String {
        let starts = variables.iter().filter(|_| !self.once_in(60));
        let starts = starts.map(|(name, _)| format!("High.{name} := Random.{name}"));
        let starts: Vec<String> = starts.collect();
        let mut text = String::from("  proof\n    states count: Nat := 0\n    initially\n      ");
        let set = ["count := 0".to_owned()].into_iter().chain(starts);
        text.push_str(&set.collect::<Vec<_>>().join(";\n      "));
        text.push('\n');
        let idle = (String::from("idle"), "internal", Names::new());
        let named = actions.iter();
        let named = named.map(|a| (a.name.clone(), a.keyword, a.params.clone()));
        for (name, keyword, params) in named.chain([idle]) {
            let heading = format!("{name}{}", formals(&params));
            let args = params.iter().map(|(name, _)| name.clone());
            let args: Vec<String> = args.collect();
            let args = match args.is_empty() {
                true => String::new(),
                false => format!("({})", args.join(", ")),
            };
            let fire = format!("fire {keyword} {name}{args}");
            self.scope = [constants(), variables_of("Random", variables), params].concat();
            let body = self.answer(&fire, variables);
            text.push_str(&format!("    for {keyword} {heading} do {body} od\n"));
        }
        text
    }

    /// What answers a step: mostly the same step, in different words; sometimes something that is wrong.
    fn answer(&mut self, fire: &str, variables: &Names) -> String {
        match self.rng.random_range(0..9) {
            0 => format!(
                "if {} then {fire} else count := min(count + 1, 2); {fire} fi",
                self.term(&Ty::Bool, 2)
            ),
            1 => {
                self.scope.extend(variables_of("High", variables));
                let condition = self.term(&Ty::Bool, 2);
                format!("count := mod(count + 1, 3); if {condition} then {fire} else {fire} fi")
            }
            2 => format!("{fire}; count := 1 - min(count, 1)"),
            3 => format!("if High.ready then fire internal idle fi; {fire}"),
            4 if self.once_in(3) => format!("if {} then {fire} fi", self.term(&Ty::Bool, 2)),
            5 if self.once_in(4) => format!("{fire}; {fire}"),
            _ => fire.to_owned(),
        }
    }
}

/// That all variables are equal.
fn equal(variables: &Names) -> String {
    let equal = variables.iter();
    let equal = equal.map(|(name, _)| format!("Random.{name} = High.{name}"));
    equal.collect::<Vec<_>>().join(" /\\ ")
}

/// The variables of an automaton, as the simulation names them.
fn variables_of(automaton: &str, variables: &Names) -> Names {
    let named = variables.iter();
    let named = named.map(|(name, ty)| (format!("{automaton}.{name}"), ty.clone()));
    named.collect()
}
