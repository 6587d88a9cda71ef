//! What a step can read and write: the basis of partial order reduction.
//!
//! A footprint is found from the text of a clause, so it holds in every state. It is an over-approximation: whatever is
//! not in it has no influence on whether the clause is enabled and on what it does (`reads`), or stays as it is
//! (`writes`). Where the text says which cell of a variable it means by a term over the parameters alone, as `a[p]`,
//! `m \in sent` or `a[p] := t` do, the cell is named; elsewhere the variable is taken as a whole.
//!
//! Footprints, like the relation, ignore the limits on how much work a step may do and how large a value may become. They
//! also ignore what determinators yield, since that does not affect which steps are possible.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ioa_lang::Value;
use ioa_lang::core::{
    Accumulation, AutomatonId, Expr, ExprKind, Local, LocalId, Op, Place, Projection, Range, Stmt,
    StmtKind, Store, Transition, TransitionId, Type, VarId,
};

use super::label::Firing;
use super::reads::{each_read, has_choices};
use crate::code::{Frame, Term};
use crate::compile;
use crate::compile::of_step;
use crate::instance::Instance;
use crate::instance::automaton::conditions;
use crate::state::cell::Shape;
use crate::vm::Machine;

/// A variable, or a cell of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// The variable.
    pub variable: VarId,
    /// The cell, by its index: what stands at an index of an array, what a map has for a key, whether an element is in a
    /// set, how often it is in a multiset. None for all of the variable.
    pub cell: Option<Value>,
}

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
}

impl Access {
    /// Whether the two overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.variable == other.variable && self.may_have_index_of(other)
    }

    /// Whether both may have the same index, possibly in different variables.
    pub(super) fn may_have_index_of(&self, other: &Self) -> bool {
        let cells = self.cell.as_ref().zip(other.cell.as_ref());
        cells.is_none_or(|(mine, theirs)| mine == theirs)
    }
}

impl Footprint {
    /// Whether steps with these footprints commute, and neither enables or disables the other: none of them writes what
    /// the other one reads or writes, unless both accumulate in it in the same manner.
    #[must_use]
    pub fn is_independent_of(&self, other: &Self) -> bool {
        let apart = |writes: &BTreeSet<Access>, reads: &BTreeSet<Access>| {
            writes.iter().all(|w| reads.iter().all(|r| !w.overlaps(r)))
        };
        let commute = |mine: &Access, theirs: &Access| {
            let manner = self.accumulations.get(mine);
            !mine.overlaps(theirs)
                || (manner.is_some() && manner == other.accumulations.get(theirs))
        };
        let mut mine = self.writes.iter();
        apart(&self.writes, &other.reads)
            && apart(&other.writes, &self.reads)
            && mine.all(|mine| other.writes.iter().all(|theirs| commute(mine, theirs)))
    }
}

/// The footprints of an automaton's clauses, each found when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    clauses: Vec<Option<FootprintCode>>,
}

impl Footprints {
    /// The footprint of a clause with these parameters.
    pub(crate) fn of(
        &mut self,
        instance: &Instance,
        automaton: AutomatonId,
        firing: &Firing,
    ) -> Footprint {
        let at = firing.transition.index();
        if self.clauses.len() <= at {
            self.clauses.resize_with(at + 1, || None);
        }
        let code = self.clauses[at]
            .get_or_insert_with(|| FootprintCode::of(instance, automaton, firing.transition));
        code.evaluate(instance, firing)
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
}

#[derive(Clone, Debug)]
struct AccessCode {
    variable: VarId,
    cell: Option<Index>,
}

#[derive(Debug)]
struct WriteCode {
    access: AccessCode,
    /// In which manner it accumulates, if it does.
    manner: Option<Accumulation>,
}

/// A term over the parameters that determines the cell.
#[derive(Clone, Debug)]
struct Index {
    frame: Frame,
    term: Term,
    shape: Arc<Shape>,
}

impl FootprintCode {
    fn of(instance: &Instance, automaton: AutomatonId, transition: TransitionId) -> Self {
        let clause = &instance.model().automaton(automaton).transitions[transition.index()];
        let mut collector = Collector {
            instance,
            automaton,
            params: [clause.params.as_slice(), &clause.hidden].concat(),
            locals: &clause.locals,
            reads: Vec::new(),
            writes: Vec::new(),
        };
        let conditions = collector.clause(clause);
        Self {
            params: collector.params,
            reads: collector.reads,
            writes: collector.writes,
            conditions,
        }
    }

