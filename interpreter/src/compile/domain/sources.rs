//! Values that conditions give to a variable indirectly, in one of several cases or as a part of a value.
//!
//! `u \in queue \/ last = embed(u)` allows only the elements of `queue` and, if there is one, the value in `last`;
//! `[ask, k] \in sent` allows only the second fields of the elements of `sent`. Not all of these values need to satisfy the
//! condition, so it is still checked.

use ioa_lang::Span;
use ioa_lang::core::{Constraint, Expr, ExprKind, Local, LocalId, Op, Quantifier, Type};

use super::super::Compiler;
use crate::code::{self, Domain};

/// Where the values of a variable are found: in the value of a term, or in each of its elements, at a path.
#[derive(Clone, Debug)]
pub(super) struct Source<'e> {
    /// A term without the variable.
    root: &'e Expr,
    /// The type of the elements, if the values are in these.
    element: Option<Type>,
    /// The patterns around the variable, the outermost first, each with the position of its argument.
    path: Vec<(&'e Expr, usize)>,
}

impl Compiler<'_> {
    /// The sources of values for `x` that some condition names, if all values that satisfy the condition are among these.
    pub(super) fn sources<'e>(
        &self,
        x: LocalId,
        conditions: &[&'e Expr],
    ) -> Option<Vec<Source<'e>>> {
        // The roots are evaluated before all conditions, so the conditions in front of them must not be able to fault.
        let reachable = conditions.iter().enumerate();
        let reachable = reachable.take_while(|(at, _)| {
            let before = at.checked_sub(1).map(|before| conditions[before]);
            before.is_none_or(|before| self.is_total(before))
        });
        let mut found =
            reachable.filter_map(|(at, condition)| self.of_condition(x, condition, (at == 0, &[])));
        found.next()
    }

    /// The sources that a condition names. Whether it is `always` evaluated, whatever the value of `x`, says whether its terms
    /// may be evaluated though they may fault; `within` are the variables that are bound around it.
    fn of_condition<'e>(
        &self,
        x: LocalId,
        condition: &'e Expr,
        (always, within): (bool, &[LocalId]),
    ) -> Option<Vec<Source<'e>>> {
        match &condition.kind {
            ExprKind::Apply(Op::Or, cases) => {
                // There are infinitely many values, of which only one can satisfy an equation: so each case is evaluated.
                let each = cases
                    .iter()
                    .map(|case| self.of_condition(x, case, (always, within)));
                let each: Option<Vec<_>> = each.collect();
                each.map(|sources| sources.concat())
            }
            ExprKind::Apply(Op::And, parts) => {
                let total = parts.iter().take_while(|part| self.is_total(part));
                let after = parts.get(total.clone().count());
                let mut tried = total.chain(after).enumerate();
                tried.find_map(|(at, part)| self.of_condition(x, part, (always && at == 0, within)))
            }
            ExprKind::Quantified(Quantifier::Exists, binders, body) => {
                let within = [within, binders].concat();
                self.of_condition(x, body, (false, &within))
            }
            ExprKind::Apply(op, args) => {
                let source = source(x, condition, op, args)?;
                let is_known = |local: &LocalId| !source.root.mentions(*local);
                // A term that may fault must be evaluated even if there are no values, and must not be evaluated where the
                // condition is not.
                let is_equation = source.element.is_none() && source.path.is_empty();
                let is_safe = self.is_total(condition) || always && is_equation;
                let is_usable = is_safe && within.iter().all(is_known);
                is_usable.then(|| vec![source])
            }
            _ => None,
        }
    }

    /// The values at some sources.
    pub(super) fn found(&mut self, x: LocalId, sources: &[Source<'_>]) -> Domain {
        let found = sources.iter().map(|source| self.values_at(x, source));
        Domain::Found(found.collect())
    }

    fn values_at(&mut self, x: LocalId, source: &Source<'_>) -> code::Source {
        let Source {
            root,
            element,
            path,
        } = source;
        let ty = element.as_ref().unwrap_or(&root.ty).clone();
        let whole = self.declare(&ty, root.span);
        let outer = match element {
            Some(element) => self.all_elements(root, element),
            None => Domain::Exactly(self.term(root)),
        };
        let (mut guards, mut value) =
            (Vec::new(), Expr::new(ExprKind::Local(whole), ty, root.span));
        for (pattern, argument) in path {
            let (guard, part) = self.part_at(value, pattern, *argument);
            guards.extend(guard);
            value = part;
        }
        if *self.local_type(x) == Type::Nat && value.ty == Type::Int {
            let zero = Expr::new(ExprKind::Int(0.into()), Type::Int, value.span);
            guards.push(boolean(Op::Le, vec![zero, value.clone()]));
        }
        let guards: Vec<&Expr> = guards.iter().collect();
        code::Source {
            outer,
            slot: whole.0,
            filter: self.conjunction(&guards),
            value: self.term(&value),
        }
    }

    /// The part of a value that corresponds to an argument of a pattern, and the condition that the value has such a part.
    fn part_at(&self, value: Expr, pattern: &Expr, argument: usize) -> (Option<Expr>, Expr) {
        let span = value.span;
        let part = |op: Op, value: Expr, ty: &Type| Expr::apply(op, vec![value], ty.clone(), span);
        let model = self.scope.model;
        match (&pattern.kind, value.ty.clone()) {
            (ExprKind::Apply(Op::Embed, _), Type::Null(inner)) => {
                let nil = Expr::apply(Op::Nil, Vec::new(), value.ty.clone(), span);
                let is_nil = boolean(Op::Eq, vec![value.clone(), nil]);
                let guard = boolean(Op::Not, vec![is_nil]);
                (Some(guard), part(Op::Val, value, &inner))
            }
            (ExprKind::Apply(Op::Variant(variant), _), Type::Union(id)) => {
                let union = &model.unions[id.index()];
                let tags = Type::Enum(union.tags);
                let tag = Expr::apply(Op::Tag, vec![value.clone()], tags.clone(), span);
                let own = Expr::new(ExprKind::Enumerator(*variant), tags, span);
                let ty = &union.variants[*variant as usize].1;
                let guard = boolean(Op::Eq, vec![tag, own]);
                (Some(guard), part(Op::Payload(*variant), value, ty))
            }
            (ExprKind::Apply(Op::Tuple, _), Type::Tuple(id)) => {
                let ty = &model.tuples[id.index()].fields[argument].1;
                (None, part(Op::Field(argument as u32), value, ty))
            }
            (pattern, ty) => {
                unreachable!("a pattern of a source is of its type: {pattern:?}, {ty:?}")
            }
        }
    }
}

