//! Large values, part by part: a value of a type that has too many to try is put together from the values of its parts, and the
//! conditions on it become conditions on these. So what the first parts make impossible is given up before the others have values.
//!
//! `f` such that `\A i: Key (f[i] ~= i)`, where `f` is an array, becomes one variable for each entry, each with a condition of its own, and
//! `f` is the array that has these entries. No value is found twice.

mod cases;
mod counts;
mod parts;
mod prefixes;
mod written;

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type};

use self::parts::Taken;
use super::super::Compiler;
use super::Reach;

/// Variables with more values are taken apart if they can be, those of types with too many values to try in any case.
const MAX_TRIED: u128 = 1 << 12;

/// Variables, and the conditions on them.
pub(in crate::compile) struct Entries {
    /// The parts, then the old variables.
    pub(in crate::compile) binders: Vec<LocalId>,
    /// What is asked of the parts, and what the old variables are.
    pub(in crate::compile) conditions: Vec<Expr>,
}

/// Whether some condition speaks of a variable: where none does, nothing is gained by taking it apart.
fn is_in(conditions: &[&Expr], x: LocalId) -> bool {
    conditions.iter().any(|condition| condition.mentions(x))
}

impl Compiler<'_> {
    /// Takes those variables apart that have too many values to try; none if there are no such variables, or some of them cannot be taken
    /// apart.
    pub(in crate::compile) fn entries(
        &mut self,
        binders: &[LocalId],
        conditions: &[&Expr],
        span: Span,
    ) -> Option<Entries> {
        // A condition that may have no value guards those after it, so that their order matters.
        if !conditions.iter().all(|condition| self.is_total(condition)) {
            return None;
        }
        let mut taken = Taken::default();
        for x in binders.iter().filter(|x| is_in(conditions, **x)) {
            match self.reach(*x, conditions) {
                Reach::Unbounded => self.take_apart(*x, span, &mut taken)?,
                Reach::Finite(many) if many > MAX_TRIED => {
                    // Where that cannot be done, all values are tried.
                    let _ = self.take_apart(*x, span, &mut taken);
                }
                _ => {}
            }
        }
        if taken.is_empty() {
            return None;
        }
        let mut asked = Asked::default();
        for condition in conditions {
            self.ask_of_parts(&taken, condition, &mut asked)?;
        }
        let mut asked = asked.formulas;
        let asked_of = asked.iter().collect::<Vec<_>>();
        let is_open = |c: &mut Self, part: &LocalId| {
            c.local_type(*part).is_integer() && c.reach(*part, &asked_of) == Reach::Unbounded
        };
        if taken.fresh.iter().any(|part| is_open(self, part)) {
            return None;
        }
        for (x, ty, parts) in &taken.all {
            let local = Expr::new(ExprKind::Local(*x), ty.clone(), span);
            let whole = parts.whole(ty, span);
            asked.push(Expr::apply(Op::Eq, vec![local, whole], Type::Bool, span));
        }
        Some(Entries {
            binders: [&taken.fresh[..], binders].concat(),
            conditions: asked,
        })
    }

    /// Adds what a condition asks of the parts of what is taken apart, which is as strong as the condition; nothing where that would be too
    /// much.
    fn ask_of_parts(&self, taken: &Taken, condition: &Expr, asked: &mut Asked) -> Option<()> {
        let written = self.written_out(taken, condition);
        for conjunct in written.into_conjuncts() {
            asked.add(taken.counts(&conjunct))?;
            for case in taken.cases(&conjunct) {
                for formula in taken.rewritten(&case).into_conjuncts() {
                    asked.add(taken.prefixes(&formula))?;
                    asked.add([formula])?;
                }
            }
        }
        Some(())
    }
}

/// All formulas about parts together have no more terms: they take about a gibibyte.
const MAX_TERMS: usize = 8_000_000;

/// Formulas about parts.
#[derive(Default)]
struct Asked {
    formulas: Vec<Expr>,
    terms: usize,
}

impl Asked {
    /// Adds formulas; nothing where there are too many.
    fn add(&mut self, formulas: impl IntoIterator<Item = Expr>) -> Option<()> {
        for formula in formulas.into_iter().filter(|formula| !formula.is_true()) {
            formula.walk(&mut |_| self.terms += 1);
            if self.terms > MAX_TERMS {
                return None;
            }
            self.formulas.push(formula);
        }
        Some(())
    }
}
