//! Where the terms of a text stand in it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::core::{CopyParts, Expr, LocalId, TermId, copy_of_parts};
use crate::source::{FileId, Span};

/// Where terms stand in a text that was written from them.
///
/// A term that was constructed has no place of its own. What is said about it names the place where people find it written.
#[derive(Clone, Debug, Default)]
pub struct Places(BTreeMap<TermId, Range<usize>>);

impl Places {
    /// Says where a term stands.
    pub fn add(&mut self, term: &Expr, place: Range<usize>) {
        self.0.insert(term.id(), place);
    }

    /// Adds the places of a text that begins at `start` of this one.
    pub fn append(&mut self, start: usize, part: Self) {
        let moved = part.moved(|place| start + place.start..start + place.end);
        self.0.extend(moved.0);
    }

    /// The places after the text has been laid out anew.
    #[must_use]
    pub fn moved(self, to: impl Fn(Range<usize>) -> Range<usize>) -> Self {
        let places = self.0.into_iter();
        Self(places.map(|(term, place)| (term, to(place))).collect())
    }

    /// A copy of a term, each part of which stands where it is written in the file that has the text. What is not written
    /// by itself, such as a conversion of numbers, stands where the term around it does.
    #[must_use]
    pub fn stand(&self, file: FileId, term: &Expr) -> Expr {
        let around = Span::new(file, 0, 0);
        Standing {
            places: self,
            around,
        }
        .part(term)
    }
}

/// Copies terms to their places.
struct Standing<'p> {
    places: &'p Places,
    /// The place of the term around the one that is copied.
    around: Span,
}

impl CopyParts for Standing<'_> {
    fn part(&mut self, part: &Expr) -> Expr {
        let own = self.places.0.get(&part.id());
        let own = own.map(|place| Span::new(self.around.file, place.start, place.end));
        let span = own.unwrap_or(self.around);
        let before = std::mem::replace(&mut self.around, span);
        let kind = copy_of_parts(&part.kind, self);
        self.around = before;
        Expr::new(kind, part.ty.clone(), span)
    }

    fn binder(&mut self, binder: LocalId) -> LocalId {
        binder
    }
}
