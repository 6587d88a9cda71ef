//! Maps, which are arrays of `Null`s.

use std::rc::Rc;

use ioa_lang::core::{Expr, Op, Type};
use z3::ast::Bool;

use crate::logic::{Encoded, Logic, Sym, unsupported};

impl<'a> Logic<'a> {
    pub(in crate::logic) fn map_operator(
        &'a self,
        op: Op,
        v: &[Sym<'a>],
        args: &'a [Expr],
        ty: &'a Type,
    ) -> Encoded<Sym<'a>> {
        match op {
            Op::EmptyMap => {
                let Type::Map(_, range) = ty else {
                    return unsupported("an empty map of a type that is none");
                };
                let nil = self.nil(range)?;
                Ok(Sym::array(move |_| Ok(nil.clone())))
            }
            Op::Lookup => Ok(v[0].select(&v[1])?.null().1.clone()),
            Op::Defined => Ok(Sym::Bool(v[0].select(&v[1])?.null().0.clone())),
            Op::Update => Ok(self.assign(&v[0], &v[1], &args[1].ty, embed(v[2].clone()))),
            Op::Remove => {
                let Type::Map(_, range) = ty else {
                    return unsupported("an entry removed from what is no map");
                };
                Ok(self.assign(&v[0], &v[1], &args[1].ty, self.nil(range)?))
            }
            _ => unsupported("an operator that is none on maps"),
        }
    }

    /// The nil of a `Null` with this inner type.
    pub(in crate::logic) fn nil(&'a self, inner: &'a Type) -> Encoded<Sym<'a>> {
        let nothing = self.arbitrary(inner)?;
        Ok(Sym::Null(Bool::from_bool(false), Rc::new(nothing)))
    }
}

/// The `Null` that has this value.
pub(in crate::logic) fn embed(value: Sym<'_>) -> Sym<'_> {
    Sym::Null(Bool::from_bool(true), Rc::new(value))
}
