//! Documents: tokens with the places between them where a line may or must be broken.
//!
//! The algebra is that of Wadler ("A prettier printer", 2003), with alignment to a column and with tokens that carry
//! comments.

/// Maximum width of a line, if it can be broken.
pub const WIDTH: usize = 100;

/// How many columns a level of indentation has.
pub(super) const INDENT: usize = 2;

/// A laid-out text that has not yet been given a width.
#[derive(Debug)]
pub(super) enum Doc {
    /// A token of the file, by its index, possibly with another spelling.
    Token(usize, Option<&'static str>),
    /// Blanks between two tokens of a line.
    Space(usize),
    /// A place where a group that does not fit on one line is broken; otherwise the given number of blanks.
    Line(usize),
    /// A place where the line always ends.
    Hard(Blank),
    /// One after the other.
    Concat(Vec<Doc>),
    /// Lines inside are indented by the given number of columns.
    Nest(usize, Box<Doc>),
    /// Lines inside start at the column of the first token.
    Align(Box<Doc>),
    /// On one line, if that fits into the given width (and into what is left of the page); otherwise broken at all its
    /// own lines.
    Group(usize, Box<Doc>),
}

/// How blank lines are treated at a place where the line ends anyway. Of several such places in a row, the last one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Blank {
    /// There are none.
    None,
    /// One stays where there were any.
    Keep,
    /// There is one.
    One,
}

impl Doc {
    /// A document that lies deeper by one level of indentation.
    pub(super) fn nested(docs: Vec<Self>) -> Self {
        Self::Nest(INDENT, Box::new(Self::Concat(docs)))
    }

    /// A document whose lines all start where the first does.
    pub(super) fn aligned(self) -> Self {
        Self::Align(Box::new(self))
    }

    /// A document on one line if it fits.
    pub(super) fn grouped(self) -> Self {
        self.grouped_within(WIDTH)
    }

    /// A document on one line if it is no wider than this.
    pub(super) fn grouped_within(self, width: usize) -> Self {
        Self::Group(width, Box::new(self))
    }
}
