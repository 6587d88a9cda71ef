//! How much work a term can be, and whether it can stop without a value.

use interpreter::code::{Arith, Domain, Source, Term, Word};
use ioa_lang::core::{Op, Type};

use crate::reach::{is_numeric_relation, part_of};

/// Approximate number of operations of a call of the interpreter.
pub(super) const SIZE_OF_CALL: u64 = 40;

/// Whether evaluating the term can end in a fault.
pub(crate) fn can_stop(word: &Word) -> bool {
    if word.can_stop_by_itself() || matches!(word, Word::Arith(arith) if arith_can_stop(arith)) {
        return true;
    }
    let mut found = false;
    word.children(&mut |child| found |= can_stop(child));
    found || matches!(word, Word::Loop(turn) if domain_can_stop(&turn.domain))
}

/// Whether an operator can be undefined, or its result is not known to fit.
fn arith_can_stop(arith: &Arith) -> bool {
    let ty = if arith.nat { Type::Nat } else { Type::Int };
    let is_divided = matches!(
        (arith.op, &*arith.parts),
        (Op::Div | Op::Mod, [_, Word::Const(divisor)]) if divisor.cast_signed() > 0
    );
    (arith.op.is_partial(&ty) && !is_divided) || !arith.op.is_bounded()
}

fn domain_can_stop(domain: &Domain) -> bool {
    match domain {
        Domain::Below(_) | Domain::Codes(_) | Domain::OneOf(_) => false,
        Domain::Masks(masks) => masks.iter().any(can_stop),
        Domain::Numbered(numbered) => numbered.masks.iter().any(can_stop),
        Domain::Mask(word) | Domain::Exactly(Term::Word(word)) => can_stop(word),
        Domain::Range(low, high, _) => low.iter().chain(high).any(|b| can_stop(&b.term)),
        // What they consist of cannot fault.
        Domain::Found(sources) => sources.iter().any(|source| domain_can_stop(&source.outer)),
        Domain::Exactly(_) | Domain::Elements(_) | Domain::Between(..) | Domain::Numbers(_) => true,
    }
}

/// The operations that a term is made of, each counted once.
pub(crate) fn size(word: &Word) -> u64 {
    let mut total = match word {
        Word::Const(_) | Word::Local(_) => 0,
        Word::Column { .. } | Word::Matches { .. } | Word::Number(_) => 8,
        Word::Cell(general) if !is_numeric_relation(general) => SIZE_OF_CALL,
        Word::Loop(turn) => 4 + domain_size(&turn.domain),
        _ => 1,
    };
    word.children(&mut |child| total += size(child));
    total
}

fn domain_size(domain: &Domain) -> u64 {
    match domain {
        // The mask of a loop is counted among the loop's children.
        Domain::Exactly(Term::Word(word)) => size(word),
        Domain::OneOf(cases) => {
            let each = cases.iter();
            each.map(|case| size(&case.given) + size(&case.value)).sum()
        }
        Domain::Range(low, high, _) => low.iter().chain(high).map(|b| size(&b.term)).sum(),
        Domain::Found(sources) => sources.iter().map(source_size).sum(),
        _ => 0,
    }
}

fn source_size(source: &Source) -> u64 {
    let part = part_of(source).map_or(SIZE_OF_CALL, size);
    size(&source.given) + domain_size(&source.outer) + size(&source.filter) + part
}

pub(super) fn size_of_one(word: &Word) -> u64 {
    match word {
        Word::Column { .. } | Word::Matches { .. } | Word::Number(_) => 8,
        _ => 1,
    }
}
