//! What the body of a `for` loop writes, and how its turns together change it, as its text tells.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Place, Projection, StateRef, Stmt, StmtKind};

use super::{AtSpan, Encoded, outside};

/// How the turns of a loop together change a variable.
pub(super) enum Write<'a> {
    /// Below this path, each turn writes the array's element at its own index.
    Own(&'a [Projection]),
    /// All turns contribute to one value.
    Accumulate(Manner),
}

/// How turns contribute to a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// They only add members to sets.
    Grow,
    /// They only take members from sets.
    Shrink,
    /// They only add to numbers, or only add to or only take from the counts of multisets.
    Sum,
}

/// Adds what a statement in a loop over `binder` writes, and how.
pub(super) fn classify<'a>(
    stmt: &'a Stmt,
    binder: LocalId,
    out: &mut Vec<(StateRef, Write<'a>)>,
) -> Encoded<()> {
    match &stmt.kind {
        StmtKind::Assign(place, value) => {
            let write = match own_prefix(place, binder) {
                Some(prefix) => Write::Own(prefix),
                None => accumulation(value, place)?,
            };
            push_write(out, place.root, write);
            Ok(())
        }
        StmtKind::Choose { place, .. } => match own_prefix(place, binder) {
            Some(prefix) => {
                push_write(out, place.root, Write::Own(prefix));
                Ok(())
            }
            None => outside("a choice in a loop, kept elsewhere than at the loop's own index"),
        },
        StmtKind::If {
            branches,
            otherwise,
        } => {
            let bodies = branches.iter().map(|(_, body)| body).chain([otherwise]);
            bodies
                .flatten()
                .try_for_each(|s| classify(s, binder, out).at(s.span))
        }
        StmtKind::For { body, .. } => body
            .iter()
            .try_for_each(|s| classify(s, binder, out).at(s.span)),
        StmtKind::While(..) | StmtKind::Fire(_) => outside("a `while` or a `fire` inside a `for`"),
    }
}

/// Adds a write, unless one like it is there: two assignments below one path are merged as one.
fn push_write<'a>(out: &mut Vec<(StateRef, Write<'a>)>, root: StateRef, write: Write<'a>) {
    let same = |(known, other): &(StateRef, Write<'a>)| {
        *known == root
            && match (other, &write) {
                (Write::Own(a), Write::Own(b)) => a == b,
                _ => false,
            }
    };
    if !out.iter().any(same) {
        out.push((root, write));
    }
}

/// The path to the array whose element at the loop's own index the place is in.
fn own_prefix(place: &Place, binder: LocalId) -> Option<&[Projection]> {
    let own = |step: &Projection| match step {
        Projection::Index(index) | Projection::Entry(index) => {
            matches!(index.kind, ExprKind::Local(l) if l == binder)
        }
        Projection::Field(_) => false,
    };
    place.path.iter().position(own).map(|at| &place.path[..at])
}

fn accumulation<'a>(value: &Expr, place: &Place) -> Encoded<Write<'a>> {
    if grows(value, place) {
        Ok(Write::Accumulate(Manner::Grow))
    } else if shrinks(value, place) {
        Ok(Write::Accumulate(Manner::Shrink))
    } else if sums(value, place) {
        Ok(Write::Accumulate(Manner::Sum))
    } else {
        outside(
            "a loop whose turns change one value in a way other than adding or removing members",
        )
    }
}

fn grows(value: &Expr, place: &Place) -> bool {
    match &value.kind {
        ExprKind::Apply(Op::Insert, args) => is_place(&args[1], place) || grows(&args[1], place),
        ExprKind::Apply(Op::Union, args) => args
            .iter()
            .any(|arg| is_place(arg, place) || grows(arg, place)),
        _ => false,
    }
}

fn shrinks(value: &Expr, place: &Place) -> bool {
    match &value.kind {
        ExprKind::Apply(Op::Delete, args) => is_place(&args[1], place) || shrinks(&args[1], place),
        ExprKind::Apply(Op::Difference, args) => {
            is_place(&args[0], place) || shrinks(&args[0], place)
        }
        ExprKind::Apply(Op::Intersection, args) => args
            .iter()
            .any(|arg| is_place(arg, place) || shrinks(arg, place)),
        _ => false,
    }
}

fn sums(value: &Expr, place: &Place) -> bool {
    match &value.kind {
        ExprKind::Apply(Op::Add | Op::MsetUnion, args) => args
            .iter()
            .any(|arg| is_place(arg, place) || sums(arg, place)),
        ExprKind::Apply(Op::MsetInsert | Op::MsetDelete, args) => {
            is_place(&args[1], place) || sums(&args[1], place)
        }
        ExprKind::Apply(Op::MsetDifference, args) => {
            is_place(&args[0], place) || sums(&args[0], place)
        }
        _ => false,
    }
}

/// Whether an expression reads just the place.
fn is_place(expr: &Expr, place: &Place) -> bool {
    reads(expr, place, place.path.len())
}

fn reads(expr: &Expr, place: &Place, depth: usize) -> bool {
    match (
        &expr.kind,
        depth.checked_sub(1).map(|d| (d, &place.path[d])),
    ) {
        (ExprKind::State(root), None) => *root == place.root,
        (ExprKind::Apply(Op::Select, args), Some((d, Projection::Index(index))))
        | (ExprKind::Apply(Op::Lookup, args), Some((d, Projection::Entry(index)))) => {
            same_term(&args[1], index) && reads(&args[0], place, d)
        }
        (ExprKind::Apply(Op::Field(i), args), Some((d, Projection::Field(j)))) => {
            i == j && reads(&args[0], place, d)
        }
        _ => false,
    }
}

/// Whether two terms are the same but for where they stand.
fn same_term(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::State(x), ExprKind::State(y)) => x == y,
        (ExprKind::Apply(f, xs), ExprKind::Apply(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_term(x, y))
        }
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Real(x), ExprKind::Real(y)) => x == y,
        (ExprKind::Char(x), ExprKind::Char(y)) => x == y,
        (ExprKind::Text(x), ExprKind::Text(y)) => x == y,
        (ExprKind::Enumerator(x), ExprKind::Enumerator(y)) => x == y && a.ty == b.ty,
        _ => false,
    }
}
