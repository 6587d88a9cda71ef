//! Effects. A continuation emits what follows a statement, because after a choice it must be emitted inside the loop over
//! the possible values.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I64;
use interpreter::code::{Binary, Limbs, Stmt, StmtKind, Target, Term, Word};
use interpreter::{Clause, Field, Location, Relation};
use ioa_lang::core::Store;

use super::Emitter;
use super::loops::plan::{Body, Candidate, UNBRANCHED};
use crate::analysis::{CodegenCheck, Turns, can_stop, size};
use crate::value::{Bits, Truth};

impl<'f> Emitter<'f> {
    /// Emits `found` for each result of each valuation that enables the clause, with the result as the state. For some
    /// valuations it is also emitted without a branch, together with a flag that says whether they enable the clause.
    pub(crate) fn steps(&mut self, clause: &Clause<'_>, found: &mut Candidate<'_, 'f>) {
        let eager = clause.relation.is_none() && is_little(clause.effect);
        self.limit_turns(clause);
        self.plan_by(clause.plan, eager, &mut |e, holds| {
            // What an effect goes through is counted with each turn.
            let left = e.left.take();
            let before = e.state(Store::Pre);
            match &clause.relation {
                None => e.run(clause.effect, &mut |e| found(e, holds)),
                Some(relation) => e.related(clause.effect, relation, found),
            }
            e.set_state(Store::Pre, &before);
            e.left = left;
        });
        self.left = None;
    }

    /// Has the code count through how many values of the clause's parameters it goes, if these may be too many.
    fn limit_turns(&mut self, clause: &Clause<'_>) {
        if let Ok((_, Turns::Counted(turns))) = CodegenCheck::default().clause(clause) {
            let left = self.builder.declare_var(I64);
            let turns = self.builder.ins().iconst(I64, turns.cast_signed());
            self.builder.def_var(left, turns);
            self.left = Some(left);
        }
    }

    /// Counts one more value of a parameter. If there were too many, the code bails out.
    pub(super) fn take_turn(&mut self) {
        if let Some(left) = self.left {
            let now = self.builder.use_var(left);
            let one = self.builder.ins().iconst(I64, 1);
            let after = self.builder.ins().isub(now, one);
            self.builder.def_var(left, after);
            let some = self.differ(Bits::any(now), Bits::Known(0));
            self.unless(some, self.bailout);
        }
    }

    /// Emits `found` for each result of an effect that a relation allows. If there is none, the code bails out.
    fn related(&mut self, effect: &[Stmt], relation: &Relation<'_>, found: &mut Candidate<'_, 'f>) {
        let before = self.state(Store::Pre);
        let some = self.builder.declare_var(I64);
        let none = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(some, none);
        self.run(effect, &mut |e| {
            let after = e.state(Store::Pre);
            e.set_state(Store::Pre, &before);
            e.set_state(Store::Post, &after);
            e.plan(relation.plan, &mut |e| {
                let one = e.builder.ins().iconst(I64, 1);
                e.builder.def_var(some, one);
                e.set_state(Store::Post, &after);
                for (location, binder) in &relation.open {
                    let value = e.slot(binder.slot);
                    e.set_variable(Store::Post, location, value);
                }
                let result = e.state(Store::Post);
                e.set_state(Store::Pre, &result);
                found(e, Truth::Known(true));
                e.set_state(Store::Pre, &before);
                e.set_state(Store::Post, &after);
            });
        });
        let some = Bits::up_to(1, self.builder.use_var(some));
        let is_possible = self.differ(some, Bits::Known(0));
        self.unless(is_possible, self.bailout);
    }

