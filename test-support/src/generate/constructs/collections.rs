//! Terms that are sets, arrays, sequences, maps or multisets.

use rand::RngExt;

use super::types::{Ty, map, mset, seq, set};
use crate::generate::Generator;

impl Generator {
    pub(super) fn set_term(&mut self, element: &Ty, d: u32) -> String {
        let ty = set(element.clone());
        if *element == Ty::Int {
            return self.set_of_integers(d);
        }
        match self.rng.random_range(0..9) {
            n @ 0..=2 => {
                let operator = ["\\U", "\\I", "-"][n];
                format!("({} {operator} {})", self.atom(&ty, d), self.atom(&ty, d))
            }
            3 => {
                format!("insert({}, {})", self.term(element, d), self.term(&ty, d))
            }
            4 => {
                format!("delete({}, {})", self.term(element, d), self.term(&ty, d))
            }
            5 => {
                format!("{{{}, {}}}", self.term(element, d), self.term(element, d))
            }
            6 | 7 => self.comprehension(element, d),
            _ => self.leaf(&ty),
        }
    }

    /// A set of integers, not built from set literals, which would be read as sets of `Nat`.
    fn set_of_integers(&mut self, d: u32) -> String {
        let ty = set(Ty::Int);
        let whole = self.named(&ty);
        let whole = whole.unwrap_or_else(|| self.comprehension(&Ty::Int, d));
        match self.rng.random_range(0..6) {
            n @ 0..=2 => {
                let operator = ["\\U", "\\I", "-"][n];
                format!("({whole} {operator} {})", self.comprehension(&Ty::Int, d))
            }
            n @ 3..=4 => {
                let operator = ["insert", "delete"][n - 3];
                format!("{operator}({}, {whole})", self.term(&Ty::Int, d))
            }
            _ => whole,
        }
    }

    pub(in crate::generate) fn comprehension(&mut self, element: &Ty, depth: u32) -> String {
        let x = self.fresh("c");
        let body = self.under(&[(x.clone(), element.clone())], |g| {
            g.bounded_body(&x, element, depth, true)
        });
        format!("{{{x}: {} where {body}}}", element.text())
    }

    pub(super) fn array_term(&mut self, index: &Ty, element: &Ty, d: u32) -> String {
        let ty = super::types::array(index.clone(), element.clone());
        if self.once_in(4) {
            return self.entries(index, element, d);
        }
        // Not every array has a name, and the type of `constant` depends on the context.
        let base = self.named(&ty).filter(|_| self.rng.random_bool(0.8));
        let Some(base) = base else {
            return format!("constant({})", self.term(element, d));
        };
        let mut text = base;
        for _ in 0..self.rng.random_range(1..=2) {
            let (i, e) = (self.term(index, d), self.term(element, d));
            text = format!("assign({text}, {i}, {e})");
        }
        text
    }

    /// `[i: I -> e]`
    fn entries(&mut self, index: &Ty, element: &Ty, d: u32) -> String {
        let i = self.fresh("i");
        let entry = self.under(&[(i.clone(), index.clone())], |g| g.term(element, d));
        format!("[{i}: {} -> {entry}]", index.text())
    }

    pub(super) fn sequence(&mut self, element: &Ty, d: u32) -> String {
        let ty = seq(element.clone());
        match self.rng.random_range(0..5) {
            0 => format!("({} |- {})", self.atom(&ty, d), self.atom(element, d)),
            1 => format!("({} -| {})", self.atom(element, d), self.atom(&ty, d)),
            2 => format!("({} || {})", self.atom(&ty, d), self.leaf(&ty)),
            3 => match self.named(&ty) {
                Some(name) => {
                    let operator = self.pick(&["tail", "init"]);
                    if self.once_in(3) {
                        return format!("{operator}({name})");
                    }
                    format!("(if {name} ~= {{}} then {operator}({name}) else {name})")
                }
                None => self.leaf(&ty),
            },
            _ => self.leaf(&ty),
        }
    }

    pub(super) fn map_term(&mut self, domain: &Ty, range: &Ty, d: u32) -> String {
        let ty = map(domain.clone(), range.clone());
        let base = self.leaf(&ty);
        let key = self.term(domain, d);
        match self.rng.random_range(0..4) {
            0 => base,
            1 => format!("remove({base}, {key})"),
            _ => format!("update({base}, {key}, {})", self.term(range, d)),
        }
    }

    /// A multiset. A term built only from literals would be read as a set, so it contains something with a name.
    pub(super) fn bag(&mut self, element: &Ty, d: u32) -> String {
        let ty = mset(element.clone());
        let display = match self.once_in(3) {
            true => "{}".into(),
            false => format!("{{{}, {}}}", self.term(element, d), self.term(element, d)),
        };
        let Some(bag) = self.named(&ty) else {
            return display;
        };
        match self.rng.random_range(0..8) {
            n @ 0..=2 => {
                let operator = ["\\U", "\\I", "-"][n];
                let other = self.named(&ty).filter(|_| self.once_in(2));
                format!("({bag} {operator} {})", other.unwrap_or(display))
            }
            n @ 3..=5 => {
                let operator = ["insert", "insert", "delete"][n - 3];
                format!("{operator}({}, {bag})", self.term(element, d))
            }
            6 => display,
            _ => bag,
        }
    }

    /// The number of copies of an element in a multiset, or the size of the multiset.
    pub(super) fn occurrences(&mut self, d: u32) -> String {
        let element = self.pick(&[Ty::Color, Ty::Node]);
        match self.named(&mset(element.clone())) {
            Some(bag) if self.once_in(3) => format!("size({bag})"),
            Some(bag) => {
                let counted = self.anchor(&element, d);
                counted.map_or("1".into(), |e| format!("count({e}, {bag})"))
            }
            None => self.rng.random_range(0..3).to_string(),
        }
    }
}
