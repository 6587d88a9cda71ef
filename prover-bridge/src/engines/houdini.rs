//! Houdini: the largest subset of candidate invariants that is inductive.
//!
//! After Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java": assume all candidates, drop those that
//! some step breaks, and ask again, until none is broken. One countermodel drops every candidate that it falsifies, and a
//! clause is asked about again only if its unsat core has a candidate that was dropped since.
//!
//! Everything is stated once. Each candidate is assumed under a literal of its own; a question is a choice of literals.

use std::collections::BTreeSet;

use ioa_lang::core::{AutomatonId, Invariant, Model};
use z3::ast::Bool;

use super::induction::{Grounded, executions, small};
use crate::logic::{Logic, Size, or};
use crate::obligations::{Background, Ground, Group, Kind, Piece, Target, Unit, units};
use crate::options::Options;
use crate::solver::{Answer, Solver, denial, in_context_of};

/// What is done with the invariants that the model states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// They are assumed before each step, and not questioned: the result is inductive relative to them.
    Assumed,
    /// They play no part.
    Ignored,
}

/// What is left of the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The candidates that are inductive together, by position, ascending.
    pub kept: Vec<usize>,
    /// The candidates that could not be decided within the limits, or have no reading in logic; they are dropped.
    pub undecided: Vec<usize>,
    /// How many questions the solver was asked.
    pub queries: u32,
    /// What the proofs of those that are kept rest on; or why they are proofs of nothing.
    pub basis: Result<Grounded, String>,
}

/// The largest subset of `candidates`, all of one automaton, that is inductive.
///
/// With a limit reached, what could not be decided is dropped: what is kept is inductive all the same, but may not be
/// the largest such subset.
#[must_use]
pub fn houdini(
    model: &Model,
    automaton: AutomatonId,
    candidates: &[Invariant],
    stated: Stated,
    options: &Options<'_>,
) -> Kept {
    let mut invariants: Vec<&Invariant> = candidates.iter().collect();
    if stated == Stated::Assumed {
        invariants.extend(model.invariants_of(automaton));
    }
    let target = Target {
        model,
        invariants,
        simulations: Vec::new(),
        automata: Vec::new(),
    };
    let mut sieve = Sieve {
        candidates: candidates.len(),
        kept: vec![true; target.invariants.len()],
        undecided: BTreeSet::new(),
    };
    let (basis, queries) = in_context_of(options, || {
        let mut logic = Logic::new(model, Size::Any);
        let declared = logic.declare_theories();
        match declared.and_then(|()| small(&target)) {
            Ok(small) => {
                let mut questions = state_questions(&target, &logic, &mut sieve, options);
                ask_all(&mut questions, &mut sieve);
                let basis = executions(&target, automaton, (&small, &logic), options);
                (basis, questions.iter().map(|q| q.solver.queries()).sum())
            }
            Err(unsupported) => {
                (0..candidates.len()).for_each(|candidate| sieve.give_up(candidate));
                (Err(unsupported.because), 0)
            }
        }
    });
    Kept {
        kept: (0..candidates.len()).filter(|i| sieve.kept[*i]).collect(),
        undecided: sieve.undecided.into_iter().collect(),
        queries,
        basis,
    }
}

/// What is known of the candidates.
struct Sieve {
    candidates: usize,
    /// By position in the target: candidates, then stated invariants, which are never dropped.
    kept: Vec<bool>,
    undecided: BTreeSet<usize>,
}

impl Sieve {
    /// Drops a candidate that cannot be decided.
    fn give_up(&mut self, candidate: usize) {
        self.kept[candidate] = false;
        self.undecided.insert(candidate);
    }

    /// The candidate that an obligation is about, if it is still open.
    fn open_candidate(&self, kind: Kind) -> Option<usize> {
        match kind {
            Kind::Initiation { invariant } | Kind::Consecution { invariant, .. } => {
                (invariant < self.candidates && self.kept[invariant]).then_some(invariant)
            }
            _ => None,
        }
    }

    /// Drops the candidates of these obligations, none of which can be decided.
    fn give_up_all(&mut self, kinds: &[Kind]) {
        for kind in kinds {
            if let Some(candidate) = self.open_candidate(*kind) {
                self.give_up(candidate);
            }
        }
    }
}

/// What is asked about the start states, or about one clause, with a solver that keeps what it knows from one pass to the
/// next. Each question has its own: together with the formulas of all others, quantified ones cost Z3 much more.
struct Question<'q> {
    solver: Solver<'q>,
    /// For each candidate the literal under which it is assumed.
    hypotheses: Vec<(usize, Bool)>,
    /// The candidates that it is about, each with a literal whose falsehood means that the candidate fails afterwards.
    members: Vec<(usize, Bool)>,
    /// The candidates that the last proof used; `None` before there is one.
    core: Option<Vec<usize>>,
}

/// States all questions. A candidate of which a part has no reading in logic is dropped.
fn state_questions<'q, 'l>(
    target: &Target<'l>,
    logic: &'l Logic<'l>,
    sieve: &mut Sieve,
    options: &'q Options<'q>,
) -> Vec<Question<'q>> {
    let mut stated = Vec::new();
    let all = vec![true; target.invariants.len()];
    for (unit, kinds) in units(target) {
        if !matches!(unit, Unit::Start(_) | Unit::Step(..)) {
            continue;
        }
        let background = Background::of(target, unit);
        let groups = logic.ground(target, background, &all).and_then(|ground| {
            let groups = logic.groups(target, &ground, unit, &kinds, &all)?;
            Ok((ground, groups))
        });
        match groups {
            Ok((ground, groups)) => {
                for group in groups.iter().filter(|group| !group.members.is_empty()) {
                    stated.push(Question::new(&ground, group, sieve, options));
                }
            }
            Err(_) => sieve.give_up_all(&kinds),
        }
    }
    stated
}

