//! Houdini: the largest subset of candidate invariants that is inductive.
//!
//! After Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java": assume all candidates, drop those that
//! some step breaks, and begin again, until none is broken. One countermodel drops every candidate that it falsifies.

use ioa_lang::core::{AutomatonId, Invariant, Model};
use z3::ast::Bool;

use crate::encode::{Logic, Size, or};
use crate::obligations::{Case, Kind, Piece, Target, Unit, World, units};
use crate::prove::{Basis, Grounded, Guard, small};
use crate::solve::{Answer, Options, Session, denial, in_context};

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
        undecided: Vec::new(),
        queries: 0,
    };
    let basis = in_context(|| {
        let mut logic = Logic::new(model, Size::Any);
        let declared = logic.declare_theories();
        match declared.and_then(|()| small(&target)) {
            Ok(small) => {
                while sieve.pass(&target, &logic, options) {}
                basis(&target, automaton, (&small, &logic), &sieve.kept, options)
            }
            Err(outside) => {
                sieve.give_up();
                Err(outside.because)
            }
        }
    });
    let kept = (0..candidates.len()).filter(|i| sieve.kept[*i]).collect();
    sieve.undecided.sort_unstable();
    Kept {
        kept,
        undecided: sieve.undecided,
        queries: sieve.queries,
        basis,
    }
}

/// What proofs that these invariants are inductive rest on: a start state, which they then hold of.
fn basis<'l>(
    target: &Target<'l>,
    automaton: AutomatonId,
    readings: (&'l Logic<'l>, &'l Logic<'l>),
    kept: &[bool],
    options: &Options<'_>,
) -> Basis {
    let start = Kind::Initiation { invariant: 0 };
    Guard::new(target, kept, options, readings).basis(Unit::Start(automaton), start)
}

struct Sieve {
    candidates: usize,
    /// By position in the target: candidates, then stated invariants, which are never dropped.
    kept: Vec<bool>,
    undecided: Vec<usize>,
    queries: u32,
}

impl Sieve {
    /// Asks every unit once; says whether anything was dropped, so that the hypotheses were too strong.
    fn pass<'l>(
        &mut self,
        target: &Target<'l>,
        logic: &'l Logic<'l>,
        options: &Options<'_>,
    ) -> bool {
        let before = self.kept.clone();
        for (unit, kinds) in units(target) {
            if !matches!(unit, Unit::Start(_) | Unit::Step(..)) {
                continue;
            }
            let kinds: Vec<Kind> = kinds.into_iter().filter(|k| self.asks(*k)).collect();
            if kinds.is_empty() {
                continue;
            }
            let mut dropping = Dropping::new(kinds.clone());
            if dropping
                .solve(target, logic, unit, &before, options)
                .is_err()
            {
                dropping.give_up();
            }
            self.take(&kinds, &dropping);
        }
        self.kept != before
    }

    /// Drops the candidates of the obligations that are no longer open.
    fn take(&mut self, asked: &[Kind], dropping: &Dropping) {
        self.queries += dropping.queries;
        for kind in asked.iter().filter(|kind| !dropping.open.contains(kind)) {
            if let Some(candidate) = candidate_of(*kind) {
                self.kept[candidate] = false;
                let undecided = dropping.undecided.contains(kind);
                self.undecided.extend(undecided.then_some(candidate));
            }
        }
    }

    /// Drops all candidates, none of which can be decided.
    fn give_up(&mut self) {
        self.undecided.extend(0..self.candidates);
        self.kept.fill(false);
    }

    fn asks(&self, kind: Kind) -> bool {
        candidate_of(kind).is_some_and(|i| i < self.candidates && self.kept[i])
    }
}

fn candidate_of(kind: Kind) -> Option<usize> {
    match kind {
        Kind::Initiation { invariant } | Kind::Consecution { invariant, .. } => Some(invariant),
        _ => None,
    }
}

