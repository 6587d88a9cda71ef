//! What an atom is: a relation with its arguments.

use std::collections::BTreeSet;

use ioa_lang::core::Type;

use crate::relations::term::{TermId, Terms};

/// What an atom says about its arguments, here called `a`, `b` and `c`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// `a`
    Truth,
    /// `a = nil`
    IsNil,
    /// `a = {}`, for sets, multisets and sequences
    IsEmpty,
    /// `a` is this enumeration value or number
    Is(i64),
    /// `a = b`
    Equal,
    /// `a = embed(b)`
    Embeds,
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
    /// `a \in b`, for sets, multisets and sequences
    Member,
    /// `a \subseteq b`
    Subset,
    /// `a \I b = {}`
    Disjoint,
    /// `a \subseteq b \U c`
    WithinUnion,
    /// `a = b \U c`
    IsUnion,
    /// `a \I b \subseteq c`
    MeetWithin,
    /// The sequence `a` is the others, one after the other.
    Joined,
    /// `a <= n`
    AtMostNumber(i64),
    /// `n <= a`
    AtLeastNumber(i64),
    /// `a` is one of these numbers or enumeration values, ascending
    OneOf(Vec<i64>),
    /// `a = factor * b + offset`
    Linear {
        /// Not 0.
        factor: i64,
        /// May be negative.
        offset: i64,
    },
    /// `mod(a, modulus) = remainder`
    Remainder {
        /// At least 2.
        modulus: i64,
        /// Less than the modulus.
        remainder: i64,
    },
    /// The sum of `a`, `b` and `c`, each times its factor, is the offset.
    Plane {
        /// None is 0.
        factors: [i64; 3],
        /// May be negative.
        offset: i64,
    },
    /// The sum of as many arguments as there are factors, each times its factor, is the offset.
    Balance {
        /// None is 0.
        factors: Vec<i64>,
        /// May be negative.
        offset: i64,
    },
    /// `a = b + c`
    IsSum,
    /// `a <= b + c`
    AtMostSum,
    /// `a = insert(b, c)`
    Inserted,
    /// `a = delete(b, c)`
    Deleted,
    /// Arrays `a` and `b` differ at index `c` at most.
    SameElsewhere,
}

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Atom {
    pub(crate) relation: Relation,
    pub(crate) args: Vec<TermId>,
}

impl Atom {
    pub(crate) fn new(relation: Relation, args: impl Into<Vec<TermId>>) -> Self {
        Self {
            relation,
            args: args.into(),
        }
    }

    /// The quantified variables in it, as a mask.
    pub(crate) fn binders(&self, terms: &Terms) -> u8 {
        self.args.iter().fold(0, |m, a| m | terms.get(*a).binders)
    }

    /// The columns in it.
    pub(crate) fn columns(&self, terms: &Terms) -> BTreeSet<usize> {
        let of = |a: &TermId| terms.get(*a).columns.iter().copied();
        self.args.iter().flat_map(of).collect()
    }

    /// What must not be nil, or must be true, for it to be defined, outermost first.
    pub(crate) fn guards(&self, terms: &Terms) -> Vec<TermId> {
        let mut out = Vec::new();
        for guard in self.args.iter().flat_map(|a| &terms.get(*a).guards) {
            if !out.contains(guard) {
                out.push(*guard);
            }
        }
        out
    }

    /// Whether its negation is tried too. That of relations of sizes and of whole collections is not: it describes the runs
    /// rather than the algorithm.
    pub(crate) fn is_condition(&self, terms: &Terms) -> bool {
        match self.relation {
            Relation::Truth
            | Relation::IsNil
            | Relation::IsEmpty
            | Relation::Embeds
            | Relation::Member => true,
            Relation::Is(_) | Relation::Less => !self.counts(terms),
            Relation::Equal => {
                let ty = terms.get(self.args[0]).ty();
                !is_composite(ty) && !self.counts(terms)
            }
            _ => false,
        }
    }

    /// Whether it is about the sizes of collections.
    pub(crate) fn counts(&self, terms: &Terms) -> bool {
        let counts = |a: &TermId| terms.get(*a).counts();
        self.args.iter().any(counts)
    }
}

/// Whether values of the type have parts without a fixed number.
pub(super) fn is_composite(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Set(_) | Type::Mset(_) | Type::Seq(_) | Type::Array(..) | Type::Map(..)
    )
}
