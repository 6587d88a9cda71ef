//! Terms that code cannot compute: it asks the interpreter for their values, and goes on with the answer.
//!
//! In rows, the name of a general value stands for it, so an answer depends on few words, and those that were given are
//! remembered: most steps from different states change the same set of numbers in the same way.

mod memo;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use interpreter::code::Input;
use interpreter::limits::FUEL;
use interpreter::{Evaluator, Instance, Question, Rows};
use ioa_lang::core::AutomatonId;

use self::memo::{Answer, Memo};

/// Maximum number of values that code goes through one by one; the interpreter handles states with more.
pub(crate) const MAX_LISTED: u64 = 1 << 10;

/// What code gets instead of the number of words of an answer, if there is no answer.
pub(crate) const NO_ANSWER: u64 = u64::MAX;

/// Maximum fuel for all answers about one state. The interpreter can use far more, so whatever code computes, the interpreter
/// can.
const MAX_WORK: u64 = FUEL / 8;

/// So many words of answers to one question are always remembered.
const MIN_OF_ONE: usize = 1 << 9;

/// So many words of all answers are remembered where nobody says how many may be.
const REMEMBERED_AT_FIRST: u64 = 1 << 17;

/// Maximum number of words of all answers that are remembered.
const MAX_REMEMBERED: u64 = 1 << 25;

/// The interpreter, as code asks it.
#[derive(Clone, Debug)]
pub(crate) struct Interpreter {
    evaluator: Arc<Mutex<Evaluator>>,
    /// The fuel for the answers about the present state so far, which code sets to 0 at the end of a state.
    pub(crate) used: Arc<AtomicU64>,
    /// The words of the packed part of a row; the names of cells follow.
    pub(crate) packed: usize,
    /// The number of words of all answers that are remembered.
    remembered: Arc<AtomicU64>,
    /// The number of words that may be remembered.
    room: Arc<AtomicU64>,
}

impl Interpreter {
    /// For the states of an automaton, which are these rows.
    pub(crate) fn new(instance: &Instance, automaton: AutomatonId, rows: &Rows<'_>) -> Self {
        let evaluator = Evaluator::new(instance, automaton, rows.cells());
        Self {
            evaluator: Arc::new(Mutex::new(evaluator)),
            used: Arc::default(),
            packed: instance.layout(automaton).words(),
            remembered: Arc::default(),
            room: Arc::new(AtomicU64::new(REMEMBERED_AT_FIRST)),
        }
    }

    /// Approximate number of bytes that remembered answers take.
    pub(crate) fn memory(&self) -> u64 {
        size_of::<u64>() as u64 * self.remembered.load(Ordering::Relaxed)
    }

    /// Sets the number of bytes that remembered answers may take, and returns whether they take more.
    pub(crate) fn set_room(&self, bytes: u64) -> bool {
        let words = bytes / size_of::<u64>() as u64;
        self.room
            .store(words.min(MAX_REMEMBERED), Ordering::Relaxed);
        self.memory() > bytes
    }

    /// Notes that more words are remembered, and returns whether there is room for them.
    fn has_room(&self, more: u64) -> bool {
        let all = self.remembered.fetch_add(more, Ordering::Relaxed) + more;
        all <= self.room.load(Ordering::Relaxed)
    }

    /// Forgets the answers of a memo.
    fn clear(&self, memo: &mut Memo) {
        self.remembered
            .fetch_sub(memo.size() as u64, Ordering::Relaxed);
        memo.clear();
    }
}

/// A question, with the memory through which code asks it.
#[derive(Debug)]
pub(crate) struct Asked {
    question: Question,
    interpreter: Interpreter,
    /// Where code puts what the answer depends on.
    pub(crate) given: Box<[AtomicU64]>,
    /// Where code finds the answer.
    pub(crate) answer: Box<[AtomicU64]>,
    memory: Mutex<Memory>,
}

/// The answers that were given already.
#[derive(Debug)]
struct Memory {
    memo: Memo,
    /// What is given this time.
    given: Vec<u64>,
    /// The answer to this, if it was not remembered.
    found: Vec<u64>,
}

impl Asked {
    /// A question that nobody has asked yet.
    pub(crate) fn new(question: Question, interpreter: &Interpreter) -> Arc<Self> {
        let inputs = question.inputs().len();
        let words = question.words().unwrap_or(MAX_LISTED as usize);
        let is_short = question.words() == Some(1);
        let room = |words| (0..words).map(|_| AtomicU64::new(0)).collect();
        Arc::new(Self {
            given: room(inputs),
            answer: room(words),
            question,
            interpreter: interpreter.clone(),
            memory: Mutex::new(Memory {
                memo: Memo::new(inputs, is_short),
                given: Vec::new(),
                found: Vec::new(),
            }),
        })
    }

    /// What the answer depends on.
    pub(crate) fn inputs(&self) -> &[Input] {
        self.question.inputs()
    }

    /// Puts the answer where code finds it, and returns the number of its words.
    fn ask(&self) -> Option<usize> {
        let memory = &mut *self.memory.lock().expect("nobody panics");
        let Memory { memo, given, found } = memory;
        given.clear();
        given.extend(self.given.iter().map(|word| word.load(Ordering::Relaxed)));
        if let Some(answer) = memo.get(given) {
            return self.give(answer);
        }
        let answer = self.find(given, found)?;
        let before = memo.size();
        memo.insert(given, answer);
        let more = memo.size() - before;
        if more > 0 && !self.interpreter.has_room(more as u64) && memo.size() > MIN_OF_ONE {
            self.interpreter.clear(memo);
        }
        self.give(answer)
    }

    /// Forgets all answers.
    pub(crate) fn forget(&self) {
        let memory = &mut *self.memory.lock().expect("nobody panics");
        self.interpreter.clear(&mut memory.memo);
    }

    fn give(&self, answer: Answer<'_>) -> Option<usize> {
        let used = self.interpreter.used.load(Ordering::Relaxed) + answer.fuel;
        self.interpreter.used.store(used, Ordering::Relaxed);
        for (to, word) in self.answer.iter().zip(answer.words) {
            to.store(*word, Ordering::Relaxed);
        }
        (used <= MAX_WORK).then_some(answer.words.len())
    }

    fn find<'f>(&self, given: &[u64], found: &'f mut Vec<u64>) -> Option<Answer<'f>> {
        found.clear();
        let mut evaluator = self.interpreter.evaluator.lock().expect("nobody panics");
        let fuel = evaluator.answer(&self.question, given, self.answer.len(), found)?;
        Some(Answer { words: found, fuel })
    }

    /// The one word of the answer to a question that depends on nothing, if it has one.
    pub(crate) fn constant(&self) -> Option<u64> {
        self.ask()?;
        Some(self.answer[0].load(Ordering::Relaxed))
    }
}

/// What code calls to ask a question: returns the number of words of the answer, or [`NO_ANSWER`].
#[allow(unsafe_code)]
pub(crate) extern "C" fn ask(asked: *const Asked) -> u64 {
    // SAFETY: code passes the address of something that is kept as long as the code.
    let asked = unsafe { &*asked };
    asked.ask().map_or(NO_ANSWER, |words| words as u64)
}
