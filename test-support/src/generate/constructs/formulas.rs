//! Terms of type `Bool`.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::types::{Ty, map, mset, null, seq, set};
use crate::generate::Generator;

impl Generator {
    pub(in crate::generate) fn formula(&mut self, depth: u32) -> String {
        let d = depth - 1;
        if self.numeric
            && self.once_in(2)
            && let Some(made) = self.about_numbers(d)
        {
            return made;
        }
        let made = match self.rng.random_range(0..24) {
            0 => Some(format!("~({})", self.term(&Ty::Bool, d))),
            n @ 1..=4 => {
                let operator = ["/\\", "\\/", "=>", "<=>"][n - 1];
                let (a, b) = (self.term(&Ty::Bool, d), self.term(&Ty::Bool, d));
                Some(format!("({a} {operator} {b})"))
            }
            5..=7 => self.equation(d),
            8 | 9 => self.order(d),
            10 => self.membership(d),
            11 => self.inclusion(d),
            12 => self.in_group(),
            13 if !self.actions.is_empty() => Some(self.enabled()),
            14 if !self.finite => Some(self.guarded(d)),
            15 => self.of_a_map(d),
            16 => self.tagged(),
            17 => {
                let (n, s) = (self.term(&Ty::Node, d), self.term(&set(Ty::Node), d));
                Some(format!("voted({n}, {s})"))
            }
            18..=22 => Some(self.quantified(d)),
            _ => None,
        };
        made.unwrap_or_else(|| self.leaf(&Ty::Bool))
    }

    fn equation(&mut self, d: u32) -> Option<String> {
        let types = [
            Ty::Int,
            Ty::Color,
            Ty::Node,
            Ty::Pair,
            Ty::Mark,
            set(Ty::Node),
            set(Ty::Ballot),
            set(set(Ty::Ballot)),
            null(Ty::Color),
            null(Ty::Node),
            seq(Ty::Int),
            Ty::Light,
            Ty::Real,
            Ty::Char,
            Ty::Text,
            Ty::Item,
            Ty::Who,
            map(Ty::Node, Ty::Color),
            mset(Ty::Color),
            set(Ty::Nat),
            set(Ty::Int),
            null(Ty::Nat),
        ];
        let ty = if self.rng.random_bool(0.5) && !self.scope.is_empty() {
            let last = self.scope.len().saturating_sub(3);
            let from = if self.rng.random_bool(0.5) { last } else { 0 };
            let scope = self.scope[from..].to_vec();
            self.pick(&scope).1
        } else {
            self.pick_type(&types)
        };
        let left = self.anchor(&ty, d)?;
        let right = self.atom(&ty, d);
        let operator = self.pick(&["=", "~="]);
        Some(format!("({left} {operator} {right})"))
    }

    fn order(&mut self, d: u32) -> Option<String> {
        let ty = self.pick_type(&[
            Ty::Int,
            Ty::Int,
            Ty::Nat,
            Ty::Ballot,
            Ty::Real,
            Ty::Char,
            Ty::Text,
        ]);
        let (a, b) = (self.anchor(&ty, d)?, self.anchor(&ty, d)?);
        let operator = self.pick(&["<", "<=", ">", ">="]);
        Some(format!("({a} {operator} {b})"))
    }

    /// A comparison of numbers, or whether one is in a collection of numbers.
    fn about_numbers(&mut self, d: u32) -> Option<String> {
        let number = self.pick(&[Ty::Int, Ty::Nat]);
        let collections = [
            seq(number.clone()),
            set(number.clone()),
            set(number.clone()),
        ];
        let collection = self.pick(&collections);
        let left = match self.once_in(2) {
            true => self.rng.random_range(0..8).to_string(),
            false => self.anchor(&number, d)?,
        };
        let name = self.named(&collection);
        let (operator, right) = match name {
            Some(name) => (self.pick(&["\\in", "\\notin", "\\in"]), name),
            None => (self.pick(&["<", "<=", "=", "~="]), self.anchor(&number, d)?),
        };
        Some(format!("({left} {operator} {right})"))
    }