    fn evaluate(&self, instance: &Instance, firing: &Firing) -> Footprint {
        let mut machine = Machine::new(0, instance.range_overflows());
        let values = || firing.params.iter().chain(&firing.hidden);
        let mut access = |code: &AccessCode| Access {
            variable: code.variable,
            cell: code.cell.as_ref().and_then(|index| {
                machine.enter(&index.frame);
                for (param, value) in self.params.iter().zip(values()) {
                    machine.bind(param.0, value.clone());
                }
                // A term without a value may denote any cell.
                let cell = machine.term(&index.term).ok()?;
                Some(index.shape.decode(&cell))
            }),
        };
        let (conditions, others) = self.reads.split_at(self.conditions);
        let conditions: BTreeSet<Access> = conditions.iter().map(&mut access).collect();
        let others = others.iter().map(&mut access);
        let reads = conditions.iter().cloned().chain(others).collect();
        let writes = self.writes.iter();
        let writes: Vec<(Access, Option<Accumulation>)> = writes
            .map(|write| (access(&write.access), write.manner))
            .collect();
        Footprint {
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

/// Visits a clause, and records what it reads and writes.
struct Collector<'c> {
    instance: &'c Instance,
    automaton: AutomatonId,
    params: Vec<LocalId>,
    locals: &'c [Local],
    reads: Vec<AccessCode>,
    writes: Vec<WriteCode>,
}

impl Collector<'_> {
    /// Visits a clause, and returns how many of the reads are those of [`Footprint::conditions`].
    fn clause(&mut self, clause: &Transition) -> usize {
        for condition in conditions(clause) {
            self.read(condition);
        }
        let before_effect = self.reads.len();
        self.block(&clause.effect);
        self.read(&clause.ensuring);
        for variable in &clause.unconstrained {
            self.writes.push(AccessCode::whole(*variable).changed(None));
        }
        match has_choices(clause) {
            true => self.reads.len(),
            false => before_effect,
        }
    }

    /// Records what a term reads. The state after the effect is treated like the state before: what the effect does not
    /// write is the same in both, and what it writes depends on what it reads.
    fn read(&mut self, expr: &Expr) {
        each_read(expr, &mut |variable, index| {
            let cell = index.and_then(|index| self.indexed(variable, index));
            self.reads
                .push(cell.unwrap_or_else(|| AccessCode::whole(variable)));
        });
    }

    /// The cell of a variable at an index that has the same value in all states.
    fn indexed(&self, variable: VarId, index: &Expr) -> Option<AccessCode> {
        if !self.is_settled(index) {
            return None;
        }
        let layout = self.instance.layout(self.automaton);
        let scope = self.instance.scope(of_step(layout), self.locals);
        let (frame, term) = compile::item(scope, |c| c.term(index)).ok()?;
        let (model, universe) = (self.instance.model(), self.instance.universe());
        let shape = match &term {
            Term::Word(_) => Shape::of(model, universe, &index.ty),
            Term::Limbs(_) | Term::General(_) => Shape::part(model, universe, &index.ty),
        };
        let cell = Some(Index { frame, term, shape });
        Some(AccessCode { variable, cell })
    }

    /// Whether the parameters determine a term.
    fn is_settled(&self, expr: &Expr) -> bool {
        let here = match &expr.kind {
            ExprKind::State(_)
            | ExprKind::Random(..)
            | ExprKind::Quantified(..)
            | ExprKind::Comprehension(..) => false,
            ExprKind::Local(local) => self.params.contains(local),
            _ => true,
        };
        here && expr.children().all(|child| self.is_settled(child))
    }

    fn block(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::Choose {
                place, predicate, ..
            } => {
                self.read(predicate);
                self.write(place);
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    self.read(condition);
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::For { range, body, .. } => {
                match range {
                    Range::In(values) | Range::Where(values) => self.read(values),
                }
                self.block(body);
            }
            StmtKind::While(condition, body) => {
                self.read(condition);
                self.block(body);
            }
            StmtKind::Fire(_) | StmtKind::FireAny(_) => {
                unreachable!("the front end lets only schedules and proof blocks fire")
            }
        }
    }

    /// An assignment. `s := insert(x, s)` and `s := delete(x, s)` write no more than whether, or how often, x is in s.
    fn assign(&mut self, place: &Place, value: &Expr) {
        if let ExprKind::Apply(op, args) = &value.kind
            && let Op::Insert | Op::Delete | Op::MsetInsert | Op::MsetDelete = op
            && let [element, collection] = &args[..]
            && place.path.is_empty()
            && collection.kind == ExprKind::State(place.root)
            && let Some(cell) = self.indexed(place.root.var, element)
        {
            // Whether an element is in a set afterwards does not depend on whether it was; how often it is in a multiset does.
            let manner = value.accumulates(place).map(|(manner, _)| manner);
            let counts = matches!(collection.ty, Type::Mset(_));
            self.writes.push(cell.changed(manner.filter(|_| counts)));
            return;
        }
        match value.accumulates(place) {
            // Numbers of one type: whether the sum has it too does not depend on the old value.
            Some((manner, by)) if manner != Accumulation::Sum || by.ty == value.ty => {
                self.read(by);
                let (cell, _) = self.written(place);
                self.writes.push(cell.changed(Some(manner)));
                self.read_indices(place);
            }
            _ => {
                self.read(value);
                self.write(place);
            }
        }
    }

    /// Records what an assignment to a place writes. A variable of which only a part is written is also read.
    fn write(&mut self, place: &Place) {
        let (written, is_part) = self.written(place);
        if is_part {
            self.reads.push(written.clone());
        }
        self.writes.push(written.changed(None));
        self.read_indices(place);
    }

    /// What an assignment to a place writes, and whether it changes a part of that only.
    fn written(&self, place: &Place) -> (AccessCode, bool) {
        debug_assert_eq!(place.root.store, Store::Pre, "effects write the one state");
        let variable = place.root.var;
        let cell = match place.path.first() {
            Some(Projection::Index(index) | Projection::Entry(index)) => {
                self.indexed(variable, index)
            }
            Some(Projection::Field(_)) | None => None,
        };
        let is_part = place.path.len() > usize::from(cell.is_some());
        (cell.unwrap_or_else(|| AccessCode::whole(variable)), is_part)
    }

    fn read_indices(&mut self, place: &Place) {
        for projection in &place.path {
            if let Projection::Index(index) | Projection::Entry(index) = projection {
                self.read(index);
            }
        }
    }
}

impl AccessCode {
    /// All of a variable.
    fn whole(variable: VarId) -> Self {
        let cell = None;
        Self { variable, cell }
    }

    /// A change of it, by accumulating in a manner or in another way.
    fn changed(self, manner: Option<Accumulation>) -> WriteCode {
        WriteCode {
            access: self,
            manner,
        }
    }
}
