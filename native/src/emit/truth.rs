//! Terms that are true or false.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder};
use interpreter::code::{Binary, Fold, Word};

use super::Emitter;
use crate::analysis::{can_stop, size};
use crate::value::{Bits, Truth};

/// Maximum number of operations of a conjunct or disjunct that is evaluated without a branch, although the value may be
/// known without it: a mispredicted branch costs more.
const EAGER: u64 = 12;

/// Conjuncts of so many operations are tested in the order in which they are written: that is mostly the best one.
const CHEAP: u64 = 48;

impl Emitter<'_> {
    /// Whether a conjunct or disjunct is evaluated without a branch: while conditions are tested for all values at once, each is.
    fn is_eager(&self, word: &Word) -> bool {
        self.stops.is_some() || size(word) <= EAGER && !can_stop(word)
    }

    /// The truth of a term whose value is 0 or 1.
    pub(crate) fn truth(&mut self, word: &Word) -> Truth {
        match word {
            Word::Loop(_) | Word::Let(..) => self.looked_up(word),
            word => self.truth_anew(word),
        }
    }

    /// The truth value of a term, from a table if that is worthwhile.
    pub(super) fn looked_up(&mut self, word: &Word) -> Truth {
        match self.worth_a_table(word) {
            Some(known) => self.tabulated(&known, word),
            None => self.truth_anew(word),
        }
    }

    pub(super) fn truth_anew(&mut self, word: &Word) -> Truth {
        match word {
            Word::Const(n) => Truth::Known(*n != 0),
            Word::Not(a) => {
                let a = self.truth(a);
                self.not(a)
            }
            Word::And(parts) => self.chain(&parts.iter().collect::<Vec<_>>(), true),
            Word::Or(parts) => self.chain(&parts.iter().collect::<Vec<_>>(), false),
            Word::Implies(parts) => {
                let first = self.truth(&parts[0]);
                let first = self.not(first);
                self.connect(first, &[&parts[1]], false)
            }
            Word::Binary(op, parts) => self.relation(*op, &parts[0], &parts[1]),
            Word::Let(slot, parts) => {
                self.bind_word(*slot, &parts[0]);
                self.truth(&parts[1])
            }
            word if self.reach.is_asked(word) => self.asked_truth(word),
            Word::Cell(general) => self.numeric_relation(general),
            Word::Loop(turn) if turn.fold != Fold::Collect => self.quantified(turn),
            word => {
                let bits = self.word(word);
                self.lowest(bits)
            }
        }
    }

    pub(super) fn not(&mut self, truth: Truth) -> Truth {
        match truth {
            Truth::Known(b) => Truth::Known(!b),
            Truth::In(value) => {
                let zero = self
                    .builder
                    .ins()
                    .iconst(cranelift_codegen::ir::types::I8, 0);
                Truth::In(self.builder.ins().icmp(IntCC::Equal, value, zero))
            }
        }
    }

    /// The conjunction (`neutral` is true) or disjunction of some parts.
    fn chain(&mut self, parts: &[&Word], neutral: bool) -> Truth {
        match parts.split_first() {
            None => Truth::Known(neutral),
            Some((first, rest)) => {
                let first = self.truth(first);
                self.connect(first, rest, neutral)
            }
        }
    }

    /// The same, if the first part has been computed already.
    fn connect(&mut self, mut acc: Truth, parts: &[&Word], neutral: bool) -> Truth {
        for (at, part) in parts.iter().enumerate() {
            match acc {
                Truth::Known(b) if b != neutral => return acc,
                Truth::In(value) if !self.is_eager(part) => {
                    let (next, done) = (self.builder.create_block(), self.builder.create_block());
                    let result = self.parameter(done);
                    let settled = [BlockArg::Value(self.byte(Truth::Known(!neutral)))];
                    let ins = self.builder.ins();
                    if neutral {
                        ins.brif(value, next, &[], done, &settled);
                    } else {
                        ins.brif(value, done, &settled, next, &[]);
                    }
                    self.enter(next);
                    let rest = self.chain(&parts[at..], neutral);
                    let rest = [BlockArg::Value(self.byte(rest))];
                    self.builder.ins().jump(done, &rest);
                    self.enter(done);
                    return result;
                }
                _ => {
                    let part = self.truth(part);
                    acc = self.join(acc, part, neutral);
                }
            }
        }
        acc
    }

    /// The conjunction (`neutral` is true) or disjunction of two truth values.
    pub(super) fn join(&mut self, a: Truth, b: Truth, neutral: bool) -> Truth {
        match (a, b) {
            (Truth::Known(known), other) | (other, Truth::Known(known)) => {
                if known == neutral {
                    other
                } else {
                    Truth::Known(known)
                }
            }
            (Truth::In(a), Truth::In(b)) => {
                let ins = self.builder.ins();
                Truth::In(if neutral {
                    ins.band(a, b)
                } else {
                    ins.bor(a, b)
                })
            }
        }
    }

    /// Continues in this block if a term is true, and jumps elsewhere if it is false.
    pub(crate) fn require(&mut self, word: &Word, elsewhere: Block) {
        let Word::And(parts) = word else {
            let truth = self.truth(word);
            return self.unless(truth, elsewhere);
        };
        // A cheap term is decided by a single branch.
        let (mut acc, mut work) = (Truth::Known(true), 0);
        for part in self.cheap_first(parts) {
            let more = size(part);
            if !self.is_eager(part) || work + more > EAGER {
                self.unless(acc, elsewhere);
                (acc, work) = (Truth::Known(true), 0);
            }
            if self.is_eager(part) {
                let part = self.truth(part);
                acc = self.join(acc, part, true);
                work += more;
            } else {
                self.require(part, elsewhere);
            }
        }
        self.unless(acc, elsewhere);
    }

    /// Conjuncts in the order in which they are tested: those that take much work after the others, as far as none of them can stop.
    fn cheap_first<'w>(&self, parts: &'w [Word]) -> Vec<&'w Word> {
        let certain = parts.iter().take_while(|part| !can_stop(part)).count();
        let (certain, others) = parts.split_at(certain);
        let mut ordered: Vec<&Word> = certain.iter().collect();
        ordered.sort_by_cached_key(|part| match self.effort(part) {
            ..=CHEAP => 0,
            effort => effort,
        });
        ordered.extend(others);
        ordered
    }

    fn relation(&mut self, op: Binary, left: &Word, right: &Word) -> Truth {
        match op {
            Binary::Equal => {
                let (left, right) = (self.word(left), self.word(right));
                self.equal(left, right)
            }
            Binary::Less => {
                let (left, right) = (self.word(left), self.word(right));
                self.less(left, right)
            }
            Binary::SignedLess => {
                let (left, right) = (self.word(left), self.word(right));
                self.below(left, right)
            }
            Binary::Subset => {
                let (left, right) = (self.word(left), self.word(right));
                let rest = self.without(left, right);
                self.equal(rest, Bits::Known(0))
            }
            Binary::Member => {
                let element = self.word(left);
                let bit = self.element(right, element, (1, 1));
                self.lowest(bit)
            }
            _ => {
                let bits = self.binary(op, left, right);
                self.lowest(bits)
            }
        }
    }
}
