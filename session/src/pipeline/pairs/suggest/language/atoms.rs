//! Atoms: what terms say about each other, each with where it is true.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::Value;
use ioa_lang::core::{Expr, ExprKind, FunctionId, Op, Store, Type};
use rustc_hash::FxHashSet;

use super::points::Evaluator;
use super::terms::{Grammar, Pool, Term, apply};

/// Where a formula is true: at each point, nothing where it has no value.
pub(in crate::pipeline::pairs::suggest) type Truth = Vec<Option<bool>>;

/// An atom or its negation.
#[derive(Clone, Debug)]
pub(in crate::pipeline::pairs::suggest) struct Literal {
    pub(in crate::pipeline::pairs::suggest) expr: Expr,
    pub(in crate::pipeline::pairs::suggest) truth: Truth,
    /// The leaves that it reads.
    pub(in crate::pipeline::pairs::suggest) reads: BTreeSet<usize>,
}

/// The leaves that a term reads.
pub(in crate::pipeline::pairs::suggest) fn reads(expr: &Expr) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    expr.walk(&mut |part| match &part.kind {
        ExprKind::State(state) if state.store == Store::Pre => {
            found.insert(state.var.index());
        }
        _ => {}
    });
    found
}

/// The atoms of the terms of a pool with their negations, at most so many, those of smaller terms first. Of those that are
/// true at the same points there is one; none is true or false everywhere.
pub(in crate::pipeline::pairs::suggest) fn literals(
    grammar: &Grammar<'_>,
    pool: &Pool,
    evaluator: &mut Evaluator<'_>,
    most: usize,
) -> Vec<Literal> {
    let mut all = compared(pool);
    for expr in theory_atoms(grammar, pool) {
        let values = evaluator.values(&expr, &[]);
        let truth = values.into_iter().map(|value| match value {
            Some(Value::Bool(holds)) => Some(holds),
            _ => None,
        });
        all.push((2, expr, truth.collect()));
    }
    // What is always defined comes before what needs a guard.
    all.sort_by_key(|(size, expr, _)| if expr.is_total() { *size } else { size + 2 });
    let (mut known, mut found) = (FxHashSet::default(), Vec::new());
    for (_, expr, truth) in all {
        let is_constant = !truth.contains(&Some(true)) || !truth.contains(&Some(false));
        let negated: Truth = truth.iter().map(|t| t.map(|t| !t)).collect();
        if is_constant || found.len() >= most || known.contains(&negated) {
            continue;
        }
        if known.insert(truth.clone()) {
            let reads = reads(&expr);
            let negation = apply(Op::Not, vec![expr.clone()], Type::Bool);
            found.push(Literal {
                expr,
                truth,
                reads: reads.clone(),
            });
            found.push(Literal {
                expr: negation,
                truth: negated,
                reads,
            });
        }
    }
    found
}

/// No atom has more than so many symbols in its terms.
const MAX_SIZE: usize = 5;

type Sized = (usize, Expr, Truth);

/// Truth values that are terms, and comparisons of terms.
fn compared(pool: &Pool) -> Vec<Sized> {
    let mut all = Vec::new();
    for term in pool.of(&Type::Bool) {
        let truth = term.values.iter().map(|value| match value {
            Some(Value::Bool(holds)) => Some(*holds),
            _ => None,
        });
        all.push((term.size, term.expr.clone(), truth.collect()));
    }
    let types: Vec<&Type> = pool.types().collect();
    for ty in &types {
        let terms: Vec<&Term> = pool.of(ty).collect();
        for (at, one) in terms.iter().enumerate() {
            for other in &terms[at + 1..] {
                if **ty != Type::Bool || one.size + other.size <= 3 {
                    all.extend(compare(Op::Eq, one, other, |a, b| Some(a == b)));
                }
                if ty.is_integer() {
                    all.extend(compare(Op::Lt, one, other, |a, b| Some(a < b)));
                    all.extend(compare(Op::Lt, other, one, |a, b| Some(a < b)));
                }
            }
        }
        for (op, collection) in [
            (Op::Member, Type::set((*ty).clone())),
            (Op::SeqMember, Type::seq((*ty).clone())),
            (Op::MsetMember, Type::mset((*ty).clone())),
        ] {
            for other in pool.of(&collection) {
                all.extend(
                    terms
                        .iter()
                        .filter_map(|one| compare(op, one, other, is_in)),
                );
            }
        }
    }
    all
}

fn is_in(element: &Value, collection: &Value) -> Option<bool> {
    match collection {
        Value::Set(elements) => Some(elements.contains(element)),
        Value::Seq(elements) => Some(elements.contains(element)),
        Value::Mset(counts) => Some(counts.contains_key(element)),
        _ => None,
    }
}

fn compare(
    op: Op,
    one: &Term,
    other: &Term,
    holds: impl Fn(&Value, &Value) -> Option<bool>,
) -> Option<Sized> {
    let size = one.size + other.size;
    if size > MAX_SIZE {
        return None;
    }
    let both = one.values.iter().zip(&other.values);
    let truth = both.map(|(a, b)| holds(a.as_ref()?, b.as_ref()?)).collect();
    let mut args = vec![one.expr.clone(), other.expr.clone()];
    if op == Op::Eq && reads(&one.expr).is_empty() {
        args.reverse();
    }
    Some((size, apply(op, args, Type::Bool), truth))
}

/// What the predicates of theories say about small terms, and which entries of maps there are.
fn theory_atoms(grammar: &Grammar<'_>, pool: &Pool) -> Vec<Expr> {
    let model = grammar.model;
    let mut all = Vec::new();
    for (id, function) in (0..).map(FunctionId).zip(&model.functions) {
        let is_predicate = function.result == Type::Bool && !function.params.is_empty();
        if !is_predicate || !model.is_known(id, grammar.setting) {
            continue;
        }
        for args in tuples(pool, &function.params) {
            let kind = ExprKind::Theory(id, args);
            all.push(Expr::new(kind, Type::Bool, Span::default()));
        }
    }
    let maps: Vec<&Type> = pool
        .types()
        .filter(|ty| matches!(ty, Type::Map(..)))
        .collect();
    for ty in maps {
        let Type::Map(domain, _) = ty else { continue };
        for args in tuples(pool, &[ty.clone(), (**domain).clone()]) {
            all.push(apply(Op::Defined, args, Type::Bool));
        }
    }
    all
}

/// Small terms of these types, in every combination, as long as there are few.
fn tuples(pool: &Pool, types: &[Type]) -> Vec<Vec<Expr>> {
    let mut all = vec![Vec::new()];
    for ty in types {
        let small = || pool.of(ty).filter(|term| term.size <= 2).take(8);
        let longer = all.iter().flat_map(|before: &Vec<Expr>| {
            small().map(|term| [&before[..], std::slice::from_ref(&term.expr)].concat())
        });
        all = longer.take(200).collect();
    }
    all
}
