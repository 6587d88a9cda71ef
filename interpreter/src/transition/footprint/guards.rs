//! The conditions of clauses one by one: which of them keeps a step from being enabled, and what that one reads.

use std::collections::BTreeSet;

use finite::closed_values;
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Local, LocalId, Op, Quantifier, Store, Transition, TransitionId,
};

use super::access::Access;
use super::collect::{AccessCode, Collector, read_by};
use super::ends::{UseCode, uses_of_condition};
use super::known::Known;
use crate::code::{Domain, Frame, Word};
use crate::compile;
use crate::compile::of_step;
use crate::instance::Instance;
use crate::instance::automaton::conditions;
use crate::state::cell::Cell;
use crate::state::layout::{Layout, Part, State};
use crate::transition::label::Firing;
use crate::transition::reads::has_choices;
use crate::transition::watch::Watch;
use crate::vm::Machine;

/// The conditions of an automaton's clauses.
pub struct Guards {
    machine: Machine,
    layout: Layout,
    clauses: Vec<Option<GuardCode>>,
    /// Of each clause, whether its steps with given parameters can have several results.
    choosing: Vec<bool>,
}

/// What a condition reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// The variable or cell.
    pub access: Access,
    /// Whether it is a sequence of which only the first element is read, and an earlier condition says that there is one: while that
    /// is so, appending to it changes nothing.
    pub is_at_front: bool,
}

/// The conditions of a clause.
struct GuardCode {
    frame: Frame,
    /// The parameters, the action's first, of which there are so many.
    params: Vec<LocalId>,
    own: usize,
    /// The codes that each parameter can have, if they can be listed.
    codes: Vec<Option<Vec<u64>>>,
    conditions: Vec<Condition>,
}

struct Condition {
    word: Word,
    reads: Vec<AccessCode>,
    uses: Vec<UseCode>,
    /// The parameters that it reads, by their positions.
    params: Vec<usize>,
    /// Whether it may have no value where those before it are true.
    is_partial: bool,
}

impl Guards {
    /// Compiles the conditions of an automaton.
    #[must_use]
    pub fn new(instance: &Instance, automaton: AutomatonId) -> Self {
        let clauses = &instance.model().automaton(automaton).transitions;
        let choosing = clauses.iter().map(has_choices).collect();
        let clauses = clauses
            .iter()
            .map(|clause| GuardCode::of(instance, automaton, clause));
        Self {
            choosing,
            machine: Machine::new(0, instance.range_overflows()),
            layout: instance.layout(automaton).clone(),
            clauses: clauses.collect(),
        }
    }

    /// All values of those parameters of a clause that can be listed, for which it is enabled in some state, as far as those of its
    /// conditions say that read no state. If there are more than so many, the values of further parameters are left open.
    pub fn listed(&mut self, transition: TransitionId, most: usize) -> Vec<Known> {
        let Some(guard) = &self.clauses[transition.index()] else {
            let values = Vec::new();
            return vec![Known { transition, values }];
        };
        let codes = guard.codes_of_most(most);
        let mut found = Vec::new();
        for number in 0..product(&codes) {
            let known = valuation(transition, &codes, number);
            guard.bind(&mut self.machine, &known);
            let fixed = guard.conditions.iter().filter(|c| c.reads.is_empty());
            let mut fixed = fixed.filter(|c| known.has_all(&c.params));
            if !fixed.any(|condition| matches!(self.machine.word(&condition.word), Ok(0))) {
                found.push(known);
            }
        }
        found
    }

    /// The step with these parameters, if all are known.
    #[must_use]
    pub fn firing(&self, known: &Known) -> Option<Firing> {
        let guard = self.clauses[known.transition.index()].as_ref()?;
        known.firing(guard.own)
    }

