//! Two numbers on a line.

use crate::relations::evaluate::Block;
use crate::relations::term::TermId;

/// Whether `y = factor * x + offset` so far.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) x: TermId,
    pub(super) y: TermId,
    state: LineState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineState {
    Unseen,
    Point(i64, i64),
    Through { factor: i64, offset: i64 },
    Broken,
}

impl Line {
    /// Nothing seen yet.
    pub(super) fn of(x: TermId, y: TermId) -> Self {
        Self {
            x,
            y,
            state: LineState::Unseen,
        }
    }

    /// Takes the rows of a block in; says whether all points are on a line so far.
    pub(super) fn absorb(&mut self, block: &Block) -> bool {
        for row in block.defined_rows(&[self.x, self.y]).ones() {
            let (x, y) = (block.word(self.x, row), block.word(self.y, row));
            self.note(x as i64, y as i64);
            if self.state == LineState::Broken {
                return false;
            }
        }
        true
    }

    /// The factor and the offset of the line, if there is one.
    pub(super) fn found(&self) -> Option<(i64, i64)> {
        match self.state {
            LineState::Through { factor, offset } => Some((factor, offset)),
            _ => None,
        }
    }

    fn note(&mut self, x: i64, y: i64) {
        self.state = match self.state {
            LineState::Unseen => LineState::Point(x, y),
            LineState::Point(x0, y0) if (x0, y0) == (x, y) => self.state,
            LineState::Point(x0, y0) => through((x0, y0), (x, y)),
            LineState::Through { factor, offset } => {
                let expected = factor.checked_mul(x).and_then(|p| p.checked_add(offset));
                if expected == Some(y) {
                    self.state
                } else {
                    LineState::Broken
                }
            }
            LineState::Broken => LineState::Broken,
        };
    }
}

/// The line through two points, where it has integer coefficients and is neither level nor steep in `y`.
fn through((x0, y0): (i64, i64), (x1, y1): (i64, i64)) -> LineState {
    let line = || {
        let (dx, dy) = (x1.checked_sub(x0)?, y1.checked_sub(y0)?);
        let factor = dy.checked_div(dx)?;
        let exact = factor != 0 && factor.checked_mul(dx)? == dy;
        let offset = y0.checked_sub(factor.checked_mul(x0)?)?;
        exact.then_some(LineState::Through { factor, offset })
    };
    line().unwrap_or(LineState::Broken)
}
