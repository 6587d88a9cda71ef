//! What is asked about the candidates, and what is known of them.

use std::collections::{BTreeMap, BTreeSet};

use z3::ast::Bool;

use crate::logic::{Logic, or};
use crate::obligations::{Background, Ground, Group, Kind, Piece, Target, Unit, units};
use crate::options::Options;
use crate::solver::{Answer, Solver, denial};

/// What is known about the candidates.
pub(super) struct Sieve {
    candidates: usize,
    /// By position in the target: candidates, then stated invariants, which are never dropped.
    pub(super) kept: Vec<bool>,
    pub(super) undecided: BTreeSet<usize>,
}

impl Sieve {
    /// Nothing is known of the first so many invariants of a target; the others are not questioned.
    pub(super) fn new(candidates: usize, invariants: usize) -> Self {
        Self {
            candidates,
            kept: vec![true; invariants],
            undecided: BTreeSet::new(),
        }
    }

    /// How many are kept.
    pub(super) fn count(&self) -> usize {
        self.kept.iter().filter(|kept| **kept).count()
    }

    /// Drops a candidate that cannot be decided.
    pub(super) fn give_up(&mut self, candidate: usize) {
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
pub(super) struct Question<'q> {
    solver: Solver<'q>,
    hypotheses: Hypotheses,
    parts: Vec<Part>,
}

/// Candidates of a question that are asked about together.
struct Part {
    members: Vec<Member>,
    /// The candidates that the last proof used; `None` before there is one.
    core: Option<BTreeSet<usize>>,
}

impl Part {
    /// Forgets the candidates that were dropped; says whether the others are proved, from candidates that are kept.
    fn is_settled(&mut self, sieve: &Sieve) -> bool {
        self.members.retain(|member| sieve.kept[member.candidate]);
        let is_proved = |core: &BTreeSet<usize>| core.iter().all(|used| sieve.kept[*used]);
        self.members.is_empty() || self.core.as_ref().is_some_and(is_proved)
    }
}

/// For each candidate the literal under which it is assumed.
struct Hypotheses(Vec<(usize, Bool)>);

impl Hypotheses {
    /// The literals of the candidates that are kept, by position.
    fn kept(&self, sieve: &Sieve) -> Vec<(usize, Bool)> {
        let kept = self.0.iter().filter(|(at, _)| sieve.kept[*at]);
        kept.cloned().collect()
    }
}

/// A candidate that may fail after a step.
#[derive(Clone)]
struct Member {
    candidate: usize,
    /// A literal whose falsehood means that it fails.
    holds: Bool,
    /// What it means that it fails.
    fails: Bool,
}

impl Member {
    /// What its literal means.
    fn meaning(&self) -> Bool {
        or(&[self.holds.clone(), self.fails.clone()])
    }
}

/// States all questions. A candidate of which a part has no reading in logic is dropped.
pub(super) fn state_questions<'q, 'l>(
    (target, logic): (&Target<'l>, &'l Logic<'l>),
    sieve: &mut Sieve,
    options: &'q Options<'q>,
) -> Vec<Question<'q>> {
    let mut stated = Vec::new();
    let all = vec![true; target.invariants.len()];
    // All steps of an automaton begin in the same unknown state, of which the same is assumed. To write that out takes long, so it is
    // done once; where nothing is written out, each question has terms of its own.
    let mut grounds = BTreeMap::new();
    for (unit, kinds) in units(target) {
        if !logic.is_written_out() {
            grounds.clear();
        }
        if !matches!(unit, Unit::Start(_) | Unit::Step(..)) {
            continue;
        }
        let background = Background::of(target, unit);
        let ground = grounds
            .entry(background)
            .or_insert_with(|| logic.ground(target, background, &all));
        let groups = ground.as_ref().map_err(Clone::clone).and_then(|ground| {
            let groups = logic.groups(target, ground, unit, &kinds, &all)?;
            Ok((ground, groups))
        });
        match groups {
            Ok((ground, groups)) => {
                for group in groups.iter().filter(|group| !group.members.is_empty()) {
                    stated.push(Question::new(ground, group, sieve, options));
                }
            }
            Err(_) => sieve.give_up_all(&kinds),
        }
    }
    stated
}

/// Asks until each question has a proof of all its candidates that are kept, from candidates that are kept.
pub(super) fn ask_all(questions: &mut [Question<'_>], sieve: &mut Sieve) {
    loop {
        let mut is_settled = true;
        for question in &mut *questions {
            is_settled &= question.drop_broken(sieve);
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
            hypotheses: Hypotheses(Vec::new()),
            parts: Vec::new(),
        };
        for piece in ground.assume.iter().chain(&group.assume) {
            question.assume(piece, sieve.candidates);
        }
        let mut members = Vec::new();
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
            members.push(Member {
                candidate,
                holds: Bool::new_const(format!("holds!{candidate}")),
                fails: denial(&case.goals),
            });
        }
        let parts = members.chunks(AT_ONCE).map(|members| Part {
            members: members.to_vec(),
            core: None,
        });
        question.parts = parts.collect();
        question
    }

    /// How many questions the solver was asked.
    pub(super) fn queries(&self) -> u32 {
        self.solver.queries()
    }

    /// Which of the candidates that may be `used` suffice for a candidate to hold afterwards, perhaps more than are needed.
    /// Nothing if it is not shown that they do; no candidates where the question is not about this one.
    pub(super) fn suffices(
        &mut self,
        candidate: usize,
        used: impl Iterator<Item = usize>,
    ) -> Option<Vec<usize>> {
        let mut members = self.parts.iter().flat_map(|part| &part.members);
        let Some(member) = members.find(|member| member.candidate == candidate) else {
            return Some(Vec::new());
        };
        let hypotheses = &self.hypotheses.0;
        let literal = |at: usize| hypotheses.iter().find(|(own, _)| *own == at).cloned();
        let assumed: Vec<(usize, Bool)> = used.filter_map(literal).collect();
        self.solver.scoped(|solver| {
            solver.assert(member.fails.clone());
            let mut core = assumed;
            loop {
                let (answer, used) = solver.check_with_core(&core);
                if answer != Answer::Unsat {
                    return None;
                }
                let before = core.len();
                core.retain(|(at, _)| used.contains(at));
                if core.len() == before {
                    return Some(used);
                }
            }
        })
    }

    /// Assumes something: a candidate only as long as its literal is assumed.
    fn assume(&mut self, piece: &Piece, candidates: usize) {
        match piece.invariant.filter(|invariant| *invariant < candidates) {
            Some(candidate) => {
                let literal = Bool::new_const(format!("hypothesis!{candidate}"));
                self.solver.assert(literal.implies(&piece.formula));
                self.hypotheses.0.push((candidate, literal));
            }
            None => self.solver.assert(piece.formula.clone()),
        }
    }

    /// Asks for steps that break candidates, and drops what they break, until there are none; says whether nothing had to be
    /// asked.
    fn drop_broken(&mut self, sieve: &mut Sieve) -> bool {
        let mut is_settled = true;
        for at in 0..self.parts.len() {
            if self.parts[at].is_settled(sieve) {
                continue;
            }
            is_settled = false;
            let Self {
                solver,
                hypotheses,
                parts,
            } = self;
            let members = parts[at].members.clone();
            let core = solver.scoped(|solver| {
                for member in &members {
                    solver.assert(member.meaning());
                }
                let chunk = Chunk {
                    solver,
                    hypotheses,
                    members,
                    all: parts,
                };
                chunk.drop_broken(sieve)
            });
            self.parts[at].core = Some(core);
        }
        is_settled
    }
}

/// So many candidates are asked about together: more make each question harder.
const AT_ONCE: usize = 32;

/// Some of the candidates of a question, and the solver that knows what it means that they fail.
struct Chunk<'c, 'q> {
    solver: &'c mut Solver<'q>,
    hypotheses: &'c Hypotheses,
    members: Vec<Member>,
    /// All candidates of the question.
    all: &'c [Part],
}

impl Chunk<'_, '_> {
    /// Asks for a step that breaks some of the candidates, drops what it breaks, and asks again; returns the candidates that the
    /// proof of the others uses.
    fn drop_broken(mut self, sieve: &mut Sieve) -> BTreeSet<usize> {
        loop {
            self.members.retain(|member| sieve.kept[member.candidate]);
            if self.members.is_empty() {
                return BTreeSet::new();
            }
            let some_fails: Vec<Bool> = self.members.iter().map(|m| m.holds.not()).collect();
            let assumed = self.hypotheses.kept(sieve);
            let (members, all) = (&self.members, self.all);
            let (answer, core, broken) = self.solver.scoped(|solver| {
                solver.assert(or(&some_fails));
                let (answer, core) = solver.check_with_core(&assumed);
                let broken = match answer {
                    Answer::Sat => falsified(solver, members, all),
                    Answer::Unsat | Answer::Unknown(_) => Vec::new(),
                };
                (answer, core, broken)
            });
            let is_some_broken = broken.iter().any(|candidate| sieve.kept[*candidate]);
            match answer {
                Answer::Unsat => return core.into_iter().collect(),
                Answer::Sat if is_some_broken => broken
                    .iter()
                    .for_each(|candidate| sieve.kept[*candidate] = false),
                Answer::Sat | Answer::Unknown(_) => return self.one_by_one(sieve),
            }
        }
    }

