//! Atoms: relations between terms, from which clauses are built.
//!
//! ```text
//! added   comparisons with what the text computes by adding a constant
//! chance  what two terms say of small instances alone
//! mined   atoms that the text itself has
//! tuples  what a collection may hold, put together from terms
//! ```

mod added;
mod chance;
mod mined;
mod tuples;

use std::collections::BTreeSet;

use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Function, FunctionId, Local, LocalId, Model, Op, Type,
    exprs_of_stmts,
};

use num_bigint::BigInt;

use super::frame::Frame;
use super::term::{Term, enumerators, is_scalar, is_step, joined, terms};
use crate::build::{apply, empty, equal, formula, member, nil, number, with_variables};
use crate::focus::About;

use chance::is_of_chance;
pub use mined::Mining;
pub(super) use mined::mined;

/// No frame has more atoms than this; the simplest are taken.
const MAX_ATOMS: usize = 150;
/// Of the others a few are taken that compare what is said of one variable with the same of another one.
const MAX_ALIKE: usize = 24;
/// Numbers are compared with at most so many constants of the model.
const MAX_CONSTANTS: usize = 4;

/// Over more variables than this, nothing is said of tuples that are put together.
const MAX_BESIDE_TUPLES: usize = 2;

/// The atoms of a frame, the simplest first: formulas as terms of type `Bool`. With them the locals: the variables of the frame, then
/// those that are bound in the atoms.
pub(crate) fn atoms(about: About<'_>, frame: &Frame) -> (Vec<Term>, Vec<Local>) {
    let (terms, locals) = terms(about, frame);
    let mut made = made_of(about, frame, &terms);
    let mut atoms = simplest(&mut made, MAX_ATOMS);
    atoms.extend(made.into_iter().filter(is_alike).take(MAX_ALIKE));
    let most = match (frame.is_ranged(), frame.is_lean) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => MAX_BESIDE_TUPLES,
    };
    if frame.binders.len() <= most {
        let mut of_tuples = Vec::new();
        let tuples = |ty: &Type| match ty {
            Type::Set(_) | Type::Mset(_) => tuples::of_terms(about.model, frame, ty, &terms),
            // What a sequence holds is said of its positions.
            _ => Vec::new(),
        };
        held(terms.iter(), tuples, &mut of_tuples);
        atoms.extend(simplest(&mut of_tuples, MAX_ATOMS));
    }
    (atoms, locals)
}

/// At most so many atoms of a frame, with those that say of a tuple of its variables that it is in a collection.
pub(crate) fn relations(about: About<'_>, frame: &Frame, most: usize) -> (Vec<Term>, Vec<Local>) {
    let (terms, locals) = terms(about, frame);
    let mut made = made_of(about, frame, &terms);
    let tuples = |ty: &Type| tuples::of_variables(about.model, ty, &terms);
    held(terms.iter(), tuples, &mut made);
    (simplest(&mut made, most), locals)
}

/// What is said of some terms, by themselves and together. In a [lean](Frame::is_lean) frame all that is said of the
/// neighbour of an element is which variable it is.
fn made_of(about: About<'_>, frame: &Frame, terms: &[Term]) -> Vec<Term> {
    let (model, automaton) = (about.model, about.automaton);
    let is_apart = |term: &Term| frame.is_lean && is_step(term);
    let (steps, terms): (Vec<&Term>, Vec<&Term>) = terms.iter().partition(|t| is_apart(t));
    let mut made = Vec::new();
    for step in steps {
        for variable in terms.iter().filter(|term| term.is_variable()) {
            related(variable, step, true, &mut made);
        }
    }
    for term in &terms {
        alone(model, term, &mut made);
    }
    for (at, a) in terms.iter().enumerate() {
        for (other, b) in terms.iter().enumerate() {
            if at != other && !(frame.is_lean && is_left_out(a, b)) && !is_of_chance(frame, a, b) {
                related(a, b, at < other, &mut made);
            }
        }
    }
    held(
        terms.iter().copied(),
        |ty| held_constants(model, ty),
        &mut made,
    );
    added::compared((model, automaton), (frame, &terms), &mut made);
    let setting = model.setting([automaton]);
    let operators: Vec<_> = model.known_operators(&setting).collect();
    predicates(&operators, &terms, &mut made);
    let constants = constants(model, automaton);
    for term in terms.iter().filter(|t| t.ty().is_integer()) {
        for constant in constants.iter().take(MAX_CONSTANTS) {
            // A constant has the type of the term that it stands beside: otherwise it would be printed with its own.
            let constant = Term::leaf(number(constant.clone(), term.ty()));
            if !is_of_chance(frame, term, &constant) {
                related(term, &constant, true, &mut made);
            }
        }
    }
    made
}

