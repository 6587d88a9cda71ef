//! The operators that put packed values together and take them apart: arrays, maps, tuples, unions, sequences and
//! multisets.

mod comprehension;
mod entries;
mod limbs;
mod multiset;
mod row;
mod sequence;
mod terms;

use std::sync::Arc;

use finite::{Elements, Form, Packing, Slice};
use ioa_lang::Name;
use ioa_lang::core::{Expr, ExprKind, Op, Type};

use self::terms::{arithmetic, cut, total};
use super::Compiler;
use super::number::decoded;
use crate::code::{Binary, Limbs, Payload, Word};

impl Compiler<'_> {
    pub(super) fn array_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        let array = match op {
            Op::Select | Op::Sum => &args[0].ty,
            _ => &expr.ty,
        };
        let shape = self.shape(array);
        let Some(Form::Array(index, element)) = shape.packing().map(|p| &p.form) else {
            unreachable!("an operator of packed arrays has one");
        };
        let elements = Elements::new(element.bits);
        match op {
            Op::Select => {
                let parts = self.pair(args);
                decoded(Word::Select { parts, elements }, element)
            }
            Op::Assign => {
                let parts = [
                    self.word(&args[0]),
                    self.word(&args[1]),
                    self.code(&args[2], element),
                ];
                let parts = Box::new(parts);
                Word::Assign { parts, elements }
            }
            Op::Sum => {
                let mut limbs = Limbs::default();
                let array = self.word(&args[0]);
                let array = self.kept(&mut limbs.lets, array);
                limbs.around(total_of(&array, (index, element), expr))
            }
            _ => Word::Times(
                Box::new(self.code(&args[0], element)),
                ones(index, elements.width()),
            ),
        }
    }

    pub(super) fn tuple_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        match op {
            Op::Field(field) => {
                let (slice, packing) = self.field(&args[0].ty, field as usize);
                let from = Box::new(self.word(&args[0]));
                decoded(Word::Extract { from, slice }, &packing)
            }
            Op::SetField(field) => {
                let (slice, packing) = self.field(&args[0].ty, field as usize);
                let (tuple, part) = (self.word(&args[0]), self.code(&args[1], &packing));
                let parts = Box::new([tuple, part]);
                Word::Update { parts, slice }
            }
            _ => self.tuple_but(expr, args, None),
        }
    }

    /// A tuple of some parts; one of them may be left out, as if its code were 0.
    pub(super) fn tuple_but(
        &mut self,
        tuple: &Expr,
        parts: &[Expr],
        without: Option<usize>,
    ) -> Word {
        let parts = parts
            .iter()
            .enumerate()
            .filter(|(at, _)| Some(*at) != without);
        let parts = parts.map(|(at, part)| {
            let (slice, packing) = self.field(&tuple.ty, at);
            let (value, shift) = (Box::new(self.code(part, &packing)), slice.shift());
            Word::Shift { value, shift }
        });
        let joined = parts.reduce(|a, b| Word::binary(Binary::Or, a, b));
        joined.unwrap_or(Word::FALSE)
    }

    /// Where a field of a packed tuple lies, and how it is packed.
    pub(super) fn field(&mut self, tuple: &Type, field: usize) -> (Slice, Packing) {
        let shape = self.shape(tuple);
        let Some(Form::Tuple(_, fields)) = shape.packing().map(|p| &p.form) else {
            unreachable!("a part of a packed tuple has one");
        };
        let (at, packing) = &fields[field];
        (Slice::new(*at, packing.bits), packing.clone())
    }

    /// A map is an array of slots, each 0 or the code of an entry plus 1.
    pub(super) fn map_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        let shape = self.shape(&args[0].ty);
        let Some(Form::Map(domain, slot)) = shape.packing().map(|p| &p.form) else {
            unreachable!("an operator of packed maps has one");
        };
        let Form::Null(range) = &slot.form else {
            unreachable!("a map has slots that may be empty");
        };
        let elements = Elements::new(slot.bits);
        let (map, key) = (self.word(&args[0]), self.code(&args[1], domain));
        match op {
            Op::Update | Op::Remove => {
                let slot = match args.get(2) {
                    Some(value) => Word::Succ(Box::new(self.code(value, range))),
                    None => Word::FALSE,
                };
                let parts = Box::new([map, key, slot]);
                Word::Assign { parts, elements }
            }
            _ => {
                let parts = Box::new([map, key]);
                let slot = Word::Select { parts, elements };
                if op == Op::Lookup {
                    let slot = Box::new(slot);
                    let code = match self.guarded.contains(expr) {
                        true => Word::Pred(slot),
                        false => Word::Entry(slot, expr.span),
                    };
                    return decoded(code, range);
                }
                let undefined = Word::binary(Binary::Equal, slot, Word::FALSE);
                Word::Not(Box::new(undefined))
            }
        }
    }

    pub(super) fn union_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        let ty = match op {
            Op::Variant(_) => &expr.ty,
            _ => &args[0].ty,
        };
        let shape = self.shape(ty);
        let Some(packing) = shape.packing() else {
            unreachable!("an operator of packed unions has one");
        };
        let Form::Union(_, variants) = &packing.form else {
            unreachable!("a union is packed as one");
        };
        match op {
            Op::Variant(variant) => {
                let (begin, payload) = &variants[variant as usize];
                let code = self.code(&args[0], payload);
                Word::binary(Binary::Plus, Word::Const(*begin), code)
            }
            Op::Payload(variant) => {
                let (begin, payload) = &variants[variant as usize];
                let begins = variants.iter().map(|(begin, _)| *begin);
                let names = self.variants(ty);
                let code = Word::Payload(Box::new(Payload {
                    from: self.word(&args[0]),
                    variant,
                    begin: *begin,
                    max: payload.max,
                    variants: begins.zip(names.iter().cloned()).collect(),
                    span: expr.span,
                }));
                decoded(code, payload)
            }
            _ => {
                let code = self.word(&args[0]);
                self.variant_of(code, variants)
            }
        }
    }

    /// The position of the variant that a union's code is of.
    fn variant_of(&mut self, code: Word, variants: &[(u64, Packing)]) -> Word {
        let slot = self.temporary();
        let last = variants.len() - 1;
        let above = Word::Const(last as u64);
        let position = (0..last).rev().fold(above, |above, variant| {
            let end = Word::Const(variants[variant + 1].0);
            let is_below = Word::binary(Binary::Less, Word::Local(slot), end);
            Word::If(Box::new([is_below, Word::Const(variant as u64), above]))
        });
        Word::Let(slot, Box::new([code, position]))
    }

    /// Whether a union's code is of a variant, where that is what two terms come to that are compared.
    pub(super) fn is_of_variant(&mut self, args: &[Expr]) -> Option<Word> {
        let (tag, variant) = match [&args[0].kind, &args[1].kind] {
            [ExprKind::Apply(Op::Tag, of), ExprKind::Enumerator(variant)]
            | [ExprKind::Enumerator(variant), ExprKind::Apply(Op::Tag, of)] => (&of[0], *variant),
            _ => return None,
        };
        let shape = self.shape(&tag.ty);
        let Form::Union(_, variants) = &shape.packing()?.form else {
            return None;
        };
        let (begin, payload) = variants.get(variant as usize)?;
        let code = self.word(tag);
        // A payload that takes a whole word has no number above its codes, and the union no other variant.
        let Some(count) = payload.max.checked_add(1) else {
            return Some(Word::TRUE);
        };
        let distance = Word::binary(Binary::Minus, code, Word::Const(*begin));
        Some(Word::binary(Binary::Less, distance, Word::Const(count)))
    }

    pub(super) fn null_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        let ty = if op == Op::Embed {
            &expr.ty
        } else {
            &args[0].ty
        };
        let shape = self.shape(ty);
        let Some(Form::Null(inner)) = shape.packing().map(|p| &p.form) else {
            unreachable!("an operator of packed nulls has one");
        };
        if op == Op::Embed {
            return Word::Succ(Box::new(self.code(&args[0], inner)));
        }
        let null = Box::new(self.word(&args[0]));
        let code = match self.guarded.contains(expr) {
            true => Word::Pred(null),
            false => Word::Val(null, expr.span),
        };
        decoded(code, inner)
    }

    /// The names of a union's variants.
    pub(super) fn variants(&self, ty: &Type) -> Arc<[Name]> {
        let Type::Union(id) = ty else {
            unreachable!("only unions have variants");
        };
        let variants = &self.scope.model.unions[id.index()].variants;
        variants.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// The sum of the numbers in a packed array.
fn total_of(array: &Word, (index, element): (&Packing, &Packing), whole: &Expr) -> Word {
    let width = element.bits;
    if width == 0 {
        // All of them are the same, and there may be very many.
        let count = Word::Const(index.count() as u64);
        let one = decoded(Word::FALSE, element);
        return arithmetic(Op::Mul, [one, count], whole);
    }
    let number = |code| decoded(cut(array, code as u32 * width, width), element);
    total(index.values().map(number).collect(), whole)
}

/// A bit at the start of each element of an array.
fn ones(index: &Packing, width: u32) -> u64 {
    index
        .values()
        .fold(0, |ones, code| ones | 1 << (code * u64::from(width)))
}
