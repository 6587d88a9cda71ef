//! Random automata to be components: which parameters they have, and which actions they share.

use rand::RngExt;

use super::super::constructs::types::{Ty, array, null, seq, set};
use super::super::explorable::{FLAG, Visited, constants};
use super::super::{Generator, Names};

/// An automaton that is used as a component.
pub(super) struct ComponentDraft {
    pub(super) name: String,
    pub(super) params: Names,
    /// The condition on its parameters.
    pub(super) condition: Option<String>,
    pub(super) actions: Vec<Visited>,
    pub(super) text: String,
}

impl ComponentDraft {
    /// Whether the components control an action that others may receive.
    pub(super) fn controls(&self) -> bool {
        self.actions.iter().any(|a| a.keyword == "output")
    }
}

/// The actions that components may share. The automaton with the number of an action controls it, if it has the action.
pub(super) const SHARED: [&str; 3] = ["say", "put", "tick"];

impl Generator {
    pub(super) fn composed_part(&mut self, number: usize) -> ComponentDraft {
        let name = format!("K{number}");
        let params = match number {
            0 => self.pick(&[
                vec![("i", Ty::Node), ("b", Ty::Bool)],
                vec![("b", Ty::Bool)],
                vec![("i", Ty::Node)],
                vec![],
            ]),
            1 => self.pick(&[vec![("i", Ty::Node)], vec![("i", Ty::Node)], vec![]]),
            _ => self.pick(&[
                vec![("i", Ty::Node), ("j", Ty::Node)],
                vec![("i", Ty::Node), ("b", Ty::Bool)],
                vec![("i", Ty::Node)],
                vec![("i", Ty::Node)],
                vec![],
            ]),
        };
        let params = params.into_iter();
        let params: Names = params
            .map(|(name, ty)| (format!("{name}{number}"), ty))
            .collect();
        let condition = match &params[..] {
            [] => None,
            [(i, Ty::Node), (j, Ty::Node)] if self.once_in(2) => Some(format!("{i} ~= {j}")),
            _ => self.once_in(12).then(|| self.of_params(&params, 1)),
        };
        self.outer = [&constants()[..], &params].concat();
        let count = 2 - self.rng.random_range(0..=2);
        let variables = (0..count).map(|n| {
            let ty = self.component_type();
            self.scope.clone_from(&self.outer.clone());
            let start = self.start_value(&ty);
            ((format!("v{number}{n}"), ty), start)
        });
        let flag = (
            (format!("{FLAG}{number}"), Ty::Bool),
            " := false".to_owned(),
        );
        let variables: Vec<_> = variables.chain([flag]).collect();
        let (variables, starts): (Names, Vec<String>) = variables.into_iter().unzip();
        let fact = self.once_in(6).then(|| {
            self.scope = [&self.outer[..], &variables].concat();
            self.term(&Ty::Bool, 2)
        });
        let actions = self.component_actions(number, &params);
        let mut text = format!("automaton {name}");
        if !params.is_empty() {
            let params: Vec<String> = params.iter().map(declared).collect();
            text.push_str(&format!("({})", params.join(", ")));
        }
        if let Some(condition) = &condition {
            text.push_str(&format!(" where {condition}"));
        }
        text.push_str("\n  signature\n");
        actions.iter().for_each(|a| text.push_str(&a.heading));
        let states = variables.iter().zip(&starts);
        let states = states.map(|(variable, start)| format!("    {}{start}", declared(variable)));
        let states: Vec<String> = states.collect();
        text.push_str(&format!("  states\n{}\n", states.join(",\n")));
        if let Some(fact) = fact {
            text.push_str(&format!("    so that {fact}\n"));
        }
        text.push_str("  transitions\n");
        for action in &actions {
            let clauses = self.clauses_of(action, &variables);
            text.push_str(&clauses);
        }
        ComponentDraft {
            name,
            params,
            condition,
            actions,
            text,
        }
    }

    /// The type of a component's variable; the simplest comes last.
    fn component_type(&mut self) -> Ty {
        self.pick(&[
            seq(Ty::Node),
            array(Ty::Node, Ty::Bool),
            null(Ty::Node),
            set(Ty::Nat),
            set(Ty::Node),
            Ty::Int,
            Ty::Nat,
            Ty::Node,
            Ty::Color,
            Ty::Bool,
        ])
    }

    /// The shared actions that the automaton has, and one of its own.
    fn component_actions(&mut self, number: usize, params: &Names) -> Vec<Visited> {
        let mut actions = Vec::new();
        for (n, name) in SHARED.into_iter().enumerate() {
            // Nothing determines which component the `tick` belongs to.
            let controls = n == number && (n < 2 || params.is_empty());
            if self.once_in(3) {
                continue;
            }
            let keyword = if controls { "output" } else { "input" };
            let action = self.shared_action(name, keyword, params);
            actions.push(action);
        }
        if actions.is_empty() || !self.once_in(3) {
            actions.push(Visited {
                name: format!("go{number}"),
                keyword: "internal",
                params: Names::new(),
                heading: format!("    internal go{number}\n"),
            });
        }
        actions
    }

    /// An action that components share. If a family controls it, the signature says which member; if a family receives it,
    /// either each member receives it separately, or all receive it together.
    fn shared_action(&mut self, name: &str, keyword: &'static str, params: &Names) -> Visited {
        let own: &[(&str, Ty)] = match name {
            "say" => &[("x", Ty::Node), ("b", Ty::Bool)],
            "put" => &[("x", Ty::Node), ("k", Ty::Nat)],
            _ => &[],
        };
        let (mut formal, mut shown, mut free) = (Names::new(), Vec::new(), Names::new());
        for (suffix, ty) in own {
            let variable = (format!("{name}{suffix}"), ty.clone());
            let index = params.iter().find(|(_, t)| t == ty);
            match index.filter(|_| keyword == "output" || self.rng.random_bool(0.5)) {
                Some(index) => {
                    shown.push(format!("const {}", index.0));
                    formal.push(index.clone());
                }
                None => {
                    shown.push(declared(&variable));
                    free.push(variable.clone());
                    formal.push(variable);
                }
            }
        }
        let number = free.iter().find(|(_, ty)| *ty == Ty::Nat);
        let mut conditions: Vec<String> = number.iter().map(|(k, _)| format!("{k} < 2")).collect();
        if !free.is_empty() && self.once_in(4) {
            let names = [&params[..], &free].concat();
            conditions.push(self.of_params(&names, 1));
        }
        let mut heading = format!("    {keyword} {name}");
        if !shown.is_empty() {
            heading.push_str(&format!("({})", shown.join(", ")));
        }
        if !conditions.is_empty() {
            heading.push_str(&format!(" where {}", conditions.join(" /\\ ")));
        }
        heading.push('\n');
        Visited {
            name: name.to_owned(),
            keyword,
            params: formal,
            heading,
        }
    }
}

/// A name with its type, as in a heading.
pub(super) fn declared((name, ty): &(String, Ty)) -> String {
    format!("{name}: {}", ty.text())
}
