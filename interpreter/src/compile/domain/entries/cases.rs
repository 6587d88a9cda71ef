//! Entries at indices that are no literals: a formula about `f[t]` becomes one for each value of the index, `t = i => ..f[i]..`, so that it
//! is decided as soon as `t` and that entry have values. For `f[f[a]] = a` these are two entries, and not all.

use ioa_lang::core::{Expr, ExprKind, Op, Type};

use super::parts::{Parts, Taken};

/// No condition becomes more formulas than this.
const MAX_CASES: usize = 4096;

impl Taken {
    /// Formulas that all hold where the given one does, and nowhere else, each about entries at literal indices; that one if there would be
    /// too many.
    pub(super) fn cases(&self, formula: &Expr) -> Vec<Expr> {
        let mut cases = Vec::new();
        match self.add_cases(formula, &[], &mut cases) {
            Some(()) => cases,
            None => vec![formula.clone()],
        }
    }

    fn add_cases(&self, formula: &Expr, given: &[Expr], cases: &mut Vec<Expr>) -> Option<()> {
        let Some((term, index, values)) = self.indexed(formula) else {
            let case = given.iter().rev().fold(formula.clone(), |then, given| {
                let sides = vec![given.clone(), then];
                Expr::apply(Op::Implies, sides, Type::Bool, formula.span)
            });
            cases.push(case);
            return (cases.len() <= MAX_CASES).then_some(());
        };
        for value in values {
            let at_value = at(term, value);
            let then = replaced(formula, term, &at_value);
            let sides = vec![index.clone(), value.clone()];
            let equal = Expr::apply(Op::Eq, sides, Type::Bool, formula.span);
            let given = [given, &[equal]].concat();
            self.add_cases(&then, &given, cases)?;
        }
        Some(())
    }

    /// An innermost entry whose index is no literal and reads no variable that is bound inside the formula; its index, and the literals.
    fn indexed<'e, 'p>(&'p self, term: &'e Expr) -> Option<(&'e Expr, &'e Expr, Vec<&'p Expr>)> {
        let ExprKind::Apply(op, args) = &term.kind else {
            let mut inside = term.children().filter(|_| term.binders().is_empty());
            return inside.find_map(|part| self.indexed(part));
        };
        if let Some(found) = args.iter().find_map(|part| self.indexed(part)) {
            return Some(found);
        }
        let (index, values): (_, Vec<&Expr>) = match (op, self.part(args.get(position(*op)?)?)?) {
            (Op::Select, Parts::Entries(entries)) => {
                (&args[1], entries.iter().map(|(at, _)| at).collect())
            }
            (Op::Member, Parts::Members(members)) => {
                (&args[0], members.iter().map(|(at, _)| at).collect())
            }
            _ => return None,
        };
        (!values.contains(&index)).then_some((term, index, values))
    }
}

/// Where the collection stands among the arguments of an operator.
fn position(op: Op) -> Option<usize> {
    match op {
        Op::Select => Some(0),
        Op::Member => Some(1),
        _ => None,
    }
}

/// The entry at another index.
fn at(entry: &Expr, index: &Expr) -> Expr {
    let ExprKind::Apply(op, args) = &entry.kind else {
        unreachable!("an entry is a selection or a membership");
    };
    let mut args = args.clone();
    args[usize::from(*op == Op::Select)] = index.clone();
    Expr::apply(*op, args, entry.ty.clone(), entry.span)
}

/// A term with another one in place of all occurrences of one.
fn replaced(term: &Expr, old: &Expr, new: &Expr) -> Expr {
    if term == old {
        return new.clone();
    }
    term.with_parts(&mut |part| replaced(part, old, new))
}
