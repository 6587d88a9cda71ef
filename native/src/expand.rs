//! The function that computes the successors of many states, and the one that lists the steps by one clause.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::{FunctionBuilder, Variable};
use interpreter::Clause;
use interpreter::code::Plan;
use interpreter::limits::MAX_OUTCOMES;
use ioa_lang::core::Store;

use crate::emit::{Emitter, Services};
use crate::jit::job::{Exit, Job, Shape};
use crate::value::{Bits, Truth};

/// The parts of a function that iterates over states.
pub(crate) struct Frame {
    job: Value,
    shape: Shape,
    /// The position of the current state.
    at: Variable,
    /// Where the next result goes.
    out: Variable,
    /// Where the results of the current state begin.
    begin: Variable,
    /// The block to jump to when there is no room for the next result.
    full: Block,
}

/// Emits a function that iterates over the states of a job: it loads a state, executes what `body` emits, and goes on to the
/// next state.
pub(crate) fn over_states<'f, T>(
    mut builder: FunctionBuilder<'f>,
    job: Value,
    (shape, services): (Shape, Services),
    body: impl FnOnce(&mut Emitter<'f>, &Frame) -> T,
) -> (Emitter<'f>, T) {
    let [head, turn, done, full, bailout] = std::array::from_fn(|_| builder.create_block());
    let [at, out, begin] = std::array::from_fn(|_| builder.declare_var(I64));
    let mut e = Emitter::new(builder, shape.words, bailout, services);
    let frame = Frame {
        job,
        shape,
        at,
        out,
        begin,
        full,
    };
    for (variable, offset) in [(at, offset_of!(Job, at)), (out, offset_of!(Job, out))] {
        let value = frame.read(&mut e, offset);
        e.builder.def_var(variable, value);
    }
    e.builder.ins().jump(head, &[]);
    e.builder.switch_to_block(head);
    let now = e.builder.use_var(at);
    let count = frame.read(&mut e, offset_of!(Job, count));
    let more = e.builder.ins().icmp(IntCC::UnsignedLessThan, now, count);
    e.builder.ins().brif(more, turn, &[], done, &[]);
    e.builder.seal_block(turn);
    e.builder.switch_to_block(turn);
    let place = e.builder.use_var(out);
    e.builder.def_var(begin, place);
    frame.look_for_room(&mut e);
    let states = frame.read(&mut e, offset_of!(Job, states));
    let size = e.builder.ins().iconst(I64, 8 * shape.words as i64);
    let offset = e.builder.ins().imul(now, size);
    let from = e.builder.ins().iadd(states, offset);
    e.load_state(from);
    let told = body(&mut e, &frame);
    e.end_of_work();
    let now = e.builder.use_var(at);
    let one = e.builder.ins().iconst(I64, 1);
    let next = e.builder.ins().iadd(now, one);
    e.builder.def_var(at, next);
    e.builder.ins().jump(head, &[]);
    e.builder.seal_block(head);
    frame.ends(&mut e, [done, full, bailout]);
    (e, told)
}

impl Frame {
    fn read(&self, e: &mut Emitter<'_>, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        e.builder.ins().load(I64, flags, self.job, offset as i32)
    }

    fn write(&self, e: &mut Emitter<'_>, offset: usize, value: Value) {
        let flags = MemFlagsData::trusted();
        e.builder.ins().store(flags, value, self.job, offset as i32);
    }

    /// Emits the exits of the function, which report the results of complete states only.
    fn ends(&self, e: &mut Emitter<'_>, blocks: [Block; 3]) {
        for (ended, block) in Exit::ALL.into_iter().zip(blocks) {
            e.builder.seal_block(block);
            e.builder.switch_to_block(block);
            let done = ended == Exit::Done;
            if !done {
                e.builder.set_cold_block(block);
                e.end_of_work();
            }
            let at = e.builder.use_var(self.at);
            self.write(e, offset_of!(Job, at), at);
            let out = e.builder.use_var(if done { self.out } else { self.begin });
            self.write(e, offset_of!(Job, out), out);
            let code = e.builder.ins().iconst(I64, ended.code().cast_signed());
            e.builder.ins().return_(&[code]);
        }
    }

