//! Terms and formulas: broken before their loosest operators first.

use super::{Doc, INDENT, Layout, Node};
use crate::notation::Level;
use crate::syntax::tree::Kind;
use crate::syntax::{Binding, infix};

/// A term while its operators are gathered.
pub(super) enum Term {
    /// Operands with operators between them that bind alike: these share a line or none.
    Chain(Level, Vec<Doc>),
    /// `if .. then .. else`, with what follows.
    Choice(Vec<Doc>),
    /// Anything else.
    Closed(Doc),
}

impl Term {
    /// The term as a document that is broken, if at all, at its own operators.
    fn doc(self) -> Doc {
        match self {
            Self::Chain(_, docs) | Self::Choice(docs) => Doc::Concat(docs).aligned().grouped(),
            Self::Closed(doc) => doc,
        }
    }
}

impl<'a> Binding<'a> for Layout<'_, 'a> {
    type Term = Term;

    fn operand(&self, node: Node<'a>) -> Term {
        Term::Closed(self.node(node))
    }

    fn postfix(&self, operand: Term, sign: Node<'a>) -> Term {
        Term::Closed(Doc::Concat(vec![operand.doc(), self.node(sign)]))
    }

    fn infix(&self, left: Term, op: Node<'a>, right: Term) -> Term {
        let level = infix(op.kind()).map_or(Level::Postfix, |sign| sign.row().level);
        let mut docs = match left {
            Term::Chain(same, docs) if same == level => docs,
            other => vec![other.doc()],
        };
        docs.extend([Doc::Line(1), self.token(&op), Doc::Space(1)]);
        match right {
            Term::Chain(same, more) if same == level => docs.extend(more),
            other => docs.push(other.doc()),
        }
        Term::Chain(level, docs)
    }

    fn prefix(&self, op: Node<'a>, operand: Term) -> Term {
        if op.kind() != Kind::choice {
            return Term::Closed(Doc::Concat(vec![self.token(&op), operand.doc()]));
        }
        let mut docs = self.branches_of_choice(op);
        match operand {
            Term::Choice(more) => docs.extend(more),
            other => docs.push(other.doc()),
        }
        Term::Choice(docs)
    }
}

impl<'a> Layout<'_, 'a> {
    /// `if c then a elseif d then b else`, which may be broken in front of `elseif` and `else`.
    fn branches_of_choice(&self, node: Node<'a>) -> Vec<Doc> {
        let mut docs = Vec::new();
        for part in node.inner() {
            match part.kind() {
                Kind::k_if => docs.extend([self.token(&part), Doc::Space(1)]),
                Kind::k_then => docs.extend([Doc::Space(1), self.token(&part), Doc::Space(1)]),
                Kind::k_else | Kind::k_elseif => {
                    docs.extend([Doc::Line(1), self.token(&part), Doc::Space(1)]);
                }
                Kind::choice_elseif => docs.extend(self.branches_of_choice(part)),
                _ => docs.push(self.node(part)),
            }
        }
        docs
    }

    pub(super) fn expr(&self, node: Node<'a>) -> Doc {
        self.bind(node).doc()
    }

    pub(super) fn paren(&self, node: Node<'a>) -> Doc {
        let parts = node.inner().map(|part| self.node(part)).collect();
        Doc::Concat(parts)
    }

    /// Consecutive quantifiers, with their body after them or on a line of its own.
    pub(super) fn quantified(&self, node: Node<'a>) -> Doc {
        let mut parts: Vec<Node<'a>> = node.inner().collect();
        let body = parts.pop().expect("a quantifier has a body");
        let mut docs = self.sequence(&parts, 2 * INDENT);
        docs.push(Doc::nested(vec![Doc::Line(1), self.node(body)]));
        Doc::Concat(docs).aligned().grouped()
    }

    /// `[x: T, y: U -> e]`, with the entry after the arrow or on a line of its own.
    pub(super) fn entries(&self, node: Node<'a>) -> Doc {
        let parts = self.parts(node);
        let [opening, indices @ .., entry, closing] = &parts[..] else {
            return self.row(node);
        };
        let indices = Doc::Concat(self.sequence(indices, 0)).aligned().grouped();
        let below = Doc::nested(vec![Doc::Line(1), self.node(*entry)]);
        let inside = Doc::Concat(vec![indices, below]).aligned();
        Doc::Concat(vec![self.node(*opening), inside, self.node(*closing)]).grouped()
    }
}
