//! What a set of a union's values holds of one variant: the codes of its payloads lie side by side among those of the union, so that
//! they are a part of the set's bits.

use std::sync::Arc;

use finite::{Dictionary, Form, Packing, Slice, WideForm};
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type};

use super::Compiler;
use crate::code::{Domain, Numbered, Word};

/// The bits of a limb.
const LIMB: u64 = u64::BITS as u64;

impl Compiler<'_> {
    /// The position of a condition `alternative(x) \in s`, where the set lies in words; and the values of `x` that satisfy it, as a
    /// mask in limbs.
    pub(super) fn payloads(
        &mut self,
        x: LocalId,
        conditions: &[&Expr],
    ) -> Option<(usize, Box<[Word]>)> {
        let (at, variant, set) = self.alternative(x, conditions)?;
        if !self.is_word_or_limbs(set) || self.dictionary(&set.ty).is_some() {
            return None;
        }
        let (first, last) = self.codes_of_payloads(&set.ty, variant)?;
        let limbs = match self.has_limbs(set) {
            true => self.masks(set),
            false => Box::new([self.word(set)]),
        };
        // The codes of a variant either begin with a limb or lie in one.
        let (begin, count) = ((first / LIMB) as usize, last - first + 1);
        let own = (0..count.div_ceil(LIMB)).zip(limbs.iter().skip(begin));
        let cut = |(limb, from): (u64, &Word)| {
            let bits = (count - limb * LIMB).min(LIMB) as u32;
            let slice = Slice::new((first % LIMB) as u32, bits);
            let from = Box::new(from.clone());
            Word::Extract { from, slice }
        };
        Some((at, own.map(cut).collect()))
    }

    /// The same where the elements of the set have numbers in a dictionary, with the values as a domain.
    pub(super) fn numbered_payloads(
        &mut self,
        x: LocalId,
        conditions: &[&Expr],
    ) -> Option<(usize, Domain)> {
        let (at, variant, set) = self.alternative(x, conditions)?;
        if !self.has_limbs(set) {
            return None;
        }
        let (dictionary, last) = self.dictionary(&set.ty)?;
        let codes = self.codes_of_payloads(&set.ty, variant)?;
        let masks = self.masks(set);
        let members = Numbered {
            masks,
            dictionary,
            last,
            codes,
            slot: self.temporary(),
        };
        Some((at, Domain::Numbered(Box::new(members))))
    }

    /// The position of a condition `alternative(x) \in s`, the variant and the set.
    fn alternative<'e>(
        &self,
        x: LocalId,
        conditions: &[&'e Expr],
    ) -> Option<(usize, usize, &'e Expr)> {
        let set = |condition| is_in(condition, x).map(|(_, set)| set);
        let (at, set) = self.first_usable(conditions, set)?;
        let (variant, _) = is_in(conditions[at], x)?;
        Some((at, variant as usize, set))
    }

    /// The dictionary of the elements of a type of sets or multisets that lie in several limbs, if they have one, and the greatest code
    /// that an element can have.
    pub(in crate::compile) fn dictionary(
        &mut self,
        collection: &Type,
    ) -> Option<(Arc<Dictionary>, u64)> {
        match &self.wide(collection)?.form {
            WideForm::Set(element) | WideForm::Mset(element, _) => match &element.form {
                Form::Numbered(inner, dictionary, _) => Some((Arc::clone(dictionary), inner.max)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The first and the last of the codes that the values of a variant can have as elements of a set.
    fn codes_of_payloads(&mut self, set: &Type, variant: usize) -> Option<(u64, u64)> {
        let Type::Set(element) = set else {
            return None;
        };
        let shape = self.shape(element);
        let Packing { form, .. } = shape.packing()?;
        let Form::Union(_, variants) = form else {
            return None;
        };
        let (begin, payload) = &variants[variant];
        // The code of an integer is the integer only where its range begins with 0.
        let is_moved = matches!(payload.form, Form::Int(low, _) if low != 0);
        (!is_moved).then(|| (*begin, begin + payload.max))
    }
}

/// The variant and the set of a condition of the form `alternative(x) \in s`.
fn is_in(condition: &Expr, x: LocalId) -> Option<(u32, &Expr)> {
    let ExprKind::Apply(Op::Member, parts) = &condition.kind else {
        return None;
    };
    let (value, set) = (&parts[0], &parts[1]);
    match &value.kind {
        ExprKind::Apply(Op::Variant(variant), payload)
            if payload[0].is_local(x) && !set.mentions(x) =>
        {
            Some((*variant, set))
        }
        _ => None,
    }
}
