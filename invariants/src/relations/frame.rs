//! Frames: the quantified variables under which terms are compared.
//!
//! The rows of a frame are the samples times the values of its variables. Two variables of one sort are never equal
//! in a frame (the frame with one variable speaks of that case), and where the sort is ordered the first is the lesser.

use std::collections::BTreeSet;

use ioa_lang::core::Type;

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
        let taken = BTreeSet::from([first.name.clone()]);
        let second = Binder {
            name: fresh_name(schema, &first.name, &taken),
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

    /// `\A b, c: Ballot`, or nothing where there are no variables.
    pub(crate) fn quantifiers(&self, schema: &Schema) -> String {
        let ty = |b: &Binder| schema.model().type_name(&b.ty);
        match &self.binders[..] {
            [a, b] if a.ty == b.ty => format!("\\A {}, {}: {} ", a.name, b.name, ty(a)),
            all => all
                .iter()
                .map(|b| format!("\\A {}: {} ", b.name, ty(b)))
                .collect(),
        }
    }
}

fn quantified(schema: &Schema) -> Vec<Binder> {
    let mut types = BTreeSet::new();
    for column in schema.variables() {
        collect_indices(schema, &column.ty, false, &mut types);
    }
    let mut binders: Vec<Binder> = Vec::new();
    for ty in types {
        let packing = schema.encoding(&ty).packing();
        let Some(codes) = packing.and_then(|p| p.codes(MAX_VALUES)) else {
            continue;
        };
        let taken = binders.iter().map(|b| b.name.clone()).collect();
        let wanted = schema.model().initial(&ty).to_string();
        let name = fresh_name(schema, &wanted, &taken);
        binders.push(Binder { name, ty, codes });
    }
    binders
}

/// Notes the sorts and enumerations that index something or are elements of something.
fn collect_indices(schema: &Schema, ty: &Type, is_inner: bool, out: &mut BTreeSet<Type>) {
    match ty {
        Type::Sort(_) | Type::Enum(_) if is_inner => {
            out.insert(ty.clone());
        }
        Type::Set(part) | Type::Mset(part) | Type::Seq(part) | Type::Null(part) => {
            collect_indices(schema, part, true, out);
        }
        Type::Array(index, element) | Type::Map(index, element) => {
            collect_indices(schema, index, true, out);
            collect_indices(schema, element, false, out);
        }
        Type::Tuple(id) => {
            for part in schema.field_types(*id) {
                collect_indices(schema, part, false, out);
            }
        }
        Type::Union(id) => {
            for part in schema.variant_types(*id) {
                collect_indices(schema, part, false, out);
            }
        }
        Type::Bool
        | Type::Nat
        | Type::Int
        | Type::Real
        | Type::Char
        | Type::String
        | Type::Sort(_)
        | Type::Enum(_) => {}
    }
}

/// A name near the wanted one that nothing visible in an invariant has: the next letters, then numbered.
fn fresh_name(schema: &Schema, wanted: &str, taken: &BTreeSet<String>) -> String {
    let first = wanted.chars().next().unwrap_or('x');
    let letters = ('a'..='z').cycle().skip_while(|c| *c != first).take(26);
    let readable = letters.filter(|c| !matches!(c, 'l' | 'o'));
    let numbered = (1..).map(|n| format!("x{n}"));
    readable
        .map(String::from)
        .chain(numbered)
        .find(|name| !taken.contains(name) && !is_visible(schema, name))
        .unwrap_or_default()
}

fn is_visible(schema: &Schema, name: &str) -> bool {
    let model = schema.model();
    let mut enumerators = model.enumerations.iter().flat_map(|e| &e.values);
    schema.variables().iter().any(|v| v.name == name)
        || model.functions.iter().any(|f| &*f.name == name)
        || enumerators.any(|value| &**value == name)
}
