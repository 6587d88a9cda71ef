//! Types as sets, and values as terms.
//!
//! | type | TLA+ |
//! |---|---|
//! | sort | a set that the `.cfg` gives: model values, or numbers from 0 where the elements have an order or a table |
//! | groups of a sort | sets of its elements |
//! | enumeration | strings |
//! | `Null[T]` | sequences of at most one `T`, so that no value of `T` can be taken for `nil` |
//! | tuple | records |
//! | union | records with one field, the tag |
//! | `Array[I, E]`, `Map[D, R]` | functions, of a map with the defined part of `D` as domain |
//! | `Mset[T]` | bags |
//! | Char, String | strings |

use ioa_lang::Value;
use ioa_lang::core::{Family, SortId, SortSize, Type};

use super::helpers::Helper;
use super::names::field;
use super::text::{Level, Text};
use super::writer::Writer;

impl Writer<'_> {
    /// The set of a type's values; `None` where TLC knows no such set.
    pub(super) fn set_of(&mut self, ty: &Type) -> Option<Text> {
        if !self.has_set(ty) {
            return None;
        }
        let text = match ty {
            Type::Bool => Text::atom("BOOLEAN"),
            Type::Nat => Text::atom("Nat"),
            Type::Int => Text::atom("Int"),
            Type::Char | Type::String => Text::atom("STRING"),
            Type::Real | Type::Mset(_) => return None,
            Type::Sort(id) => self.sort(*id),
            Type::Enum(id) => self.named(ty, |globals| &globals.enumerations[id.index()]),
            Type::Tuple(id) => self.named(ty, |globals| &globals.tuples[id.index()]),
            Type::Union(id) => self.named(ty, |globals| &globals.unions[id.index()]),
            Type::Array(index, element) => {
                let (index, element) = (self.set_of(index)?, self.set_of(element)?);
                Text::atom(format!("[{} -> {}]", index.plain(), element.plain()))
            }
            Type::Map(domain, range) => {
                let sets = [self.set_of(domain)?, self.set_of(range)?];
                self.call(Helper::Maps, &sets)
            }
            Type::Set(element) => {
                let element = self.set_of(element)?;
                Text::new(Level::Infix, format!("SUBSET {}", element.at(Level::Atom)))
            }
            Type::Seq(element) => Text::call("Seq", &[self.set_of(element)?]),
            Type::Null(element) => {
                let element = self.set_of(element)?;
                self.call(Helper::Null, &[element])
            }
        };
        Some(text)
    }

    /// Whether TLC knows the set of a type's values, those of its parts included. Maps it has to go through one by one.
    fn has_set(&self, ty: &Type) -> bool {
        match ty {
            Type::Real | Type::Mset(_) => false,
            Type::Map(..) => self.is_finite(ty),
            _ => self
                .model
                .parts_of(ty)
                .iter()
                .all(|part| self.has_set(part)),
        }
    }

    /// That a value is of a type, if that can be said.
    pub(super) fn is_of(&mut self, value: &str, ty: &Type) -> Option<String> {
        if let Some(set) = self.set_of(ty) {
            return Some(format!("{value} \\in {}", set.at(Level::Infix)));
        }
        let Type::Map(domain, range) = ty else {
            return None;
        };
        let args = [Text::atom(value), self.set_of(domain)?, self.set_of(range)?];
        Some(self.call(Helper::IsMap, &args).plain().to_owned())
    }

    fn sort(&mut self, id: SortId) -> Text {
        self.needs.sorts.insert(id);
        if let SortSize::GroupsOf(_, member) = self.model.sorts[id.index()].size {
            self.needs.sorts.insert(member);
        }
        Text::atom(&*self.globals.sorts[id.index()])
    }

    fn named(&mut self, ty: &Type, name: impl Fn(&super::writer::Globals) -> &String) -> Text {
        self.needs.types.insert(ty.clone());
        Text::atom(&**name(&self.globals))
    }

    /// Whether TLC can go through all values of a type.
    pub(super) fn is_finite(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Sort(_) | Type::Enum(_) => true,
            Type::Nat
            | Type::Int
            | Type::Real
            | Type::Char
            | Type::String
            | Type::Mset(_)
            | Type::Seq(_) => false,
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                fields.iter().all(|(_, ty)| self.is_finite(ty))
            }
            Type::Union(id) => {
                let variants = &self.model.unions[id.index()].variants;
                variants.iter().all(|(_, ty)| self.is_finite(ty))
            }
            Type::Array(a, b) | Type::Map(a, b) => self.is_finite(a) && self.is_finite(b),
            Type::Set(a) | Type::Null(a) => self.is_finite(a),
        }
    }

    /// The definition of an enumeration, a tuple or a union as a set.
    pub(super) fn type_definition(&mut self, ty: &Type) -> Option<String> {
        let name = self.set_of(ty)?;
        let body = match ty {
            Type::Enum(id) => {
                let values = &self.model.enumerations[id.index()].values;
                let values: Vec<String> = values.iter().map(|v| quoted(&field(v))).collect();
                format!("{{{}}}", values.join(", "))
            }
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                let each = fields.iter().map(|(name, ty)| {
                    let set = self.set_of(ty)?;
                    Some(format!("{}: {}", field(name), set.plain()))
                });
                let fields: Vec<String> = each.collect::<Option<_>>()?;
                format!("[{}]", fields.join(", "))
            }
            Type::Union(id) => {
                let variants = &self.model.unions[id.index()].variants;
                let each = variants.iter().map(|(name, ty)| {
                    let set = self.set_of(ty)?;
                    Some(format!("[{}: {}]", field(name), set.plain()))
                });
                let variants: Vec<String> = each.collect::<Option<_>>()?;
                variants.join(" \\cup ")
            }
            _ => return None,
        };
        Some(format!("{} == {body}\n", name.plain()))
    }

    /// What the `.cfg` or the module says of a sort: its elements, or how they follow from another's.
    pub(super) fn elements(&self, id: SortId) -> String {
        let count = self.universe.size(id);
        let name = &self.globals.sorts[id.index()];
        let element = |i| {
            if self.is_numbered(id) {
                format!("{i}")
            } else {
                format!("{name}_{i}")
            }
        };
        let elements: Vec<String> = (0..count).map(element).collect();
        format!("{{{}}}", elements.join(", "))
    }

    /// The set of the groups of a sort's elements.
    pub(super) fn groups(&self, family: Family, member: SortId) -> String {
        let member = &self.globals.sorts[member.index()];
        match family {
            Family::Majorities => {
                format!("{{q_ \\in SUBSET {member} : 2 * Cardinality(q_) > Cardinality({member})}}")
            }
            Family::Subsets => format!("SUBSET {member}"),
        }
    }

    /// A value as a term: those that stand in the tables of theories. `None` for what has no name in a module.
    pub(super) fn value(&mut self, value: &Value) -> Option<Text> {
        let all = |writer: &mut Self, values: &mut dyn Iterator<Item = &Value>| {
            let texts = values.map(|v| Some(writer.value(v)?.plain().to_owned()));
            Some(texts.collect::<Option<Vec<_>>>()?.join(", "))
        };
        Some(match value {
            Value::Bool(true) => Text::atom("TRUE"),
            Value::Bool(false) => Text::atom("FALSE"),
            Value::Int(n) => Text::atom(n.to_string()),
            Value::Element(_, index) => Text::atom(index.to_string()),
            Value::Enumerator(id, at) => {
                let values = &self.model.enumerations[id.index()].values;
                Text::atom(quoted(&field(&values[*at as usize])))
            }
            Value::Text(text) => Text::atom(quoted(text)),
            Value::Char(c) => Text::atom(quoted(&c.to_string())),
            Value::Set(elements) => Text::atom(format!("{{{}}}", all(self, &mut elements.iter())?)),
            Value::Seq(elements) => Text::atom(format!("<<{}>>", all(self, &mut elements.iter())?)),
            Value::Null(inner) => Text::atom(format!(
                "<<{}>>",
                all(self, &mut inner.as_deref().into_iter())?
            )),
            Value::Real(_)
            | Value::Union(..)
            | Value::Map(_)
            | Value::Mset(_)
            | Value::Tuple(..)
            | Value::Array { .. } => return None,
        })
    }
}

/// A string constant.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
