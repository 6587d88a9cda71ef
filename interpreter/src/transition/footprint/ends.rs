//! Which sequences a clause uses at one end only: it takes from the front, or appends at the back.
//!
//! While a sequence is not empty, taking its first element and appending another one lead to the same state in either order,
//! although both read and write it.

use std::collections::BTreeSet;

use ioa_lang::core::{Expr, ExprKind, Op, Place, Projection, Range, Stmt, StmtKind, Transition};

use super::access::Access;
use super::collect::{AccessCode, Collector, is_itself};
use crate::instance::automaton::conditions;
use crate::transition::reads::cell;

/// A use of a variable or of a cell, in the order of the text.
#[derive(Debug)]
pub(super) struct UseCode {
    pub(super) access: AccessCode,
    how: Use,
}

/// How it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// A condition says that it is not empty.
    NotEmpty,
    /// Its first element is read.
    Head,
    /// It becomes its own tail, once.
    Tail,
    /// An element is appended.
    Append,
    Other,
}

/// The accesses among some uses, as evaluated, that are at the front of one sequence only, and those that are at the back only.
pub(super) fn ends(uses: &[UseCode], accesses: &[Access]) -> (BTreeSet<Access>, BTreeSet<Access>) {
    let all = || uses.iter().map(|used| used.how).zip(accesses);
    let of = |access: &Access| -> Vec<Use> {
        let overlapping = all().filter(|(_, other)| other.overlaps(access));
        overlapping.map(|(how, _)| how).collect()
    };
    let takes = all().filter(|(how, access)| {
        let uses = of(access);
        let mut tails = uses.iter().skip_while(|how| **how != Use::Tail).skip(1);
        let at_front = |how: &Use| matches!(how, Use::NotEmpty | Use::Head | Use::Tail);
        *how == Use::NotEmpty && uses.iter().all(at_front) && tails.next().is_none()
    });
    // Where it is not known which sequence it is, another one may be empty.
    let named = uses.iter().zip(accesses);
    let named = named.filter(|(used, access)| used.access.names(access));
    let named: BTreeSet<&Access> = named.map(|(_, access)| access).collect();
    let takes = takes.filter(|(_, access)| named.contains(access));
    let appends = all().filter(|(how, access)| {
        let is_append = |how: &Use| *how == Use::Append;
        is_append(how) && of(access).iter().all(is_append)
    });
    let accesses = |found: &(Use, &Access)| found.1.clone();
    (
        takes.map(|found| accesses(&found)).collect(),
        appends.map(|found| accesses(&found)).collect(),
    )
}

/// What a clause uses, and how.
pub(super) fn uses(collector: &Collector<'_>, clause: &Transition) -> Vec<UseCode> {
    let mut finder = Finder {
        collector,
        found: Vec::new(),
    };
    for condition in conditions(clause) {
        finder.condition(condition);
    }
    finder.block(&clause.effect, true);
    finder.term(&clause.ensuring);
    for variable in &clause.unconstrained {
        finder.note(AccessCode::whole(*variable), Use::Other);
    }
    finder.found
}

/// What a condition of a clause uses, and how.
pub(super) fn uses_of_condition(collector: &Collector<'_>, condition: &Expr) -> Vec<UseCode> {
    let mut finder = Finder {
        collector,
        found: Vec::new(),
    };
    finder.condition(condition);
    finder.found
}

impl UseCode {
    /// Whether a condition says that a sequence is not empty.
    pub(super) fn is_not_empty(&self) -> bool {
        self.how == Use::NotEmpty
    }

    /// Whether an element appended to a sequence that is not empty makes no difference.
    pub(super) fn is_at_front(&self) -> bool {
        matches!(self.how, Use::NotEmpty | Use::Head)
    }
}

struct Finder<'f, 'c> {
    collector: &'f Collector<'c>,
    found: Vec<UseCode>,
}

impl Finder<'_, '_> {
    fn note(&mut self, access: AccessCode, how: Use) {
        self.found.push(UseCode { access, how });
    }

    fn condition(&mut self, condition: &Expr) {
        if let ExprKind::Apply(Op::Not, args) = &condition.kind
            && let ExprKind::Apply(Op::Eq, sides) = &args[0].kind
            && sides[1].kind == ExprKind::Apply(Op::EmptySeq, Vec::new())
            && self.sequence(&sides[0], Use::NotEmpty)
        {
            return;
        }
        self.term(condition);
    }

    fn term(&mut self, term: &Expr) {
        if let ExprKind::Apply(Op::Head, args) = &term.kind
            && self.sequence(&args[0], Use::Head)
        {
            return;
        }
        if !self.sequence(term, Use::Other) {
            term.children().for_each(|child| self.term(child));
        }
    }

    /// Notes the use of a term that is a variable or a cell of one; whether it is.
    fn sequence(&mut self, term: &Expr, how: Use) -> bool {
        if let ExprKind::State(state) = &term.kind {
            self.note(AccessCode::whole(state.var), how);
            return true;
        }
        let Some((variable, indices)) = cell(term) else {
            return false;
        };
        let access = self.collector.indexed(variable, &indices);
        let is_named = access.depth() == indices.len()
            && matches!(&term.kind, ExprKind::Apply(Op::Select | Op::Lookup, _));
        self.note(access, if is_named { how } else { Use::Other });
        indices.iter().for_each(|index| self.term(index));
        true
    }

    fn block(&mut self, statements: &[Stmt], is_outermost: bool) {
        for statement in statements {
            self.statement(statement, is_outermost);
        }
    }

    fn statement(&mut self, statement: &Stmt, is_outermost: bool) {
        match &statement.kind {
            StmtKind::Assign(place, value) => self.assign(place, value, is_outermost),
            StmtKind::Choose {
                place, predicate, ..
            } => {
                self.term(predicate);
                self.place(place);
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    self.term(condition);
                    self.block(body, false);
                }
                self.block(otherwise, false);
            }
            StmtKind::For { range, body, .. } => {
                match range {
                    Range::In(values) | Range::Where(values) => self.term(values),
                }
                self.block(body, false);
            }
            StmtKind::While(condition, body) => {
                self.term(condition);
                self.block(body, false);
            }
            StmtKind::Fire(_) | StmtKind::FireAny(_) => {
                unreachable!("the front end lets only schedules and proof blocks fire")
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr, is_outermost: bool) {
        if let ExprKind::Apply(op @ (Op::Tail | Op::Append), args) = &value.kind
            && is_itself(&args[0], place)
        {
            let how = match op {
                Op::Append => Use::Append,
                _ if is_outermost => Use::Tail,
                _ => Use::Other,
            };
            args[1..].iter().for_each(|element| self.term(element));
            self.sequence(&args[0], how);
            return;
        }
        self.term(value);
        self.place(place);
    }

    /// Notes that something of a place is changed in another way.
    fn place(&mut self, place: &Place) {
        self.note(self.collector.written(place).0, Use::Other);
        for projection in &place.path {
            if let Projection::Index(index) | Projection::Entry(index) = projection {
                self.term(index);
            }
        }
    }
}
