//! Between which integers the variables of an automaton stay, found by looking at its text alone.
//!
//! Abstract interpretation with intervals (Cousot and Cousot, "Abstract interpretation", 1977): each place has one interval,
//! whatever value it is in; start states and effects make it larger, conditions on the way to an assignment keep what is
//! assigned small. An interval that keeps growing jumps to the next number that the text names, and in the end to infinity.
//!
//! Nothing depends on it that the intervals are right: they are first [ranges](super::Ranges), which are checked.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::ToPrimitive;

use super::{Place, Range};
use crate::core::{
    self, AutomatonId, Expr, ExprKind, Fingerprint, LocalId, Model, Op, Projection, StateRef, Stmt,
    StmtKind, Store, Transition, Type, VarId, exprs_of_stmts, fingerprint,
};

/// After so many rounds an interval jumps when it grows.
const PLAIN_ROUNDS: usize = 4;

/// No more rounds than this are made.
const MAX_ROUNDS: usize = 200;

/// What is farther from zero is infinity, or as good as that.
const FAR: i64 = 1 << 31;

/// All integers; its ends stand for infinity.
const ALL: Range = Range {
    low: i64::MIN,
    high: i64::MAX,
};

/// The places that an automaton puts integers in, with the finite intervals that were found.
#[must_use]
pub fn intervals(model: &Model, automaton: AutomatonId) -> BTreeMap<Place, Range> {
    let mut analysis = Analysis {
        model,
        automaton,
        found: BTreeMap::new(),
        steps: steps(model, automaton),
        round: 0,
        changed: true,
    };
    while analysis.changed {
        if analysis.round == MAX_ROUNDS {
            return BTreeMap::new();
        }
        analysis.pass();
    }
    let is_finite = |range: &Range| range.low > -FAR && range.high < FAR;
    analysis.found.retain(|_, range| is_finite(range));
    analysis.found
}

/// The numbers that an automaton names, with those beside them: where growing intervals pause.
fn steps(model: &Model, automaton: AutomatonId) -> BTreeSet<i64> {
    let mut found = BTreeSet::from([0]);
    let mut note = |e: &Expr| {
        if let ExprKind::Int(n) = &e.kind
            && let Some(n) = n.to_i64()
        {
            let around = [n.saturating_sub(1), n, n.saturating_add(1)];
            found.extend(around.iter().flat_map(|n| [*n, n.saturating_neg()]));
        }
    };
    let core = model.automaton(automaton);
    for clause in &core.transitions {
        clause.pre.walk(&mut note);
        clause.applies.walk(&mut note);
        exprs_of_stmts(&clause.effect, &mut |term| term.walk(&mut note));
    }
    exprs_of_stmts(&core.start.program.body, &mut |term| term.walk(&mut note));
    found
}

/// What is known at one point of a clause.
#[derive(Clone, Default)]
struct Scene {
    /// Bound variables.
    locals: BTreeMap<LocalId, Range>,
    /// Terms that name a part of the state, with the variables they mention.
    terms: BTreeMap<Fingerprint, (BTreeSet<VarId>, Range)>,
    /// Whether the point cannot be reached.
    dead: bool,
}

impl Scene {
    /// Forgets what was known of a variable.
    fn forget(&mut self, variable: VarId) {
        self.terms
            .retain(|_, (mentioned, _)| !mentioned.contains(&variable));
    }

    /// Keeps what is known in another scene as well.
    fn meet(&mut self, other: &Self) {
        if !other.dead {
            self.terms
                .retain(|term, known| other.terms.get(term) == Some(known));
        }
    }
}

struct Analysis<'m> {
    model: &'m Model,
    automaton: AutomatonId,
    /// The intervals so far; nothing for a place that has no integer yet.
    found: BTreeMap<Place, Range>,
    steps: BTreeSet<i64>,
    round: usize,
    changed: bool,
}

impl<'m> Analysis<'m> {
    /// Looks at everything once.
    fn pass(&mut self) {
        self.round += 1;
        self.changed = false;
        let core = self.model.automaton(self.automaton);
        self.block(&core.start.program.body, &mut Scene::default());
        for clause in &core.transitions {
            self.clause(clause);
        }
    }

    fn clause(&mut self, clause: &'m Transition) {
        let mut scene = Scene::default();
        // Twice, for a condition may say something of a term in one before it.
        for condition in [&clause.applies, &clause.pre, &clause.applies, &clause.pre] {
            self.assume(condition, &mut scene);
        }
        self.walk(&clause.applies, &scene);
        self.walk(&clause.pre, &scene);
        self.block(&clause.effect, &mut scene);
        self.walk(&clause.ensuring, &scene);
    }

