//! Which bits the value of a term can have, and the bounds of its value.

use finite::low_bits;
use interpreter::code::{
    Arith, Binary, Bound, Domain, Fold, General, Slot, Source, Term, TypeInfo, Word,
};
use interpreter::{Cell, Number};
use ioa_lang::core::Op;

use crate::asked::MAX_LISTED;

/// The least and the greatest value of a number.
pub(crate) type Interval = (i64, i64);

/// The bounds of an operator's result, if both are finite.
pub(crate) fn result(op: Op, first: Interval, second: Interval) -> Option<Interval> {
    let [first, second] = [first, second].map(|(low, high)| ioa_lang::core::Interval { low, high });
    let found = op
        .interval(first, second)
        .filter(|found| found.is_finite())?;
    Some((found.low, found.high))
}

/// Maximum code of a value over which a statement iterates, or of one that is found: the set of these values must fit into a stack frame.
pub(crate) const LAST_CANDIDATE: u64 = (1 << 12) - 1;

/// Maximum number of values found at sources where they have greater codes; if there are more, the state is interpreted.
pub(crate) const MOST_FOUND: u64 = 1 << 8;

/// Maximum distance from zero of numbers that are compared.
pub(crate) const MAX_NUMBER: i64 = 1 << 40;

/// Maximum exponent of powers that native code computes.
pub(crate) const MAX_EXPONENT: i64 = 63;

/// For each bound variable, the bits that its values can have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach(Vec<u64>);

impl Reach {
    /// Notes the bits that a bound variable can have.
    pub(crate) fn bind(&mut self, slot: Slot, bits: u64) {
        let slot = slot as usize;
        if self.0.len() <= slot {
            self.0.resize(slot + 1, u64::MAX);
        }
        self.0[slot] = bits;
    }

    /// The bits that a word can have.
    pub(crate) fn word(&mut self, word: &Word) -> u64 {
        match word {
            Word::Const(n) => *n,
            Word::Load(_, field) => field.slice().mask(),
            Word::Local(slot) => self.0.get(*slot as usize).copied().unwrap_or(u64::MAX),
            Word::Not(_) | Word::And(_) | Word::Or(_) | Word::Implies(_) => 1,
            Word::Cell(general) => match is_numeric_relation(general) {
                true => 1,
                false => u64::MAX,
            },
            Word::If(parts) => self.word(&parts[1]) | self.word(&parts[2]),
            Word::Binary(op, parts) => self.binary(*op, &parts[0], &parts[1]),
            Word::Extract { from, slice } => slice.read(self.word(from)),
            Word::Shift { value, shift } => self.word(value) << shift,
            Word::Update { parts, slice } => {
                let (whole, part) = (self.word(&parts[0]), self.word(&parts[1]));
                whole & !slice.in_place() | part << slice.shift()
            }
            Word::Select { elements, .. } => elements.mask(),
            Word::Column { count, .. } | Word::Matches { count, .. } => low_bits(*count),
            Word::Table(entries, _) => entries.iter().fold(0, |bits, entry| bits | entry),
            Word::Succ(a) => smear(smear(self.word(a)).saturating_add(1)),
            Word::Pred(a) | Word::Val(a, _) | Word::Entry(a, _) => smear(self.word(a)),
            Word::Payload(payload) => smear(payload.max),
            Word::Within(within) => self.word(&within.value),
            Word::Let(slot, parts) => {
                let bits = self.word(&parts[0]);
                self.bind(*slot, bits);
                self.word(&parts[1])
            }
            Word::Loop(turn) => match turn.fold {
                Fold::All | Fold::Any => 1,
                Fold::Collect => self.as_mask(&turn.domain),
            },
            Word::Narrow(narrow) => smear(narrow.max),
            Word::Number(numbering) => smear(numbering.dictionary.room()),
            Word::Element(element) => smear(element.max),
            Word::Count(_) => low_bits(7),
            Word::Offset(..) | Word::Arith(_) => match self.interval(word) {
                Some((0.., high)) => smear(high.cast_unsigned()),
                _ => u64::MAX,
            },
            Word::Assign { .. } | Word::Times(..) => u64::MAX,
        }
    }

    /// The bounds of a term's value, if it is known not to be too far from 0.
    pub(crate) fn interval(&mut self, word: &Word) -> Option<Interval> {
        let (low, high) = match word {
            Word::Const(n) => (n.cast_signed(), n.cast_signed()),
            Word::Offset(code, low) => {
                let (least, greatest) = self.interval(code)?;
                (least.checked_add(*low)?, greatest.checked_add(*low)?)
            }
            Word::Arith(arith) => self.computed(arith)?,
            Word::If(parts) => {
                let ((a, b), (c, d)) = (self.interval(&parts[1])?, self.interval(&parts[2])?);
                (a.min(c), b.max(d))
            }
            Word::Let(slot, parts) => {
                let bits = self.word(&parts[0]);
                self.bind(*slot, bits);
                self.interval(&parts[1])?
            }
            word => (0, i64::try_from(self.word(word)).ok()?),
        };
        (-MAX_NUMBER <= low && high <= MAX_NUMBER).then_some((low, high))
    }

