//! Terms over the variables of a frame and the state: what atoms relate.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::core::{EnumId, Expr, ExprKind, Function, FunctionId, Local, Model, Op, Type};

use super::frame::Frame;
use crate::build::{empty, enumerator, equal, formula, mask, nil, not};
use crate::focus::{About, placed, places};

/// A term with more parts than this is not made.
const MAX_COST: u32 = 5;
/// Nor are more terms than this, for one frame.
const MAX_TERMS: usize = 160;

/// A term with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) expr: Expr,
    /// What must be true for the term to have a value, outermost first.
    pub(crate) guards: Vec<Expr>,
    /// How many parts it has.
    pub(crate) cost: u32,
    /// The variables of the frame in it, as a mask.
    pub(crate) binders: u8,
    /// Whether it reads the state.
    pub(crate) reads_state: bool,
}

impl Term {
    /// A term without parts that does not read the state.
    pub(crate) fn leaf(expr: Expr) -> Self {
        Self {
            expr,
            guards: Vec::new(),
            cost: 1,
            binders: 0,
            reads_state: false,
        }
    }

    pub(crate) fn ty(&self) -> &Type {
        &self.expr.ty
    }

    /// Whether it is a variable of the frame.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self.expr.kind, ExprKind::Local(_))
    }

    /// An operator applied to this term.
    fn with(&self, op: Op, ty: &Type) -> Self {
        let args = vec![self.expr.clone()];
        Self {
            expr: Expr::apply(op, args, ty.clone(), Span::default()),
            cost: self.cost + 1,
            ..self.clone()
        }
    }

    /// The same term, defined only where something more is true.
    fn guarded(mut self, guard: Expr) -> Self {
        self.guards.push(guard);
        self
    }

    /// Says nothing where variables of the frame are not what they range over: the term is not defined there.
    pub(crate) fn restrict(&mut self, frame: &Frame) {
        let mut guards = frame.premises(self.binders);
        let others = std::mem::take(&mut self.guards).into_iter();
        let others: Vec<Expr> = others.filter(|guard| !guards.contains(guard)).collect();
        let count = frame.binders.len();
        for premise in &guards {
            self.binders |= mask(premise, count);
        }
        guards.extend(others);
        self.guards = guards;
    }
}

/// Of an enumeration at most so many constants are looked at.
const MAX_ENUMERATORS: usize = 12;

/// The constants of an enumeration.
pub(crate) fn enumerators(model: &Model, id: EnumId) -> Vec<Term> {
    let count = model.enumerations[id.index()].values.len();
    let positions = 0..u32::try_from(count.min(MAX_ENUMERATORS)).unwrap_or(0);
    let values = positions.map(|at| Term::leaf(enumerator(id, at)));
    values.collect()
}

/// What several terms are together, for something that is made of them.
pub(crate) fn joined(parts: &[&Term], expr: Expr) -> Term {
    let mut guards: Vec<Expr> = Vec::new();
    for guard in parts.iter().flat_map(|part| &part.guards) {
        if !guards.contains(guard) {
            guards.push(guard.clone());
        }
    }
    Term {
        expr,
        guards,
        cost: 1 + parts.iter().map(|part| part.cost).sum::<u32>(),
        binders: parts.iter().fold(0, |mask, part| mask | part.binders),
        reads_state: parts.iter().any(|part| part.reads_state),
    }
}

