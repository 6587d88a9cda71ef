//! Which arrows between sorts an assertion has, and which theories it uses.

use std::collections::{BTreeMap, BTreeSet};

use super::words::Word;

/// What the declarations of a script say.
#[derive(Default)]
pub(super) struct Declared<'s> {
    sorts: BTreeSet<&'s str>,
    /// Sorts with finitely many values, which any formula may range over.
    finite: BTreeSet<&'s str>,
    /// The sorts of the parameters and of the value of each function.
    functions: BTreeMap<&'s str, (Vec<String>, String)>,
}

/// What an assertion has.
#[derive(Default)]
pub(super) struct Assertion {
    /// From which sort to which, and by what.
    pub(super) arrows: BTreeSet<(String, String, String)>,
    /// What it says about all values of a type that has infinitely many and is no sort.
    pub(super) endless: BTreeSet<String>,
    /// Built-in theories that it uses.
    pub(super) theories: BTreeSet<&'static str>,
}

impl<'s> Declared<'s> {
    /// Reads a command, which may be a declaration.
    pub(super) fn declare(&mut self, command: &Word<'s>) {
        match command.parts() {
            [Word::Name("declare-sort"), Word::Name(sort), ..] => {
                self.sorts.insert(sort);
            }
            [
                Word::Name("declare-fun"),
                Word::Name(function),
                params,
                value,
            ] => {
                let params = params.parts().iter().map(Word::text).collect();
                self.functions.insert(function, (params, value.text()));
            }
            [Word::Name("declare-datatypes"), sorts, cases] => {
                for (sort, cases) in sorts.parts().iter().zip(cases.parts()) {
                    let mut cases = cases.parts().iter();
                    let name = sort.parts().first().and_then(Word::name);
                    if cases.all(|case| case.parts().len() <= 1) {
                        self.finite.extend(name);
                    }
                }
            }
            _ => {}
        }
    }

    /// What an assertion has.
    pub(super) fn assertion(&self, formula: &Word<'s>) -> Assertion {
        let mut walk = Walk {
            declared: self,
            found: Assertion::default(),
            shared: BTreeMap::new(),
            seen: BTreeSet::new(),
        };
        walk.formula(formula, Sign::Positive, &Scope::default());
        walk.found
    }

    /// How a sort is called in the model.
    fn name(sort: &str) -> String {
        sort.strip_prefix("sort.").unwrap_or(sort).to_owned()
    }
}

/// Whether a formula has to be true or false for the assertion to be true, or either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Positive,
    Negative,
    Both,
}

impl Sign {
    fn opposite(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
            Self::Both => Self::Both,
        }
    }
}

/// The universal variables that are visible, with their sorts, and whether a name is one.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Scope {
    universal: BTreeMap<String, String>,
}

struct Walk<'w, 's> {
    declared: &'w Declared<'s>,
    found: Assertion,
    /// What names that are bound by `let` stand for.
    shared: BTreeMap<&'s str, Word<'s>>,
    /// What was looked at under such a name.
    seen: BTreeSet<(&'s str, Sign, Scope)>,
}

impl<'s> Walk<'_, 's> {
    fn formula(&mut self, word: &Word<'s>, sign: Sign, scope: &Scope) {
        if let Some(name) = word.name() {
            return self.name(name, sign, scope);
        }
        let Some((head, rest)) = word.parts().split_first() else {
            return;
        };
        match (head.name(), rest) {
            (Some("!"), [inner, ..]) => self.formula(inner, sign, scope),
            (Some("not"), [inner]) => self.formula(inner, sign.opposite(), scope),
            (Some("=>"), [premises @ .., conclusion]) => {
                premises
                    .iter()
                    .for_each(|p| self.formula(p, sign.opposite(), scope));
                self.formula(conclusion, sign, scope);
            }
            (Some("and" | "or"), parts) => {
                parts
                    .iter()
                    .for_each(|part| self.formula(part, sign, scope));
            }
            (Some("let"), [bindings, body]) => {
                for binding in bindings.parts() {
                    if let [Word::Name(name), meant] = binding.parts() {
                        self.shared.insert(name, meant.clone());
                    }
                }
                self.formula(body, sign, scope);
            }
            (Some(quantifier @ ("forall" | "exists")), [binders, body]) => {
                self.quantified(quantifier == "forall", (binders, body), sign, scope);
            }
            (Some("ite"), [condition, parts @ ..]) => {
                self.formula(condition, Sign::Both, scope);
                parts
                    .iter()
                    .for_each(|part| self.formula(part, sign, scope));
            }
            (Some(function), args) => self.applied(function, args, scope),
            (None, args) => {
                self.found.theories.insert("a built-in function");
                args.iter()
                    .for_each(|arg| self.formula(arg, Sign::Both, scope));
            }
        }
    }

