//! The conditions in the text: what preconditions, effects and invariants compare, in the terms of a frame.

use std::collections::BTreeMap;

use ioa_lang::core::{
    Expr, ExprKind, Local, LocalId, Op, Store, Type, exprs_of_clause, reads_of_expr,
};
use num_traits::ToPrimitive;

use crate::build::{empty, nil, with_variables};
use crate::focus::places;
use crate::relations::atom::{Atom, Relation};
use crate::relations::frame::Frame;
use crate::relations::term::{TermId, Terms};
use crate::samples::Schema;

/// The comparisons in the text, each once, with variables of the frame in place of its own in all ways.
pub(super) fn conditions(schema: &Schema, frame: &Frame, terms: &mut Terms) -> Vec<Atom> {
    let mut reader = Reader {
        frame,
        terms,
        found: Vec::new(),
    };
    let (model, automaton) = (schema.model(), schema.automaton());
    for clause in &model.automaton(automaton).transitions {
        exprs_of_clause(clause, &mut |expr| reader.take(expr, &clause.locals));
    }
    for stated in model.invariants_of(automaton) {
        reader.take(&stated.formula, &stated.locals);
    }
    reader.found
}

struct Reader<'t> {
    frame: &'t Frame,
    terms: &'t mut Terms,
    found: Vec<Atom>,
}

impl Reader<'_> {
    /// Takes the comparisons in an expression, of which these are the variables.
    fn take(&mut self, expr: &Expr, locals: &[Local]) {
        expr.walk(&mut |part| {
            if let ExprKind::Apply(op @ (Op::Eq | Op::Lt | Op::Le | Op::Member), sides) = &part.kind
                && let [a, b] = &sides[..]
                && reads_state(part)
            {
                for way in self.ways(part, locals) {
                    let (a, b) = (self.side(a, &way), self.side(b, &way));
                    let atom = a.zip(b).and_then(|(a, b)| comparison(*op, a, b));
                    self.found
                        .extend(atom.filter(|atom| !self.found.contains(atom)));
                }
            }
        });
    }

    /// The ways to put different variables of the frame in place of those of an expression.
    fn ways(&self, expr: &Expr, locals: &[Local]) -> Vec<BTreeMap<LocalId, LocalId>> {
        let mut own = Vec::new();
        expr.walk(&mut |part| {
            if let ExprKind::Local(id) = part.kind
                && !own.contains(&id)
            {
                own.push(id);
            }
        });
        let types: Vec<&Type> = self.frame.binders.iter().map(|binder| &binder.ty).collect();
        let open = own.iter().map(|id| &locals[id.index()].ty);
        let ways = places(open, &types).into_iter();
        let way = |way: Vec<usize>| {
            let own = own.iter().copied();
            own.zip(way.into_iter().map(LocalId::at)).collect()
        };
        ways.map(way).collect()
    }

    /// One side of a comparison, if it is a term of the frame, computed from some, what is left of one by a modulus, or a constant.
    fn side(&mut self, side: &Expr, way: &BTreeMap<LocalId, LocalId>) -> Option<Side> {
        let placed =
            |expr: &Expr| with_variables(expr, &|own| way.get(&own).copied().unwrap_or(own));
        match &side.kind {
            ExprKind::Int(number) => Some(Side::Number(number.to_i64()?)),
            ExprKind::Enumerator(at) => Some(Side::Number(i64::from(*at))),
            _ if is_nil(side) => Some(Side::Nil),
            _ if is_empty(side) => Some(Side::Empty),
            ExprKind::Apply(Op::Mod, args) => {
                let ExprKind::Int(modulus) = &args[1].kind else {
                    return None;
                };
                let modulus = modulus.to_i64().filter(|modulus| *modulus > 1)?;
                let term = self.terms.find_or_compute(&placed(&args[0]))?;
                Some(Side::Remainder(term, modulus))
            }
            _ => {
                let term = self.terms.find_or_compute(&placed(side))?;
                Some(Side::Term(term, side.ty == Type::Nat))
            }
        }
    }
}

/// What is compared.
#[derive(Clone, Copy)]
enum Side {
    /// A term, and whether it is a natural number.
    Term(TermId, bool),
    /// What is left of a term by this modulus.
    Remainder(TermId, i64),
    /// A number, or the position of a value in its enumeration.
    Number(i64),
    Nil,
    Empty,
}

/// A comparison as an atom that is true where it is true, or where it is false; which of these does not matter to a case.
fn comparison(op: Op, a: Side, b: Side) -> Option<Atom> {
    use Side::{Empty, Nil, Number, Remainder, Term};
    let (relation, args) = match (op, a, b) {
        (Op::Eq, Term(a, _), Term(b, _)) => (Relation::Equal, vec![a.min(b), a.max(b)]),
        (Op::Eq, Term(a, _), Number(n)) | (Op::Eq, Number(n), Term(a, _)) => {
            (Relation::Is(n), vec![a])
        }
        (Op::Eq, Term(a, _), Nil) | (Op::Eq, Nil, Term(a, _)) => (Relation::IsNil, vec![a]),
        (Op::Eq, Term(a, _), Empty) | (Op::Eq, Empty, Term(a, _)) => (Relation::IsEmpty, vec![a]),
        (Op::Eq, Remainder(a, modulus), Number(remainder))
        | (Op::Eq, Number(remainder), Remainder(a, modulus)) => {
            (Relation::Remainder { modulus, remainder }, vec![a])
        }
        (Op::Lt, Term(a, _), Term(b, _)) => (Relation::Less, vec![a, b]),
        (Op::Le, Term(a, _), Term(b, _)) => (Relation::Less, vec![b, a]),
        (Op::Lt, Number(n), Term(a, is_nat)) | (Op::Le, Term(a, is_nat), Number(n)) => {
            at_least(n.checked_add(1)?, a, is_nat)
        }
        (Op::Le, Number(n), Term(a, is_nat)) | (Op::Lt, Term(a, is_nat), Number(n)) => {
            at_least(n, a, is_nat)
        }
        (Op::Member, Term(a, _), Term(b, _)) => (Relation::Member, vec![a, b]),
        _ => return None,
    };
    Some(Atom::new(relation, args))
}

/// That a term is at least a number. A natural number is at least 1 where it is not 0.
fn at_least(n: i64, term: TermId, is_nat: bool) -> (Relation, Vec<TermId>) {
    match (n, is_nat) {
        (1, true) => (Relation::Is(0), vec![term]),
        _ => (Relation::AtLeastNumber(n), vec![term]),
    }
}

fn is_nil(side: &Expr) -> bool {
    matches!(side.ty, Type::Null(_)) && *side == nil(&side.ty)
}

fn is_empty(side: &Expr) -> bool {
    matches!(side.ty, Type::Set(_) | Type::Mset(_) | Type::Seq(_)) && *side == empty(&side.ty)
}

/// Whether an expression reads the state before a step.
fn reads_state(expr: &Expr) -> bool {
    let mut reads = false;
    reads_of_expr(expr, &mut |state, _| reads |= state.store == Store::Pre);
    reads
}
