//! The tokens of a file, each with the comments that belong to it.

use super::doc::Doc;
use crate::syntax::tree::{Kind, Node, Tree};

/// A comment, from its `%` to its last visible character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'a> {
    pub(super) text: &'a str,
    /// How far from the start of its line it stands.
    pub(super) column: usize,
    /// Whether a blank line stands before it.
    pub(super) after_blank: bool,
}

/// A token with what stands around it.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// How far from the start of its line it stands.
    pub(super) column: usize,
    /// Whether a blank line stands before it, after all comments.
    pub(super) after_blank: bool,
    /// Comments on lines of their own before it.
    pub(super) above: Vec<Comment<'a>>,
    /// A comment after it on its line.
    pub(super) behind: Option<Comment<'a>>,
}

/// All tokens of a file; the last is empty and stands for the end of the file.
pub(super) struct Tokens<'a> {
    pub(super) list: Vec<Token<'a>>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let mut list: Vec<Token<'a>> = Vec::new();
        let mut gap = Gap::default();
        for part in tree.top().tokens() {
            match part.kind() {
                Kind::WHITESPACE => gap.blank(part.text()),
                Kind::COMMENT => gap.comment(part, list.last_mut()),
                _ => list.push(gap.token(part.text(), part.start())),
            }
        }
        list.push(gap.token("", tree.top().end()));
        Self { list }
    }

    /// The index of the token that starts at a byte.
    pub(super) fn at(&self, start: usize) -> usize {
        self.list.partition_point(|token| token.start < start)
    }

    /// Gives the comments of tokens that the layout drops to their neighbours, so that none is lost.
    pub(super) fn hand_over_comments(&mut self, doc: &Doc) {
        let mut kept = vec![false; self.list.len()];
        mark(doc, &mut kept);
        let mut before: Option<usize> = None;
        let mut handed_on: Vec<Comment<'_>> = Vec::new();
        for (index, kept) in kept.into_iter().enumerate() {
            if kept {
                self.list[index].above.splice(0..0, handed_on.drain(..));
                before = Some(index);
                continue;
            }
            handed_on.append(&mut self.list[index].above);
            let behind = self.list[index].behind.take();
            match before {
                Some(before) if handed_on.is_empty() && self.list[before].behind.is_none() => {
                    self.list[before].behind = behind;
                }
                _ => handed_on.extend(behind),
            }
        }
    }
}

/// What stands between two tokens, as far as it was read.
#[derive(Default)]
struct Gap<'a> {
    /// Whether a line ended since the last token.
    line_ended: bool,
    /// Whether the last line that ended was blank.
    after_blank: bool,
    /// Whether something stands on this line.
    occupied: bool,
    /// The distance of the current position from the start of its line.
    column: usize,
    above: Vec<Comment<'a>>,
}

impl<'a> Gap<'a> {
    fn blank(&mut self, text: &str) {
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            match c {
                '\r' if characters.peek() == Some(&'\n') => {}
                '\r' | '\n' => self.end_line(),
                '\u{FEFF}' => {}
                _ => self.column += 1,
            }
        }
    }

    fn end_line(&mut self) {
        self.after_blank = !self.occupied;
        self.occupied = false;
        self.line_ended = true;
        self.column = 0;
    }

    /// A comment: after the token before it, if that stands on its line.
    fn comment(&mut self, part: Node<'a>, before: Option<&mut Token<'a>>) {
        let comment = Comment {
            text: part.text().trim_end(),
            column: self.column,
            after_blank: self.after_blank,
        };
        match before {
            Some(before) if !self.line_ended => before.behind = Some(comment),
            _ => self.above.push(comment),
        }
        self.occupied = true;
        self.after_blank = false;
    }

    /// The token that ends the gap; the next gap starts after it.
    fn token(&mut self, text: &'a str, start: usize) -> Token<'a> {
        let gap = std::mem::take(self);
        self.column = gap.column + text.chars().count();
        self.occupied = true;
        Token {
            text,
            start,
            column: gap.column,
            after_blank: gap.after_blank,
            above: gap.above,
            behind: None,
        }
    }
}

fn mark(doc: &Doc, kept: &mut [bool]) {
    match doc {
        Doc::Token(index, _) => kept[*index] = true,
        Doc::Concat(docs) => docs.iter().for_each(|doc| mark(doc, kept)),
        Doc::Nest(_, doc) | Doc::Align(doc) | Doc::Group(_, doc) => mark(doc, kept),
        Doc::Space(_) | Doc::Line(_) | Doc::Hard(_) => {}
    }
}