    /// For each condition of a clause with these parameters, what has to stay as it is so that the clause stays disabled where this is
    /// the first one that is false: what it reads, and what those before it read that might come to have no value. Nothing where
    /// nothing is known of the clause.
    pub fn reads(&mut self, known: &Known) -> Vec<BTreeSet<Read>> {
        let Some(guard) = &self.clauses[known.transition.index()] else {
            return Vec::new();
        };
        let machine = &mut self.machine;
        let mut access = |code: &AccessCode| code.evaluate(machine, (&guard.params, known));
        let (mut found, mut partial) = (Vec::new(), BTreeSet::new());
        let mut not_empty: BTreeSet<Access> = BTreeSet::new();
        for condition in &guard.conditions {
            let uses = condition.uses.iter();
            let uses: Vec<(&UseCode, Access)> =
                uses.map(|used| (used, access(&used.access))).collect();
            let is_at_front = |access: &Access| {
                let mut here = uses.iter().filter(|(_, other)| other.overlaps(access));
                not_empty.contains(access)
                    && here.all(|(used, other)| used.is_at_front() && used.access.names(other))
            };
            let reads = condition.reads.iter().map(&mut access);
            let reads = reads.map(|access| Read {
                is_at_front: is_at_front(&access),
                access,
            });
            let reads: BTreeSet<Read> = reads.collect();
            found.push(reads.union(&partial).cloned().collect());
            if condition.is_partial {
                partial.extend(reads);
            }
            let said = uses.into_iter();
            let said =
                said.filter(|(used, access)| used.is_not_empty() && used.access.names(access));
            not_empty.extend(said.map(|(_, access)| access));
        }
        found
    }

    /// Whether the conditions of a clause are known.
    #[must_use]
    pub fn knows(&self, transition: TransitionId) -> bool {
        self.clauses[transition.index()].is_some()
    }

    /// Whether the steps by a clause with given parameters can have several results.
    #[must_use]
    pub fn has_choices(&self, transition: TransitionId) -> bool {
        self.choosing[transition.index()]
    }

    /// What a question reads of a state.
    #[must_use]
    pub fn part(&self, watch: &Watch) -> Part {
        Part::of(&self.layout, watch.variables())
    }

    /// Says of which state it is asked next.
    pub fn look_at(&mut self, state: &State) {
        self.machine.store_mut(Store::Pre).clone_from(state);
    }

