//! Terms of every type but `Bool`.

use ioa_lang::core::{Form, Op, Pattern, Type};
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::types::{Step, Ty, array, seq, set};
use crate::generate::Generator;
use crate::generate::explorable::either;

impl Generator {
    /// A term of a type, at most about `depth` operators deep.
    pub(in crate::generate) fn term(&mut self, ty: &Ty, depth: u32) -> String {
        if depth == 0 || self.once_in(9) {
            return self.leaf(ty);
        }
        let d = depth - 1;
        if self.once_in(25) {
            return self.annotated(ty, d);
        }
        match self.rng.random_range(0..12) {
            0 => {
                let condition = self.term(&Ty::Bool, d);
                let (a, b) = (self.term(ty, d), self.term(ty, d));
                let more = match self.once_in(8) {
                    true => format!(" elseif {} then {}", self.leaf(&Ty::Bool), self.leaf(ty)),
                    false => String::new(),
                };
                return format!("(if {condition} then {a}{more} else {b})");
            }
            1..=3 => {
                if let Some(part) = self.part_of_a_name(ty, d) {
                    return part;
                }
            }
            _ => {}
        }
        match ty {
            Ty::Bool => self.formula(depth),
            Ty::Int | Ty::Nat => self.number(ty, d),
            Ty::Real => self.real(d),
            Ty::Color if self.once_in(3) => {
                format!("other({}, {})", self.term(ty, d), self.term(ty, d))
            }
            Ty::Item | Ty::Who => self.union(ty, d),
            Ty::Map(domain, range) => self.map_term(domain, range, d),
            Ty::Mset(element) => self.bag(element, d),
            Ty::Pair | Ty::Mark => self.tuple(ty, d),
            Ty::Set(element) => self.set_term(element, d),
            Ty::Array(index, element) => self.array_term(index, element, d),
            Ty::Null(element) if self.rng.random_bool(0.8) => {
                format!("embed({})", self.term(element, d))
            }
            Ty::Seq(element) => self.sequence(element, d),
            ty => self.part_of_a_name(ty, d).unwrap_or_else(|| self.leaf(ty)),
        }
    }

    pub(in crate::generate) fn named(&mut self, ty: &Ty) -> Option<String> {
        let names = self.scope.iter().filter(|(_, t)| t == ty);
        let names: Vec<String> = names.map(|(n, _)| n.clone()).collect();
        // A formula should mention the variable that was bound last.
        if self.rng.random_bool(0.5) {
            return names.last().cloned();
        }
        names.choose(&mut self.rng).cloned()
    }

    pub(in crate::generate) fn leaf(&mut self, ty: &Ty) -> String {
        if !self.once_in(5)
            && let Some(name) = self.named(ty)
        {
            return name;
        }
        if self.rng.random_bool(0.5)
            && let Some(part) = self.some_part(ty, 0, false)
        {
            return part;
        }
        match ty {
            Ty::Bool => self.pick(&["true", "false"]).into(),
            Ty::Int | Ty::Nat if self.ranged && self.once_in(3) => self.wide_number().into(),
            Ty::Int if self.once_in(4) => "(-1)".into(),
            Ty::Int | Ty::Nat => self.rng.random_range(0..4).to_string(),
            Ty::Color => self.pick(&["red", "green", "blue"]).into(),
            Ty::Light => self.pick(&["green", "amber"]).into(),
            Ty::Real => self.pick(&["0.5", "0.0", "1.5", "(-0.25)"]).into(),
            Ty::Char => self.pick(&["'a'", "'b'", "'c'"]).into(),
            Ty::Text => self.pick(&["\"\"", "\"a\"", "\"b\""]).into(),
            Ty::Item | Ty::Who => self.union(ty, 0),
            Ty::Map(..) => "empty".into(),
            Ty::Node | Ty::Ballot | Ty::Quorum | Ty::Group => {
                let name = self.named(ty);
                name.expect("an element of each sort has a name wherever terms are made")
            }
            Ty::Pair | Ty::Mark => {
                let fields = ty.fields().iter().map(|(_, ty)| self.leaf(ty));
                let fields: Vec<String> = fields.collect();
                format!("[{}]", fields.join(", "))
            }
            Ty::Set(_) | Ty::Seq(_) | Ty::Mset(_) => "{}".into(),
            Ty::Null(_) => "nil".into(),
            Ty::Array(_, element) => format!("constant({})", self.leaf(element)),
        }
    }

    /// A part of a value that has a name.
    fn part_of_a_name(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        self.some_part(ty, depth, true)
    }

