//! What a high variable may be in terms of the low state.

mod entries;

use ioa_lang::core::{
    Expr, ExprKind, Local, LocalId, Op, Simulation, StateRef, Store, Type, VarId,
};
use ioa_lang::{Span, Value};

use super::basis::Suggesting;
use super::language::atoms::{Truth, literals};
use super::language::formulas::{Formula, Outer};
use super::language::points::{Leaf, Points, in_simulation};
use super::language::terms::Pool;
use super::observed::{Observed, equal, observations};

/// A conjunct of a relation that says what a high variable is.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) conjunct: Formula,
    /// The variable's value as a term, where it has one.
    pub(super) value: Option<Formula>,
    /// How complicated it is.
    pub(super) size: usize,
}

/// Definitions of one kind are enough at this number.
const ENOUGH: usize = 3;
/// Formulas that define a variable are enough at this number.
const FORMULAS: usize = 8;
/// What it costs that a definition has no value in some states.
const PARTIAL: usize = 12;

impl Suggesting<'_> {
    /// Definitions of a high variable that fit all pairs of the sample, the simpler ones first. Where one term says what it is,
    /// other ways are tried only if asked for.
    pub(super) fn definitions(&self, var: VarId, in_every_way: bool) -> Vec<Definition> {
        let ty = self.high().variables[var.index()].ty.clone();
        let indices = self.high_leaf(var).indices;
        let mut found = Vec::new();
        if indices == 0 {
            found.extend(self.confirmed(WHOLE, &|places| self.whole(var, &ty, places)));
        }
        let is_total = |definition: &Definition| definition.conjunct.expr.is_total();
        for observed in observations(&ty) {
            // A definition that always has a value needs no lemma to say so.
            if !in_every_way && ty != Type::Bool && found.iter().any(is_total) {
                break;
            }
            if observed.binders.len() >= indices {
                let by_points = |places: &[Place]| self.pointwise((var, &ty), &observed, places);
                found.extend(self.confirmed(POINTWISE, &by_points));
            }
        }
        let cost = |definition: &Definition| match is_total(definition) {
            true => definition.size,
            false => definition.size + PARTIAL,
        };
        found.sort_by_key(cost);
        found.iter_mut().for_each(|one| one.size = cost(one));
        found
    }

    /// What `find` finds in some low states, as far as it fits all of them. Where nothing does, it is looked for again in
    /// states that refuted it, too.
    fn confirmed(&self, most: usize, find: &Find<'_>) -> Vec<Definition> {
        let mut places = self.chosen(most);
        for _ in 0..ROUNDS {
            let (mut fitting, mut refuting) = (Vec::new(), Vec::new());
            for definition in find(&places) {
                match self.refuted(&definition) {
                    Some(place) => refuting.push(place),
                    None => fitting.push(definition),
                }
            }
            if !fitting.is_empty() || refuting.is_empty() || !self.goes_on() {
                return fitting;
            }
            refuting.dedup();
            places.extend(refuting);
        }
        Vec::new()
    }

    /// A low state beside which a definition holds for no high state that is possible.
    fn refuted(&self, definition: &Definition) -> Option<Place> {
        let holds = self.holds(definition);
        let mut samples = self.samples.iter().zip(&holds).enumerate();
        samples.find_map(|(at, (sample, holds))| {
            let fits = |low: usize| {
                let mut pairs = sample.related[low].iter();
                pairs.any(|high| sample.joint.pair_at(low, *high).is_some_and(|p| holds[p]))
            };
            let states = sample.low_states().into_iter();
            let mut wrong = states.filter(|low| !fits(*low));
            Some((at, wrong.next()?))
        })
    }

    /// Low states that definitions are looked for in, spread over the samples.
    fn chosen(&self, most: usize) -> Vec<Place> {
        let each = most / self.samples.len().max(1);
        let mut chosen = Vec::new();
        for (at, sample) in self.samples.iter().enumerate() {
            let states = sample.low_states();
            let stride = states.len().div_ceil(each.max(1)).max(1);
            chosen.extend(states.into_iter().step_by(stride).map(|low| (at, low)));
        }
        chosen
    }

    /// The values that a high variable may have beside a low state of a sample.
    pub(super) fn allowed(&self, (at, low): Place, var: VarId) -> Vec<Value> {
        let sample = &self.samples[at];
        let layout = sample.instance.layout(self.simulation.high);
        let states = sample.joint.high_states();
        sample.allowed(low, &|high| layout.value(&states[high], var))
    }

    /// The variable as one term.
    fn whole(&self, var: VarId, ty: &Type, chosen: &[Place]) -> Vec<Definition> {
        let leaves = Leaf::variables(self.low(), Store::Low);
        let mut points = Points::new(&self.study.model, &leaves, self.universes.iter());
        let mut allowed = Vec::new();
        for place in chosen {
            if points.add(place.0, &self.low_values(*place)) {
                allowed.push(self.allowed(*place, var));
            }
        }
        let terms = self.fitting(&leaves, &points, ty, &allowed);
        let variable = || self.high_variable(var);
        let definition = |(size, term): (usize, Expr)| Definition {
            conjunct: Formula {
                expr: equal(variable(), term.clone()),
                locals: Vec::new(),
            },
            value: Some(Formula {
                expr: term,
                locals: Vec::new(),
            }),
            size,
        };
        terms.into_iter().map(definition).collect()
    }

    /// Terms of the simulation with allowed values at all points, with their sizes.
    pub(super) fn fitting(
        &self,
        leaves: &[Leaf],
        points: &Points,
        ty: &Type,
        allowed: &[Vec<Value>],
    ) -> Vec<(usize, Expr)> {
        let Some(mut evaluator) = points.evaluator() else {
            return Vec::new();
        };
        for size in 3..=SIZE {
            if !self.goes_on() {
                return Vec::new();
            }
            let grammar = self.grammar(size);
            let pool = grammar.pool(leaves, &mut evaluator);
            let fits = |values: &[Option<Value>]| {
                let mut both = values.iter().zip(allowed);
                both.all(|(value, allowed)| value.as_ref().is_some_and(|v| allowed.contains(v)))
            };
            let terms = pool.of(ty).filter(|term| fits(&term.values));
            let simple = terms.map(|term| (term.size, in_simulation(&term.expr, leaves)));
            let simple: Vec<_> = simple.take(ENOUGH).collect();
            if !simple.is_empty() {
                return simple;
            }
            if *ty == Type::Bool {
                // Formulas say it better than cases.
                continue;
            }
            let conditions = literals(&grammar, &pool, &mut evaluator, CONDITIONS);
            let conditions = conditions.iter().map(|l| (&l.expr, &l.truth));
            let cases = by_cases(&pool, ty, conditions, allowed);
            if !cases.is_empty() {
                let inside = |(size, term): (usize, Expr)| (size, in_simulation(&term, leaves));
                return cases.into_iter().map(inside).collect();
            }
        }
        Vec::new()
    }

    /// The variable by what is seen of it at each index.
    fn pointwise(
        &self,
        (var, ty): (VarId, &Type),
        observed: &Observed,
        places: &[Place],
    ) -> Vec<Definition> {
        let mut leaves = Leaf::variables(self.low(), Store::Low);
        let model = &*self.study.model;
        let locals: Vec<Local> = observed
            .binders
            .iter()
            .map(|ty| Local {
                name: model.initial(ty).to_string().into(),
                ty: ty.clone(),
                span: Span::default(),
            })
            .collect();
        let bound: Vec<LocalId> = (0..locals.len()).map(LocalId::at).collect();
        for (id, ty) in bound.iter().zip(&observed.binders) {
            leaves.push(Leaf::bound(*id, ty.clone()));
        }
        let Some(seen) = self.seen(var, observed, places) else {
            return Vec::new();
        };
        let outer = Outer {
            leaves,
            points: seen.points.clone(),
            locals,
        };
        let place = self.at_indices(var, ty, &bound, observed);
        match &observed.entry {
            Some(entry) => self.by_entries(&outer, (place, entry), &bound, &seen),
            None => self.truths(var, &outer, &place, &bound, &seen),
        }
    }

    pub(super) fn high_variable(&self, var: VarId) -> Expr {
        let state = StateRef {
            store: Store::High,
            var,
        };
        let ty = self.high().variables[var.index()].ty.clone();
        Expr::new(ExprKind::State(state), ty, Span::default())
    }

    fn high_leaf(&self, var: VarId) -> Leaf {
        Leaf::variables(self.high(), Store::High).swap_remove(var.index())
    }
}

