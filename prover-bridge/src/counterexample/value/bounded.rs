//! Which values their leaves determine.

use ioa_lang::core::{Model, Type};
use z3::ast::{Bool, Int};

use super::Facts;
use super::points::{built_from, listed, listed_or_named, points};
use crate::logic::{Encoded, Function, MAX_LENGTH, Sym, and, implies, or};

/// In a counterexample no element is in a multiset more often than this.
const MAX_COUNT: i64 = 64;

/// Says that a value is one that its leaves determine: elements and indices of infinite types lie in their windows,
/// sequences are short, counts are small.
pub(crate) fn bounded<'a>(facts: &Facts<'a>, value: &Sym<'a>, ty: &'a Type) -> Encoded<Bool> {
    match (value, ty) {
        (Sym::Set(set), Type::Set(element)) => {
            only_at_points(facts, (value, element), |x| set.contains(x))
        }
        (Sym::Mset(mset), Type::Mset(element)) => {
            let inside = only_at_points(facts, (value, element), |x| Ok(mset.count(x)?.gt(0)))?;
            let small = points(facts, value, element)?.points;
            let small = small.iter().map(|x| Ok(mset.count(x)?.le(MAX_COUNT)));
            let small: Encoded<Vec<Bool>> = small.collect();
            Ok(and(&[and(&small?), inside]))
        }
        (Sym::Array(map), Type::Map(domain, range)) => {
            let has = |d: &Sym<'a>| Ok(map.call(d)?.null().0.clone());
            let inside = only_at_points(facts, (value, domain), has)?;
            let each = points(facts, value, domain)?.points;
            let each = each.iter().map(|d| {
                let entry = map.call(d)?;
                let (some, value) = entry.null();
                Ok(implies(some, &bounded(facts, value, range)?))
            });
            let each: Encoded<Vec<Bool>> = each.collect();
            Ok(and(&[and(&each?), inside]))
        }
        (Sym::Array(array), Type::Array(index, element)) => {
            bounded_array(facts, array, (index, element))
        }
        (Sym::Seq(seq), Type::Seq(element)) => {
            let each: Encoded<Vec<Bool>> = (0..MAX_LENGTH)
                .map(|i| {
                    let inside = seq.len.gt(i);
                    Ok(implies(
                        &inside,
                        &bounded(facts, &seq.nth(&Int::from_i64(i))?, element)?,
                    ))
                })
                .collect();
            Ok(and(&[seq.len.le(MAX_LENGTH), and(&each?)]))
        }
        _ => {
            let logic = facts.logic;
            logic.of_parts(value, ty, |part, ty| bounded(facts, part, ty))
        }
    }
}

fn bounded_array<'a>(
    facts: &Facts<'a>,
    array: &Function<'a>,
    (index, element): (&'a Type, &'a Type),
) -> Encoded<Bool> {
    let each: Encoded<Vec<Bool>> = listed(facts, index)?
        .iter()
        .map(|i| bounded(facts, &array.call(&i.sym)?, element))
        .collect();
    let inside = and(&each?);
    // What stands outside the window stands everywhere outside it.
    let Some(far) = facts.logic.beyond_window(index) else {
        return Ok(inside);
    };
    let rest = array.call(&far)?;
    let outside = facts.logic.forall("x", index, |i| {
        let same = array.call(&i)?.equal(&rest, element, facts.logic)?;
        Ok(implies(&facts.logic.in_window(&i, index)?.not(), &same))
    })?;
    Ok(and(&[inside, outside, bounded(facts, &rest, element)?]))
}

/// Says that a collection has nothing of a type but at its points, and gives these names where nothing else tells them.
fn only_at_points<'a>(
    facts: &Facts<'a>,
    (collection, element): (&Sym<'a>, &'a Type),
    has: impl Fn(&Sym<'a>) -> Encoded<Bool>,
) -> Encoded<Bool> {
    if listed_or_named(facts, element)?.is_some() {
        if !has_window(facts.logic.model, element) {
            return Ok(Bool::from_bool(true));
        }
        return facts.logic.forall("x", element, |x| {
            Ok(implies(&has(&x)?, &facts.logic.in_window(&x, element)?))
        });
    }
    if let Some(points) = built_from(collection) {
        return all_bounded(facts, &points, element);
    }
    let members = facts.name_members(collection, element)?;
    let inside = facts.logic.forall("x", element, |x| {
        let same = members.iter();
        let same = same.map(|member| x.equal(member, element, facts.logic));
        let same: Encoded<Vec<Bool>> = same.collect();
        Ok(implies(&has(&x)?, &or(&same?)))
    })?;
    Ok(and(&[inside, all_bounded(facts, &members, element)?]))
}

fn all_bounded<'a>(facts: &Facts<'a>, values: &[Sym<'a>], ty: &'a Type) -> Encoded<Bool> {
    let each = values.iter().map(|value| bounded(facts, value, ty));
    let each: Encoded<Vec<Bool>> = each.collect();
    Ok(and(&each?))
}

/// Whether values of the type have parts of which only those in a window are listed.
fn has_window(model: &Model, ty: &Type) -> bool {
    let mut parts = model.parts_of(ty).into_iter();
    match ty {
        Type::Nat | Type::Int | Type::Real | Type::Char | Type::String => true,
        _ => parts.any(|part| has_window(model, part)),
    }
}
