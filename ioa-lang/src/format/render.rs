//! Documents become text: lines that are too long are broken at their outermost places.

use super::doc::{Blank, Doc, INDENT, WIDTH};
use super::tokens::{Comment, Tokens};

/// Nothing is aligned further to the right than this: what does not fit there gets a line of its own further left.
const MAX_ALIGNED: usize = 60;

/// Writes a document.
pub(super) fn render(doc: &Doc, tokens: &Tokens<'_>) -> String {
    let mut renderer = Renderer {
        tokens,
        out: String::new(),
        column: 0,
        indent: 0,
        gap: Gap::Start,
        ended: false,
    };
    renderer.write(doc);
    if !renderer.out.is_empty() {
        renderer.out.push('\n');
    }
    renderer.out
}

/// What is due before the next token.
#[derive(Clone, Copy)]
enum Gap {
    /// Nothing: the text starts here.
    Start,
    /// So many blanks.
    Space(usize),
    /// A line break that the width asks for, and how far the next line is indented.
    Broken(usize),
    /// The same for a line break that stands here in any case.
    Ended(usize, Blank),
}

/// Whether the lines of the groups around a place are broken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
}

/// A document that is yet to be written, with how far its lines are to be indented.
type Task<'d> = (usize, Mode, &'d Doc);

struct Renderer<'t, 'a> {
    tokens: &'t Tokens<'a>,
    out: String,
    /// How wide the last line is.
    column: usize,
    /// How far the last line is indented.
    indent: usize,
    gap: Gap,
    /// Whether a comment ended the line.
    ended: bool,
}

impl Renderer<'_, '_> {
    fn write(&mut self, doc: &Doc) {
        let mut tasks: Vec<Task<'_>> = vec![(0, Mode::Broken, doc)];
        while let Some((indent, mode, doc)) = tasks.pop() {
            match doc {
                Doc::Token(index, spelt) => self.token(indent, *index, *spelt),
                Doc::Space(count) => self.space(*count),
                Doc::Line(count) if mode == Mode::Flat => self.space(*count),
                Doc::Line(_) => self.gap = Gap::Broken(indent),
                Doc::Hard(blank) => self.end_line(indent, *blank),
                Doc::Concat(docs) => tasks.extend(docs.iter().rev().map(|doc| (indent, mode, doc))),
                Doc::Nest(columns, doc) => tasks.push((indent + columns, mode, doc)),
                Doc::Align(doc) => tasks.push((self.aligned(indent), mode, doc)),
                Doc::Group(width, doc) => {
                    let left = WIDTH.saturating_sub(self.next_column(indent));
                    let fits = mode == Mode::Flat || self.fits(indent, *width, left, doc, &tasks);
                    let mode = if fits { Mode::Flat } else { Mode::Broken };
                    tasks.push((indent, mode, doc));
                }
            }
        }
    }

    fn space(&mut self, count: usize) {
        if let Gap::Space(_) = self.gap {
            self.gap = Gap::Space(count);
        }
    }

    fn end_line(&mut self, indent: usize, blank: Blank) {
        if !matches!(self.gap, Gap::Start) {
            self.gap = Gap::Ended(indent, blank);
        }
    }

    /// The column at which the next token will stand.
    fn next_column(&self, indent: usize) -> usize {
        match self.gap {
            Gap::Broken(indent) | Gap::Ended(indent, _) => indent,
            Gap::Space(_) if self.ended => indent,
            Gap::Space(count) => self.column + count,
            Gap::Start => 0,
        }
    }

    fn aligned(&self, indent: usize) -> usize {
        match self.next_column(indent) {
            column if column <= MAX_ALIGNED => column,
            _ => indent + 2 * INDENT,
        }
    }

