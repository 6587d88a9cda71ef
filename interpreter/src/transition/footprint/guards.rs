//! The conditions of clauses one by one: which of them keeps a step from being enabled, and what that one reads.

use std::collections::BTreeSet;

use ioa_lang::core::{AutomatonId, LocalId, Store, Transition, TransitionId};

use super::access::Access;
use super::collect::{AccessCode, Collector};
use crate::code::{Domain, Frame, Word};
use crate::compile;
use crate::compile::of_step;
use crate::instance::Instance;
use crate::instance::automaton::conditions;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::transition::label::Firing;
use crate::transition::reads::has_choices;
use crate::vm::Machine;

/// The conditions of an automaton's clauses.
pub struct Guards {
    machine: Machine,
    clauses: Vec<Option<GuardCode>>,
    /// Of each clause, whether its steps with given parameters can have several results.
    choosing: Vec<bool>,
}

/// The conditions of a clause.
struct GuardCode {
    frame: Frame,
    /// The parameters, the action's first, of which there are so many.
    params: Vec<LocalId>,
    own: usize,
    /// The codes that each parameter can have.
    codes: Vec<Vec<u64>>,
    conditions: Vec<Condition>,
}

struct Condition {
    word: Word,
    reads: Vec<AccessCode>,
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
            clauses: clauses.collect(),
        }
    }

    /// All values of the parameters for which a clause is enabled in some state, as far as those of its conditions say that read
    /// no state. None if there are more than so many values, or they cannot be listed.
    pub fn firings(&mut self, transition: TransitionId, most: usize) -> Option<Vec<Firing>> {
        let guard = self.clauses[transition.index()].as_ref()?;
        let counts = guard.codes.iter().map(Vec::len);
        let all = counts.fold(1, usize::saturating_mul);
        if all > most {
            return None;
        }
        let mut found = Vec::new();
        for number in 0..all {
            let firing = guard.firing(transition, number);
            guard.bind(&mut self.machine, &firing);
            let mut fixed = guard.conditions.iter().filter(|c| c.reads.is_empty());
            if !fixed.any(|condition| matches!(self.machine.word(&condition.word), Ok(0))) {
                found.push(firing);
            }
        }
        Some(found)
    }

    /// For each condition of a clause with these parameters, what has to stay as it is so that the clause stays disabled where this is
    /// the first one that is false: what it reads, and what those before it read that might come to have no value. Nothing where
    /// nothing is known of the clause.
    pub fn reads(&mut self, firing: &Firing) -> Vec<BTreeSet<Access>> {
        let Some(guard) = &self.clauses[firing.transition.index()] else {
            return Vec::new();
        };
        let machine = &mut self.machine;
        let (mut found, mut partial) = (Vec::new(), BTreeSet::new());
        for condition in &guard.conditions {
            let reads = condition.reads.iter();
            let reads = reads.map(|code| code.evaluate(machine, (&guard.params, firing)));
            let reads: BTreeSet<Access> = reads.collect();
            found.push(reads.union(&partial).cloned().collect());
            if condition.is_partial {
                partial.extend(reads);
            }
        }
        found
    }

    /// Whether the steps by a clause with given parameters can have several results.
    #[must_use]
    pub fn has_choices(&self, transition: TransitionId) -> bool {
        self.choosing[transition.index()]
    }

    /// Says of which state it is asked next.
    pub fn look_at(&mut self, state: &State) {
        self.machine.store_mut(Store::Pre).clone_from(state);
    }

    /// The first condition that is false in the state looked at, if the clause is disabled for these parameters there. None where it
    /// is enabled, or a condition before that has no value.
    pub fn first_false(&mut self, firing: &Firing) -> Option<usize> {
        let guard = self.clauses[firing.transition.index()].as_ref()?;
        guard.bind(&mut self.machine, firing);
        for (position, condition) in guard.conditions.iter().enumerate() {
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
    /// None where the values of the parameters cannot be listed, or the conditions not be evaluated.
    fn of(instance: &Instance, automaton: AutomatonId, clause: &Transition) -> Option<Self> {
        let layout = instance.layout(automaton);
        let scope = instance.scope(of_step(layout), &clause.locals);
        let params = [clause.params.as_slice(), &clause.hidden].concat();
        let stated = conditions(clause);
        let (frame, (domains, words)) = compile::item(scope, |c| {
            let domain = |x| c.domain(x, Vec::new(), clause.span).0;
            let domains: Vec<Domain> = params.iter().copied().map(domain).collect();
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
            collector.reads
        };
        let conditions = words.into_iter().zip(&stated);
        let conditions = conditions.map(|((word, is_partial), condition)| Condition {
            word,
            reads: reads(condition),
            is_partial,
        });
        Some(Self {
            frame,
            own: clause.params.len(),
            codes: domains.iter().map(codes).collect::<Option<_>>()?,
            conditions: conditions.collect(),
            params,
        })
    }

    /// The valuation of the parameters with a number.
    fn firing(&self, transition: TransitionId, mut number: usize) -> Firing {
        let mut values: Vec<Cell> = Vec::new();
        for codes in &self.codes {
            values.push(Cell::Word(codes[number % codes.len()]));
            number /= codes.len();
        }
        let hidden = values.split_off(self.own);
        Firing {
            transition,
            params: values,
            hidden,
        }
    }

    fn bind(&self, machine: &mut Machine, firing: &Firing) {
        machine.enter(&self.frame);
        let values = firing.params.iter().chain(&firing.hidden);
        for (param, value) in self.params.iter().zip(values) {
            machine.bind(param.0, value.clone());
        }
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
