//! Values that a predicate names and that may satisfy it. The solver is not good at guessing sequences and arrays that exist.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Quantifier};
use z3::ast::Bool;

use crate::logic::{Encoded, Env, Logic, and};

/// A predicate that says which value satisfies it, for each way to choose some other variables: for `s` in
/// `\E h (s = {h} /\ h \in free)` the value `{h}`, if `h \in free`.
pub(super) struct Determined<'e> {
    variable: LocalId,
    /// The other variables.
    open: Vec<LocalId>,
    value: &'e Expr,
    /// What else has to hold.
    rest: Vec<&'e Expr>,
}

impl<'e> Determined<'e> {
    /// What a predicate says of a variable, if it determines it.
    pub(super) fn of(variable: LocalId, predicate: &'e Expr) -> Option<Self> {
        let (mut open, mut body) = (Vec::new(), predicate);
        while let ExprKind::Quantified(Quantifier::Exists, bound, inner) = &body.kind {
            open.extend(bound);
            body = inner;
        }
        let mut rest = body.conjuncts();
        let value_of = |part: &&'e Expr| match &part.kind {
            ExprKind::Apply(Op::Eq, args) => match &args[..] {
                [one, other] if one.is_local(variable) => Some(other),
                [one, other] if other.is_local(variable) => Some(one),
                _ => None,
            }
            .filter(|value| !value.mentions(variable)),
            _ => None,
        };
        let (at, value) = (0..)
            .zip(&rest)
            .find_map(|(at, p)| Some((at, value_of(p)?)))?;
        rest.remove(at);
        Some(Self {
            variable,
            open,
            value,
            rest,
        })
    }

    /// Whether there is such a value. The variable itself is not quantified over: the solver is not good at guessing sets.
    pub(super) fn exists<'a>(&self, logic: &'a Logic<'a>, env: &Env<'a>) -> Encoded<Bool>
    where
        'e: 'a,
    {
        self.exists_for(&self.open, logic, env)
    }

    fn exists_for<'a>(&self, open: &[LocalId], logic: &'a Logic<'a>, env: &Env<'a>) -> Encoded<Bool>
    where
        'e: 'a,
    {
        if let [first, others @ ..] = open {
            let local = env.declared(*first)?;
            return logic.exists(&local.name, &local.ty, |any| {
                self.exists_for(others, logic, &env.bind(*first, any))
            });
        }
        let local = env.declared(self.variable)?;
        let value = logic.eval(self.value, env)?;
        let fits = logic.well_formed(&value, &local.ty)?;
        let env = env.bind(self.variable, value);
        let rest = self.rest.iter().map(|part| logic.holds(part, &env));
        let rest: Vec<Bool> = rest.collect::<Encoded<_>>()?;
        Ok(and(&[fits, and(&rest)]))
    }
}

/// Terms that a variable equals in some case of a predicate: `tail(q)` and `init(q)` for `x` in `x = tail(q) \/ x \in {init(q)}`.
pub(super) fn witnesses(x: LocalId, predicate: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    collect(x, predicate, &mut found);
    found.retain(|term| !term.mentions(x));
    found
}

fn collect<'e>(x: LocalId, condition: &'e Expr, found: &mut Vec<&'e Expr>) {
    let ExprKind::Apply(op, args) = &condition.kind else {
        return;
    };
    match (op, &args[..]) {
        (Op::And | Op::Or, parts) => parts.iter().for_each(|part| collect(x, part, found)),
        (Op::Eq, [one, other]) if one.is_local(x) => found.push(other),
        (Op::Eq, [one, other]) if other.is_local(x) => found.push(one),
        (Op::Member, [element, set]) if element.is_local(x) => elements(set, found),
        _ => {}
    }
}

/// The elements that a set is written with.
fn elements<'e>(set: &'e Expr, found: &mut Vec<&'e Expr>) {
    if let ExprKind::Apply(Op::Insert, args) = &set.kind
        && let [element, rest] = &args[..]
    {
        found.push(element);
        elements(rest, found);
    }
}
