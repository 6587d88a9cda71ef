//! Atoms that the text itself has: what its preconditions and goals say, of the variables of a frame.
//!
//! A lemma often says of a state what a precondition or a goal says in other words or of other variables. So the formulas of
//! which these are made are atoms too, with the frame's variables in place of their own. Variables that are left over are bound
//! by `\E`: that a vote is decided on in *some* quorum, say.
//!
//! What the text compares with a number that it computes is worth an atom even where nothing else of the text is: no other atom says
//! `offset[r] + 6 <= next` or `4 <= size(reviews[p])`.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Local, LocalId, Model, Op, Quantifier, Store, Substitution, Type,
    exprs_of_clause,
};

use super::super::frame::Frame;
use super::super::term::Term;
use crate::build::{formula, mask, variable};

/// A frame has no more of these atoms.
const MAX_MINED: usize = 80;
/// A formula with more parts is left out.
const MAX_PARTS: usize = 40;
/// In a formula no more variables than this are bound by `\E`.
const MAX_BOUND: usize = 2;

/// Which formulas of the text are atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mining {
    /// None.
    Nothing,
    /// The comparisons of computed numbers in its steps.
    Comparisons,
    /// The formulas in its preconditions and in the model's invariants.
    Formulas,
}

/// The atoms that the text has for a frame, the simplest first, and the locals that there are with those that are bound in them.
pub(crate) fn mined(
    (model, automaton): (&Model, AutomatonId),
    (frame, mining): (&Frame, Mining),
    locals: Vec<Local>,
) -> (Vec<Term>, Vec<Local>) {
    let (mut formulas, most_bound) = match mining {
        Mining::Nothing => (Vec::new(), 0),
        Mining::Comparisons => (comparisons(model, automaton), 0),
        Mining::Formulas => (conditions(model, automaton), MAX_BOUND),
    };
    let mut miner = Miner {
        frame,
        most_bound,
        locals,
        found: Vec::new(),
    };
    formulas.sort_by_key(|(formula, _)| size(formula));
    for (formula, locals) in formulas {
        miner.take(formula, locals);
    }
    (miner.found, miner.locals)
}

/// A formula of the text with the locals that it speaks of.
type Formula<'m> = (&'m Expr, &'m [Local]);

/// The formulas in preconditions and goals.
fn conditions(model: &Model, automaton: AutomatonId) -> Vec<Formula<'_>> {
    let mut formulas: Vec<Formula<'_>> = Vec::new();
    for goal in model.invariants_of(automaton) {
        parts(&goal.formula, &goal.locals, &mut formulas);
    }
    for clause in &model.automaton(automaton).transitions {
        for condition in [&clause.applies, &clause.pre] {
            formulas.push((condition, &clause.locals));
            parts(condition, &clause.locals, &mut formulas);
        }
    }
    formulas.retain(|(formula, _)| is_fit(formula) && !counts_some(formula));
    formulas
}

/// The comparisons, in conditions and effects, of numbers one of which is computed.
fn comparisons(model: &Model, automaton: AutomatonId) -> Vec<Formula<'_>> {
    let mut found: Vec<Formula<'_>> = Vec::new();
    for clause in &model.automaton(automaton).transitions {
        exprs_of_clause(clause, &mut |expr| {
            expr.walk(&mut |part| {
                if compares_computed(part) && is_fit(part) {
                    found.push((part, &clause.locals));
                }
            });
        });
    }
    found
}

/// Whether a formula compares numbers that are not all read from the state.
fn compares_computed(formula: &Expr) -> bool {
    let ExprKind::Apply(Op::Eq | Op::Lt | Op::Le, sides) = &formula.kind else {
        return false;
    };
    let is_computed = |side: &Expr| {
        let ExprKind::Apply(op, _) = &side.kind else {
            return false;
        };
        let is_arithmetic = matches!(
            op,
            Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max | Op::Abs
        );
        is_arithmetic || matches!(op, Op::Sum | Op::Size | Op::MsetSize | Op::Len)
    };
    sides.iter().all(|side| side.ty.is_integer()) && sides.iter().any(is_computed)
}

/// The formulas that connectives and quantifiers join, and those that have quantifiers as a whole.
fn parts<'m>(formula: &'m Expr, locals: &'m [Local], out: &mut Vec<Formula<'m>>) {
    match &formula.kind {
        ExprKind::Apply(Op::And | Op::Or | Op::Implies | Op::Not | Op::Iff, args) => {
            args.iter().for_each(|part| parts(part, locals, out));
        }
        ExprKind::Quantified(_, _, body) => {
            out.push((formula, locals));
            parts(body, locals, out);
        }
        _ => out.push((formula, locals)),
    }
}

