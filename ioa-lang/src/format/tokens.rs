//! The tokens of a file, each with the comments that belong to it.

use std::ops::Range;

use super::doc::Doc;
use super::layout::{Piece, leaves};

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
    /// How far from the start of its line it stands, if comments stand above it.
    pub(super) column: usize,
    /// Whether a blank line stands before it, behind all comments.
    pub(super) after_blank: bool,
    /// Comments on lines of their own before it.
    pub(super) above: Vec<Comment<'a>>,
    /// A comment behind it on its line.
    pub(super) behind: Option<Comment<'a>>,
}

/// All tokens of a file; the last is empty and stands for the end of the file.
pub(super) struct Tokens<'a> {
    pub(super) list: Vec<Token<'a>>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str, pieces: &[Piece<'a>]) -> Self {
        let mut list: Vec<Token<'a>> = Vec::new();
        let mut at = text.len() - text.trim_start_matches('\u{FEFF}').len();
        for place in places(text, pieces) {
            let mut token = Token {
                text: &text[place.clone()],
                start: place.start,
                column: 0,
                after_blank: false,
                above: Vec::new(),
                behind: None,
            };
            token.take_comments(text, at..place.start, list.last_mut());
            list.push(token);
            at = place.end;
        }
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

impl<'a> Token<'a> {
    /// Shares out the comments that stand between the previous token and this one.
    fn take_comments(&mut self, text: &'a str, gap: Range<usize>, before: Option<&mut Token<'a>>) {
        let mut lines = lines(text, gap.clone());
        if let Some(before) = before {
            before.behind = lines.next().and_then(|line| comment(text, line, false));
        }
        let mut blank = false;
        for line in lines {
            let found = comment(text, line.clone(), blank);
            blank = found.is_none() && (blank || line.end < gap.end);
            self.above.extend(found);
        }
        self.after_blank = blank;
        if !self.above.is_empty() {
            self.column = column(text, self.start);
        }
    }
}

/// The lines of a part of the text, without their ends. A line ends as it does for the grammar: at `\n`, `\r` or both.
fn lines(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut rest = Some(part);
    std::iter::from_fn(move || {
        let now = rest.take()?;
        let inside = &text[now.clone()];
        let Some(length) = inside.find(['\n', '\r']) else {
            return Some(now);
        };
        let end = now.start + length;
        let broken = if inside[length..].starts_with("\r\n") {
            2
        } else {
            1
        };
        rest = Some(end + broken..now.end);
        Some(now.start..end)
    })
}

/// The comment in a line, or in the rest of one.
fn comment(text: &str, line: Range<usize>, after_blank: bool) -> Option<Comment<'_>> {
    let at = line.start + text[line.clone()].find('%')?;
    Some(Comment {
        text: text[at..line.end].trim_end(),
        column: column(text, at),
        after_blank,
    })
}

fn column(text: &str, at: usize) -> usize {
    let line = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    text[line..at].chars().count()
}

/// Where the tokens of a file stand: those of the pieces, the keywords between the pieces, and the end of the file.
fn places(text: &str, pieces: &[Piece<'_>]) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    for piece in pieces {
        match &piece.tree {
            None => places.push(piece.bytes.clone()),
            Some(tree) => leaves(tree.clone(), &mut |leaf| {
                let span = leaf.as_span();
                let start = piece.bytes.start;
                places.push(start + span.start()..start + span.end());
            }),
        }
    }
    places.push(text.len()..text.len());
    places
}

fn mark(doc: &Doc, kept: &mut [bool]) {
    match doc {
        Doc::Token(index, _) => kept[*index] = true,
        Doc::Concat(docs) => docs.iter().for_each(|doc| mark(doc, kept)),
        Doc::Nest(_, doc) | Doc::Align(doc) | Doc::Group(_, doc) => mark(doc, kept),
        Doc::Space(_) | Doc::Line(_) | Doc::Hard(_) => {}
    }
}