    /// A part of a value that has a name; unless `partial`, one that is there whatever the value.
    fn some_part(&mut self, ty: &Ty, depth: u32, partial: bool) -> Option<String> {
        let mut found = Vec::new();
        for (name, from) in &self.scope {
            let ways = from.ways(ty, 3).into_iter().filter(|w| !w.is_empty());
            let ways = ways.filter(|w| partial || w.iter().all(Step::is_total));
            found.extend(ways.map(|way| (name.clone(), way)));
        }
        let (name, way) = found.choose(&mut self.rng).cloned()?;
        let mut guards = Vec::new();
        let mut part = name;
        for step in way {
            part = self.one_step(&part, step, depth, &mut guards);
        }
        // Many terms are guarded; otherwise hardly anything would be defined.
        if guards.is_empty() || self.once_in(5) {
            return Some(part);
        }
        let otherwise = self.leaf(ty);
        Some(format!(
            "(if {} then {part} else {otherwise})",
            guards.join(" /\\ ")
        ))
    }

    fn one_step(
        &mut self,
        whole: &str,
        step: Step,
        depth: u32,
        guards: &mut Vec<String>,
    ) -> String {
        match step {
            Step::Index(ty) => format!("{whole}[{}]", self.term(&ty, depth.min(1))),
            Step::Field(field) => format!("{whole}.{field}"),
            Step::Key(ty) => {
                let key = self.term(&ty, depth.min(1));
                guards.push(format!("defined({whole}, {key})"));
                format!("{whole}[{key}]")
            }
            Step::Variant(variant) => {
                guards.push(format!("tag({whole}) = {variant}"));
                format!("{whole}.{variant}")
            }
            Step::Val => {
                guards.push(format!("{whole} ~= nil"));
                format!("{whole}.val")
            }
            Step::Element if self.once_in(3) => {
                let n = self.rng.random_range(0..3);
                guards.push(format!("{n} < len({whole})"));
                format!("{whole}[{n}]")
            }
            Step::Element => {
                guards.push(format!("{whole} ~= {{}}"));
                format!("{}({whole})", self.pick(&["head", "last"]))
            }
        }
    }

    /// A term in parentheses unless it is a name, so that it can stand beside any operator.
    pub(in crate::generate) fn atom(&mut self, ty: &Ty, depth: u32) -> String {
        let term = self.term(ty, depth);
        let plain = term.chars().all(|c| c.is_alphanumeric());
        if plain { term } else { format!("({term})") }
    }

    /// A term whose type is plain without context, so that it can stand on the left of a comparison.
    pub(in crate::generate) fn anchor(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        match ty {
            Ty::Set(element) if self.once_in(3) => Some(self.comprehension(element, depth)),
            Ty::Null(element) if self.once_in(3) => {
                Some(format!("embed({})", self.anchor(element, depth)?))
            }
            // A literal would be read as a `Nat`, even if a larger type is intended.
            Ty::Seq(element) if **element != Ty::Int && self.once_in(3) => {
                Some(format!("({{}} |- {})", self.anchor(element, depth)?))
            }
            Ty::Set(element) => {
                let name = self.named(ty);
                name.or_else(|| Some(self.comprehension(element, depth)))
            }
            Ty::Null(_)
            | Ty::Seq(_)
            | Ty::Array(..)
            | Ty::Pair
            | Ty::Mark
            | Ty::Map(..)
            | Ty::Mset(_) => self.named(ty),
            Ty::Item | Ty::Who => Some(self.union(ty, depth)),
            // If two enumerations have the value, the context decides which is meant.
            Ty::Color | Ty::Light => {
                let name = self.named(ty);
                let own = if *ty == Ty::Color { "red" } else { "amber" };
                name.or_else(|| Some(own.into()))
            }
            _ => Some(self.atom(ty, depth)),
        }
    }

