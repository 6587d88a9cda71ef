//! Which bits the value of a term can have, and the bounds of its value.

use finite::low_bits;
use interpreter::code::{Arith, Binary, Bound, Domain, Fold, Slot, Term, Word};
use ioa_lang::core::Op;

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
            // Among the general terms, the analysis accepts only relations between numbers.
            Word::Not(_) | Word::And(_) | Word::Or(_) | Word::Implies(_) | Word::Cell(_) => 1,
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
            Word::Payload(payload) => payload.slice.mask(),
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
            Binary::Plus | Binary::Minus => u64::MAX,
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
            Domain::Exactly(Term::Word(word)) => self.word(word),
            Domain::Range(low, high, _) => match self.range(low, high) {
                Some((0.., high)) => smear(high.cast_unsigned()),
                _ => u64::MAX,
            },
            _ => u64::MAX,
        }
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

    /// How many values a domain can have.
    pub(crate) fn count(&mut self, domain: &Domain) -> u64 {
        match domain {
            Domain::Below(n) => *n,
            Domain::Codes(codes) => codes.len() as u64,
            Domain::Mask(mask) => u64::from(self.word(mask).count_ones()),
            Domain::Masks(masks) => {
                let counts = masks
                    .iter()
                    .map(|mask| u64::from(self.word(mask).count_ones()));
                counts.sum()
            }
            Domain::Exactly(_) => 1,
            Domain::Range(low, high, _) => match self.range(low, high) {
                Some((low, high)) => high.abs_diff(low) + 1,
                None => u64::MAX,
            },
            Domain::Elements(_) | Domain::Between(..) | Domain::Numbers(_) | Domain::Found(_) => {
                u64::MAX
            }
        }
    }
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
