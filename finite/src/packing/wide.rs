//! Values of finite types in several words.
//!
//! A value that needs more than 64 bits may still be packed into several words: *limbs* of at most 64 bits, each of which
//! has its own position in a state. No element of an array and no slot of a sequence extends over two limbs, so each limb
//! can be computed by operations on single words.
//!
//! | type | limbs |
//! |---|---|
//! | `Set[T]` | one bit for each code of `T`, 64 in a limb, which ends after its last code |
//! | `Seq[T]` | as many elements in each as it has room for, then the length |
//! | `Array[I, E]`, `Map[D, R]` | as many elements in each as it has room for; the limbs of each element, where it has several |
//! | `Mset[T]` | the count for each code of `T`, as many in each as it has room for |
//! | tuple | the limbs of the fields, one after the other |

use ioa_lang::Value;
use ioa_lang::core::{Model, TupleId, Type};

use super::slots::{MAX_LIMBS, Slots};
use super::{Form, Packing};
use crate::{Place, Universe};

/// How values of a type lie in several limbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The width of each in bits.
    pub limbs: Vec<u32>,
    /// Their meaning.
    pub form: WideForm,
}

/// What the limbs of a value mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WideForm {
    /// A mask over the element's codes.
    Set(Packing),
    /// A length, in the last limb, and elements.
    Seq {
        /// How the length is packed.
        length: Packing,
        /// How an element is packed.
        element: Packing,
    },
    /// An element for each code of the index, or a slot for each code of the key.
    Array(Packing, Box<Part>),
    /// The slots of a map, each a [`Form::Null`](super::Form::Null), for each code of the key.
    Map(Packing, Packing),
    /// The counts of a multiset, for each code of the element.
    Mset(Packing, Packing),
    /// The fields of a tuple.
    Tuple(TupleId, Vec<Part>),
}

/// A part of a value that lies in several limbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The part fits into one limb.
    Word(Packing),
    /// The part needs several limbs.
    Wide(Wide),
}

/// A function that receives each number that does not fit, with the number of its place.
pub type Misfit<'m> = dyn FnMut(u32, &num_bigint::BigInt) + 'm;

impl Part {
    /// The bits of each of its limbs.
    #[must_use]
    pub fn limbs(&self) -> Vec<u32> {
        match self {
            Self::Word(packing) => vec![packing.bits],
            Self::Wide(wide) => wide.limbs.clone(),
        }
    }

    fn of(
        model: &Model,
        universe: &Universe,
        (whole, position): (&Type, u32),
        ty: &Type,
    ) -> Option<Self> {
        if ty.is_integer() {
            let place = Place::Part(whole.clone(), position);
            return Packing::number(universe, &place).map(Self::Word);
        }
        match Packing::of(model, universe, ty) {
            Some(packing) => Some(Self::Word(packing)),
            None => Wide::of(model, universe, ty).map(Self::Wide),
        }
    }

    /// The value that the limbs stand for.
    #[must_use]
    pub fn decode(&self, limbs: &[u64]) -> Value {
        match self {
            Self::Word(packing) => packing.decode(limbs[0]),
            Self::Wide(wide) => wide.decode(limbs),
        }
    }

    /// The limbs of a value; none if it is not of this type, or if a number does not fit, which is then passed to `misfit`.
    pub fn encode(&self, value: &Value, misfit: &mut Misfit<'_>) -> Option<Vec<u64>> {
        match self {
            Self::Word(packing) => {
                let code = packing.encode(value);
                if code.is_none() {
                    packing.misfits(value, misfit);
                }
                Some(vec![code?])
            }
            Self::Wide(wide) => wide.encode(value, misfit),
        }
    }

    /// Whether the limbs stand for a value.
    #[must_use]
    pub fn are_codes(&self, limbs: &[u64]) -> bool {
        match self {
            Self::Word(packing) => packing.is_code(limbs[0]),
            Self::Wide(wide) => wide.are_codes(limbs),
        }
    }
}

