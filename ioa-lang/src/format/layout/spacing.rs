//! How tokens are spelt, and what stands between two neighbours on a line.

use super::Doc;
use crate::notation::Prefix;
use crate::syntax::tree::{Kind, Node};
use crate::syntax::{infix, prefix};

/// The canonical spelling of a token, if it may differ from the source.
pub(super) fn spelling(token: &Node<'_>) -> Option<&'static str> {
    let kind = token.kind();
    match kind {
        Kind::for_all => Some("\\A"),
        Kind::exists => Some("\\E"),
        Kind::empty => Some("{}"),
        Kind::k_type => Some("type"),
        _ => infix(kind)
            .map(|sign| sign.row().text)
            .or_else(|| prefix(kind).map(Prefix::text)),
    }
}

pub(super) fn is_separator(node: &Node<'_>) -> bool {
    matches!(node.kind(), Kind::comma | Kind::semicolon)
}

pub(super) fn is_opening(node: &Node<'_>) -> bool {
    matches!(node.kind(), Kind::lparen | Kind::lbracket | Kind::lbrace)
}

pub(super) fn is_closing(node: &Node<'_>) -> bool {
    matches!(node.kind(), Kind::rparen | Kind::rbracket | Kind::rbrace)
}

/// What stands between two parts of a node.
pub(super) fn between(left: &Node<'_>, right: &Node<'_>) -> Doc {
    match left.kind() {
        Kind::comma | Kind::semicolon => Doc::Line(1),
        Kind::k_of if right.kind() == Kind::binders => Doc::Line(1),
        Kind::hash | Kind::dot | Kind::qualifier | Kind::path_step | Kind::sig_step => {
            Doc::Space(0)
        }
        _ if matches!(right.kind(), Kind::where_clause | Kind::k_where) => Doc::Line(1),
        _ if is_opening(left) || is_tight(right) => Doc::Space(0),
        _ => Doc::Space(1),
    }
}

/// Whether nothing stands between a part and what is before it.
fn is_tight(part: &Node<'_>) -> bool {
    let rule = part.kind();
    match rule {
        Kind::lparen
        | Kind::lbracket
        | Kind::comma
        | Kind::semicolon
        | Kind::colon
        | Kind::hash
        | Kind::tail
        | Kind::dot => true,
        Kind::paren | Kind::brackets | Kind::expr | Kind::enclosed => false,
        _ if is_closing(part) => true,
        _ => {
            // `a[i]`, `f(x)`, `p.src`, `Node#0`; also the `; local z: T` of formals.
            let first = part.inner().next();
            first.is_some_and(|first| {
                matches!(
                    first.kind(),
                    Kind::lparen | Kind::lbracket | Kind::semicolon | Kind::hash | Kind::dot
                )
            })
        }
    }
}
