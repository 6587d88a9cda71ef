//! Bounds on numbers and collections. Where these grow for ever, no instance can be visited as a whole, but the executions in which
//! they stay small can.

use ioa_lang::Span;
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Invariant, Local, LocalId, Model, Op, Quantifier, StateRef, Store,
    Type, VarId, exprs_of_stmts,
};

/// The longest collections that are of interest: longer ones only make for more states.
const LONGEST: u64 = 4;

/// How large numbers and collections may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pipeline::candidates::states) struct Bound {
    /// No number is larger, and none less than its opposite.
    pub(in crate::pipeline::candidates::states) number: u64,
    /// No collection has more elements.
    pub(in crate::pipeline::candidates::states) length: u64,
}

impl Bound {
    /// Numbers may grow by so much beyond those that an automaton begins with, and collections to so many elements.
    pub(in crate::pipeline::candidates::states) fn beyond_start(
        (model, automaton): (&Model, AutomatonId),
        by: u64,
    ) -> Self {
        Self {
            number: largest_at_start(model, automaton).saturating_add(by),
            length: by.min(LONGEST),
        }
    }
}

/// The largest number in the text of the start states.
fn largest_at_start(model: &Model, automaton: AutomatonId) -> u64 {
    let start = &model.automaton(automaton).start;
    let mut largest = 0;
    let mut note = |expr: &Expr| {
        expr.walk(&mut |part| {
            if let ExprKind::Int(number) = &part.kind {
                largest = largest.max(u64::try_from(number.magnitude()).unwrap_or(0));
            }
        });
    };
    exprs_of_stmts(&start.program.body, &mut note);
    note(&start.so_that);
    largest
}

/// Whether numbers or collections of an automaton may grow for ever, as far as their types tell.
pub(in crate::pipeline::candidates::states) fn may_grow(
    model: &Model,
    automaton: AutomatonId,
) -> bool {
    bounded(model, automaton, Bound::beyond_start((model, automaton), 1)).is_some()
}

/// That no number and no collection in a state is larger than a bound says; nothing if all values have a size of their own.
pub(super) fn bounded(model: &Model, automaton: AutomatonId, bound: Bound) -> Option<Invariant> {
    let mut bounds = Bounds {
        model,
        bound,
        locals: Vec::new(),
    };
    let variables = model.automaton(automaton).variables.iter().enumerate();
    let conditions = variables.filter_map(|(at, variable)| {
        let (store, var) = (Store::Pre, VarId::at(at));
        let kind = ExprKind::State(StateRef { store, var });
        bounds.of(&Expr::new(kind, variable.ty.clone(), Span::default()))
    });
    let conditions: Vec<Expr> = conditions.collect();
    (!conditions.is_empty()).then(|| Invariant {
        name: "bounds".into(),
        automaton,
        formula: Expr::conjunction(conditions, Span::default()),
        locals: bounds.locals,
        uses: None,
        span: Span::default(),
    })
}

/// Says of terms that they are within a bound.
struct Bounds<'m> {
    model: &'m Model,
    bound: Bound,
    locals: Vec<Local>,
}

