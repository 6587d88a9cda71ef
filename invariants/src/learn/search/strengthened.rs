//! Clauses that say more than another one does, so that they exclude the states from which a step breaks it.
//!
//! Of groups a clause may say that none of them has something in common: no quorum has voted for a value, all of it. A step breaks that
//! where one member alone is missing, and before that two, and so on: no clause that names so many members is enough. What has to
//! be excluded is a group whose members all have voted *or may still do so*. So a second property is added to what the members
//! have in common, one that those have who take the last step. Of several such properties, one is preferred that excludes more
//! than the others.

use ioa_lang::core::{Expr, ExprKind, FunctionId, LocalId, Op, Quantifier};

use super::super::atom::relations;
use super::super::clause::literal;
use super::super::columns::{Column, Columns, Unknown};
use super::super::cover::has;
use super::super::evidence::{Evidence, Truth, complement, merge};
use super::super::frame::Frame;
use super::super::nested::{Literal, Nesting, inner_columns};
use super::super::targets::Targets;
use super::super::term::{Term, joined};
use super::FrameSearch;
use crate::build::{mask, with_variables};
use crate::focus::About;

/// Second properties come from so many atoms, the simplest ones, at most.
const MAX_INNER: usize = 160;
/// So many of the clauses are taken, the simplest ones, at most.
const MAX_CLAUSES: usize = 16;

/// A formula `\E g \A m (m \in g /\ ... => claim)`.
struct InCommon<'f> {
    group: LocalId,
    member: LocalId,
    /// Who is a member.
    membership: FunctionId,
    /// What is supposed of members besides.
    guards: Vec<&'f Expr>,
    claim: &'f Expr,
}

impl<'f> InCommon<'f> {
    fn of(formula: &'f Expr) -> Option<Self> {
        let (group, all) = quantified(Quantifier::Exists, formula)?;
        let (member, body) = quantified(Quantifier::ForAll, all)?;
        let ExprKind::Apply(Op::Implies, sides) = &body.kind else {
            return None;
        };
        let (premise, guards) = match &sides[0].kind {
            ExprKind::Apply(Op::And, parts) => parts.split_first()?,
            _ => (&sides[0], &[][..]),
        };
        let is = |id: LocalId, expr: &Expr| expr.kind == ExprKind::Local(id);
        match &premise.kind {
            ExprKind::Theory(membership, args) if is(member, &args[0]) && is(group, &args[1]) => {
                Some(Self {
                    group,
                    member,
                    membership: *membership,
                    guards: guards.iter().collect(),
                    claim: &sides[1],
                })
            }
            _ => None,
        }
    }
}

/// The only variable that a formula binds, and its body.
fn quantified(quantifier: Quantifier, formula: &Expr) -> Option<(LocalId, &Expr)> {
    match &formula.kind {
        ExprKind::Quantified(own, binders, body) if *own == quantifier && binders.len() == 1 => {
            Some((binders[0], body))
        }
        _ => None,
    }
}

/// A clause that is tried: what the members of no group have in common.
struct Tried {
    body: Vec<Literal>,
    /// Whether it excludes one of the states that are to be excluded.
    excludes: bool,
    /// Where the members of some group have that in common: in which states of the blocks that are not asked about, for each assignment.
    common: Vec<u64>,
}

impl Tried {
    /// Whether the clause excludes more than another one.
    fn excludes_more(&self, other: &Self) -> bool {
        let mut both = self.common.iter().zip(&other.common);
        self.common != other.common && both.all(|(own, other)| other & !own == 0)
    }
}

/// A clause that says more than another one.
pub(crate) struct Stronger {
    pub(crate) literals: Vec<usize>,
    /// How many of the others exclude more.
    pub(crate) outdone_by: u32,
}

/// What is tried: clauses of a frame that have these literals, and one more that says what the members of no group have in common.
struct Trial<'t> {
    about: About<'t>,
    others: &'t FrameSearch,
    signs: &'t [bool],
    nesting: &'t Nesting,
}

