//! Which values are tried for a bound variable: as few as its type and the conditions on it allow.

mod apart;
mod entries;
mod payloads;
mod reached;
mod sources;

use std::collections::BTreeSet;
use std::sync::Arc;

use finite::Packing;
use ioa_lang::core::{Constraint, Expr, ExprKind, LocalId, Op, Type};
use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, Span};
use num_traits::ToPrimitive;

use super::Compiler;
use super::word::written_out;
use crate::code::{Binary, Bound, Case, Domain, General, Numbered, Word};
use crate::interrupt::limits::MAX_DOMAIN;
use crate::state::cell::{Cell, Number, Shape};

/// How many values have to be tried for a variable, as far as the text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// A condition determines the value.
    One,
    /// The type has this many values.
    Finite(u128),
    /// Integers between bounds, or the elements of a collection.
    Bounded,
    /// The type has infinitely many, or too many.
    Unbounded,
}

impl Compiler<'_> {
    /// The values to try for `x`, and the conditions that remain to be checked. The given conditions are those that may be
    /// evaluated once `x` has a value.
    pub(crate) fn domain<'e>(
        &mut self,
        x: LocalId,
        conditions: Vec<&'e Expr>,
        span: Span,
    ) -> (Domain, Vec<&'e Expr>) {
        if let Some(found) = self.determined(x, &conditions) {
            return found;
        }
        if let Some((at, members)) = self.numbered_payloads(x, &conditions) {
            let mut rest = conditions;
            rest.remove(at);
            return (members, rest);
        }
        if let Some(all) = self.all_codes(x) {
            return self.masked(x, all, conditions);
        }
        let ty = self.local_type(x).clone();
        if let Some((at, members)) = self.members_of_words(x, &ty, &conditions) {
            let mut rest = conditions;
            rest.remove(at);
            return (members, rest);
        }
        match &*self.shape(&ty) {
            Shape::Packed(packing) if is_enumerable(packing) => {
                let contiguous = packing.count() == u128::from(packing.max) + 1;
                let domain = match packing.codes(MAX_DOMAIN) {
                    Some(codes) if !contiguous => Domain::Codes(codes.into()),
                    _ => Domain::Below(packing.max + 1),
                };
                (domain, conditions)
            }
            _ => {
                let found = self.bounded(x, &conditions, span);
                found.unwrap_or_else(|| {
                    self.unbounded(x, &ty, span);
                    (Domain::Below(0), Vec::new())
                })
            }
        }
    }

    /// How many values [`Compiler::domain`] would try.
    pub(super) fn reach(&mut self, x: LocalId, conditions: &[&Expr]) -> Reach {
        match self.direct_reach(x, conditions) {
            Reach::Unbounded
                if self.sources(x, conditions).is_some() || self.is_reached(x, conditions) =>
            {
                Reach::Bounded
            }
            reach => reach,
        }
    }

    /// How many values would be tried without values that are given indirectly.
    pub(super) fn direct_reach(&mut self, x: LocalId, conditions: &[&Expr]) -> Reach {
        if self.determining(x, conditions).is_some() {
            return Reach::One;
        }
        let ty = self.local_type(x).clone();
        match &*self.shape(&ty) {
            Shape::Packed(packing) if is_enumerable(packing) => Reach::Finite(packing.count()),
            _ if self.collection(x, &ty, conditions).is_some()
                || alternatives(x, conditions).is_some()
                || self.assembled(x, conditions).is_some()
                || self.is_bounded(x, &ty, conditions) =>
            {
                Reach::Bounded
            }
            _ => Reach::Unbounded,
        }
    }

    /// A condition `x = t` leaves one value.
    fn determined<'e>(
        &mut self,
        x: LocalId,
        conditions: &[&'e Expr],
    ) -> Option<(Domain, Vec<&'e Expr>)> {
        let (at, term) = self.determining(x, conditions)?;
        let nat = *self.local_type(x) == Type::Nat && term.ty == Type::Int;
        let domain = Domain::Exactly(self.term(term));
        let mut rest = conditions.to_vec();
        // A `Nat` that must equal a negative integer has no value, so the condition must still be checked.
        if !nat {
            rest.remove(at);
            return Some((domain, rest));
        }
        let low = vec![(None, false), (Some(term), false)];
        let domain = self.between(&low, &[(Some(term), false)], conditions[at].span);
        Some((domain, rest))
    }

    /// The position of a condition that gives the values of `x` in words, and these values: `x \in s` where the set lies in several
    /// limbs or the multiset in words, or `alternative(x) \in s`.
    fn members_of_words(
        &mut self,
        x: LocalId,
        ty: &Type,
        conditions: &[&Expr],
    ) -> Option<(usize, Domain)> {
        if let Some((at, collection)) = self.collection(x, ty, conditions) {
            return Some((at, self.words_of(collection)?));
        }
        let (at, masks) = self.payloads(x, conditions)?;
        Some((at, Domain::in_words(masks)))
    }

    /// The elements of a set that lies in several limbs, or of a multiset in words.
    fn words_of(&mut self, collection: &Expr) -> Option<Domain> {
        let masks = match collection.ty {
            Type::Set(_) if self.has_limbs(collection) => self.masks(collection),
            Type::Mset(_) => self.members_of_multiset(collection)?,
            _ => return None,
        };
        let Some((dictionary, last)) = self.dictionary(&collection.ty) else {
            return Some(Domain::in_words(masks));
        };
        Some(Domain::Numbered(Box::new(Numbered {
            masks,
            dictionary,
            last,
            codes: (0, last),
            slot: self.temporary(),
        })))
    }

    /// The elements of any collection.
    fn all_elements(&mut self, collection: &Expr, ty: &Type) -> Domain {
        let words = self.words_of(collection);
        words.unwrap_or_else(|| self.elements_of(collection, ty))
    }

    /// The codes that satisfy the liftable conditions.
    fn masked<'e>(
        &mut self,
        x: LocalId,
        all: u64,
        conditions: Vec<&'e Expr>,
    ) -> (Domain, Vec<&'e Expr>) {
        let (mut mask, mut conditions) = (None, conditions);
        if let Some((at, masks)) = self.payloads(x, &conditions)
            && let [payloads] = &*masks
        {
            mask = Some(payloads.clone());
            conditions.remove(at);
        }
        let (mut rest, mut partial) = (Vec::new(), false);
        for condition in conditions {
            if !partial && self.is_liftable(condition, x) {
                let lifted = self.lift(condition, x, all);
                mask = Some(match mask {
                    None => lifted,
                    Some(mask) => Word::binary(Binary::And, mask, lifted),
                });
            } else {
                partial |= !self.is_total(condition);
                rest.push(condition);
            }
        }
        (Domain::Mask(mask.unwrap_or(Word::Const(all))), rest)
    }

    /// The elements of a collection, or the integers between bounds.
    fn bounded<'e>(
        &mut self,
        x: LocalId,
        conditions: &[&'e Expr],
        span: Span,
    ) -> Option<(Domain, Vec<&'e Expr>)> {
        let mut rest = conditions.to_vec();
        let ty = self.local_type(x).clone();
        if let Some((at, term)) = self.collection(x, &ty, conditions) {
            rest.remove(at);
            return Some((self.elements_of(term, &ty), rest));
        }
        if let Some(terms) = alternatives(x, conditions) {
            if let Some(cases) = self.cases_of(&terms, &ty) {
                return Some((Domain::OneOf(cases), rest));
            }
            let collection = set_of(terms, &ty, span);
            return Some((self.elements_of(&collection, &ty), rest));
        }
        if let Some(tuple) = self.assembled(x, conditions) {
            return Some((Domain::Exactly(self.term(&tuple)), rest));
        }
        if !self.is_bounded(x, &ty, conditions) {
            let domain = match self.sources(x, conditions) {
                Some(sources) => self.found(x, &sources),
                None => self.reached(x, conditions, span)?,
            };
            return Some((domain, rest));
        }
        let (mut low, mut high) = (Vec::new(), Vec::new());
        if ty == Type::Nat {
            low.push((None, false));
        }
        rest.retain(
            |condition| match self.usable_bound(condition, x, conditions) {
                Some((side, term, strict)) => {
                    let side = if side == Side::Low {
                        &mut low
                    } else {
                        &mut high
                    };
                    side.push((Some(term), strict));
                    false
                }
                None => true,
            },
        );
        Some((self.between(&low, &high, span), rest))
    }

    /// The integers between bounds, each of which is a term (or 0), inclusive or exclusive.
    fn between(&mut self, low: &[Limit<'_>], high: &[Limit<'_>], span: Span) -> Domain {
        if self.is_number(&Type::Int) {
            let mut words = |limits: &[Limit<'_>]| -> Box<[Bound<Word>]> {
                let bound = |(term, strict): &Limit<'_>| Bound {
                    term: term.map_or(Word::Const(0), |term| self.word(term)),
                    strict: *strict,
                };
                limits.iter().map(bound).collect()
            };
            return Domain::Range(words(low), words(high), span);
        }
        let zero = || General::Const(Cell::Int(Number::ZERO));
        let mut cells = |limits: &[Limit<'_>]| -> Box<[Bound<General>]> {
            let bound = |(term, strict): &Limit<'_>| Bound {
                term: term.map_or_else(zero, |term| self.general(term)),
                strict: *strict,
            };
            limits.iter().map(bound).collect()
        };
        Domain::Between(cells(low), cells(high), span)
    }

    /// The elements of a collection, or the keys of a map, of a type that cannot be enumerated.
    fn elements_of(&mut self, collection: &Expr, ty: &Type) -> Domain {
        if self.is_number(ty)
            && let Some(numbers) = constants(collection)
        {
            return Domain::Codes(numbers);
        }
        let is_sequence = matches!(collection.ty, Type::Seq(_));
        if is_sequence && let Some(members) = self.members_of_sequence(collection) {
            return Domain::Mask(members);
        }
        if is_sequence && let Some(places) = self.places_of_sequence(collection) {
            return Domain::OneOf(places);
        }
        if self.is_packed(&collection.ty) && !is_sequence {
            let keys = self.keys(collection);
            return Domain::Mask(keys.unwrap_or_else(|| self.word(collection)));
        }
        let collection = self.elements(collection);
        match self.is_number(ty) {
            true => Domain::Numbers(collection),
            false => Domain::Elements(collection),
        }
    }

    /// The values of some terms that have one, if all of them are words of a type.
    fn cases_of(&mut self, terms: &[&Expr], ty: &Type) -> Option<Box<[Case]>> {
        // A negative integer is no `Nat`.
        let is_word = |c: &mut Self, term: &&Expr| term.ty == *ty && c.is_packed(ty);
        if !terms.iter().all(|term| is_word(self, term)) {
            return None;
        }
        let case = |term: &&Expr| Case {
            given: Word::TRUE,
            value: self.word(term),
        };
        Some(terms.iter().map(case).collect())
    }

    /// Refuses a variable that has no values to be tried, at a place around it or, where the variable is another component's, at the
    /// variable.
    fn unbounded(&mut self, x: LocalId, ty: &Type, around: Span) {
        let declared = self.declared(x);
        let (name, span) = (declared.name.clone(), declared.span);
        let span = match around.covers(span) {
            true => around,
            false => span,
        };
        let written = self.scope.model.type_name(ty);
        let (message, help) = match &*self.shape(ty) {
            Shape::Nat | Shape::Int | Shape::Number { .. } => (
                format!("{name} ranges over all of {written}, which cannot be enumerated"),
                format!("bound it, as in 0 <= {name} /\\ {name} < 10"),
            ),
            Shape::Packed(packing) if *ty != Type::Char && packing.is_complete() => (
                format!(
                    "{name} ranges over the {} values of {written}, too many to try",
                    packing.count()
                ),
                "give the sorts smaller sizes".to_owned(),
            ),
            _ => (
                format!("{name} ranges over all of {written}, which cannot be enumerated"),
                format!("say what {name} equals, or which set it is an element of"),
            ),
        };
        self.error(Diagnostic::error(Code::CannotRun, span, message).help(help));
    }

    /// The position of the condition that determines `x`, with the term that `x` equals.
    ///
    /// The term is evaluated before the conditions in front of it. So it must not be able to fault, or the condition must be
    /// the first.
    fn determining<'e>(&self, x: LocalId, conditions: &[&'e Expr]) -> Option<(usize, &'e Expr)> {
        self.first_usable(conditions, |condition| equal(condition, x))
    }

    /// The position of a condition `x \in s` or `defined(s, x)`, with the collection.
    pub(super) fn collection<'e>(
        &self,
        x: LocalId,
        ty: &Type,
        conditions: &[&'e Expr],
    ) -> Option<(usize, &'e Expr)> {
        let holds = |collection: &Type| match collection {
            Type::Set(element)
            | Type::Seq(element)
            | Type::Mset(element)
            | Type::Map(element, _) => **element == *ty,
            _ => false,
        };
        self.first_usable(conditions, |condition| match condition.constraint(x)? {
            Constraint::Element(collection) if holds(&collection.ty) => Some(collection),
            _ => None,
        })
    }

    fn first_usable<'e>(
        &self,
        conditions: &[&'e Expr],
        find: impl Fn(&'e Expr) -> Option<&'e Expr>,
    ) -> Option<(usize, &'e Expr)> {
        let mut partial = false;
        for (at, condition) in conditions.iter().enumerate() {
            if let Some(term) = find(condition)
                && (at == 0 || (!partial && self.has_value(term)))
            {
                return Some((at, term));
            }
            partial |= !self.has_value(condition);
        }
        None
    }

    /// The bound that a condition sets, if it may be evaluated before the conditions in front of it.
    fn usable_bound<'e>(
        &self,
        condition: &'e Expr,
        x: LocalId,
        conditions: &[&'e Expr],
    ) -> Option<(Side, &'e Expr, bool)> {
        let found = bound(condition, x)?;
        let before = conditions.iter().take_while(|c| c.id() != condition.id());
        let allowed = if self.has_value(found.1) {
            before.into_iter().all(|c| self.has_value(c))
        } else {
            conditions
                .first()
                .is_some_and(|first| first.id() == condition.id())
        };
        allowed.then_some(found)
    }

    fn is_bounded(&self, x: LocalId, ty: &Type, conditions: &[&Expr]) -> bool {
        let has = |side| {
            let mut bounds = conditions
                .iter()
                .filter_map(|c| self.usable_bound(c, x, conditions));
            bounds.any(|(s, _, _)| s == side)
        };
        ty.is_integer() && has(Side::High) && (*ty == Type::Nat || has(Side::Low))
    }
}