    /// The bounds of an operator's result, if native code computes it.
    fn computed(&mut self, arith: &Arith) -> Option<Interval> {
        let first = self.interval(&arith.parts[0])?;
        let second = match arith.parts.get(1) {
            Some(second) => self.interval(second)?,
            None => (0, 0),
        };
        let is_computed = match arith.op {
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Abs | Op::Min | Op::Max => true,
            // A divisor of 0 is left to the interpreter.
            Op::Div | Op::Mod => second.0 >= 0,
            Op::Pow => (0..=MAX_EXPONENT).contains(&second.0) && second.1 <= MAX_EXPONENT,
            _ => false,
        };
        let (low, high) = result(arith.op, first, second).filter(|_| is_computed)?;
        Some((if arith.nat { low.max(0) } else { low }, high))
    }

    fn binary(&mut self, op: Binary, left: &Word, right: &Word) -> u64 {
        match op {
            Binary::Equal | Binary::Less | Binary::SignedLess | Binary::Subset | Binary::Member => {
                1
            }
            Binary::And => self.word(left) & self.word(right),
            Binary::Or | Binary::Xor => self.word(left) | self.word(right),
            Binary::AndNot => self.word(left),
            Binary::Insert => self.word(right) | positions(self.word(left)),
            Binary::Delete => self.word(right),
            Binary::Plus => {
                let sum = self.word(left).checked_add(self.word(right));
                sum.map_or(u64::MAX, smear)
            }
            Binary::Minus => u64::MAX,
        }
    }

    /// The bits that the values of a domain can have.
    pub(crate) fn codes(&mut self, domain: &Domain) -> u64 {
        match domain {
            Domain::Below(n) => smear(n.saturating_sub(1)),
            Domain::Codes(codes) => codes.iter().fold(0, |bits, code| bits | code),
            Domain::Mask(mask) => {
                let bits = self.word(mask);
                smear(u64::from(u64::BITS - 1 - (bits | 1).leading_zeros()))
            }
            Domain::Masks(masks) => smear(64 * masks.len() as u64 - 1),
            Domain::Numbered(numbered) => smear(numbered.max()),
            Domain::Exactly(Term::Word(word)) => self.word(word),
            Domain::OneOf(cases) => {
                let values = cases.iter().map(|case| self.word(&case.value));
                values.fold(0, |bits, value| bits | value)
            }
            Domain::Range(low, high, _) => match self.range(low, high) {
                Some((0.., high)) => smear(high.cast_unsigned()),
                _ => u64::MAX,
            },
            Domain::Found(sources) => {
                let each = sources.iter().map(|source| self.parts(source));
                each.fold(0, |bits, parts| bits | parts)
            }
            _ => u64::MAX,
        }
    }

    /// The bits that the values at a source can have.
    fn parts(&mut self, source: &Source) -> u64 {
        let codes = self.codes(&source.outer);
        self.bind(source.slot, codes);
        part_of(source).map_or(u64::MAX, |part| smear(self.word(part)))
    }

    /// Whether code finds the values at some sources by itself: it goes through what they are parts of, and none of them is below 0.
    fn are_found(&mut self, domain: &Domain, sources: &[Source]) -> bool {
        let mut outer = sources.iter().map(|source| &source.outer);
        let are_words = outer.all(|outer| {
            !matches!(outer, Domain::Exactly(Term::General(_) | Term::Limbs(_)))
                && !self.is_listed(outer)
        });
        are_words && self.codes(domain) <= i64::MAX.cast_unsigned()
    }

    /// The interval of the integers that satisfy some bounds.
    pub(crate) fn range(&mut self, low: &[Bound<Word>], high: &[Bound<Word>]) -> Option<Interval> {
        let mut ends = (i64::MIN, i64::MAX);
        for bound in low {
            let least = self.interval(&bound.term)?.0 + i64::from(bound.strict);
            ends.0 = ends.0.max(least);
        }
        for bound in high {
            let greatest = self.interval(&bound.term)?.1 - i64::from(bound.strict);
            ends.1 = ends.1.min(greatest);
        }
        Some((ends.0, ends.1.max(ends.0)))
    }

    /// The values of a domain, as bits of a mask that they can be collected in.
    pub(crate) fn as_mask(&mut self, domain: &Domain) -> u64 {
        match domain {
            Domain::Mask(mask) => self.word(mask),
            domain => positions(self.codes(domain)),
        }
    }

