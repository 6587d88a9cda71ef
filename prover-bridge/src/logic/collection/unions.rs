//! Unions by their tags and what each variant carries.

use ioa_lang::core::{Type, UnionId};
use z3::ast::{Bool, Dynamic};

use crate::logic::{Encoded, Logic, Sym, unsupported};

impl<'a> Logic<'a> {
    /// `variant(payload)` at a union type.
    pub(crate) fn variant(
        &'a self,
        id: UnionId,
        variant: u32,
        payload: &Sym<'a>,
    ) -> Encoded<Sym<'a>> {
        let variants = &self.model.unions[id.index()].variants;
        let mut payloads = Vec::with_capacity(variants.len());
        for (i, (_, ty)) in (0..).zip(variants) {
            payloads.push(if i == variant {
                payload.clone()
            } else {
                self.arbitrary(ty)?
            });
        }
        Ok(Sym::Union(self.tag(id, variant), payloads.into()))
    }

    /// Whether a union's value is of this variant.
    pub(crate) fn has_tag(&self, value: &Sym<'a>, id: UnionId, variant: u32) -> Bool {
        let (tag, _) = value.union();
        let wanted = self.tag(id, variant);
        if tag.ast_eq(&wanted) {
            return Bool::from_bool(true);
        }
        tag.eq(&wanted)
    }

    /// The tag of a variant, a value of the enumeration of the union's tags.
    pub(crate) fn tag(&self, id: UnionId, variant: u32) -> Dynamic {
        let tags = self.model.unions[id.index()].tags;
        match self.enumerator(tags, variant) {
            Sym::Atom(tag) => tag,
            _ => unreachable!("the value of an enumeration"),
        }
    }
}

pub(in crate::logic) fn union_id(ty: &Type) -> Encoded<UnionId> {
    match ty {
        Type::Union(id) => Ok(*id),
        _ => unsupported("a variant of a type that is no union"),
    }
}