    /// Makes the interval of a place large enough.
    fn join(&mut self, place: Place, range: Option<Range>) {
        let Some(range) = range else { return };
        let Some(old) = self.found.get(&place).copied() else {
            self.changed = true;
            self.found.insert(place, range);
            return;
        };
        let mut new = old.hull(range);
        if new == old {
            return;
        }
        if self.round > PLAIN_ROUNDS {
            if new.high > old.high {
                let next = self.steps.range(new.high..).next();
                new.high = next.copied().unwrap_or(ALL.high);
            }
            if new.low < old.low {
                let next = self.steps.range(..=new.low).next_back();
                new.low = next.copied().unwrap_or(ALL.low);
            }
        }
        self.changed = true;
        self.found.insert(place, new);
    }

    fn block(&mut self, block: &'m [Stmt], scene: &mut Scene) {
        for statement in block {
            if !scene.dead {
                self.statement(statement, scene);
            }
        }
    }

    fn statement(&mut self, statement: &'m Stmt, scene: &mut Scene) {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                self.walk(value, scene);
                let range = value.ty.is_integer().then(|| self.interval(value, scene));
                self.assign(place, range.flatten(), scene);
            }
            StmtKind::Choose {
                place,
                binder,
                predicate,
                det,
            } => {
                self.assume(predicate, scene);
                det.iter().for_each(|term| self.walk(term, scene));
                let known = scene.locals.get(binder).copied();
                self.assign(place, known.or(Some(every(&place.ty))), scene);
            }
            StmtKind::If {
                branches,
                otherwise,
            } => self.branch(branches, otherwise, scene),
            StmtKind::For {
                binder,
                range,
                body,
            } => {
                scene.terms.clear();
                // There may be no turn at all, and nothing of one is known after it.
                let mut inside = scene.clone();
                match range {
                    core::Range::In(set) => {
                        self.walk(set, scene);
                        let elements = self.elements(set);
                        inside.locals.extend(elements.map(|range| (*binder, range)));
                    }
                    core::Range::Where(predicate) => self.assume(predicate, &mut inside),
                }
                self.block(body, &mut inside);
            }
            StmtKind::While(condition, body) => {
                scene.terms.clear();
                let mut inside = scene.clone();
                self.assume(condition, &mut inside);
                self.block(body, &mut inside);
            }
            StmtKind::Fire(_) => {}
        }
    }

    fn branch(
        &mut self,
        branches: &'m [(Expr, Vec<Stmt>)],
        otherwise: &'m [Stmt],
        scene: &mut Scene,
    ) {
        let (mut after, mut rest): (Option<Scene>, Scene) = (None, scene.clone());
        let mut ends = Vec::new();
        for (condition, body) in branches {
            self.walk(condition, scene);
            let mut inside = rest.clone();
            self.assume(condition, &mut inside);
            self.block(body, &mut inside);
            ends.push(inside);
            self.assume_not(condition, &mut rest);
        }
        self.block(otherwise, &mut rest);
        ends.push(rest);
        for end in ends.into_iter().filter(|end| !end.dead) {
            match &mut after {
                None => after = Some(end),
                Some(after) => after.meet(&end),
            }
        }
        match after {
            Some(after) => scene.terms = after.terms,
            None => scene.dead = true,
        }
    }

    /// Notes that an integer, if it is one, is put in a place of the state.
    fn assign(&mut self, target: &core::Place, range: Option<Range>, scene: &mut Scene) {
        let variable = target.root.var;
        let core = self.model.automaton(self.automaton);
        let mut ty = core.variables[variable.index()].ty.clone();
        let mut place = Place::Variable(self.automaton, variable);
        for projection in &target.path {
            let (position, inner) = match (projection, &ty) {
                (Projection::Index(_), Type::Array(_, inner)) => (1, (**inner).clone()),
                (Projection::Entry(key), Type::Map(_, inner)) => {
                    if key.ty.is_integer() {
                        let keys = self.interval(key, scene);
                        self.join(Place::Part(ty.clone(), 0), keys);
                    }
                    (1, (**inner).clone())
                }
                (Projection::Field(field), Type::Tuple(id)) => {
                    let fields = &self.model.tuples[id.index()].fields;
                    (*field, fields[*field as usize].1.clone())
                }
                _ => return,
            };
            place = Place::Part(ty, position);
            ty = inner;
        }
        scene.forget(variable);
        if !ty.is_integer() {
            return;
        }
        self.join(place, range);
        if let (true, Some(range)) = (target.path.is_empty(), range) {
            let kind = ExprKind::State(target.root);
            let span = target.span;
            let term = fingerprint(&Expr { kind, ty, span });
            scene
                .terms
                .insert(term, (BTreeSet::from([variable]), range));
        }
    }

    /// Notes the integers that a term puts into composite values.
    fn walk(&mut self, expr: &Expr, scene: &Scene) {
        // What is known inside a binder's scope is not known outside of it.
        let mut inside = scene.clone();
        match &expr.kind {
            ExprKind::Apply(op, args) => self.constructed(expr, *op, args, scene),
            ExprKind::Comprehension(binder, body) => {
                self.assume(body, &mut inside);
                if let Type::Set(element) = &expr.ty
                    && element.is_integer()
                {
                    let known = inside.locals.get(binder).copied();
                    let range = known.or(Some(every(element)));
                    self.join(Place::Part(expr.ty.clone(), 0), range);
                }
            }
            ExprKind::Quantified(_, _, body) => match &body.kind {
                ExprKind::Apply(Op::Implies, args) => self.assume(&args[0], &mut inside),
                _ => self.assume(body, &mut inside),
            },
            _ => {}
        }
        inside.dead = false;
        expr.children().for_each(|child| self.walk(child, &inside));
    }

    fn constructed(&mut self, expr: &Expr, op: Op, args: &[Expr], scene: &Scene) {
        let parts: Vec<(u32, &Expr)> = match op {
            Op::Tuple => (0..).zip(args).collect(),
            Op::SetField(field) => vec![(field, &args[1])],
            Op::Constant => vec![(1, &args[0])],
            Op::Assign => vec![(1, &args[2])],
            Op::Update => vec![(0, &args[1]), (1, &args[2])],
            Op::Insert | Op::Embed => vec![(0, &args[0])],
            Op::Variant(variant) => vec![(variant, &args[0])],
            _ => return,
        };
        for (position, part) in parts {
            if part.ty.is_integer() {
                let range = self.interval(part, scene);
                self.join(Place::Part(expr.ty.clone(), position), range);
            }
        }
    }

    /// The interval of the elements of a set of integers, or of the keys of a map.
    fn elements(&self, set: &Expr) -> Option<Range> {
        self.found.get(&Place::Part(set.ty.clone(), 0)).copied()
    }

    /// The interval of an integer; nothing if there is none yet.
    fn interval(&self, expr: &Expr, scene: &Scene) -> Option<Range> {
        let all = every(&expr.ty);
        let range = match &expr.kind {
            ExprKind::Int(n) => n.to_i64().map_or(all, |n| Range { low: n, high: n }),
            ExprKind::Local(local) => scene.locals.get(local).copied().unwrap_or(all),
            ExprKind::If(_, a, b) => match (self.interval(a, scene), self.interval(b, scene)) {
                (Some(a), Some(b)) => a.hull(b),
                (one, other) => return one.or(other),
            },
            _ => match self.place(expr) {
                Some(place) => {
                    let known = scene.terms.get(&fingerprint(expr)).map(|(_, range)| *range);
                    known.or_else(|| self.found.get(&place).copied())?
                }
                None => match &expr.kind {
                    ExprKind::Apply(op, args) => self.computed(*op, args, all, scene)?,
                    _ => all,
                },
            },
        };
        let range = intersection(range, all);
        (range.low <= range.high).then_some(range)
    }

    fn computed(&self, op: Op, args: &[Expr], all: Range, scene: &Scene) -> Option<Range> {
        // Each argument once, for terms may be nested deeply.
        let ranges: Vec<Option<Range>> = match op {
            Op::Add
            | Op::Sub
            | Op::Neg
            | Op::Mul
            | Op::Min
            | Op::Max
            | Op::Abs
            | Op::Mod
            | Op::Div => args.iter().map(|arg| self.interval(arg, scene)).collect(),
            _ => Vec::new(),
        };
        let arg = |at: usize| ranges.get(at).copied().flatten();
        let products = |a: Range, b: Range| {
            let ends = [
                (a.low, b.low),
                (a.low, b.high),
                (a.high, b.low),
                (a.high, b.high),
            ];
            ends.map(|(a, b)| a.saturating_mul(b))
        };
        Some(match op {
            Op::Add => Range {
                low: arg(0)?.low.saturating_add(arg(1)?.low),
                high: arg(0)?.high.saturating_add(arg(1)?.high),
            },
            Op::Sub => Range {
                low: arg(0)?.low.saturating_sub(arg(1)?.high),
                high: arg(0)?.high.saturating_sub(arg(1)?.low),
            },
            Op::Neg => Range {
                low: arg(0)?.high.saturating_neg(),
                high: arg(0)?.low.saturating_neg(),
            },
            Op::Mul => {
                let ends = products(arg(0)?, arg(1)?);
                Range {
                    low: ends.into_iter().fold(i64::MAX, i64::min),
                    high: ends.into_iter().fold(i64::MIN, i64::max),
                }
            }
            Op::Min => Range {
                low: arg(0)?.low.min(arg(1)?.low),
                high: arg(0)?.high.min(arg(1)?.high),
            },
            Op::Max => Range {
                low: arg(0)?.low.max(arg(1)?.low),
                high: arg(0)?.high.max(arg(1)?.high),
            },
            Op::Abs => {
                let Range { low, high } = arg(0)?;
                let high = high.max(low.saturating_neg());
                Range { low: 0, high }
            }
            Op::Mod if arg(1)?.low > 0 => Range {
                low: 0,
                high: arg(1)?.high - 1,
            },
            Op::Div if arg(0)?.low >= 0 && arg(1)?.low > 0 => Range {
                low: 0,
                high: arg(0)?.high / arg(1)?.low,
            },
            _ => all,
        })
    }

    /// The place that a term names a value of.
    fn place(&self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::State(StateRef {
                store: Store::Pre,
                var,
            }) => Some(Place::Variable(self.automaton, *var)),
            ExprKind::Apply(op, args) => {
                let position = match op {
                    Op::Select | Op::Lookup => 1,
                    Op::Field(position) | Op::Payload(position) => *position,
                    Op::Val => 0,
                    _ => return None,
                };
                Some(Place::Part(args[0].ty.clone(), position))
            }
            _ => None,
        }
    }

    /// Takes a condition to be true.
    fn assume(&self, condition: &Expr, scene: &mut Scene) {
        for conjunct in condition.conjuncts() {
            match &conjunct.kind {
                ExprKind::Apply(Op::Lt, args) => self.compare(&args[0], &args[1], 1, scene),
                ExprKind::Apply(Op::Le, args) => self.compare(&args[0], &args[1], 0, scene),
                ExprKind::Apply(Op::Eq, args) => {
                    self.compare(&args[0], &args[1], 0, scene);
                    self.compare(&args[1], &args[0], 0, scene);
                }
                ExprKind::Apply(Op::Member, args) if args[0].ty.is_integer() => {
                    let elements = self.elements(&args[1]);
                    elements
                        .into_iter()
                        .for_each(|range| self.limit(&args[0], range, scene));
                }
                ExprKind::Apply(Op::Defined, args) if args[1].ty.is_integer() => {
                    let keys = self.elements(&args[0]);
                    keys.into_iter()
                        .for_each(|range| self.limit(&args[1], range, scene));
                }
                ExprKind::Apply(Op::Not, args) => self.assume_not(&args[0], scene),
                _ => {}
            }
        }
    }

    /// Takes a condition to be false.
    fn assume_not(&self, condition: &Expr, scene: &mut Scene) {
        match &condition.kind {
            ExprKind::Apply(Op::Lt, args) => self.compare(&args[1], &args[0], 0, scene),
            ExprKind::Apply(Op::Le, args) => self.compare(&args[1], &args[0], 1, scene),
            _ => {}
        }
    }

    /// Takes one integer to be less than another by at least so much.
    fn compare(&self, less: &Expr, more: &Expr, by: i64, scene: &mut Scene) {
        if !less.ty.is_integer() {
            return;
        }
        let (Some(a), Some(b)) = (self.interval(less, scene), self.interval(more, scene)) else {
            return;
        };
        let high = b.high.saturating_sub(by);
        let low = a.low.saturating_add(by);
        self.limit(less, Range { high, ..ALL }, scene);
        self.limit(more, Range { low, ..ALL }, scene);
    }

    /// Takes a term to be in an interval.
    fn limit(&self, expr: &Expr, range: Range, scene: &mut Scene) {
        let Some(old) = self.interval(expr, scene) else {
            return;
        };
        let new = intersection(old, range);
        scene.dead |= new.low > new.high;
        if let ExprKind::Local(local) = expr.kind {
            scene.locals.insert(local, new);
        } else if self.place(expr).is_some() {
            let mut mentioned = BTreeSet::new();
            expr.walk(&mut |e| {
                if let ExprKind::State(state) = e.kind {
                    mentioned.insert(state.var);
                }
            });
            scene.terms.insert(fingerprint(expr), (mentioned, new));
        }
    }
}

/// All values of a type of integers.
fn every(ty: &Type) -> Range {
    let low = if *ty == Type::Nat { 0 } else { ALL.low };
    Range { low, ..ALL }
}

fn intersection(a: Range, b: Range) -> Range {
    Range {
        low: a.low.max(b.low),
        high: a.high.min(b.high),
    }
}
