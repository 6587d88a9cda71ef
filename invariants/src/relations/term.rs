//! Terms over a frame: variables, array elements under quantified indices, parts, sizes.

use std::collections::BTreeSet;

use ioa_lang::core::{Model, Type};

use crate::relations::frame::Frame;
use crate::samples::{Column, Schema};

/// No frame has more terms than this, where the automaton does not have more variables: each takes up to half a
/// megabyte while evidence is weighed.
const MAX_TERMS: usize = 400;

/// A position in [`Terms`].
pub(crate) type TermId = usize;

/// What a term is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A column of the samples.
    Column(usize),
    /// A quantified variable.
    Bound(usize),
    /// `a[i]`
    Select(TermId, TermId),
    /// `x.val`, defined where `x` is not nil.
    Val(TermId),
    /// `p.f`
    Field(TermId, u32),
    /// `size(s)`
    Size(TermId),
    /// `len(s)`
    Len(TermId),
    /// `defined(m, d)`
    Defined(TermId, TermId),
    /// `m[d]`, defined where the map is.
    Entry(TermId, TermId),
    /// `tag(x)`
    Tag(TermId),
    /// `tag(x) = num`: nothing but a guard, for the tag says it too.
    IsVariant(TermId, u32),
    /// `x.num`, defined where that is the variant of `x`.
    Payload(TermId, u32),
}

/// What a number counts. Only numbers that count the same are compared with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// A number of the model.
    Declared,
    /// Elements of this type.
    Elements(Type),
}

/// A term with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) kind: Kind,
    pub(crate) ty: Type,
    /// As written in IOA.
    pub(crate) text: String,
    /// The quantified variables in it, as a mask.
    pub(crate) binders: u8,
    /// The columns in it.
    pub(crate) columns: BTreeSet<usize>,
    /// Terms that must not be nil, or that must be true, for this one to be defined, outermost first.
    pub(crate) guards: Vec<TermId>,
    /// Set for numbers.
    pub(crate) measure: Option<Measure>,
}

impl Term {
    /// Whether relations of the term are looked for.
    pub(crate) fn is_subject(&self) -> bool {
        !matches!(self.kind, Kind::IsVariant(..))
    }

    /// That what the term guards is defined, as a formula.
    pub(crate) fn as_guard(&self) -> String {
        match self.ty {
            Type::Null(_) => format!("{} ~= nil", self.text),
            _ => self.text.clone(),
        }
    }
}

/// All terms of a frame; a term stands after its parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    nodes: Vec<Term>,
    is_truncated: bool,
}

impl Terms {
    /// The terms over these columns; those listed in `lost` have no reliable words and are left out.
    pub(crate) fn of(
        schema: &Schema,
        frame: &Frame,
        columns: &[Column],
        lost: &BTreeSet<usize>,
    ) -> Self {
        let mut terms = Self::default();
        for (at, binder) in frame.binders.iter().enumerate() {
            terms.push(Term {
                binders: 1 << at,
                ..leaf(Kind::Bound(at), &binder.name, &binder.ty)
            });
        }
        for (at, column) in columns.iter().enumerate() {
            if !lost.contains(&at) {
                terms.push(Term {
                    columns: BTreeSet::from([at]),
                    ..leaf(Kind::Column(at), &column.name, &column.ty)
                });
            }
        }
        terms.derive(schema.model());
        terms
    }

