//! Where partial operators must be defined: what an expression demands of the state it is evaluated in.
//!
//! `/\`, `\/`, `=>` and `if` guard from left to right, as in the executor: an operand is demanded to be defined only
//! where it is evaluated. Under a quantifier and in a comprehension the body must be defined for every value.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Type, Undefined};
use z3::ast::{Bool, Int, Real};

use crate::logic::collection::unions::union_id;
use crate::logic::{Encoded, Env, Logic, Sym, and, implies};

/// A condition without which the model goes wrong.
#[derive(Clone)]
pub(crate) struct Definedness {
    /// The operator or statement that has the demand.
    pub(crate) span: Span,
    /// How it is not met.
    pub(crate) cause: UndefinedCause,
    /// The condition, under all that guards it.
    pub(crate) condition: Bool,
}

/// How the model can go wrong at a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UndefinedCause {
    /// A partial operator, or a number that is no `Nat`.
    Undefined(Undefined),
    /// `choose` where no value satisfies the predicate.
    NothingToChoose,
    /// Parameters of an input that no clause applies to.
    NoClause,
    /// `ensuring` that no choice and no new value satisfies.
    NoOutcome,
    /// An input of a component that has no clause for the parameters with which it is sent.
    RefusedInput,
    /// A `using` whose value breaks the predicate of the `choose`.
    WrongChoice,
}

impl UndefinedCause {
    /// What went wrong, for people.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Undefined(why) => why.text(),
            Self::NothingToChoose => "no value satisfies the predicate of this choose",
            Self::NoClause => {
                "no clause is for these parameters of an input: one without `eff` would ignore them"
            }
            Self::NoOutcome => "no state after the effect satisfies `ensuring`",
            Self::RefusedInput => {
                "the action is an input of this component, which has no clause for these parameters"
            }
            Self::WrongChoice => "the value given for this choose does not satisfy its predicate",
        }
    }
}

/// Whether some operator in the expression is partial.
pub(crate) fn has_partial(expr: &Expr) -> bool {
    undefined(expr).is_some() || expr.children().any(has_partial)
}

/// Why the operator of a term can be undefined, if it can.
fn undefined(expr: &Expr) -> Option<Undefined> {
    match &expr.kind {
        ExprKind::Apply(op, _) => op.undefined(&expr.ty),
        _ => None,
    }
}

impl<'a> Logic<'a> {
    /// The demands of an expression where `guard` holds, from left to right.
    pub(crate) fn demands(
        &'a self,
        expr: &'a Expr,
        env: &Env<'a>,
        guard: &Bool,
    ) -> Encoded<Vec<Definedness>> {
        let mut out = Vec::new();
        self.collect(expr, env, guard, &mut out)?;
        Ok(out)
    }

    fn collect(
        &'a self,
        expr: &'a Expr,
        env: &Env<'a>,
        guard: &Bool,
        out: &mut Vec<Definedness>,
    ) -> Encoded<()> {
        if !has_partial(expr) {
            return Ok(());
        }
        if let ExprKind::Apply(op, args) = &expr.kind
            && let Some(goes_on_if) = op.row().guards
        {
            let mut guard = guard.clone();
            for arg in args {
                self.collect(arg, env, &guard, out)?;
                let holds = self.holds(arg, env)?;
                let goes_on = if goes_on_if { holds } else { holds.not() };
                guard = and(&[guard, goes_on]);
            }
            return Ok(());
        }
        match &expr.kind {
            ExprKind::If(c, a, b) => {
                self.collect(c, env, guard, out)?;
                let holds = self.holds(c, env)?;
                self.collect(a, env, &and(&[guard.clone(), holds.clone()]), out)?;
                self.collect(b, env, &and(&[guard.clone(), holds.not()]), out)
            }
            ExprKind::Quantified(_, binders, body) => {
                let (first, rest) = (binders.first().copied(), binders.get(1..).unwrap_or(&[]));
                self.collect_under(first, rest, body, env, guard, out)
            }
            ExprKind::Comprehension(binder, body) | ExprKind::Entries(binder, body) => {
                self.collect_under(Some(*binder), &[], body, env, guard, out)
            }
            _ => {
                expr.children()
                    .try_for_each(|child| self.collect(child, env, guard, out))?;
                out.extend(self.own_demand(expr, env, guard)?);
                Ok(())
            }
        }
    }