/// Whether a formula says something of the state at hand, has a value in any state, and is not too long.
fn is_fit(formula: &Expr) -> bool {
    let (mut reads, mut other) = (false, false);
    formula.walk(&mut |part| match &part.kind {
        ExprKind::State(state) => {
            reads = true;
            other |= state.store != Store::Pre;
        }
        ExprKind::Local(_)
        | ExprKind::Quantified(..)
        | ExprKind::Comprehension(..)
        | ExprKind::Entries(..)
        | ExprKind::Apply(..)
        | ExprKind::Theory(..)
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Enumerator(_) => {}
        _ => other = true,
    });
    reads && !other && formula.is_total() && size(formula) <= MAX_PARTS
}

/// Whether sets that are described by a condition are parts of a formula.
fn counts_some(formula: &Expr) -> bool {
    let mut counts = false;
    formula.walk(&mut |part| counts |= matches!(part.kind, ExprKind::Comprehension(..)));
    counts
}

fn size(formula: &Expr) -> usize {
    let mut parts = 0;
    formula.walk(&mut |_| parts += 1);
    parts
}

/// The variables of a formula that nothing in it binds, in the order in which they come.
fn free(formula: &Expr) -> Vec<LocalId> {
    let (mut all, mut bound) = (Vec::new(), BTreeSet::new());
    formula.walk(&mut |part| {
        bound.extend(part.binders().iter().copied());
        match part.kind {
            ExprKind::Local(id) if !all.contains(&id) => all.push(id),
            _ => {}
        }
    });
    all.retain(|id| !bound.contains(id));
    all
}

/// Makes atoms of formulas.
struct Miner<'f> {
    frame: &'f Frame,
    /// No more variables than this are bound by `\E`.
    most_bound: usize,
    locals: Vec<Local>,
    found: Vec<Term>,
}

impl Miner<'_> {
    /// A formula with variables of the frame in place of its own, in all ways; what is left over is bound.
    fn take(&mut self, formula: &Expr, locals: &[Local]) {
        let free = free(formula);
        let mut ways: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        for id in &free {
            let ty = &locals[id.index()].ty;
            let longer = ways.iter().flat_map(|way| {
                let binders = self.frame.binders.iter().enumerate();
                let fitting = binders
                    .filter(|(at, b)| b.ty == *ty && !way.contains(&Some(*at)))
                    .map(|(at, _)| Some(at));
                fitting
                    .chain([None])
                    .map(|next| [&way[..], &[next]].concat())
                    .collect::<Vec<_>>()
            });
            ways = longer.collect();
        }
        for way in ways {
            let bound = way.iter().filter(|place| place.is_none()).count();
            if bound <= self.most_bound && self.found.len() < MAX_MINED {
                self.put(formula, locals, &free, &way);
            }
        }
    }

    fn put(&mut self, formula: &Expr, locals: &[Local], free: &[LocalId], way: &[Option<usize>]) {
        let mut bound = Vec::new();
        let mut values = Vec::new();
        for (id, place) in free.iter().zip(way) {
            let declared = &locals[id.index()];
            let stands_for = place.map_or_else(
                || {
                    let fresh = LocalId::at(self.locals.len());
                    self.locals.push(declared.clone());
                    bound.push(fresh);
                    fresh
                },
                LocalId::at,
            );
            values.push((*id, variable(stands_for, &declared.ty)));
        }
        let body = Substitution::new(locals, &mut self.locals, values).copy(formula);
        let expr = match bound.is_empty() {
            true => body,
            false => Expr::new(
                ExprKind::Quantified(Quantifier::Exists, bound, Box::new(body)),
                Type::Bool,
                Span::default(),
            ),
        };
        let atom = |expr: Expr| Term {
            binders: mask(&expr, self.frame.binders.len()),
            guards: Vec::new(),
            cost: u32::try_from(size(&expr)).unwrap_or(u32::MAX) / 2 + 1,
            reads_state: true,
            expr,
        };
        let reached = reached(&expr).map(atom);
        self.found.push(atom(expr));
        self.found.extend(reached);
    }
}

/// What is true after a step that adds 1 to a number as long as it is less than another one: it is that at most.
fn reached(comparison: &Expr) -> Option<Expr> {
    match &comparison.kind {
        ExprKind::Apply(Op::Lt, sides) if sides.iter().all(|side| side.ty.is_integer()) => {
            Some(formula(ExprKind::Apply(Op::Le, sides.clone())))
        }
        _ => None,
    }
}
