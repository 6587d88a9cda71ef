//! What an application means in the core, once it is known which of the operator's meanings is meant.

use num_bigint::BigInt;

use super::apply::Call;
use super::operators::{Lowering, Target};
use crate::check::checker::{Checker, size};
use crate::core::{Expr, ExprKind, Op, Type, fresh_copy};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

impl Checker<'_, '_> {
    pub(super) fn lower(
        &mut self,
        call: &Call<'_>,
        lowering: Lowering,
        mut args: Vec<Expr>,
        ty: Type,
    ) -> Option<Expr> {
        if lowering.swapped {
            args.reverse();
        }
        let span = call.span;
        let kind = match lowering.target {
            Target::Op(Op::Sum) => self.sum(args)?,
            Target::Op(op) => ExprKind::Apply(op, args),
            Target::WithOne(op) => {
                args.push(one(&ty, span));
                ExprKind::Apply(op, args)
            }
            Target::Proper(subset) => self.proper_subset(subset, args, span)?,
            Target::Less => self.less(call, args)?,
            Target::InQuorum => self.in_quorum(call, args)?,
            Target::Random(draw) => {
                if let Err(reason) = self.scope.random {
                    self.report.add(
                        Diagnostic::error(
                            Code::NotHere,
                            span,
                            format!("`{}` cannot be used here", call.name),
                        )
                        .label(reason),
                    );
                    return None;
                }
                ExprKind::Random(draw, args)
            }
        };
        let applied = Expr::new(kind, ty, span);
        Some(if lowering.negated {
            Expr::apply(Op::Not, vec![applied], Type::Bool, span)
        } else {
            applied
        })
    }

    /// The sum of the numbers in an array, where these are finitely many.
    fn sum(&mut self, args: Vec<Expr>) -> Option<ExprKind> {
        let array = &args[0];
        if let Type::Array(index, _) = &array.ty
            && self.model().is_infinite(index)
        {
            let index = self.model().type_name(index);
            let message =
                format!("`sum` is not defined for an array with a number for each {index}");
            let label = format!("{index} has infinitely many values");
            self.report.add(
                Diagnostic::error(Code::NotDefinedFor, array.span, message)
                    .label(label)
                    .help("the index must be of a sort, of an enumeration, or of a type made of such types"),
            );
            return None;
        }
        Some(ExprKind::Apply(Op::Sum, args))
    }

    fn proper_subset(&mut self, subset: Op, args: Vec<Expr>, span: Span) -> Option<ExprKind> {
        self.report
            .may_copy(args.iter().map(size).sum::<usize>(), span)?;
        let again = args
            .iter()
            .map(|arg| fresh_copy(arg, &mut self.scope.locals))
            .collect();
        let equal = Expr::apply(Op::Eq, again, Type::Bool, span);
        let subset = Expr::apply(subset, args, Type::Bool, span);
        let differ = Expr::apply(Op::Not, vec![equal], Type::Bool, span);
        Some(ExprKind::Apply(Op::And, vec![subset, differ]))
    }

    fn less(&mut self, call: &Call<'_>, args: Vec<Expr>) -> Option<ExprKind> {
        let Type::Sort(sort) = args[0].ty else {
            return None;
        };
        if let Some(function) = self.world.order(sort) {
            return Some(ExprKind::Theory(function, args));
        }
        let name = &self.model().sorts[sort.index()].name;
        self.report.add_absence(
            name,
            Diagnostic::error(
                Code::NoOrder,
                call.span,
                format!(
                    "`{}` is not defined for {name}, which has no order",
                    call.name
                ),
            )
            .help(format!("`assumes TotalOrder({name})` gives it one")),
        );
        None
    }

    fn in_quorum(&mut self, call: &Call<'_>, args: Vec<Expr>) -> Option<ExprKind> {
        let Type::Sort(sort) = args[1].ty else {
            return None;
        };
        let Some((member, function)) = self.world.group(sort) else {
            let name = &self.model().sorts[sort.index()].name;
            self.report.add_absence(
                name,
                Diagnostic::error(
                    Code::NotDefinedFor,
                    args[1].span,
                    format!(
                        "`{}` wants a set or a quorum, and {name} is neither",
                        call.name
                    ),
                )
                .help(format!(
                    "`assumes Quorums({name}, T)` makes it a sort of quorums"
                )),
            );
            return None;
        };
        let expected = Type::Sort(member);
        let quorum = args[1].span;
        let mut args = args.into_iter();
        let reason = (quorum, "the members of this quorum".to_owned());
        let element = self.coerce(args.next()?, &expected, Some(&reason))?;
        Some(ExprKind::Theory(function, vec![element, args.next()?]))
    }
}

/// The number 1 of a type of numbers.
fn one(ty: &Type, span: Span) -> Expr {
    let kind = match ty {
        Type::Real => ExprKind::Real(BigInt::from(1).into()),
        _ => ExprKind::Int(1.into()),
    };
    let ty = ty.clone();
    Expr::new(kind, ty, span)
}