    fn look_for_room(&self, e: &mut Emitter<'_>) {
        let place = e.builder.use_var(self.out);
        let limit = self.read(e, offset_of!(Job, limit));
        let room = e
            .builder
            .ins()
            .icmp(IntCC::UnsignedLessThanOrEqual, place, limit);
        let next = e.builder.create_block();
        e.builder.ins().brif(room, next, &[], self.full, &[]);
        e.builder.seal_block(next);
        e.builder.switch_to_block(next);
    }

    /// Emits the storing of a result.
    fn store(&self, e: &mut Emitter<'_>, values: &[Value]) {
        self.store_if(e, Truth::Known(true), values);
    }

    /// Emits the storing of a result. Unless a condition holds, the next result overwrites it.
    fn store_if(&self, e: &mut Emitter<'_>, holds: Truth, values: &[Value]) {
        assert_eq!(values.len(), self.shape.result, "results are of one length");
        if self.shape.each {
            self.look_for_room(e);
        }
        e.note_result();
        let place = e.builder.use_var(self.out);
        for (at, value) in values.iter().enumerate() {
            let flags = MemFlagsData::trusted();
            e.builder.ins().store(flags, *value, place, 8 * at as i32);
        }
        let size = e.size_if(holds, 8 * values.len() as u64);
        let next = e.builder.ins().iadd(place, size);
        e.builder.def_var(self.out, next);
    }

