//! Hashes of what is stated, whatever the form in which it is written.
//!
//! Z3 writes a part of a formula that occurs often once, as `(let (($x7 (p a))) ...)`. Which parts these are, and how they are
//! numbered, depends on what else the solver knows. So a script is hashed from its leaves upwards, and a name that a `let` gives
//! has the hash of what it stands for. A symbol that is declared has the hash of its declaration.

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use z3::Solver;
use z3::ast::Bool;

/// A hash of a formula, with the declarations of its symbols; or of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stated(pub(super) [u8; 32]);

/// The hash of each of some formulas.
///
/// Z3 writes them together, since that takes it about as long as to write one.
pub(crate) fn stated(formulas: &[&Bool]) -> Vec<Stated> {
    let together = asserted(formulas);
    if together.len() == formulas.len() {
        return together;
    }
    // Z3 has left out some of them.
    let alone = formulas
        .iter()
        .map(|formula| Stated::list(&asserted(&[*formula])));
    alone.collect()
}

/// The hashes of the assertions that Z3 makes of formulas.
fn asserted(formulas: &[&Bool]) -> Vec<Stated> {
    let solver = Solver::new();
    formulas.iter().for_each(|formula| solver.assert(*formula));
    let script = solver.to_smt2();
    Reader::default().script(&script)
}

impl Stated {
    fn leaf(word: &str) -> Self {
        Self(
            Sha256::new()
                .chain_update([0])
                .chain_update(word)
                .finalize()
                .into(),
        )
    }

    pub(crate) fn number(number: u32) -> Self {
        Self::leaf(&number.to_string())
    }

    pub(crate) fn list(parts: &[Self]) -> Self {
        let mut hash = Sha256::new().chain_update([1]);
        parts.iter().for_each(|part| hash.update(part.0));
        Self(hash.finalize().into())
    }
}

/// An open parenthesis: what it begins, and what was read after it.
#[derive(Default)]
struct Open<'t> {
    form: Form<'t>,
    parts: Vec<Stated>,
}

#[derive(Default)]
enum Form<'t> {
    /// Anything but what follows.
    #[default]
    List,
    /// `(let`, whose names are given from so many on.
    Let(usize),
    /// The names that a `let` gives.
    Names,
    /// One of these, once it is read.
    Name(Option<&'t str>),
}

#[derive(Default)]
struct Reader<'t> {
    open: Vec<Open<'t>>,
    /// What each name stands for in the scopes that are open, the innermost last.
    meanings: FxHashMap<&'t str, Vec<Stated>>,
    /// The names in the order in which they were given.
    given: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    /// The hashes of the assertions of a script, and of all else that it does and that may matter.
    fn script(mut self, script: &'t str) -> Vec<Stated> {
        let mut asserted = Vec::new();
        let mut command: Vec<&'t str> = Vec::new();
        for word in words(script) {
            command.push(word);
            match word {
                "(" => self.begin(),
                ")" => {
                    let Some(hash) = self.end() else {
                        // Parentheses that do not match: every character counts.
                        return vec![Stated::leaf(script)];
                    };
                    match self.open.last_mut() {
                        Some(outer) => outer.parts.extend(hash),
                        None => {
                            let command = std::mem::take(&mut command);
                            match command.get(1) {
                                Some(&("set-info" | "set-logic" | "check-sat")) => {}
                                Some(name) if name.starts_with("declare") => {
                                    self.declare(&command, hash);
                                }
                                // A definition counts as it stands.
                                _ => asserted.extend(hash),
                            }
                        }
                    }
                }
                word => self.word(word),
            }
        }
        match self.open.is_empty() {
            true => asserted,
            false => vec![Stated::leaf(script)],
        }
    }

    /// From here on the symbols of a declaration have its hash, each with its own name.
    fn declare(&mut self, command: &[&'t str], hash: Option<Stated>) {
        let Some(hash) = hash else {
            return;
        };
        let is_name = |word: &&&str| !matches!(**word, "(" | ")");
        // A datatype declares its constructors too; of what else there is, only the name is new.
        let names = match command[1] {
            "declare-datatypes" | "declare-datatype" => command.len(),
            _ => 3,
        };
        for name in command[2..names.min(command.len())].iter().filter(is_name) {
            let meaning = Stated::list(&[Stated::leaf(name), hash]);
            self.meanings.entry(name).or_default().push(meaning);
        }
    }

    fn begin(&mut self) {
        let form = match self.open.last() {
            Some(Open {
                form: Form::Let(_),
                parts,
            }) if parts.is_empty() => Form::Names,
            Some(Open {
                form: Form::Names, ..
            }) => Form::Name(None),
            _ => Form::List,
        };
        self.open.push(Open {
            form,
            parts: Vec::new(),
        });
    }

    fn word(&mut self, word: &'t str) {
        let given = self.given.len();
        let meaning = self.meanings.get(word).and_then(|meanings| meanings.last());
        let hash = meaning.copied().unwrap_or_else(|| Stated::leaf(word));
        match self.open.last_mut() {
            Some(Open {
                form: form @ Form::List,
                parts,
            }) if parts.is_empty() && word == "let" => {
                *form = Form::Let(given);
            }
            Some(Open {
                form: Form::Name(name @ None),
                ..
            }) => *name = Some(word),
            Some(open) => open.parts.push(hash),
            None => {}
        }
    }

    /// The hash of what ends here, where it has one; nothing, if nothing is open.
    fn end(&mut self) -> Option<Option<Stated>> {
        let Open { form, parts } = self.open.pop()?;
        Some(match form {
            Form::List => Some(Stated::list(&parts)),
            Form::Let(before) => {
                for name in self.given.drain(before..) {
                    self.meanings.entry(name).or_default().pop();
                }
                // The first part stands for the names.
                parts.get(1).copied()
            }
            Form::Names => Some(Stated::list(&[])),
            Form::Name(name) => {
                if let (Some(name), Some(meaning)) = (name, parts.first()) {
                    self.meanings.entry(name).or_default().push(*meaning);
                    self.given.push(name);
                }
                None
            }
        })
    }
}

