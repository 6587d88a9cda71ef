//! What a state says of an element without naming another one: what arrays hold at it, which sets it is in, which variables it
//! is the value of.
//!
//! Such *facts* are bits that move along with the element. So elements that differ in them are told apart without further ado; and
//! where facts are all that a state says of elements, the state with the elements in the order of their facts is a
//! representative: no renaming has to be tried. (Ip and Dill, "Better verification through symmetry", 1996, sort by such keys.)

use finite::Slice;
use interpreter::Field;
use ioa_lang::core::SortId;

use super::colour::mix;
use super::partition::Partition;
use super::structure::Structure;
use super::variable::Variable;
use super::wide::{Entries, Wide};

/// The facts of each point.
#[derive(Clone, Debug)]
pub(super) struct Alone {
    /// For each point, where its facts are read; points of one sort have the same facts.
    facts: Vec<Vec<Fact>>,
    /// Whether a state says nothing else of the points.
    is_all: bool,
}

/// A fact about a point.
#[derive(Clone, Copy, Debug)]
struct Fact {
    /// Where it is read.
    field: Field,
    reading: Reading,
    /// The first of its bits in the point's key.
    at: u32,
}

#[derive(Clone, Copy, Debug)]
enum Reading {
    /// The field belongs to the point.
    Own,
    /// Whether the field, which belongs to all, has this code.
    Is(u64),
}

impl Reading {
    /// How many bits of a key it takes.
    fn bits(self, field: Field) -> u32 {
        match self {
            Self::Own => field.slice().bits(),
            Self::Is(_) => 1,
        }
    }
}

impl Alone {
    pub(super) fn new(points: &[(SortId, u64)], variables: &[Variable]) -> Self {
        let mut is_all = true;
        let facts = points.iter().map(|point| {
            let mut reader = Reader {
                point: *point,
                points,
                found: Vec::new(),
            };
            for variable in variables {
                is_all &= reader.take(variable);
            }
            let mut at = 0;
            let facts = reader.found.into_iter().map(|(field, reading)| {
                let fact = Fact { field, reading, at };
                at += reading.bits(field);
                fact
            });
            let facts = facts.collect();
            is_all &= at <= u64::BITS;
            facts
        });
        Self {
            facts: facts.collect(),
            is_all,
        }
    }

    /// Whether a state says nothing else of the points.
    pub(super) fn is_all(&self) -> bool {
        self.is_all
    }

    /// The facts of each point in a row, as a number. Points with the same one have the same facts if these are all.
    pub(super) fn find(&self, row: &[u64], keys: &mut Vec<u64>) {
        keys.clear();
        keys.extend(self.facts.iter().map(|facts| {
            facts.iter().fold(0, |key, fact| {
                let code = fact.field.read(row);
                let code = match fact.reading {
                    Reading::Own => code,
                    Reading::Is(own) => u64::from(code == own),
                };
                match self.is_all {
                    true => key | code << fact.at,
                    false => mix(key, code),
                }
            })
        }));
    }

    /// Gives the points of a row new names by their order, where their facts are all.
    pub(super) fn rename(&self, row: &mut [u64], partition: &Partition, keys: &[u64]) {
        for (facts, point) in self.facts.iter().zip(&partition.order) {
            for fact in facts {
                let key = keys[*point].checked_shr(fact.at).unwrap_or(0);
                match fact.reading {
                    Reading::Own => fact.field.write(row, key & fact.field.slice().mask()),
                    Reading::Is(own) if key & 1 == 1 => fact.field.write(row, own),
                    Reading::Is(_) => {}
                }
            }
        }
    }
}

/// Reads off where the facts of a point are.
struct Reader<'p> {
    point: (SortId, u64),
    points: &'p [(SortId, u64)],
    found: Vec<(Field, Reading)>,
}

impl Reader<'_> {
    /// Takes the facts in a variable; says whether there is nothing else of any point in it.
    fn take(&mut self, variable: &Variable) -> bool {
        match variable {
            Variable::Word(field, part) => self.part(*field, part),
            Variable::Limbs(fields, Wide::Array { index, entries, .. }) => {
                self.entries(fields, index, entries)
            }
            Variable::Limbs(..) => false,
        }
    }

    /// Those in a part of a state.
    fn part(&mut self, field: Field, part: &Structure) -> bool {
        match part {
            Structure::Plain => true,
            Structure::Element(sort) => self.value(field, *sort, 0),
            Structure::Null(inner) => match &**inner {
                Structure::Element(sort) => self.value(field, *sort, 1),
                _ => false,
            },
            Structure::Set(element) => match &**element {
                Structure::Element(sort) => self.own(field, *sort, 1),
                _ => false,
            },
            Structure::Array {
                index,
                width,
                element,
                codes,
            } => match (&**index, &**element) {
                (Structure::Element(sort), Structure::Plain) => self.own(field, *sort, *width),
                (Structure::Plain, element) => self.parts(codes.iter().map(|code| {
                    let slice = Slice::new(*code as u32 * width, *width);
                    (within(field, slice), element)
                })),
                _ => false,
            },
            Structure::Fields(slots) => {
                let slots = slots.iter();
                self.parts(slots.map(|slot| (within(field, slot.slice()), slot.part())))
            }
            Structure::Sequence { .. } | Structure::Union(..) | Structure::Numbered(..) => false,
        }
    }

    /// Those in several parts.
    fn parts<'s>(&mut self, parts: impl Iterator<Item = (Field, &'s Structure)>) -> bool {
        let mut is_all = true;
        for (field, part) in parts {
            is_all &= self.part(field, part);
        }
        is_all
    }

    /// Those in an array of several words.
    fn entries(&mut self, fields: &[Field], index: &Structure, entries: &Entries) -> bool {
        let (Structure::Element(sort), Entries::Words(slots, Structure::Plain)) = (index, entries)
        else {
            return false;
        };
        if *sort == self.point.0 {
            let (limb, slice) = slots.place(self.point.1);
            self.found.push((within(fields[limb], slice), Reading::Own));
        }
        self.is_of_points(*sort)
    }

    /// What lies at the point, where each element of a sort has so many bits.
    fn own(&mut self, field: Field, sort: SortId, width: u32) -> bool {
        if sort == self.point.0 {
            let slice = Slice::new(self.point.1 as u32 * width, width);
            self.found.push((within(field, slice), Reading::Own));
        }
        self.is_of_points(sort)
    }

    /// Whether the point is the value, whose code is the element's and so much more.
    fn value(&mut self, field: Field, sort: SortId, more: u64) -> bool {
        if sort == self.point.0 {
            self.found.push((field, Reading::Is(self.point.1 + more)));
        }
        self.is_of_points(sort)
    }

    /// Whether the elements of a sort move by themselves: groups move with their members.
    fn is_of_points(&self, sort: SortId) -> bool {
        self.points.iter().any(|(own, _)| *own == sort)
    }
}

/// A part of a field.
fn within(field: Field, part: Slice) -> Field {
    let slice = field.slice().part(part);
    Field::new(field.word() as u32, slice.shift(), slice.bits())
}
