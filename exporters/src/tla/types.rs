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

use ioa_lang::core::{Family, SortId, SortSize, Type};
use ioa_lang::{Name, Value};

use super::helpers::Helper;
use super::names::field;
use super::syntax::{Definition, Term};
use super::syntax::{Infix, Prefix};
use super::writer::Writer;

impl Writer<'_> {
    /// The set of a type's values; `None` if TLC knows no such set.
    pub(super) fn set_of(&mut self, ty: &Type) -> Option<Term> {
        if !self.has_set(ty) {
            return None;
        }
        let set = match ty {
            Type::Bool => Term::name("BOOLEAN"),
            Type::Nat => Term::name("Nat"),
            Type::Int => Term::name("Int"),
            Type::Char | Type::String => Term::name("STRING"),
            Type::Real | Type::Mset(_) => return None,
            Type::Sort(id) => self.sort(*id),
            Type::Enum(id) => self.named(ty, |globals| &globals.enumerations[id.index()]),
            Type::Tuple(id) => self.named(ty, |globals| &globals.tuples[id.index()]),
            Type::Union(id) => self.named(ty, |globals| &globals.unions[id.index()]),
            Type::Array(index, element) => {
                let (index, element) = (self.set_of(index)?, self.set_of(element)?);
                Term::Functions(Box::new([index, element]))
            }
            Type::Map(domain, range) => {
                let sets = vec![self.set_of(domain)?, self.set_of(range)?];
                self.call(Helper::Maps, sets)
            }
            Type::Set(element) => Term::prefix(Prefix::Subsets, self.set_of(element)?),
            Type::Seq(element) => Term::call("Seq", vec![self.set_of(element)?]),
            Type::Null(element) => {
                let element = self.set_of(element)?;
                self.call(Helper::Null, vec![element])
            }
        };
        Some(set)
    }

    /// Whether TLC knows the set of a type's values, including those of its parts. It has to enumerate maps one by one.
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

    /// The formula that a value has a type, if it can be expressed. Of a map, its entries are looked at, since TLC would build the
    /// set of all maps.
    pub(super) fn is_of(&mut self, value: Term, ty: &Type) -> Option<Term> {
        if let Type::Map(domain, range) = ty {
            let args = vec![value, self.set_of(domain)?, self.set_of(range)?];
            return Some(self.call(Helper::IsMap, args));
        }
        let set = self.set_of(ty)?;
        Some(Term::infix(Infix::In, value, set))
    }

    fn sort(&mut self, id: SortId) -> Term {
        self.needs.sorts.insert(id);
        if let SortSize::GroupsOf(_, member) = self.model.sorts[id.index()].size {
            self.needs.sorts.insert(member);
        }
        Term::name(&*self.globals.sorts[id.index()])
    }

    fn named(&mut self, ty: &Type, name: impl Fn(&super::writer::Globals) -> &String) -> Term {
        self.needs.types.insert(ty.clone());
        Term::name(&**name(&self.globals))
    }

    /// Whether TLC can enumerate all values of a type.
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
            other => {
                let parts = self.model.parts_of(other);
                parts.into_iter().all(|part| self.is_finite(part))
            }
        }
    }

    /// The definition of an enumeration, a tuple or a union as a set.
    pub(super) fn type_definition(&mut self, ty: &Type) -> Option<Definition> {
        let Some(Term::Name(name)) = self.set_of(ty) else {
            return None;
        };
        let body = match ty {
            Type::Enum(id) => {
                let values = self.model.enumerations[id.index()].values.iter();
                Term::Set(values.map(|v| Term::text(field(v))).collect())
            }
            Type::Tuple(id) => Term::Records(self.sets(&self.model.tuples[id.index()].fields)?),
            Type::Union(id) => {
                let variants = self.sets(&self.model.unions[id.index()].variants)?;
                let variants = variants
                    .into_iter()
                    .map(|variant| Term::Records(vec![variant]));
                variants.reduce(|all, one| Term::infix(Infix::Union, all, one))?
            }
            _ => return None,
        };
        Some(Definition::new(name, body))
    }

    /// The sets that the members of a type are in.
    fn sets(&mut self, members: &[(Name, Type)]) -> Option<Vec<(String, Term)>> {
        let each = members.iter();
        each.map(|(name, ty)| Some((field(name), self.set_of(ty)?)))
            .collect()
    }

    /// The definition of a sort in the `.cfg` or the module: its elements, or how they are computed from another sort.
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
    pub(super) fn groups(&self, family: Family, member: SortId) -> Term {
        let member = Term::name(&*self.globals.sorts[member.index()]);
        let subsets = Term::prefix(Prefix::Subsets, member.clone());
        let size = |set: Term| Term::call("Cardinality", vec![set]);
        match family {
            Family::Majorities => {
                let twice = Term::infix(Infix::Times, Term::number(2), size(Term::name("q_")));
                let more = Term::infix(Infix::Less, size(member), twice);
                Term::filter("q_", subsets, more)
            }
            Family::Subsets => subsets,
        }
    }

    /// A value from the table of a theory, as a term. `None` if it has no name in a module.
    pub(super) fn value(&mut self, value: &Value) -> Option<Term> {
        Some(match value {
            Value::Bool(value) => Term::truth(*value),
            Value::Int(n) => Term::number(n.clone()),
            Value::Element(_, index) => Term::number(*index),
            Value::Enumerator(id, at) => {
                let values = &self.model.enumerations[id.index()].values;
                Term::text(field(&values[*at as usize]))
            }
            Value::Text(text) => Term::text(&**text),
            Value::Char(c) => Term::text(*c),
            Value::Set(elements) => Term::Set(self.values(elements)?),
            Value::Seq(elements) => Term::Tuple(self.values(elements)?),
            Value::Null(inner) => Term::Tuple(self.values(inner.as_deref())?),
            Value::Real(_)
            | Value::Union(..)
            | Value::Map(_)
            | Value::Mset(_)
            | Value::Tuple(..)
            | Value::Array { .. } => return None,
        })
    }

    fn values<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> Option<Vec<Term>> {
        values.into_iter().map(|value| self.value(value)).collect()
    }
}
