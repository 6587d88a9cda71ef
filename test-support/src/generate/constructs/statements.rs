//! Effects: assignments to places, choices, branches, loops.

use rand::RngExt;

use super::types::{Ty, set};
use crate::generate::{Generator, Names};

impl Generator {
    /// An effect, with the names of the variables that it may assign.
    pub(in crate::generate) fn effect(&mut self, variables: &Names) -> (String, Vec<String>) {
        let count = 4 - self.rng.random_range(1..=3);
        let mut assigned = Vec::new();
        let statements: Vec<String> = (0..count)
            .map(|_| self.statement(variables, &mut assigned))
            .collect();
        (statements.join(";\n          "), assigned)
    }

    fn statement(&mut self, variables: &Names, assigned: &mut Vec<String>) -> String {
        match self.rng.random_range(0..12) {
            0 => self.branches(variables, assigned),
            1 => self.choice(variables, assigned),
            2 => {
                // Both branches make the same choice, since values that are given in advance must fit either.
                let condition = self.term(&Ty::Bool, 2);
                let small = self.small(variables);
                let (a, b) = (self.choice(&small, assigned), self.choice(&small, assigned));
                format!("if {condition} then {a} else {b} fi")
            }
            _ => self.simple(variables, assigned),
        }
    }

    fn branches(&mut self, variables: &Names, assigned: &mut Vec<String>) -> String {
        let condition = self.term(&Ty::Bool, 2);
        let mut text = format!("if {condition} then {}", self.simple(variables, assigned));
        for _ in self.rng.random_range(0..=2)..2 {
            let condition = self.term(&Ty::Bool, 2);
            let body = self.simple(variables, assigned);
            text.push_str(&format!(" elseif {condition} then {body}"));
        }
        if self.rng.random_bool(0.7) {
            let (first, second) = (
                self.simple(variables, assigned),
                self.simple(variables, assigned),
            );
            text.push_str(&format!(" else {first}; {second}"));
        }
        text + " fi"
    }

    /// One variable of a type that a choice can run through.
    fn small(&mut self, variables: &Names) -> Names {
        let small = variables.iter().filter(|(_, t)| t.count().is_some());
        let small: Names = small.cloned().collect();
        vec![self.pick(&small)]
    }

    fn choice(&mut self, variables: &Names, assigned: &mut Vec<String>) -> String {
        let (name, ty) = self.small(variables).swap_remove(0);
        assigned.push(name.clone());
        let x = self.fresh("x");
        let tried = match self.determined && self.once_in(2) {
            true => format!(
                " det do yield {}; yield {} od",
                self.term(&ty, 2),
                self.leaf(&ty)
            ),
            false => String::new(),
        };
        let predicate = self.under(&[(x.clone(), ty)], |g| {
            let (a, b) = (g.term(&Ty::Bool, 2), g.term(&Ty::Bool, 1));
            if g.once_in(3) {
                a
            } else {
                format!("({a} \\/ {b})")
            }
        });
        format!("{name} := choose {x} where {predicate}{tried}")
    }

    /// An assignment or a loop.
    fn simple(&mut self, variables: &Names, assigned: &mut Vec<String>) -> String {
        let (name, ty) = self.pick(variables);
        assigned.push(name.clone());
        let kind = self.rng.random_range(0..8);
        match (&ty, kind) {
            (Ty::Array(index, element), 0..=2) => self.loop_over(&name, index, element),
            (Ty::Set(element), 0..=2) => self.loop_into(&name, element),
            (Ty::Int | Ty::Nat, 0 | 1) => self.loop_sum(&name, &ty),
            (Ty::Array(..) | Ty::Map(..) | Ty::Pair | Ty::Mark, 3..=6) => self.part(name, ty),
            _ if self.bounded => format!("{name} := {}", self.bounded_term(&ty)),
            _ => format!("{name} := {}", self.term(&ty, 3)),
        }
    }

