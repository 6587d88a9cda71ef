//! The values of infinite types that may occur as elements or indices of collections in a counterexample: few enough to
//! be listed.

use ioa_lang::core::Type;
use z3::ast::{Bool, Int};

use crate::logic::term::numbers;
use crate::logic::term::text;
use crate::logic::{Encoded, Logic, Size, Sym, and, or};

/// Numbers that occur as elements or indices of a collection in a counterexample lie in this range.
pub(crate) const WINDOW: std::ops::RangeInclusive<i64> = -3..=8;

/// No variable that is a collection over a type whose values cannot be listed has more members than this in a counterexample.
pub(crate) const MAX_MEMBERS: usize = 4;

impl<'a> Logic<'a> {
    /// Whether the parts of a value that are of infinite types lie in their windows.
    pub(crate) fn in_window(&'a self, value: &Sym<'a>, ty: &'a Type) -> Encoded<Bool> {
        let windows = &self.windows;
        Ok(match (value, ty) {
            (Sym::Int(n), Type::Char) => {
                let each = windows.characters.iter();
                or(&each
                    .map(|c| n.eq(numbers::character(*c)))
                    .collect::<Vec<_>>())
            }
            (Sym::Int(n), _) => and(&[n.ge(*WINDOW.start()), n.le(*WINDOW.end())]),
            (Sym::Real(n), _) => {
                let each = windows.reals.iter();
                or(&each.map(|r| n.eq(numbers::fraction(r))).collect::<Vec<_>>())
            }
            (Sym::Text(text), _) => {
                let each = windows.strings.iter().filter_map(|s| text::write(s).ok());
                or(&each.map(|s| text.eq(&s)).collect::<Vec<_>>())
            }
            _ => return self.of_parts(value, ty, |part, ty| self.in_window(part, ty)),
        })
    }

    /// Whether an instance is looked for, and not the absence of one: then collections over a type whose values are too many to be
    /// listed have a few members with names.
    pub(crate) fn is_windowed(&self) -> bool {
        matches!(&self.size, Size::Finite(finite) if finite.windowed)
    }

    /// Whether collections over a type have a few members with names.
    pub(in crate::logic) fn names_members(&'a self, ty: &'a Type) -> bool {
        self.is_windowed() && self.instances(ty, true).is_none()
    }

    /// A value of a type with a window that lies outside it.
    pub(crate) fn beyond_window(&self, ty: &Type) -> Option<Sym<'a>> {
        match ty {
            Type::Nat | Type::Int => Some(Sym::Int(Int::from_i64(WINDOW.end() + 1))),
            Type::Real => Some(Sym::Real(numbers::fraction(&self.windows.other_real()))),
            Type::Char => Some(Sym::Int(numbers::character(self.windows.other_character()))),
            Type::String => numbers::literal(&self.windows.other_string()).ok(),
            _ => None,
        }
    }
}
