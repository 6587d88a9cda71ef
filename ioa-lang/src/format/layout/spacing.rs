//! How tokens are spelt, and what stands between two neighbours on a line.

use pest::iterators::Pair;

use super::Doc;
use crate::syntax::Rule;

/// How a token is spelt, where that may differ from how it was written.
pub(super) fn spelling(token: &Pair<'_, Rule>) -> Option<&'static str> {
    let spelling = match token.as_rule() {
        Rule::iff => "<=>",
        Rule::implies => "=>",
        Rule::or => "\\/",
        Rule::and => "/\\",
        Rule::le => "<=",
        Rule::ge => ">=",
        Rule::ne => "~=",
        Rule::notin => "\\notin",
        Rule::member => "\\in",
        Rule::subseteq => "\\subseteq",
        Rule::subset => "\\subset",
        Rule::union => "\\U",
        Rule::inter => "\\I",
        Rule::not => "~",
        Rule::for_all => "\\A",
        Rule::exists => "\\E",
        Rule::empty => "{}",
        Rule::k_type => "type",
        _ => return None,
    };
    Some(spelling)
}

pub(super) fn is_separator(node: &Pair<'_, Rule>) -> bool {
    matches!(node.as_rule(), Rule::comma | Rule::semicolon)
}

pub(super) fn is_opening(node: &Pair<'_, Rule>) -> bool {
    matches!(node.as_rule(), Rule::lparen | Rule::lbracket | Rule::lbrace)
}

pub(super) fn is_closing(node: &Pair<'_, Rule>) -> bool {
    matches!(node.as_rule(), Rule::rparen | Rule::rbracket | Rule::rbrace)
}

/// What stands between two parts of a node.
pub(super) fn between(left: &Pair<'_, Rule>, right: &Pair<'_, Rule>) -> Doc {
    match left.as_rule() {
        Rule::comma | Rule::semicolon => Doc::Line(1),
        Rule::k_of if right.as_rule() == Rule::binders => Doc::Line(1),
        Rule::hash | Rule::dot | Rule::qualifier | Rule::path_step => Doc::Space(0),
        _ if matches!(right.as_rule(), Rule::where_clause | Rule::k_where) => Doc::Line(1),
        _ if is_opening(left) || is_tight(right) => Doc::Space(0),
        _ => Doc::Space(1),
    }
}

/// Whether nothing stands between a part and what is before it.
fn is_tight(part: &Pair<'_, Rule>) -> bool {
    let rule = part.as_rule();
    match rule {
        Rule::lparen
        | Rule::lbracket
        | Rule::comma
        | Rule::semicolon
        | Rule::colon
        | Rule::hash
        | Rule::tail
        | Rule::dot => true,
        Rule::paren | Rule::brackets | Rule::expr => false,
        _ if is_closing(part) => true,
        _ => {
            // `a[i]`, `f(x)`, `p.src`, `Node#0`; also the `; local z: T` of formals.
            let first = part.clone().into_inner().next();
            first.is_some_and(|first| {
                matches!(
                    first.as_rule(),
                    Rule::lparen | Rule::lbracket | Rule::semicolon | Rule::hash | Rule::dot
                )
            })
        }
    }
}
