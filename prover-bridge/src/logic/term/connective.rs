//! Connectives of terms, without what is plainly true or false.

use z3::ast::Bool;

/// The conjunction; what is plainly true is left out.
pub(crate) fn and(parts: &[Bool]) -> Bool {
    connect(parts, true, |kept| Bool::and(kept))
}

/// The disjunction; what is plainly false is left out.
pub(crate) fn or(parts: &[Bool]) -> Bool {
    connect(parts, false, |kept| Bool::or(kept))
}

fn connect(parts: &[Bool], neutral: bool, join: impl Fn(&[&Bool]) -> Bool) -> Bool {
    let mut kept = Vec::with_capacity(parts.len());
    for part in parts {
        match part.as_bool() {
            Some(value) if value == neutral => {}
            Some(_) => return part.clone(),
            None => kept.push(part),
        }
    }
    match kept.as_slice() {
        [] => Bool::from_bool(neutral),
        [one] => (*one).clone(),
        _ => join(&kept),
    }
}

/// `a <=> b`, without the side that is plainly true or false.
pub(crate) fn iff(a: &Bool, b: &Bool) -> Bool {
    match (a.as_bool(), b.as_bool()) {
        (Some(true), _) => b.clone(),
        (_, Some(true)) => a.clone(),
        (Some(false), _) => b.not(),
        (_, Some(false)) => a.not(),
        _ => a.iff(b),
    }
}

/// `if c then a else b`, without the side that is plainly true or false.
pub(super) fn either(c: &Bool, a: &Bool, b: &Bool) -> Bool {
    match (a.as_bool(), b.as_bool()) {
        (Some(true), _) => or(&[c.clone(), b.clone()]),
        (Some(false), _) => and(&[c.not(), b.clone()]),
        (_, Some(true)) => implies(c, a),
        (_, Some(false)) => and(&[c.clone(), a.clone()]),
        _ => c.ite(a, b),
    }
}

/// `a => b`, without the premise where it is plainly true.
pub(crate) fn implies(a: &Bool, b: &Bool) -> Bool {
    match (a.as_bool(), b.as_bool()) {
        (Some(true), _) => b.clone(),
        (Some(false), _) | (_, Some(true)) => Bool::from_bool(true),
        _ => a.implies(b),
    }
}
