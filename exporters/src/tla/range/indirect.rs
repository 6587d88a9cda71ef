//! Values that conditions give to a variable indirectly, as a set: see [`Source`].

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Source, SourceFinder, Type};

use crate::tla::helpers::Helper;
use crate::tla::syntax::{Infix, Prefix, Term};
use crate::tla::writer::Writer;

/// A bound name that no name of the model can be.
const ELEMENT: &str = "e_";

impl<'a> Writer<'a> {
    /// The set of the values that some condition gives indirectly.
    pub(super) fn indirect(&mut self, x: LocalId, conditions: &[&Expr]) -> Option<Term> {
        if let Some(tuple) = self.assembled(x, conditions) {
            return Some(tuple);
        }
        let sources = self.finding(|finder| finder.of(x, conditions))?;
        let sets = sources.iter().map(|source| self.values_at(x, source));
        let sets: Vec<Term> = sets.collect::<Option<_>>()?;
        let union = |all, one| Term::infix(Infix::Union, all, one);
        sets.into_iter().reduce(union)
    }

    fn finding<T>(&self, find: impl FnOnce(SourceFinder<'_>) -> T) -> T {
        find(SourceFinder {
            is_total: &Expr::is_total,
            is_tried: &|local| self.is_finite(&self.declared[local.index()].ty),
            is_known: &|term, within| self.is_known(term, within),
        })
    }

    /// The set of the only tuple that there can be, if conditions say what each of its fields equals.
    fn assembled(&mut self, x: LocalId, conditions: &[&Expr]) -> Option<Term> {
        let Type::Tuple(id) = self.declared[x.index()].ty else {
            return None;
        };
        let fields = &self.model.tuples[id.index()].fields;
        let own = conditions.iter().copied().filter(|c| c.mentions(x));
        let own: Vec<&Expr> = own.collect();
        let types = fields.iter().map(|(_, ty)| ty);
        let given = self.finding(|finder| finder.fields(x, types, &own))?;
        let ty = self.declared[x.index()].ty.clone();
        let parts = given.iter().zip(0..);
        let parts = parts.map(|(part, at)| (self.field_of(&ty, at), self.term(part)));
        let set = Term::Set(vec![Term::Record(parts.collect())]);
        // What may fault is asked for only where the conditions before it hold.
        let place = |part: &Expr| {
            let mut each = conditions.iter();
            each.position(|c| c.children().any(|side| side.id() == part.id()))
        };
        let partial = given.into_iter().filter(|part| !part.is_total());
        let last = partial.filter_map(|part| Some((place(part)?, part)));
        Some(match last.max_by_key(|(at, _)| *at) {
            Some((at, part)) => self.guarded(set, part, &conditions[..at]),
            None => set,
        })
    }

    fn values_at(&mut self, x: LocalId, source: &Source<'_>) -> Option<Term> {
        let (mut set, mut ty) = self.roots(source)?;
        if !source.given.is_empty() {
            let given = source.given.iter().map(|formula| self.term(formula));
            let given = Term::all(given.collect());
            set = Term::conditional(given, set, Term::Set(Vec::new()));
        }
        for (pattern, argument) in &source.path {
            (set, ty) = self.parts_at(set, &ty, pattern, *argument)?;
        }
        // A `Nat` that is to equal an integer below zero has no value.
        let may_be_below = self.declared[x.index()].ty == Type::Nat && ty == Type::Int;
        Some(match may_be_below {
            true => Term::infix(Infix::Intersection, set, Term::name("Nat")),
            false => set,
        })
    }

    /// The set of the values in which a source has its values, and their type.
    fn roots(&mut self, source: &Source<'_>) -> Option<(Term, Type)> {
        let root = source.root;
        let Some(element) = &source.element else {
            let set = match source.each {
                None => Term::Set(vec![self.term(root)]),
                Some(each) => {
                    let all = self.range(each, &[]);
                    let name = self.enter(each);
                    let value = self.term(root);
                    let guards: Vec<Term> = source.guards.iter().map(|g| self.term(g)).collect();
                    self.leave(each);
                    let all = match guards.is_empty() {
                        true => all,
                        false => Term::filter(name.clone(), all, Term::all(guards)),
                    };
                    let function = Term::function(name, all, value);
                    self.call(Helper::Range, vec![function])
                }
            };
            return Some((set, root.ty.clone()));
        };
        let collection = self.term(root);
        let set = match root.ty {
            Type::Set(_) => collection,
            Type::Seq(_) => self.call(Helper::Range, vec![collection]),
            Type::Mset(_) => Term::call("BagToSet", vec![collection]),
            Type::Map(..) => Term::prefix(Prefix::Domain, collection),
            _ => return None,
        };
        Some((set, element.clone()))
    }

    /// The set of the parts that stand in the values of a set where a pattern has an argument, and their type.
    fn parts_at(
        &mut self,
        set: Term,
        ty: &Type,
        pattern: &Expr,
        argument: usize,
    ) -> Option<(Term, Type)> {
        let element = || Term::name(ELEMENT);
        let ExprKind::Apply(op, _) = &pattern.kind else {
            return None;
        };
        let (guard, part, ty) = match (op, ty) {
            (Op::Embed, Type::Null(inner)) => {
                let nil = self.call(Helper::Nil, Vec::new());
                let guard = Term::infix(Infix::Unequal, element(), nil);
                let value = self.call(Helper::Val, vec![element()]);
                (Some(guard), value, (**inner).clone())
            }
            (Op::Variant(variant), Type::Union(id)) => {
                let name = self.field_of(ty, *variant);
                let domain = Term::prefix(Prefix::Domain, element());
                let guard = Term::infix(Infix::In, Term::text(&*name), domain);
                let inner = self.model.unions[id.index()].variants[*variant as usize]
                    .1
                    .clone();
                (Some(guard), Term::field(element(), name), inner)
            }
            (Op::Tuple, Type::Tuple(id)) => {
                let name = self.field_of(ty, u32::try_from(argument).ok()?);
                let inner = self.model.tuples[id.index()].fields[argument].1.clone();
                (None, Term::field(element(), name), inner)
            }
            _ => return None,
        };
        let set = match guard {
            Some(guard) => Term::filter(ELEMENT, set, guard),
            None => set,
        };
        let function = Term::function(ELEMENT, set, part);
        Some((self.call(Helper::Range, vec![function]), ty))
    }
}