    /// The demands of a body for every value of its binders, each generalised by itself.
    fn collect_under(
        &'a self,
        first: Option<ioa_lang::core::LocalId>,
        rest: &[ioa_lang::core::LocalId],
        body: &'a Expr,
        env: &Env<'a>,
        guard: &Bool,
        out: &mut Vec<Definedness>,
    ) -> Encoded<()> {
        let Some(binder) = first else {
            return self.collect(body, env, guard, out);
        };
        let under = |x: Sym<'a>| {
            let (next, rest) = (rest.first().copied(), rest.get(1..).unwrap_or(&[]));
            let (env, mut found) = (env.bind(binder, x), Vec::new());
            let yes = Bool::from_bool(true);
            self.collect_under(next, rest, body, &env, &yes, &mut found)?;
            Ok(found)
        };
        let local = env.declared(binder)?;
        out.extend(self.generalise(&local.name, &local.ty, guard, under)?);
        Ok(())
    }

    /// Demands that depend on a value of type `ty`, demanded of every value.
    pub(crate) fn generalise(
        &'a self,
        name: &str,
        ty: &'a Type,
        guard: &Bool,
        demands: impl Fn(Sym<'a>) -> Encoded<Vec<Definedness>>,
    ) -> Encoded<Vec<Definedness>> {
        // The first pass finds out how many demands there are, each later one states one of them for all values.
        let sample = self.forall_collect(name, ty, &demands)?;
        let mut out = Vec::new();
        for (k, (span, cause)) in sample.into_iter().enumerate() {
            let all = self.forall(name, ty, |x| Ok(demands(x)?[k].condition.clone()))?;
            out.push(Definedness {
                span,
                cause,
                condition: implies(guard, &all),
            });
        }
        Ok(out)
    }

    fn forall_collect(
        &'a self,
        name: &str,
        ty: &'a Type,
        demands: &impl Fn(Sym<'a>) -> Encoded<Vec<Definedness>>,
    ) -> Encoded<Vec<(Span, UndefinedCause)>> {
        let found = std::cell::RefCell::new(Vec::new());
        self.forall(name, ty, |x| {
            *found.borrow_mut() = demands(x)?.iter().map(|d| (d.span, d.cause)).collect();
            Ok(Bool::from_bool(true))
        })?;
        Ok(found.into_inner())
    }

    fn own_demand(
        &'a self,
        expr: &'a Expr,
        env: &Env<'a>,
        guard: &Bool,
    ) -> Encoded<Option<Definedness>> {
        let (ExprKind::Apply(op, args), Some(why)) = (&expr.kind, undefined(expr)) else {
            return Ok(None);
        };
        let value = |i: usize| self.eval(&args[i], env);
        let condition = match why {
            Undefined::NoValue => value(0)?.null().0.clone(),
            Undefined::EmptySequence => value(0)?.seq().len.gt(0),
            Undefined::OutOfRange => {
                let (len, n) = (value(0)?.seq().len.clone(), value(1)?.int());
                and(&[n.ge(0), n.lt(&len)])
            }
            Undefined::DivisionByZero if expr.ty == Type::Real => {
                let zero = Real::from_rational(0, 1);
                value(1)?.real().eq(&zero).not()
            }
            Undefined::DivisionByZero => value(1)?.int().eq(Int::from_i64(0)).not(),
            Undefined::NoEntry => value(0)?.select(&value(1)?)?.null().0.clone(),
            Undefined::WrongVariant => self.has_tag(&value(0)?, union_id(&args[0].ty)?, op.part()),
            Undefined::NegativeNat => value(0)?.int().ge(value(1)?.int()),
        };
        Ok(Some(Definedness {
            span: expr.span,
            cause: UndefinedCause::Undefined(why),
            condition: implies(guard, &condition),
        }))
    }
}
