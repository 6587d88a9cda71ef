//! What a clause reads and writes, as terms over its parameters.

use std::sync::Arc;

use ioa_lang::core::{
    Accumulation, AutomatonId, Expr, ExprKind, Local, LocalId, Op, Place, Projection, Range, Stmt,
    StmtKind, Store, Transition, Type, VarId,
};

use super::access::Access;
use super::known::Known;
use crate::code::{Frame, Term};
use crate::compile;
use crate::compile::of_step;
use crate::instance::Instance;
use crate::instance::automaton::conditions;
use crate::state::cell::Shape;
use crate::transition::reads::{each_read, has_choices};
use crate::vm::Machine;

#[derive(Clone, Debug)]
pub(super) struct AccessCode {
    variable: VarId,
    /// What determines the cell: its indices.
    cell: Vec<Index>,
}

#[derive(Debug)]
pub(super) struct WriteCode {
    pub(super) access: AccessCode,
    /// In which manner it accumulates, if it does.
    manner: Option<Accumulation>,
    /// The same where it is not known which cell is written.
    manner_of_some: Option<Accumulation>,
}

impl WriteCode {
    /// In which manner it accumulates, given what it writes.
    pub(super) fn manner_in(&self, access: &Access) -> Option<Accumulation> {
        match self.access.names(access) {
            true => self.manner,
            false => self.manner_of_some,
        }
    }
}

/// A term over the parameters that is an index.
#[derive(Clone, Debug)]
struct Index {
    /// The parameters that it reads, by their positions.
    reads: Vec<usize>,
    frame: Frame,
    term: Term,
    shape: Arc<Shape>,
}

/// Visits a clause, and records what it reads and writes.
pub(super) struct Collector<'c> {
    instance: &'c Instance,
    automaton: AutomatonId,
    pub(super) params: Vec<LocalId>,
    locals: &'c [Local],
    pub(super) reads: Vec<AccessCode>,
    pub(super) writes: Vec<WriteCode>,
}

impl<'c> Collector<'c> {
    /// Nothing of a clause has been visited yet.
    pub(super) fn new(
        instance: &'c Instance,
        automaton: AutomatonId,
        clause: &'c Transition,
    ) -> Self {
        Self {
            instance,
            automaton,
            params: [clause.params.as_slice(), &clause.hidden].concat(),
            locals: &clause.locals,
            reads: Vec::new(),
            writes: Vec::new(),
        }
    }