/// A low state: the sample, and its position there.
pub(super) type Place = (usize, usize);

/// What finds definitions that fit some low states.
type Find<'f> = dyn Fn(&[Place]) -> Vec<Definition> + 'f;

/// So often definitions are looked for again, in states that refuted those found before.
const ROUNDS: usize = 5;
/// Low states that a formula is looked for in, with values of bound variables.
const POINTWISE: usize = 60;
/// Low states that one term is looked for in.
const WHOLE: usize = 160;
/// The size of the largest terms.
const SIZE: usize = 4;
/// Conditions that distinguish cases.
const CONDITIONS: usize = 80;

/// The relation of a simulation, if it speaks of nothing but the two states.
pub(super) fn stated(simulation: &Simulation) -> Option<Definition> {
    let mut reads_block = false;
    simulation.relation.walk(&mut |part| {
        if let ExprKind::State(state) = &part.kind {
            reads_block |= state.store == Store::Block;
        }
    });
    let conjunct = Formula {
        expr: simulation.relation.clone(),
        locals: simulation.locals.clone(),
    };
    (!reads_block && !simulation.relation.is_true()).then_some(Definition {
        conjunct,
        value: None,
        size: 0,
    })
}

/// Terms that distinguish two cases, with their sizes.
fn by_cases<'c>(
    pool: &Pool,
    ty: &Type,
    conditions: impl Iterator<Item = (&'c Expr, &'c Truth)>,
    allowed: &[Vec<Value>],
) -> Vec<(usize, Expr)> {
    let mut found = Vec::new();
    for (condition, truth) in conditions {
        if found.len() >= ENOUGH {
            break;
        }
        // A negated condition says the same the other way round.
        let is_negated = matches!(condition.kind, ExprKind::Apply(Op::Not, _));
        if is_negated || truth.contains(&None) {
            continue;
        }
        let mut cases = [true, false].map(|case| {
            pool.of(ty).find(|term| {
                let values = term.values.iter().zip(allowed).zip(truth);
                let mut here = values.filter(|(_, holds)| **holds == Some(case));
                here.all(|((value, allowed), _)| {
                    value.as_ref().is_some_and(|v| allowed.contains(v))
                })
            })
        });
        if let [Some(then), Some(otherwise)] = &mut cases {
            let size = 3 + then.size + otherwise.size;
            let parts = [condition, &then.expr, &otherwise.expr].map(|e| Box::new(e.clone()));
            let [condition, then, otherwise] = parts;
            let kind = ExprKind::If(condition, then, otherwise);
            found.push((size, Expr::new(kind, ty.clone(), Span::default())));
        }
    }
    found
}
