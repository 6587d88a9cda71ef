//! Random automata with tasks, and liveness properties of them.

use rand::RngExt;

use super::constructs::types::Ty;
use super::explorable::{Generated, constants, header};
use super::{Draft, Generator, Model, Names};

/// `Random` with tasks, and a liveness property `L` of it: the model of a draft.
#[must_use]
pub fn live(draft: &Draft) -> Model {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut generator = Generator::of_few_states(head);
    let choices = generator.rng.clone();
    let made = generator.of_parts(draft.get(1..).unwrap_or_default());
    generator.rng = choices;
    let tasks = generator.tasks();
    let property = generator.property(&made.variables);
    let Generated { automaton, .. } = made;
    let text = format!(
        "{}{automaton}{tasks}liveness L of Random: {property}\n",
        header()
    );
    Model::new("Random", &text, vec![("Node", 2), ("Ballot", 2)])
}

impl Generator {
    /// Tasks for most of the actions: one for each value of the parameters, or one for all values together.
    pub(super) fn tasks(&mut self) -> String {
        let idle = ("idle".to_owned(), Names::new());
        let actions: Vec<(String, Names)> = self.actions.iter().cloned().chain([idle]).collect();
        let mut text = String::new();
        for (name, params) in &actions {
            let can_be_bound = params.iter().all(|(_, ty)| is_bound(ty));
            if !can_be_bound || self.once_in(4) {
                continue;
            }
            let strong = if self.once_in(3) { "strong " } else { "" };
            let shown: Vec<&str> = params.iter().map(|(name, _)| &**name).collect();
            let call = match shown.is_empty() {
                true => name.clone(),
                false => format!("{name}({})", shown.join(", ")),
            };
            let also = if self.once_in(4) { ", idle" } else { "" };
            text.push_str(&format!(
                "    {strong}{{{call}{also}}}{}\n",
                for_all(params)
            ));
        }
        match text.is_empty() {
            true => text,
            false => format!("  tasks\n{text}"),
        }
    }

    /// A temporal formula, occasionally for all values of a parameter.
    fn property(&mut self, variables: &Names) -> String {
        self.scope = [&constants()[..], variables].concat();
        let ty = self.pick(&[Ty::Bool, Ty::Color, Ty::Node]);
        let params = match self.once_in(3) {
            true => vec![("param".to_owned(), ty)],
            false => Vec::new(),
        };
        let formula = self.under(&params, |g| g.temporal(2));
        // Each parameter has to be used.
        match params.is_empty() {
            true => formula,
            false => format!(
                "({formula}) \\/ (always eventually ~(param = param)){}",
                for_all(&params)
            ),
        }
    }

    /// A temporal formula with the given nesting depth.
    fn temporal(&mut self, depth: u32) -> String {
        let kind = self.rng.random_range(0..if depth == 0 { 3 } else { 7 });
        match kind {
            0 => format!("always eventually {}", self.state_formula()),
            1 => format!("eventually always {}", self.state_formula()),
            2 | 3 => {
                let premise = self.state_formula();
                format!("{premise} leads to {}", self.state_formula())
            }
            4 => format!("~({})", self.temporal(depth - 1)),
            _ => {
                let sign = self.pick(&["/\\", "\\/", "=>"]);
                let left = self.temporal(depth - 1);
                format!("({left}) {sign} ({})", self.temporal(depth - 1))
            }
        }
    }

    fn state_formula(&mut self) -> String {
        format!("({})", self.term(&Ty::Bool, 1))
    }
}

/// Whether a task can be for all values of a type.
fn is_bound(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::Bool | Ty::Node | Ty::Ballot | Ty::Quorum | Ty::Color | Ty::Light | Ty::Mark
    )
}

/// ` for n: Node, c: Color`
fn for_all(params: &Names) -> String {
    let params = params.iter();
    let shown: Vec<String> = params
        .map(|(name, ty)| format!("{name}: {}", ty.text()))
        .collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!(" for {}", shown.join(", ")),
    }
}