/// All terms of a frame, the simplest first, with the locals: the variables of the frame, then those that are bound in terms.
pub(crate) fn terms(about: About<'_>, frame: &Frame) -> (Vec<Term>, Vec<Local>) {
    let (model, automaton) = (about.model, about.automaton);
    let mut locals = frame.binders.clone();
    let mut all: Vec<Term> = Vec::new();
    for (at, variable) in frame.variables().enumerate() {
        all.push(Term {
            binders: 1 << at,
            ..Term::leaf(variable)
        });
    }
    let setting = model.setting([automaton]);
    let operators: Vec<_> = model.known_operators(&setting).collect();
    let fields: Vec<Term> = all
        .iter()
        .flat_map(|v| scalar_fields((model, frame), v))
        .collect();
    all.extend(nullary(&operators));
    let mut indices = all.clone();
    indices.extend(fields);
    all.extend(about.variables().map(|variable| Term {
        reads_state: true,
        ..Term::leaf(variable)
    }));
    all.extend(own(about, frame, &mut locals));
    let mut indices: Vec<Term> = indices
        .into_iter()
        .chain(
            all.iter()
                .filter(|t| t.reads_state && is_scalar(t.ty()))
                .cloned(),
        )
        .collect();
    let images: Vec<Term> = indices.iter().flat_map(|t| images(&operators, t)).collect();
    all.extend(images.iter().cloned());
    let is_index = |image: &Term| !(frame.is_lean && is_step(image));
    indices.extend(images.into_iter().filter(is_index));
    let mut at = 0;
    while at < all.len() && all.len() < MAX_TERMS {
        let more = parts((model, frame), &all[at], &indices);
        all.extend(more.into_iter().filter(|t| t.cost <= MAX_COST));
        at += 1;
    }
    all.truncate(MAX_TERMS);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    all.retain(|term| seen.insert(format!("{:?}", term.expr.kind)));
    all.sort_by_key(|term| term.cost);
    (all, locals)
}

/// The terms that somebody gave, with variables of the frame in place of their own. They count as simple, for they are asked for.
fn own(about: About<'_>, frame: &Frame, locals: &mut Vec<Local>) -> Vec<Term> {
    let types: Vec<&Type> = frame.binders.iter().map(|binder| &binder.ty).collect();
    let mut made = Vec::new();
    for own in about.focus.own() {
        let open = own.locals[..own.open].iter().map(|local| &local.ty);
        for way in places(open, &types) {
            let placed = placed(about.model, own, &way, locals);
            made.push(Term {
                binders: way.iter().fold(0, |mask, at| mask | 1 << at),
                guards: placed.guards,
                reads_state: true,
                ..Term::leaf(placed.expr)
            });
        }
    }
    made
}

/// The operators without arguments: the parameters of automata, mostly.
fn nullary(operators: &[(FunctionId, &Function)]) -> Vec<Term> {
    let constants = operators
        .iter()
        .filter(|(_, f)| f.params.is_empty() && f.result != Type::Bool);
    let term = |(id, f): &(FunctionId, &Function)| {
        let kind = ExprKind::Theory(*id, Vec::new());
        Term::leaf(Expr::new(kind, f.result.clone(), Span::default()))
    };
    constants.map(term).collect()
}

/// The operators of one argument, applied to a term: `right(i)`.
fn images(operators: &[(FunctionId, &Function)], term: &Term) -> Vec<Term> {
    let fits = |f: &Function| f.params == [term.ty().clone()] && f.result != Type::Bool;
    let fitting = operators.iter().filter(|(_, f)| fits(f));
    let image = |(id, f): &(FunctionId, &Function)| {
        let kind = ExprKind::Theory(*id, vec![term.expr.clone()]);
        joined(&[term], Expr::new(kind, f.result.clone(), Span::default()))
    };
    fitting.map(image).collect()
}

/// Whether a term is the image of another one of the same type: `right(i)`.
pub(crate) fn is_step(term: &Term) -> bool {
    match &term.expr.kind {
        ExprKind::Theory(_, args) => args.iter().any(|arg| arg.ty == term.expr.ty),
        _ => false,
    }
}

/// Whether values of a type have no parts.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Sort(_) | Type::Enum(_) | Type::Nat | Type::Int)
}

/// The fields without parts of a bound tuple, by which arrays may be indexed: whom a message is for, say.
fn scalar_fields(about: (&Model, &Frame), variable: &Term) -> Vec<Term> {
    let mut fields = parts(about, variable, &[]);
    fields.retain(|field| field.guards.is_empty() && is_scalar(field.ty()));
    fields
}