/// The obligations of one unit that have not been broken yet.
struct Dropping {
    open: Vec<Kind>,
    undecided: Vec<Kind>,
    queries: u32,
}

impl Dropping {
    fn new(open: Vec<Kind>) -> Self {
        Self {
            open,
            undecided: Vec::new(),
            queries: 0,
        }
    }

    fn give_up(&mut self) {
        self.undecided.append(&mut self.open);
    }

    fn solve<'l>(
        &mut self,
        target: &Target<'l>,
        logic: &'l Logic<'l>,
        unit: Unit,
        kept: &[bool],
        options: &Options<'_>,
    ) -> crate::encode::Encoded<()> {
        let ground = logic.ground(target, World::of(target, unit), kept)?;
        let kinds = self.open.clone();
        for group in logic.groups(target, &ground, unit, &kinds, kept)? {
            if group.members.is_empty() {
                continue;
            }
            let mut session = Session::new(options);
            session.assert_all(&ground.assume);
            session.assert_all(&group.assume);
            let named = self.name(&mut session, &group.members);
            self.drop_broken(&mut session, named);
            self.queries += session.queries();
        }
        Ok(())
    }

    /// For each obligation a constant whose falsehood means that the obligation fails.
    fn name(
        &mut self,
        session: &mut Session<'_>,
        members: &[(Kind, crate::encode::Encoded<Vec<Case<'_>>>)],
    ) -> Vec<(Kind, Bool)> {
        let mut named = Vec::new();
        for (i, (kind, cases)) in members.iter().enumerate() {
            let Ok([case]) = cases.as_deref() else {
                self.open.retain(|k| k != kind);
                self.undecided.push(*kind);
                continue;
            };
            let assumed: &[Piece] = &case.assume;
            session.assert_all(assumed);
            let holds = Bool::new_const(format!("holds!{i}"));
            session.assert(or(&[holds.clone(), denial(&case.goals)]));
            named.push((*kind, holds));
        }
        named
    }

    /// Asks for a step that breaks something, drops what it breaks, and asks again.
    fn drop_broken(&mut self, session: &mut Session<'_>, mut named: Vec<(Kind, Bool)>) {
        while !named.is_empty() {
            let some_fails: Vec<Bool> = named.iter().map(|(_, holds)| holds.not()).collect();
            let asked = Bool::fresh_const("asked");
            session.assert_simple(asked.implies(or(&some_fails)));
            let broken = match session.check_assuming(&[asked]) {
                Answer::Unsat => Some(Vec::new()),
                Answer::Sat => Some(falsified(session, &named)),
                Answer::Unknown(_) => None,
            };
            match broken {
                Some(broken) if broken.is_empty() => return,
                Some(broken) => {
                    self.open.retain(|kind| !broken.contains(kind));
                    named.retain(|(kind, _)| !broken.contains(kind));
                }
                None => return self.one_by_one(session, &named),
            }
        }
    }

    /// Where the joint question is too hard, each obligation is asked by itself.
    fn one_by_one(&mut self, session: &mut Session<'_>, named: &[(Kind, Bool)]) {
        for (kind, holds) in named {
            let answer = session.check_assuming(&[holds.not()]);
            if answer != Answer::Unsat {
                self.open.retain(|k| k != kind);
                self.undecided
                    .extend(matches!(answer, Answer::Unknown(_)).then_some(*kind));
            }
        }
    }
}

/// The obligations that the solver's model breaks.
fn falsified(session: &Session<'_>, named: &[(Kind, Bool)]) -> Vec<Kind> {
    let Some(model) = session.model() else {
        return named.iter().map(|(kind, _)| *kind).collect();
    };
    let fails = |holds: &Bool| model.eval(holds, true).and_then(|v| v.as_bool()) == Some(false);
    named
        .iter()
        .filter(|(_, holds)| fails(holds))
        .map(|(kind, _)| *kind)
        .collect()
}
