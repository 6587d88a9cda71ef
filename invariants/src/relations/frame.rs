//! Frames: the quantified variables under which terms are compared.
//!
//! The rows of a frame are the samples times the values of its variables. Two variables of one sort are never equal
//! in a frame (the frame with one variable speaks of that case), and where the sort is ordered the first is the lesser.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Model, Quantifier, Type};

use crate::build::{formula, variable};
use crate::names::{fresh, visible};
use crate::samples::Schema;

/// No type with more values than this is quantified over.
const MAX_VALUES: u64 = 64;

/// Nor are two variables with more values together.
const MAX_ASSIGNMENTS: usize = 1024;

/// A quantified variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binder {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The codes of its values.
    codes: Vec<u64>,
}

/// How the variables of a frame are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Not at all.
    Free,
    /// Two variables of one type, different.
    Distinct,
    /// Two variables of one ordered type, the first less than the second.
    Ordered,
}

/// Quantified variables, at most two for now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) binders: Vec<Binder>,
    pub(crate) shape: Shape,
}

impl Frame {
    /// The frames worth looking at, those with fewer variables first: none; one variable of each sort or enumeration
    /// that indexes an array or is an element of something; two of them.
    pub(crate) fn all(schema: &Schema) -> Vec<Self> {
        let singles = quantified(schema);
        let mut frames = vec![Self::free(Vec::new())];
        frames.extend(singles.iter().map(|b| Self::free(vec![b.clone()])));
        for (at, first) in singles.iter().enumerate() {
            frames.extend(Self::twice(schema, first));
            for second in &singles[at + 1..] {
                frames.push(Self::free(vec![first.clone(), second.clone()]));
            }
        }
        frames.retain(|frame| frame.assignments().len() <= MAX_ASSIGNMENTS);
        frames.sort_by_key(|frame| frame.binders.len());
        frames
    }

    /// No quantified variables.
    pub(crate) fn empty() -> Self {
        Self::free(Vec::new())
    }

    fn free(binders: Vec<Binder>) -> Self {
        Self {
            binders,
            shape: Shape::Free,
        }
    }

    fn twice(schema: &Schema, first: &Binder) -> Option<Self> {
        if first.codes.len() < 2 {
            return None;
        }
        let shape = if schema.is_ordered(&first.ty) {
            Shape::Ordered
        } else {
            Shape::Distinct
        };
        let mut taken = visible(schema.model(), schema.automaton());
        taken.insert(first.name.clone());
        let letter = first.name.chars().next().unwrap_or('x');
        let second = Binder {
            name: fresh(letter, &taken),
            ..first.clone()
        };
        Some(Self {
            binders: vec![first.clone(), second],
            shape,
        })
    }

    /// The values of the variables, as codes, that the shape allows.
    pub(crate) fn assignments(&self) -> Vec<Vec<u64>> {
        let mut out = vec![Vec::new()];
        for binder in &self.binders {
            out = out
                .iter()
                .flat_map(|head: &Vec<u64>| {
                    let extend = |code: &u64| [&head[..], &[*code]].concat();
                    binder.codes.iter().map(extend).collect::<Vec<_>>()
                })
                .collect();
        }
        out.retain(|values| match self.shape {
            Shape::Free => true,
            Shape::Distinct => values[0] != values[1],
            Shape::Ordered => values[0] < values[1],
        });
        out
    }

    /// The set of all variables, as a mask.
    pub(crate) fn mask(&self) -> u8 {
        (1 << self.binders.len()) - 1
    }

    /// The variables as terms.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Expr> + '_ {
        let each = self.binders.iter().enumerate();
        each.map(|(at, binder)| variable(LocalId::at(at), &binder.ty))
    }

    /// The variables as locals.
    pub(crate) fn locals(&self) -> Vec<Local> {
        let locals = self.binders.iter().map(|binder| Local {
            name: binder.name.as_str().into(),
            ty: binder.ty.clone(),
            span: Span::default(),
        });
        locals.collect()
    }

    /// A formula over the variables, stated for all of their values. Variables of different types have quantifiers of their own,
    /// as they have where such a formula is written.
    pub(crate) fn quantified(&self, body: Expr) -> Expr {
        let ids: Vec<LocalId> = (0..self.binders.len()).map(LocalId::at).collect();
        let ty = |id: &LocalId| &self.binders[id.index()].ty;
        let groups: Vec<&[LocalId]> = ids.chunk_by(|a, b| ty(a) == ty(b)).collect();
        groups.into_iter().rev().fold(body, |body, group| {
            let body = Box::new(body);
            formula(ExprKind::Quantified(
                Quantifier::ForAll,
                group.to_vec(),
                body,
            ))
        })
    }
}

fn quantified(schema: &Schema) -> Vec<Binder> {
    let mut types = BTreeSet::new();
    let left_out = &schema.focus().left_out;
    for (at, column) in schema.state_columns().iter().enumerate() {
        if left_out.iter().all(|variable| variable.index() != at) {
            collect_indices(schema.model(), &column.ty, false, &mut types);
        }
    }
    for own in schema.own() {
        types.extend(own.open().iter().map(|local| local.ty.clone()));
    }
    let mut binders: Vec<Binder> = Vec::new();
    let mut taken = visible(schema.model(), schema.automaton());
    for ty in types {
        let packing = schema.encoding(&ty).packing();
        let Some(codes) = packing.and_then(|p| p.codes(MAX_VALUES)) else {
            continue;
        };
        let name = fresh(schema.model().initial(&ty), &taken);
        taken.insert(name.clone());
        binders.push(Binder { name, ty, codes });
    }
    binders
}

/// Notes the sorts and enumerations that index something or are elements of something.
fn collect_indices(model: &Model, ty: &Type, is_inner: bool, out: &mut BTreeSet<Type>) {
    if is_inner && matches!(ty, Type::Sort(_) | Type::Enum(_)) {
        out.insert(ty.clone());
    }
    for (position, part) in model.parts_of(ty).into_iter().enumerate() {
        let is_inner = match ty {
            Type::Set(_) | Type::Mset(_) | Type::Seq(_) | Type::Null(_) => true,
            Type::Array(..) | Type::Map(..) => position == 0,
            _ => false,
        };
        collect_indices(model, part, is_inner, out);
    }
}
