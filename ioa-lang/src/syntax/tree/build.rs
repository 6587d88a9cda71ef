//! Puts a tree together, from the first byte of the text to the last.

use std::ops::Range;

use pest::Token as Event;
use pest::iterators::Pairs;
use rowan::{GreenNode, GreenToken, Language, NodeOrToken};
use rustc_hash::FxHashMap;

use super::{Ioa, Kind, Tree};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words::is_reserved;

/// A tree that has been built up to some byte of the text. Blanks and comments are added by themselves before what
/// follows them.
pub(in crate::syntax) struct TreeBuilder<'a> {
    text: &'a str,
    /// So far the text is in the tree.
    at: usize,
    /// The open nodes, each with the number of elements before it.
    open: Vec<(Kind, usize)>,
    elements: Vec<NodeOrToken<GreenNode, GreenToken>>,
    /// Tokens that look alike are one.
    known: FxHashMap<(Kind, &'a str), GreenToken>,
}

impl<'a> TreeBuilder<'a> {
    pub(in crate::syntax) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            open: Vec::new(),
            elements: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// Starts a node at a byte.
    pub(in crate::syntax) fn open(&mut self, kind: Kind, start: usize) {
        self.blank_until(start);
        self.open.push((kind, self.elements.len()));
    }

    /// Ends the innermost open node.
    pub(in crate::syntax) fn close(&mut self) {
        let (kind, first) = self.open.pop().expect("a node is open");
        let children = self.elements.drain(first..);
        let node = GreenNode::new(Ioa::kind_to_raw(kind), children);
        self.elements.push(NodeOrToken::Node(node));
    }

    /// Adds what the lexer found, as it found it.
    pub(in crate::syntax) fn tokens(&mut self, tokens: &[Token]) {
        for token in tokens {
            self.token(kind_of(token, self.text), token.start..token.end);
        }
    }

    /// Adds a node with what the lexer found in it.
    pub(in crate::syntax) fn error(&mut self, kind: Kind, tokens: &[Token]) {
        let start = tokens.first().map_or(self.at, |token| token.start);
        self.open(kind, start);
        self.tokens(tokens);
        self.close();
    }

    /// Adds what the grammar read. `place` says where in the file a byte of what it read stands, and `tokens` are those of
    /// the file.
    pub(in crate::syntax) fn pairs(
        &mut self,
        pairs: Pairs<'_, Kind>,
        place: impl Fn(usize) -> usize,
        tokens: &[Token],
    ) {
        let mut events = pairs.tokens().peekable();
        while let Some(event) = events.next() {
            let Event::Start { rule, pos } = event else {
                self.close();
                continue;
            };
            let start = place(pos.pos());
            let leaf = events.next_if(|next| matches!(next, Event::End { .. }));
            match leaf {
                None if rule == Kind::rhs_decl => self.open(Kind::rhs, start),
                None => self.open(rule, start),
                Some(Event::End { pos, .. }) => self.leaf(rule, start..place(pos.pos()), tokens),
                Some(Event::Start { .. }) => unreachable!("it is an end"),
            }
        }
    }

    /// Whether a term stands right before.
    fn is_behind_term(&self) -> bool {
        let first = self.open.last().map_or(0, |(_, first)| *first);
        let term = Ioa::kind_to_raw(Kind::expr);
        let inside = self.elements[first..].last();
        inside.is_some_and(|element| element.kind() == term)
    }

    fn leaf(&mut self, rule: Kind, bytes: Range<usize>, tokens: &[Token]) {
        let kind = match rule {
            Kind::error_decl | Kind::error_head => Kind::error,
            Kind::extra_decl | Kind::extra_word | Kind::rest => Kind::extra,
            Kind::begin | Kind::EOI | Kind::lost | Kind::lost_decl => return,
            kind => kind,
        };
        if bytes.is_empty() {
            self.open.push((kind, self.elements.len()));
            self.close();
        } else if matches!(kind, Kind::error | Kind::extra) {
            let first = tokens.partition_point(|token| token.end <= bytes.start);
            let end = tokens.partition_point(|token| token.start < bytes.end);
            // If superfluous text follows a term, the term is probably not what was meant.
            let spoils_term = kind == Kind::extra && self.is_behind_term();
            if spoils_term {
                self.open.push((Kind::error, self.elements.len() - 1));
            }
            self.open(kind, bytes.start);
            for token in &tokens[first..end] {
                let inside = token.start.max(bytes.start)..token.end.min(bytes.end);
                self.token(kind_of(token, self.text), inside);
            }
            self.close();
            if spoils_term {
                self.close();
            }
        } else {
            self.token(kind, bytes);
        }
    }

    /// Adds a token.
    fn token(&mut self, kind: Kind, bytes: Range<usize>) {
        self.blank_until(bytes.start);
        self.push(kind, bytes);
    }

    fn push(&mut self, kind: Kind, bytes: Range<usize>) {
        self.at = bytes.end;
        let text = &self.text[bytes];
        let new = || GreenToken::new(Ioa::kind_to_raw(kind), text);
        let token = self.known.entry((kind, text)).or_insert_with(new);
        self.elements.push(NodeOrToken::Token(token.clone()));
    }

    /// Adds the blanks and comments up to a byte.
    fn blank_until(&mut self, end: usize) {
        while self.at < end {
            let rest = &self.text[self.at..end];
            let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{0C}' | '\u{FEFF}');
            let (kind, length) = if rest.starts_with('%') {
                (Kind::COMMENT, rest.find(['\n', '\r']))
            } else if rest.starts_with(is_blank) {
                (Kind::WHITESPACE, rest.find(|c| !is_blank(c)))
            } else {
                (Kind::unknown, rest.find(is_blank))
            };
            let length = length.unwrap_or(rest.len());
            self.push(kind, self.at..self.at + length);
        }
    }

    /// The tree of the whole text.
    pub(in crate::syntax) fn finish(mut self) -> Tree {
        self.blank_until(self.text.len());
        let children = self.elements.drain(..);
        Tree(GreenNode::new(Ioa::kind_to_raw(Kind::file), children))
    }
}

/// What a token is where the grammar did not read it.
fn kind_of(token: &Token, text: &str) -> Kind {
    match token.kind {
        TokenKind::Word if is_reserved(token.text(text)) => Kind::reserved,
        TokenKind::Word => Kind::name,
        TokenKind::Number => Kind::number,
        TokenKind::Literal => Kind::literal,
        TokenKind::Sign => Kind::sign,
        TokenKind::Unknown => Kind::unknown,
    }
}
