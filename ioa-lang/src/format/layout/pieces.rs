//! Items, sections, clauses: how far they are indented, and what stands on lines of their own in them.

use super::{Blank, Doc, Layout, Node, Piece, spacing};
use crate::syntax::Rule;

/// The width of the longest kind of action and a blank: what follows a kind in a signature is aligned.
const WIDTH_OF_KIND: usize = "internal ".len();

/// How far a piece is indented.
pub(super) fn indent(piece: &Piece<'_>) -> usize {
    match piece.rule {
        _ if piece.starts_item => 0,
        Some(
            Rule::signature_piece
            | Rule::clause_piece
            | Rule::proof_states_piece
            | Rule::proof_start_piece
            | Rule::entry_piece,
        ) => 4,
        _ => 2,
    }
}

/// What stands between two pieces: a blank line between items, unless both are short.
pub(super) fn blank_before(before: Option<&Piece<'_>>, piece: &Piece<'_>) -> Blank {
    let is_short = |piece: &Piece<'_>| {
        matches!(
            piece.rule,
            Some(Rule::type_piece | Rule::theory_piece | Rule::invariant_piece)
        )
    };
    match before {
        Some(before) if piece.starts_item && !(is_short(before) && is_short(piece)) => Blank::One,
        _ => Blank::Keep,
    }
}

/// Whether a part of a piece stands below the piece's first line.
fn stands_below(part: Rule) -> bool {
    matches!(
        part,
        Rule::theories
            | Rule::choosing
            | Rule::pre
            | Rule::eff
            | Rule::ensuring
            | Rule::so_that
            | Rule::initially
            | Rule::schedule_body
            | Rule::stmts
    )
}

impl<'a> Layout<'_, 'a> {
    /// The layout of a piece of the file.
    pub(super) fn piece(&self, node: Node<'a>) -> Doc {
        match node.as_rule() {
            Rule::signature_piece => self.signature(node),
            Rule::tasks_piece => self.below_first(self.without_separators(node)),
            Rule::invariant_piece => self.property(node, Doc::Line(1)).grouped(),
            Rule::simulation_piece => self.property(node, Doc::Hard(Blank::None)),
            Rule::entry_piece => self.compound(node),
            _ => self.heading(node),
        }
    }

    fn without_separators(&self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut parts = self.parts(node);
        parts.retain(|part| !spacing::is_separator(part));
        parts
    }

    /// A heading in a row, and what belongs to it indented on lines of its own.
    fn heading(&self, node: Node<'a>) -> Doc {
        let mut head = self.parts(node);
        let cut = head
            .iter()
            .skip(1)
            .position(|part| stands_below(part.as_rule()));
        let mut below = head.split_off(cut.map_or(head.len(), |cut| cut + 1));
        below.retain(|part| !spacing::is_separator(part));
        Doc::Concat(vec![self.in_row(&head), self.below(below)])
    }

    /// The first part, and the others indented on lines of their own.
    fn below_first(&self, mut parts: Vec<Node<'a>>) -> Doc {
        let below = parts.split_off(1);
        Doc::Concat(vec![self.in_row(&parts), self.below(below)])
    }

    fn below(&self, parts: Vec<Node<'a>>) -> Doc {
        let lines = parts
            .into_iter()
            .flat_map(|part| [Doc::Hard(Blank::Keep), self.node(part)]);
        Doc::nested(lines.collect())
    }

    /// The kind of some actions, and these on one line or each on its own.
    fn signature(&self, node: Node<'a>) -> Doc {
        let mut parts = self.parts(node);
        let entries = parts.split_off(1);
        let kind = parts[0].as_str().trim_end();
        let mut docs = vec![
            self.node(parts.remove(0)),
            Doc::Space(WIDTH_OF_KIND - kind.len()),
        ];
        let mut list = Vec::new();
        for part in entries {
            match spacing::is_separator(&part) {
                true => list.extend([Doc::Space(0), self.comma(&part), Doc::Line(1)]),
                false => list.push(self.node(part)),
            }
        }
        docs.push(Doc::Concat(list).aligned().grouped());
        Doc::Concat(docs)
    }

    /// A property: its formula on the line of its name, or below.
    fn property(&self, node: Node<'a>, line: Doc) -> Doc {
        let mut parts = self.parts(node);
        let formula = parts.pop().map(|formula| self.node(formula));
        let below = Doc::nested([line].into_iter().chain(formula).collect());
        Doc::Concat(vec![self.in_row(&parts), below])
    }
}
