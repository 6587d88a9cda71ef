//! Actions of which some are taken often, and their clauses.

use rand::RngExt;

use super::super::constructs::types::{Ty, null, set};
use super::super::{Generator, Names, formals};
use super::constants;

/// An action, and its entry in the signature.
pub(in crate::generate) struct Visited {
    pub(in crate::generate) name: String,
    /// `input`, `output` or `internal`.
    pub(in crate::generate) keyword: &'static str,
    pub(in crate::generate) params: Names,
    pub(in crate::generate) heading: String,
}

impl Generator {
    pub(super) fn visited_action(&mut self, number: usize) -> Visited {
        let keyword = self.pick(&["input", "output", "internal", "internal"]);
        let count = 2 - self.rng.random_range(0..=2);
        let mut bounds = Vec::new();
        let params = (0..count).map(|p| {
            let ty = self.pick_type(&[
                Ty::Nat,
                Ty::Int,
                Ty::Quorum,
                Ty::Mark,
                set(Ty::Ballot),
                null(Ty::Color),
                Ty::Light,
                Ty::Color,
                Ty::Bool,
                Ty::Ballot,
                Ty::Node,
            ]);
            let name = format!("p{number}{p}");
            match ty {
                Ty::Nat => bounds.push(format!("{name} < {}", self.rng.random_range(2..5))),
                Ty::Int => bounds.push(format!("(-2) < {name} /\\ {name} < 2")),
                _ => {}
            }
            (name, ty)
        });
        let params: Names = params.collect();
        let name = format!("act{number}");
        if !params.is_empty() && self.once_in(4) {
            bounds.push(self.of_params(&params, 2));
        }
        let mut heading = format!("    {keyword} {name}{}", formals(&params));
        if !bounds.is_empty() {
            heading.push_str(&format!(" where {}", bounds.join(" /\\ ")));
        }
        heading.push('\n');
        Visited {
            name,
            keyword,
            params,
            heading,
        }
    }

    /// A formula over parameters and constants.
    pub(in crate::generate) fn of_params(&mut self, params: &Names, depth: u32) -> String {
        self.scope = [&constants()[..], params].concat();
        format!("({})", self.term(&Ty::Bool, depth))
    }

    pub(in crate::generate) fn clauses_of(
        &mut self,
        action: &Visited,
        variables: &Names,
    ) -> String {
        let Visited { params, .. } = action;
        let clause = |g: &mut Self, condition: &str| g.visited_clause(action, condition, variables);
        if action.keyword != "input" || params.is_empty() {
            let more = action.keyword != "input" && self.once_in(4);
            let more = if more {
                clause(self, "")
            } else {
                String::new()
            };
            return more + &clause(self, "");
        }
        // The clauses of an input should apply to all values of its parameters; occasionally they do not.
        let condition = self.of_params(params, 2);
        match self.rng.random_range(0..6) {
            0 => clause(self, &format!(" where {condition}")),
            1 | 2 => {
                let first = clause(self, &format!(" where {condition}"));
                first + &clause(self, &format!(" where ~{condition}"))
            }
            _ => clause(self, ""),
        }
    }

    fn visited_clause(&mut self, action: &Visited, condition: &str, variables: &Names) -> String {
        let Visited {
            name,
            keyword,
            params,
            ..
        } = action;
        let shown: Vec<&str> = params.iter().map(|(name, _)| &**name).collect();
        let shown = match shown.is_empty() {
            true => String::new(),
            false => format!("({})", shown.join(", ")),
        };
        let mut text = format!("    {keyword} {name}{shown}{condition}");
        self.scope = [&self.outer[..], variables, params].concat();
        if *keyword != "input" {
            if self.once_in(4) {
                let hidden = self.hidden();
                text.push_str(&hidden);
            }
            text.push_str(&format!("\n      pre {}", self.precondition()));
        }
        text + &self.outcome(variables)
    }
}
