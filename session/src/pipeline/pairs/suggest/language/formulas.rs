//! Formulas that are true where they are wanted to be: literals, pairs of literals, and these under quantifiers.

use finite::Universe;
use ioa_lang::Span;
use ioa_lang::Value;
use ioa_lang::core::{
    EnumId, Expr, ExprKind, Local, LocalId, Meaning, Op, Quantifier, SortId, Type,
};
use rustc_hash::FxHashSet;

use super::atoms::{Literal, Truth, literals};
use super::domains::{combinations, domain, is_tag};
use super::logic::{fold, implication, joined, prefixes, shifted};
use super::points::{Leaf, Points, in_simulation};
use super::terms::{Grammar, apply};

/// What a formula may read, and the points at which it is looked at.
pub(in crate::pipeline::pairs::suggest) struct Outer {
    pub(in crate::pipeline::pairs::suggest) leaves: Vec<Leaf>,
    pub(in crate::pipeline::pairs::suggest) points: Vec<(usize, Vec<Value>)>,
    /// Bound variables that are in use.
    pub(in crate::pipeline::pairs::suggest) locals: Vec<Local>,
}

/// A formula of the simulation, with its bound variables.
#[derive(Clone, Debug)]
pub(in crate::pipeline::pairs::suggest) struct Formula {
    pub(in crate::pipeline::pairs::suggest) expr: Expr,
    pub(in crate::pipeline::pairs::suggest) locals: Vec<Local>,
}

/// A search for formulas.
pub(in crate::pipeline::pairs::suggest) struct Search<'s> {
    pub(in crate::pipeline::pairs::suggest) grammar: Grammar<'s>,
    pub(in crate::pipeline::pairs::suggest) universes: &'s [Universe],
    /// Whether a formula that is true there is wanted.
    pub(in crate::pipeline::pairs::suggest) fits: &'s dyn Fn(&Truth) -> bool,
    /// So many formulas are enough.
    pub(in crate::pipeline::pairs::suggest) most: usize,
    /// Asked from time to time whether to go on.
    pub(in crate::pipeline::pairs::suggest) goes_on: &'s dyn Fn() -> bool,
}

/// No more literals than this are combined.
const LITERALS: usize = 160;
/// No more points than this are looked at.
const POINTS: usize = 4_000;
/// No more formulas that are not wanted themselves are kept to be combined.
const KEPT: usize = 250;

/// What is found, and what may become a part of it.
struct Found {
    wanted: Vec<(Formula, Truth)>,
    parts: Vec<(Formula, Truth)>,
    known: FxHashSet<Truth>,
}

