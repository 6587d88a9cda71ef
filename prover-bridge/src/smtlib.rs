//! Obligations as standalone SMT-LIB 2 files.

use std::fmt::Write;

use z3::Solver;
use z3::ast::Bool;

use crate::encode::{Encoded, Logic, Size, and, or};
use crate::obligations::{Case, Kind, Obligation, Piece, Target, World, units};
use crate::report::Reason;
use crate::solve::{denial, in_context};

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
    let assumable = vec![true; target.invariants.len()];
    for (unit, kinds) in units(target) {
        if !kinds.contains(&kind) {
            continue;
        }
        let world = World::of(target, unit);
        let ground = logic.ground(target, world, &assumable)?;
        for group in logic.groups(target, &ground, unit, &[kind], &assumable)? {
            if let Some((_, cases)) = group.members.into_iter().next() {
                let shared = [ground.assume, group.assume].concat();
                return Ok(named(&shared, &cases?));
            }
        }
    }
    crate::encode::outside("an obligation that the target does not have")
}

fn named(shared: &[Piece], cases: &[Case<'_>]) -> Vec<(String, Bool)> {
    let entry = |piece: &Piece| (piece.label.clone(), piece.formula.clone());
    let mut out: Vec<(String, Bool)> = shared.iter().map(entry).collect();
    match cases {
        [case] => {
            out.extend(case.assume.iter().map(entry));
            out.push(("denied".into(), denial(&case.goals)));
        }
        _ => {
            // One way to fail suffices; each brings the assumptions of its own path.
            let fails = |case: &Case<'_>| {
                let assumed: Vec<Bool> = case.assume.iter().map(|p| p.formula.clone()).collect();
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
    let mut out = format!("; {name}\n{LEGEND}");
    out.push_str(&declarations(&solver.to_smt2()));
    for (i, (label, formula)) in assertions.iter().enumerate() {
        let label: String = label.chars().filter(|c| !matches!(c, '|' | '\\')).collect();
        let _ = writeln!(out, "(assert (! {formula}\n  :named |{i}: {label}|))");
    }
    out.push_str("(check-sat)\n");
    out
}

/// What Z3 writes before the assertions, without its remarks.
fn declarations(benchmark: &str) -> String {
    let end = benchmark.find("(assert").unwrap_or(benchmark.len());
    let lines = benchmark[..end].lines();
    let kept = lines.filter(|l| !l.starts_with(';') && !l.starts_with("(set-info"));
    kept.map(|line| format!("{line}\n")).collect()
}
