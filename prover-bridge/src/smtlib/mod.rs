//! Obligations as standalone SMT-LIB 2 files.

pub(crate) mod fragment;

use std::collections::BTreeMap;
use std::fmt::Write;

use z3::Solver;
use z3::ast::Bool;

use crate::logic::{Encoded, Logic, Size, and, or};
use crate::obligations::{Background, Case, Kind, Obligation, Piece, Target, units};
use crate::reason::Reason;
use crate::solver::{denial, in_context};

/// An obligation as a standalone SMT-LIB 2.6 file: declarations, named assertions, and one `check-sat`.
///
/// The answer `unsat` means that the obligation is proved, given all invariants of the target before the step.
///
/// # Errors
/// Why the obligation has no reading in logic.
pub fn smt_lib(target: &Target<'_>, obligation: &Obligation) -> Result<String, Reason> {
    in_context(|| {
        let mut logic = Logic::new(target.model, Size::Any);
        logic.declare_theories()?;
        let assertions = assertions(target, &logic, obligation.kind)?;
        Ok(write(&obligation.name, &assertions))
    })
}

fn assertions<'l>(
    target: &Target<'l>,
    logic: &'l Logic<'l>,
    kind: Kind,
) -> Encoded<Vec<(String, Bool)>> {
    let assumable = target.assumable(kind, &vec![true; target.invariants.len()]);
    for (unit, kinds) in units(target) {
        if !kinds.contains(&kind) {
            continue;
        }
        let background = Background::of(target, unit);
        let ground = logic.ground(target, background, &assumable)?;
        for group in logic.groups(target, &ground, unit, &[kind], &assumable)? {
            if let Some((_, cases)) = group.members.into_iter().next() {
                let shared = [ground.assume, group.assume].concat();
                return Ok(named(&shared, &cases?));
            }
        }
    }
    crate::logic::unsupported("an obligation that the target does not have")
}

fn named(shared: &[Piece], cases: &[Case<'_>]) -> Vec<(String, Bool)> {
    let entry = |piece: &Piece| (piece.label.clone(), piece.formula.clone());
    let mut out: Vec<(String, Bool)> = shared.iter().map(entry).collect();
    match cases {
        [case] => {
            out.extend(case.assumed().map(entry));
            out.push(("denied".into(), denial(&case.goals)));
        }
        _ => {
            // One way to fail suffices; each brings the assumptions of its own path.
            let fails = |case: &Case<'_>| {
                let assumed: Vec<Bool> = case.assumed().map(|p| p.formula.clone()).collect();
                and(&[and(&assumed), denial(&case.goals)])
            };
            out.push((
                "denied".into(),
                or(&cases.iter().map(fails).collect::<Vec<_>>()),
            ));
        }
    }
    out.retain(|(_, formula)| formula.as_bool() != Some(true));
    out
}

/// What an answer to a script would mean, and what it begins with.
const LEGEND: &str = "; What the answers would mean:
;   unsat    nothing contradicts it: it would be proved for every size of the sorts, if what it assumes can be
;   sat      something contradicts it: it would not be proved, by what the solver found or at all
;   unknown  neither
(set-info :smt-lib-version 2.6)
(set-logic ALL)
";

fn write(name: &str, assertions: &[(String, Bool)]) -> String {
    let solver = Solver::new();
    assertions
        .iter()
        .for_each(|(_, formula)| solver.assert(formula));
    // Z3 writes each shared part of a formula once here, and each time where it writes a formula by itself, for people.
    let benchmark = solver.to_smt2();
    let (declarations, stated) = parts(&benchmark);
    // Were they not the same formulas one by one, none would be taken for another.
    let is_paired = stated.len() == assertions.len();
    let mut out = format!("; {name}\n{LEGEND}{declarations}");
    for (i, (label, formula)) in assertions.iter().enumerate() {
        let shared = stated.get(i).filter(|_| is_paired);
        let formula = match shared.filter(|shared| length_in_full(shared) > READABLE) {
            Some(shared) => (*shared).to_owned(),
            None => formula.to_string(),
        };
        let label: String = label.chars().filter(|c| !matches!(c, '|' | '\\')).collect();
        let _ = writeln!(out, "(assert (! {formula}\n  :named |{i}: {label}|))");
    }
    out.push_str("(check-sat)\n");
    out
}

