//! Loop-invariant code motion: a term whose value is the same in each iteration is computed once before the loop.

use std::collections::BTreeSet;

use super::super::Compiler;
use crate::code::{Domain, Slot, Word};

impl Compiler<'_> {
    /// An equivalent term that takes less work.
    pub(in crate::compile) fn hoist(&mut self, mut word: Word) -> Word {
        self.improve(&mut word);
        word
    }

    /// An equivalent domain that takes less work.
    pub(in crate::compile) fn hoist_domain(&mut self, mut domain: Domain) -> Domain {
        match &mut domain {
            Domain::Mask(mask) => self.improve(mask),
            Domain::Masks(masks) => masks.iter_mut().for_each(|mask| self.improve(mask)),
            Domain::Numbered(numbered) => {
                numbered
                    .masks
                    .iter_mut()
                    .for_each(|mask| self.improve(mask));
            }
            _ => {}
        }
        domain
    }

    fn improve(&mut self, word: &mut Word) {
        word.children_mut(&mut |child| self.improve(child));
        let Word::Loop(turn) = word else { return };
        let mut bound = BTreeSet::from([turn.slot]);
        slots_bound(&turn.body, &mut bound);
        let mut hoisted = Vec::new();
        self.extract(&mut turn.body, &bound, &mut hoisted);
        for (slot, value) in hoisted {
            let body = std::mem::replace(word, Word::FALSE);
            *word = Word::Let(slot, Box::new([value, body]));
        }
    }

    /// Replaces the largest invariant parts by temporaries.
    fn extract(
        &mut self,
        word: &mut Word,
        bound: &BTreeSet<Slot>,
        hoisted: &mut Vec<(Slot, Word)>,
    ) {
        if word.is_leaf() {
            return;
        }
        if is_pure(word) && !uses(word, bound) {
            let slot = match hoisted.iter().find(|(_, value)| value == word) {
                Some((slot, _)) => *slot,
                None => {
                    let slot = self.temporary();
                    hoisted.push((slot, word.clone()));
                    slot
                }
            };
            *word = Word::Local(slot);
            return;
        }
        word.children_mut(&mut |child| self.extract(child, bound, hoisted));
    }
}

/// Whether the term consists of bit operations alone, so that its evaluation cannot stop early.
fn is_pure(word: &Word) -> bool {
    match word {
        Word::Arith(_) => false,
        word if word.can_stop_by_itself() => false,
        Word::Loop(turn)
            if !matches!(
                turn.domain,
                Domain::Mask(_)
                    | Domain::Masks(_)
                    | Domain::Numbered(_)
                    | Domain::Below(_)
                    | Domain::Codes(_)
            ) =>
        {
            false
        }
        _ => {
            let mut pure = true;
            word.children(&mut |child| pure &= is_pure(child));
            pure
        }
    }
}

fn slots_bound(word: &Word, bound: &mut BTreeSet<Slot>) {
    match word {
        Word::Loop(turn) => bound.insert(turn.slot),
        Word::Let(slot, _) => bound.insert(*slot),
        _ => false,
    };
    word.children(&mut |child| slots_bound(child, bound));
}

/// Whether the term reads one of the slots.
fn uses(word: &Word, slots: &BTreeSet<Slot>) -> bool {
    if let Word::Local(slot) = word {
        return slots.contains(slot);
    }
    let mut found = false;
    word.children(&mut |child| found |= uses(child, slots));
    found
}

impl Word {
    fn is_leaf(&self) -> bool {
        matches!(self, Self::Const(_) | Self::Load(..) | Self::Local(_))
    }
}
