//! Values that are found at sources, as parts of other values: each once, in the order of their codes.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder};
use cranelift_frontend::Variable;
use interpreter::code::{Domain, Slot, Source};

use super::candidates::{Frame, Given, Take};
use super::plan::Body;
use crate::analysis::size;
use crate::emit::Emitter;
use crate::reach::{LAST_CANDIDATE, MOST_FOUND, part_of};
use crate::value::Bits;

/// A list in ascending order under construction.
struct Ordered {
    frame: Frame,
    count: Variable,
}

impl<'f> Emitter<'f> {
    /// Emits `body` for each value found at some sources.
    pub(super) fn each_found(
        &mut self,
        (domain, sources): (&Domain, &[Source]),
        slot: Slot,
        body: &mut Body<'_, 'f>,
    ) {
        let (last, codes) = (self.reach.codes(domain), self.reach.count(domain));
        if last <= LAST_CANDIDATE {
            let set = self.code_set((last, codes), &mut |e, put| e.parts(sources, put));
            return self.each_candidate(&set, slot, body);
        }
        let list = self.ordered(sources);
        self.each_given(&list, last, &mut |e, value| {
            e.bind(slot, value, last);
            body(e);
        });
    }

    /// For each value at some sources, as often as it is found.
    fn parts(&mut self, sources: &[Source], take: &mut Take<'_, 'f>) {
        for source in sources {
            let part = part_of(source).expect("the analysis excludes other sources");
            let operations = size(&source.filter) + size(part);
            let next = self.builder.create_block();
            self.require(&source.given, next);
            self.each(&source.outer, source.slot, operations, &mut |e| {
                let skip = e.builder.create_block();
                e.require(&source.filter, skip);
                let part = e.word(part);
                take(e, part);
                e.builder.ins().jump(skip, &[]);
                e.enter(skip);
            });
            self.builder.ins().jump(next, &[]);
            self.enter(next);
        }
    }

    /// The values at some sources as a list: they have too many codes for a set.
    fn ordered(&mut self, sources: &[Source]) -> Given {
        let list = Ordered {
            frame: self.frame(MOST_FOUND),
            count: self.builder.declare_var(I64),
        };
        let none = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(list.count, none);
        self.parts(sources, &mut |e, code| e.insert_in_order(&list, code));
        let count = Bits::up_to(MOST_FOUND, self.builder.use_var(list.count));
        let frame = list.frame;
        Given { frame, count }
    }

    /// Puts a value into a list where it belongs, unless it is there. If the list is full, the code bails out to the interpreter.
    fn insert_in_order(&mut self, list: &Ordered, code: Bits) {
        let [absent, done] = std::array::from_fn(|_| self.builder.create_block());
        let place = self.first_not_below(list, code, absent);
        let at = Bits::up_to(MOST_FOUND, self.builder.use_var(place));
        let there = self.limb_of(list.frame, at);
        let is_known = self.equal(there, code);
        self.unless(is_known, absent);
        self.builder.ins().jump(done, &[]);
        self.enter(absent);
        let at = Bits::up_to(MOST_FOUND, self.builder.use_var(place));
        let count = Bits::up_to(MOST_FOUND, self.builder.use_var(list.count));
        let has_room = self.not_above(count, MOST_FOUND - 1);
        self.unless(has_room, self.bailout);
        self.move_up(list, at);
        self.set_limb(list.frame, at, code);
        let more = self.add(count, Bits::Known(1));
        let more = self.value(more);
        self.builder.def_var(list.count, more);
        self.builder.ins().jump(done, &[]);
        self.enter(done);
    }

    /// A variable with the position of the first value of a list that is not less than a code; goes elsewhere if there is none, and then it
    /// is the position behind the last.
    fn first_not_below(&mut self, list: &Ordered, code: Bits, elsewhere: Block) -> Variable {
        let place = self.builder.declare_var(I64);
        let zero = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(place, zero);
        let [turn, next, found] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.ins().jump(turn, &[]);
        self.builder.switch_to_block(turn);
        let at = Bits::up_to(MOST_FOUND, self.builder.use_var(place));
        let count = Bits::up_to(MOST_FOUND, self.builder.use_var(list.count));
        let is_within = self.less(at, count);
        self.unless(is_within, elsewhere);
        let there = self.limb_of(list.frame, at);
        let is_below = self.less(there, code);
        let is_below = self.byte(is_below);
        self.builder.ins().brif(is_below, next, &[], found, &[]);
        self.enter(next);
        let after = self.add(at, Bits::Known(1));
        let after = self.value(after);
        self.builder.def_var(place, after);
        self.builder.ins().jump(turn, &[]);
        self.builder.seal_block(turn);
        self.enter(found);
        place
    }

    /// Moves the values of a list from a position on by one place.
    fn move_up(&mut self, list: &Ordered, from: Bits) {
        let place = self.builder.declare_var(I64);
        let count = self.builder.use_var(list.count);
        self.builder.def_var(place, count);
        let [turn, more, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.ins().jump(turn, &[]);
        self.builder.switch_to_block(turn);
        let at = Bits::up_to(MOST_FOUND, self.builder.use_var(place));
        let is_behind = self.less(from, at);
        let is_behind = self.byte(is_behind);
        self.builder.ins().brif(is_behind, more, &[], done, &[]);
        self.enter(more);
        let before = self.minus(at, Bits::Known(1)).limited(MOST_FOUND);
        let value = self.limb_of(list.frame, before);
        self.set_limb(list.frame, at, value);
        let before = self.value(before);
        self.builder.def_var(place, before);
        self.builder.ins().jump(turn, &[]);
        self.builder.seal_block(turn);
        self.enter(done);
    }
}