    /// Where the joint question is too hard, each candidate is asked about by itself.
    fn one_by_one(self, sieve: &mut Sieve) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        for member in &self.members {
            let mut assumed = self.hypotheses.kept(sieve);
            assumed.push((sieve.candidates, member.holds.not()));
            match self.solver.check_with_core(&assumed) {
                (Answer::Unsat, core) => used.extend(core),
                (Answer::Sat, _) => sieve.kept[member.candidate] = false,
                (Answer::Unknown(_), _) => sieve.give_up(member.candidate),
            }
        }
        used.remove(&sieve.candidates);
        used
    }
}

/// The candidates that the solver's model breaks, where there is one: those that were asked about, and others that happen to
/// fail there.
fn falsified(solver: &Solver<'_>, asked: &[Member], all: &[Part]) -> Vec<usize> {
    let Some(model) = solver.model() else {
        return Vec::new();
    };
    let is = |formula: &Bool, value: bool| {
        model.eval(formula, true).and_then(|v| v.as_bool()) == Some(value)
    };
    let asked = asked.iter().filter(|member| is(&member.holds, false));
    let all = all.iter().flat_map(|part| &part.members);
    let others = all.filter(|member| is(&member.fails, true));
    asked.chain(others).map(|member| member.candidate).collect()
}
