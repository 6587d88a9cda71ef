//! What is open at a place of a piece: brackets, conditions and loops. Measured before a recursive parser sees the
//! text, and used to say what was not closed.

use crate::syntax::grammar::Rule;
use crate::syntax::outline::{Outline, Tokens};

/// How deep brackets, conditions and blocks may nest.
const MAX_NESTING: usize = 200;

/// A construct that is open while a piece is read from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::syntax) enum OpenConstruct {
    Bracket,
    /// An `if` that is a statement and ends at `fi`.
    Statement,
    /// An `if` that is a term; what follows its `else` is no deeper.
    Term,
    /// A `do`, which ends at `od`.
    Loop,
}

/// The token at which a piece nests too deep, if it does.
pub(in crate::syntax) fn too_deep_at(outline: &Outline<'_>, piece: Tokens) -> Option<usize> {
    let mut open = Vec::new();
    piece.into_iter().find(|&index| {
        step(outline, &mut open, index);
        open.len() > MAX_NESTING
    })
}

/// What is open at the end of a range that starts a piece, with the tokens that opened it.
pub(in crate::syntax) fn open_before(
    outline: &Outline<'_>,
    range: Tokens,
) -> Vec<(OpenConstruct, usize)> {
    let mut open = Vec::new();
    for index in range {
        step(outline, &mut open, index);
    }
    open
}

/// Leaves out what cannot follow after some tokens with which a piece of this rule starts, for what is open there.
pub(in crate::syntax) fn retain_possible(
    rule: Rule,
    outline: &Outline<'_>,
    before: Tokens,
    expected: &mut Vec<Rule>,
) {
    let open = open_before(outline, before);
    let mut blocks = open.iter().rev().map(|(open, _)| *open);
    let block = blocks.find(|open| matches!(open, OpenConstruct::Statement | OpenConstruct::Loop));
    let (mut in_states, mut in_schedule) = (false, false);
    match rule {
        Rule::states_piece | Rule::proof_states_piece => in_states = true,
        Rule::schedule_piece | Rule::inner_schedule_piece => in_schedule = true,
        _ => {}
    }
    expected.retain(|rule| match rule {
        Rule::k_fi | Rule::k_else | Rule::k_elseif => block == Some(OpenConstruct::Statement),
        Rule::k_od => block == Some(OpenConstruct::Loop),
        Rule::k_ensuring | Rule::k_provided | Rule::k_so => block.is_none(),
        Rule::EOI => block.is_none() && !in_schedule,
        Rule::k_do => !in_states,
        _ => true,
    });
}

fn step(outline: &Outline<'_>, open: &mut Vec<(OpenConstruct, usize)>, index: usize) {
    match outline.token(index) {
        "(" | "[" | "{" => open.push((OpenConstruct::Bracket, index)),
        ")" | "]" | "}" => close(open, OpenConstruct::Bracket),
        "do" => open.push((OpenConstruct::Loop, index)),
        "od" => close(open, OpenConstruct::Loop),
        "if" if starts_statement(outline, open, index) => {
            open.push((OpenConstruct::Statement, index));
        }
        "if" => open.push((OpenConstruct::Term, index)),
        "fi" => close(open, OpenConstruct::Statement),
        "else" if innermost(open) == Some(OpenConstruct::Term) => {
            open.pop();
        }
        _ => {}
    }
}

fn innermost(open: &[(OpenConstruct, usize)]) -> Option<OpenConstruct> {
    open.last().map(|(open, _)| *open)
}

/// Whether the `if` at an index is a statement.
fn starts_statement(outline: &Outline<'_>, open: &[(OpenConstruct, usize)], index: usize) -> bool {
    match index
        .checked_sub(1)
        .map_or("", |before| outline.token(before))
    {
        ";" | "do" | "eff" | "fi" | "od" | "initially" => true,
        "then" | "else" => innermost(open) == Some(OpenConstruct::Statement),
        _ => false,
    }
}

/// Closes the innermost of a kind, and with it all that was left open inside.
fn close(open: &mut Vec<(OpenConstruct, usize)>, kind: OpenConstruct) {
    if let Some(index) = open.iter().rposition(|&(open, _)| open == kind) {
        open.truncate(index);
    }
}