impl Search<'_> {
    /// Formulas that are wanted, each with where it is true, the simpler ones first.
    pub(in crate::pipeline::pairs::suggest) fn formulas(
        &self,
        outer: &Outer,
    ) -> Vec<(Formula, Truth)> {
        let mut found = Found {
            wanted: Vec::new(),
            parts: Vec::new(),
            known: FxHashSet::default(),
        };
        for axes in self.axes() {
            if found.wanted.len() >= self.most || !(self.goes_on)() {
                return found.wanted;
            }
            self.under(&axes, outer, &mut found);
        }
        self.combined(outer, &mut found);
        found.wanted
    }

    /// The types of quantified variables, outermost first: none, one, two, and those with which a group is asked for.
    fn axes(&self) -> Vec<Vec<Type>> {
        let sorts: Vec<SortId> = (0..self.grammar.model.sorts.len())
            .map(SortId::at)
            .filter(|sort| self.universes.iter().all(|u| !u.is_open(*sort)))
            .collect();
        let mut all = vec![Vec::new()];
        all.extend(sorts.iter().map(|sort| vec![Type::Sort(*sort)]));
        let enums = (0..self.grammar.model.enumerations.len()).map(EnumId::at);
        let written = enums.filter(|id| !is_tag(self.grammar.model, *id));
        all.extend(written.map(|id| vec![Type::Enum(id)]));
        for one in &sorts {
            all.extend(
                sorts
                    .iter()
                    .map(|other| vec![Type::Sort(*one), Type::Sort(*other)]),
            );
        }
        for function in &self.grammar.model.functions {
            if let Meaning::InGroup { member, group } = function.meaning {
                all.extend(
                    sorts
                        .iter()
                        .filter(|sort| **sort != group)
                        .map(|sort| vec![Type::Sort(*sort), Type::Sort(group), Type::Sort(member)]),
                );
            }
        }
        all
    }

    /// Formulas under quantifiers over variables of these types.
    fn under(&self, axes: &[Type], outer: &Outer, found: &mut Found) {
        let model = self.grammar.model;
        let Some((table, counts)) = self.table(axes, outer) else {
            return;
        };
        let Some(mut evaluator) = table.points.evaluator() else {
            return;
        };
        let grammar = Grammar {
            size: if axes.len() > 1 { 3 } else { self.grammar.size },
            ..self.grammar
        };
        let pool = grammar.pool(&table.leaves, &mut evaluator);
        let literals = literals(&grammar, &pool, &mut evaluator, LITERALS);
        let first = outer.leaves.len();
        let binders: Vec<LocalId> = (0..axes.len())
            .map(|at| LocalId::at(outer.locals.len() + at))
            .collect();
        let mut locals = outer.locals.clone();
        locals.extend(axes.iter().map(|ty| Local {
            name: model.initial(ty).to_string().into(),
            ty: ty.clone(),
            span: Span::default(),
        }));
        let under = Under {
            search: self,
            leaves: &table.leaves,
            binders: &binders,
            counts: &counts,
            locals: &locals,
            axes: first..first + axes.len(),
        };
        under.singly(&literals, found);
        under.in_pairs(&literals, &guards(&literals, first, axes), found);
    }

    /// The points with values for variables of these types, and for each outer point how many values each variable has.
    fn table(&self, axes: &[Type], outer: &Outer) -> Option<(Table, Vec<Vec<usize>>)> {
        let model = self.grammar.model;
        let domains: Vec<Vec<Vec<Value>>> = self
            .universes
            .iter()
            .map(|universe| axes.iter().map(|ty| domain(model, universe, ty)).collect())
            .collect::<Vec<Option<_>>>()
            .into_iter()
            .collect::<Option<_>>()?;
        let mut leaves = outer.leaves.clone();
        for (at, ty) in axes.iter().enumerate() {
            let id = LocalId::at(outer.locals.len() + at);
            leaves.push(Leaf::bound(id, ty.clone()));
        }
        let mut points = Points::new(model, &leaves, self.universes.iter());
        let mut counts = Vec::new();
        for (instance, values) in &outer.points {
            let domains = &domains[*instance];
            for inner in combinations(domains) {
                if !points.add(*instance, &[&values[..], &inner[..]].concat()) {
                    return None;
                }
            }
            counts.push(domains.iter().map(Vec::len).collect());
        }
        (points.len() <= POINTS || axes.is_empty()).then_some((Table { leaves, points }, counts))
    }

    /// Conjunctions and disjunctions of formulas that are not wanted by themselves.
    fn combined(&self, outer: &Outer, found: &mut Found) {
        let parts = std::mem::take(&mut found.parts);
        for (at, (one, left)) in parts.iter().enumerate() {
            if found.wanted.len() >= self.most || !(self.goes_on)() {
                return;
            }
            for (other, right) in &parts[at + 1..] {
                for op in [Op::And, Op::Or] {
                    let both = left.iter().zip(right);
                    let truth: Truth = both.map(|(a, b)| joined(op, *a, || *b)).collect();
                    if !(self.fits)(&truth) || !found.known.insert(truth.clone()) {
                        continue;
                    }
                    // The second one's bound variables come after the first one's.
                    let by = one.locals.len() - outer.locals.len();
                    let (shifted, locals) =
                        shifted(&other.expr, &other.locals, outer.locals.len(), by);
                    let expr = apply(op, vec![one.expr.clone(), shifted], Type::Bool);
                    let locals = [&one.locals[..], &locals[..]].concat();
                    found.wanted.push((Formula { expr, locals }, truth));
                }
            }
        }
    }
}

