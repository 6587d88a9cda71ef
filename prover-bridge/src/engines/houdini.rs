//! Houdini: the largest subset of candidate invariants that is inductive.
//!
//! After Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java": assume all candidates, drop those that
//! some step breaks, and ask again, until none is broken. One countermodel drops every candidate that it falsifies, and a
//! clause is asked about again only if its unsat core has a candidate that was dropped since.
//!
//! Everything is stated once. Each candidate is assumed under a literal of its own, and each clause under another; a
//! question is a choice of literals.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, Invariant, Model};
use z3::ast::Bool;

use super::induction::{Grounded, executions, small};
use crate::logic::{Logic, Size, or};
use crate::obligations::{Background, Ground, Group, Kind, Target, Unit, units};
use crate::options::Options;
use crate::solver::{Answer, Solver, denial, in_context};

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
    let (basis, queries) = in_context(|| {
        let mut logic = Logic::new(model, Size::Any);
        let declared = logic.declare_theories();
        match declared.and_then(|()| small(&target)) {
            Ok(small) => {
                let mut questions = state_questions(&target, &logic, &mut sieve, options);
                questions.ask(&mut sieve);
                let basis = executions(&target, automaton, (&small, &logic), options);
                (basis, questions.queries())
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

/// What is asked about the start states, or about one clause.
struct Question {
    /// Whose solver it is for.
    background: Background,
    /// What the solver assumes for it.
    activation: Bool,
    /// The candidates that it is about, each with a literal whose falsehood means that the candidate fails afterwards.
    members: Vec<(usize, Bool)>,
    /// The candidates that the last proof used; `None` before there is one.
    core: Option<Vec<usize>>,
}

/// A solver for all questions with one background.
struct Assumptions<'q> {
    solver: Solver<'q>,
    /// For each candidate the literal under which it is assumed.
    hypotheses: Vec<(usize, Bool)>,
}

/// All questions.
struct Questions<'q> {
    solvers: BTreeMap<Background, Assumptions<'q>>,
    questions: Vec<Question>,
}

/// States all questions. A candidate of which a part has no reading in logic is dropped.
fn state_questions<'q, 'l>(
    target: &Target<'l>,
    logic: &'l Logic<'l>,
    sieve: &mut Sieve,
    options: &'q Options<'q>,
) -> Questions<'q> {
    let mut stated = Questions {
        solvers: BTreeMap::new(),
        questions: Vec::new(),
    };
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
                let assumptions = (stated.solvers.entry(background))
                    .or_insert_with(|| Assumptions::new(&ground, sieve.candidates, options));
                for group in groups.iter().filter(|group| !group.members.is_empty()) {
                    let number = stated.questions.len();
                    let question = assumptions.question(background, number, group, sieve);
                    stated.questions.push(question);
                }
            }
            Err(_) => sieve.give_up_all(&kinds),
        }
    }
    stated
}

impl<'q> Assumptions<'q> {
    fn new(ground: &Ground<'_>, candidates: usize, options: &'q Options<'q>) -> Self {
        let mut solver = Solver::new(options);
        let mut hypotheses = Vec::new();
        for piece in &ground.assume {
            match piece.invariant.filter(|invariant| *invariant < candidates) {
                Some(candidate) => {
                    let literal = Bool::new_const(format!("hypothesis!{candidate}"));
                    solver.assert(literal.implies(&piece.formula));
                    hypotheses.push((candidate, literal));
                }
                None => solver.assert(piece.formula.clone()),
            }
        }
        Self { solver, hypotheses }
    }

    /// States the question about a group of obligations.
    fn question(
        &mut self,
        background: Background,
        number: usize,
        group: &Group<'_>,
        sieve: &mut Sieve,
    ) -> Question {
        let activation = Bool::new_const(format!("question!{number}"));
        let mut members = Vec::new();
        for piece in &group.assume {
            self.solver.assert(activation.implies(&piece.formula));
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
                self.solver.assert(activation.implies(&piece.formula));
            }
            let holds = Bool::new_const(format!("holds!{number}!{candidate}"));
            let fails = or(&[holds.clone(), denial(&case.goals)]);
            self.solver.assert(activation.implies(&fails));
            members.push((candidate, holds));
        }
        Question {
            background,
            activation,
            members,
            core: None,
        }
    }
}

impl Questions<'_> {
    fn queries(&self) -> u32 {
        let solvers = self.solvers.values();
        solvers
            .map(|assumptions| assumptions.solver.queries())
            .sum()
    }

    /// Asks until each question has a proof of all its candidates that are kept, from candidates that are kept.
    fn ask(&mut self, sieve: &mut Sieve) {
        loop {
            let mut is_settled = true;
            for question in &mut self.questions {
                question
                    .members
                    .retain(|(candidate, _)| sieve.kept[*candidate]);
                let is_proved = |core: &Vec<usize>| core.iter().all(|used| sieve.kept[*used]);
                if question.members.is_empty() || question.core.as_ref().is_some_and(is_proved) {
                    continue;
                }
                is_settled = false;
                if let Some(assumptions) = self.solvers.get_mut(&question.background) {
                    question.drop_broken(assumptions, sieve);
                }
            }
            if is_settled {
                return;
            }
        }
    }
}

impl Question {
    /// Asks for a step that breaks some candidate, drops what it breaks, and asks again.
    fn drop_broken(&mut self, assumptions: &mut Assumptions<'_>, sieve: &mut Sieve) {
        while !self.members.is_empty() {
            let some_fails: Vec<Bool> = self.members.iter().map(|(_, holds)| holds.not()).collect();
            let assumed = self.assumed(assumptions, sieve);
            let (answer, broken) = assumptions.solver.scoped(|solver| {
                solver.assert(or(&some_fails));
                let (answer, core) = solver.check_with_core(&assumed);
                self.core = (answer == Answer::Unsat).then_some(core);
                let broken = match answer {
                    Answer::Sat => falsified(solver, &self.members),
                    Answer::Unsat | Answer::Unknown(_) => Vec::new(),
                };
                (answer, broken)
            });
            match answer {
                Answer::Unsat => {
                    // The literal that stands for the question is no candidate.
                    let core = self.core.iter_mut();
                    core.for_each(|core| core.retain(|used| *used < sieve.candidates));
                    return;
                }
                Answer::Sat if !broken.is_empty() => {
                    broken
                        .iter()
                        .for_each(|candidate| sieve.kept[*candidate] = false);
                    self.members.retain(|(candidate, _)| sieve.kept[*candidate]);
                }
                Answer::Sat | Answer::Unknown(_) => return self.one_by_one(assumptions, sieve),
            }
        }
    }

    /// The literals of the question and of the candidates that are kept, by position; the question's comes after all.
    fn assumed(&self, assumptions: &Assumptions<'_>, sieve: &Sieve) -> Vec<(usize, Bool)> {
        let hypotheses = assumptions.hypotheses.iter();
        let mut assumed: Vec<(usize, Bool)> = hypotheses
            .filter(|(candidate, _)| sieve.kept[*candidate])
            .cloned()
            .collect();
        assumed.push((sieve.candidates, self.activation.clone()));
        assumed
    }

    /// Where the joint question is too hard, each candidate is asked about by itself.
    fn one_by_one(&mut self, assumptions: &mut Assumptions<'_>, sieve: &mut Sieve) {
        let mut used = BTreeSet::new();
        for (candidate, holds) in &self.members {
            let mut assumed = self.assumed(assumptions, sieve);
            assumed.push((sieve.candidates, holds.not()));
            match assumptions.solver.check_with_core(&assumed) {
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
