//! The parts of a term that are words.

use super::{Domain, Word};

/// Defines a method that calls `visit` on each immediate part that is a word, except those inside general terms: by shared
/// references, or by unique ones if `mut` is given.
macro_rules! visit_children {
    ($(#[$attribute:meta])* $visible:vis fn $name:ident by $iter:ident $($mutable:ident)?) => {
        $(#[$attribute])*
        $visible fn $name(&$($mutable)? self, visit: &mut impl FnMut(&$($mutable)? Word)) {
            match self {
                Self::Const(_) | Self::Load(..) | Self::Local(_) | Self::Cell(_) => {}
                Self::Not(a)
                | Self::Times(a, _)
                | Self::Succ(a)
                | Self::Pred(a)
                | Self::Val(a, _)
                | Self::Entry(a, _)
                | Self::Offset(a, _)
                | Self::Count(a)
                | Self::Table(_, a)
                | Self::Extract { from: a, .. }
                | Self::Shift { value: a, .. } => visit(a),
                Self::Payload(payload) => visit(&$($mutable)? payload.from),
                Self::Within(within) => {
                    visit(&$($mutable)? within.index);
                    visit(&$($mutable)? within.length);
                    visit(&$($mutable)? within.value);
                }
                Self::Narrow(narrow) => visit(&$($mutable)? narrow.value),
                Self::Number(number) => visit(&$($mutable)? number.code),
                Self::Element(element) => visit(&$($mutable)? element.number),
                Self::Arith(arith) => arith.parts.$iter().for_each(visit),
                Self::And(parts) | Self::Or(parts) => parts.$iter().for_each(visit),
                Self::Implies(parts)
                | Self::Binary(_, parts)
                | Self::Let(_, parts)
                | Self::Update { parts, .. }
                | Self::Select { parts, .. }
                | Self::Column { parts, .. }
                | Self::Matches { parts, .. } => parts.$iter().for_each(visit),
                Self::If(parts) | Self::Assign { parts, .. } => parts.$iter().for_each(visit),
                Self::Loop(turn) => {
                    match &$($mutable)? turn.domain {
                        Domain::Mask(mask) => visit(mask),
                        Domain::Masks(masks) => masks.$iter().for_each(&mut *visit),
                        Domain::Numbered(numbered) => {
                            numbered.masks.$iter().for_each(&mut *visit);
                        }
                        _ => {}
                    }
                    visit(&$($mutable)? turn.body);
                }
            }
        }
    };
}

impl Word {
    visit_children! {
        /// Calls `visit` on each immediate part that is a word, except those inside general terms.
        pub fn children by iter
    }

    visit_children! {
        /// The mutable form of [`Word::children`].
        pub(crate) fn children_mut by iter_mut mut
    }
}