    /// The first condition that is false in the state looked at whatever values the other parameters have, so that the clause is
    /// disabled there. None where it may be enabled, or a condition before that may have no value.
    pub fn first_false(&mut self, known: &Known) -> Option<usize> {
        let guard = self.clauses[known.transition.index()].as_ref()?;
        guard.bind(&mut self.machine, known);
        for (position, condition) in guard.conditions.iter().enumerate() {
            if !known.has_all(&condition.params) {
                if condition.is_partial {
                    return None;
                }
                continue;
            }
            match self.machine.word(&condition.word) {
                Ok(0) => return Some(position),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        None
    }
}

impl GuardCode {
    /// None where the conditions cannot be evaluated.
    fn of(instance: &Instance, automaton: AutomatonId, clause: &Transition) -> Option<Self> {
        let layout = instance.layout(automaton);
        let scope = instance.scope(of_step(layout), &clause.locals);
        let params = [clause.params.as_slice(), &clause.hidden].concat();
        let stated = conditions(clause).into_iter();
        let stated = stated.flat_map(|one| instances(instance, &clause.locals, one));
        let stated: Vec<Expr> = stated.collect();
        let stated: Vec<&Expr> = stated.iter().collect();
        let (frame, (domains, words)) = compile::item(scope, |c| {
            let domain = |x| {
                let domain = c.attempt(|c| c.domain(x, Vec::new(), clause.span).0);
                domain.ok()
            };
            let domains: Vec<Option<Domain>> = params.iter().copied().map(domain).collect();
            let total = c.guarding(&stated, |c| {
                let total = stated.iter().map(|e| c.is_total(e));
                total.collect::<Vec<_>>()
            });
            let words = stated
                .iter()
                .zip(total)
                .map(|(e, total)| (c.formula(e), !total));
            (domains, words.collect::<Vec<_>>())
        })
        .ok()?;
        let reads = |condition| {
            let mut collector = Collector::new(instance, automaton, clause);
            collector.read(condition);
            let uses = uses_of_condition(&collector, condition);
            (collector.reads, uses)
        };
        let conditions = words.into_iter().zip(&stated);
        let conditions = conditions.map(|((word, is_partial), condition)| {
            let (reads, uses) = reads(condition);
            Condition {
                word,
                reads,
                uses,
                params: read_by(condition, &params),
                is_partial,
            }
        });
        Some(Self {
            frame,
            own: clause.params.len(),
            codes: domains.iter().map(|d| codes(d.as_ref()?)).collect(),
            conditions: conditions.collect(),
            params,
        })
    }

    /// The codes of parameters that have at most so many valuations together: those with the most codes are left open first.
    fn codes_of_most(&self, most: usize) -> Vec<Option<Vec<u64>>> {
        let mut codes = self.codes.clone();
        while product(&codes) > most {
            let many = |codes: &Option<Vec<u64>>| codes.as_ref().map_or(0, Vec::len);
            let widest = codes.iter_mut().max_by_key(|codes| many(codes));
            *widest.expect("a product of nothing is 1") = None;
        }
        codes
    }

    fn bind(&self, machine: &mut Machine, known: &Known) {
        machine.enter(&self.frame);
        known.bind(machine, &self.params);
    }
}

/// A condition about all values of something as conditions about one value each, if there are few: one that is false reads less than all.
fn instances(instance: &Instance, locals: &[Local], condition: &Expr) -> Vec<Expr> {
    /// A condition says no more than so many things.
    const MOST: u64 = 64;
    let whole = || vec![condition.clone()];
    let ExprKind::Quantified(Quantifier::ForAll, binders, body) = &condition.kind else {
        return match &condition.kind {
            ExprKind::Apply(Op::And, parts) => {
                let parts = parts.iter();
                let parts = parts.flat_map(|part| instances(instance, locals, part));
                parts.collect()
            }
            _ => whole(),
        };
    };
    let of_model = (&**instance.model(), instance.universe());
    let mut bodies = vec![(**body).clone()];
    for binder in binders {
        let most = MOST / bodies.len() as u64;
        let Some(values) = closed_values(of_model, &locals[binder.index()].ty, most) else {
            return whole();
        };
        let each = |body: &Expr| -> Vec<Expr> {
            let value = |value| body.with_value(*binder, value);
            values.iter().map(value).collect()
        };
        bodies = bodies.iter().flat_map(each).collect();
    }
    bodies
}

/// How many valuations there are.
fn product(codes: &[Option<Vec<u64>>]) -> usize {
    let counts = codes.iter().flatten().map(Vec::len);
    counts.fold(1, usize::saturating_mul)
}

/// The valuation with a number.
fn valuation(transition: TransitionId, codes: &[Option<Vec<u64>>], mut number: usize) -> Known {
    let value = |codes: &Option<Vec<u64>>| {
        let codes = codes.as_ref()?;
        let code = codes[number % codes.len()];
        number /= codes.len();
        Some(Cell::Word(code))
    };
    Known {
        transition,
        values: codes.iter().map(value).collect(),
    }
}

/// The codes of a domain that depends on nothing, if they are not too many.
fn codes(domain: &Domain) -> Option<Vec<u64>> {
    /// So many codes are listed.
    const MOST: u64 = 4_096;
    match domain {
        Domain::Below(count @ ..=MOST) => Some((0..*count).collect()),
        Domain::Codes(codes) => Some(codes.to_vec()),
        Domain::Mask(Word::Const(mask)) => {
            let bits = 0..u64::from(u64::BITS);
            Some(bits.filter(|bit| mask >> bit & 1 == 1).collect())
        }
        _ => None,
    }
}
