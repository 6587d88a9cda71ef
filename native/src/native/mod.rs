//! The steps and the invariants of an automaton, native as far as possible.

mod steps;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use interpreter::code::Word;
use interpreter::{Clause, Instance, Interpreted, Rows};
use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, TransitionId};

use crate::analysis::{Bounds, CodegenCheck, Untranslatable};
use crate::asked::Interpreter;
use crate::emit::Services;
use crate::jit::job::{Shape, looks_each_time};
use crate::jit::{Code, Function, JitCompiler, Unsupported};

/// The name of machine code in reports.
pub(crate) const ENGINE: &str = "machine code";

/// How much of an automaton is native.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Why there is no native code on this machine, if that is so.
    pub unsupported: Option<String>,
    /// The transition clauses whose steps are interpreted.
    pub clauses: Vec<(TransitionId, Untranslatable)>,
    /// The invariants that are interpreted, by their positions in the model.
    pub invariants: Vec<(usize, Untranslatable)>,
    /// The transition clauses of which some terms are interpreted.
    pub clauses_in_part: Vec<TransitionId>,
    /// The invariants of which some terms are interpreted.
    pub invariants_in_part: Vec<usize>,
    /// How many terms native code looks up in tables that it fills.
    pub tables: usize,
    /// The number of states whose steps native code computed, except those by the clauses above.
    pub native: u64,
    /// The number of states whose steps were all interpreted.
    pub interpreted: u64,
    /// Maximum number of steps from one state that native code can find, according to the analysis of the clauses.
    pub steps: u64,
    /// The same number, counted while the code was emitted; there is room for this many results.
    pub room: u64,
    /// If auditing is on, the number of values that exceeded the bounds of the analysis or of the emitted code. It should be
    /// 0.
    pub beyond: u64,
}

/// Consecutive clauses that are treated alike.
#[derive(Clone, Debug)]
enum CompiledGroup {
    Native(Function),
    Interpreted(Range<TransitionId>),
}

/// Consecutive clauses before translation, with their positions and the maximum number of results that they have together.
enum Group<'i> {
    Translatable(Vec<(usize, Clause<'i>)>, u64),
    Other(Range<TransitionId>),
}

/// The steps and the invariants of an automaton.
pub struct Native<'i> {
    interpreted: Interpreted<'i>,
    /// The same as code asks it for single terms.
    asked: Interpreter,
    words: usize,
    clauses: usize,
    code: Option<Code>,
    /// All clauses, in their order.
    parts: Vec<CompiledGroup>,
    /// The functions that find violated invariants.
    check: Vec<Function>,
    /// The positions, among the invariants that are checked, of those that `check` is about.
    checked: Vec<usize>,
    /// The positions of the others.
    unchecked: Vec<usize>,
    /// For each clause, the bytes of the successors that native code gave.
    bytes: Vec<u64>,
    /// What `check` found.
    verdicts: Vec<u64>,
    coverage: Coverage,
    listing: Option<String>,
    audit: Option<Arc<AtomicU64>>,
}

/// What is requested of the code besides results.
#[derive(Default)]
struct Extra {
    /// Its text.
    listed: bool,
    /// The number of values that exceed their assumed bounds.
    audit: Option<Arc<AtomicU64>>,
}

impl<'i> Native<'i> {
    /// Compiles an automaton whose states are these rows, with the invariants to be checked, by their positions in the
    /// model.
    ///
    /// # Errors
    /// Every reason why it cannot be run at these sizes.
    pub fn new(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
        rows: Rows<'i>,
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::made((instance, automaton), invariants, rows, Extra::default())
    }

