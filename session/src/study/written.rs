//! Formulas that were found, not read: they are written down so that people can be shown them and where they are wrong.

use ioa_lang::core::{Invariant, Model};
use ioa_lang::print::{self, Context};
use ioa_lang::{Sources, Span};

/// The invariant, standing in a source of its own, which messages call `place`.
pub(crate) fn invariant(
    model: &Model,
    sources: &mut Sources,
    place: &str,
    found: &Invariant,
) -> Invariant {
    let context = Context::automaton(model, found.automaton, &found.locals);
    let (text, places) = print::placed(model, &context, &found.formula);
    let length = text.len();
    let file = sources.add(place, text);
    Invariant {
        formula: places.stand(file, &found.formula),
        span: Span::new(file, 0, length),
        ..found.clone()
    }
}