/// What can be taken from a term: elements at indices, fields, what is carried, lengths. The sizes of sets are left out: as parts of
/// clauses they describe small instances rather than the automaton.
fn parts((model, frame): (&Model, &Frame), whole: &Term, indices: &[Term]) -> Vec<Term> {
    let fitting = |ty: &Type| indices.iter().filter(|i| i.ty() == ty).collect::<Vec<_>>();
    match whole.ty() {
        Type::Array(index, element) => {
            let select = |at: &Term| {
                let args = vec![whole.expr.clone(), at.expr.clone()];
                let expr = Expr::apply(Op::Select, args, (**element).clone(), Span::default());
                let made = joined(&[whole, at], expr);
                Term {
                    cost: made.cost - 1,
                    ..made
                }
            };
            fitting(index).into_iter().map(select).collect()
        }
        Type::Map(domain, range) => {
            let entry = |at: &Term| {
                let args = vec![whole.expr.clone(), at.expr.clone()];
                let defined = formula(ExprKind::Apply(Op::Defined, args.clone()));
                let expr = Expr::apply(Op::Lookup, args, (**range).clone(), Span::default());
                [
                    joined(&[whole, at], defined.clone()),
                    joined(&[whole, at], expr).guarded(defined),
                ]
            };
            fitting(domain).into_iter().flat_map(entry).collect()
        }
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter().zip(0..);
            fields
                .map(|((_, ty), at)| whole.with(Op::Field(at), ty))
                .collect()
        }
        Type::Null(inner) => {
            let there = not(equal(whole.expr.clone(), nil(whole.ty())));
            let value = whole.with(Op::Val, inner).guarded(there);
            // What is there is no further part: the term is as intricate as one that need not be `nil`.
            let cost = whole.cost;
            vec![Term { cost, ..value }]
        }
        Type::Union(id) => {
            let union = &model.unions[id.index()];
            let tag = whole.with(Op::Tag, &Type::Enum(union.tags));
            let payload = |((_, ty), at): (&(ioa_lang::Name, Type), u32)| {
                let is = equal(tag.expr.clone(), enumerator(union.tags, at));
                whole.with(Op::Payload(at), ty).guarded(is)
            };
            let carried = union.variants.iter().zip(0..).map(payload);
            carried.chain([tag.clone()]).collect()
        }
        Type::Mset(element) if !frame.is_lean => {
            let count = |of: &Term| {
                let args = vec![of.expr.clone(), whole.expr.clone()];
                let expr = Expr::apply(Op::Count, args, Type::Nat, Span::default());
                joined(&[whole, of], expr)
            };
            fitting(element).into_iter().map(count).collect()
        }
        Type::Seq(element) => parts_of_sequence(frame, (whole, element), indices),
        _ => Vec::new(),
    }
}

/// Whether a term is a number in a bound tuple, which may say where something is in a sequence: that of a packet, say.
fn is_number_in_tuple(term: &Term) -> bool {
    let is_field = matches!(&term.expr.kind, ExprKind::Apply(Op::Field(_), _));
    is_field && *term.ty() == Type::Nat && !term.reads_state
}

/// Whether a term is what stands where a bound tuple says, in some sequence.
pub(crate) fn is_where_a_tuple_says(term: &Term) -> bool {
    match &term.expr.kind {
        ExprKind::Apply(Op::Nth, parts) => {
            matches!(parts[1].kind, ExprKind::Apply(Op::Field(_), _))
        }
        _ => false,
    }
}

/// The length, the ends, and the elements at positions that variables of the frame range over, or that are numbers in them.
fn parts_of_sequence(
    frame: &Frame,
    (whole, element): (&Term, &Type),
    indices: &[Term],
) -> Vec<Term> {
    let some = not(equal(whole.expr.clone(), empty(whole.ty())));
    let ends = [Op::Head, Op::Last].map(|op| whole.with(op, element).guarded(some.clone()));
    // Where variables range over all positions, the ends are among them: what is said of an end would hide what is true of all.
    let is_position = |at: &Expr| frame.sequence(at).is_some_and(|s| s.ty == *whole.ty());
    let has_positions = frame.variables().any(|at| is_position(&at));
    let ends = ends.into_iter().filter(|_| !has_positions);
    let len = whole.with(Op::Len, &Type::Nat);
    let is_named = |at: &Term| is_position(&at.expr) || is_number_in_tuple(at);
    let positions = indices.iter().filter(|at| is_named(at));
    let nth = positions.map(|at| {
        let args = vec![at.expr.clone(), len.expr.clone()];
        let is_within = formula(ExprKind::Apply(Op::Lt, args));
        let args = vec![whole.expr.clone(), at.expr.clone()];
        let expr = Expr::apply(Op::Nth, args, element.clone(), Span::default());
        let made = joined(&[whole, at], expr).guarded(is_within);
        Term {
            cost: made.cost - 1,
            ..made
        }
    });
    let nth: Vec<Term> = nth.collect();
    [len].into_iter().chain(ends).chain(nth).collect()
}