/// Literals that say that the innermost variable belongs to the group before it, negated: what a clause for all members begins
/// with.
fn guards(literals: &[Literal], first: usize, axes: &[Type]) -> Vec<Literal> {
    if axes.len() < 2 {
        return Vec::new();
    }
    let both = [first + axes.len() - 2, first + axes.len() - 1];
    let is_guard = |literal: &&Literal| {
        matches!(&literal.expr.kind, ExprKind::Apply(Op::Not, args) if matches!(args[0].kind, ExprKind::Theory(..)))
            && literal.reads.iter().eq(both.iter())
    };
    literals.iter().filter(is_guard).cloned().collect()
}

/// Leaves, and points at which they have values.
struct Table {
    leaves: Vec<Leaf>,
    points: Points,
}

/// Bodies under quantifiers.
struct Under<'u, 's> {
    search: &'u Search<'s>,
    leaves: &'u [Leaf],
    binders: &'u [LocalId],
    /// For each outer point how many values each bound variable has.
    counts: &'u [Vec<usize>],
    locals: &'u [Local],
    /// The leaves that are bound here.
    axes: std::ops::Range<usize>,
}

impl Under<'_, '_> {
    /// Tries literals by themselves.
    fn singly(&self, literals: &[Literal], found: &mut Found) {
        for one in literals {
            if self.axes.clone().all(|axis| one.reads.contains(&axis)) {
                self.try_body(&[one], found);
            }
        }
    }

    /// Tries pairs of literals, with a guard before them where there are guards.
    fn in_pairs(&self, literals: &[Literal], guards: &[Literal], found: &mut Found) {
        for (at, one) in literals.iter().enumerate() {
            if found.wanted.len() >= self.search.most || !(self.search.goes_on)() {
                return;
            }
            for guard in guards {
                self.try_body(&[guard, one], found);
            }
            for other in &literals[at + 1..] {
                let is_read = |axis| one.reads.contains(&axis) || other.reads.contains(&axis);
                if self.axes.clone().all(is_read) {
                    self.try_body(&[one, other], found);
                }
                for guard in guards {
                    self.try_body(&[guard, one, other], found);
                }
            }
        }
    }

    /// Tries the conjunction and the disjunction of literals under the quantifiers.
    fn try_body(&self, body: &[&Literal], found: &mut Found) {
        let ops: &[Op] = match body {
            [_] => &[Op::And],
            [_, _] => &[Op::And, Op::Or],
            _ => &[Op::Or],
        };
        for op in ops {
            let points = 0..body[0].truth.len();
            let truth: Truth = points
                .map(|at| {
                    let first = body[0].truth[at];
                    body[1..]
                        .iter()
                        .fold(first, |truth, next| joined(*op, truth, || next.truth[at]))
                })
                .collect();
            for prefix in prefixes(self.binders.len()) {
                self.try_under(&prefix, (*op, body, &truth), found);
            }
        }
    }

    fn try_under(
        &self,
        prefix: &[Quantifier],
        (op, body, truth): (Op, &[&Literal], &Truth),
        found: &mut Found,
    ) {
        let truth = self.folded(prefix, truth);
        let fits = (self.search.fits)(&truth);
        if !fits && found.parts.len() >= KEPT || !found.known.insert(truth.clone()) {
            return;
        }
        let body: Vec<Expr> = body.iter().map(|l| l.expr.clone()).collect();
        let whole = match body.len() {
            1 => body[0].clone(),
            _ => implication(op, body),
        };
        let mut expr = in_simulation(&whole, self.leaves);
        for (binder, quantifier) in self.binders.iter().zip(prefix).rev() {
            let kind = ExprKind::Quantified(*quantifier, vec![*binder], Box::new(expr));
            expr = Expr::new(kind, Type::Bool, Span::default());
        }
        let formula = Formula {
            expr,
            locals: self.locals.to_vec(),
        };
        match fits {
            true => found.wanted.push((formula, truth)),
            false => found.parts.push((formula, truth)),
        }
    }

    /// Where a formula under quantifiers is true.
    fn folded(&self, prefix: &[Quantifier], truth: &Truth) -> Truth {
        let mut at = 0;
        let outer = self.counts.iter().map(|counts| {
            let all: usize = counts.iter().product();
            let inner = &truth[at..at + all];
            at += all;
            fold(prefix, counts, inner)
        });
        outer.collect()
    }
}
