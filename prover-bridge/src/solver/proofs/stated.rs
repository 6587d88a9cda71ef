//! Hashes of what is stated, whatever the form in which it is written.
//!
//! Z3 writes a part of a formula that occurs often once, as `(let (($x7 (p a))) ...)`. Which parts these are, and how they are
//! numbered, depends on what else the solver knows. So a script is hashed from its leaves upwards, and a name that a `let` gives
//! has the hash of what it stands for. The order of the commands does not count.

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use z3::Solver;
use z3::ast::Bool;

/// A hash of formulas, with what they declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stated(pub(super) [u8; 32]);

impl Stated {
    pub(crate) fn of<'f>(formulas: impl IntoIterator<Item = &'f Bool>) -> Self {
        let solver = Solver::new();
        for formula in formulas {
            solver.assert(formula);
        }
        let script = solver.to_smt2();
        Reader::default().script(&script)
    }

    fn leaf(word: &str) -> Self {
        Self(
            Sha256::new()
                .chain_update([0])
                .chain_update(word)
                .finalize()
                .into(),
        )
    }

    fn list(parts: &[Self]) -> Self {
        let mut hash = Sha256::new().chain_update([1]);
        parts.iter().for_each(|part| hash.update(part.0));
        Self(hash.finalize().into())
    }
}

/// An open parenthesis: what it begins, and what was read behind it.
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
    fn script(mut self, script: &'t str) -> Stated {
        let mut commands = Vec::new();
        for word in words(script) {
            match word {
                "(" => self.begin(),
                ")" => {
                    let Some(hash) = self.end() else {
                        // Parentheses that do not match: every character counts.
                        return Stated::leaf(script);
                    };
                    match self.open.last_mut() {
                        Some(outer) => outer.parts.extend(hash),
                        None => commands.extend(hash),
                    }
                }
                word => self.word(word),
            }
        }
        commands.sort_unstable();
        Stated::list(&commands)
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

    fn hash(script: &str) -> Stated {
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
    fn the_order_of_commands_does_not_count_and_nothing_is_lost_where_parentheses_do_not_match() {
        assert_eq!(hash("(assert a)(assert b)"), hash("(assert b) (assert a)"));
        assert_ne!(hash("(assert a))(b"), hash("(assert a))(c"));
        assert_eq!(hash(&"(".repeat(100_000)), hash(&"(".repeat(100_000)));
    }
}