/// A bound of an integer: a term, or 0, and whether it is exclusive.
type Limit<'e> = (Option<&'e Expr>, bool);

/// Whether all values of a type can be tried.
pub(super) fn is_enumerable(packing: &Packing) -> bool {
    packing.is_complete() && packing.count() <= u128::from(MAX_DOMAIN)
}

/// Terms that cannot fault, one of which `x` must equal, if a condition has the form `x = s /\ .. \/ x = t /\ ..`. Such
/// conditions arise for a parameter of an action that several components share, each of which requires another value.
fn alternatives<'e>(x: LocalId, conditions: &[&'e Expr]) -> Option<Vec<&'e Expr>> {
    let equals = |condition: &&'e Expr| equal(condition, x).filter(|term| term.is_total());
    let of_case = |case: &'e Expr| case.conjuncts().iter().find_map(equals);
    conditions
        .iter()
        .find_map(|condition| match &condition.kind {
            ExprKind::Apply(Op::Or, cases) => cases.iter().map(of_case).collect(),
            _ => None,
        })
}

/// The integers of a set that is written out, ascending, as words.
fn constants(set: &Expr) -> Option<Arc<[u64]>> {
    let integer = |e: &Expr| match &e.kind {
        ExprKind::Int(n) => n.to_i64(),
        _ => None,
    };
    let numbers = written_out(set)?.into_iter().map(integer);
    let numbers = numbers.collect::<Option<BTreeSet<i64>>>()?;
    Some(numbers.into_iter().map(i64::cast_unsigned).collect())
}

/// The set of the values of some terms.
fn set_of(terms: Vec<&Expr>, element: &Type, span: Span) -> Expr {
    let ty = Type::Set(Box::new(element.clone()));
    let empty = Expr::apply(Op::EmptySet, Vec::new(), ty.clone(), span);
    terms.into_iter().fold(empty, |set, term| {
        Expr::apply(Op::Insert, vec![term.clone(), set], ty.clone(), span)
    })
}

/// The term that a condition says `x` equals.
fn equal(condition: &Expr, x: LocalId) -> Option<&Expr> {
    match condition.constraint(x)? {
        Constraint::Equal(term) => Some(term),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

/// The bound that a condition sets for `x`: whether it is lower or upper, the term, and whether it is exclusive.
fn bound(condition: &Expr, x: LocalId) -> Option<(Side, &Expr, bool)> {
    match condition.constraint(x)? {
        Constraint::Below(bound) => Some((Side::High, bound.term, bound.is_strict)),
        Constraint::Above(bound) => Some((Side::Low, bound.term, bound.is_strict)),
        Constraint::Equal(_) | Constraint::Element(_) => None,
    }
}
