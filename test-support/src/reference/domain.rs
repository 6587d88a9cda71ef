//! All values of a type, one after the other.

use std::collections::BTreeSet;
use std::rc::Rc;

use ioa_lang::Value;
use ioa_lang::core::Type;

use super::{Stop, World};

/// Maximum number of values of a type that is enumerated.
const MOST: usize = 1 << 12;

impl World<'_> {
    /// All values of a type; for integers, only those near zero.
    ///
    /// # Errors
    /// There are too many of them.
    pub fn values(&self, ty: &Type) -> Result<Rc<[Value]>, Stop> {
        if let Some(known) = self.domains.borrow().get(ty) {
            return Ok(Rc::clone(known));
        }
        let values: Rc<[Value]> = self.list(ty)?.into();
        let mut domains = self.domains.borrow_mut();
        domains.insert(ty.clone(), Rc::clone(&values));
        Ok(values)
    }

    fn list(&self, ty: &Type) -> Result<Vec<Value>, Stop> {
        let size = |n: u64| u32::try_from(n).expect("a size of a sort");
        Ok(match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Nat => (0..=self.window).map(Value::int).collect(),
            Type::Int => (-self.window..=self.window).map(Value::int).collect(),
            Type::Sort(id) => (0..size(self.universe.size(*id)))
                .map(|n| Value::Element(*id, n))
                .collect(),
            Type::Enum(id) => (0..self.model.enumerations[id.index()].values.len())
                .map(|n| Value::Enumerator(*id, size(n as u64)))
                .collect(),
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                let types: Vec<&Type> = fields.iter().map(|(_, ty)| ty).collect();
                let lists = self.lists(&types)?.into_iter();
                lists.map(|fields| Value::Tuple(*id, fields)).collect()
            }
            Type::Union(id) => {
                let mut all = Vec::new();
                for (n, (_, ty)) in (0..).zip(&self.model.unions[id.index()].variants) {
                    let carried = self.values(ty)?;
                    let carried = carried.iter().cloned().map(Box::new);
                    all.extend(carried.map(|value| Value::Union(*id, n, value)));
                }
                all
            }
            Type::Null(ty) => {
                let some = self.values(ty)?;
                let some = some.iter().map(|v| Some(Box::new(v.clone())));
                std::iter::once(None).chain(some).map(Value::Null).collect()
            }
            Type::Set(ty) => self.subsets(ty)?.into_iter().map(Value::Set).collect(),
            Type::Array(index, element) => {
                let indices = self.finite(index)?;
                let elements = self.lists(&vec![&**element; indices.len()])?.into_iter();
                let entries = elements.map(|e| indices.iter().cloned().zip(e).collect());
                let array = |entries| Value::Array {
                    entries,
                    default: None,
                };
                entries.map(array).collect()
            }
            Type::Map(domain, range) => self.maps(domain, range)?,
            Type::Real | Type::Char | Type::String | Type::Mset(_) | Type::Seq(_) => {
                return Err(self.too_many(ty));
            }
        })
    }

    /// If integers were enumerated, makes sure that the integers in a state are among those tried, so that comparisons with
    /// them are meaningful.
    ///
    /// # Errors
    /// An integer is not among them.
    pub(super) fn check_integers(&self, state: &[Value]) -> Result<(), Stop> {
        let tried = self.domains.borrow().keys().any(|ty| self.has_integers(ty));
        match tried {
            true => state
                .iter()
                .try_for_each(|value| self.must_be_inside(value)),
            false => Ok(()),
        }
    }

    fn too_many(&self, ty: &Type) -> Stop {
        let name = self.model.type_name(ty);
        Stop::Beyond(format!("all values of type {name} are asked for"))
    }

    /// The values of a type that has no integers in it.
    pub(super) fn finite(&self, ty: &Type) -> Result<Rc<[Value]>, Stop> {
        match self.has_integers(ty) {
            true => Err(self.too_many(ty)),
            false => self.values(ty),
        }
    }

    fn has_integers(&self, ty: &Type) -> bool {
        let parts = self.model.parts_of(ty);
        ty.is_integer() || parts.into_iter().any(|part| self.has_integers(part))
    }

    /// All lists of values of some types.
    pub(super) fn lists(&self, types: &[&Type]) -> Result<Vec<Vec<Value>>, Stop> {
        let mut lists = vec![Vec::new()];
        for ty in types {
            let values = self.values(ty)?;
            if lists.len() * values.len() > MOST {
                return Err(self.too_many(ty));
            }
            let longer = |list: &Vec<Value>| {
                let with = |value: &Value| [&list[..], std::slice::from_ref(value)].concat();
                values.iter().map(with).collect::<Vec<_>>()
            };
            lists = lists.iter().flat_map(longer).collect();
        }
        Ok(lists)
    }

    fn subsets(&self, ty: &Type) -> Result<Vec<BTreeSet<Value>>, Stop> {
        let members = self.finite(ty)?;
        let chosen = self.lists(&vec![&Type::Bool; members.len()])?.into_iter();
        let subset = |chosen: Vec<Value>| {
            let members = members.iter().zip(chosen);
            let members = members.filter(|(_, taken)| *taken == Value::Bool(true));
            members.map(|(member, _)| member.clone()).collect()
        };
        Ok(chosen.map(subset).collect())
    }

    fn maps(&self, domain: &Type, range: &Type) -> Result<Vec<Value>, Stop> {
        let keys = self.finite(domain)?;
        let optional = Type::null(range.clone());
        let rows = self.lists(&vec![&optional; keys.len()])?.into_iter();
        let map = |row: Vec<Value>| {
            let entries = keys.iter().cloned().zip(row);
            let entries = entries.filter_map(|(key, value)| match value {
                Value::Null(Some(value)) => Some((key, *value)),
                _ => None,
            });
            Value::Map(entries.collect())
        };
        Ok(rows.map(map).collect())
    }
}
