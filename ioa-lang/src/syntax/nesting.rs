//! How deep a piece of text nests, measured before a recursive parser sees it.

use super::outline::{Outline, Tokens};

/// How deep brackets, conditions and blocks may nest.
pub(super) const MAX_NESTING: usize = 200;

/// What is open while a piece is read from left to right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Bracket,
    /// An `if` that is a statement and ends at `fi`.
    Statement,
    /// An `if` that is a term; what follows its `else` is no deeper.
    Term,
    Loop,
}

/// The token at which a piece nests too deep, if it does.
pub(super) fn too_deep_at(outline: &Outline<'_>, piece: Tokens) -> Option<usize> {
    let mut open = Vec::new();
    let mut previous = "";
    for index in piece {
        let token = outline.token(index);
        step(&mut open, previous, token);
        if open.len() > MAX_NESTING {
            return Some(index);
        }
        previous = token;
    }
    None
}

fn step(open: &mut Vec<Open>, previous: &str, token: &str) {
    match token {
        "(" | "[" | "{" => open.push(Open::Bracket),
        ")" | "]" | "}" => close(open, Open::Bracket),
        "do" => open.push(Open::Loop),
        "od" => close(open, Open::Loop),
        "if" if starts_statement(open, previous) => open.push(Open::Statement),
        "if" => open.push(Open::Term),
        "fi" => close(open, Open::Statement),
        "else" if open.last() == Some(&Open::Term) => {
            open.pop();
        }
        _ => {}
    }
}

/// Whether an `if` after this token is a statement.
fn starts_statement(open: &[Open], previous: &str) -> bool {
    match previous {
        ";" | "do" | "eff" | "fi" | "od" | "initially" => true,
        "then" | "else" => open.last() == Some(&Open::Statement),
        _ => false,
    }
}

/// Closes the innermost of a kind, and with it all that was left open inside.
fn close(open: &mut Vec<Open>, kind: Open) {
    if let Some(index) = open.iter().rposition(|&o| o == kind) {
        open.truncate(index);
    }
}
