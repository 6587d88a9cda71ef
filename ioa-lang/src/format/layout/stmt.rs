//! Statements and declarations: each on a line of its own, but for the shortest conditions and loops.

use super::{Blank, Doc, Layout, Node, WIDTH_OF_STATEMENT, spacing};
use crate::syntax::tree::Kind;
use crate::syntax::view::{Block, Branch, Statement, View};

impl<'a> Layout<'_, 'a> {
    /// Statements, each on a line of its own.
    pub(super) fn stmts(&self, node: Node<'a>) -> Doc {
        self.lines(node, Self::token)
    }

    /// Declarations, each on a line of its own, with commas between them.
    pub(super) fn decls(&self, node: Node<'a>) -> Doc {
        self.lines(node, Self::comma)
    }

    /// Parts on lines of their own, with one separator between each two.
    fn lines(&self, node: Node<'a>, separator: impl Fn(&Self, &Node<'a>) -> Doc) -> Doc {
        let mut docs = Vec::new();
        let parts = self.parts(node);
        for part in parts.into_iter().skip_while(spacing::is_separator) {
            match spacing::is_separator(&part) {
                true => docs.extend([
                    Doc::Space(0),
                    separator(self, &part),
                    Doc::Hard(Blank::Keep),
                ]),
                false => docs.push(self.node(part)),
            }
        }
        Doc::Concat(docs)
    }

    /// A separator, written as a comma.
    pub(super) fn comma(&self, separator: &Node<'a>) -> Doc {
        Doc::Token(self.index(separator), Some(","))
    }

    /// `if`, `for`, `while`.
    pub(super) fn compound(&self, node: Node<'a>) -> Doc {
        let compact = is_compact(&node);
        let docs = self.blocks(node, compact);
        Doc::Concat(docs).grouped_within(WIDTH_OF_STATEMENT)
    }

    /// The parts of a node with blocks of statements in it: the blocks indented on lines of their own, unless all is
    /// compact and fits on one line.
    fn blocks(&self, node: Node<'a>, compact: bool) -> Vec<Doc> {
        let line = || match compact {
            true => Doc::Line(1),
            false => Doc::Hard(Blank::None),
        };
        let mut docs = Vec::new();
        let parts = self.parts(node);
        for (index, part) in parts.iter().enumerate() {
            match part.kind() {
                Kind::stmts => docs.push(Doc::nested(vec![line(), self.node(*part)])),
                Kind::branch | Kind::elseif => {
                    if !docs.is_empty() {
                        docs.push(line());
                    }
                    docs.extend(self.blocks(*part, compact));
                }
                Kind::k_od | Kind::k_fi | Kind::k_else => {
                    docs.extend([line(), self.token(part)]);
                }
                _ => {
                    let before = index.checked_sub(1).map(|before| &parts[before]);
                    docs.extend(before.map(|before| spacing::between(before, part)));
                    docs.push(self.node(*part));
                }
            }
        }
        docs
    }

    /// `eff` and its statements, aligned.
    pub(super) fn effect(&self, node: Node<'a>) -> Doc {
        let docs = self.sequence(&self.parts(node), 0);
        Doc::Concat(docs.into_iter().map(Doc::aligned).collect())
    }

    /// `states` and its declarations.
    pub(super) fn states(&self, node: Node<'a>) -> Doc {
        let mut docs: Vec<Doc> = Vec::new();
        for part in self.parts(node) {
            docs.push(match part.kind() {
                Kind::decls => Doc::nested(vec![Doc::Hard(Blank::Keep), self.node(part)]),
                _ => self.token(&part),
            });
        }
        Doc::Concat(docs)
    }

    /// The body of a schedule: its states, and its statements between `do` and `od`.
    pub(super) fn body(&self, node: Node<'a>) -> Doc {
        let (states, block): (Vec<_>, Vec<_>) = self
            .parts(node)
            .into_iter()
            .partition(|part| part.kind() == Kind::states_block);
        let mut docs = Vec::new();
        for part in states {
            docs.extend([self.node(part), Doc::Hard(Blank::None)]);
        }
        for part in block {
            match part.kind() {
                Kind::stmts => {
                    docs.push(Doc::nested(vec![Doc::Hard(Blank::None), self.node(part)]));
                }
                Kind::k_od => docs.extend([Doc::Hard(Blank::None), self.token(&part)]),
                _ => docs.push(self.token(&part)),
            }
        }
        Doc::Concat(docs)
    }
}

/// Whether a condition or a loop may stand on one line: if each of its blocks is one simple statement.
fn is_compact(node: &Node<'_>) -> bool {
    node.inner().all(|part| match Block::cast(part) {
        Some(block) => block.statements().count() <= 1 && block.statements().all(is_simple),
        None => Branch::cast(part).is_none() || is_compact(&part),
    })
}

fn is_simple(statement: Statement<'_>) -> bool {
    use Statement::{Assignment, Fire, Ignore};
    matches!(statement, Assignment(_) | Fire(_) | Ignore(_))
}
