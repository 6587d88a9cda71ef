//! What is seen of a high variable: its entries, its elements, its truth.

use ioa_lang::Span;
use ioa_lang::Value;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type, VarId};

use super::basis::Suggesting;
use super::language::domains::{combinations, domain};
use super::language::terms::apply;

/// A variable as far as it is looked at: at some indices, and perhaps as a truth value.
pub(super) struct Observed {
    /// The types of the values at which it is looked at.
    pub(super) binders: Vec<Type>,
    /// What is seen there, if it is no truth value.
    pub(super) entry: Option<Type>,
}

impl Suggesting<'_> {
    /// What may be seen of a variable beside the chosen low states; none if there are too many values to look at.
    pub(super) fn seen(
        &self,
        var: VarId,
        observed: &Observed,
        places: &[(usize, usize)],
    ) -> Option<Seen> {
        let model = &*self.study.model;
        let mut seen = Seen {
            points: Vec::new(),
            blocks: Vec::new(),
        };
        for place in places.iter().copied() {
            let universe = &self.universes[place.0];
            let types = observed.binders.iter();
            let domains: Vec<Vec<Value>> = types
                .map(|ty| domain(model, universe, ty))
                .collect::<Option<_>>()?;
            let indices = combinations(&domains);
            let low = self.low_values(place);
            for index in &indices {
                let values = [&low[..], &index[..]].concat();
                seen.points.push((place.0, values));
            }
            let pattern = |value: &Value| -> Option<Vec<Value>> {
                let at = |index: &Vec<Value>| looked_at(value, index);
                indices.iter().map(at).collect()
            };
            let allowed = self.allowed(place, var);
            seen.blocks.push(Block {
                width: indices.len(),
                patterns: allowed.iter().map(pattern).collect::<Option<_>>()?,
            });
        }
        Some(seen)
    }

    /// The variable at the indices, as a term of its entry's type or as a formula.
    pub(super) fn at_indices(
        &self,
        var: VarId,
        ty: &Type,
        bound: &[LocalId],
        observed: &Observed,
    ) -> Expr {
        let (mut place, mut ty) = (self.high_variable(var), ty.clone());
        for (id, index) in bound.iter().zip(&observed.binders) {
            let index = Expr::new(ExprKind::Local(*id), index.clone(), Span::default());
            (place, ty) = match ty {
                Type::Array(_, entry) => {
                    let whole = apply(Op::Select, vec![place, index], (*entry).clone());
                    (whole, *entry)
                }
                Type::Set(_) => (
                    apply(Op::Member, vec![index, place], Type::Bool),
                    Type::Bool,
                ),
                Type::Null(_) => {
                    let some = apply(Op::Embed, vec![index], ty.clone());
                    (equal(place, some), Type::Bool)
                }
                _ => (equal(place, index), Type::Bool),
            };
        }
        place
    }
}

/// What is seen of a variable: at which points, and which values may be seen at those of one low state together.
pub(super) struct Seen {
    pub(super) points: Vec<(usize, Vec<Value>)>,
    pub(super) blocks: Vec<Block>,
}

pub(super) struct Block {
    pub(super) width: usize,
    pub(super) patterns: Vec<Vec<Value>>,
}

/// In which ways a variable of a type is looked at.
pub(super) fn observations(ty: &Type) -> Vec<Observed> {
    let (mut binders, mut rest) = (Vec::new(), ty);
    while let Type::Array(index, entry) = rest {
        binders.push((**index).clone());
        rest = entry;
    }
    let mut ways = Vec::new();
    if !binders.is_empty() && *rest != Type::Bool {
        ways.push(Observed {
            binders: binders.clone(),
            entry: Some(rest.clone()),
        });
    }
    let last = match rest {
        Type::Set(element) | Type::Null(element) => Some((**element).clone()),
        Type::Sort(_) | Type::Enum(_) => Some(rest.clone()),
        Type::Bool => None,
        _ => return ways,
    };
    binders.extend(last);
    ways.push(Observed {
        binders,
        entry: None,
    });
    ways
}

/// What is seen of a value at an index.
fn looked_at(value: &Value, index: &[Value]) -> Option<Value> {
    let Some((first, rest)) = index.split_first() else {
        return Some(value.clone());
    };
    match value {
        Value::Array { entries, default } => {
            let entry = entries.get(first).or(default.as_deref())?;
            looked_at(entry, rest)
        }
        Value::Set(elements) => Some(Value::Bool(elements.contains(first))),
        Value::Null(inner) => Some(Value::Bool(inner.as_deref() == Some(first))),
        other => Some(Value::Bool(other == first)),
    }
}

/// That two terms are equal.
pub(super) fn equal(left: Expr, right: Expr) -> Expr {
    apply(Op::Eq, vec![left, right], Type::Bool)
}
