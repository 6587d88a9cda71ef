//! Checks that the result of a `for` loop in an effect does not depend on the order of its elements.
//!
//! Each variable that the body writes must be written in one of these ways only:
//! - *by element*: `a[..][x] := e`, an own element of an array (or entry of a map) for each value of the loop variable
//!   `x`;
//! - *growing*: `s := insert(e, s)`, `s := s \U e`, on sets and multisets;
//! - *shrinking*: `s := delete(e, s)`;
//! - *summing*: `n := n + e`.
//!
//! Everything else that the body reads must not be written by it, except the own element `a[..][x]`. Then the iterations of
//! the loop commute: they write disjoint elements, or accumulate by an operation that commutes with itself. A body of
//! another form is refused, even if it happens to be harmless.

use std::collections::BTreeMap;

use crate::core::{
    Expr, ExprKind, LocalId, Manner, Op, Place, Range, StateRef, Stmt, StmtKind, Store, each_stmt,
    indices_of,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};

/// Why the order of the elements could matter.
pub(in crate::check) struct Dependence {
    /// The variable through which one iteration could influence another.
    pub(in crate::check) variable: StateRef,
    written: Span,
    problem: Problem,
}

enum Problem {
    /// An iteration writes the whole, or an element that another iteration may also write.
    SharedWrite,
    /// Two statements write it in manners that do not commute.
    MixedWrites(Span),
    /// A term reads what other iterations write.
    Read(Span),
}

impl Dependence {
    /// The diagnostic for the loop at `span`.
    pub(in crate::check) fn explain(&self, span: Span, variable: &Name) -> Diagnostic {
        let diagnostic = Diagnostic::error(
            Code::OrderMatters,
            span,
            "what this loop does could depend on the order of its elements",
        );
        let diagnostic = match self.problem {
            Problem::SharedWrite => diagnostic.related(
                self.written,
                format!("different turns may write the same part of `{variable}`"),
            ),
            Problem::MixedWrites(other) => diagnostic
                .related(self.written, format!("`{variable}` is written in one way"))
                .related(
                    other,
                    "and in another way here, which does not commute with it",
                ),
            Problem::Read(read) => diagnostic
                .related(self.written, format!("`{variable}` is written here"))
                .related(read, "and read here, where other turns may have changed it"),
        };
        diagnostic.help(
            "a loop may write `a[x]` at its own `x`, and accumulate by `insert`, `delete`, `\\U` or `+` with terms that read nothing else the loop writes",
        )
    }
}

/// Refuses a loop whose iterations need not commute.
pub(in crate::check) fn check(
    binder: LocalId,
    range: &Range,
    body: &[Stmt],
) -> Result<(), Dependence> {
    let mut iteration = Iteration {
        binder,
        written: BTreeMap::new(),
    };
    each_stmt(body, &mut |stmt| iteration.write(stmt))?;
    if let Range::Where(predicate) = range {
        iteration.reads(predicate)?;
    }
    iteration.reads_of_statements(body)
}

/// The reads and writes of one iteration of the loop.
struct Iteration {
    binder: LocalId,
    /// The variables that an iteration writes, with the manner and a place of the write.
    written: BTreeMap<StateRef, (Manner, Span)>,
}

impl Iteration {
    fn write(&mut self, stmt: &Stmt) -> Result<(), Dependence> {
        let Some((place, manner)) = stmt.write_in_loop(self.binder) else {
            return Ok(());
        };
        let dependence = |problem, written| Dependence {
            variable: place.root,
            written,
            problem,
        };
        let manner = manner.ok_or_else(|| dependence(Problem::SharedWrite, place.span))?;
        match self.written.get(&place.root) {
            Some((other, first)) if *other != manner => {
                Err(dependence(Problem::MixedWrites(place.span), *first))
            }
            Some(_) => Ok(()),
            None => {
                self.written.insert(place.root, (manner, place.span));
                Ok(())
            }
        }
    }

    fn reads_of_statements(&self, body: &[Stmt]) -> Result<(), Dependence> {
        body.iter().try_for_each(|stmt| match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.reads_of_indices(place)?;
                match self.written.get(&place.root) {
                    // The accumulated value itself is read, and that is what the manner is about.
                    Some((Manner::Accumulate(_), _)) => {
                        let by = value.accumulates(place);
                        by.map_or(Ok(()), |(_, by)| self.reads(by))
                    }
                    _ => self.reads(value),
                }
            }
            StmtKind::Choose {
                place, predicate, ..
            } => {
                self.reads_of_indices(place)?;
                self.reads(predicate)
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    self.reads(condition)?;
                    self.reads_of_statements(body)?;
                }
                self.reads_of_statements(otherwise)
            }
            StmtKind::For { range, body, .. } => {
                let (Range::In(expr) | Range::Where(expr)) = range;
                self.reads(expr)?;
                self.reads_of_statements(body)
            }
            StmtKind::While(condition, body) => {
                self.reads(condition)?;
                self.reads_of_statements(body)
            }
            StmtKind::Fire(fire) => fire
                .args
                .iter()
                .chain(&fire.using)
                .try_for_each(|e| self.reads(e)),
            StmtKind::FireAny(_) => Ok(()),
        })
    }

    fn reads_of_indices(&self, place: &Place) -> Result<(), Dependence> {
        indices_of(place).try_for_each(|index| self.reads(index))
    }

    /// Refuses a term that reads what another iteration may write.
    fn reads(&self, expr: &Expr) -> Result<(), Dependence> {
        let mut path = Vec::new();
        if let Some(root) = projection_of(expr, &mut path) {
            let own = match self.written.get(&root) {
                Some((Manner::Element(depth), _)) => path
                    .get(*depth)
                    .is_some_and(|step| step.is_some_and(|index| index.is_local(self.binder))),
                Some(_) => false,
                None => true,
            };
            if !own {
                return Err(Dependence {
                    variable: root,
                    written: self.written[&root].1,
                    problem: Problem::Read(expr.span),
                });
            }
            return path
                .into_iter()
                .flatten()
                .try_for_each(|index| self.reads(index));
        }
        expr.children().try_for_each(|child| self.reads(child))
    }
}

/// The variable of which `expr` is a part (`a`, `a[i]`, `a[i].f`) or about which it asks (`defined(a, i)`), with the way to that part: an index, or nothing for a
/// field.
fn projection_of<'e>(expr: &'e Expr, path: &mut Vec<Option<&'e Expr>>) -> Option<StateRef> {
    match &expr.kind {
        ExprKind::State(root) if root.store != Store::Post => Some(*root),
        // Whether an entry is there is a part of the entry.
        ExprKind::Apply(Op::Select | Op::Lookup | Op::Defined, args) => {
            let root = projection_of(&args[0], path)?;
            path.push(Some(&args[1]));
            Some(root)
        }
        ExprKind::Apply(Op::Field(_), args) => {
            let root = projection_of(&args[0], path)?;
            path.push(None);
            Some(root)
        }
        _ => None,
    }
}
