//! The scalar terms that determine a value, in a fixed order.

use ioa_lang::core::Type;
use z3::ast::{Dynamic, Int};

use super::Facts;
use super::points::{MAX_POINTS, listed, listed_or_named, points};
use crate::logic::{Encoded, MAX_LENGTH, Sym};

/// Appends the scalar terms that determine a value of type `ty`, in the order in which [`super::assemble`] wants theirs.
///
/// # Errors
/// A collection indexed by a type of which even the values in a window cannot be listed.
pub(crate) fn leaves<'a>(
    facts: &Facts<'a>,
    value: &Sym<'a>,
    ty: &'a Type,
    out: &mut Vec<Dynamic>,
) -> Encoded<()> {
    out.extend(value.head());
    match (value, ty) {
        (Sym::Set(set), Type::Set(element)) => {
            at_points(facts, (value, element), out, |x, out| {
                out.push(set.contains(x)?.into());
                Ok(())
            })?;
        }
        (Sym::Mset(mset), Type::Mset(element)) => {
            at_points(facts, (value, element), out, |x, out| {
                out.push(mset.count(x)?.into());
                Ok(())
            })?;
        }
        (Sym::Array(array), Type::Array(index, element)) => {
            for i in listed(facts, index)? {
                leaves(facts, &array.call(&i.sym)?, element, out)?;
            }
            if let Some(far) = facts.logic.beyond_window(index) {
                leaves(facts, &array.call(&far)?, element, out)?;
            }
        }
        (Sym::Array(map), Type::Map(domain, range)) => {
            at_points(facts, (value, domain), out, |d, out| {
                let entry = map.call(d)?;
                let (some, value) = entry.null();
                out.push(some.into());
                leaves(facts, value, range, out)
            })?;
        }
        (Sym::Seq(seq), Type::Seq(element)) => {
            for i in 0..MAX_LENGTH {
                leaves(facts, &seq.nth(&Int::from_i64(i))?, element, out)?;
            }
        }
        _ => {
            for (part, ty) in value.parts().iter().zip(facts.logic.model.parts_of(ty)) {
                leaves(facts, part, ty, out)?;
            }
        }
    }
    Ok(())
}

/// Appends what a collection has at each of its points, and the points themselves where they are not listed.
fn at_points<'a>(
    facts: &Facts<'a>,
    (collection, ty): (&Sym<'a>, &'a Type),
    out: &mut Vec<Dynamic>,
    there: impl Fn(&Sym<'a>, &mut Vec<Dynamic>) -> Encoded<()>,
) -> Encoded<()> {
    let reading = points(facts, collection, ty)?;
    for point in reading.points {
        there(&point, out)?;
        if reading.are_named {
            leaves(facts, &point, ty, out)?;
        }
    }
    Ok(())
}

/// The number of leaves of a value of type `ty`.
pub(super) fn count<'a>(facts: &Facts<'a>, ty: &'a Type) -> Encoded<usize> {
    Ok(match ty {
        Type::Set(element) | Type::Mset(element) => count_at_points(facts, element, 1)?,
        Type::Array(index, element) => {
            let far = facts.logic.beyond_window(index).is_some();
            (listed(facts, index)?.len() + usize::from(far)) * count(facts, element)?
        }
        Type::Map(domain, range) => count_at_points(facts, domain, 1 + count(facts, range)?)?,
        Type::Seq(element) => 1 + MAX_LENGTH as usize * count(facts, element)?,
        _ => {
            // A tuple consists of its parts alone; a scalar, a tag and whether there is a value are a leaf themselves.
            let head = usize::from(!matches!(ty, Type::Tuple(_)));
            let parts = facts.logic.model.parts_of(ty).into_iter();
            let parts = parts.map(|part| count(facts, part));
            head + parts.sum::<Encoded<usize>>()?
        }
    })
}

/// The number of leaves of a collection that has so many at each of its points.
fn count_at_points<'a>(facts: &Facts<'a>, ty: &'a Type, each: usize) -> Encoded<usize> {
    Ok(match listed_or_named(facts, ty)? {
        Some(listed) => listed.len() * each,
        None => MAX_POINTS * (each + count(facts, ty)?),
    })
}