/// The words of a script: parentheses, strings, symbols; without comments.
fn words(script: &str) -> impl Iterator<Item = &str> {
    let mut rest = script;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            let end = |from: &str, c: char| from.find(c).map_or(from.len(), |at| at + 1);
            let length = match first {
                '(' | ')' => 1,
                '"' | '|' => 1 + end(&rest[1..], first),
                ';' => end(rest, '\n'),
                _ => {
                    let is_over =
                        |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '|' | ';');
                    rest.find(is_over).unwrap_or(rest.len())
                }
            };
            let (word, after) = rest.split_at(length);
            rest = after;
            if first != ';' {
                return Some(word);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(script: &str) -> Vec<Stated> {
        Reader::default().script(script)
    }

    #[test]
    fn how_shared_parts_are_written_does_not_count() {
        let plain = "(assert (and (p (f a)) (q (f a))))";
        let same = [
            "(assert (let ((?x7 (f a))) (and (p ?x7) (q ?x7))))",
            "(assert (let ((?x3 (f a))) (let (($x9 (p ?x3))) (and $x9 (q ?x3)))))",
            "; a remark )\n(assert\n (and (p (let ((x a)) (f x))) (q (f a))))",
        ];
        for script in same {
            assert_eq!(hash(script), hash(plain), "{script}");
        }
    }

    #[test]
    fn what_is_stated_counts() {
        let all = [
            "(assert (and (p (f a)) (q (f a))))",
            "(assert (and (q (f a)) (p (f a))))",
            "(assert (and (p (f a)) (q (f b))))",
            "(assert (and (p f a) (q (f a))))",
            "(assert (and (p (let ((a b)) (f a))) (q (f a))))",
            "(declare-fun a () A)(assert (and (p (f a)) (q (f a))))",
            "(declare-fun a () B)(assert (and (p (f a)) (q (f a))))",
            "(assert (= s \"(\"))",
            "(assert (= s \"( \"))",
            "(assert (= s |(|))",
        ];
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                assert_ne!(hash(one), hash(other), "{one} {other}");
            }
        }
    }

    #[test]
    fn a_name_stands_for_something_only_in_its_scope() {
        let scoped = "(assert (or (let ((x (p a))) (not x)) x))";
        assert_eq!(hash(scoped), hash("(assert (or (not (p a)) x))"));
        let shadowed = "(assert (let ((x a)) (and (let ((x b)) (p x)) (q x))))";
        assert_eq!(hash(shadowed), hash("(assert (and (p b) (q a)))"));
    }

    #[test]
    fn a_symbol_is_what_it_is_declared_to_be() {
        let declared = |sort| {
            hash(&format!(
                "(declare-sort S 0)(declare-sort T 0)(declare-fun a () {sort})(assert a)"
            ))
        };
        assert_ne!(declared("S"), declared("T"));
        let of = |values| {
            hash(&format!(
                "(declare-datatypes ((E 0)) (({values})))(assert (= (one) x))"
            ))
        };
        assert_ne!(of("(one) (two)"), of("(one)"));
        // What is declared besides does not count, nor does the order.
        let more = "(declare-fun b () S)(declare-sort S 0)(declare-fun a () S)(assert b)(assert a)";
        assert_eq!(
            hash(more).last(),
            hash("(declare-sort S 0)(declare-fun a () S)(assert a)").last()
        );
    }

    #[test]
    fn a_definition_counts() {
        let defined = |body| hash(&format!("(define-fun p () Bool {body})(assert p)"));
        assert_ne!(defined("true"), defined("false"));
        assert_eq!(defined("true").len(), 2);
    }

    #[test]
    fn nothing_is_lost_where_parentheses_do_not_match() {
        assert_ne!(hash("(assert a))(b"), hash("(assert a))(c"));
        assert_ne!(hash("(assert a)(b"), hash("(assert a)(c"));
        assert_eq!(hash(&"(".repeat(100_000)).len(), 1);
    }
}
