//! Takes the steps of many states, and tests the invariants in them: by machine code, or by the interpreter where there is none.

use interpreter::{Batch, Broken, RangeOverflows, Successors, Unexpanded};

use super::{CompiledGroup, ENGINE, Native};
use crate::jit::Function;
use crate::jit::call::Tally;

impl<'i> Native<'i> {
    /// Computes what is native by native code and interprets the rest; clauses are counted separately.
    fn expand_all(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        let count = states.len() / self.words;
        match *self.parts {
            [CompiledGroup::Native(function)] => self.expand_native(function, states, batch),
            [] | [CompiledGroup::Interpreted(_)] => {
                self.coverage.interpreted += count as u64;
                self.interpreted.expand(states, batch)
            }
            _ => (0..count).try_for_each(|at| self.expand_by_parts(states, at, batch)),
        }
    }

    /// All clauses are native.
    fn expand_native(
        &mut self,
        function: Function,
        states: &[u64],
        batch: &mut Batch,
    ) -> Result<(), Unexpanded> {
        let (mut from, count) = (0, states.len() / self.words);
        while from < count {
            batch.ends.resize(count, 0);
            batch.active.resize(count, false);
            let tally = Tally {
                ends: &mut batch.ends,
                active: &mut batch.active,
                fired: &mut self.bytes,
            };
            let code = self.code.as_ref().expect("a function has code");
            let bailout = code.run(function, states, from, &mut batch.words, tally);
            let at = bailout.unwrap_or(count);
            self.coverage.native += (at - from) as u64;
            from = at;
            if bailout.is_some() {
                self.interpret(states, at, batch)?;
                from += 1;
            }
        }
        Ok(())
    }

    /// Some clauses are native, some are not: each state by itself.
    fn expand_by_parts(
        &mut self,
        states: &[u64],
        position: usize,
        batch: &mut Batch,
    ) -> Result<(), Unexpanded> {
        let row = &states[position * self.words..][..self.words];
        let (length, fired, bytes) = (batch.words.len(), batch.fired.clone(), self.bytes.clone());
        let mut active = false;
        for part in &self.parts {
            let done = match part {
                CompiledGroup::Interpreted(clauses) => {
                    let found = self.interpreted.expand_by(row, clauses.clone(), batch);
                    found.map_err(|_| ())
                }
                CompiledGroup::Native(function) => {
                    let mut is_active = [false];
                    let tally = Tally {
                        ends: &mut [0],
                        active: &mut is_active,
                        fired: &mut self.bytes,
                    };
                    let code = self.code.as_ref().expect("a function has code");
                    match code.run(*function, row, 0, &mut batch.words, tally) {
                        None => Ok(is_active[0]),
                        Some(_) => Err(()),
                    }
                }
            };
            let Ok(part_is_active) = done else {
                batch.words.truncate(length);
                batch.fired = fired;
                self.bytes = bytes;
                return self.interpret(states, position, batch);
            };
            active |= part_is_active;
        }
        self.coverage.native += 1;
        batch.conclude(active, self.words);
        Ok(())
    }

    /// Interprets the steps from one state.
    fn interpret(
        &mut self,
        states: &[u64],
        position: usize,
        batch: &mut Batch,
    ) -> Result<(), Unexpanded> {
        let state = &states[position * self.words..][..self.words];
        // The results of the states after it are not valid yet.
        batch.ends.truncate(position);
        batch.active.truncate(position);
        self.coverage.interpreted += 1;
        let expanded = self.interpreted.expand_one(state, batch);
        let state = position;
        expanded.map_err(|why| Unexpanded { state, why })
    }

    /// Interprets some invariants in some states.
    fn check_interpreted(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        for (state, words) in states.chunks_exact(self.words).enumerate() {
            for invariant in &self.unchecked {
                if self.interpreted.is_broken(words, *invariant) {
                    let invariant = *invariant;
                    broken.push(Broken { state, invariant });
                }
            }
        }
    }
}

impl Successors for Native<'_> {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn words(&self) -> usize {
        self.words
    }

    fn bits(&self) -> u32 {
        self.interpreted.bits()
    }

    fn is_fast(&self) -> bool {
        let is_native = |part: &CompiledGroup| matches!(part, CompiledGroup::Native(_));
        self.parts.iter().all(is_native)
            && self.unchecked.is_empty()
            && self.coverage.clauses_in_part.is_empty()
            && self.coverage.invariants_in_part.is_empty()
            && self.code.is_some()
    }

    fn misfits(&self) -> Option<&RangeOverflows> {
        self.interpreted.misfits()
    }

    fn is_cancelled(&self) -> bool {
        self.interpreted.is_cancelled()
    }

    fn memory(&self) -> u64 {
        self.interpreted.memory() + self.asked.memory()
    }

    fn may_remember(&mut self, bytes: u64) {
        if self.asked.set_room(bytes)
            && let Some(code) = &self.code
        {
            code.forget();
        }
    }

    fn turns(&self) -> u64 {
        self.interpreted.turns()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        batch.clear(self.clauses);
        self.bytes.clear();
        self.bytes.resize(self.clauses, 0);
        let expanded = self.expand_all(states, batch);
        for (fired, bytes) in batch.fired.iter_mut().zip(&self.bytes) {
            *fired += bytes / (8 * self.words as u64);
        }
        expanded
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        broken.clear();
        if let Some(code) = &self.code {
            self.verdicts.clear();
            for function in &self.check {
                let found = code.run(*function, states, 0, &mut self.verdicts, Tally::default());
                debug_assert_eq!(found, None, "a formula without a value is a result");
            }
            for verdict in &self.verdicts {
                let state = (verdict >> 32) as usize;
                let invariant = self.checked[(verdict >> 1 & 0x7fff_ffff) as usize];
                let words = &states[state * self.words..][..self.words];
                if verdict & 1 == 0 || self.interpreted.is_broken(words, invariant) {
                    broken.push(Broken { state, invariant });
                }
            }
        }
        if !self.unchecked.is_empty() {
            self.check_interpreted(states, broken);
        }
        if self.check.len() + self.unchecked.len() > 1 {
            // What each function found is in order.
            broken.sort_by_key(|b| (b.state, b.invariant));
        }
    }
}
