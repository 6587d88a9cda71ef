//! The file as a whole: its pieces, how far each is indented, and which blank lines stand between them.

use super::{Blank, Doc, Kind, Layout, Node, Tokens};
use crate::syntax::tree::Tree;
use crate::syntax::view::{Item, View};

/// A piece of the text that the grammar read, or a keyword between two pieces.
struct LayoutPiece<'a> {
    node: Node<'a>,
    /// Whether an item starts with it.
    starts_item: bool,
}

/// The pieces of a text, and the keywords between them.
fn pieces(tree: &Tree) -> Vec<LayoutPiece<'_>> {
    let mut pieces = Vec::new();
    for item in tree.top().inner().filter_map(Item::cast) {
        pieces.extend(item.pieces().enumerate().map(|(index, node)| LayoutPiece {
            node,
            starts_item: index == 0,
        }));
    }
    pieces
}

/// The layout of a file.
pub(in crate::format) fn file(tree: &Tree, tokens: &Tokens<'_>) -> Doc {
    let layout = Layout { tokens };
    let mut docs = Vec::new();
    let mut before = None;
    for piece in pieces(tree) {
        let line = Doc::Hard(blank_before(before.as_ref(), &piece));
        let doc = match piece.node.is_token() {
            true => layout.token(&piece.node),
            false => layout.piece(piece.node),
        };
        let doc = Doc::Concat(vec![line, doc]);
        docs.push(Doc::Nest(indent(&piece), Box::new(doc)));
        before = Some(piece);
    }
    docs.push(Doc::Hard(Blank::Keep));
    docs.push(Doc::Token(tokens.list.len() - 1, None));
    Doc::Concat(docs)
}

/// How far a piece is indented.
fn indent(piece: &LayoutPiece<'_>) -> usize {
    match piece.node.kind() {
        _ if piece.starts_item => 0,
        Kind::signature_piece
        | Kind::clause_piece
        | Kind::proof_states_piece
        | Kind::proof_start_piece
        | Kind::entry_piece => 4,
        _ => 2,
    }
}

/// What stands between two pieces: a blank line between items, unless both are short.
fn blank_before(before: Option<&LayoutPiece<'_>>, piece: &LayoutPiece<'_>) -> Blank {
    let is_short = |piece: &LayoutPiece<'_>| {
        matches!(
            piece.node.kind(),
            Kind::type_piece
                | Kind::theory_piece
                | Kind::invariant_piece
                | Kind::liveness_piece
                | Kind::let_piece
        )
    };
    match before {
        Some(before) if piece.starts_item && !(is_short(before) && is_short(piece)) => Blank::One,
        _ => Blank::Keep,
    }
}