/// The limbs that `count` elements take.
fn limbs_of(count: u64, slots: Slots) -> Option<Vec<u32>> {
    let Slots { bits, each } = slots;
    let limbs = usize::try_from(count.div_ceil(each)).ok()?;
    if limbs > MAX_LIMBS {
        return None;
    }
    let elements = (0..limbs as u64).map(|limb| each.min(count - limb * each));
    Some(elements.map(|elements| elements as u32 * bits).collect())
}

/// The bits of a limb of a set, up to the last that an element can have.
fn set_limb(element: &Packing, limb: u64) -> u32 {
    let begin = u64::from(u64::BITS) * limb;
    let mut bits = (0..u64::BITS).rev();
    let last = bits.find(|bit| element.is_code(begin + u64::from(*bit)));
    last.unwrap_or(0) + 1
}

impl Wide {
    /// The limbs of a type's values, if these have no [`Packing`] and are not too large. There are limbs only if integers
    /// have ranges, that is, in searches; elsewhere few values are stored, so packing them gains nothing.
    #[must_use]
    pub fn of(model: &Model, universe: &Universe, ty: &Type) -> Option<Self> {
        universe.ranges()?;
        let part = |position, part: &Type| Part::of(model, universe, (ty, position), part);
        let word = |position, ty: &Type| match part(position, ty)? {
            Part::Word(packing) => Some(packing),
            Part::Wide(_) => None,
        };
        let found = match ty {
            Type::Set(element) => {
                let element = word(0, element)?.numbered(universe, ty);
                let count = limbs_of(element.max.checked_add(1)?, Slots::of(1))?.len();
                let limbs = (0..count as u64).map(|limb| set_limb(&element, limb));
                let limbs = limbs.collect();
                let form = WideForm::Set(element);
                Self { limbs, form }
            }
            Type::Seq(element) => {
                let length = Packing::number(universe, &Place::length_of(ty))?;
                let element = word(0, element)?;
                let mut limbs = limbs_of(length.max, Slots::of(element.slot_bits()))?;
                limbs.push(length.bits);
                let form = WideForm::Seq { length, element };
                Self { limbs, form }
            }
            Type::Array(index, element) => {
                // An array has an element for every index.
                let index = word(0, index).filter(Packing::is_complete)?;
                let element = part(1, element)?;
                let count = index.max.checked_add(1)?;
                let limbs = match &element {
                    Part::Word(element) => limbs_of(count, Slots::of(element.slot_bits()))?,
                    Part::Wide(element) if count <= MAX_LIMBS as u64 => {
                        (0..count).flat_map(|_| element.limbs.clone()).collect()
                    }
                    Part::Wide(_) => return None,
                };
                let form = WideForm::Array(index, Box::new(element));
                Self { limbs, form }
            }
            Type::Map(domain, range) => {
                let (domain, slot) = (word(0, domain)?, Packing::null(word(1, range)?)?);
                let limbs = limbs_of(domain.max.checked_add(1)?, Slots::of(slot.slot_bits()))?;
                let form = WideForm::Map(domain, slot);
                Self { limbs, form }
            }
            Type::Mset(element) => {
                let count = Packing::number(universe, &Place::count_of(ty))?;
                let element = word(0, element)?.numbered(universe, ty);
                let bits = count.slot_bits();
                let limbs = limbs_of(element.max.checked_add(1)?, Slots::of(bits))?;
                let form = WideForm::Mset(element, count);
                Self { limbs, form }
            }
            Type::Tuple(id) => {
                let fields = (0..).zip(&model.tuples[id.index()].fields);
                let fields = fields.map(|(position, (_, ty))| part(position, ty));
                let fields = fields.collect::<Option<Vec<Part>>>()?;
                let limbs = fields.iter().flat_map(Part::limbs).collect();
                let form = WideForm::Tuple(*id, fields);
                Self { limbs, form }
            }
            _ => return None,
        };
        (found.limbs.len() <= MAX_LIMBS).then_some(found)
    }