    /// Emits statements, then what follows. If one of them chooses, the state is meaningless afterwards.
    fn run(&mut self, block: &[Stmt], then: &mut Body<'_, 'f>) {
        let Some((first, rest)) = block.split_first() else {
            return then(self);
        };
        match &first.kind {
            StmtKind::Set(target, value) => self.set(target, value),
            StmtKind::Choose {
                choice,
                target,
                value,
            } => {
                let before = self.state(Store::Pre);
                let plan = choice.plan.as_ref().expect("the survey has seen a plan");
                let values = self.candidates(plan);
                let some = self.are_any(&values);
                self.unless(some, self.bailout);
                return self.each_candidate(&values, choice.binder.slot, &mut |e| {
                    e.set_state(Store::Pre, &before);
                    e.set(target, value);
                    e.run(rest, then);
                });
            }
            StmtKind::If(branches, otherwise) if first.chooses() => {
                return self.branch(branches, otherwise, &mut |e| e.run(rest, then));
            }
            StmtKind::If(branches, otherwise) => self.branch(branches, otherwise, &mut |_| {}),
            StmtKind::For { plan, binder, body } => {
                let values = self.candidates(plan);
                self.each_candidate(&values, binder.slot, &mut |e| e.run(body, &mut |_| {}));
            }
            StmtKind::While(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => {
                unreachable!("the survey keeps these statements out")
            }
        }
        self.run(rest, then);
    }

    /// Emits the branches of a conditional, each with what follows.
    fn branch(
        &mut self,
        branches: &[(Word, Box<[Stmt]>)],
        otherwise: &[Stmt],
        then: &mut Body<'_, 'f>,
    ) {
        let done = self.builder.create_block();
        let (before, mut most) = (self.results, self.results);
        for (condition, body) in branches {
            let next = self.builder.create_block();
            self.require(condition, next);
            self.run(body, then);
            self.builder.ins().jump(done, &[]);
            self.enter(next);
            // Only one of the branches is executed.
            most = most.max(self.results);
            self.results = before;
        }
        self.run(otherwise, then);
        self.results = most.max(self.results);
        self.builder.ins().jump(done, &[]);
        self.enter(done);
    }

    fn set(&mut self, target: &Target, value: &Term) {
        let (field, word) = match (&target.location, value) {
            (Location::Bits(field), Term::Word(word)) => (*field, word),
            (Location::Limbs(place), Term::Limbs(limbs)) => {
                return self.set_limbs((target.store, place.fields()), limbs);
            }
            (Location::Limbs(place), Term::General(term)) => {
                let limbs = self.asked_limbs(term, &target.location);
                for (field, limb) in place.fields().iter().zip(limbs) {
                    self.set_field(target.store, *field, limb);
                }
                return;
            }
            (Location::Cell(cell), Term::General(term)) => {
                let name = self.name(term);
                return self.set_name(target.store, *cell, name);
            }
            _ => unreachable!("the analysis keeps other assignments out"),
        };
        if let Some(changed) = self.changed(target.store, field, word) {
            self.set_raw(target.store, field, changed);
        } else {
            let value = self.word(word);
            self.set_field(target.store, field, value);
        }
    }

    /// Assigns a variable of several limbs. All of them are computed before the first is assigned.
    fn set_limbs(&mut self, (store, fields): (Store, &[Field]), Limbs { lets, words }: &Limbs) {
        for (slot, word) in lets {
            self.bind_word(*slot, word);
        }
        let changed = fields.iter().zip(words);
        let changed = changed.filter(|(field, word)| **word != Word::Load(store, **field));
        let changed: Vec<(Field, Bits)> = changed
            .map(|(field, word)| (*field, self.word(word)))
            .collect();
        for (field, value) in changed {
            self.set_field(store, field, value);
        }
    }

    /// Sets a variable to a value that is a word or has a name.
    fn set_variable(&mut self, store: Store, location: &Location, value: Bits) {
        match location {
            Location::Bits(field) => self.set_field(store, *field, value),
            Location::Cell(cell) => self.set_name(store, *cell, value),
            Location::Limbs(_) => unreachable!("the analysis keeps such relations out"),
        }
    }

    fn set_field(&mut self, store: Store, field: Field, value: Bits) {
        let raw = self.raw(store, field);
        let replaced = self.replaced_in(
            field.slice(),
            raw,
            Bits::Known(0),
            (field.slice().mask(), value),
        );
        self.set_raw(store, field, replaced);
    }

    /// The word of a variable after the assignment of a term that changes only parts of the variable: these parts are
    /// changed in place.
    fn changed(&mut self, store: Store, field: Field, word: &Word) -> Option<Bits> {
        match word {
            Word::Load(s, f) if *s == store && *f == field => Some(self.raw(store, field)),
            Word::Binary(op @ (Binary::Insert | Binary::Delete), parts) => {
                let whole = self.changed(store, field, &parts[1])?;
                let element = self.word(&parts[0]);
                let bit = self.bit(element);
                let bit = self.lying_in(field.slice(), bit);
                Some(self.with(*op == Binary::Insert, whole, bit))
            }
            Word::Binary(op @ (Binary::Or | Binary::AndNot), parts) => {
                let whole = self.changed(store, field, &parts[0])?;
                let bits = self.word(&parts[1]);
                let bits = self.lying_in(field.slice(), bits);
                Some(self.with(*op == Binary::Or, whole, bits))
            }
            Word::Update { parts, slice } => {
                let whole = self.changed(store, field, &parts[0])?;
                let part = self.word(&parts[1]);
                let at = Bits::Known(u64::from(slice.shift()));
                Some(self.replaced_in(field.slice(), whole, at, (slice.mask(), part)))
            }
            Word::Assign { parts, elements } => {
                let whole = self.changed(store, field, &parts[0])?;
                let index = self.word(&parts[1]);
                let (at, mask) = (self.offset(index, elements.width()), elements.mask());
                if let Some((op, bits)) = self.grown(&parts[2], &parts[0], &parts[1]) {
                    let bits = self.and(bits, Bits::Known(mask));
                    let bits = self.shl(bits, at);
                    let bits = self.lying_in(field.slice(), bits);
                    return Some(self.with(op, whole, bits));
                }
                let element = self.word(&parts[2]);
                Some(self.replaced_in(field.slice(), whole, at, (mask, element)))
            }
            _ => None,
        }
    }

    /// The bits that a term sets (true) or clears in an element of an array, if it has this form.
    fn grown(&mut self, term: &Word, array: &Word, index: &Word) -> Option<(bool, Bits)> {
        let Word::Binary(op, parts) = term else {
            return None;
        };
        let same = |word: &Word| matches!(word, Word::Select { parts, .. } if parts[0] == *array && parts[1] == *index);
        match op {
            Binary::Insert | Binary::Delete if same(&parts[1]) => {
                let element = self.word(&parts[0]);
                Some((*op == Binary::Insert, self.bit(element)))
            }
            Binary::Or | Binary::AndNot if same(&parts[0]) => {
                Some((*op == Binary::Or, self.word(&parts[1])))
            }
            _ => None,
        }
    }

    /// A word with some bits set (true) or cleared.
    fn with(&mut self, join: bool, whole: Bits, bits: Bits) -> Bits {
        if join {
            self.or(whole, bits)
        } else {
            self.without(whole, bits)
        }
    }
}

/// Whether an effect is cheap and consists only of assignments that cannot fault.
fn is_little(effect: &[Stmt]) -> bool {
    let work = effect.iter().map(|statement| match &statement.kind {
        StmtKind::Set(_, Term::Word(value)) if !can_stop(value) => Some(size(value) + 1),
        _ => None,
    });
    work.sum::<Option<u64>>()
        .is_some_and(|work| work <= UNBRANCHED)
}
