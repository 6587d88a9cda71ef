//! The truth of atoms on the states of each block, asked for once and kept.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Expr, ExprKind, Invariant, Local, LocalId, Op, Substitution};
use rustc_hash::FxHashMap;

use super::evidence::{Evidence, Truth};
use super::frame::{formula, not};
use super::term::Term;

/// More formulas than this are not asked for at once: each has a bit for every state until it is kept.
const AT_ONCE: usize = 512;

/// A formula without free variables, and the locals that it binds.
type Closed = (Expr, Vec<Local>);

/// The columns of one atom under one assignment.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Where the atom is true, or not defined.
    pub(crate) positive: Rc<Truth>,
    /// Where the atom is false, or not defined.
    pub(crate) negative: Rc<Truth>,
}

/// What was asked so far, by block and formula.
pub(crate) struct Columns {
    automaton: AutomatonId,
    known: FxHashMap<(usize, Expr), Rc<Truth>>,
}

impl Columns {
    /// Nothing was asked yet.
    pub(crate) fn new(automaton: AutomatonId) -> Self {
        Self {
            automaton,
            known: FxHashMap::default(),
        }
    }

    /// A closed formula as an invariant; the locals are those that it binds.
    fn stated(&self, (formula, locals): &Closed) -> Invariant {
        Invariant {
            name: "literal".into(),
            automaton: self.automaton,
            locals: locals.clone(),
            formula: formula.clone(),
            span: formula.span,
        }
    }

    /// The columns of atoms in a block: for each assignment of the variables, one for each atom.
    pub(crate) fn of(
        &mut self,
        evidence: &mut dyn Evidence,
        block: usize,
        (locals, atoms): (&[Local], &[Term]),
        assignments: &[Vec<Expr>],
    ) -> Result<Vec<Vec<Column>>, String> {
        let ground: Vec<Vec<[Closed; 2]>> = assignments
            .iter()
            .map(|values| atoms.iter().map(|a| both(a, locals, values)).collect())
            .collect();
        let mut open: Vec<&Closed> = Vec::new();
        for closed in ground.iter().flatten().flatten() {
            if let Entry::Vacant(unknown) = self.known.entry((block, closed.0.clone())) {
                unknown.insert(Rc::default());
                open.push(closed);
            }
        }
        for formulas in open.chunks(AT_ONCE) {
            let asked: Vec<Invariant> = formulas.iter().map(|closed| self.stated(closed)).collect();
            let truths = evidence.truths(block, &asked)?;
            for ((formula, _), truth) in formulas.iter().zip(truths) {
                self.known.insert((block, formula.clone()), Rc::new(truth));
            }
        }
        let column = |[(p, _), (n, _)]: &[Closed; 2]| Column {
            positive: Rc::clone(&self.known[&(block, p.clone())]),
            negative: Rc::clone(&self.known[&(block, n.clone())]),
        };
        Ok(ground
            .iter()
            .map(|row| row.iter().map(column).collect())
            .collect())
    }
}

/// The atom and its negation with values for the first of the locals, each true where the atom is not defined, and with the
/// locals that they bind.
fn both(atom: &Term, locals: &[Local], values: &[Expr]) -> [Closed; 2] {
    let mut bound: Vec<Local> = Vec::new();
    let mut ground = |expr: &Expr| {
        let values = values.iter().cloned().enumerate();
        let values = values.map(|(at, value)| (LocalId::at(at), value));
        Substitution::new(locals, &mut bound, values).copy(expr)
    };
    let holds = ground(&atom.expr);
    let guards: Vec<Expr> = atom.guards.iter().map(&mut ground).collect();
    let weak = |claim: Expr| match guards.is_empty() {
        true => claim,
        false => {
            let guard = Expr::conjunction(guards.clone(), claim.span);
            formula(ExprKind::Apply(Op::Implies, vec![guard, claim]))
        }
    };
    let both = [weak(holds.clone()), weak(not(holds))];
    both.map(|formula| (formula, bound.clone()))
}
