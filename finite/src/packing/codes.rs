//! The codes of a packing: which words are codes, and all of them in order.

use super::{Form, Packing, Slice, payload, shl, slot_at};

/// The numbers that are not characters: those that UTF-16 reserves for surrogates.
const NO_CHARACTERS: std::ops::Range<u64> = 0xd800..0xe000;

impl Packing {
    /// Whether a word is the code of a value.
    #[must_use]
    pub fn is_code(&self, word: u64) -> bool {
        if word > self.max {
            return false;
        }
        match &self.form {
            Form::Bool | Form::Sort(_) | Form::Enum(_) | Form::Int(..) | Form::Numbered(..) => true,
            Form::Null(inner) => word == 0 || inner.is_code(word - 1),
            Form::Set(_) => word & !self.max == 0,
            Form::Tuple(_, fields) => fields
                .iter()
                .all(|(at, f)| f.is_code(Slice::new(*at, f.bits).read(word))),
            Form::Array(index, element)
            | Form::Map(index, element)
            | Form::Mset(index, element) => (0..=index.max).all(|i| {
                let code = element.slot(word, i);
                if index.is_code(i) {
                    element.is_code(code)
                } else {
                    code == 0
                }
            }),
            Form::Union(_, variants) => {
                let (variant, payload) = payload(variants, word);
                variants[variant].1.is_code(payload)
            }
            Form::Seq(length, element) => {
                let count = Slice::new(0, length.bits).read(word);
                count <= length.max
                    && (0..length.max).all(|at| {
                        let code = slot_at(length, element, at).read(word);
                        if at < count {
                            element.is_code(code)
                        } else {
                            code == 0
                        }
                    })
            }
            Form::Char => !NO_CHARACTERS.contains(&word),
        }
    }

    /// Whether a word is the code of a value that is known by now: of an element that is numbered, one that has a number.
    pub(super) fn is_known_code(&self, word: u64) -> bool {
        match &self.form {
            Form::Numbered(inner, dictionary, _) => {
                word < dictionary.len() as u64 && inner.is_code(dictionary.code(word))
            }
            _ => self.is_code(word),
        }
    }

    /// The code at a position in a row of such codes.
    pub(super) fn slot(&self, word: u64, place: u64) -> u64 {
        Slice::new(self.bits * place as u32, self.bits).read(word)
    }

    /// The codes of all values that have one, in ascending order. There may be very many, so bound how many you take.
    pub fn values(&self) -> impl Iterator<Item = u64> + '_ {
        (0..=self.max).filter(|word| self.is_code(*word))
    }

    /// The codes of all values that have one, ascending, or `None` if there are more than `limit`.
    #[must_use]
    pub fn codes(&self, limit: u64) -> Option<Vec<u64>> {
        if self.count() > u128::from(limit) {
            return None;
        }
        let mut out = Vec::new();
        self.enumerate(&mut out);
        Some(out)
    }

    /// How many values have a code.
    #[must_use]
    pub fn count(&self) -> u128 {
        match &self.form {
            Form::Bool | Form::Sort(_) | Form::Enum(_) | Form::Int(..) | Form::Numbered(..) => {
                u128::from(self.max) + 1
            }
            Form::Null(inner) => inner.count() + 1,
            Form::Set(element) => 1 << element.count(),
            Form::Tuple(_, fields) => fields
                .iter()
                .fold(1, |n: u128, (_, f)| n.saturating_mul(f.count())),
            Form::Array(index, element)
            | Form::Map(index, element)
            | Form::Mset(index, element) => {
                (0..index.count()).fold(1, |n: u128, _| n.saturating_mul(element.count()))
            }
            Form::Union(_, variants) => variants
                .iter()
                .fold(0, |n: u128, (_, v)| n.saturating_add(v.count())),
            Form::Seq(length, element) => (0..length.max).fold(1, |shorter: u128, _| {
                shorter.saturating_mul(element.count()).saturating_add(1)
            }),
            Form::Char => u128::from(self.max + 1 - (NO_CHARACTERS.end - NO_CHARACTERS.start)),
        }
    }

    /// Appends the codes of all values in ascending order, without trying words that are not codes.
    fn enumerate(&self, out: &mut Vec<u64>) {
        match &self.form {
            Form::Bool | Form::Sort(_) | Form::Enum(_) | Form::Int(..) | Form::Numbered(..) => {
                out.extend(0..=self.max);
            }
            Form::Null(inner) => {
                out.push(0);
                let from = out.len();
                inner.enumerate(out);
                out[from..].iter_mut().for_each(|code| *code += 1);
            }
            Form::Set(_) => {
                // The next subset of a mask in ascending order: (s - mask) & mask.
                let mut subset = 0_u64;
                loop {
                    out.push(subset);
                    if subset == self.max {
                        break;
                    }
                    subset = subset.wrapping_sub(self.max) & self.max;
                }
            }
            Form::Tuple(_, fields) => {
                let mut fields: Vec<(u32, &Self)> = fields.iter().map(|(at, f)| (*at, f)).collect();
                fields.sort_by_key(|(at, _)| *at);
                product(fields.into_iter(), out);
            }
            Form::Array(index, element)
            | Form::Map(index, element)
            | Form::Mset(index, element) => {
                let slots: Vec<u64> = index.values().collect();
                product(
                    slots.iter().map(|i| (element.bits * *i as u32, &**element)),
                    out,
                );
            }
            Form::Union(_, variants) => {
                for (begin, payload) in variants {
                    let from = out.len();
                    payload.enumerate(out);
                    out[from..].iter_mut().for_each(|code| *code += begin);
                }
            }
            Form::Seq(length, element) => {
                let from = out.len();
                for count in 0..=length.max {
                    let slots =
                        (0..count).map(|at| (slot_at(length, element, at).shift(), &**element));
                    let begin = out.len();
                    product(slots, out);
                    out[begin..].iter_mut().for_each(|code| *code |= count);
                }
                out[from..].sort_unstable();
            }
            Form::Char => {
                out.extend(0..NO_CHARACTERS.start);
                out.extend(NO_CHARACTERS.end..=self.max);
            }
        }
    }
}

/// Appends all words that have a code of each packing at its offset; offsets ascend, so the words do.
fn product<'a>(fields: impl DoubleEndedIterator<Item = (u32, &'a Packing)>, out: &mut Vec<u64>) {
    let mut words = vec![0_u64];
    for (at, packing) in fields.rev() {
        let mut codes = Vec::new();
        packing.enumerate(&mut codes);
        words = words
            .iter()
            .flat_map(|word| codes.iter().map(move |code| word | shl(*code, at)))
            .collect();
    }
    out.append(&mut words);
}
