//! What the steps of an action do: relations between the states before and after, and the parameters.

use std::collections::BTreeMap;

use ioa_lang::core::{ActionId, Expr, ExprKind, Op, Type};

use crate::build::{apply, equal, formula};
use crate::relations::atom::{Atom, Relation, literal};
use crate::relations::confidence;
use crate::relations::evaluate::{Block, blocks};
use crate::relations::frame::Frame;
use crate::relations::term::{Kind, Readable, Term, TermId, Terms};
use crate::report::Effect;
use crate::samples::{Samples, Schema};

/// The effects of the actions of which there are steps, unless it is stopped.
pub(crate) fn of_actions(
    samples: &Samples,
    confidence: f64,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<Effect> {
    (0..samples.schema().actions().len())
        .map(ActionId::at)
        .filter(|action| samples.steps(*action).rows() > 0)
        .filter(|action| !samples.schema().focus().undescribed.contains(action))
        .take_while(|_| !is_stopped())
        .map(|action| Observer::new(samples, action).effect(confidence, is_stopped))
        .collect()
}

/// One action with the terms over its columns: variables before, variables after, parameters.
struct Observer<'a> {
    samples: &'a Samples,
    action: ActionId,
    terms: Terms,
    /// Number of columns of a state.
    width: usize,
}

impl<'a> Observer<'a> {
    fn new(samples: &'a Samples, action: ActionId) -> Self {
        let schema = samples.schema();
        let width = schema.state_columns().len();
        let readable = Readable::of_steps(samples, action);
        let terms = Terms::of(schema, &Frame::empty(), readable);
        Self {
            samples,
            action,
            terms,
            width,
        }
    }

    fn effect(&self, confidence: f64, is_stopped: &dyn Fn() -> bool) -> Effect {
        let schema = self.samples.schema();
        let table = self.samples.steps(self.action);
        let variables = (0..schema.variables().len())
            .filter_map(|at| Some((self.column(at)?, self.column(at + self.width)?)));
        let variables: Vec<(TermId, TermId)> = variables.chain(self.own()).collect();
        let same =
            |(before, after): &(TermId, TermId)| Atom::new(Relation::Equal, [*after, *before]);
        let unchanged = self.test(&variables.iter().map(same).collect::<Vec<_>>());
        let mut effect = Effect {
            action: self.action,
            heading: heading(schema, self.action),
            samples: table.seen(),
            rows: table.rows() as u64,
            locals: self.terms.locals().to_vec(),
            unchanged: Vec::new(),
            relations: Vec::new(),
            conditions: self.conditions(confidence),
        };
        let both = variables.iter().zip(unchanged);
        for ((before, after), chance) in both.take_while(|_| !is_stopped()) {
            if chance.is_some() {
                effect.unchanged.push(self.terms.get(*before).expr.clone());
            } else {
                effect
                    .relations
                    .extend(self.change(*before, *after, confidence));
            }
        }
        effect
    }

    fn column(&self, at: usize) -> Option<TermId> {
        let is_column = |id: &TermId| self.terms.get(*id).kind == Kind::Column(at);
        self.terms.ids().find(is_column)
    }

    /// The terms that somebody gave that have a value in every state, before and after, and are no variables.
    fn own(&self) -> Vec<(TermId, TermId)> {
        let place = |id: TermId| {
            let term = self.terms.get(id);
            let is_variable = matches!(term.expr.kind, ExprKind::State(_));
            match &term.kind {
                Kind::Own(place) if term.guards.is_empty() && !is_variable => Some(place.first),
                _ => None,
            }
        };
        let placed = self.terms.ids().filter_map(|id| Some((place(id)?, id)));
        let placed: BTreeMap<usize, TermId> = placed.collect();
        let pairs = placed.iter();
        pairs
            .filter_map(|(first, before)| Some((*before, *placed.get(&(first + self.width))?)))
            .collect()
    }

    /// The parameters and their parts, and the constants of nothing else.
    fn params(&self) -> Vec<TermId> {
        let of_params =
            |t: &Term| t.guards.is_empty() && t.columns.iter().all(|at| *at >= 2 * self.width);
        self.terms.select(|t| of_params(t) && !t.columns.is_empty())
    }