    pub(crate) fn get(&self, id: TermId) -> &Term {
        &self.nodes[id]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn ids(&self) -> std::ops::Range<TermId> {
        0..self.nodes.len()
    }

    /// The terms that satisfy a condition.
    pub(crate) fn select(&self, wanted: impl Fn(&Term) -> bool) -> Vec<TermId> {
        self.ids().filter(|id| wanted(self.get(*id))).collect()
    }

    /// Whether terms were left out because there are too many.
    pub(crate) fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    fn push(&mut self, term: Term) {
        self.nodes.push(term);
    }

    /// Adds the parts of terms, and the parts of those, up to a limit.
    fn derive(&mut self, model: &Model) {
        let leaves = self.nodes.len();
        let indices: Vec<TermId> = (0..leaves).collect();
        let mut at = 0;
        while at < self.nodes.len() {
            for term in self.parts(model, at, &indices) {
                if self.nodes.len() >= MAX_TERMS {
                    self.is_truncated = true;
                    return;
                }
                self.push(term);
            }
            at += 1;
        }
    }

    /// What can be taken from a term; arrays are read at leaves (quantified variables and plain columns).
    fn parts(&self, model: &Model, id: TermId, leaves: &[TermId]) -> Vec<Term> {
        let whole = self.get(id);
        let text = &whole.text;
        let part = |kind, text: String, ty: &Type| Term {
            kind,
            ty: ty.clone(),
            text,
            measure: ty.is_integer().then_some(Measure::Declared),
            ..whole.clone()
        };
        let count = |kind, name: &str, element: &Type| Term {
            measure: Some(Measure::Elements(element.clone())),
            ..part(kind, format!("{name}({text})"), &Type::Nat)
        };
        match &whole.ty {
            Type::Seq(element) => vec![count(Kind::Len(id), "len", element)],
            Type::Null(inner) => {
                let mut val = part(Kind::Val(id), format!("{text}.val"), inner);
                val.guards.push(id);
                vec![val]
            }
            Type::Tuple(tuple) => {
                let fields = model.tuples[tuple.index()].fields.iter().enumerate();
                let field = |(at, (name, ty)): (usize, &(ioa_lang::Name, Type))| {
                    part(Kind::Field(id, at as u32), format!("{text}.{name}"), ty)
                };
                fields.map(field).collect()
            }
            Type::Array(index, element) => self
                .indices(leaves, index)
                .map(|(at, name)| {
                    let select = part(Kind::Select(id, at), format!("{text}[{name}]"), element);
                    select.with(self.get(at))
                })
                .collect(),
            Type::Map(domain, range) => {
                let entries = self.indices(leaves, domain).zip((self.len()..).step_by(2));
                let entry = |((at, name), guard)| {
                    let is = format!("defined({text}, {name})");
                    let defined = part(Kind::Defined(id, at), is, &Type::Bool);
                    let mut entry = part(Kind::Entry(id, at), format!("{text}[{name}]"), range);
                    entry.guards.push(guard);
                    [defined, entry].map(|term| term.with(self.get(at)))
                };
                entries.flat_map(entry).collect()
            }
            Type::Set(element) | Type::Mset(element) => {
                vec![count(Kind::Size(id), "size", element)]
            }
            Type::Union(union) => {
                let union = &model.unions[union.index()];
                let tag = format!("tag({text})");
                let mut terms = vec![part(Kind::Tag(id), tag.clone(), &Type::Enum(union.tags))];
                for ((name, ty), at) in union.variants.iter().zip(0..) {
                    let is = format!("{tag} = {name}");
                    let mut payload = part(Kind::Payload(id, at), format!("{text}.{name}"), ty);
                    payload.guards.push(self.len() + terms.len());
                    terms.push(part(Kind::IsVariant(id, at), is, &Type::Bool));
                    terms.push(payload);
                }
                terms
            }
            Type::Bool
            | Type::Nat
            | Type::Int
            | Type::Real
            | Type::Char
            | Type::String
            | Type::Sort(_)
            | Type::Enum(_) => Vec::new(),
        }
    }

    /// The terms of a type, of those given, with their texts.
    fn indices<'t>(
        &'t self,
        leaves: &'t [TermId],
        ty: &'t Type,
    ) -> impl Iterator<Item = (TermId, &'t str)> {
        let all = leaves.iter().map(|at| (*at, self.get(*at)));
        all.filter(move |(_, term)| term.ty == *ty)
            .map(|(at, term)| (at, term.text.as_str()))
    }
}

impl Term {
    /// The term, which also speaks of what an index speaks of.
    fn with(mut self, index: &Term) -> Self {
        self.binders |= index.binders;
        self.columns.extend(&index.columns);
        self
    }
}

fn leaf(kind: Kind, name: &str, ty: &Type) -> Term {
    Term {
        kind,
        ty: ty.clone(),
        text: name.to_owned(),
        binders: 0,
        columns: BTreeSet::new(),
        guards: Vec::new(),
        measure: ty.is_integer().then_some(Measure::Declared),
    }
}
