//! Where a collection may have something in a finite instance.

use std::cell::RefCell;
use std::rc::Rc;

use ioa_lang::core::Type;

use crate::logic::{ByIdentity, Encoded, Instance, Logic, MAX_MEMBERS, Sym, unsupported};

/// A collection over a type whose values cannot be listed is read at so many points: those of a variable, and others that a step
/// may put into it.
pub(super) const MAX_POINTS: usize = 2 * MAX_MEMBERS;

/// The scalar terms that values consist of in a finite instance.
pub(crate) struct Facts<'l> {
    pub(crate) logic: &'l Logic<'l>,
    /// The names that the members of collections have been given.
    named: RefCell<ByIdentity<Rc<[Sym<'l>]>>>,
}

impl<'l> Facts<'l> {
    /// None has been looked at yet.
    pub(crate) fn of(logic: &'l Logic<'l>) -> Self {
        Self {
            logic,
            named: RefCell::default(),
        }
    }

    /// New unknowns that may be the members of a collection over a type. Nothing is said about them yet but their type.
    pub(super) fn name_members(
        &self,
        collection: &Sym<'l>,
        element: &'l Type,
    ) -> Encoded<Rc<[Sym<'l>]>> {
        if let Some(members) = self.members_of(collection) {
            return Ok(members);
        }
        let number = self.named.borrow().len();
        let names = (0..MAX_POINTS).map(|i| format!("member!{number}!{i}"));
        let members: Encoded<Rc<[Sym<'l>]>> = names
            .map(|name| self.logic.unknown(&name, element))
            .collect();
        let members = members?;
        let mut named = self.named.borrow_mut();
        named.insert(collection.identity(), Rc::clone(&members));
        Ok(members)
    }

    /// The names of the members of a collection, where it has been given some.
    fn members_of(&self, collection: &Sym<'l>) -> Option<Rc<[Sym<'l>]>> {
        let named = self.named.borrow();
        named.get(&collection.identity()).cloned()
    }
}

/// The values of a type of elements or indices, its numbers restricted to the window.
pub(super) fn listed<'a>(facts: &Facts<'a>, ty: &'a Type) -> Encoded<Vec<Instance<'a>>> {
    let values = facts.logic.instances(ty, true);
    values.map_or_else(|| too_many(facts, ty), Ok)
}

fn too_many<'a, T>(facts: &Facts<'a>, ty: &'a Type) -> Encoded<T> {
    unsupported(format!(
        "a collection over {}, of whose values there are too many to list",
        facts.logic.model.type_name(ty)
    ))
}

/// The values of a type that may be in a collection; `None` where they are too many, and a few of them are named instead.
pub(super) fn listed_or_named<'a>(
    facts: &Facts<'a>,
    ty: &'a Type,
) -> Encoded<Option<Vec<Instance<'a>>>> {
    match facts.logic.instances(ty, true) {
        None if !facts.logic.is_windowed() => too_many(facts, ty),
        values => Ok(values),
    }
}

/// The values among which the members of a collection are by the way it was built, if they are few enough to be read.
pub(super) fn built_from<'a>(collection: &Sym<'a>) -> Option<Rc<[Sym<'a>]>> {
    let points = match collection {
        Sym::Set(set) => set.points.clone(),
        Sym::Mset(mset) => mset.points.clone(),
        _ => None,
    };
    points.filter(|points| points.len() <= MAX_POINTS)
}

/// As many points as each collection over the type has, which are told from the type alone where they are read.
fn padded<'a>(facts: &Facts<'a>, points: &[Sym<'a>], ty: &'a Type) -> Encoded<Vec<Sym<'a>>> {
    let last = match points.last() {
        Some(last) => last.clone(),
        None => facts.logic.unknown("member!none", ty)?,
    };
    let mut points = points.to_vec();
    points.resize(MAX_POINTS, last);
    Ok(points)
}

/// Where a collection may have something.
pub(super) struct Reading<'a> {
    pub(super) points: Vec<Sym<'a>>,
    /// Whether the points have to be read too, since the type does not tell them.
    pub(super) are_named: bool,
}

/// The points at which a collection over a type may have something.
///
/// # Errors
/// The values of the type cannot be listed, and it has not been said yet what the members are ([`super::bounded`]).
pub(super) fn points<'a>(
    facts: &Facts<'a>,
    collection: &Sym<'a>,
    ty: &'a Type,
) -> Encoded<Reading<'a>> {
    if let Some(listed) = listed_or_named(facts, ty)? {
        return Ok(Reading {
            points: listed.into_iter().map(|point| point.sym).collect(),
            are_named: false,
        });
    }
    match built_from(collection).or_else(|| facts.members_of(collection)) {
        Some(points) => Ok(Reading {
            points: padded(facts, &points, ty)?,
            are_named: true,
        }),
        None => unsupported("a collection of which it is not known what it consists of"),
    }
}
