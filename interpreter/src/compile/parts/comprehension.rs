//! Comprehensions whose sets lie in several limbs: each limb collects those of its own codes that satisfy the conditions.

use finite::Wide;
use ioa_lang::Span;
use ioa_lang::core::{Expr, LocalId, Type};

use super::super::Compiler;
use super::super::domain::is_enumerable;
use super::terms::moved;
use crate::code::{Binary, Domain, Element, Fold, Limbs, Loop, Slot, Term, Word};
use crate::state::cell::Shape;

/// The codes of a limb.
const LIMB: u64 = u64::BITS as u64;

impl Compiler<'_> {
    /// Whether `{x: T where P}` is computed limb by limb: all values of `T` can be tried, and no condition can fault, so
    /// that the order makes no difference.
    pub(super) fn is_limb_by_limb(&mut self, set: &Wide, x: LocalId, body: &Expr) -> bool {
        let ty = self.local_type(x).clone();
        !set.is_numbered()
            && matches!(&*self.shape(&ty), Shape::Packed(packing) if is_enumerable(packing))
            && body.conjuncts().iter().all(|c| self.is_total(c))
    }

    /// The `count` limbs of `{x: T where P}`.
    pub(super) fn comprehended_limbs(&mut self, x: LocalId, body: &Expr, limbs: usize) -> Limbs {
        let (domain, rest) = self.domain(x, body.conjuncts(), body.span);
        let condition = self.conjunction(&rest);
        let mut lets = Vec::new();
        let begins = (0..limbs as u64).map(|limb| LIMB * limb);
        let words = if let Domain::Exactly(Term::Word(code)) = domain {
            let code = self.kept(&mut lets, code);
            let limb = |begin: u64| {
                let code = moved(code.clone(), -begin.cast_signed());
                let one = Word::binary(Binary::Insert, code, Word::FALSE);
                Word::If(Box::new([condition.clone(), one, Word::FALSE]))
            };
            let limb = |begin| Word::Let(x.0, Box::new([code.clone(), limb(begin)]));
            begins.map(limb).collect()
        } else {
            let limb = |begin| {
                let mask = mask_from(&domain, begin);
                self.collected(x.0, (mask, begin), &condition, body.span)
            };
            begins.map(limb).collect()
        };
        Limbs { lets, words }
    }

    /// Whether `{x: T where P}` takes elements out of a set of the same type, by a condition `x \in s`, and no condition can fault.
    pub(super) fn is_selection(&mut self, set: &Type, x: LocalId, body: &Expr) -> bool {
        let conditions = body.conjuncts();
        let whole = self.whole_of(set, x, &conditions);
        whole.is_some_and(|(_, whole)| self.has_limbs(whole))
            && conditions.iter().all(|c| self.is_total(c))
    }

    /// The position of a condition `x \in s`, and the set, which has this type.
    fn whole_of<'e>(
        &self,
        set: &Type,
        x: LocalId,
        conditions: &[&'e Expr],
    ) -> Option<(usize, &'e Expr)> {
        let (at, whole) = self.collection(x, self.local_type(x), conditions)?;
        (whole.ty == *set).then_some((at, whole))
    }

    /// The limbs of such a set: each keeps those of its own elements that satisfy the other conditions. What has a number keeps it.
    pub(super) fn selected_limb_by_limb(&mut self, set: &Type, x: LocalId, body: &Expr) -> Limbs {
        let mut conditions = body.conjuncts();
        let Some((at, whole)) = self.whole_of(set, x, &conditions) else {
            unreachable!("elements are taken out of a set");
        };
        conditions.remove(at);
        let condition = self.conjunction(&conditions);
        let Limbs { lets, words } = self.limbs(whole);
        let bit = self.temporary();
        let code = match self.dictionary(set) {
            Some((dictionary, max)) => Word::Element(Box::new(Element {
                number: Word::Local(bit),
                dictionary,
                max,
            })),
            None => Word::Local(bit),
        };
        let said = match condition {
            Word::Const(_) => condition,
            said => Word::Let(x.0, Box::new([code, said])),
        };
        let masks = words.into_iter().zip((0..).map(|limb| LIMB * limb));
        let words = masks.map(|mask| self.collected(bit, mask, &said, body.span));
        let words = words.collect();
        Limbs { lets, words }
    }

    /// Those bits of a mask whose codes, from `begin` on, satisfy a condition.
    fn collected(
        &mut self,
        x: Slot,
        (mask, begin): (Word, u64),
        condition: &Word,
        span: Span,
    ) -> Word {
        if *condition == Word::TRUE || mask == Word::FALSE {
            return mask;
        }
        let bit = self.temporary();
        let code = Word::binary(Binary::Or, Word::Local(bit), Word::Const(begin));
        let holds = Word::Let(x, Box::new([code, condition.clone()]));
        Word::Loop(Box::new(Loop {
            fold: Fold::Collect,
            slot: bit,
            domain: Domain::Mask(mask),
            body: holds,
            exhaustive: true,
            span,
        }))
    }
}

/// The codes of a domain from `begin` on, as a mask.
fn mask_from(domain: &Domain, begin: u64) -> Word {
    let is_here = |code: &u64| (begin..begin + LIMB).contains(code);
    let mask = |mask, code| mask | 1_u64 << (code - begin);
    match domain {
        Domain::Mask(mask) if begin == 0 => mask.clone(),
        Domain::Mask(_) => Word::FALSE,
        Domain::Masks(masks) => {
            let mask = masks.get((begin / LIMB) as usize);
            mask.cloned().unwrap_or(Word::FALSE)
        }
        Domain::Codes(codes) => Word::Const(codes.iter().copied().filter(is_here).fold(0, mask)),
        Domain::Below(n) => Word::Const((begin..(begin + LIMB).min(*n)).fold(0, mask)),
        _ => unreachable!("values that can all be tried are tried by their codes"),
    }
}
