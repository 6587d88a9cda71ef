//! Terms whose values lie in several limbs: each limb is a term of its own.

use std::sync::Arc;

use finite::{Packing, Part, Wide, WideForm};
use ioa_lang::core::{Expr, ExprKind, Op, Type};

use super::super::Compiler;
use super::super::number::decoded;
use super::row::Row;
use super::terms::{any, chosen, equal, moved, sum, total};
use crate::code::{Binary, Limbs, Slot, Term, Word};
use crate::state::layout::Location;

impl Limbs {
    /// The term whose value is the one limb there is, after these temporaries.
    pub(super) fn single(mut self) -> Word {
        let word = self.words.pop().unwrap_or(Word::FALSE);
        self.around(word)
    }

    /// A term that is evaluated after the temporaries.
    pub(super) fn around(self, word: Word) -> Word {
        let lets = self.lets.into_iter().rev();
        lets.fold(word, |word, (slot, value)| {
            Word::Let(slot, Box::new([value, word]))
        })
    }
}

/// Where a tuple's field lies: the number of limbs before it, and the field itself.
type Placed = (usize, Part);

impl Compiler<'_> {
    /// How the values of a type lie in several limbs, if they do.
    pub(crate) fn wide(&mut self, ty: &Type) -> Option<Arc<Wide>> {
        if self.is_packed(ty) {
            return None;
        }
        if let Some(known) = self.wide.get(ty) {
            return known.clone();
        }
        let found = Wide::of(self.scope.model, self.scope.universe, ty).map(Arc::new);
        self.wide.insert(ty.clone(), found.clone());
        found
    }

    /// Whether [`Compiler::limbs`] applies: the term's value lies in several limbs, and so do those that it is made of.
    pub(crate) fn has_limbs(&mut self, expr: &Expr) -> bool {
        let Some(wide) = self.wide(&expr.ty) else {
            return false;
        };
        match &expr.kind {
            ExprKind::State(state) => matches!(self.location(*state), Location::Limbs(_)),
            ExprKind::If(_, a, b) => self.has_limbs(a) && self.has_limbs(b),
            ExprKind::Comprehension(x, body) => {
                self.is_limb_by_limb(&wide, *x, body) || self.is_selection(&expr.ty, *x, body)
            }
            ExprKind::Entries(_, entry) => self.is_total(entry) && self.is_word_or_limbs(entry),
            ExprKind::Apply(op, args) => {
                let is_known = match op {
                    Op::Concat => wide.limbs.len() <= MAX_JOINED,
                    op => is_known(*op),
                };
                is_known && args.iter().all(|arg| self.is_word_or_limbs(arg))
            }
            _ => false,
        }
    }

    /// The limbs of a set, each as a term for itself.
    pub(crate) fn masks(&mut self, set: &Expr) -> Box<[Word]> {
        let Limbs { lets, words } = self.limbs(set);
        let masks = words.into_iter().map(|mask| {
            let (lets, words) = (lets.clone(), Vec::new());
            Limbs { lets, words }.around(mask)
        });
        masks.collect()
    }

    pub(crate) fn is_word_or_limbs(&mut self, expr: &Expr) -> bool {
        self.is_packed(&expr.ty) || self.has_limbs(expr)
    }

    /// A term for a variable that lies in several limbs.
    pub(crate) fn limbs_term(&mut self, expr: &Expr) -> Term {
        let Limbs { lets, words } = self.limbs(expr);
        let lets = lets
            .into_iter()
            .map(|(slot, word)| (slot, self.hoist(word)));
        Term::Limbs(Limbs {
            lets: lets.collect::<Vec<(Slot, Word)>>(),
            words: words.into_iter().map(|word| self.hoist(word)).collect(),
        })
    }

    /// The limbs of a term that [has](Compiler::has_limbs) some.
    pub(super) fn limbs(&mut self, expr: &Expr) -> Limbs {
        self.deeper(expr.span, Limbs::default(), |c| c.limbs_here(expr))
    }

    fn limbs_here(&mut self, expr: &Expr) -> Limbs {
        let Some(wide) = self.wide(&expr.ty) else {
            unreachable!("only what has limbs is computed limb by limb");
        };
        match &expr.kind {
            ExprKind::State(state) => self.loaded_limbs(*state),
            ExprKind::If(condition, yes, no) => self.either(condition, yes, no),
            ExprKind::Comprehension(x, body) => match self.is_limb_by_limb(&wide, *x, body) {
                true => self.comprehended_limbs(*x, body, wide.limbs.len()),
                false => self.selected_limb_by_limb(&expr.ty, *x, body),
            },
            ExprKind::Entries(x, entry) => self.limbs_of_entries(expr, (*x, entry), &wide),
            ExprKind::Apply(op, args) => match (&wide.form, op) {
                (_, Op::Select) => self.selected_limbs(args),
                (_, Op::Field(field)) => {
                    let (begin, part) = self.limbs_of_field(&args[0].ty, *field);
                    let mut whole = self.limbs(&args[0]);
                    whole.words = whole.words[begin..][..part.limbs().len()].to_vec();
                    whole
                }
                (WideForm::Set(element), op) => self.wide_set(*op, args, element, &wide.limbs),
                (WideForm::Seq { .. }, _) => {
                    let sequence = self.sequence(expr);
                    sequence.limbs()
                }
                (WideForm::Array(_, element), op) => {
                    self.wide_array(*op, args, element, &wide.limbs)
                }
                (WideForm::Map(domain, slot), op) => {
                    self.wide_map(*op, args, (domain, slot), &wide.limbs)
                }
                (WideForm::Mset(..), op) => self.multiset_limbs(expr, *op, args),
                (WideForm::Tuple(_, fields), op) => self.wide_tuple(*op, args, fields),
            },
            _ => unreachable!("only what has limbs is computed limb by limb"),
        }
    }

    /// A value that is needed more than once.
    pub(super) fn kept(&mut self, lets: &mut Vec<(Slot, Word)>, word: Word) -> Word {
        if matches!(word, Word::Const(_) | Word::Local(_)) {
            return word;
        }
        let slot = self.temporary();
        lets.push((slot, word));
        Word::Local(slot)
    }

    fn either(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Limbs {
        let mut lets = Vec::new();
        let condition = self.word(condition);
        let condition = self.kept(&mut lets, condition);
        let (yes, no) = (self.limbs(yes), self.limbs(no));
        let branch = |from: &Limbs, word: Word| {
            let lets = from.lets.clone();
            let words = Vec::new();
            Limbs { lets, words }.around(word)
        };
        let words = yes.words.iter().zip(&no.words).map(|(a, b)| {
            let branches = [branch(&yes, a.clone()), branch(&no, b.clone())];
            let [a, b] = branches;
            Word::If(Box::new([condition.clone(), a, b]))
        });
        let words = words.collect();
        Limbs { lets, words }
    }

    fn wide_set(&mut self, op: Op, args: &[Expr], element: &Packing, limbs: &[u32]) -> Limbs {
        if op == Op::EmptySet {
            return zeros(limbs);
        }
        if !matches!(op, Op::Insert | Op::Delete) {
            let (mut left, right) = (self.limbs(&args[0]), self.limbs(&args[1]));
            left.lets.extend(right.lets);
            let op = match op {
                Op::Union => Binary::Or,
                Op::Intersection => Binary::And,
                _ => Binary::AndNot,
            };
            let pairs = left.words.into_iter().zip(right.words);
            left.words = pairs.map(|(a, b)| Word::binary(op, a, b)).collect();
            return left;
        }
        let mut lets = Vec::new();
        let code = match op {
            Op::Insert => self.code(&args[0], element),
            _ => self.sought(&args[0], element),
        };
        let code = self.kept(&mut lets, code);
        let set = self.limbs(&args[1]);
        lets.extend(set.lets);
        let op = match op {
            Op::Insert => Binary::Insert,
            _ => Binary::Delete,
        };
        let words = set.words.into_iter().zip((0..).step_by(64));
        let words = words.map(|(limb, begin)| Word::binary(op, moved(code.clone(), -begin), limb));
        let words = words.collect();
        Limbs { lets, words }
    }

    fn wide_array(&mut self, op: Op, args: &[Expr], element: &Part, limbs: &[u32]) -> Limbs {
        match (op, element) {
            (Op::Constant, Part::Word(element)) => {
                let mut lets = Vec::new();
                let code = self.code(&args[0], element);
                let code = self.kept(&mut lets, code);
                let row = Row::new(limbs, element.slot_bits());
                let words = row.repeated(&code);
                Limbs { lets, words }
            }
            (Op::Constant, Part::Wide(element)) => {
                let Limbs { mut lets, words } = self.limbs(&args[0]);
                let one: Vec<Word> = words.into_iter().map(|w| self.kept(&mut lets, w)).collect();
                let words = one.iter().cycle().take(limbs.len()).cloned().collect();
                debug_assert_eq!(limbs.len() % element.limbs.len(), 0);
                Limbs { lets, words }
            }
            (_, Part::Word(element)) => {
                let mut array = self.limbs(&args[0]);
                let index = self.word(&args[1]);
                let index = self.kept(&mut array.lets, index);
                let value = self.code(&args[2], element);
                let value = self.kept(&mut array.lets, value);
                let row = Row::new(limbs, element.slot_bits());
                array.words = row.assigned(&array.words, &index, &value);
                array
            }
            (_, Part::Wide(element)) => {
                let mut array = self.limbs(&args[0]);
                let index = self.word(&args[1]);
                let index = self.kept(&mut array.lets, index);
                let value = self.limbs(&args[2]);
                array.lets.extend(value.lets);
                let each = element.limbs.len();
                for (at, limb) in array.words.iter_mut().enumerate() {
                    let value = value.words[at % each].clone();
                    let is_it = equal(&index, (at / each) as u64);
                    *limb = chosen(is_it, value, limb.clone());
                }
                array
            }
        }
    }

    fn wide_map(
        &mut self,
        op: Op,
        args: &[Expr],
        (domain, slot): (&Packing, &Packing),
        limbs: &[u32],
    ) -> Limbs {
        if op == Op::EmptyMap {
            return zeros(limbs);
        }
        let mut map = self.limbs(&args[0]);
        let key = self.code(&args[1], domain);
        let key = self.kept(&mut map.lets, key);
        let value = match args.get(2) {
            Some(value) => Word::Succ(Box::new(self.code(value, self::range(slot)))),
            None => Word::FALSE,
        };
        let value = self.kept(&mut map.lets, value);
        let row = Row::new(limbs, slot.slot_bits());
        map.words = row.assigned(&map.words, &key, &value);
        map
    }

    fn wide_tuple(&mut self, op: Op, args: &[Expr], fields: &[Part]) -> Limbs {
        let part = |c: &mut Self, value: &Expr, part: &Part| match part {
            Part::Word(packing) => Limbs {
                lets: Vec::new(),
                words: vec![c.code(value, packing)],
            },
            Part::Wide(_) => c.limbs(value),
        };
        if let Op::SetField(field) = op {
            let (begin, packing) = self.limbs_of_field(&args[0].ty, field);
            let mut tuple = self.limbs(&args[0]);
            let value = part(self, &args[1], &packing);
            tuple.lets.extend(value.lets);
            tuple
                .words
                .splice(begin..begin + value.words.len(), value.words);
            return tuple;
        }
        let mut tuple = Limbs::default();
        for (value, packing) in args.iter().zip(fields) {
            let value = part(self, value, packing);
            tuple.lets.extend(value.lets);
            tuple.words.extend(value.words);
        }
        tuple
    }

    /// Where the limbs of a field begin, and what it is.
    fn limbs_of_field(&mut self, tuple: &Type, field: u32) -> Placed {
        match self.wide(tuple).map(|wide| wide.form.clone()) {
            Some(WideForm::Tuple(_, fields)) => {
                let (before, behind) = fields.split_at(field as usize);
                let begin = before.iter().map(|field| field.limbs().len()).sum();
                (begin, behind[0].clone())
            }
            _ => unreachable!("a field is one of a tuple"),
        }
    }

    /// An element that has limbs itself, of an array.
    fn selected_limbs(&mut self, args: &[Expr]) -> Limbs {
        let each = match self.wide(&args[0].ty).map(|wide| wide.form.clone()) {
            Some(WideForm::Array(_, element)) => element.limbs().len(),
            _ => unreachable!("an element is one of an array"),
        };
        let mut array = self.limbs(&args[0]);
        let index = self.word(&args[1]);
        let index = self.kept(&mut array.lets, index);
        let count = array.words.len() / each;
        let limb = |place: usize| {
            let last = array.words[(count - 1) * each + place].clone();
            (0..count - 1).rev().fold(last, |other, at| {
                let it = array.words[at * each + place].clone();
                chosen(equal(&index, at as u64), it, other)
            })
        };
        array.words = (0..each).map(limb).collect();
        array
    }

    /// An operator whose result is a word, where all arguments are words or limbs, and one has limbs.
    pub(crate) fn of_limbs(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Option<Word> {
        let wide = args.iter().find_map(|arg| self.wide(&arg.ty))?;
        if !args.iter().all(|arg| self.is_word_or_limbs(arg)) {
            return None;
        }
        Some(match (&wide.form, op) {
            (_, Op::Eq) => {
                let (mut left, right) = (self.limbs(&args[0]), self.limbs(&args[1]));
                left.lets.extend(right.lets);
                let words = std::mem::take(&mut left.words);
                let same = words.into_iter().zip(right.words);
                let same = same.map(|(a, b)| Word::binary(Binary::Equal, a, b));
                left.around(Word::all(same.collect()))
            }
            (WideForm::Set(element), Op::Member) => {
                let mut lets = Vec::new();
                let code = self.sought(&args[0], element);
                let code = self.kept(&mut lets, code);
                let Limbs { lets: more, words } = self.limbs(&args[1]);
                lets.extend(more);
                let bits = words.into_iter().zip((0..).step_by(64));
                let bits = bits.map(|(limb, begin)| {
                    Word::binary(Binary::Member, moved(code.clone(), -begin), limb)
                });
                let words = Vec::new();
                Limbs { lets, words }.around(any(bits))
            }
            (WideForm::Set(_), Op::Subset) => {
                let (mut left, right) = (self.limbs(&args[0]), self.limbs(&args[1]));
                left.lets.extend(right.lets);
                let words = std::mem::take(&mut left.words);
                let within = words.into_iter().zip(right.words);
                let within = within.map(|(a, b)| Word::binary(Binary::Subset, a, b));
                left.around(Word::all(within.collect()))
            }
            (WideForm::Set(_), Op::Size) => {
                let mut set = self.limbs(&args[0]);
                let words = std::mem::take(&mut set.words);
                let counts = words.into_iter().map(|limb| Word::Count(Box::new(limb)));
                let size = counts.reduce(|a, b| sum(a, b, expr.span));
                set.around(size.unwrap_or(Word::FALSE))
            }
            (WideForm::Array(_, element), Op::Select) => {
                let Part::Word(element) = &**element else {
                    return None;
                };
                let code = self.slot_of(args, &wide.limbs, element, None);
                decoded(code, element)
            }
            (WideForm::Array(index, element), Op::Sum) => {
                let Part::Word(element) = &**element else {
                    return None;
                };
                self.total_of_limbs(expr, &args[0], (index, element), &wide.limbs)
            }
            (WideForm::Map(domain, slot), Op::Lookup) => {
                let code = self.slot_of(args, &wide.limbs, slot, Some(domain));
                decoded(Word::Entry(Box::new(code), expr.span), range(slot))
            }
            (WideForm::Map(domain, slot), Op::Defined) => {
                let code = self.slot_of(args, &wide.limbs, slot, Some(domain));
                let undefined = Word::binary(Binary::Equal, code, Word::FALSE);
                Word::Not(Box::new(undefined))
            }
            (WideForm::Tuple(..), Op::Field(field)) => {
                let (begin, part) = self.limbs_of_field(&args[0].ty, field);
                let Part::Word(packing) = part else {
                    return None;
                };
                let mut tuple = self.limbs(&args[0]);
                tuple.words = vec![tuple.words[begin].clone()];
                decoded(tuple.single(), &packing)
            }
            (WideForm::Seq { .. }, _) => return self.of_sequence(expr, op, args),
            (WideForm::Mset(..), _) => return self.of_multiset(expr, op, args),
            _ => return None,
        })
    }

    /// The sum of the numbers in an array.
    fn total_of_limbs(
        &mut self,
        whole: &Expr,
        array: &Expr,
        (index, element): (&Packing, &Packing),
        limbs: &[u32],
    ) -> Word {
        let mut array = self.limbs(array);
        let words = std::mem::take(&mut array.words).into_iter();
        let words: Vec<Word> = words.map(|limb| self.kept(&mut array.lets, limb)).collect();
        let row = Row::new(limbs, element.slot_bits());
        let number = |code| decoded(row.selected(&words, &Word::Const(code)), element);
        array.around(total(index.values().map(number).collect(), whole))
    }

    /// The code in the slot of an array or a map that an index or a key names.
    fn slot_of(
        &mut self,
        args: &[Expr],
        limbs: &[u32],
        slot: &Packing,
        domain: Option<&Packing>,
    ) -> Word {
        let mut whole = self.limbs(&args[0]);
        let index = match domain {
            Some(domain) => self.code(&args[1], domain),
            None => self.word(&args[1]),
        };
        let index = self.kept(&mut whole.lets, index);
        let row = Row::new(limbs, slot.slot_bits());
        let code = row.selected(&whole.words, &index);
        whole.words.clear();
        whole.around(code)
    }

    fn loaded_limbs(&mut self, state: ioa_lang::core::StateRef) -> Limbs {
        let Location::Limbs(place) = self.location(state) else {
            unreachable!("a variable with limbs lies in some");
        };
        let words = place.fields().iter().map(|f| Word::Load(state.store, *f));
        Limbs {
            lets: Vec::new(),
            words: words.collect(),
        }
    }
}

/// No sequences of more limbs are joined by machine code: each limb of the one may come to lie in each of the other.
const MAX_JOINED: usize = 5;

/// Whether an operator is computed limb by limb, where its arguments are words or have limbs.
fn is_known(op: Op) -> bool {
    matches!(
        op,
        Op::EmptySet
            | Op::Insert
            | Op::Delete
            | Op::Union
            | Op::Intersection
            | Op::Difference
            | Op::Constant
            | Op::Assign
            | Op::Select
            | Op::EmptyMap
            | Op::Update
            | Op::Remove
            | Op::Tuple
            | Op::Field(_)
            | Op::SetField(_)
            | Op::EmptySeq
            | Op::Append
            | Op::Prepend
            | Op::Tail
            | Op::Init
            | Op::EmptyMset
            | Op::MsetInsert
            | Op::MsetDelete
            | Op::MsetUnion
            | Op::MsetIntersection
            | Op::MsetDifference
    )
}

/// How the values of a map are packed.
fn range(slot: &Packing) -> &Packing {
    match &slot.form {
        finite::Form::Null(range) => range,
        _ => unreachable!("a map has slots that may be empty"),
    }
}

fn zeros(limbs: &[u32]) -> Limbs {
    Limbs {
        lets: Vec::new(),
        words: limbs.iter().map(|_| Word::FALSE).collect(),
    }
}