    /// Whether code cannot compute a term by itself although it may compute the term's parts.
    pub(crate) fn is_asked(&mut self, word: &Word) -> bool {
        match word {
            Word::Cell(general) => !is_numeric_relation(general),
            Word::Arith(_) | Word::Offset(..) => self.interval(word).is_none(),
            Word::Loop(turn) => {
                turn.fold == Fold::Collect && self.codes(&turn.domain) >= u64::from(u64::BITS)
            }
            _ => false,
        }
    }

    /// Whether code cannot go through the values of a domain by itself.
    pub(crate) fn is_listed(&mut self, domain: &Domain) -> bool {
        match domain {
            Domain::Below(_)
            | Domain::Codes(_)
            | Domain::Mask(_)
            | Domain::Masks(_)
            | Domain::Numbered(_)
            | Domain::OneOf(_)
            | Domain::Exactly(_) => false,
            Domain::Range(low, high, _) => self.range(low, high).is_none(),
            Domain::Found(sources) => !self.are_found(domain, sources),
            Domain::Elements(_) | Domain::Between(..) | Domain::Numbers(_) => true,
        }
    }

    /// How many bits of some masks can be 1.
    fn bits_of(&mut self, masks: &[Word]) -> u64 {
        let counts = masks.iter().map(|mask| self.word(mask).count_ones());
        counts.map(u64::from).sum()
    }

    /// How many values a domain can have where code goes through them.
    pub(crate) fn count(&mut self, domain: &Domain) -> u64 {
        match domain {
            Domain::Below(n) => *n,
            Domain::Codes(codes) => codes.len() as u64,
            Domain::Mask(mask) => u64::from(self.word(mask).count_ones()),
            Domain::Masks(masks) => self.bits_of(masks),
            Domain::Numbered(numbered) => self.bits_of(&numbered.masks),
            Domain::Exactly(_) => 1,
            Domain::OneOf(cases) => cases.len() as u64,
            Domain::Range(low, high, _) => match self.range(low, high) {
                Some((low, high)) => high.abs_diff(low) + 1,
                None => MAX_LISTED,
            },
            Domain::Found(sources) => {
                let all = sources.iter().map(|source| self.count(&source.outer));
                let parts = all.fold(0, u64::saturating_add);
                match self.codes(domain) {
                    last @ ..=LAST_CANDIDATE => parts.min(last + 1),
                    _ => parts.min(MOST_FOUND),
                }
            }
            Domain::Elements(_) | Domain::Between(..) | Domain::Numbers(_) => MAX_LISTED,
        }
    }
}

/// The term for the values at a source, if these are words.
pub(crate) fn part_of(source: &Source) -> Option<&Word> {
    match &source.value {
        Term::Word(word) => Some(word),
        Term::General(General::Number(number)) => Some(number),
        Term::General(_) | Term::Limbs(_) => None,
    }
}

/// Whether a general term relates two numbers that code computes.
pub(crate) fn is_numeric_relation(term: &General) -> bool {
    let General::Apply(apply) = term else {
        return false;
    };
    let is_small = |arg: &General| {
        let interval = numeral(arg);
        interval.is_some_and(|(low, high)| -MAX_NUMBER <= low && high <= MAX_NUMBER)
    };
    matches!(apply.op, Op::Eq | Op::Lt | Op::Le) && apply.args.iter().all(is_small)
}

/// The bounds of a number that code computes: one that is made of constants and the sizes of packed sets.
fn numeral(term: &General) -> Option<Interval> {
    let apply = match term {
        General::Const(Cell::Int(Number::Small(n))) => return Some((*n, *n)),
        General::Apply(apply) => apply,
        _ => return None,
    };
    if let (Op::Size, [General::Word(_)], TypeInfo::Mask) = (apply.op, &*apply.args, &apply.about) {
        return Some((0, 64));
    }
    let [left, right] = &*apply.args else {
        return None;
    };
    let (a, b) = (numeral(left)?, numeral(right)?);
    let is_computed = match (apply.op, &apply.about) {
        (Op::Add, _) => true,
        // The difference of two `Nat` is undefined where it is below zero.
        (Op::Sub, about) => *about == TypeInfo::Nothing,
        (Op::Mul, _) => a.0 >= 0 && b.0 >= 0,
        _ => false,
    };
    result(apply.op, a, b).filter(|_| is_computed)
}

/// All bits up to the highest of some.
pub(crate) fn smear(bits: u64) -> u64 {
    low_bits(u64::BITS - bits.leading_zeros())
}

/// The bits at the positions that a word with these bits can name.
pub(crate) fn positions(bits: u64) -> u64 {
    match smear(bits) {
        top if top >= 63 => u64::MAX,
        top => low_bits(top as u32 + 1),
    }
}
