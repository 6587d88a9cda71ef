//! The value of a term.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Value;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Quantifier, Store, Type};

use super::operator::{Partial, operator};
use super::{Fault, Scope, Stop, World};

/// Maximum number of bits of an integer.
const MOST_BITS: u64 = 128;

/// Maximum length of a sequence.
const MOST_ELEMENTS: usize = 1 << 12;

impl World<'_> {
    /// Whether a formula is true.
    ///
    /// # Errors
    /// It is undefined, or there are too many values to try.
    pub fn truth(&self, formula: &Expr, scope: &mut Scope<'_>) -> Result<bool, Stop> {
        match self.value(formula, scope)? {
            Value::Bool(truth) => Ok(truth),
            other => panic!("{other:?} is no truth value"),
        }
    }

    /// The value of a term.
    ///
    /// # Errors
    /// The term has no value, or there are too many values to try.
    pub fn value(&self, term: &Expr, scope: &mut Scope<'_>) -> Result<Value, Stop> {
        Ok(match &term.kind {
            ExprKind::Bool(truth) => Value::Bool(*truth),
            ExprKind::Int(n) => Value::Int(n.clone()),
            ExprKind::Real(n) => Value::Real(n.clone()),
            ExprKind::Char(c) => Value::Char(*c),
            ExprKind::Text(text) => Value::Text(text.clone()),
            ExprKind::Enumerator(n) => match term.ty {
                Type::Enum(id) => Value::Enumerator(id, *n),
                _ => panic!("an enumerator is of an enumeration"),
            },
            ExprKind::State(state) => {
                let values = match state.store {
                    Store::Pre | Store::Low => scope.pre,
                    Store::Post | Store::High => scope.post,
                    other => panic!("{other:?} is not read by an automaton"),
                };
                values[state.var.index()].clone()
            }
            ExprKind::Local(local) => {
                let value = scope.bound[local.index()].clone();
                value.expect("a local is bound where it is read")
            }
            ExprKind::Apply(op, args) => self.apply(*op, args, &term.ty, scope)?,
            ExprKind::Theory(id, args) => self.theory(*id, &self.all(args, scope)?),
            ExprKind::If(condition, yes, no) => {
                let chosen = if self.truth(condition, scope)? {
                    yes
                } else {
                    no
                };
                self.value(chosen, scope)?
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                Value::Bool(self.quantified(*quantifier, binders, body, scope)?)
            }
            ExprKind::Comprehension(binder, body) => {
                Value::Set(self.satisfying(*binder, body, scope)?)
            }
            ExprKind::Entries(binder, entry) => self.entries(*binder, entry, scope)?,
            ExprKind::Element(_) | ExprKind::Random(..) => {
                panic!("only schedules name elements and draw")
            }
        })
    }

    /// The values of some terms, from left to right.
    pub(super) fn all(&self, terms: &[Expr], scope: &mut Scope<'_>) -> Result<Vec<Value>, Stop> {
        terms.iter().map(|term| self.value(term, scope)).collect()
    }

    /// The body is evaluated for all values, even after one of them has determined the truth of the whole.
    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &[LocalId],
        body: &Expr,
        scope: &mut Scope<'_>,
    ) -> Result<bool, Stop> {
        let Some((first, others)) = binders.split_first() else {
            return self.truth(body, scope);
        };
        let mut found = BTreeSet::new();
        for value in &*self.values(&scope.locals[first.index()].ty)? {
            scope.bind(*first, value.clone());
            found.insert(self.quantified(quantifier, others, body, scope)?);
        }
        Ok(match quantifier {
            Quantifier::ForAll => !found.contains(&false),
            Quantifier::Exists => found.contains(&true),
        })
    }

    /// The values of a local for which a formula is true.
    pub(super) fn satisfying(
        &self,
        binder: LocalId,
        formula: &Expr,
        scope: &mut Scope<'_>,
    ) -> Result<BTreeSet<Value>, Stop> {
        let mut found = BTreeSet::new();
        for value in &*self.values(&scope.locals[binder.index()].ty)? {
            scope.bind(binder, value.clone());
            if self.truth(formula, scope)? {
                self.must_be_inside(value)?;
                found.insert(value.clone());
            }
        }
        Ok(found)
    }

    /// If the last integer that is tried satisfies the formula, others beyond it may satisfy it as well.
    pub(super) fn must_be_inside(&self, value: &Value) -> Result<(), Stop> {
        match self.is_at_the_end(value) {
            true => Err(Stop::Beyond("an integer that is tried is too large".into())),
            false => Ok(()),
        }
    }

    fn is_at_the_end(&self, value: &Value) -> bool {
        match value {
            Value::Int(n) => *n.magnitude() >= self.window.unsigned_abs().into(),
            Value::Null(Some(value)) | Value::Union(_, _, value) => self.is_at_the_end(value),
            Value::Tuple(_, fields) => fields.iter().any(|field| self.is_at_the_end(field)),
            _ => false,
        }
    }

    fn apply(
        &self,
        op: Op,
        args: &[Expr],
        ty: &Type,
        scope: &mut Scope<'_>,
    ) -> Result<Value, Stop> {
        // These three stop as soon as the value is known.
        let settled = match op {
            Op::And => Some(false),
            Op::Or => Some(true),
            Op::Implies => {
                let holds = !self.truth(&args[0], scope)? || self.truth(&args[1], scope)?;
                return Ok(Value::Bool(holds));
            }
            _ => None,
        };
        if let Some(settled) = settled {
            for arg in args {
                if self.truth(arg, scope)? == settled {
                    return Ok(Value::Bool(settled));
                }
            }
            return Ok(Value::Bool(!settled));
        }
        let args = self.all(args, scope)?;
        if let (Op::Constant, Type::Array(index, _), [element]) = (op, ty, &args[..]) {
            return self.constant(index, element);
        }
        if let (Op::Pow, [_, Value::Int(exponent)]) = (op, &args[..])
            && exponent.bits() > MOST_BITS.ilog2().into()
        {
            return Err(Stop::Beyond("a large exponent".into()));
        }
        match operator(op, &args, ty) {
            Partial::Value(Value::Int(n)) if n.bits() > MOST_BITS => {
                Err(Stop::Beyond("a large integer".into()))
            }
            Partial::Value(Value::Seq(elements)) if elements.len() > MOST_ELEMENTS => {
                Err(Stop::Beyond("a long sequence".into()))
            }
            Partial::Value(value) => Ok(value),
            Partial::Undefined => Err(Fault::Undefined.into()),
        }
    }

    /// An array by its entries.
    fn entries(&self, binder: LocalId, entry: &Expr, scope: &mut Scope<'_>) -> Result<Value, Stop> {
        let mut entries = BTreeMap::new();
        for index in &*self.finite(&scope.locals[binder.index()].ty)? {
            scope.bind(binder, index.clone());
            entries.insert(index.clone(), self.value(entry, scope)?);
        }
        Ok(Value::Array {
            entries,
            default: None,
        })
    }

    /// A constant array, entry by entry.
    fn constant(&self, index: &Type, element: &Value) -> Result<Value, Stop> {
        let entries = self.finite(index)?;
        let entries = entries.iter().map(|i| (i.clone(), element.clone()));
        Ok(Value::Array {
            entries: entries.collect(),
            default: None,
        })
    }
}