    fn name(&mut self, name: &'s str, sign: Sign, scope: &Scope) {
        let Some(meant) = self.shared.get(name).cloned() else {
            return;
        };
        if self.seen.insert((name, sign, scope.clone())) {
            self.formula(&meant, sign, scope);
        }
    }

    fn quantified(
        &mut self,
        is_forall: bool,
        (binders, body): (&Word<'s>, &Word<'s>),
        sign: Sign,
        scope: &Scope,
    ) {
        let mut inner = scope.clone();
        for binder in binders.parts() {
            let [Word::Name(name), sort] = binder.parts() else {
                continue;
            };
            let sort = sort.text();
            let is_universal = sign == Sign::Both || is_forall == (sign == Sign::Positive);
            let is_existential = sign == Sign::Both || !is_universal;
            if is_existential && self.is_sort(&sort) {
                let universal = scope.universal.values();
                let sorts = universal.filter(|from| self.is_sort(from));
                let by = "an existential quantifier in the scope of a universal one";
                let arrow = |from: &String| {
                    let [from, to] = [from, &sort].map(|sort| Declared::name(sort));
                    (from, to, by.to_owned())
                };
                let arrows: Vec<_> = sorts.map(arrow).collect();
                self.found.arrows.extend(arrows);
            }
            if is_universal {
                if !self.is_sort(&sort) && !self.is_finite(&sort) {
                    self.found.endless.insert(sort.clone());
                }
                inner.universal.insert((*name).to_owned(), sort);
            }
        }
        self.formula(body, sign, &inner);
    }

    fn applied(&mut self, function: &'s str, args: &[Word<'s>], scope: &Scope) {
        let declared = self.declared;
        match declared.functions.get(function) {
            Some((params, value)) if self.is_sort(value) => {
                for (arg, param) in args.iter().zip(params) {
                    if self.is_sort(param) && self.varies(arg, scope) {
                        let names = [param, value].map(|sort| Declared::name(sort));
                        let [from, to] = names;
                        self.found.arrows.insert((from, to, function.to_owned()));
                    }
                }
            }
            Some(_) => {}
            None => self.found.theories.extend(theory(function)),
        }
        args.iter()
            .for_each(|arg| self.formula(arg, Sign::Both, scope));
    }

    /// Whether a term depends on a universal variable.
    fn varies(&self, term: &Word<'s>, scope: &Scope) -> bool {
        match term {
            Word::List(parts) => parts.iter().any(|part| self.varies(part, scope)),
            Word::Name(name) => match self.shared.get(name) {
                Some(meant) => self.varies(meant, scope),
                None => scope.universal.contains_key(*name),
            },
        }
    }

    fn is_sort(&self, sort: &str) -> bool {
        self.declared.sorts.contains(sort)
    }

    fn is_finite(&self, sort: &str) -> bool {
        sort == "Bool" || self.declared.finite.contains(sort)
    }
}

/// The theory that a built-in function belongs to; none for what all logic has.
fn theory(function: &str) -> Option<&'static str> {
    match function {
        "=" | "distinct" | "xor" => None,
        "+" | "-" | "*" | "/" | "div" | "mod" | "<" | "<=" | ">" | ">=" | "to_real" | "abs"
        | "^" => Some("arithmetic"),
        name if name.starts_with("seq.") => Some("sequences"),
        name if name.starts_with("str.") => Some("strings"),
        "select" | "store" => Some("arrays"),
        _ => None,
    }
}