impl Bounds<'_> {
    /// That a term and its parts are within the bound, if they need not be.
    fn of(&mut self, term: &Expr) -> Option<Expr> {
        match &term.ty {
            Type::Nat => Some(at_most(term.clone(), self.number(false))),
            Type::Int => Some(both(
                at_most(self.number(true), term.clone()),
                Some(at_most(term.clone(), self.number(false))),
            )),
            Type::Seq(_) => self.of_sequence(term),
            Type::Set(element) => self.of_collection((Op::Size, Op::Member), term, element),
            Type::Mset(element) => {
                self.of_collection((Op::MsetSize, Op::MsetMember), term, element)
            }
            Type::Tuple(id) => {
                let types = self.model.tuples[id.index()].fields.iter().zip(0..);
                let fields = types.map(|((_, ty), at)| apply(Op::Field(at), [term.clone()], ty));
                let fields: Vec<Expr> = fields.collect();
                self.all(fields.iter())
            }
            Type::Null(inner) => {
                let nil = apply(Op::Nil, [], &term.ty);
                let is_nil = formula(Op::Eq, [term.clone(), nil]);
                let body = self.of(&apply(Op::Val, [term.clone()], inner))?;
                Some(formula(Op::Or, [is_nil, body]))
            }
            Type::Union(id) => self.of_union(term, id.index()),
            Type::Array(index, element) if !index.is_integer() => {
                let (id, variable) = self.variable(index);
                let entry = apply(Op::Select, [term.clone(), variable], element);
                let body = self.of(&entry)?;
                Some(for_all(id, body))
            }
            _ => None,
        }
    }

    /// That all of some terms are, as far as they need not be.
    fn all<'e>(&mut self, terms: impl Iterator<Item = &'e Expr>) -> Option<Expr> {
        let conditions: Vec<Expr> = terms.filter_map(|term| self.of(term)).collect();
        (!conditions.is_empty()).then(|| Expr::conjunction(conditions, Span::default()))
    }

    fn of_sequence(&mut self, term: &Expr) -> Option<Expr> {
        let Type::Seq(element) = &term.ty else {
            return None;
        };
        let length = apply(Op::Len, [term.clone()], &Type::Nat);
        let is_short = at_most(length.clone(), self.length());
        let (id, position) = self.variable(&Type::Nat);
        let is_position = formula(Op::Lt, [position.clone(), length]);
        let entry = apply(Op::Nth, [term.clone(), position], element);
        let entries = self
            .of(&entry)
            .map(|body| for_all(id, implies(is_position, body)));
        Some(both(is_short, entries))
    }

    /// The same of a set or a multiset. A set of which no element needs a bound has few elements.
    fn of_collection(
        &mut self,
        (size, is_in): (Op, Op),
        term: &Expr,
        element: &Type,
    ) -> Option<Expr> {
        let (id, variable) = self.variable(element);
        let elements = self.of(&variable).map(|body| {
            let is_element = formula(is_in, [variable.clone(), term.clone()]);
            for_all(id, implies(is_element, body))
        });
        if size == Op::Size && elements.is_none() {
            return None;
        }
        let size = apply(size, [term.clone()], &Type::Nat);
        Some(both(at_most(size, self.length()), elements))
    }

    fn of_union(&mut self, term: &Expr, union: usize) -> Option<Expr> {
        let declared = &self.model.unions[union];
        let tags = Type::Enum(declared.tags);
        let tag = apply(Op::Tag, [term.clone()], &tags);
        let mut conditions = Vec::new();
        for ((_, ty), at) in declared.variants.iter().zip(0..) {
            let payload = apply(Op::Payload(at), [term.clone()], ty);
            if let Some(body) = self.of(&payload) {
                let variant = Expr::new(ExprKind::Enumerator(at), tags.clone(), Span::default());
                let is_variant = formula(Op::Eq, [tag.clone(), variant]);
                conditions.push(implies(is_variant, body));
            }
        }
        (!conditions.is_empty()).then(|| Expr::conjunction(conditions, Span::default()))
    }

    /// The bound, or its opposite.
    fn number(&self, is_negative: bool) -> Expr {
        let (number, ty) = match is_negative {
            true => (-num_bigint::BigInt::from(self.bound.number), Type::Int),
            false => (self.bound.number.into(), Type::Nat),
        };
        Expr::new(ExprKind::Int(number), ty, Span::default())
    }

    /// The bound on lengths.
    fn length(&self) -> Expr {
        let number = ExprKind::Int(self.bound.length.into());
        Expr::new(number, Type::Nat, Span::default())
    }

    /// A variable that is bound here.
    fn variable(&mut self, ty: &Type) -> (LocalId, Expr) {
        let id = LocalId::at(self.locals.len());
        self.locals.push(Local {
            name: format!("x{}", id.index()).into(),
            ty: ty.clone(),
            span: Span::default(),
        });
        let kind = ExprKind::Local(id);
        (id, Expr::new(kind, ty.clone(), Span::default()))
    }
}

fn apply(op: Op, args: impl Into<Vec<Expr>>, ty: &Type) -> Expr {
    Expr::apply(op, args.into(), ty.clone(), Span::default())
}

fn formula(op: Op, args: impl Into<Vec<Expr>>) -> Expr {
    apply(op, args, &Type::Bool)
}

fn at_most(term: Expr, most: Expr) -> Expr {
    formula(Op::Le, [term, most])
}

fn implies(premise: Expr, conclusion: Expr) -> Expr {
    formula(Op::Implies, [premise, conclusion])
}

fn both(first: Expr, second: Option<Expr>) -> Expr {
    Expr::conjunction([Some(first), second].into_iter().flatten(), Span::default())
}

fn for_all(id: LocalId, body: Expr) -> Expr {
    let kind = ExprKind::Quantified(Quantifier::ForAll, vec![id], Box::new(body));
    Expr::new(kind, Type::Bool, Span::default())
}