    /// The same, keeping the text of the machine code for [`Native::listing`].
    ///
    /// # Errors
    /// As [`Native::new`].
    pub fn listed(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
        rows: Rows<'i>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let extra = Extra {
            listed: true,
            ..Extra::default()
        };
        Self::made((instance, automaton), invariants, rows, extra)
    }

    /// The same, but counting the values that exceed the bounds assumed when the code was emitted: see [`Coverage::beyond`].
    ///
    /// # Errors
    /// As [`Native::new`].
    pub fn audited(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
        rows: Rows<'i>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let extra = Extra {
            audit: Some(Arc::default()),
            ..Extra::default()
        };
        Self::made((instance, automaton), invariants, rows, extra)
    }

    fn made(
        (instance, automaton): (&'i Instance, AutomatonId),
        invariants: &[usize],
        rows: Rows<'i>,
        extra: Extra,
    ) -> Result<Self, Vec<Diagnostic>> {
        let words = rows.width();
        let asked = Interpreter::new(instance, automaton, &rows);
        let mut native = Self {
            interpreted: Interpreted::new(instance, automaton, invariants, rows)?,
            asked: asked.clone(),
            words,
            clauses: instance.clauses(automaton).len(),
            code: None,
            parts: Vec::new(),
            check: Vec::new(),
            checked: Vec::new(),
            unchecked: (0..invariants.len()).collect(),
            bytes: Vec::new(),
            verdicts: Vec::new(),
            coverage: Coverage::default(),
            listing: None,
            audit: extra.audit.clone(),
        };
        if let Err(why) = native.compile((instance, automaton), invariants, asked, extra) {
            native.coverage.unsupported = Some(why);
            native.code = None;
            native.check.clear();
            native.parts.clear();
            native.unchecked = (0..invariants.len()).collect();
        }
        Ok(native)
    }

    fn compile(
        &mut self,
        (instance, automaton): (&Instance, AutomatonId),
        invariants: &[usize],
        interpreter: Interpreter,
        extra: Extra,
    ) -> Result<(), Unsupported> {
        let mut compiler = JitCompiler::new()?;
        compiler.listing = extra.listed.then(String::new);
        compiler.services = Services {
            interpreter: Some(interpreter),
            audit: extra.audit,
            ..Services::default()
        };
        for group in self.grouped(instance, automaton) {
            let (clauses, results) = match group {
                Group::Translatable(clauses, results) => (clauses, results),
                Group::Other(clauses) => {
                    self.parts.push(CompiledGroup::Interpreted(clauses));
                    continue;
                }
            };
            self.coverage.steps = self.coverage.steps.saturating_add(results);
            let shape = Shape {
                words: self.words,
                result: self.words,
                each: looks_each_time(results),
                clauses: Some(self.clauses),
            };
            let (function, ()) =
                compiler.function(shape, |e, frame| frame.successors(e, &clauses))?;
            self.parts.push(CompiledGroup::Native(function));
        }
        let formulas = self.translatable(instance, automaton, invariants);
        self.check = compiler.verdicts(self.words, &formulas)?;
        self.listing = compiler.listing.take();
        let code = compiler.finish()?;
        self.coverage.tables = code.tables();
        let rooms = self.parts.iter().filter_map(|part| match part {
            CompiledGroup::Native(function) => Some(code.results(*function)),
            CompiledGroup::Interpreted(_) => None,
        });
        self.coverage.room = rooms.fold(0, u64::saturating_add);
        self.code = Some(code);
        Ok(())
    }

    /// The clauses, as far as possible in groups that can be translated; notes why others cannot be.
    fn grouped<'c>(&mut self, instance: &'c Instance, automaton: AutomatonId) -> Vec<Group<'c>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for (position, clause) in instance.clauses(automaton).into_iter().enumerate() {
            let (id, next) = (TransitionId::at(position), TransitionId::at(position + 1));
            let checked = clause.ok_or(Untranslatable::Unusable).and_then(|clause| {
                let mut check = CodegenCheck::default();
                // Few values are in a list, or in a set that has room for many, as a rule. Where there are more steps than the
                // interpreter lists, the code bails out.
                let (Bounds { results, .. }, _) = check.clause(&clause)?;
                if check.asks() {
                    self.coverage.clauses_in_part.push(id);
                }
                Ok((clause, results))
            });
            match (checked, groups.last_mut()) {
                (Ok((clause, more)), Some(Group::Translatable(clauses, results))) => {
                    clauses.push((position, clause));
                    *results = results.saturating_add(more);
                }
                (Ok((clause, results)), _) => {
                    groups.push(Group::Translatable(vec![(position, clause)], results));
                }
                (Err(obstacle), last) => {
                    self.coverage.clauses.push((id, obstacle));
                    match last {
                        Some(Group::Other(clauses)) => clauses.end = next,
                        _ => groups.push(Group::Other(id..next)),
                    }
                }
            }
        }
        groups
    }

    /// The invariants that can be translated; notes which they are, and why the others cannot be.
    fn translatable<'f>(
        &mut self,
        instance: &'f Instance,
        automaton: AutomatonId,
        invariants: &[usize],
    ) -> Vec<&'f Word> {
        let mut formulas = Vec::new();
        self.unchecked.clear();
        for (position, invariant) in invariants.iter().enumerate() {
            let formula = instance.invariant(automaton, *invariant);
            let formula = formula.ok_or(Untranslatable::Unusable).and_then(|formula| {
                let mut check = CodegenCheck::default();
                check.formula(&formula.body)?;
                if check.asks() {
                    self.coverage.invariants_in_part.push(*invariant);
                }
                Ok(&formula.body)
            });
            match formula {
                Ok(body) => {
                    formulas.push(body);
                    self.checked.push(position);
                }
                Err(obstacle) => {
                    self.coverage.invariants.push((*invariant, obstacle));
                    self.unchecked.push(position);
                }
            }
        }
        formulas
    }

    /// What is native, and how often it has been used.
    #[must_use]
    pub fn report(&self) -> Coverage {
        let beyond = self.audit.as_ref();
        Coverage {
            beyond: beyond.map_or(0, |counter| counter.load(Ordering::Relaxed)),
            ..self.coverage.clone()
        }
    }

    /// The machine code as text, for inspection.
    #[must_use]
    pub fn listing(&self) -> Option<&str> {
        self.listing.as_deref()
    }
}