/// That collections among some terms hold the values that are tried for their types.
fn held<'t>(
    terms: impl Iterator<Item = &'t Term>,
    values: impl Fn(&Type) -> Vec<Term>,
    made: &mut Vec<Term>,
) {
    for collection in terms.filter(|term| term.reads_state) {
        for value in values(collection.ty()) {
            related(&value, collection, false, made);
        }
    }
}

/// Takes so many atoms at most, the simplest ones, each once; the others are left, the simplest first.
fn simplest(made: &mut Vec<Term>, most: usize) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    made.retain(|atom| atom.binders != 0 || atom.reads_state);
    made.retain(|atom| seen.insert(format!("{:?}", atom.expr.kind)));
    made.sort_by_key(|atom| atom.cost);
    let others = made.split_off(most.min(made.len()));
    std::mem::replace(made, others)
}

/// Whether an atom compares what is said of one variable with the same of another one: that is what one thinks of first.
fn is_alike(atom: &Term) -> bool {
    let same = LocalId::at(0);
    let alike = |term: &Expr| with_variables(term, &|_| same);
    match &atom.expr.kind {
        ExprKind::Apply(Op::Eq | Op::Le, sides) => alike(&sides[0]) == alike(&sides[1]),
        _ => false,
    }
}

/// Whether a lean frame says nothing of two terms together.
fn is_left_out(a: &Term, b: &Term) -> bool {
    let has_few_values =
        !a.ty().is_integer() && !matches!(a.ty(), Type::Sort(_) | Type::Null(_) | Type::Bool);
    a.reads_state && b.reads_state && a.ty() == b.ty() && has_few_values
}

/// The constants of an enumeration that a collection of this type may hold: it may have one of them as an element, where
/// quantification says only that it has some.
fn held_constants(model: &Model, ty: &Type) -> Vec<Term> {
    let (Type::Set(element) | Type::Mset(element) | Type::Seq(element) | Type::Null(element)) = ty
    else {
        return Vec::new();
    };
    match **element {
        Type::Enum(id) => enumerators(model, id),
        _ => Vec::new(),
    }
}

/// What is said of one term.
fn alone(model: &Model, term: &Term, made: &mut Vec<Term>) {
    let ty = term.ty();
    match ty {
        Type::Bool => made.push(term.clone()),
        Type::Null(_) => made.push(joined(&[term], equal(term.expr.clone(), nil(ty)))),
        Type::Set(_) | Type::Mset(_) | Type::Seq(_) => {
            made.push(joined(&[term], equal(term.expr.clone(), empty(ty))));
        }
        Type::Enum(id) if !term.is_variable() => {
            let values = enumerators(model, *id).into_iter();
            made.extend(values.map(|value| joined(&[term], equal(term.expr.clone(), value.expr))));
        }
        _ => {}
    }
}

/// What is said of two terms; symmetric relations only `once`.
fn related(a: &Term, b: &Term, once: bool, made: &mut Vec<Term>) {
    let both = |op| {
        let args = vec![a.expr.clone(), b.expr.clone()];
        joined(&[a, b], formula(ExprKind::Apply(op, args)))
    };
    match b.ty() {
        Type::Set(element) | Type::Mset(element) | Type::Seq(element) if **element == *a.ty() => {
            made.push(joined(&[a, b], member(a.expr.clone(), b.expr.clone())));
        }
        Type::Null(inner) if **inner == *a.ty() && a.guards.is_empty() => {
            let some = apply(Op::Embed, vec![a.expr.clone()], b.ty());
            made.push(joined(&[a, b], equal(b.expr.clone(), some)));
        }
        _ => {}
    }
    let integers = a.ty().is_integer() && b.ty().is_integer();
    if integers && !(a.is_variable() && b.is_variable()) && !is_least(a, b) {
        made.push(both(Op::Le));
    }
    let is_comparable = is_scalar(a.ty())
        || *a.ty() == Type::Bool && a.reads_state && b.reads_state
        || matches!(a.ty(), Type::Tuple(_) | Type::Union(_) | Type::Null(_))
        || matches!(a.ty(), Type::Set(_)) && a.cost + b.cost <= 4;
    let alike = a.ty() == b.ty() || integers;
    if once && alike && is_comparable && !(a.is_variable() && b.is_variable()) {
        let is_constant = matches!(b.expr.kind, ExprKind::Int(_));
        let (left, right) = if is_constant { (a, b) } else { (b, a) };
        made.push(joined(
            &[a, b],
            equal(left.expr.clone(), right.expr.clone()),
        ));
    }
}

