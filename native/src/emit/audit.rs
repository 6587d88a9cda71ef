//! Counting the values that exceed their assumed bounds, for tests of these bounds.

use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData};
use interpreter::code::Word;

use super::Emitter;
use crate::jit::kept::Kept;
use crate::value::{Bits, Truth};

impl Emitter<'_> {
    /// If auditing is on, emits a comparison of a term's value with the bounds from the analysis and from its code.
    pub(super) fn audited(&mut self, word: &Word, bits: Bits) {
        let Some(counter) = self.audit.clone() else {
            return;
        };
        let others = self.and(bits, Bits::Known(!self.reach.clone().word(word)));
        let mut beyond = self.differ(others, Bits::Known(0));
        if let Bits::In { value, most } = bits {
            // A bare value has no known bounds, so the comparison is not optimised away.
            let kept = self.not_above(Bits::any(value), most);
            let above = self.not(kept);
            beyond = self.join(beyond, above, false);
        }
        if matches!(word, Word::Arith(_) | Word::Offset(..))
            && let Some((low, high)) = self.reach.clone().interval(word)
        {
            for (n, how) in [
                (low, IntCC::SignedLessThan),
                (high, IntCC::SignedGreaterThan),
            ] {
                let value = self.value(bits);
                let end = self.builder.ins().iconst(I64, n);
                let out = Truth::In(self.builder.ins().icmp(how, value, end));
                beyond = self.join(beyond, out, false);
            }
        }
        let one = self.number(beyond);
        let place = self.address(Kept::Count(Arc::clone(&counter)));
        let place = self.value(place);
        let flags = MemFlagsData::trusted();
        let so_far = Bits::any(self.builder.ins().load(I64, flags, place, 0));
        let sum = self.add(so_far, one);
        let sum = self.value(sum);
        self.builder.ins().store(flags, sum, place, 0);
    }
}