impl FrameSearch {
    /// A frame with clauses each of which says more than the given one: they exclude made-up states that are asked about, and no
    /// reached one. None if the clause says nothing of what the members of groups have in common.
    ///
    /// # Errors
    /// Why the columns of atoms are not known.
    pub(crate) fn strengthened(
        &self,
        about: About<'_>,
        (clause, targets): (&[usize], &Targets),
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<Option<(Self, Vec<Stronger>)>, Unknown> {
        let in_common = |l: &usize| match literal(*l) {
            (atom, false) => Some((*l, InCommon::of(&self.atoms[atom].expr)?)),
            (_, true) => None,
        };
        let Some((last, common)) = clause.iter().find_map(in_common) else {
            return Ok(None);
        };
        if self.frame.is_ranged() {
            return Ok(None);
        }
        let others: Vec<usize> = clause.iter().copied().filter(|l| *l != last).collect();
        let (mut search, kept) = self.narrowed(about, clause, &others);
        let nesting = self.nesting(about, (&search.frame, &kept), &common);
        let signs: Vec<bool> = others.iter().map(|l| literal(*l).1).collect();
        let trial = Trial {
            about,
            others: &search,
            signs: &signs,
            nesting: &nesting,
        };
        let found = trial.surviving(targets, evidence, columns)?;
        let outer = kept.len();
        let shift = (search.locals.len() - outer) as u32;
        let terms = found
            .iter()
            .map(|(body, _)| nesting.term(body, outer, shift));
        let terms: Vec<Term> = terms.collect();
        search.locals.extend(nesting.locals(outer).iter().cloned());
        let own = signs.iter().enumerate();
        let own: Vec<usize> = own.map(|(at, sign)| 2 * at + usize::from(!sign)).collect();
        let clauses = found
            .iter()
            .enumerate()
            .map(|(at, (_, outdone_by))| Stronger {
                literals: [&own[..], &[2 * (own.len() + at) + 1]].concat(),
                outdone_by: *outdone_by,
            });
        let clauses = clauses.collect();
        search.atoms.extend(terms);
        search.plain = search.atoms.len();
        Ok(Some((search, clauses)))
    }

    /// A frame that has only the variables which a clause mentions, with the atoms of some of its literals; and which variables these are.
    fn narrowed(
        &self,
        about: About<'_>,
        clause: &[usize],
        literals: &[usize],
    ) -> (Self, Vec<usize>) {
        let mentioned = clause.iter().map(|l| self.atoms[literal(*l).0].binders);
        let mentioned = mentioned.fold(0, |all, own| all | own);
        let kept = (0..self.frame.binders.len()).filter(|at| mentioned >> at & 1 == 1);
        let kept: Vec<usize> = kept.collect();
        let types = kept.iter().map(|at| self.frame.binders[*at].ty.clone());
        let types: Vec<_> = types.collect();
        let frame = Frame::of(about.model, about.automaton, &types);
        let bound = self.locals[self.frame.binders.len()..].iter().cloned();
        let locals = frame.binders.iter().cloned().chain(bound).collect();
        let place = |id| self.placed(id, &kept, kept.len());
        let atom = |l: &usize| {
            let atom = &self.atoms[literal(*l).0];
            let expr = with_variables(&atom.expr, &place);
            let guards = atom.guards.iter();
            Term {
                guards: guards.map(|guard| with_variables(guard, &place)).collect(),
                binders: mask(&expr, kept.len()),
                expr,
                ..atom.clone()
            }
        };
        let atoms = literals.iter().map(atom).collect();
        (Self::of_atoms(frame, atoms, locals), kept)
    }

    /// Where a local is found if only some variables of the frame are kept, and those that are bound in atoms come after so many locals.
    fn placed(&self, id: LocalId, kept: &[usize], bound: usize) -> LocalId {
        let own = kept.iter().position(|at| *at == id.index());
        LocalId::at(own.unwrap_or_else(|| id.index() - self.frame.binders.len() + bound))
    }

    /// The ways to go through the members of groups of which the first atom says what they have in common; the frame has the kept variables.
    fn nesting(
        &self,
        about: About<'_>,
        (frame, kept): (&Frame, &[usize]),
        common: &InCommon<'_>,
    ) -> Nesting {
        let made = |about: About<'_>, inner: &Frame| {
            let (atoms, mut locals) = relations(about, inner, usize::MAX);
            let place = |id: LocalId| match id {
                id if id == common.group => LocalId::at(kept.len()),
                id if id == common.member => LocalId::at(kept.len() + 1),
                id => self.placed(id, kept, locals.len()),
            };
            let count = inner.binders.len();
            let term = |formula: &Expr| {
                let expr = with_variables(formula, &place);
                Term {
                    binders: mask(&expr, count),
                    reads_state: true,
                    ..joined(&[], expr)
                }
            };
            let guards = common.guards.iter();
            let first = Term {
                guards: guards.map(|guard| with_variables(guard, &place)).collect(),
                ..term(common.claim)
            };
            locals.extend(self.locals[self.frame.binders.len()..].iter().cloned());
            ([vec![first], atoms].concat(), locals)
        };
        Nesting::through(about, frame, common.membership, (made, MAX_INNER))
    }
}

