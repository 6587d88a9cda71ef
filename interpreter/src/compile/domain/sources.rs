//! Values that conditions give to a variable indirectly, computed: see [`Source`].

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Op, Source, SourceFinder, Type};

use super::super::Compiler;
use super::is_enumerable;
use crate::code::{self, Case, Domain, Term, Word};
use crate::state::cell::Shape;

impl Compiler<'_> {
    /// The sources of values for `x`, if a condition names such.
    pub(super) fn sources<'e>(
        &self,
        x: LocalId,
        conditions: &[&'e Expr],
    ) -> Option<Vec<Source<'e>>> {
        self.finding(|finder| finder.of(x, conditions))
    }

    /// The only value that `x` can have if conditions say what each of its fields equals.
    pub(super) fn assembled(&self, x: LocalId, conditions: &[&Expr]) -> Option<Expr> {
        let ty = self.local_type(x).clone();
        let Type::Tuple(id) = ty else {
            return None;
        };
        let fields = &self.scope.model.tuples[id.index()].fields;
        let types = fields.iter().map(|(_, ty)| ty);
        let given = self.finding(|finder| finder.fields(x, types, conditions))?;
        let parts = given.into_iter().cloned().collect();
        let span = self.declared(x).span;
        Some(Expr::apply(Op::Tuple, parts, ty, span))
    }

    fn finding<T>(&self, find: impl FnOnce(SourceFinder<'_>) -> T) -> T {
        find(SourceFinder {
            is_total: &|term| self.has_value(term),
            is_tried: &|local| self.is_tried(local),
            is_known: &|_, _| true,
        })
    }

    /// Whether all values of a variable can be tried.
    fn is_tried(&self, x: LocalId) -> bool {
        let (model, universe) = (self.scope.model, self.scope.universe);
        let shape = Shape::of(model, universe, self.local_type(x));
        matches!(&*shape, Shape::Packed(packing) if is_enumerable(packing))
    }

    /// The values at some sources.
    pub(super) fn found(&mut self, x: LocalId, sources: &[Source<'_>]) -> Domain {
        let found = sources.iter().map(|source| self.values_at(x, source));
        let found: Vec<code::Source> = found.collect();
        let cases: Option<Box<[Case]>> = found.iter().map(case_of).collect();
        cases.map_or_else(|| Domain::Found(found.into()), Domain::OneOf)
    }

    fn values_at(&mut self, x: LocalId, source: &Source<'_>) -> code::Source {
        let Source {
            root,
            element,
            path,
            each,
            given,
            guards: known,
        } = source;
        let ty = element.as_ref().unwrap_or(&root.ty).clone();
        let (outer, slot, mut value) = match each {
            Some(each) => {
                let (all, _) = self.domain(*each, Vec::new(), root.span);
                (all, *each, (*root).clone())
            }
            None => {
                let whole = self.declare(&ty, root.span);
                let outer = match element {
                    Some(element) => self.all_elements(root, element),
                    None => Domain::Exactly(self.term(root)),
                };
                let value = Expr::new(ExprKind::Local(whole), ty, root.span);
                (outer, whole, value)
            }
        };
        let mut guards = Vec::new();
        for (pattern, argument) in path {
            let (guard, part) = self.part_at(value, pattern, *argument);
            guards.extend(guard);
            value = part;
        }
        if *self.local_type(x) == Type::Nat && value.ty == Type::Int {
            let zero = Expr::new(ExprKind::Int(0.into()), Type::Int, value.span);
            guards.push(boolean(Op::Le, vec![zero, value.clone()]));
        }
        let guards: Vec<&Expr> = known.iter().copied().chain(&guards).collect();
        code::Source {
            given: self.conjunction(given),
            outer,
            slot: slot.0,
            filter: self.conjunction(&guards),
            value: self.term(&value),
        }
    }

    /// The part of a value that stands where a pattern has an argument, and what says that the value has such a part.
    fn part_at(&self, value: Expr, pattern: &Expr, argument: usize) -> (Option<Expr>, Expr) {
        let span = value.span;
        let part = |op: Op, value: Expr, ty: &Type| Expr::apply(op, vec![value], ty.clone(), span);
        let model = self.scope.model;
        match (&pattern.kind, value.ty.clone()) {
            (ExprKind::Apply(Op::Embed, _), Type::Null(inner)) => {
                let nil = Expr::apply(Op::Nil, Vec::new(), value.ty.clone(), span);
                let is_nil = boolean(Op::Eq, vec![value.clone(), nil]);
                let guard = boolean(Op::Not, vec![is_nil]);
                (Some(guard), part(Op::Val, value, &inner))
            }
            (ExprKind::Apply(Op::Variant(variant), _), Type::Union(id)) => {
                let union = &model.unions[id.index()];
                let tags = Type::Enum(union.tags);
                let tag = Expr::apply(Op::Tag, vec![value.clone()], tags.clone(), span);
                let own = Expr::new(ExprKind::Enumerator(*variant), tags, span);
                let ty = &union.variants[*variant as usize].1;
                let guard = boolean(Op::Eq, vec![tag, own]);
                (Some(guard), part(Op::Payload(*variant), value, ty))
            }
            (ExprKind::Apply(Op::Tuple, _), Type::Tuple(id)) => {
                let ty = &model.tuples[id.index()].fields[argument].1;
                (None, part(Op::Field(argument as u32), value, ty))
            }
            (pattern, ty) => {
                unreachable!("a pattern of a source is of its type: {pattern:?}, {ty:?}")
            }
        }
    }
}

/// A source with one value, as a term that gives it, if it is a word, as is what it is a part of.
fn case_of(source: &code::Source) -> Option<Case> {
    let (Domain::Exactly(Term::Word(whole)), Term::Word(value)) = (&source.outer, &source.value)
    else {
        return None;
    };
    let of_whole = |part: &Word| {
        let parts = [whole.clone(), part.clone()];
        Word::Let(source.slot, Box::new(parts))
    };
    Some(Case {
        given: Word::all(vec![source.given.clone(), of_whole(&source.filter)]),
        value: of_whole(value),
    })
}

/// A formula made of others.
fn boolean(op: Op, args: Vec<Expr>) -> Expr {
    let span = args.first().map_or_else(Span::default, |first| first.span);
    Expr::apply(op, args, Type::Bool, span)
}

impl Compiler<'_> {
    /// A variable beside those of the item.
    pub(super) fn declare(&mut self, ty: &Type, span: Span) -> LocalId {
        self.declare_as("a value", ty, span)
    }

    /// A variable beside those of the item, by the name that messages give it.
    pub(super) fn declare_as(&mut self, name: &str, ty: &Type, span: Span) -> LocalId {
        let local = LocalId(self.temporary());
        let declared = Local {
            name: name.into(),
            ty: ty.clone(),
            span,
        };
        self.declared.insert(local, declared);
        local
    }
}
