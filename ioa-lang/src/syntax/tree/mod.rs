//! The lossless tree of a file, which contains every byte of the text, including blanks and comments.
//!
//! The kinds of its nodes and tokens are the rules of the grammar. Above the pieces that the grammar reads stand
//! [`Kind::file`], [`Kind::item`] and [`Kind::section`]. Where a mistake was reported, [`Kind::error`] holds what could not be
//! read, [`Kind::missing`] is empty, and [`Kind::extra`] holds what stands after something that is complete without it.
//!
//! Code that traverses the tree from the top down (the construction of the abstract syntax, the formatter) uses `Node`,
//! which is free of cost. Code that starts at a place and goes up, such as an editor, uses rowan's nodes; see
//! [`Tree::root`].

mod build;

use rowan::{GreenNode, GreenNodeData, GreenTokenData, Language, NodeOrToken, SyntaxKind};

pub use super::grammar::Rule as Kind;
pub(super) use build::TreeBuilder;

use crate::source::{FileId, Span};

/// The language of the trees, for rowan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ioa {}

impl Language for Ioa {
    type Kind = Kind;

    fn kind_from_raw(raw: SyntaxKind) -> Kind {
        // The end of the input is the first kind, and not among the rules.
        match raw.0.checked_sub(1) {
            Some(rule) => Kind::all_rules()[usize::from(rule)],
            None => Kind::EOI,
        }
    }

    fn kind_to_raw(kind: Kind) -> SyntaxKind {
        SyntaxKind(kind as u16)
    }
}

/// A node that knows its parent.
pub type SyntaxNode = rowan::SyntaxNode<Ioa>;

/// The tree of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree(GreenNode);

impl Tree {
    /// Its root, from which one can go down, up and to both sides.
    #[must_use]
    pub fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.0.clone())
    }

    /// The smallest node that covers a span of the file, such as that of a node of the syntax tree.
    #[must_use]
    pub fn covering(&self, span: Span) -> SyntaxNode {
        let root = self.root();
        let length = root.text_range().end();
        let (start, end) = (length.min(span.start.into()), length.min(span.end.into()));
        match root.covering_element(rowan::TextRange::new(start, end.max(start))) {
            NodeOrToken::Node(node) => node,
            NodeOrToken::Token(token) => token.parent().unwrap_or(root),
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.to_string()
    }

    /// The root, for traversals from the top down.
    pub(crate) fn top(&self) -> Node<'_> {
        Node {
            element: NodeOrToken::Node(&self.0),
            start: 0,
        }
    }
}

impl Default for Tree {
    fn default() -> Self {
        TreeBuilder::new("").finish()
    }
}

/// A node or a token, with its place in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'t> {
    element: NodeOrToken<&'t GreenNodeData, &'t GreenTokenData>,
    start: u32,
}

impl<'t> Node<'t> {
    /// What it is.
    pub(crate) fn kind(&self) -> Kind {
        Ioa::kind_from_raw(match self.element {
            NodeOrToken::Node(node) => node.kind(),
            NodeOrToken::Token(token) => token.kind(),
        })
    }

    /// The start of its first token, so never a blank.
    pub(crate) fn start(&self) -> usize {
        self.start as usize
    }

    /// The end of its last token.
    pub(crate) fn end(&self) -> usize {
        self.start() + self.len()
    }

    fn len(&self) -> usize {
        usize::from(match self.element {
            NodeOrToken::Node(node) => node.text_len(),
            NodeOrToken::Token(token) => token.text_len(),
        })
    }

    /// Whether it contains no token.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is a token.
    pub(crate) fn is_token(&self) -> bool {
        matches!(self.element, NodeOrToken::Token(_))
    }

    /// Its place in the source.
    pub(crate) fn span(&self, file: FileId) -> Span {
        Span::new(file, self.start(), self.end())
    }

    /// The text of a token; empty for a node.
    pub(crate) fn text(&self) -> &'t str {
        match self.element {
            NodeOrToken::Node(_) => "",
            NodeOrToken::Token(token) => token.text(),
        }
    }

    /// All that it consists of, blanks and comments included.
    pub(crate) fn children(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let children = match self.element {
            NodeOrToken::Node(node) => Some(node.children()),
            NodeOrToken::Token(_) => None,
        };
        let mut start = self.start;
        children.into_iter().flatten().map(move |element| {
            let node = Node { element, start };
            start += u32::try_from(node.len()).expect("a file has less than 4 GiB");
            node
        })
    }

    /// What it consists of, blanks and comments left out.
    pub(crate) fn inner(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.children().filter(|child| !child.is_trivia())
    }

    /// Whether it is a blank or a comment.
    pub(crate) fn is_trivia(&self) -> bool {
        matches!(self.kind(), Kind::WHITESPACE | Kind::COMMENT)
    }

    /// All nodes and tokens in it, itself included, each before what it consists of.
    pub(crate) fn descendants(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let mut open = vec![*self];
        std::iter::from_fn(move || {
            let node = open.pop()?;
            let first = open.len();
            open.extend(node.children());
            open[first..].reverse();
            Some(node)
        })
    }

    /// All its tokens, blanks and comments included.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.descendants().filter(Node::is_token)
    }
}

#[cfg(test)]
mod tests {
    use rowan::Language;

    use super::{Ioa, Kind};

    #[test]
    fn kinds_are_numbered_as_they_are_listed() {
        for &kind in Kind::all_rules().iter().chain(&[Kind::EOI]) {
            assert_eq!(Ioa::kind_from_raw(Ioa::kind_to_raw(kind)), kind);
        }
    }
}