    fn membership(&mut self, d: u32) -> Option<String> {
        let numbers = [Ty::Nat, Ty::Nat, Ty::Int, Ty::Pair];
        let element = match self.ranged && !self.once_in(4) {
            true => self.pick(&numbers),
            false => self.member_type(),
        };
        let collection = if self.has_general() && self.once_in(3) {
            seq(element.clone())
        } else if !self.finite && self.once_in(4) {
            mset(element.clone())
        } else {
            set(element.clone())
        };
        let (a, b) = (self.anchor(&element, d)?, self.anchor(&collection, d)?);
        let operator = self.pick(&["\\in", "\\notin"]);
        Some(format!("({a} {operator} {b})"))
    }

    fn member_type(&mut self) -> Ty {
        self.pick_type(&[
            Ty::Color,
            Ty::Bool,
            Ty::Int,
            Ty::Nat,
            Ty::Node,
            Ty::Mark,
            Ty::Who,
            Ty::Light,
            set(Ty::Ballot),
        ])
    }

    fn inclusion(&mut self, d: u32) -> Option<String> {
        let element = match self.ranged && self.once_in(2) {
            true => self.pick(&[Ty::Nat, Ty::Int]),
            false => self.pick(&[Ty::Node, Ty::Ballot, Ty::Color, Ty::Mark]),
        };
        let ty = match !self.finite && self.once_in(4) {
            true => mset(element),
            false => set(element),
        };
        let (a, b) = (self.anchor(&ty, d)?, self.atom(&ty, d));
        let operator = self.pick(&["\\subseteq", "\\subset"]);
        Some(format!("({a} {operator} {b})"))
    }

    fn in_group(&mut self) -> Option<String> {
        let (member, group) = self.pick(&[(Ty::Node, Ty::Quorum), (Ty::Ballot, Ty::Group)]);
        let (member, group) = (self.named(&member)?, self.named(&group)?);
        let operator = self.pick(&["\\in", "\\notin"]);
        Some(format!("({member} {operator} {group})"))
    }

    /// Whether a map has an entry.
    fn of_a_map(&mut self, d: u32) -> Option<String> {
        let maps = self.scope.iter().filter_map(|(name, ty)| match ty {
            Ty::Map(domain, _) => Some((name.clone(), (**domain).clone())),
            _ => None,
        });
        let maps: Vec<(String, Ty)> = maps.collect();
        let (name, domain) = maps.choose(&mut self.rng).cloned()?;
        Some(format!("defined({name}, {})", self.term(&domain, d)))
    }

    /// Which variant a value of a union is.
    fn tagged(&mut self) -> Option<String> {
        let ty = self.pick_type(&[Ty::Item, Ty::Who]);
        let (name, (variant, _)) = (self.named(&ty)?, self.pick(ty.variants()));
        let operator = self.pick(&["=", "~="]);
        Some(format!("(tag({name}) {operator} {variant})"))
    }

    fn enabled(&mut self) -> String {
        let actions = std::mem::take(&mut self.actions);
        let (name, params) = self.pick(&actions);
        let actuals: Vec<String> = params.iter().map(|(_, ty)| self.term(ty, 1)).collect();
        self.actions = actions;
        if actuals.is_empty() {
            return format!("enabled({name})");
        }
        format!("enabled({name}({}))", actuals.join(", "))
    }

    /// A partial operator with a formula before or after it that may or may not guard it.
    fn guarded(&mut self, d: u32) -> String {
        let divisor = self.atom(&Ty::Int, d);
        let condition = format!("{divisor} ~= 0");
        let body = format!(
            "{}({}, {divisor}) {} {}",
            self.pick(&["div", "mod"]),
            self.term(&Ty::Int, d),
            self.pick(&["=", "<="]),
            self.atom(&Ty::Int, d)
        );
        match self.rng.random_range(0..7) {
            0 | 1 => format!("({condition} /\\ {body})"),
            2 => format!("({condition} => {body})"),
            3 => format!("({divisor} = 0 \\/ {body})"),
            4 => format!("(if {condition} then {body} else {})", self.leaf(&Ty::Bool)),
            5 => format!("({condition} /\\ {} /\\ {body})", self.term(&Ty::Bool, d)),
            _ => format!("({body} /\\ {condition})"),
        }
    }