    /// Emits all steps from the current state by some clauses, which are given with their positions.
    pub(crate) fn successors(&self, e: &mut Emitter<'_>, clauses: &[(usize, Clause<'_>)]) {
        let active = e.builder.declare_var(I64);
        let zero = e.builder.ins().iconst(I64, 0);
        e.builder.def_var(active, zero);
        for (position, clause) in clauses {
            let before = e.builder.use_var(self.out);
            e.steps(clause, &mut |e, holds| {
                let state = e.state(Store::Pre);
                self.store_if(e, holds, &state);
            });
            let after = e.builder.use_var(self.out);
            let bytes = e.builder.ins().isub(after, before);
            self.count(e, *position, bytes);
            // An enabled step without a result makes the code bail out.
            if clause.local {
                let so_far = e.builder.use_var(active);
                let some = e.builder.ins().bor(so_far, bytes);
                e.builder.def_var(active, some);
            }
        }
        self.conclude(e, active);
    }

    /// Adds to the number of bytes that a clause has produced.
    fn count(&self, e: &mut Emitter<'_>, position: usize, bytes: Value) {
        assert!(
            self.shape.clauses > Some(position),
            "the clause has an entry"
        );
        let fired = self.read(e, offset_of!(Job, fired));
        let (flags, at) = (MemFlagsData::trusted(), 8 * position as i32);
        let so_far = e.builder.ins().load(I64, flags, fired, at);
        let sum = e.builder.ins().iadd(so_far, bytes);
        e.builder.ins().store(flags, sum, fired, at);
    }

    /// Reports how many results there are so far, and whether the state is active.
    fn conclude(&self, e: &mut Emitter<'_>, active: Variable) {
        assert!(self.shape.clauses.is_some(), "states have entries");
        let flags = MemFlagsData::trusted();
        let now = e.builder.use_var(self.at);
        let out = e.builder.use_var(self.out);
        let base = self.read(e, offset_of!(Job, base));
        if self.shape.each {
            self.bail_out_if_too_many(e, out);
        }
        let bytes = e.builder.ins().isub(out, base);
        let size = e.builder.ins().iconst(I64, 8 * self.shape.result as i64);
        let results = e.builder.ins().udiv(bytes, size);
        let results = e.builder.ins().ireduce(I32, results);
        let ends = self.read(e, offset_of!(Job, ends));
        let two = e.builder.ins().iconst(I64, 2);
        let offset = e.builder.ins().ishl(now, two);
        let place = e.builder.ins().iadd(ends, offset);
        e.builder.ins().store(flags, results, place, 0);
        let active = e.builder.use_var(active);
        let zero = e.builder.ins().iconst(I64, 0);
        let active = e.builder.ins().icmp(IntCC::NotEqual, active, zero);
        let list = self.read(e, offset_of!(Job, active));
        let place = e.builder.ins().iadd(list, now);
        e.builder.ins().store(flags, active, place, 0);
    }

    /// Bails out if there are more results for the current state than the interpreter lists.
    fn bail_out_if_too_many(&self, e: &mut Emitter<'_>, out: Value) {
        let begin = e.builder.use_var(self.begin);
        let bytes = e.builder.ins().isub(out, begin);
        let most = MAX_OUTCOMES.saturating_mul(8 * self.shape.result as u64);
        let are_few = e.not_above(Bits::any(bytes), most);
        e.unless(are_few, e.bailout());
    }

    /// Emits the steps by one clause from the current state: the parameters of each valuation that enables it and, if
    /// `successor` is set, the successor.
    pub(crate) fn moves(&self, e: &mut Emitter<'_>, clause: &Clause<'_>, successor: bool) {
        let parameters = |e: &mut Emitter<'_>| -> Vec<Value> {
            let slots = clause.binders.iter().map(|binder| e.slot(binder.slot));
            let slots: Vec<Bits> = slots.collect();
            slots.into_iter().map(|bits| e.value(bits)).collect()
        };
        if successor {
            e.steps(clause, &mut |e, holds| {
                let mut result = parameters(e);
                result.extend(e.state(Store::Pre));
                self.store_if(e, holds, &result);
            });
        } else {
            let plan: &Plan = clause.plan;
            e.plan(plan, &mut |e| {
                let result = parameters(e);
                self.store(e, &result);
            });
        }
    }

    /// Emits the evaluation, in the current state, of the formulas from one position on, until the function is long; returns the
    /// position of the first one that is left. Each formula that is false, or seems to have no value, gives a result of one word.
    pub(crate) fn verdicts(
        &self,
        e: &mut Emitter<'_>,
        formulas: &[&interpreter::code::Word],
        first: usize,
    ) -> usize {
        for (position, formula) in formulas.iter().enumerate().skip(first) {
            let [bad, note, next] = std::array::from_fn(|_| e.builder.create_block());
            e.builder.set_cold_block(bad);
            e.builder.set_cold_block(note);
            let undefined = e.builder.append_block_param(note, I64);
            let bailout = e.builder.create_block();
            e.builder.set_cold_block(bailout);
            e.set_bailout(bailout);
            e.require(formula, bad);
            e.builder.ins().jump(next, &[]);
            for (block, code) in [(bad, 0), (bailout, 1)] {
                e.builder.seal_block(block);
                e.builder.switch_to_block(block);
                let code = e.builder.ins().iconst(I64, code);
                e.builder.ins().jump(note, &[code.into()]);
            }
            e.builder.seal_block(note);
            e.builder.switch_to_block(note);
            let at = e.builder.use_var(self.at);
            let thirty_two = e.builder.ins().iconst(I64, 32);
            let state = e.builder.ins().ishl(at, thirty_two);
            let which = e.builder.ins().iconst(I64, 2 * position as i64);
            let noted = e.builder.ins().bor(state, which);
            let noted = e.builder.ins().bor(noted, undefined);
            self.store(e, &[noted]);
            e.builder.ins().jump(next, &[]);
            e.builder.seal_block(next);
            e.builder.switch_to_block(next);
            if e.is_long() {
                return position + 1;
            }
        }
        formulas.len()
    }
}
