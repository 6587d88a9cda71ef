//! Finite instances: the values of a type one by one, and values as data turned into symbolic ones.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ioa_lang::core::{EnumId, Rational, SortId, Type, UnionId};
use ioa_lang::{Name, Value};
use z3::ast::Bool;

use crate::logic::collection::maps;
use crate::logic::instance::window::WINDOW;
use crate::logic::term::numbers;
use crate::logic::term::pack;
use crate::logic::term::value::Seq;
use crate::logic::{Encoded, Logic, Sym, unsupported};

/// A value, both as data and in the logic.
#[derive(Clone)]
pub(crate) struct Instance<'a> {
    pub(crate) sym: Sym<'a>,
    pub(crate) value: Value,
}

/// A finite type with more values than this is not written out.
const MAX_DOMAIN: usize = 256;

/// Sets over more elements than this are not written out: there are as many of them as subsets.
const MAX_SET_DOMAIN: usize = 8;

impl<'a> Logic<'a> {
    /// The values of a type in a finite instance, in a fixed order; `None` where there are too many.
    pub(crate) fn values(&'a self, ty: &'a Type) -> Option<Vec<Sym<'a>>> {
        let instances = self.instances(ty, false)?;
        Some(instances.into_iter().map(|i| i.sym).collect())
    }

    /// The values of a type in a finite instance, in a fixed order, those of number types restricted to a window if
    /// `numbers` asks for them at all; `None` where there are too many.
    pub(crate) fn instances(&'a self, ty: &'a Type, numbers: bool) -> Option<Vec<Instance<'a>>> {
        let instances = match ty {
            Type::Bool => [false, true].map(truth).to_vec(),
            Type::Sort(id) => (0..)
                .zip(self.elements(*id))
                .map(|(i, _)| self.nth(*id, i))
                .collect(),
            Type::Enum(id) => {
                let count = self.enumerations[id.index()].values.len();
                (0..count).map(|i| self.enumerated(*id, i as u32)).collect()
            }
            Type::Nat | Type::Int if numbers => {
                let from = if *ty == Type::Nat { 0 } else { *WINDOW.start() };
                (from..=*WINDOW.end()).map(number).collect()
            }
            Type::Real if numbers => self.windows.reals.iter().map(fraction).collect(),
            Type::Char if numbers => self.windows.characters.iter().map(character).collect(),
            Type::String if numbers => self.windows.strings.iter().filter_map(text).collect(),
            Type::Union(id) => self.variants(*id, numbers)?,
            Type::Tuple(id) => {
                let fields = self.model.parts_of(ty).into_iter();
                let fields: Option<Vec<_>> = fields.map(|ty| self.instances(ty, numbers)).collect();
                let tuple = |row: Vec<Instance<'a>>| Instance {
                    value: Value::Tuple(*id, row.iter().map(|i| i.value.clone()).collect()),
                    sym: Sym::tuple(row.into_iter().map(|i| i.sym).collect()),
                };
                product(&fields?)?.into_iter().map(tuple).collect()
            }
            Type::Null(inner) => nulls(self.instances(inner, numbers)?),
            Type::Set(element) => self.subsets(&self.instances(element, numbers)?, element)?,
            Type::Array(index, element) if !numbers => {
                self.arrays(index, self.instances(element, false)?)?
            }
            Type::Map(domain, range) if !numbers => {
                let entries = nulls(self.instances(range, false)?);
                self.arrays(domain, entries)?.into_iter().map(map).collect()
            }
            Type::Nat
            | Type::Int
            | Type::Real
            | Type::Char
            | Type::String
            | Type::Seq(_)
            | Type::Mset(_)
            | Type::Map(..)
            | Type::Array(..) => return None,
        };
        (!instances.is_empty() && instances.len() <= MAX_DOMAIN).then_some(instances)
    }

    /// Every element of every sort and enumeration.
    pub(crate) fn atoms(&'a self) -> impl Iterator<Item = Instance<'a>> {
        let sorts = (0..self.model.sorts.len()).flat_map(move |s| {
            let id = SortId::at(s);
            (0..self.elements(id).len()).map(move |i| self.nth(id, i as u32))
        });
        let enumerations = (0..self.model.enumerations.len()).flat_map(move |e| {
            let count = self.model.enumerations[e].values.len();
            (0..count).map(move |i| self.enumerated(EnumId::at(e), i as u32))
        });
        sorts.chain(enumerations)
    }

    fn nth(&self, id: SortId, index: u32) -> Instance<'a> {
        Instance {
            sym: Sym::Atom(self.elements(id)[index as usize].clone()),
            value: Value::Element(id, index),
        }
    }

    fn enumerated(&self, id: EnumId, index: u32) -> Instance<'a> {
        Instance {
            sym: self.enumerator(id, index),
            value: Value::Enumerator(id, index),
        }
    }

    fn subsets(&'a self, members: &[Instance<'a>], element: &'a Type) -> Option<Vec<Instance<'a>>> {
        if members.len() > MAX_SET_DOMAIN {
            return None;
        }
        let subset = |mask: usize| {
            let chosen = members
                .iter()
                .enumerate()
                .filter(|(i, _)| mask >> i & 1 == 1);
            let (syms, values): (Vec<_>, BTreeSet<_>) = chosen
                .map(|(_, m)| (m.sym.clone(), m.value.clone()))
                .unzip();
            Instance {
                sym: self.set_of(syms, element),
                value: Value::Set(values),
            }
        };
        Some((0..1 << members.len()).map(subset).collect())
    }

    fn variants(&'a self, id: UnionId, numbers: bool) -> Option<Vec<Instance<'a>>> {
        let mut all = Vec::new();
        for (i, (_, ty)) in (0..).zip(&self.model.unions[id.index()].variants) {
            for carried in self.instances(ty, numbers)? {
                all.push(Instance {
                    sym: self.variant(id, i, &carried.sym).ok()?,
                    value: Value::Union(id, i, Box::new(carried.value)),
                });
            }
        }
        Some(all)
    }

    /// All arrays with these elements.
    fn arrays(&'a self, index: &'a Type, elements: Vec<Instance<'a>>) -> Option<Vec<Instance<'a>>> {
        let indices = self.instances(index, false)?;
        let rows = product(&vec![elements; indices.len()])?;
        let array = |row: Vec<Instance<'a>>| {
            let entries = indices.iter().zip(&row);
            let entries = entries
                .map(|(i, e)| (i.value.clone(), e.value.clone()))
                .collect();
            let at = indices.iter().map(|i| i.sym.clone()).collect();
            Instance {
                sym: self.array_of(at, row.into_iter().map(|e| e.sym).collect(), index),
                value: Value::Array {
                    entries,
                    default: None,
                },
            }
        };
        Some(rows.into_iter().map(array).collect())
    }

    /// A value as a symbolic one.
    ///
    /// # Errors
    /// A value that is not of the type, or an element beyond the size of its sort.
    pub(crate) fn lift(&'a self, value: &Value, ty: &'a Type) -> Encoded<Sym<'a>> {
        match (value, ty) {
            (Value::Bool(b), Type::Bool) => Ok(Sym::truth(*b)),
            (Value::Int(n), Type::Nat | Type::Int) => Ok(Sym::Int(pack::number(n))),
            (Value::Real(n), Type::Real) => Ok(Sym::Real(numbers::fraction(n))),
            (Value::Char(c), Type::Char) => Ok(Sym::Int(numbers::character(*c))),
            (Value::Text(text), Type::String) => numbers::literal(text),
            (Value::Union(u, variant, carried), Type::Union(id)) if u == id => {
                match self.model.unions[id.index()]
                    .variants
                    .get(*variant as usize)
                {
                    Some((_, ty)) => self.variant(*id, *variant, &self.lift(carried, ty)?),
                    None => unsupported("a variant that the union does not have"),
                }
            }
            (Value::Element(sort, i), Type::Sort(id)) if sort == id => {
                match self.element(*id, *i) {
                    Some(element) => Ok(Sym::Atom(element)),
                    None => unsupported("an element beyond the size of its sort"),
                }
            }
            (Value::Enumerator(e, i), Type::Enum(id)) if e == id => Ok(self.enumerator(*id, *i)),
            (Value::Tuple(t, fields), Type::Tuple(id)) if t == id => {
                let fields = fields.iter().zip(self.model.parts_of(ty));
                let fields: Encoded<Vec<_>> = fields.map(|(v, ty)| self.lift(v, ty)).collect();
                Ok(Sym::tuple(fields?))
            }
            (Value::Null(None), Type::Null(inner)) => self.nil(inner),
            (Value::Null(Some(v)), Type::Null(inner)) => Ok(maps::embed(self.lift(v, inner)?)),
            (Value::Set(elements), Type::Set(element)) => {
                let elements: Encoded<Vec<_>> =
                    elements.iter().map(|v| self.lift(v, element)).collect();
                Ok(self.set_of(elements?, element))
            }
            (Value::Seq(elements), Type::Seq(element)) => self.lift_seq(elements, element),
            (Value::Array { entries, default }, Type::Array(index, element)) => {
                self.lift_array(entries, default.as_deref(), (index, element))
            }
            (Value::Map(entries), Type::Map(domain, range)) => {
                let empty = self.nil(range)?;
                let empty = Sym::array(move |_| Ok(empty.clone()));
                entries.iter().try_fold(empty, |map, (key, value)| {
                    let entry = maps::embed(self.lift(value, range)?);
                    Ok(self.assign(&map, &self.lift(key, domain)?, domain, entry))
                })
            }
            (Value::Mset(counts), Type::Mset(element)) => {
                let counted = |(v, n): (&Value, &u64)| {
                    let count = pack::number(&num_bigint::BigInt::from(*n));
                    Ok((self.lift(v, element)?, count))
                };
                let counts: Encoded<Vec<_>> = counts.iter().map(counted).collect();
                Ok(Sym::Mset(self.mset_of(counts?, element)))
            }
            _ => unsupported("a value that is not of the type"),
        }
    }

    fn lift_seq(&'a self, elements: &[Value], element: &'a Type) -> Encoded<Sym<'a>> {
        let lifted: Encoded<Vec<_>> = elements.iter().map(|v| self.lift(v, element)).collect();
        let (lifted, nothing) = (lifted?, self.arbitrary(element)?);
        let len = z3::ast::Int::from_i64(lifted.len() as i64);
        Ok(Sym::Seq(Seq::new(len, move |i| {
            let positions = (0_i64..).zip(&lifted);
            Ok(positions.fold(nothing.clone(), |rest, (at, element)| {
                Sym::ite(&i.eq(at), element, &rest)
            }))
        })))
    }

    fn lift_array(
        &'a self,
        entries: &BTreeMap<Value, Value>,
        default: Option<&Value>,
        (index, element): (&'a Type, &'a Type),
    ) -> Encoded<Sym<'a>> {
        let mut lifted = Vec::new();
        for (at, value) in entries {
            lifted.push((self.lift(at, index)?, self.lift(value, element)?));
        }
        let rest = match default {
            Some(value) => self.lift(value, element)?,
            None => self.arbitrary(element)?,
        };
        Ok(Sym::array(move |i| {
            lifted.iter().try_fold(rest.clone(), |rest, (at, value)| {
                Ok(Sym::ite(&i.equal(at, index, self)?, value, &rest))
            })
        }))
    }
}