    /// Whether a document fits on what is left of the line, together with all that follows it up to the next break.
    fn fits(
        &self,
        indent: usize,
        width: usize,
        left: usize,
        doc: &Doc,
        after: &[Task<'_>],
    ) -> bool {
        let mut line = Measure::new(self.tokens, width.min(left));
        let mut tasks = vec![(indent, Mode::Flat, doc)];
        while let Some((_, mode, doc)) = tasks.pop() {
            if line.add(mode, doc, &mut tasks) == Some(false) {
                return false;
            }
        }
        line.left = line.left.saturating_add(left.saturating_sub(width));
        for &task in after.iter().rev() {
            tasks.push(task);
            while let Some((_, mode, doc)) = tasks.pop() {
                if let Some(fits) = line.add(mode, doc, &mut tasks) {
                    return fits;
                }
            }
        }
        true
    }

    fn token(&mut self, indent: usize, index: usize, spelt: Option<&str>) {
        let token = &self.tokens.list[index];
        let text = spelt.unwrap_or(token.text);
        if !token.above.is_empty() {
            self.comments(indent, &token.above, token.column);
        }
        if text.is_empty() {
            return;
        }
        self.start(indent, token.after_blank);
        self.push(text);
        if let Some(comment) = token.behind {
            self.out.push_str("  ");
            self.out.push_str(comment.text);
            self.ended = true;
        }
    }

    /// Writes the comments above a token that was at a given column. Comments that were indented further, directly after
    /// more deeply indented text, belong to that text.
    fn comments(&mut self, indent: usize, comments: &[Comment<'_>], column: usize) {
        let due = match self.gap {
            Gap::Space(_) => Gap::Broken(indent),
            gap => gap,
        };
        let mut rest = comments;
        self.gap = due;
        if let Gap::Ended(indent, blank) = due
            && self.indent > indent
        {
            let inner = comments
                .iter()
                .take_while(|comment| comment.column > column);
            let (inner, outer) = comments.split_at(inner.count());
            for comment in inner {
                self.gap = Gap::Ended(self.indent, Blank::Keep);
                self.comment(comment);
                self.gap = Gap::Ended(indent, blank);
            }
            rest = outer;
        }
        for comment in rest {
            self.comment(comment);
            self.gap = match due {
                Gap::Ended(indent, _) => Gap::Ended(indent, Blank::Keep),
                Gap::Start => Gap::Ended(0, Blank::Keep),
                due => due,
            };
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        self.start(0, comment.after_blank);
        self.push(comment.text);
    }

    /// Writes what is due before a token or a comment.
    fn start(&mut self, indent: usize, after_blank: bool) {
        match self.gap {
            Gap::Start => {}
            Gap::Space(_) if self.ended => self.new_line(indent, false),
            Gap::Space(count) => {
                self.out.extend(std::iter::repeat_n(' ', count));
                self.column += count;
            }
            Gap::Broken(indent) => self.new_line(indent, false),
            Gap::Ended(indent, blank) => {
                let blank = blank == Blank::One || blank == Blank::Keep && after_blank;
                self.new_line(indent, blank);
            }
        }
        self.gap = Gap::Space(0);
        self.ended = false;
    }

    fn new_line(&mut self, indent: usize, after_blank: bool) {
        self.out.push_str(if after_blank { "\n\n" } else { "\n" });
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.indent = indent;
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }
}

/// Measures a line without writing it.
struct Measure<'t, 'a> {
    tokens: &'t Tokens<'a>,
    /// How many columns are left.
    left: usize,
    space: usize,
    first: bool,
    ended: bool,
}

impl<'t, 'a> Measure<'t, 'a> {
    fn new(tokens: &'t Tokens<'a>, left: usize) -> Self {
        Self {
            tokens,
            left,
            space: 0,
            first: true,
            ended: false,
        }
    }

    /// Adds a document to the line. `Some(true)` where the line ends with it, `Some(false)` where it does not fit.
    fn add<'d>(&mut self, mode: Mode, doc: &'d Doc, tasks: &mut Vec<Task<'d>>) -> Option<bool> {
        match doc {
            Doc::Token(index, spelt) => return self.token(*index, *spelt),
            Doc::Space(count) => self.space = *count,
            Doc::Line(count) if mode == Mode::Flat => self.space = *count,
            Doc::Line(_) => return Some(true),
            Doc::Hard(_) => return Some(mode == Mode::Broken),
            Doc::Concat(docs) => tasks.extend(docs.iter().rev().map(|doc| (0, mode, doc))),
            Doc::Nest(_, doc) | Doc::Align(doc) | Doc::Group(_, doc) => tasks.push((0, mode, doc)),
        }
        None
    }

    fn token(&mut self, index: usize, spelt: Option<&str>) -> Option<bool> {
        let token = &self.tokens.list[index];
        if self.ended || !self.first && !token.above.is_empty() {
            return Some(false);
        }
        let width = self.space + spelt.unwrap_or(token.text).chars().count();
        self.space = 0;
        self.first = false;
        self.ended = token.behind.is_some();
        match self.left.checked_sub(width) {
            Some(left) => self.left = left,
            None => return Some(false),
        }
        None
    }
}