    /// Whether these are sets or multisets whose elements have numbers in a dictionary.
    #[must_use]
    pub fn is_numbered(&self) -> bool {
        match &self.form {
            WideForm::Set(element) | WideForm::Mset(element, _) => {
                matches!(element.form, Form::Numbered(..))
            }
            _ => false,
        }
    }

    /// The value that the limbs stand for.
    #[must_use]
    pub fn decode(&self, limbs: &[u64]) -> Value {
        match &self.form {
            WideForm::Set(element) => {
                let codes = (0..=element.max).filter(|code| Slots::of(1).get(limbs, *code) == 1);
                Value::Set(codes.map(|code| element.decode(code)).collect())
            }
            WideForm::Seq { element, .. } => {
                let length = limbs.last().copied().unwrap_or(0);
                let elements = (0..length).map(|at| Slots::of(element.slot_bits()).get(limbs, at));
                Value::Seq(elements.map(|code| element.decode(code)).collect())
            }
            WideForm::Array(index, element) => {
                let entries = index.values().map(|i| {
                    let element = element.decode(&element_limbs(element, limbs, i));
                    (index.decode(i), element)
                });
                Value::Array {
                    entries: entries.collect(),
                    default: None,
                }
            }
            WideForm::Map(domain, range) => {
                let slots = domain
                    .values()
                    .map(|d| (d, Slots::of(range.slot_bits()).get(limbs, d)));
                let entries = slots.filter_map(|(d, code)| match range.decode(code) {
                    Value::Null(Some(value)) => Some((domain.decode(d), *value)),
                    _ => None,
                });
                Value::Map(entries.collect())
            }
            WideForm::Mset(element, count) => {
                let row = Slots::of(count.slot_bits());
                let counts = element.values().map(|e| (e, row.get(limbs, e)));
                let there = counts.filter(|(_, n)| *n > 0);
                Value::Mset(there.map(|(e, n)| (element.decode(e), n)).collect())
            }
            WideForm::Tuple(id, fields) => {
                let fields = placed(fields).map(|(field, at)| field.decode(&limbs[at]));
                Value::Tuple(*id, fields.collect())
            }
        }
    }

    /// The limbs of a value; none if it is not of this type, or if a number does not fit, which is then passed to `misfit`.
    pub fn encode(&self, value: &Value, misfit: &mut Misfit<'_>) -> Option<Vec<u64>> {
        let mut limbs = vec![0; self.limbs.len()];
        match (&self.form, value) {
            (WideForm::Set(element), Value::Set(values)) => {
                for code in codes(element, values.iter(), misfit)? {
                    Slots::of(1).put(&mut limbs, code, 1);
                }
            }
            (WideForm::Seq { length, element }, Value::Seq(values)) => {
                let count = values.len() as u64;
                if count > length.max {
                    length.misfits(&Value::Int(count.into()), misfit);
                    return None;
                }
                let (bits, element) = (element.slot_bits(), Part::Word(element.clone()));
                for (at, value) in (0..).zip(values) {
                    Slots::of(bits).put(&mut limbs, at, element.encode(value, misfit)?[0]);
                }
                *limbs.last_mut()? = count;
            }
            (WideForm::Array(index, element), Value::Array { entries, default }) => {
                for i in index.values() {
                    let value = entries.get(&index.decode(i)).or(default.as_deref())?;
                    let codes = element.encode(value, misfit)?;
                    match &**element {
                        Part::Word(element) => {
                            Slots::of(element.slot_bits()).put(&mut limbs, i, codes[0]);
                        }
                        Part::Wide(_) => {
                            limbs[i as usize * codes.len()..][..codes.len()]
                                .copy_from_slice(&codes);
                        }
                    }
                }
            }
            (WideForm::Map(domain, range), Value::Map(entries)) => {
                let (bits, domain) = (range.slot_bits(), Part::Word(domain.clone()));
                let range = Part::Word(range.clone());
                for (key, value) in entries {
                    let value = Value::Null(Some(Box::new(value.clone())));
                    let (key, code) = (domain.encode(key, misfit)?, range.encode(&value, misfit)?);
                    Slots::of(bits).put(&mut limbs, key[0], code[0]);
                }
            }
            (WideForm::Mset(element, count), Value::Mset(counts)) => {
                let row = Slots::of(count.slot_bits());
                let elements = codes(element, counts.keys(), misfit)?;
                for (code, n) in elements.into_iter().zip(counts.values()) {
                    if *n > count.max {
                        count.misfits(&Value::Int((*n).into()), misfit);
                        return None;
                    }
                    row.put(&mut limbs, code, *n);
                }
            }
            (WideForm::Tuple(id, fields), Value::Tuple(of, values))
                if id == of && fields.len() == values.len() =>
            {
                for ((field, at), value) in placed(fields).zip(values) {
                    limbs[at].copy_from_slice(&field.encode(value, misfit)?);
                }
            }
            _ => return None,
        }
        Some(limbs)
    }