    /// The strongest relations between a variable before and after that hold: of the whole, and for an array also of
    /// the elements at the parameters.
    fn change(&self, before: TermId, after: TermId, confidence: f64) -> Vec<Expr> {
        let mut out: Vec<Expr> = Vec::new();
        out.extend(self.strongest(before, after, confidence));
        for index in self.params() {
            let (Some(x), Some(y)) = (self.element(before, index), self.element(after, index))
            else {
                continue;
            };
            let elsewhere = Atom::new(Relation::SameElsewhere, [after, before, index]);
            let elsewhere = self.first_that_holds(&[elsewhere], confidence);
            let element = self.strongest(x, y, confidence);
            let both = elsewhere.as_ref().zip(element.as_ref());
            let together = both.and_then(|(elsewhere, told)| {
                with_element(elsewhere, &self.terms.get(y).expr, told)
            });
            match together {
                Some(together) => out.push(together),
                None => out.extend(elsewhere.into_iter().chain(element)),
            }
        }
        out
    }

    fn element(&self, array: TermId, index: TermId) -> Option<TermId> {
        let wanted = Kind::Select(array, index);
        self.terms
            .ids()
            .find(|id| self.terms.get(*id).kind == wanted)
    }

    /// The first kind of relation, of the kinds from strong to weak, of which some hold.
    fn strongest(&self, before: TermId, after: TermId, confidence: f64) -> Option<Expr> {
        let kinds = [
            self.assignments(before, after),
            self.updates(before, after),
            self.tendencies(before, after),
        ];
        kinds
            .iter()
            .find_map(|atoms| self.first_that_holds(atoms, confidence))
    }

    /// `x' = p`, `x' = embed(p)`, `x' = {}`, `x' = nil`
    fn assignments(&self, before: TermId, after: TermId) -> Vec<Atom> {
        let ty = self.terms.get(after).ty();
        let mut out = match ty {
            Type::Set(_) | Type::Seq(_) => vec![Atom::new(Relation::IsEmpty, [after])],
            Type::Null(_) => vec![Atom::new(Relation::IsNil, [after])],
            Type::Bool => vec![Atom::new(Relation::Truth, [after])],
            Type::Enum(id) => {
                let count = self.samples.schema().model().enumerations[id.index()]
                    .values
                    .len();
                let value = |n| Atom::new(Relation::Is(n as i64), [after]);
                (0..count).map(value).collect()
            }
            _ => Vec::new(),
        };
        for param in self.params() {
            let given = self.terms.get(param).ty();
            if given == ty {
                out.push(Atom::new(Relation::Equal, [after, param]));
            }
            if matches!(ty, Type::Null(inner) if **inner == *given) {
                out.push(Atom::new(Relation::Embeds, [after, param]));
            }
        }
        out.push(Atom::new(Relation::Equal, [after, before]));
        out
    }

    /// `x' = insert(p, x)`, `x' = delete(p, x)`, `x' = x \U p`, `x' = x + c`, `x' = x + p`
    fn updates(&self, before: TermId, after: TermId) -> Vec<Atom> {
        let ty = self.terms.get(after).ty();
        let mut out = Vec::new();
        for param in self.params() {
            let given = self.terms.get(param).ty();
            if matches!(ty, Type::Set(element) if **element == *given) {
                out.push(Atom::new(Relation::Inserted, [after, param, before]));
                out.push(Atom::new(Relation::Deleted, [after, param, before]));
            }
            if matches!(ty, Type::Set(_)) && given == ty {
                out.push(Atom::new(Relation::IsUnion, [after, before, param]));
            }
            if ty.is_integer() && given.is_integer() {
                out.push(Atom::new(Relation::IsSum, [after, before, param]));
                out.push(Atom::new(Relation::IsSum, [before, after, param]));
            }
        }
        if ty.is_integer() {
            out.extend(self.increment(before, after));
        }
        out
    }

    /// `x' = x + c` with the `c` of the first step.
    fn increment(&self, before: TermId, after: TermId) -> Option<Atom> {
        let mut offset = None;
        self.blocks(|block| {
            let (x, y) = (block.word(before, 0) as i64, block.word(after, 0) as i64);
            offset = offset.or_else(|| y.checked_sub(x));
        });
        let relation = Relation::Linear {
            factor: 1,
            offset: offset?,
        };
        Some(Atom::new(relation, [after, before]))
    }

    /// `x \subseteq x'`, `x' \subseteq x`, `x <= x'`, `x' <= x`
    fn tendencies(&self, before: TermId, after: TermId) -> Vec<Atom> {
        let term = self.terms.get(after);
        let relation = match term.ty() {
            Type::Set(_) => Relation::Subset,
            Type::Nat | Type::Int => Relation::AtMost,
            _ => return Vec::new(),
        };
        let both = [[before, after], [after, before]];
        both.map(|args| Atom::new(relation.clone(), args)).to_vec()
    }

