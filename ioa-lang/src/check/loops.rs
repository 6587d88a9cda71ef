//! Whether a `for` loop of an effect means the same in whatever order it takes its elements.
//!
//! Each variable that the body writes must be written in one of these ways only:
//! - *by element*: `a[..][x] := e`, an own element of an array (or entry of a map) for each value of the loop variable
//!   `x`;
//! - *growing*: `s := insert(e, s)`, `s := s \U e`, on sets and multisets;
//! - *shrinking*: `s := delete(e, s)`;
//! - *summing*: `n := n + e`.
//!
//! Everything else that the body reads must not be written by it, except the own element `a[..][x]`. Then the turns of
//! the loop commute: they write disjoint elements, or accumulate by an operation that commutes with itself. A body that
//! does not fit is refused even where it would happen to be harmless.

use std::collections::BTreeMap;

use crate::core::{
    Expr, ExprKind, LocalId, Op, Place, Projection, Range, StateRef, Stmt, StmtKind, Store,
    indices_of,
};
use crate::diagnostic::Diagnostic;
use crate::source::{Name, Span};

/// How a loop writes a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Each turn writes below its own index, which is at this position of the place's path.
    Element(usize),
    Grow,
    Shrink,
    Sum,
}

/// Why the order of the elements could matter.
pub(super) struct Dependence {
    /// The variable through which one turn could influence another.
    pub(super) variable: StateRef,
    written: Span,
    problem: Problem,
}

enum Problem {
    /// A turn writes the whole, or an element that another turn may write too.
    SharedWrite,
    /// Two statements write it in manners that do not commute.
    MixedWrites(Span),
    /// A term reads what other turns write.
    Read(Span),
}

impl Dependence {
    /// The diagnostic for the loop at `span`.
    pub(super) fn explain(&self, span: Span, variable: &Name) -> Diagnostic {
        let diagnostic = Diagnostic::error(
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

/// Refuses a loop whose turns need not commute.
pub(super) fn check(binder: LocalId, range: &Range, body: &[Stmt]) -> Result<(), Dependence> {
    let mut turn = Turn {
        binder,
        written: BTreeMap::new(),
    };
    turn.writes(body)?;
    if let Range::Where(predicate) = range {
        turn.reads(predicate)?;
    }
    turn.reads_of_statements(body)
}

/// What is known of one turn of the loop.
struct Turn {
    binder: LocalId,
    /// The variables that a turn writes, with the manner and a place where it does.
    written: BTreeMap<StateRef, (Manner, Span)>,
}

impl Turn {
    fn writes(&mut self, body: &[Stmt]) -> Result<(), Dependence> {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assign(place, value) => self.write(place, Some(value))?,
                StmtKind::Choose { place, .. } => self.write(place, None)?,
                StmtKind::If {
                    branches,
                    otherwise,
                } => {
                    for (_, body) in branches {
                        self.writes(body)?;
                    }
                    self.writes(otherwise)?;
                }
                StmtKind::For { body, .. } | StmtKind::While(_, body) => self.writes(body)?,
                StmtKind::Fire(_) => {}
            }
        }
        Ok(())
    }

    fn write(&mut self, place: &Place, value: Option<&Expr>) -> Result<(), Dependence> {
        let dependence = |problem, written| Dependence {
            variable: place.root,
            written,
            problem,
        };
        let own = place
            .path
            .iter()
            .position(|step| {
                matches!(step, Projection::Index(index) | Projection::Entry(index) if self.is_own(index))
            });
        let accumulation = || value.and_then(|value| accumulation(place, value));
        let manner = own
            .map(Manner::Element)
            .or_else(accumulation)
            .ok_or_else(|| dependence(Problem::SharedWrite, place.span))?;
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

    fn is_own(&self, index: &Expr) -> bool {
        index.kind == ExprKind::Local(self.binder)
    }

    fn reads_of_statements(&self, body: &[Stmt]) -> Result<(), Dependence> {
        body.iter().try_for_each(|stmt| match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.reads_of_indices(place)?;
                match (self.written.get(&place.root), &value.kind) {
                    // The accumulated value itself is read, and that is what the manner is about.
                    (Some((Manner::Grow | Manner::Shrink | Manner::Sum, _)), _) => {
                        increment(value).map_or(Ok(()), |e| self.reads(e))
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
        })
    }

    fn reads_of_indices(&self, place: &Place) -> Result<(), Dependence> {
        indices_of(place).try_for_each(|index| self.reads(index))
    }

    /// Refuses a term that reads what another turn may write.
    fn reads(&self, expr: &Expr) -> Result<(), Dependence> {
        let mut path = Vec::new();
        if let Some(root) = projection_of(expr, &mut path) {
            let own = match self.written.get(&root) {
                Some((Manner::Element(depth), _)) => path
                    .get(*depth)
                    .is_some_and(|step| step.is_some_and(|index| self.is_own(index))),
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

/// The variable of which `expr` is a part (`a`, `a[i]`, `a[i].f`), with the way to that part: an index, or nothing for a
/// field.
fn projection_of<'e>(expr: &'e Expr, path: &mut Vec<Option<&'e Expr>>) -> Option<StateRef> {
    match &expr.kind {
        ExprKind::State(root) if root.store != Store::Post => Some(*root),
        ExprKind::Apply(Op::Select | Op::Lookup, args) => {
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

/// The manner of `place := value` if it accumulates.
fn accumulation(place: &Place, value: &Expr) -> Option<Manner> {
    let ExprKind::Apply(op, args) = &value.kind else {
        return None;
    };
    let (manner, old) = match op {
        Op::Insert | Op::MsetInsert => (Manner::Grow, args.get(1)?),
        Op::Union | Op::MsetUnion => (Manner::Grow, args.first()?),
        Op::Delete | Op::MsetDelete => (Manner::Shrink, args.get(1)?),
        Op::Add => (Manner::Sum, args.first()?),
        _ => return None,
    };
    reads_place(old, place).then_some(manner)
}

/// What an accumulation adds or takes away.
fn increment(value: &Expr) -> Option<&Expr> {
    match &value.kind {
        ExprKind::Apply(Op::Insert | Op::MsetInsert | Op::Delete | Op::MsetDelete, args) => {
            args.first()
        }
        ExprKind::Apply(Op::Union | Op::MsetUnion | Op::Add, args) => args.get(1),
        _ => None,
    }
}

/// Whether a term reads exactly what the place writes.
fn reads_place(expr: &Expr, place: &Place) -> bool {
    let Some((last, before)) = place.path.split_last() else {
        return expr.kind == ExprKind::State(place.root);
    };
    let shorter = |inner: &Expr| {
        let place = Place {
            path: before.to_vec(),
            ..place.clone()
        };
        reads_place(inner, &place)
    };
    match (&expr.kind, last) {
        (ExprKind::Apply(Op::Select, args), Projection::Index(index))
        | (ExprKind::Apply(Op::Lookup, args), Projection::Entry(index)) => {
            same_text(&args[1], index) && shorter(&args[0])
        }
        (ExprKind::Apply(Op::Field(f), args), Projection::Field(g)) => f == g && shorter(&args[0]),
        _ => false,
    }
}

/// Whether two terms are the same but for where they stand.
fn same_text(a: &Expr, b: &Expr) -> bool {
    crate::core::fingerprint(a) == crate::core::fingerprint(b)
}