/// A formula that is composed of others.
fn boolean(op: Op, args: Vec<Expr>) -> Expr {
    let span = args.first().map_or_else(Span::default, |first| first.span);
    Expr::apply(op, args, Type::Bool, span)
}

/// The source of values for `x` that an equation or a membership names.
fn source<'e>(x: LocalId, condition: &'e Expr, op: &Op, args: &'e [Expr]) -> Option<Source<'e>> {
    let own = match condition.constraint(x) {
        Some(Constraint::Equal(root)) => Some((root, false)),
        Some(Constraint::Element(root)) => Some((root, true)),
        _ => None,
    };
    let (root, path, in_elements) = match (own, args) {
        (Some((root, each)), _) => (root, Vec::new(), each),
        (None, [left, right]) if *op == Op::Eq => match path(left, x) {
            Some(path) => (right, path, false),
            None => (left, path(right, x)?, false),
        },
        _ => {
            let (pattern, root) = condition.membership()?;
            (root, path(pattern, x)?, true)
        }
    };
    let element = match (in_elements, &root.ty) {
        (false, _) => None,
        (true, Type::Set(of) | Type::Seq(of) | Type::Mset(of) | Type::Map(of, _)) => {
            Some((**of).clone())
        }
        _ => return None,
    };
    (!root.mentions(x)).then_some(Source {
        root,
        element,
        path,
    })
}

/// The patterns around a variable in a term that is made of them, the outermost first.
pub(super) fn path(pattern: &Expr, x: LocalId) -> Option<Vec<(&Expr, usize)>> {
    if pattern.is_local(x) {
        return Some(Vec::new());
    }
    let ExprKind::Apply(Op::Embed | Op::Tuple | Op::Variant(_), args) = &pattern.kind else {
        return None;
    };
    args.iter().enumerate().find_map(|(at, arg)| {
        let mut inner = path(arg, x)?;
        inner.insert(0, (pattern, at));
        Some(inner)
    })
}

impl Compiler<'_> {
    /// A variable in addition to those of the item.
    pub(super) fn declare(&mut self, ty: &Type, span: Span) -> LocalId {
        let local = LocalId(self.temporary());
        let declared = Local {
            name: "a value".into(),
            ty: ty.clone(),
            span,
        };
        self.declared.insert(local, declared);
        local
    }
}