    /// An assignment to a part of a variable.
    fn part(&mut self, mut place: String, mut ty: Ty) -> String {
        loop {
            match &ty {
                Ty::Array(index, element) => {
                    place = format!("{place}[{}]", self.term(index, 1));
                    ty = (**element).clone();
                }
                // No part of an entry that may not exist can be assigned.
                Ty::Map(domain, range) => {
                    place = format!("{place}[{}]", self.term(domain, 1));
                    ty = (**range).clone();
                    break;
                }
                Ty::Pair | Ty::Mark => {
                    let (field, part) = self.pick(ty.fields());
                    place = format!("{place}.{field}");
                    ty = part;
                }
                _ => break,
            }
            if self.once_in(4) {
                break;
            }
        }
        match self.bounded {
            true => format!("{place} := {}", self.bounded_term(&ty)),
            false => format!("{place} := {}", self.term(&ty, 2)),
        }
    }

    /// The head of a loop, where `name` must not be read.
    fn range(&mut self, x: &str, ty: &Ty, name: &str) -> String {
        let outer = self.scope.clone();
        self.scope.retain(|(n, _)| n != name);
        let range = if self.rng.random_bool(0.5) {
            self.scope.push((x.to_owned(), ty.clone()));
            format!("where {}", self.term(&Ty::Bool, 2))
        } else {
            format!("in {}", self.term(&set(ty.clone()), 2))
        };
        self.scope = outer;
        format!("for {x}: {} {range} do ", ty.text())
    }

    /// `for x: I where P do a[x] := e od`, where `e` does not read `a` elsewhere than at `x`.
    fn loop_over(&mut self, name: &str, index: &Ty, element: &Ty) -> String {
        let x = self.fresh("x");
        let head = self.range(&x, index, name);
        let outer = self.scope.clone();
        self.scope.retain(|(n, _)| n != name);
        self.scope.push((x.clone(), index.clone()));
        let place = format!("{name}[{x}]");
        let body = match element {
            Ty::Array(inner, deep) if self.rng.random_bool(0.6) => {
                let y = self.fresh("y");
                let head = self.range(&y, inner, name);
                self.scope.push((y.clone(), (**inner).clone()));
                let place = format!("{place}[{y}]");
                format!("{head}{} od", self.own(&place, deep))
            }
            Ty::Set(member) if member.count().is_some() && self.once_in(3) => {
                // An iteration's own element may itself accumulate.
                let y = self.fresh("y");
                let head = self.range(&y, member, name);
                format!("{head}{place} := insert({y}, {place}) od")
            }
            _ => self.own(&place, element),
        };
        self.scope = outer;
        format!("{head}{body} od")
    }

    /// An assignment to an iteration's own element, with or without a condition.
    fn own(&mut self, place: &str, ty: &Ty) -> String {
        self.under(&[(place.to_owned(), ty.clone())], |g| {
            let assignment = format!("{place} := {}", g.term(ty, 2));
            if g.once_in(3) {
                let condition = g.term(&Ty::Bool, 2);
                return format!("if {condition} then {assignment} fi");
            }
            assignment
        })
    }

    /// `for x: E where P do s := insert(x, s) od`, with terms that do not read `s`.
    fn loop_into(&mut self, name: &str, element: &Ty) -> String {
        let x = self.fresh("x");
        let over = if self.rng.random_bool(0.6) && element.count().is_some_and(|n| n <= 8) {
            element.clone()
        } else {
            self.pick(&[Ty::Node, Ty::Color, Ty::Ballot])
        };
        let head = self.range(&x, &over, name);
        let outer = self.scope.clone();
        self.scope.retain(|(n, _)| n != name);
        self.scope.push((x, over));
        let body = match self.rng.random_range(0..3) {
            0 => format!("{name} := delete({}, {name})", self.term(element, 1)),
            1 => format!("{name} := insert({}, {name})", self.term(element, 1)),
            _ => {
                let more = self.atom(&set(element.clone()), 2);
                format!("{name} := {name} \\U {more}")
            }
        };
        self.scope = outer;
        format!("{head}{body} od")
    }

    /// `for x: E where P do n := n + e od`
    fn loop_sum(&mut self, name: &str, ty: &Ty) -> String {
        let x = self.fresh("x");
        let over = self.pick(&[Ty::Node, Ty::Color, Ty::Ballot, set(Ty::Ballot)]);
        let head = self.range(&x, &over, name);
        let outer = self.scope.clone();
        self.scope.retain(|(n, _)| n != name);
        self.scope.push((x, over));
        let term = self.atom(ty, 2);
        self.scope = outer;
        format!("{head}{name} := {name} + {term} od")
    }
}
