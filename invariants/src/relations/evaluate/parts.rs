//! The parts of values: the words of terms that are made of others.

use finite::{Form, Packing, payload};
use ioa_lang::core::Type;
use ioa_lang::value::Value;

use super::block::{Block, low_bits};
use crate::relations::term::{Counted, Kind, TermId};
use crate::samples::Encoding;

impl Block<'_> {
    /// The words of a term made of others.
    pub(super) fn derive(&self, id: TermId) -> Vec<u64> {
        let part = match self.terms.get(id).kind {
            Kind::Select(part, _)
            | Kind::Val(part)
            | Kind::Field(part, _)
            | Kind::Size(part)
            | Kind::Len(part)
            | Kind::Defined(part, _)
            | Kind::Entry(part, _)
            | Kind::Tag(part)
            | Kind::IsVariant(part, _)
            | Kind::Payload(part, _) => part,
            Kind::Count(array, counted) => return self.count(array, counted),
            Kind::Occurrences(array, variable) => return self.occurrences(array, variable),
            Kind::Sum(array) => return self.sum(array),
            Kind::Indicator(part, counted) => return self.indicated(part, counted),
            Kind::Computed(ref computed) => {
                let number = |row: usize| {
                    let value = computed.value(&|id| self.words[id][row] as i64);
                    value as u64
                };
                return (0..self.rows).map(number).collect();
            }
            Kind::Column(_) | Kind::Bound(_) | Kind::Own(_) | Kind::OwnDefined(_) => {
                return Vec::new();
            }
        };
        match self.encoding(part) {
            Encoding::Packed(packing) => self.unpack(id, part, &packing.form),
            _ => (0..self.rows).map(|row| self.part(id, part, row)).collect(),
        }
    }

    /// 1 where a term is such, and 0 elsewhere.
    fn indicated(&self, part: TermId, counted: Counted) -> Vec<u64> {
        let is_it = |row: usize| match counted {
            Counted::Code(code) => self.words[part][row] == code,
            Counted::Present => !self.is_missing(part, row),
        };
        (0..self.rows).map(|row| u64::from(is_it(row))).collect()
    }

    /// What the numbers in an array add up to.
    fn sum(&self, array: TermId) -> Vec<u64> {
        let Type::Array(index, element) = self.terms.get(array).ty() else {
            return vec![0; self.rows];
        };
        let indices = self.all(index);
        let pool = self.samples.pool();
        let number = |value: &Value| pool.word(self.samples.schema(), element, value);
        let add = |sum: u64, value: &Value| sum.wrapping_add(number(value));
        let of_array = |word: &u64| elements(pool.value(*word), &indices).fold(0, add);
        self.words[array].iter().map(of_array).collect()
    }

    /// The codes of all values of a type.
    fn codes(&self, ty: &Type) -> Vec<u64> {
        let packing = self.samples.schema().encoding(ty).packing();
        let codes = packing.and_then(|packing| packing.codes(u64::MAX));
        codes.unwrap_or_default()
    }

    /// All values of a type.
    fn all(&self, ty: &Type) -> Vec<Value> {
        let (schema, pool) = (self.samples.schema(), self.samples.pool());
        let codes = self.codes(ty).into_iter();
        codes.map(|code| pool.decode(schema, ty, code)).collect()
    }

    /// How many elements of an array are such.
    fn count(&self, array: TermId, counted: Counted) -> Vec<u64> {
        let is_counted = |word: u64| match counted {
            Counted::Code(code) => word == code,
            Counted::Present => word != 0,
        };
        let Type::Array(index, element) = self.terms.get(array).ty() else {
            return vec![0; self.rows];
        };
        let words = self.words[array].iter();
        if let Encoding::Packed(Packing {
            form: Form::Array(_, element),
            ..
        }) = self.encoding(array)
        {
            let (bits, mask) = (u64::from(element.bits), low_bits(element.bits));
            let codes = self.codes(index);
            let counted = |word: &u64| {
                let all = codes.iter().map(|at| shr(*word, bits * at) & mask);
                all.filter(|element| is_counted(*element)).count() as u64
            };
            return words.map(counted).collect();
        }
        let (schema, pool) = (self.samples.schema(), self.samples.pool());
        let indices = self.all(index);
        let is_it = |value: &Value| match value {
            Value::Null(inner) => inner.is_some(),
            value => is_counted(pool.word(schema, element, value)),
        };
        let counted = |word: &u64| {
            let all = elements(pool.value(*word), &indices);
            all.filter(|value| is_it(value)).count() as u64
        };
        words.map(counted).collect()
    }

    /// How many elements of an array are what a variable is, carry it, or contain it.
    fn occurrences(&self, array: TermId, variable: TermId) -> Vec<u64> {
        let Type::Array(index, _) = self.terms.get(array).ty() else {
            return vec![0; self.rows];
        };
        let indices = self.all(index);
        let count = |row: usize| {
            let (whole, wanted) = (self.value(array, row), self.value(variable, row));
            let all = elements(&whole, &indices);
            all.filter(|element| has(element, &wanted)).count() as u64
        };
        (0..self.rows).map(count).collect()
    }

    /// The words of a part of a packed value.
    fn unpack(&self, id: TermId, whole: TermId, form: &Form) -> Vec<u64> {
        let words = self.words[whole].iter().copied();
        let at = |element: &Packing, index: TermId| {
            let (bits, mask) = (u64::from(element.bits), low_bits(element.bits));
            let places = words.clone().zip(&self.words[index]);
            places.map(move |(word, at)| shr(word, bits * at) & mask)
        };
        match (&self.terms.get(id).kind, form) {
            (Kind::Select(_, index), Form::Array(_, element)) => at(element, *index).collect(),
            (Kind::Defined(_, index), Form::Map(_, slot)) => {
                at(slot, *index).map(|slot| u64::from(slot != 0)).collect()
            }
            // Where nothing is defined the entry is not either, but its word must be a code.
            (Kind::Entry(_, index), Form::Map(_, slot)) => at(slot, *index)
                .map(|slot| slot.saturating_sub(1))
                .collect(),
            (Kind::Field(_, at), Form::Tuple(_, fields)) => {
                let (offset, field) = &fields[*at as usize];
                let mask = low_bits(field.bits);
                words
                    .map(|word| shr(word, u64::from(*offset)) & mask)
                    .collect()
            }
            (kind, Form::Union(_, variants)) => {
                let parts = words.map(|word| payload(variants, word));
                match *kind {
                    Kind::IsVariant(_, v) => parts
                        .map(|(variant, _)| u64::from(variant == v as usize))
                        .collect(),
                    Kind::Payload(_, v) => parts
                        .map(|(variant, code)| if variant == v as usize { code } else { 0 })
                        .collect(),
                    _ => parts.map(|(variant, _)| variant as u64).collect(),
                }
            }
            (Kind::Size(_), _) => words.map(|word| u64::from(word.count_ones())).collect(),
            // Where the whole is nil this is no code of anything, but then the term is not defined.
            _ => words.map(|word| word.saturating_sub(1)).collect(),
        }
    }

    /// The word of a part of an interned value; 0 (which may always be looked at) where there is no such part.
    fn part(&self, id: TermId, whole: TermId, row: usize) -> u64 {
        let term = self.terms.get(id);
        let pool = self.samples.pool();
        let whole = pool.value(self.words[whole][row]);
        let word = |v: &Value| pool.word(self.samples.schema(), term.ty(), v);
        match (&term.kind, whole) {
            (Kind::Select(_, index), Value::Array { entries, default }) => {
                let index = self.value(*index, row);
                entries.get(&index).or(default.as_deref()).map_or(0, word)
            }
            (Kind::Defined(_, key), Value::Map(entries)) => {
                u64::from(entries.contains_key(&self.value(*key, row)))
            }
            (Kind::Entry(_, key), Value::Map(entries)) => {
                entries.get(&self.value(*key, row)).map_or(0, word)
            }
            (Kind::Tag(_), Value::Union(_, variant, _)) => u64::from(*variant),
            (Kind::IsVariant(_, v), Value::Union(_, variant, _)) => u64::from(v == variant),
            (Kind::Payload(_, v), Value::Union(_, variant, inner)) if v == variant => word(inner),
            (Kind::Size(_), Value::Mset(counts)) => counts.values().sum(),
            (Kind::Val(_), Value::Null(Some(inner))) => word(inner),
            (Kind::Field(_, at), Value::Tuple(_, fields)) => word(&fields[*at as usize]),
            (Kind::Size(_), Value::Set(parts)) => parts.len() as u64,
            (Kind::Len(_), Value::Seq(parts)) => parts.len() as u64,
            _ => 0,
        }
    }
}

/// Whether a value is another one, carries it, or contains it.
fn has(value: &Value, wanted: &Value) -> bool {
    match value {
        Value::Null(inner) => inner.as_deref() == Some(wanted),
        Value::Set(parts) => parts.contains(wanted),
        plain => plain == wanted,
    }
}

/// The elements of an array at some indices.
fn elements<'v>(array: &'v Value, indices: &'v [Value]) -> impl Iterator<Item = &'v Value> {
    let (entries, default) = match array {
        Value::Array { entries, default } => (Some(entries), default.as_deref()),
        _ => (None, None),
    };
    let at = move |index| entries.and_then(|entries| entries.get(index)).or(default);
    indices.iter().filter_map(at)
}

fn shr(word: u64, by: u64) -> u64 {
    word.checked_shr(by as u32).unwrap_or(0)
}