/// What Z3 writes before the assertions, without its remarks, and the formulas that it asserts.
fn parts(benchmark: &str) -> (String, Vec<&str>) {
    let (mut declarations, mut stated) = (String::new(), Vec::new());
    for command in commands(benchmark) {
        if let Some(asserted) = command.strip_prefix("(assert") {
            stated.push(asserted.strip_suffix(')').unwrap_or(asserted).trim());
        } else if !command.starts_with("(set-info") && !command.starts_with("(check-sat") {
            declarations.push_str(command);
            declarations.push('\n');
        }
    }
    (declarations, stated)
}

/// A formula is written in full up to so many characters, as its shared form tells.
const READABLE: u64 = 1 << 16;

/// About how many characters a formula has in full whose shared parts have names here, such as `$x10` and `?x7`.
fn length_in_full(shared: &str) -> u64 {
    let is_name = |word: &str| {
        let number = word.strip_prefix("$x").or(word.strip_prefix("?x"));
        number.is_some_and(|n| n.parse::<u64>().is_ok())
    };
    let mut lengths: BTreeMap<&str, u64> = BTreeMap::new();
    // For each open parenthesis what it holds, and the name that it gives to that.
    let mut open: Vec<(u64, Option<&str>)> = vec![(0, None)];
    let mut is_first = false;
    for word in words(shared) {
        match word {
            "(" => open.push((1, None)),
            ")" => {
                let (length, name) = open.pop().unwrap_or_default();
                match (name, open.last_mut()) {
                    (Some(name), _) => drop(lengths.insert(name, length)),
                    (None, Some(outer)) => outer.0 = outer.0.saturating_add(length),
                    (None, None) => return length,
                }
            }
            word => {
                if let Some(inner) = open.last_mut() {
                    inner.1 = inner.1.or((is_first && is_name(word)).then_some(word));
                    let length = lengths.get(word).copied().unwrap_or(word.len() as u64);
                    inner.0 = inner.0.saturating_add(length);
                }
            }
        }
        is_first = word == "(";
    }
    open.first().map_or(0, |(length, _)| *length)
}

/// The words of a script, parentheses included.
fn words(script: &str) -> impl Iterator<Item = &str> {
    let pieces = script.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
    pieces
        .flat_map(|piece| {
            let word =
                piece.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
            [word, piece[word.len()..].trim()]
        })
        .filter(|word| !word.is_empty())
}

/// The commands of a script, each from its first parenthesis to its last.
fn commands(script: &str) -> Vec<&str> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    // What ends the comment, string or quoted symbol at hand; parentheses in these mean nothing.
    let mut inside = None;
    for (at, c) in script.char_indices() {
        match (inside, c) {
            (Some(end), c) => inside = inside.filter(|_| c != end),
            (None, ';') => inside = Some('\n'),
            (None, '"' | '|') => inside = Some(c),
            (None, '(') => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            (None, ')') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(&script[begin..=at]);
                }
            }
            (None, _) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_in_names_strings_and_comments_end_no_command() {
        let script = "; (a remark\n(declare-fun |odd) name| () Int)\n(assert\n (= \"(\" \"\"))\n(check-sat)\n";
        let expected = [
            "(declare-fun |odd) name| () Int)",
            "(assert\n (= \"(\" \"\"))",
            "(check-sat)",
        ];
        assert_eq!(commands(script), expected);
        let (declarations, stated) = parts(script);
        assert_eq!(declarations, "(declare-fun |odd) name| () Int)\n");
        assert_eq!(stated, ["(= \"(\" \"\")"]);
    }

    #[test]
    fn what_occurs_often_is_written_once() {
        in_context(|| {
            let mut n = z3::ast::Int::new_const("n");
            for _ in 0..40 {
                n = &n * &n + 1;
            }
            let formula = n.ge(0);
            let script = write("many", &[("stated (|\\|)".into(), formula)]);
            assert!(script.len() < 10_000, "{}", script.len());
            assert!(script.contains(":named |0: stated ()|"), "{script}");
        });
    }
}