/// Asks until each question has a proof of all its candidates that are kept, from candidates that are kept.
fn ask_all(questions: &mut [Question<'_>], sieve: &mut Sieve) {
    loop {
        let mut is_settled = true;
        for question in &mut *questions {
            question
                .members
                .retain(|(candidate, _)| sieve.kept[*candidate]);
            let is_proved = |core: &Vec<usize>| core.iter().all(|used| sieve.kept[*used]);
            if question.members.is_empty() || question.core.as_ref().is_some_and(is_proved) {
                continue;
            }
            is_settled = false;
            question.drop_broken(sieve);
        }
        if is_settled {
            return;
        }
    }
}

impl<'q> Question<'q> {
    /// The question about a group of obligations.
    fn new(
        ground: &Ground<'_>,
        group: &Group<'_>,
        sieve: &mut Sieve,
        options: &'q Options<'q>,
    ) -> Self {
        let mut question = Self {
            solver: Solver::new(options),
            hypotheses: Vec::new(),
            members: Vec::new(),
            core: None,
        };
        for piece in ground.assume.iter().chain(&group.assume) {
            question.assume(piece, sieve.candidates);
        }
        for (kind, cases) in &group.members {
            let Some(candidate) = sieve.open_candidate(*kind) else {
                continue;
            };
            let Ok([case]) = cases.as_deref() else {
                sieve.give_up(candidate);
                continue;
            };
            for piece in &case.assume {
                question.solver.assert(piece.formula.clone());
            }
            let holds = Bool::new_const(format!("holds!{candidate}"));
            let fails = or(&[holds.clone(), denial(&case.goals)]);
            question.solver.assert(fails);
            question.members.push((candidate, holds));
        }
        question
    }

    /// Assumes something: a candidate only as long as its literal is assumed.
    fn assume(&mut self, piece: &Piece, candidates: usize) {
        match piece.invariant.filter(|invariant| *invariant < candidates) {
            Some(candidate) => {
                let literal = Bool::new_const(format!("hypothesis!{candidate}"));
                self.solver.assert(literal.implies(&piece.formula));
                self.hypotheses.push((candidate, literal));
            }
            None => self.solver.assert(piece.formula.clone()),
        }
    }

    /// Asks for a step that breaks some candidate, drops what it breaks, and asks again.
    fn drop_broken(&mut self, sieve: &mut Sieve) {
        while !self.members.is_empty() {
            let some_fails: Vec<Bool> = self.members.iter().map(|(_, holds)| holds.not()).collect();
            let assumed = self.assumed(sieve);
            let members = &self.members;
            let (answer, core, broken) = self.solver.scoped(|solver| {
                solver.assert(or(&some_fails));
                let (answer, core) = solver.check_with_core(&assumed);
                let broken = match answer {
                    Answer::Sat => falsified(solver, members),
                    Answer::Unsat | Answer::Unknown(_) => Vec::new(),
                };
                (answer, core, broken)
            });
            self.core = (answer == Answer::Unsat).then_some(core);
            match answer {
                Answer::Unsat => return,
                Answer::Sat if !broken.is_empty() => {
                    broken
                        .iter()
                        .for_each(|candidate| sieve.kept[*candidate] = false);
                    self.members.retain(|(candidate, _)| sieve.kept[*candidate]);
                }
                Answer::Sat | Answer::Unknown(_) => return self.one_by_one(sieve),
            }
        }
    }

    /// The literals of the candidates that are kept, by position.
    fn assumed(&self, sieve: &Sieve) -> Vec<(usize, Bool)> {
        let hypotheses = self.hypotheses.iter();
        let kept = hypotheses.filter(|(candidate, _)| sieve.kept[*candidate]);
        kept.cloned().collect()
    }

    /// Where the joint question is too hard, each candidate is asked about by itself.
    fn one_by_one(&mut self, sieve: &mut Sieve) {
        let mut used = BTreeSet::new();
        for (candidate, holds) in &self.members {
            let mut assumed = self.assumed(sieve);
            assumed.push((sieve.candidates, holds.not()));
            match self.solver.check_with_core(&assumed) {
                (Answer::Unsat, core) => used.extend(core),
                (Answer::Sat, _) => sieve.kept[*candidate] = false,
                (Answer::Unknown(_), _) => sieve.give_up(*candidate),
            }
        }
        used.remove(&sieve.candidates);
        self.core = Some(used.into_iter().collect());
        self.members.retain(|(candidate, _)| sieve.kept[*candidate]);
    }
}

/// The candidates that the solver's model breaks, where there is one.
fn falsified(solver: &Solver<'_>, members: &[(usize, Bool)]) -> Vec<usize> {
    let Some(model) = solver.model() else {
        return Vec::new();
    };
    let fails = |holds: &Bool| model.eval(holds, true).and_then(|v| v.as_bool()) == Some(false);
    let members = members.iter();
    let broken = members.filter(|(_, holds)| fails(holds));
    broken.map(|(candidate, _)| *candidate).collect()
}
