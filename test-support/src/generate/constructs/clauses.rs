//! Signatures and transition clauses: parameters and what is said about them, hidden parameters, preconditions, effects.

use rand::RngExt;

use super::types::{Ty, formals, set};
use crate::generate::{Generator, Names};

impl Generator {
    /// A signature entry, which may say for which parameters it is.
    pub(in crate::generate) fn entry(&mut self, name: &str, params: &Names) -> String {
        let mut text = format!("    internal {name}{}", formals(params));
        if !params.is_empty() && self.once_in(4) {
            let condition = self.about(params, 2);
            text.push_str(&format!(" where {condition}"));
        }
        text.push('\n');
        text
    }

    /// A formula about parameters only. It binds all other variables that it mentions.
    pub(in crate::generate) fn about(&mut self, params: &Names, depth: u32) -> String {
        self.scope.clone_from(params);
        let mut quantifiers = String::new();
        for ty in [Ty::Node, Ty::Ballot, Ty::Quorum, Ty::Group] {
            let (quantifier, x) = (self.pick(&["\\A", "\\E"]), self.fresh("q"));
            quantifiers.push_str(&format!("{quantifier} {x}: {} ", ty.text()));
            self.scope.push((x, ty));
        }
        let (a, b) = (self.term(&Ty::Bool, depth), self.term(&Ty::Bool, depth));
        format!("({quantifiers}({a} \\/ {b}))")
    }

    pub(in crate::generate) fn clause(
        &mut self,
        name: &str,
        params: &Names,
        variables: &Names,
    ) -> String {
        let (shown, bound) = self.clause_formals(params);
        let mut text = format!("    internal {name}{shown}");
        if !bound.is_empty() && self.once_in(4) {
            let condition = self.about(&bound, 2);
            text.push_str(&format!(" where {condition}"));
        }
        self.scope.clone_from(variables);
        self.scope.extend(bound.iter().cloned());
        if self.once_in(3) {
            let hidden = self.hidden();
            text.push_str(&hidden);
        }
        let bounds = self.bounds_of(&bound);
        text.push_str(&format!("\n      pre {bounds}{}", self.precondition()));
        text + &self.outcome(variables)
    }

    /// The body of a clause: an effect, and sometimes an `ensuring`.
    pub(in crate::generate) fn outcome(&mut self, variables: &Names) -> String {
        let (effect, assigned) = self.effect(variables);
        let mut text = format!("\n      eff {effect}");
        if self.once_in(4) {
            let ensuring = self.ensuring(variables, &assigned);
            text.push_str(&format!("\n      ensuring {ensuring}"));
        }
        text.push('\n');
        text
    }

    /// Bounds for the integer parameters, if they must be enumerable.
    fn bounds_of(&mut self, params: &Names) -> String {
        let mut text = String::new();
        for (name, ty) in params {
            if self.ranged && matches!(ty, Ty::Int | Ty::Nat) {
                let (low, high) = (
                    self.pick(&["0", "(-2)"]),
                    self.pick(&["2", "3", "5", "9", "66"]),
                );
                text.push_str(&format!("{low} <= {name} /\\ {name} < {high} /\\ "));
            }
        }
        text
    }

    /// The formals of a clause, some of which may be terms to match, and the names they bind.
    fn clause_formals(&mut self, params: &Names) -> (String, Names) {
        let (mut shown, mut bound) = (Vec::new(), Names::new());
        for (name, ty) in params {
            if self.once_in(6)
                && let Some(term) = self.matched(ty, &bound)
            {
                shown.push(term);
            } else {
                shown.push(name.clone());
                bound.push((name.clone(), ty.clone()));
            }
        }
        if shown.is_empty() {
            return (String::new(), bound);
        }
        (format!("({})", shown.join(", ")), bound)
    }

    fn matched(&mut self, ty: &Ty, bound: &Names) -> Option<String> {
        match ty {
            Ty::Bool => Some("const true".into()),
            Ty::Color | Ty::Light => Some("const green".into()),
            Ty::Text => Some("const \"a\"".into()),
            Ty::Int => Some(self.pick(&["const 1", "0 - 1"]).into()),
            Ty::Null(_) => Some("const nil".into()),
            Ty::Set(_) => Some("{}".into()),
            ty => {
                let same = bound.iter().find(|(_, t)| t == ty)?;
                Some(format!("const {}", same.0))
            }
        }
    }

    /// Hidden parameters, which stay in scope.
    pub(in crate::generate) fn hidden(&mut self) -> String {
        let ty = self.pick(&[
            Ty::Node,
            Ty::Ballot,
            Ty::Color,
            set(Ty::Ballot),
            Ty::Mark,
            Ty::Light,
            Ty::Who,
        ]);
        let name = self.fresh("z");
        let shown = format!("\n      choose {name}: {}", ty.text());
        self.scope.push((name, ty));
        if self.once_in(3) {
            return shown;
        }
        format!("{shown} where {}", self.term(&Ty::Bool, 2))
    }

    /// Usually a disjunction, so that many steps are taken; sometimes with a further condition behind or before it.
    pub(in crate::generate) fn precondition(&mut self) -> String {
        if self.once_in(3) {
            return self.term(&Ty::Bool, 3);
        }
        let (a, b) = (self.term(&Ty::Bool, 3), self.term(&Ty::Bool, 2));
        let either = format!("({a} \\/ {b})");
        match self.rng.random_range(0..8) {
            0 => format!("{either} /\\ {}", self.term(&Ty::Bool, 2)),
            1 => format!("{} /\\ {either}", self.term(&Ty::Bool, 2)),
            _ => either,
        }
    }

    /// A relation between the state before and the state after, which leaves open what the effect does not assign.
    fn ensuring(&mut self, variables: &Names, assigned: &[String]) -> String {
        let after = variables
            .iter()
            .filter(|(name, ty)| assigned.contains(name) || ty.count().is_some_and(|n| n <= 8));
        let after: Names = after
            .map(|(name, ty)| (format!("{name}'"), ty.clone()))
            .collect();
        let primed = self.pick(&after);
        self.under(&after, |g| {
            let same = g.atom(&primed.1, 1);
            let formula = g.term(&Ty::Bool, 3);
            match g.rng.random_range(0..4) {
                0 => format!("{} = {same} /\\ {formula}", primed.0),
                1 => format!("({} = {same} \\/ {formula})", primed.0),
                2 => format!("({} ~= {same} => {formula})", primed.0),
                _ => formula,
            }
        })
    }
}