    /// Visits a clause, and returns how many of the reads are those of [`Footprint::conditions`](super::Footprint::conditions).
    pub(super) fn clause(&mut self, clause: &Transition) -> usize {
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
    pub(super) fn read(&mut self, expr: &Expr) {
        each_read(expr, &mut |variable, indices| {
            self.reads.push(self.indexed(variable, indices));
        });
    }

    /// The cell of a variable at some indices, as far as these have the same values in all states.
    pub(super) fn indexed(&self, variable: VarId, indices: &[&Expr]) -> AccessCode {
        let cell = indices.iter().map_while(|index| self.index(index));
        AccessCode {
            variable,
            cell: cell.collect(),
        }
    }

    /// An index that has the same value in all states.
    fn index(&self, index: &Expr) -> Option<Index> {
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
        Some(Index {
            reads: read_by(index, &self.params),
            frame,
            term,
            shape,
        })
    }

    /// Whether the parameters determine a term.
    fn is_settled(&self, expr: &Expr) -> bool {
        let here = match &expr.kind {
            ExprKind::State(_) | ExprKind::Random(..) => false,
            ExprKind::Local(local) => self.params.contains(local),
            _ => expr.binders().is_empty(),
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

    /// An assignment. `s := insert(x, s)` and `s := delete(x, s)` write no more than whether, or how often, x is in s, which may be an
    /// element of an array.
    fn assign(&mut self, place: &Place, value: &Expr) {
        if let ExprKind::Apply(op, args) = &value.kind
            && let Op::Insert | Op::Delete | Op::MsetInsert | Op::MsetDelete = op
            && let [element, collection] = &args[..]
            && is_itself(collection, place)
            && let mut indices = indices(place)
            && let () = indices.push(element)
            && let cell = self.indexed(place.root.var, &indices)
            && cell.depth() == indices.len()
        {
            // Whether an element is in a set afterwards does not depend on whether it was; how often it is in a multiset does.
            let manner = value.accumulates(place).map(|(manner, _)| manner);
            let counts = matches!(collection.ty, Type::Mset(_));
            let write = cell.changed(manner.filter(|_| counts));
            self.writes.push(WriteCode {
                manner_of_some: manner,
                ..write
            });
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
    pub(super) fn written(&self, place: &Place) -> (AccessCode, bool) {
        debug_assert_eq!(place.root.store, Store::Pre, "effects write the one state");
        let variable = place.root.var;
        let cell = self.indexed(variable, &indices(place));
        let is_part = place.path.len() > cell.depth();
        (cell, is_part)
    }

    fn read_indices(&mut self, place: &Place) {
        for projection in &place.path {
            if let Projection::Index(index) | Projection::Entry(index) = projection {
                self.read(index);
            }
        }
    }
}

/// The parameters that a term reads, by their positions.
pub(super) fn read_by(term: &Expr, params: &[LocalId]) -> Vec<usize> {
    let mut found = Vec::new();
    term.walk(&mut |part| {
        if let ExprKind::Local(local) = part.kind {
            found.extend(params.iter().position(|param| *param == local));
        }
    });
    found
}

/// Whether a term is what a place names: a variable, or an element of an array in one.
pub(super) fn is_itself(term: &Expr, place: &Place) -> bool {
    let mut here = term;
    for projection in place.path.iter().rev() {
        match (&here.kind, projection) {
            (ExprKind::Apply(Op::Select, args), Projection::Index(index)) if args[1] == *index => {
                here = &args[0];
            }
            _ => return false,
        }
    }
    here.kind == ExprKind::State(place.root)
}

/// The indices of the cell that a place names or is a part of: those of arrays, and the last may be the key of a map.
fn indices(place: &Place) -> Vec<&Expr> {
    let mut found = Vec::new();
    for projection in &place.path {
        match projection {
            Projection::Index(index) => found.push(index),
            Projection::Entry(key) => {
                found.push(key);
                break;
            }
            Projection::Field(_) => break,
        }
    }
    found
}

impl AccessCode {
    /// What is accessed where the parameters have these values; any cell, where its index is not known.
    pub(super) fn evaluate(
        &self,
        machine: &mut Machine,
        (params, known): (&[LocalId], &Known),
    ) -> Access {
        let indices = self.cell.iter();
        let indices = indices.take_while(|index| known.has_all(&index.reads));
        let cell = indices.map_while(|index| {
            machine.enter(&index.frame);
            known.bind(machine, params);
            // A term without a value may denote any cell.
            let cell = machine.term(&index.term).ok()?;
            Some(index.shape.decode(&cell))
        });
        Access {
            variable: self.variable,
            cell: cell.collect(),
        }
    }

    /// All of a variable.
    pub(super) fn whole(variable: VarId) -> Self {
        let cell = Vec::new();
        Self { variable, cell }
    }

    /// Whether an access is that of one cell, or of a whole variable, and not of any one of several cells.
    pub(super) fn names(&self, access: &Access) -> bool {
        access.cell.len() == self.depth()
    }

    /// How many indices it has.
    pub(super) fn depth(&self) -> usize {
        self.cell.len()
    }

    /// A change of it, by accumulating in a manner or in another way.
    fn changed(self, manner: Option<Accumulation>) -> WriteCode {
        WriteCode {
            access: self,
            manner,
            manner_of_some: manner,
        }
    }
}