    fn quantified(&mut self, depth: u32) -> String {
        let types = [
            Ty::Node,
            Ty::Ballot,
            Ty::Color,
            Ty::Bool,
            Ty::Quorum,
            Ty::Group,
            Ty::Mark,
            Ty::Who,
            Ty::Light,
            Ty::Int,
            Ty::Nat,
            null(Ty::Node),
            set(Ty::Ballot),
            set(Ty::Color),
        ];
        let ty = self.pick_type(&types);
        let exists = self.rng.random_bool(0.5);
        let quantifier = if exists { "\\E" } else { "\\A" };
        let x = self.fresh("q");
        let bound = [(x.clone(), ty.clone())];
        if self.once_in(4) && ty.count().is_some() {
            // Two binders of one type under one quantifier.
            let y = self.fresh("q");
            let bound = [(x.clone(), ty.clone()), (y.clone(), ty.clone())];
            let body = self.under(&bound, |g| g.term(&Ty::Bool, depth));
            return format!("({quantifier} {x}, {y}: {} ({body}))", ty.text());
        }
        let body = self.under(&bound, |g| g.bounded_body(&x, &ty, depth, exists));
        format!("({quantifier} {x}: {} ({body}))", ty.text())
    }

    /// The body of a quantifier or a comprehension over `x`, with bounds if the type is infinite.
    pub(in crate::generate) fn bounded_body(
        &mut self,
        x: &str,
        ty: &Ty,
        depth: u32,
        exists: bool,
    ) -> String {
        let bound = self.bound(x, ty, depth);
        let body = self.term(&Ty::Bool, depth);
        match bound {
            Some(bound) if exists => format!("{bound} /\\ {body}"),
            Some(bound) => format!("({bound}) => {body}"),
            None => body,
        }
    }

    /// A preceding condition that excludes most values; it is always present if there are infinitely many.
    fn bound(&mut self, x: &str, ty: &Ty, depth: u32) -> Option<String> {
        let infinite = ty.count().is_none();
        let outer = self.scope.clone();
        self.scope.retain(|(name, _)| name != x);
        let found = match (ty, self.rng.random_range(0..3)) {
            (Ty::Int, 0 | 1) => {
                let (low, high) = (self.leaf(&Ty::Int), self.rng.random_range(0..4));
                Some(format!("{low} <= {x} /\\ {x} < {high}"))
            }
            (Ty::Nat, 0 | 1) if self.ranged => {
                let high = self.pick(&["2", "3", "5", "9", "66"]);
                Some(format!("{x} < {high}"))
            }
            (Ty::Nat, 0 | 1) => Some(format!("{x} < {}", self.atom(&Ty::Nat, depth.min(1)))),
            (_, 0) if !infinite => None,
            (_, 1) if !infinite => {
                let sets = self.set_of(ty, depth);
                sets.map(|s| format!("{x} \\in {s}"))
            }
            (Ty::Int | Ty::Nat, _) if self.ranged => {
                let sets = self.set_of(ty, depth);
                sets.map(|s| format!("{x} \\in {s}"))
            }
            (Ty::Int | Ty::Nat, _) => self
                .named(&seq(Ty::Int))
                .filter(|_| *ty == Ty::Int)
                .map(|s| format!("{x} \\in {s}")),
            _ if !infinite => None,
            _ => Some(format!("{x} = {}", self.atom(ty, depth.min(1)))),
        };
        let found = match found {
            None if infinite => Some(format!("{x} = {}", self.leaf(ty))),
            found => found,
        };
        self.scope = outer;
        found
    }

    fn set_of(&mut self, element: &Ty, depth: u32) -> Option<String> {
        let ty = set(element.clone());
        (depth > 0).then(|| self.atom(&ty, depth - 1))
    }
}
