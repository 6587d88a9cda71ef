//! `[x: T -> e]`: arrays that are given by their entries. Where they lie in words, the entry is computed for each index as a constant.

use finite::{Elements, Form, Packing, Part, Wide, WideForm};
use ioa_lang::Diagnostic;
use ioa_lang::core::{Expr, LocalId, Op, Type};
use ioa_lang::diagnostic::Code;

use super::super::Compiler;
use super::row::Row;
use crate::code::{Binary, Entries, General, Limbs, Word};
use crate::state::cell::{Cell, Shape};

impl Compiler<'_> {
    /// `[x: T -> e]` of a type that fits a word.
    pub(in crate::compile) fn packed_entries(
        &mut self,
        array: &Expr,
        x: LocalId,
        entry: &Expr,
    ) -> Word {
        if !entry.mentions(x) {
            return self.word(&everywhere(array, entry));
        }
        let shape = self.shape(&array.ty);
        let Some(Form::Array(index, element)) = shape.packing().map(|p| &p.form) else {
            unreachable!("a packed array has indices and entries");
        };
        if element.bits == 0 && self.is_total(entry) {
            // All arrays are the same, however many indices there are.
            return Word::FALSE;
        }
        if index.count() > u128::from(u64::BITS) {
            return self.too_many(array, Word::FALSE);
        }
        let entry = self.code(entry, element);
        let entries = index.values().map(|at| (at, entry_at(x, at, &entry)));
        side_by_side(entries, Elements::new(element.bits))
    }

    /// `[x: T -> e]` of a type whose values lie in several limbs.
    pub(super) fn limbs_of_entries(
        &mut self,
        array: &Expr,
        (x, entry): (LocalId, &Expr),
        wide: &Wide,
    ) -> Limbs {
        if !entry.mentions(x) {
            return self.limbs(&everywhere(array, entry));
        }
        match &wide.form {
            WideForm::Array(_, element) => match &**element {
                Part::Word(element) => self.narrow_entries(x, entry, element, &wide.limbs),
                Part::Wide(element) => self.wide_entries(x, entry, wide, element),
            },
            _ => unreachable!("an array has the form of one"),
        }
    }

    fn narrow_entries(
        &mut self,
        x: LocalId,
        entry: &Expr,
        element: &Packing,
        limbs: &[u32],
    ) -> Limbs {
        let entry = self.code(entry, element);
        let row = Row::new(limbs, element.slot_bits());
        let begins = row.begins().map(i64::cast_unsigned).zip(&row.counts);
        let words = begins.map(|(begin, count)| {
            let places = 0..u64::from(*count);
            let entries = places.map(|place| (place, entry_at(x, begin + place, &entry)));
            side_by_side(entries, row.elements())
        });
        Limbs {
            lets: Vec::new(),
            words: words.collect(),
        }
    }

    fn wide_entries(&mut self, x: LocalId, entry: &Expr, array: &Wide, element: &Wide) -> Limbs {
        let Limbs { lets, words } = self.limbs(entry);
        let each = element.limbs.len();
        let words = (0..array.limbs.len()).map(|limb| {
            let (lets, word) = (lets.clone(), words[limb % each].clone());
            let entry = Limbs {
                lets,
                words: vec![],
            }
            .around(word);
            entry_at(x, (limb / each) as u64, &entry)
        });
        Limbs {
            lets: Vec::new(),
            words: words.collect(),
        }
    }

    /// `[x: T -> e]` of a type that has no words.
    pub(in crate::compile) fn general_entries(
        &mut self,
        array: &Expr,
        x: LocalId,
        entry: &Expr,
    ) -> General {
        if !entry.mentions(x) {
            return self.general(&everywhere(array, entry));
        }
        let Shape::Array {
            ranks: Some(ranks), ..
        } = &*self.shape(&array.ty)
        else {
            return self.too_many(array, General::Const(Cell::Word(0)));
        };
        General::Entries(Box::new(Entries {
            slot: x.0,
            indices: ranks.codes(),
            entry: self.general(entry),
            span: array.span,
        }))
    }

    /// Refuses an array that cannot be computed; some other term stands for it.
    fn too_many<T>(&mut self, array: &Expr, instead: T) -> T {
        let Type::Array(index, _) = &array.ty else {
            unreachable!("only an array is given by its entries");
        };
        let of = self.scope.model.type_name(index);
        let (many, help) = match self.shape(index).packing() {
            Some(packing) if packing.is_complete() => (
                format!("{} values", packing.count()),
                "give the sorts smaller sizes",
            ),
            _ => (
                "infinitely many values".to_owned(),
                "assign single entries as in `a[i] := e`, give all the same value with `constant(e)`, or use a map, which has entries only for some keys",
            ),
        };
        let message = "this array has too many entries to compute each of them";
        let diagnostic = Diagnostic::error(Code::CannotRun, array.span, message)
            .label(format!("the index type {of} has {many}"))
            .help(help);
        self.error(diagnostic);
        instead
    }
}

/// The array whose entries are all the same.
fn everywhere(array: &Expr, entry: &Expr) -> Expr {
    Expr::apply(
        Op::Constant,
        vec![entry.clone()],
        array.ty.clone(),
        array.span,
    )
}

fn entry_at(x: LocalId, index: u64, entry: &Word) -> Word {
    Word::Let(x.0, Box::new([Word::Const(index), entry.clone()]))
}

/// The word in which these places hold these codes.
fn side_by_side(codes: impl Iterator<Item = (u64, Word)>, places: Elements) -> Word {
    let placed = codes.map(|(place, code)| Word::Shift {
        value: Box::new(code),
        shift: place as u32 * places.width(),
    });
    let joined = placed.reduce(|a, b| Word::binary(Binary::Or, a, b));
    joined.unwrap_or(Word::FALSE)
}