    /// Whether the limbs stand for a value.
    #[must_use]
    pub fn are_codes(&self, limbs: &[u64]) -> bool {
        let has_bits = |(limb, bits): (&u64, &u32)| limb.checked_shr(*bits).unwrap_or(0) == 0;
        if limbs.len() != self.limbs.len() || !limbs.iter().zip(&self.limbs).all(has_bits) {
            return false;
        }
        match &self.form {
            WideForm::Set(element) => (0..=element.max)
                .all(|code| Slots::of(1).get(limbs, code) == 0 || element.is_known_code(code)),
            WideForm::Seq { length, element } => {
                let (count, bits) = (limbs.last().copied().unwrap_or(0), element.slot_bits());
                let fits = |at| match Slots::of(bits).get(limbs, at) {
                    code if at < count => element.is_code(code),
                    code => code == 0,
                };
                count <= length.max && (0..length.max).all(fits)
            }
            WideForm::Array(index, element) => (0..=index.max).all(|i| {
                let codes = element_limbs(element, limbs, i);
                if index.is_code(i) {
                    element.are_codes(&codes)
                } else {
                    codes.iter().all(|code| *code == 0)
                }
            }),
            WideForm::Map(domain, range) => (0..=domain.max).all(|d| {
                let code = Slots::of(range.slot_bits()).get(limbs, d);
                range.is_code(code) && (code == 0 || domain.is_code(d))
            }),
            WideForm::Mset(element, count) => {
                let row = Slots::of(count.slot_bits());
                (0..=element.max).all(|e| match row.get(limbs, e) {
                    0 => true,
                    n => n <= count.max && element.is_known_code(e),
                })
            }
            WideForm::Tuple(_, fields) => {
                placed(fields).all(|(field, at)| field.are_codes(&limbs[at]))
            }
        }
    }
}

/// The codes of the elements of a collection; none if one of them has none. All that do not fit are passed to `misfit`.
fn codes<'v>(
    element: &Packing,
    values: impl Iterator<Item = &'v Value>,
    misfit: &mut Misfit<'_>,
) -> Option<Vec<u64>> {
    let codes = values.map(|value| {
        let code = element.encode(value);
        if code.is_none() {
            element.misfits(value, misfit);
        }
        code
    });
    let codes: Vec<Option<u64>> = codes.collect();
    codes.into_iter().collect()
}

/// The parts of a tuple, each with the positions of its limbs.
fn placed(fields: &[Part]) -> impl Iterator<Item = (&Part, std::ops::Range<usize>)> {
    fields.iter().scan(0, |begin, field| {
        let from = *begin;
        *begin += field.limbs().len();
        Some((field, from..*begin))
    })
}

/// The limbs of an element of an array.
fn element_limbs(element: &Part, limbs: &[u64], index: u64) -> Vec<u64> {
    match element {
        Part::Word(element) => vec![Slots::of(element.slot_bits()).get(limbs, index)],
        Part::Wide(element) => {
            let count = element.limbs.len();
            limbs[index as usize * count..][..count].to_vec()
        }
    }
}
