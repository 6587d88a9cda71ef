//! Schedules of generated automata: rows that fire, choose, repeat and assign.

use rand::RngExt;

use super::types::{Ty, set};
use crate::generate::{Generator, Names};

impl Generator {
    /// A schedule of an automaton with these variables and actions.
    pub(in crate::generate) fn schedule(
        &mut self,
        variables: &Names,
        actions: &[(String, Names)],
    ) -> String {
        let own = [
            ("i", Ty::Int, "randomInt(0, 2)"),
            ("c", Ty::Color, "green"),
            ("l", Ty::Light, "green"),
            ("n", Ty::Node, "Node#0"),
            ("all", set(Ty::Node), "{m: Node where true}"),
        ];
        let states = own
            .iter()
            .map(|(x, ty, v)| format!("    {x}: {} := {v}", ty.text()));
        let states: Vec<String> = states.collect();
        self.scope.clone_from(variables);
        self.scope.extend(own.map(|(x, ty, _)| (x.to_owned(), ty)));
        let rows: Vec<String> = (0..4).map(|_| self.row(actions, 2)).collect();
        format!(
            "schedule Rows of Random\n  states\n{}\n  do\n    {}\n  od\n",
            states.join(",\n"),
            rows.join(";\n    ")
        )
    }

    fn row(&mut self, actions: &[(String, Names)], depth: u32) -> String {
        match self.rng.random_range(0..8) {
            0 if depth > 0 => {
                let condition = self.term(&Ty::Bool, 2);
                let (a, b) = (self.row(actions, depth - 1), self.row(actions, depth - 1));
                format!("if {condition} then {a} else {b} fi")
            }
            1 if depth > 0 => {
                let body = self.row(actions, depth - 1);
                format!("while i < 3 do i := i + 1; {body} od")
            }
            2 if depth > 0 => {
                let x = self.fresh("x");
                let bound = [(x.clone(), Ty::Node)];
                let body = self.under(&bound, |g| g.row(actions, depth - 1));
                format!("for {x}: Node in all do {body} od")
            }
            3 => format!("i := {}", self.term(&Ty::Int, 2)),
            4 => "n := chooseRandom(all)".into(),
            5 => self.fire_any(actions),
            _ => self.fire(actions),
        }
    }

    fn fire_any(&mut self, actions: &[(String, Names)]) -> String {
        let (name, _) = self.pick(actions);
        match self.rng.random_range(0..3) {
            0 => "fire any".into(),
            1 => format!("fire any weight {name} = 0.05"),
            _ => format!("fire any weight {name} = 3"),
        }
    }

    fn fire(&mut self, actions: &[(String, Names)]) -> String {
        let (name, params) = self.pick(actions);
        let kind = self.pick(&["internal ", ""]);
        if params.is_empty() {
            return format!("fire {kind}{name}");
        }
        let actuals: Vec<String> = params.iter().map(|(_, ty)| self.term(ty, 2)).collect();
        format!("fire {kind}{name}({})", actuals.join(", "))
    }
}
