//! Comprehensions whose sets lie in several limbs: each limb collects those of its own codes that satisfy the conditions.

use ioa_lang::Span;
use ioa_lang::core::{Expr, LocalId};

use super::super::Compiler;
use super::super::domain::is_enumerable;
use super::terms::moved;
use crate::code::{Binary, Domain, Fold, Limbs, Loop, Slot, Term, Word};
use crate::state::cell::Shape;

/// The codes of a limb.
const LIMB: u64 = u64::BITS as u64;

impl Compiler<'_> {
    /// Whether `{x: T where P}` is computed limb by limb: all values of `T` can be tried, and no condition can fault, so
    /// that the order makes no difference.
    pub(super) fn is_limb_by_limb(&mut self, x: LocalId, body: &Expr) -> bool {
        let ty = self.local_type(x).clone();
        matches!(&*self.shape(&ty), Shape::Packed(packing) if is_enumerable(packing))
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
