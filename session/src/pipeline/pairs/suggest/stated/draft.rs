//! A text with terms in it, that knows where each of them stands.

use std::ops::Range;

use ioa_lang::print::Places;
use ioa_lang::source::FileId;
use ioa_lang::{Span, format};

/// A text, and where its parts stand.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) text: String,
    /// Where its terms stand.
    pub(super) terms: Places,
    /// The heading of the simulation, then those of the entries.
    pub(super) headings: Vec<Range<usize>>,
    /// The `fire`s, in the order of the text.
    pub(super) fires: Vec<Range<usize>>,
}

impl Draft {
    pub(super) fn say(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds the text of a term.
    pub(super) fn term(&mut self, (text, places): (String, Places)) {
        self.terms.append(self.text.len(), places);
        self.say(&text);
    }

    pub(super) fn heading(&mut self, text: &str) {
        let start = self.text.len();
        self.say(text);
        self.headings.push(start..self.text.len());
    }

    /// The same in the usual layout.
    pub(super) fn laid_out(self) -> Self {
        let Ok(text) = format::format(FileId(0), &self.text) else {
            return self;
        };
        let Some(move_to) = moves(&self.text, &text) else {
            return self;
        };
        // What stands in the text neither begins nor ends with a blank.
        let to = |place: Range<usize>| match place.is_empty() {
            true => move_to[place.start]..move_to[place.start],
            false => move_to[place.start]..move_to[place.end - 1] + 1,
        };
        let all = |places: Vec<Range<usize>>| places.into_iter().map(to).collect();
        Self {
            text,
            terms: self.terms.moved(to),
            headings: all(self.headings),
            fires: all(self.fires),
        }
    }
}

/// Where each byte of a text stands in another one that differs from it only in blanks; nothing where it differs in more.
fn moves(from: &str, to: &str) -> Option<Vec<usize>> {
    let mut inked = to
        .bytes()
        .enumerate()
        .filter(|(_, b)| !b.is_ascii_whitespace());
    let mut next = 0;
    let moved = from.bytes().map(|byte| {
        if !byte.is_ascii_whitespace() {
            let (at, same) = inked.next()?;
            next = at;
            (same == byte).then_some(())?;
        }
        Some(next)
    });
    let moved: Vec<usize> = moved.collect::<Option<_>>()?;
    inked.next().is_none().then_some(moved)
}

/// A place in a file.
pub(super) fn span(file: FileId, place: &Range<usize>) -> Span {
    Span::new(file, place.start, place.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_followed_through_its_layout() {
        let moved = moves("a  b\nc", "a\n  b c").expect("only blanks differ");
        assert_eq!([moved[0], moved[3], moved[5]], [0, 4, 6]);
        assert_eq!(moves("a b", "a c"), None);
        assert_eq!(moves("a", "a b"), None);
        assert_eq!(moves("a b", "a"), None);
    }
}
