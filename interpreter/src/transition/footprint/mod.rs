//! What a step can read and write: the basis of partial order reduction.
//!
//! A footprint is found from the text of a clause, so it holds in every state. It is an over-approximation: whatever is
//! not in it has no influence on whether the clause is enabled and on what it does (`reads`), or stays as it is
//! (`writes`). Where the text says which cell of a variable it means by a term over the parameters alone, as `a[p]`,
//! `m \in sent` or `a[p] := t` do, the cell is named, and so is a cell of a cell, as `a[p][q]`; elsewhere the variable is
//! taken as a whole.
//!
//! Footprints, like the relation, ignore the limits on how much work a step may do and how large a value may become. They
//! also ignore what determinators yield, since that does not affect which steps are possible.

mod access;
mod collect;
mod ends;
mod guards;
mod known;

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{Accumulation, AutomatonId, LocalId, TransitionId};

pub use self::access::Access;
use self::collect::{AccessCode, Collector, WriteCode};
use self::ends::{UseCode, ends, uses};
pub use self::guards::{Guards, Read};
pub use self::known::Known;
use crate::instance::Instance;
use crate::vm::Machine;

/// What the steps by a clause with given parameters can read and write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Everything that determines whether the clause is enabled, whether it has a result, and which one, but for the old
    /// values of what it only accumulates in.
    pub reads: BTreeSet<Access>,
    /// Everything that may be changed.
    pub writes: BTreeSet<Access>,
    /// What is changed in no other way than by accumulating in it, and in which manner. Two changes in the same manner
    /// commute, as `n := n + 1` and `n := n + 2` do, or the insertion of two messages into a multiset.
    pub accumulations: BTreeMap<Access, Accumulation>,
    /// The part of `reads` that determines whether there is a step with a given label: what the conditions read or, if the
    /// effect makes choices, all of `reads`.
    pub conditions: BTreeSet<Access>,
    /// The sequences of which nothing is used but the front, by a clause that is enabled only where they are not empty.
    pub takes: BTreeSet<Access>,
    /// The sequences that are used in no other way than by appending elements.
    pub appends: BTreeSet<Access>,
}

impl Footprint {
    /// Whether steps with these footprints, where both can be taken, lead to the same state in either order, and neither disables
    /// the other: they are independent, except that one may append to a sequence from which the other one takes.
    ///
    /// Unlike independent steps, the one may enable the other.
    #[must_use]
    pub fn is_in_accord_with(&self, other: &Self) -> bool {
        let by_ends = |one: &Access, other_one: &Access| {
            self.takes.contains(one) && other.appends.contains(other_one)
                || self.appends.contains(one) && other.takes.contains(other_one)
        };
        self.is_apart_from(other, &by_ends)
    }

    /// Whether steps with these footprints commute, and neither enables or disables the other: none of them writes what
    /// the other one reads or writes, unless both accumulate in it in the same manner.
    #[must_use]
    pub fn is_independent_of(&self, other: &Self) -> bool {
        self.is_apart_from(other, &|_, _| false)
    }

    /// The same, where what one of them and the other one access may be excused.
    fn is_apart_from(&self, other: &Self, excused: &dyn Fn(&Access, &Access) -> bool) -> bool {
        let commute = |mine: &Access, theirs: &Access| {
            let manner = self.accumulations.get(mine);
            manner.is_some() && manner == other.accumulations.get(theirs)
        };
        let apart = |mine: &BTreeSet<Access>, theirs: &BTreeSet<Access>, both_write: bool| {
            mine.iter().all(|mine| {
                theirs.iter().all(|theirs| {
                    !mine.overlaps(theirs)
                        || excused(mine, theirs)
                        || both_write && commute(mine, theirs)
                })
            })
        };
        apart(&self.writes, &other.reads, false)
            && apart(&self.reads, &other.writes, false)
            && apart(&self.writes, &other.writes, true)
    }
}

/// The footprints of an automaton's clauses, each found when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    clauses: Vec<Option<FootprintCode>>,
}

impl Footprints {
    /// The footprint of a clause with these parameters, as far as they are known.
    pub(crate) fn of(
        &mut self,
        instance: &Instance,
        automaton: AutomatonId,
        known: &Known,
    ) -> Footprint {
        let at = known.transition.index();
        if self.clauses.len() <= at {
            self.clauses.resize_with(at + 1, || None);
        }
        let code = self.clauses[at]
            .get_or_insert_with(|| FootprintCode::of(instance, automaton, known.transition));
        code.evaluate(instance, known)
    }
}

/// A footprint whose cells are terms over the parameters of the clause.
#[derive(Debug)]
struct FootprintCode {
    /// The slots of the parameters, the action's first.
    params: Vec<LocalId>,
    reads: Vec<AccessCode>,
    writes: Vec<WriteCode>,
    /// The number of reads, from the first on, that determine whether there is a step with a given label.
    conditions: usize,
    uses: Vec<UseCode>,
}

impl FootprintCode {
    fn of(instance: &Instance, automaton: AutomatonId, transition: TransitionId) -> Self {
        let clause = &instance.model().automaton(automaton).transitions[transition.index()];
        let mut collector = Collector::new(instance, automaton, clause);
        let conditions = collector.clause(clause);
        Self {
            uses: uses(&collector, clause),
            params: collector.params,
            reads: collector.reads,
            writes: collector.writes,
            conditions,
        }
    }

    fn evaluate(&self, instance: &Instance, known: &Known) -> Footprint {
        let mut machine = Machine::new(0, instance.range_overflows());
        let mut access = |code: &AccessCode| code.evaluate(&mut machine, (&self.params, known));
        let (conditions, others) = self.reads.split_at(self.conditions);
        let conditions: BTreeSet<Access> = conditions.iter().map(&mut access).collect();
        let others = others.iter().map(&mut access);
        let reads = conditions.iter().cloned().chain(others).collect();
        let writes = self.writes.iter();
        let writes: Vec<(Access, Option<Accumulation>)> = writes
            .map(|write| {
                let access = access(&write.access);
                let manner = write.manner_in(&access);
                (access, manner)
            })
            .collect();
        let used: Vec<Access> = self.uses.iter().map(|used| access(&used.access)).collect();
        let (takes, appends) = ends(&self.uses, &used);
        Footprint {
            takes,
            appends,
            reads,
            accumulations: accumulations(&writes),
            writes: writes.into_iter().map(|(access, _)| access).collect(),
            conditions,
        }
    }
}

/// What some writes change in one manner of accumulating, and in no other way.
fn accumulations(writes: &[(Access, Option<Accumulation>)]) -> BTreeMap<Access, Accumulation> {
    let only = |access: &Access, manner: Accumulation| {
        let mut overlapping = writes.iter().filter(|(other, _)| other.overlaps(access));
        overlapping.all(|(_, other)| *other == Some(manner))
    };
    let manners = writes
        .iter()
        .filter_map(|(access, manner)| Some((access, (*manner)?)));
    let pure = manners.filter(|(access, manner)| only(access, *manner));
    pure.map(|(access, manner)| (access.clone(), manner))
        .collect()
}
