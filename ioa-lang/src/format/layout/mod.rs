//! Where the lines of a text may be broken, rule by rule of the grammar.

mod expr;
mod file;
mod pieces;
mod spacing;
mod stmt;

use super::doc::{Blank, Doc, INDENT};
use super::tokens::Tokens;
use crate::syntax::tree::{Kind, Node};
use crate::syntax::view::{Arguments, Named, View};

pub(super) use file::file;

/// Conditions and loops that are wider than this never stand on one line.
const WIDTH_OF_STATEMENT: usize = 72;

/// Lays out the nodes of a tree.
struct Layout<'t, 'a> {
    tokens: &'t Tokens<'a>,
}

impl<'a> Layout<'_, 'a> {
    /// The layout of a node of the parse tree.
    fn node(&self, node: Node<'a>) -> Doc {
        match node.kind() {
            Kind::expr => self.expr(node),
            Kind::named => self.named(node),
            Kind::paren => self.paren(node),
            Kind::quantified => self.quantified(node),
            Kind::entries => self.entries(node),
            Kind::stmts => self.stmts(node),
            Kind::decls => self.decls(node),
            Kind::eff => self.effect(node),
            Kind::if_stmt | Kind::for_stmt | Kind::while_stmt => self.compound(node),
            Kind::states_block => self.states(node),
            Kind::schedule_body => self.body(node),
            Kind::operators | Kind::axioms => self.of_theory(node),
            _ => self.row(node),
        }
    }

    /// A name, with its arguments if it has some. `randomBool` has none, and needs no parentheses.
    fn named(&self, node: Node<'a>) -> Doc {
        match Named::cast(node).filter(|named| is_call_of_random_bool(*named)) {
            Some(call) => self.token(&call.name().node()),
            None => self.row(node),
        }
    }

    fn token(&self, leaf: &Node<'_>) -> Doc {
        Doc::Token(self.index(leaf), spacing::spelling(leaf))
    }

    fn index(&self, leaf: &Node<'_>) -> usize {
        self.tokens.at(leaf.start())
    }

    /// The non-empty parts of a node, without trailing separators.
    fn parts(&self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut parts: Vec<Node<'a>> = Vec::new();
        for part in node.inner().filter(|part| !part.is_empty()) {
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

    /// The parts of a node one after the other, with the contents of brackets aligned and lines broken after commas.
    fn row(&self, node: Node<'a>) -> Doc {
        if node.is_token() {
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
            docs.push(self.node(*part));
        }
        docs
    }
}

/// Whether it is `randomBool()`.
fn is_call_of_random_bool(named: Named<'_>) -> bool {
    let is_empty = |arguments: Arguments<'_>| arguments.terms().next().is_none();
    named.name().node().text() == "randomBool" && named.arguments().is_some_and(is_empty)
}