fn truth<'a>(b: bool) -> Instance<'a> {
    Instance {
        sym: Sym::truth(b),
        value: Value::Bool(b),
    }
}

fn number<'a>(n: i64) -> Instance<'a> {
    Instance {
        sym: Sym::Int(z3::ast::Int::from_i64(n)),
        value: Value::int(n),
    }
}

fn fraction<'a>(n: &Rational) -> Instance<'a> {
    Instance {
        sym: Sym::Real(numbers::fraction(n)),
        value: Value::Real(n.clone()),
    }
}

fn character<'a>(c: &char) -> Instance<'a> {
    Instance {
        sym: Sym::Int(numbers::character(*c)),
        value: Value::Char(*c),
    }
}

/// A string, if the solver can hold it.
fn text<'a>(text: &Name) -> Option<Instance<'a>> {
    Some(Instance {
        sym: numbers::literal(text).ok()?,
        value: Value::Text(text.clone()),
    })
}

/// The map that an array of `Null`s stands for.
fn map(Instance { sym, value }: Instance<'_>) -> Instance<'_> {
    let value = match value {
        Value::Array { entries, .. } => Value::Map(entries.into_iter().filter_map(entry).collect()),
        value => value,
    };
    Instance { sym, value }
}

/// The entry of a map for an index of an array of `Null`s.
fn entry((key, value): (Value, Value)) -> Option<(Value, Value)> {
    match value {
        Value::Null(Some(value)) => Some((key, *value)),
        _ => None,
    }
}

fn nulls<'a>(inner: Vec<Instance<'a>>) -> Vec<Instance<'a>> {
    let Some(first) = inner.first() else {
        return Vec::new();
    };
    let nil = Instance {
        sym: Sym::Null(Bool::from_bool(false), Rc::new(first.sym.clone())),
        value: Value::Null(None),
    };
    let embed = |i: Instance<'a>| Instance {
        sym: maps::embed(i.sym),
        value: Value::Null(Some(Box::new(i.value))),
    };
    std::iter::once(nil)
        .chain(inner.into_iter().map(embed))
        .collect()
}

/// All ways to take one of each list; `None` where they are too many.
fn product<'a>(lists: &[Vec<Instance<'a>>]) -> Option<Vec<Vec<Instance<'a>>>> {
    let mut rows: Vec<Vec<Instance<'a>>> = vec![Vec::new()];
    for list in lists {
        if rows.len().checked_mul(list.len())? > MAX_DOMAIN {
            return None;
        }
        let mut longer = Vec::new();
        for row in &rows {
            for value in list {
                longer.push([row.as_slice(), std::slice::from_ref(value)].concat());
            }
        }
        rows = longer;
    }
    Some(rows)
}
