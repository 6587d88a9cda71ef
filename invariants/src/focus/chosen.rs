//! What a person chose to look at.

use std::collections::BTreeSet;

use ioa_lang::core::{ActionId, Model, OpenTerm, Type, VarId};

/// What is looked at.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// Variables of which nothing is proposed.
    pub left_out: BTreeSet<VarId>,
    /// Actions whose steps are not described.
    pub undescribed: BTreeSet<ActionId>,
    /// Terms to look at as if they were variables.
    pub terms: Vec<OpenTerm>,
    /// Conditions: what is true where one holds is proposed as well, and what is true where it does not.
    pub splits: Vec<OpenTerm>,
}

/// Everything is looked at, and nothing else.
pub(crate) static EVERYTHING: Focus = Focus::everything();

impl Focus {
    /// Everything, and nothing else.
    #[must_use]
    pub const fn everything() -> Self {
        Self {
            left_out: BTreeSet::new(),
            undescribed: BTreeSet::new(),
            terms: Vec::new(),
            splits: Vec::new(),
        }
    }

    /// The terms and the conditions.
    pub(crate) fn own(&self) -> impl Iterator<Item = &OpenTerm> {
        self.terms.iter().chain(&self.splits)
    }

    /// Whether candidates say anything of values of this type, by themselves or by their parts.
    #[must_use]
    pub fn is_of_use(model: &Model, ty: &Type) -> bool {
        match ty {
            Type::Bool
            | Type::Nat
            | Type::Int
            | Type::Sort(_)
            | Type::Enum(_)
            | Type::Set(_)
            | Type::Mset(_)
            | Type::Seq(_)
            | Type::Null(_)
            | Type::Union(_) => true,
            Type::Real | Type::Char | Type::String => false,
            Type::Array(index, part) | Type::Map(index, part) => {
                !matches!(**index, Type::Real | Type::Char | Type::String)
                    && Self::is_of_use(model, part)
            }
            Type::Tuple(_) => {
                let mut parts = model.parts_of(ty).into_iter();
                parts.any(|part| Self::is_of_use(model, part))
            }
        }
    }
}
