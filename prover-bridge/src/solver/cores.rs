//! Which assumptions a contradiction rests on.

use z3::ast::Bool;

use super::{Answer, Solver};

/// How many times the work of a contradiction may be spent on finding it again without one of its assumptions.
const DROPPING_FACTOR: u64 = 10;

/// The work that may be spent on that in any case, in Z3's own unit.
const DROPPING_WORK: u32 = 200_000;

impl Solver<'_> {
    /// Numbered assumptions that contradict what is asserted, as few as the solver happens to use; `None` where no
    /// contradiction is found.
    pub(crate) fn core(&mut self, literals: Vec<(usize, Bool)>) -> Option<Vec<(usize, Bool)>> {
        let assumed: Vec<Bool> = literals.iter().map(|(_, l)| l.clone()).collect();
        if self.check_assuming(&assumed) != Answer::Unsat {
            return None;
        }
        let core = self.loaded.as_ref()?.solver.get_unsat_core();
        let used = |(_, literal): &(usize, Bool)| core.iter().any(|c| c.ast_eq(literal));
        Some(literals.into_iter().filter(used).collect())
    }

    /// Asks whether what is asserted can be true together with numbered assumptions; where it cannot, also says which of
    /// these the contradiction uses: perhaps more than it needs.
    pub(crate) fn check_with_core(&mut self, literals: &[(usize, Bool)]) -> (Answer, Vec<usize>) {
        let assumed: Vec<Bool> = literals.iter().map(|(_, l)| l.clone()).collect();
        let answer = self.check_assuming(&assumed);
        let core = match (&answer, &self.loaded) {
            (Answer::Unsat, Some(loaded)) => loaded.solver.get_unsat_core(),
            _ => Vec::new(),
        };
        let used = literals
            .iter()
            .filter(|(_, literal)| core.iter().any(|c| c.ast_eq(literal)));
        (answer, used.map(|(number, _)| *number).collect())
    }

    /// A minimal set of numbered assumptions that contradict what is asserted, found by dropping one after the other;
    /// `None` where no contradiction is found.
    ///
    /// Without an assumption that is needed the solver may search for a model and find none in any time. So an assumption is
    /// also kept if dropping it does not succeed with a multiple of the work that the contradiction took.
    pub(crate) fn minimal_core(&mut self, literals: Vec<(usize, Bool)>) -> Option<Vec<usize>> {
        let before = self.resources;
        let core = self.core(literals)?;
        let work = (self.resources - before).saturating_mul(DROPPING_FACTOR);
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(DROPPING_WORK);
        let (kept, _) = self.limited(work, |solver| solver.minimised(core));
        Some(kept.into_iter().map(|(number, _)| number).collect())
    }

    /// The same where dropping an assumption may take no more than so much work; and whether each of those that are kept is
    /// known to be needed.
    pub(crate) fn core_within(
        &mut self,
        literals: Vec<(usize, Bool)>,
        work: u32,
    ) -> Option<(Vec<(usize, Bool)>, bool)> {
        let core = self.core(literals)?;
        Some(self.limited(work, |solver| solver.minimised(core)))
    }

    /// What is left of assumptions that contradict what is asserted when those are dropped that are seen not to be needed, and
    /// whether the others are seen to be needed.
    fn minimised(&mut self, mut kept: Vec<(usize, Bool)>) -> (Vec<(usize, Bool)>, bool) {
        let (mut at, mut is_sure) = (0, true);
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            let (answer, core) = self.check_with_core(&fewer);
            if answer == Answer::Unsat {
                kept.retain(|(number, _)| core.contains(number));
            } else {
                is_sure &= answer == Answer::Sat;
                at += 1;
            }
        }
        (kept, is_sure)
    }
}