    /// What holds of the parameters before the step: memberships, nil, order.
    fn conditions(&self, confidence: f64) -> Vec<Expr> {
        let is_before = |t: &Term| {
            let after = self.width..2 * self.width;
            t.guards.is_empty() && t.columns.iter().all(|at| !after.contains(at))
        };
        let terms = self.terms.select(is_before);
        let mut atoms = Vec::new();
        for a in &terms {
            let term = self.terms.get(*a);
            let of_param = term.columns.iter().any(|at| *at >= 2 * self.width);
            if matches!(term.ty(), Type::Null(_)) && of_param {
                atoms.push(Atom::new(Relation::IsNil, [*a]));
            }
            for b in terms.iter().filter(|b| *b != a) {
                atoms.extend(self.condition(*a, *b));
            }
        }
        let mut held = self.all_that_hold(&atoms, true, confidence);
        let with_negation = |a: &Atom| matches!(a.relation, Relation::Member | Relation::IsNil);
        atoms.retain(with_negation);
        held.extend(self.all_that_hold(&atoms, false, confidence));
        held
    }

    /// A relation between a parameter and a term that is worth a look.
    fn condition(&self, a: TermId, b: TermId) -> Option<Atom> {
        let is_param =
            |id| matches!(self.terms.get(id).kind, Kind::Column(at) if at >= 2 * self.width);
        let (x, y) = (self.terms.get(a), self.terms.get(b));
        if !is_param(a) && !is_param(b) {
            return None;
        }
        let relation = match y.ty() {
            Type::Set(e) | Type::Seq(e) if **e == *x.ty() => Relation::Member,
            Type::Set(_) if x.ty() == y.ty() && is_param(a) => Relation::Disjoint,
            _ if x.ty().is_integer() && x.measure == y.measure => Relation::AtMost,
            _ => return None,
        };
        Some(Atom::new(relation, [a, b]))
    }

    fn first_that_holds(&self, atoms: &[Atom], confidence: f64) -> Option<Expr> {
        self.all_that_hold(atoms, true, confidence)
            .into_iter()
            .next()
    }

    fn all_that_hold(&self, atoms: &[Atom], positive: bool, confidence: f64) -> Vec<Expr> {
        let schema = self.samples.schema();
        let chances = self.chances(atoms, positive);
        let justified = atoms
            .iter()
            .zip(chances)
            .filter(|(_, chance)| chance.is_some_and(|c| 1.0 - c >= confidence));
        justified
            .map(|(atom, _)| literal(schema, &self.terms, atom, positive))
            .collect()
    }

    fn test(&self, atoms: &[Atom]) -> Vec<Option<f64>> {
        self.chances(atoms, true)
    }

    /// For each atom that has this sign in all steps, the chance that it has so by accident.
    fn chances(&self, atoms: &[Atom], positive: bool) -> Vec<Option<f64>> {
        let mut broken = vec![false; atoms.len()];
        self.blocks(|block| {
            for (atom, broken) in atoms.iter().zip(&mut broken).filter(|(_, b)| !**b) {
                let holds = block.holds(atom);
                *broken = match positive {
                    true => !block.live().is_within(&holds),
                    false => !block.live().is_apart_from(&holds),
                };
            }
        });
        let steps = self.samples.steps(self.action).rows() as u64;
        let chance = |(atom, broken): (&Atom, &bool)| {
            (!broken).then(|| confidence::unit(&atom.relation, steps).chance)
        };
        atoms.iter().zip(&broken).map(chance).collect()
    }

    fn blocks(&self, mut visit: impl FnMut(&Block)) {
        let table = self.samples.steps(self.action);
        let about = (&Frame::empty(), &self.terms);
        blocks((self.samples, table), about, &[None], |_, block| {
            visit(block);
        });
    }
}

/// `x' = assign(x, i, e)`, which says both that `x' = assign(x, i, x'[i])` and that the element `x'[i]` is `e`.
fn with_element(elsewhere: &Expr, element: &Expr, told: &Expr) -> Option<Expr> {
    let value = match &told.kind {
        ExprKind::Apply(Op::Eq, sides) if sides[0] == *element => sides[1].clone(),
        _ if told == element => formula(ExprKind::Bool(true)),
        _ => return None,
    };
    let ExprKind::Apply(Op::Eq, sides) = &elsewhere.kind else {
        return None;
    };
    let ExprKind::Apply(Op::Assign, args) = &sides[1].kind else {
        return None;
    };
    let args = vec![args[0].clone(), args[1].clone(), value];
    Some(equal(
        sides[0].clone(),
        apply(Op::Assign, args, &sides[1].ty),
    ))
}

/// `vote(i, b)`
fn heading(schema: &Schema, action: ActionId) -> String {
    let action = &schema.actions()[action.index()];
    let params: Vec<&str> = action.params.iter().map(|p| p.name.as_str()).collect();
    if params.is_empty() {
        action.name.clone()
    } else {
        format!("{}({})", action.name, params.join(", "))
    }
}
