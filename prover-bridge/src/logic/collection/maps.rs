//! Maps as functions to `Null`s.

use std::rc::Rc;

use ioa_lang::core::{Expr, Op, Type};
use z3::ast::Bool;

use crate::logic::term::value::Function;
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
                Ok(Sym::Map(Function::new(move |_| Ok(nil.clone()))))
            }
            Op::Lookup => Ok(v[0].entry(&v[1])?.null().1.clone()),
            Op::Defined => Ok(Sym::Bool(v[0].entry(&v[1])?.null().0.clone())),
            Op::Update => Ok(self.with_entry(&v[0], &v[1], &args[1].ty, embed(v[2].clone()))),
            Op::Remove => {
                let Type::Map(_, range) = ty else {
                    return unsupported("an entry removed from what is no map");
                };
                Ok(self.with_entry(&v[0], &v[1], &args[1].ty, self.nil(range)?))
            }
            _ => unsupported("an operator that is none on maps"),
        }
    }

    /// The map that has this entry, or nil for none, at `key`, and is `map` elsewhere.
    pub(in crate::logic) fn with_entry(
        &'a self,
        map: &Sym<'a>,
        key: &Sym<'a>,
        key_type: &'a Type,
        entry: Sym<'a>,
    ) -> Sym<'a> {
        let (map, key) = (map.clone(), key.clone());
        Sym::Map(self.replaced(key, key_type, entry, move |d| map.entry(d)))
    }

    /// The function that is `value` at `key` and what `elsewhere` says for all else.
    pub(in crate::logic) fn replaced(
        &'a self,
        key: Sym<'a>,
        key_type: &'a Type,
        value: Sym<'a>,
        elsewhere: impl Fn(&Sym<'a>) -> Encoded<Sym<'a>> + 'a,
    ) -> Rc<Function<'a>> {
        Function::new(move |x| {
            let here = x.equal(&key, key_type, self)?;
            match here.as_bool() {
                Some(true) => Ok(value.clone()),
                _ => Ok(Sym::ite(&here, &value, &elsewhere(x)?)),
            }
        })
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