/// Whether a term cannot be less than another one, which is 0: it is at most 0 where it is equal to it, which is easier to read.
fn is_least(term: &Term, other: &Term) -> bool {
    *term.ty() == Type::Nat
        && matches!(&other.expr.kind, ExprKind::Int(number) if *number == BigInt::ZERO)
}

/// The predicates of the theories, of terms: `n \in q`, `a < b`.
fn predicates(known: &[(FunctionId, &Function)], terms: &[&Term], made: &mut Vec<Term>) {
    for (id, function) in known.iter().filter(|(_, f)| f.result == Type::Bool) {
        let mut lists: Vec<Vec<&Term>> = vec![Vec::new()];
        for ty in &function.params {
            let fitting: Vec<&Term> = terms.iter().copied().filter(|t| t.ty() == ty).collect();
            let longer = lists.iter().flat_map(|list| {
                let extended = fitting.iter().map(|t| [&list[..], &[*t]].concat());
                extended.collect::<Vec<_>>()
            });
            lists = longer.take(400).collect();
        }
        for args in lists {
            let exprs = args.iter().map(|t| t.expr.clone()).collect();
            let kind = ExprKind::Theory(*id, exprs);
            let distinct = args.windows(2).all(|pair| pair[0].expr != pair[1].expr);
            if distinct {
                made.push(joined(&args, formula(kind)));
            }
        }
    }
}

/// The numbers that the automaton's text mentions, 0 and 1 first.
fn constants(model: &Model, automaton: AutomatonId) -> Vec<BigInt> {
    let mut found: BTreeSet<BigInt> = BTreeSet::from([0.into(), 1.into()]);
    let declared = model.automaton(automaton);
    let mut note = |expr: &Expr| {
        expr.walk(&mut |part| {
            if let ExprKind::Int(n) = &part.kind {
                found.insert(n.clone());
            }
        });
    };
    for clause in &declared.transitions {
        note(&clause.pre);
        exprs_of_stmts(&clause.effect, &mut note);
    }
    found.into_iter().filter(|n| *n >= 0.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ioa_lang::Sources;
    use ioa_lang::print::{self, Context};

    /// The atoms without variables of the only automaton of a text.
    fn said(text: &str) -> Vec<String> {
        let mut sources = Sources::default();
        sources.add("clocks.ioa", text);
        let model = ioa_lang::load(&sources).model;
        let about = (&model, AutomatonId::at(0));
        let frame = Frame::of(about.0, about.1, &[]);
        let (mut all, locals) = atoms(About::whole(about), &frame);
        let (more, locals) = mined(about, (&frame, Mining::Comparisons), locals);
        all.extend(more);
        let context = Context::automaton(about.0, about.1, &locals);
        let each = all.iter();
        each.map(|atom| print::expr(about.0, &context, &atom.expr))
            .collect()
    }

    const CLOCKS: &str = "
vocabulary Bounds
  operators drift: -> Nat
end
imports Bounds
automaton Clocks
  signature internal tick, lag
  states now, clock, end: Nat := 0
  transitions
    internal tick
      pre now < clock + drift /\\ clock + now < end
      eff now := now + 1
    internal lag
      pre clock + 2 * drift < now
      eff clock := clock + 3
";

    /// That these are among the atoms of the clocks.
    fn are_said(expected: &[&str]) {
        let said = said(CLOCKS);
        for text in expected {
            assert!(said.iter().any(|atom| atom == text), "{text}: {said:?}");
        }
    }

    #[test]
    fn numbers_are_compared_with_what_the_text_adds_to_others() {
        are_said(&[
            "now <= clock + drift",
            "now <= clock + 2 * drift",
            "now <= clock + 3",
        ]);
        // The text adds nothing to `end`.
        let said = said(CLOCKS);
        assert!(!said.iter().any(|atom| atom.contains("end + ")), "{said:?}");
    }

    #[test]
    fn what_is_counted_up_while_it_is_less_is_at_most_as_much() {
        are_said(&["clock + now < end", "clock + now <= end"]);
    }
}