impl Trial<'_> {
    /// The bodies of clauses that exclude states which are asked about, and no reached one, with how many of the others exclude more:
    /// those first that the fewest others outdo, and the simplest of these.
    fn surviving(
        &self,
        targets: &Targets,
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<Vec<(Vec<Literal>, u32)>, Unknown> {
        let bodies = self.nesting.with_first().into_iter();
        let tried = bodies.map(|body| Tried {
            body,
            excludes: false,
            common: Vec::new(),
        });
        let mut tried: Vec<Tried> = tried.collect();
        let others = (0..evidence.universes().len()).filter(|block| !targets.contains_key(block));
        let others: Vec<usize> = others.collect();
        for block in targets.keys() {
            self.try_in(*block, (&mut tried, targets), evidence, columns)?;
        }
        tried.retain(|tried| tried.excludes);
        for block in others {
            self.try_in(block, (&mut tried, targets), evidence, columns)?;
        }
        let outdone_by = |one: &Tried| {
            let others = tried.iter().filter(|other| other.excludes_more(one));
            u32::try_from(others.count()).unwrap_or(u32::MAX)
        };
        let found = tried.iter().map(|one| (one.body.clone(), outdone_by(one)));
        let mut found: Vec<(Vec<Literal>, u32)> = found.collect();
        found.sort_by_key(|(_, outdone_by)| *outdone_by);
        found.truncate(MAX_CLAUSES);
        Ok(found)
    }

    /// Drops what is false in a reached state of a block.
    fn try_in(
        &self,
        block: usize,
        (tried, targets): (&mut Vec<Tried>, &Targets),
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<(), Unknown> {
        if tried.is_empty() {
            return Ok(());
        }
        let (model, counts) = (self.about.model, evidence.states(block));
        let own = std::slice::from_ref(self.nesting);
        let frame = (model, &self.others.frame);
        let inner = inner_columns(own, frame, evidence, columns, block)?;
        let (Some(inner), Some(assignments)) =
            (inner, self.others.frame.assignments(model, evidence, block))
        else {
            // Nothing is known of this block, so nothing is said.
            tried.clear();
            return Ok(());
        };
        let plain = (&self.others.locals[..], &self.others.atoms[..]);
        let plain = columns.of(evidence, block, plain, &assignments)?;
        let targets = targets.get(&block).map(Vec::as_slice);
        let passed = assignments.len() * counts.0.div_ceil(64);
        let mut looks = 0;
        tried.retain_mut(|tried| {
            let common = self.nesting.columns(&inner[0], &tried.body, counts);
            let violating = self.violating(&plain, &common, counts);
            looks += passed as u64;
            match targets {
                Some(states) => {
                    tried.excludes |= states.iter().any(|at| has(&violating.made_up, *at));
                }
                None => tried.common.extend(words(&common)),
            }
            violating.reached.iter().all(|word| *word == 0)
        });
        evidence.spend(looks);
        Ok(())
    }

    /// The states in which the clause is false for some assignment.
    fn violating(&self, plain: &[Vec<Column>], common: &[Column], counts: (usize, usize)) -> Truth {
        let mut any = Truth {
            reached: vec![0; counts.0.div_ceil(64)],
            made_up: vec![0; counts.1.div_ceil(64)],
        };
        for (others, common) in plain.iter().zip(common) {
            let mut holds = (*common.negative).clone();
            for (column, sign) in others.iter().zip(self.signs) {
                let truth = if *sign {
                    &column.positive
                } else {
                    &column.negative
                };
                merge(&mut holds, truth, |holds, own| holds | own);
            }
            let fails = complement(&holds, counts);
            merge(&mut any, &fails, |any, fails| any | fails);
        }
        any
    }
}

/// Where a formula is true, for each assignment.
fn words(columns: &[Column]) -> impl Iterator<Item = u64> + '_ {
    columns.iter().flat_map(|column| {
        let truth = &column.positive;
        truth.reached.iter().chain(&truth.made_up).copied()
    })
}
