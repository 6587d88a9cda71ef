//! What the body of a `for` loop writes, and how its turns together change it, as its text tells.

use ioa_lang::core::{Accumulation, Expr, LocalId, Place, Projection, StateRef, Stmt, StmtKind};

use crate::logic::{AtSpan, Encoded, unsupported};

/// How the turns of a loop together change a variable.
pub(in crate::logic) enum Write<'a> {
    /// Below this path, each turn writes the array's element at its own index.
    Own(&'a [Projection]),
    /// All turns contribute to one value.
    Accumulate(Accumulation),
}

/// Adds what a statement in a loop over `binder` writes, and how.
pub(in crate::logic) fn classify<'a>(
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
            None => unsupported("a choice in a loop, kept elsewhere than at the loop's own index"),
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
        StmtKind::While(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => {
            unsupported("a `while` or a `fire` inside a `for`")
        }
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
    place.own_position(binder).map(|at| &place.path[..at])
}

fn accumulation<'a>(value: &Expr, place: &Place) -> Encoded<Write<'a>> {
    match value.accumulates(place) {
        Some((how, _)) => Ok(Write::Accumulate(how)),
        None => unsupported(
            "a loop whose turns change one value in a way other than adding or removing members",
        ),
    }
}
