//! What two terms say of small instances alone.

use ioa_lang::core::{ExprKind, Op};

use super::super::frame::Frame;
use super::super::term::Term;

/// Whether two terms together say only how long the sequences of small instances are: a position compared with a constant or with the
/// length of a sequence, and, beside variables that range over positions or elements, the lengths of sequences. But a number in an
/// element may well be one of a position, as that of a packet is.
pub(super) fn is_of_chance(frame: &Frame, a: &Term, b: &Term) -> bool {
    let is_position = |term: &Term| frame.sequence(&term.expr).is_some();
    let is_length = |term: &Term| matches!(term.expr.kind, ExprKind::Apply(Op::Len, _));
    let is_fixed = |term: &Term| term.ty().is_integer() && !term.reads_state || is_length(term);
    let is_in_element =
        |term: &Term| term.binders != 0 && !is_length(term) && !frame.has_positions();
    is_position(a) && is_fixed(b)
        || is_position(b) && is_fixed(a)
        || frame.is_ranged()
            && (is_length(a) || is_length(b))
            && !is_in_element(a)
            && !is_in_element(b)
}