    /// A number that is not in every range.
    fn wide_number(&mut self) -> &'static str {
        self.pick(&[
            "5", "7", "8", "9", "16", "31", "62", "63", "64", "65", "127", "128", "4096",
        ])
    }

    fn number(&mut self, ty: &Ty, d: u32) -> String {
        let kind = match self.ranged {
            // The variables with known bounds.
            true => self.pick(&[0, 2, 3, 8, 10, 12, 14, 14]),
            false => self.rng.random_range(0..15),
        };
        match kind {
            0 | 1 => format!("({} + {})", self.term(ty, d), self.term(ty, d)),
            2 if *ty == Ty::Int => format!("({} - {})", self.atom(ty, d), self.atom(ty, d)),
            2 => {
                let (a, b) = (self.atom(ty, d), self.atom(ty, d));
                if self.once_in(3) {
                    return format!("({a} - {b})");
                }
                format!("(if {b} <= {a} then {a} - {b} else 0)")
            }
            3 => {
                let operator = self.pick(&functions_of_two_numbers());
                format!("{operator}({}, {})", self.term(ty, d), self.term(ty, d))
            }
            4 if *ty == Ty::Int => format!("(-{})", self.atom(ty, d)),
            4 => format!("abs({})", self.term(&Ty::Int, d)),
            5 => self.division(ty, d),
            6 => format!("({} * {})", self.atom(ty, d), self.leaf(ty)),
            7 => {
                let exponent = self.rng.random_range(0..4);
                format!("({} ** {exponent})", self.atom(ty, d))
            }
            8 if self.once_in(2) => {
                let index = self.pick(&[Ty::Node, Ty::Ballot, Ty::Color]);
                match self.anchor(&array(index, ty.clone()), d) {
                    Some(numbers) => format!("sum({numbers})"),
                    None => self.leaf(ty),
                }
            }
            8 => {
                let operator = self.pick(&["succ", "succ", "pred"]);
                format!("{operator}({})", self.term(ty, d))
            }
            9 => {
                let element = self.pick(&[Ty::Node, Ty::Int, Ty::Pair, Ty::Mark]);
                match self.anchor(&seq(element), d) {
                    Some(sequence) => format!("len({sequence})"),
                    None => self.leaf(ty),
                }
            }
            10 if self.once_in(2) => self.occurrences(d),
            12 if self.twins => self.difference_twice(ty, d),
            12 | 13 => self.written_number(ty, d),
            11 if *ty == Ty::Int => {
                format!("further({}, {})", self.term(ty, d), self.term(&Ty::Nat, d))
            }
            10 => {
                let element = self.pick(&[Ty::Node, Ty::Color, Ty::Mark, set(Ty::Ballot)]);
                match self.anchor(&set(element), d) {
                    Some(s) => format!("size({s})"),
                    None => self.leaf(ty),
                }
            }
            _ => self.leaf(ty),
        }
    }

    /// A difference that is undefined if it is negative: in one form because it has the type `Nat`, in the other because of
    /// a condition.
    fn difference_twice(&mut self, ty: &Ty, d: u32) -> String {
        let (a, b) = (self.term(&Ty::Nat, d), self.atom(&Ty::Nat, d));
        let difference = format!("(({a}) - {b})");
        let annotated = format!("({difference}:Nat)");
        let checked = format!("(if ({a}) < {b} then div(1, 0) else {difference})");
        match ty {
            Ty::Int => either(&format!("({annotated}:Int)"), &format!("({checked}:Int)")),
            _ => either(&annotated, &checked),
        }
    }

    fn division(&mut self, ty: &Ty, d: u32) -> String {
        let operator = self.pick(&["div", "mod"]);
        let divisor = match (self.rng.random_range(0..6), ty) {
            (0, _) => self.term(ty, d),
            (1 | 2, Ty::Int) => format!("(-{})", self.rng.random_range(1..4)),
            _ => self.rng.random_range(1..4).to_string(),
        };
        format!("{operator}({}, {divisor})", self.term(ty, d))
    }

    fn tuple(&mut self, ty: &Ty, d: u32) -> String {
        if self.rng.random_bool(0.5) {
            let (field, part) = self.pick(ty.fields());
            return format!("set_{field}({}, {})", self.term(ty, d), self.term(&part, d));
        }
        let fields = ty.fields().iter().map(|(_, part)| self.term(part, d));
        let fields: Vec<String> = fields.collect();
        format!("[{}]", fields.join(", "))
    }

    fn real(&mut self, d: u32) -> String {
        let ty = Ty::Real;
        match self.rng.random_range(0..5) {
            n @ 0..=1 => {
                let operator = ["+", "-"][n];
                format!("({} {operator} {})", self.atom(&ty, d), self.atom(&ty, d))
            }
            2 => format!("({} * {})", self.atom(&ty, d), self.pick(&["0.5", "2.0"])),
            3 => {
                let divisor = self.pick(&["2.0", "0.5", "(-1.0)", "0.0"]);
                format!("({} / {divisor})", self.atom(&ty, d))
            }
            _ => self.leaf(&ty),
        }
    }

    fn union(&mut self, ty: &Ty, d: u32) -> String {
        let (variant, carried) = self.pick(ty.variants());
        let value = match d {
            0 => self.leaf(&carried),
            d => self.term(&carried, d - 1),
        };
        format!("{variant}({value})")
    }
}

/// The total functions of two numbers of one kind whose result is of the same kind.
fn functions_of_two_numbers() -> Vec<&'static str> {
    let closed = |op: &Op, number: Pattern| {
        let mut typings = op.row().typings.iter();
        typings.any(|typing| typing.params == [number, number] && typing.result == number)
    };
    let functions = Op::ALL.iter().filter_map(|op| match op.form() {
        Form::Function(name) if closed(op, Pattern::Nat) && closed(op, Pattern::Int) => {
            (!op.is_partial(&Type::Nat)).then_some(name)
        }
        _ => None,
    });
    functions.collect()
}
