//! Where the lines of a text may be broken, rule by rule of the grammar.

mod expr;
mod pieces;
mod spacing;
mod stmt;

use std::ops::Range;

use pest::Parser;
use pest::iterators::Pair;

use super::doc::{Blank, Doc};
use super::tokens::Tokens;
use crate::syntax::{Cut, Grammar, Rule};

/// How many columns a level of indentation has.
pub(super) const INDENT: usize = 2;

/// Conditions and loops that are wider than this never stand on one line.
const WIDTH_OF_STATEMENT: usize = 72;

/// A piece of the text with its parse tree, or a keyword between two pieces.
pub(super) struct Piece<'a> {
    /// The rule that the piece follows; none for a keyword.
    pub(super) rule: Option<Rule>,
    /// Where it stands.
    pub(super) bytes: Range<usize>,
    /// Whether an item starts with it.
    pub(super) starts_item: bool,
    /// The parse tree; none for a keyword.
    pub(super) tree: Option<Pair<'a, Rule>>,
}

/// Parses the pieces of a text, and finds the keywords between them.
pub(super) fn parse(text: &str, cuts: Vec<Cut>) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for cut in cuts {
        pieces.extend(keywords(text, at..cut.bytes.start));
        at = cut.bytes.end;
        pieces.push(Piece {
            rule: Some(cut.rule),
            tree: tree(&text[cut.bytes.clone()], cut.rule),
            bytes: cut.bytes,
            starts_item: cut.starts_item,
        });
    }
    pieces.extend(keywords(text, at..text.len()));
    pieces
}

/// The parse tree of a piece, which was parsed before without a mistake.
fn tree(text: &str, rule: Rule) -> Option<Pair<'_, Rule>> {
    Grammar::parse(rule, text).ok()?.next()
}

/// The words between two pieces, such as `signature`: what else stands there are comments.
fn keywords(text: &str, between: Range<usize>) -> Vec<Piece<'_>> {
    let mut words = Vec::new();
    let mut at = between.start;
    for line in text[between].split_inclusive(['\n', '\r']) {
        let code = line.split('%').next().unwrap_or_default();
        for word in code
            .split_whitespace()
            .map(|word| word.trim_start_matches('\u{FEFF}'))
        {
            let start = at + (word.as_ptr() as usize - line.as_ptr() as usize);
            words.push(Piece {
                rule: None,
                bytes: start..start + word.len(),
                starts_item: false,
                tree: None,
            });
        }
        at += line.len();
    }
    words
}

/// Calls `visit` for every token of a tree.
pub(super) fn leaves<'a>(pair: Pair<'a, Rule>, visit: &mut impl FnMut(Pair<'a, Rule>)) {
    let mut inner = pair.clone().into_inner().peekable();
    if inner.peek().is_none() {
        if !pair.as_str().trim().is_empty() {
            visit(pair);
        }
        return;
    }
    inner.for_each(|inner| leaves(inner, visit));
}

/// The layout of a file.
pub(super) fn file(pieces: &[Piece<'_>], tokens: &Tokens<'_>) -> Doc {
    let mut docs = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &pieces[before]);
        let line = Doc::Hard(pieces::blank_before(before, piece));
        let doc = match &piece.tree {
            None => Doc::Token(tokens.at(piece.bytes.start), None),
            Some(tree) => Layout {
                tokens,
                base: piece.bytes.start,
            }
            .piece(tree.clone()),
        };
        let doc = Doc::Concat(vec![line, doc]);
        docs.push(Doc::Nest(pieces::indent(piece), Box::new(doc)));
    }
    docs.push(Doc::Hard(Blank::Keep));
    docs.push(Doc::Token(tokens.list.len() - 1, None));
    Doc::Concat(docs)
}

/// Lays out one piece that starts at the byte `base`.
struct Layout<'t, 'a> {
    tokens: &'t Tokens<'a>,
    base: usize,
}

type Node<'a> = Pair<'a, Rule>;

impl<'a> Layout<'_, 'a> {
    /// The layout of a node of the parse tree.
    fn node(&self, node: Node<'a>) -> Doc {
        match node.as_rule() {
            Rule::expr => self.expr(node),
            Rule::named => self.named(node),
            Rule::paren => self.paren(node),
            Rule::quantified => self.quantified(node),
            Rule::stmts => self.stmts(node),
            Rule::decls => self.decls(node),
            Rule::eff => self.effect(node),
            Rule::if_stmt | Rule::for_stmt | Rule::while_stmt => self.compound(node),
            Rule::states_block => self.states(node),
            Rule::schedule_body => self.body(node),
            Rule::operators | Rule::axioms => self.of_theory(node),
            _ => self.row(node),
        }
    }

    /// A name, with its arguments if it has some. `randomBool` has none, and needs no parentheses.
    fn named(&self, node: Node<'a>) -> Doc {
        let parts: Vec<Node<'a>> = node.clone().into_inner().collect();
        match &parts[..] {
            [name, arguments]
                if name.as_str() == "randomBool" && arguments.clone().into_inner().count() == 2 =>
            {
                self.token(name)
            }
            _ => self.row(node),
        }
    }

    fn token(&self, leaf: &Node<'_>) -> Doc {
        Doc::Token(self.index(leaf), spacing::spelling(leaf))
    }

    fn index(&self, leaf: &Node<'_>) -> usize {
        self.tokens.at(self.base + leaf.as_span().start())
    }

    /// The parts of a node that are not empty, separators with nothing behind them left out.
    fn parts(&self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut parts: Vec<Node<'a>> = Vec::new();
        for part in node
            .into_inner()
            .filter(|part| !part.as_str().trim().is_empty())
        {
            let superfluous = match parts.last() {
                Some(last) if spacing::is_separator(last) => {
                    spacing::is_separator(&part) || spacing::is_closing(&part)
                }
                _ => false,
            };
            match superfluous {
                true if spacing::is_separator(&part) => {}
                true => *parts.last_mut().expect("it is there") = part,
                false => parts.push(part),
            }
        }
        if parts.last().is_some_and(spacing::is_separator) {
            parts.pop();
        }
        parts
    }

    /// The parts of a node one after the other: what is in brackets aligned, lines broken behind commas.
    fn row(&self, node: Node<'a>) -> Doc {
        if node.clone().into_inner().next().is_none() {
            return self.token(&node);
        }
        let parts = self.parts(node);
        match parts.iter().position(spacing::is_opening) {
            Some(open) if parts.last().is_some_and(spacing::is_closing) => {
                let mut docs = self.sequence(&parts[..=open], 0);
                docs.push(Doc::Concat(self.sequence(&parts[open + 1..], 0)).aligned());
                Doc::Concat(docs).grouped()
            }
            _ => self.in_row(&parts),
        }
    }

    /// Parts one after the other.
    fn in_row(&self, parts: &[Node<'a>]) -> Doc {
        Doc::Concat(self.sequence(parts, 2 * INDENT)).grouped()
    }

    /// Parts one after the other. Where a line has to be broken between two, the next is indented.
    fn sequence(&self, parts: &[Node<'a>], indent: usize) -> Vec<Doc> {
        let mut docs = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if let Some(before) = index.checked_sub(1) {
                let between = spacing::between(&parts[before], part);
                docs.push(Doc::Nest(indent, Box::new(between)));
            }
            docs.push(self.node(part.clone()));
        }
        docs
    }
}
