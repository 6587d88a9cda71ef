//! Where the items of a file start, and the sections and clauses inside them: read off the keywords alone, so that it
//! works on a text with mistakes in it.

use std::ops::Range;

use crate::diagnostic::nearest;
use crate::notation::Infix;

use super::token::{Token, TokenKind, tokens};
use super::words::{self, is_reserved};

/// The tokens of a file, with questions about where its parts start.
pub(super) struct Outline<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
}

/// A range of token indices.
pub(super) type Tokens = Range<usize>;

/// How many tokens the parameters of a trait may have, so that the search for where they start is short.
const MAX_TRAIT_PARAMETERS: usize = 100;

/// Keywords of items that are followed by a name, and that people misspell.
const ITEMS: &[&str] = &[
    "type",
    "automaton",
    "monitor",
    "invariant",
    "liveness",
    "assumes",
    "schedule",
];

impl<'a> Outline<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        // A byte order mark is not part of the text.
        let blank = text
            .strip_prefix('\u{FEFF}')
            .map_or(0, |_| '\u{FEFF}'.len_utf8());
        let mut tokens = tokens(text);
        tokens.retain(|token| token.start >= blank);
        Self { text, tokens }
    }

    /// All tokens.
    pub(super) fn all(&self) -> Tokens {
        0..self.tokens.len()
    }

    /// The text of a token; empty beyond the last.
    pub(super) fn token(&self, index: usize) -> &'a str {
        self.tokens
            .get(index)
            .map_or("", |token| token.text(self.text))
    }

    /// The word at an index; empty where no word stands.
    pub(super) fn word(&self, index: usize) -> &'a str {
        let token = self.tokens.get(index).filter(|t| t.kind == TokenKind::Word);
        token.map_or("", |token| token.text(self.text))
    }

    /// The text of the token before an index; empty where there is none.
    pub(super) fn before(&self, index: usize) -> &'a str {
        index.checked_sub(1).map_or("", |before| self.token(before))
    }

    /// The bytes from the first to the last token of a range.
    pub(super) fn bytes(&self, range: &Tokens) -> Range<usize> {
        match self.tokens.get(range.clone()) {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.start..only.end,
            _ => {
                let at = self
                    .tokens
                    .get(range.start)
                    .map_or(self.text.len(), |t| t.start);
                at..at
            }
        }
    }

    /// Whether a token is the first on its line.
    pub(super) fn starts_line(&self, index: usize) -> bool {
        let Some(token) = self.tokens.get(index) else {
            return true;
        };
        let from = index
            .checked_sub(1)
            .map_or(0, |before| self.tokens[before].end);
        self.text[from..token.start].contains('\n') || from == 0
    }

    /// Whether a statement may start at this token.
    pub(super) fn starts_statement(&self, index: usize) -> bool {
        let word = self.word(index);
        matches!(word, "if" | "for" | "while" | "fire" | "ignore")
            || !word.is_empty() && !is_reserved(word)
    }

    /// The ranges of the items. What stands before the first belongs to none.
    pub(super) fn items(&self) -> (Tokens, Vec<Tokens>) {
        let all = 0..self.tokens.len();
        let (mut in_heading, mut in_vocabulary) = (false, false);
        // What ends the heading of an invariant or an entry, in which `uses` says what its proof may assume.
        let mut claim: &[&str] = &[];
        let mut starts = Vec::new();
        for index in all.clone() {
            let word = self.word(index);
            in_heading &= !words::starts_section(word) && !matches!(word, "introduces" | "asserts");
            let belongs = (in_heading || in_vocabulary)
                && matches!(word, "assumes" | "uses" | "imports")
                || in_vocabulary && self.misspelt_item(index).is_some()
                || !claim.is_empty() && word == "uses";
            claim = match word {
                "invariant" => &[":"],
                "for" if self.is_kind(index + 1) => &["do", "ignore"],
                _ if claim.contains(&self.token(index)) => &[],
                _ => claim,
            };
            in_vocabulary = word == "vocabulary" || in_vocabulary && word != "end";
            if self.starts_item(index) && !belongs {
                in_heading = words::has_sections(self.item_word(index));
                starts.push(index);
            } else if let Some(start) = self.trait_start(index)
                // An item that starts inside the parameters of a trait ends it before it has begun.
                && starts.last().is_none_or(|last| *last < start)
            {
                in_heading = true;
                starts.push(start);
            }
        }
        self.keep_inner_lets(&mut starts, all.end);
        split_at(all, &starts)
    }

    /// Leaves out each `let` that belongs to the automaton before it: one that has a section of that automaton after it.
    fn keep_inner_lets(&self, starts: &mut Vec<usize>, end: usize) {
        let mut behind = end;
        let mut section_follows = false;
        let mut inner: Vec<bool> = Vec::new();
        for &start in starts.iter().rev() {
            let has_section = (start + 1..behind)
                .any(|index| self.starts_section(index) || self.starts_heat(index));
            section_follows = has_section || section_follows && self.word(behind) == "let";
            inner.push(section_follows && self.word(start) == "let");
            behind = start;
        }
        let mut in_automaton = false;
        starts.retain(|&start| {
            let belongs = inner.pop().unwrap_or(false) && in_automaton;
            if !belongs {
                in_automaton = words::has_sections(self.item_word(start));
            }
            !belongs
        });
    }

    /// Whether a section of an automaton starts at this token; a `let` is none here.
    fn starts_section(&self, index: usize) -> bool {
        words::starts_section(self.word(index))
            && !self.used_as_name(index)
            && !(self.word(index) == "states" && self.before(index) == "schedule")
    }

    /// Whether one of the sections that only a monitor has starts at this token: `hot` or `cold` at the start of a line,
    /// with a formula after it and no operator.
    fn starts_heat(&self, index: usize) -> bool {
        let starts_formula = match self.word(index + 1) {
            "" => matches!(
                self.token(index + 1),
                "(" | "~" | "¬" | r"\A" | r"\E" | "∀" | "∃"
            ),
            word => matches!(word, "true" | "false" | "if") || !is_reserved(word),
        };
        matches!(self.word(index), "hot" | "cold") && self.starts_line(index) && starts_formula
    }

    /// The keyword of an item, or the one that was meant.
    fn item_word(&self, index: usize) -> &'a str {
        self.misspelt_item(index).unwrap_or(self.word(index))
    }

    fn starts_item(&self, index: usize) -> bool {
        let next = self.word(index + 1);
        match self.item_word(index) {
            word if words::starts_item(word) => !self.used_as_name(index),
            "forward" | "backward" => next == "simulation",
            "monitor" => {
                let is_name = !next.is_empty() && !is_reserved(next);
                self.starts_line(index) && (is_name || next == "of")
            }
            "schedule" => !next.is_empty() && !is_reserved(next),
            _ => false,
        }
    }

    /// The keyword that was meant by a line that starts with something like `automatn Cell`: no line inside an item
    /// starts with two names.
    pub(super) fn misspelt_item(&self, index: usize) -> Option<&'static str> {
        let is_name = |word: &str| !word.is_empty() && !is_reserved(word);
        let (word, next) = (self.word(index), self.word(index + 1));
        let candidate = word.len() > 2
            && word != "monitor"
            && is_name(word)
            && is_name(next)
            && self.starts_line(index);
        candidate
            .then(|| nearest(word, ITEMS.iter().copied()))
            .flatten()
    }

    /// Whether a keyword stands where only a name makes sense, as in `type: Int` or `(M: type)`.
    fn used_as_name(&self, index: usize) -> bool {
        let next = self.token(index + 1);
        // A term may begin with a minus sign, and an item with a term.
        let is_operand = next != "-" && Infix::ALL.iter().any(|sign| sign.row().text == next);
        matches!(self.before(index), "." | ":")
            || is_operand
            || matches!(next, ":" | ":=" | "," | ")" | "]" | "[" | "." | ";")
    }

    /// `Name(I, J): trait`, seen from the word `trait`: where it starts.
    fn trait_start(&self, index: usize) -> Option<usize> {
        if self.word(index) != "trait" || self.before(index) != ":" {
            return None;
        }
        let mut start = index.checked_sub(2)?;
        if self.token(start) == ")" {
            start = (start.saturating_sub(MAX_TRAIT_PARAMETERS)..start)
                .rev()
                .find(|&i| self.token(i) == "(")?
                .checked_sub(1)?;
        }
        Some(start)
    }

    /// The heading of an automaton, and its sections; each of its `let`s is one.
    pub(super) fn sections(&self, item: Tokens) -> (Tokens, Vec<Tokens>) {
        let is_monitor = self.item_word(item.start) == "monitor";
        let starts_section = |index: &usize| {
            self.starts_section(*index)
                || is_monitor && self.starts_heat(*index)
                || self.word(*index) == "let" && !self.used_as_name(*index)
        };
        let starts: Vec<usize> = item.clone().filter(starts_section).collect();
        split_at(item, &starts)
    }

    /// The entries of a signature or the clauses of `transitions`: each starts with `input`, `output` or `internal`.
    pub(super) fn clauses(&self, section: Tokens) -> (Tokens, Vec<Tokens>) {
        let starts_clause = |index: &usize| self.is_kind(*index) && self.before(*index) != "fire";
        let starts: Vec<usize> = section.clone().filter(starts_clause).collect();
        split_at(section, &starts)
    }

    /// The parts of a proof block: `states`, `initially`, and an entry for each action.
    pub(super) fn proof_parts(&self, proof: Tokens) -> (Tokens, Vec<Tokens>) {
        let starts_part = |index: &usize| match self.word(*index) {
            "states" | "initially" => !self.used_as_name(*index),
            "for" => self.is_kind(*index + 1),
            _ => false,
        };
        let starts: Vec<usize> = proof.clone().filter(starts_part).collect();
        split_at(proof, &starts)
    }

    fn is_kind(&self, index: usize) -> bool {
        matches!(self.word(index), "input" | "output" | "internal")
    }
}

/// Cuts a range at the given starts: what stands before the first, and one range for each.
fn split_at(range: Tokens, starts: &[usize]) -> (Tokens, Vec<Tokens>) {
    let ends = starts.iter().skip(1).chain([&range.end]);
    let parts = starts
        .iter()
        .zip(ends)
        .map(|(&start, &end)| start..end)
        .collect();
    (range.start..*starts.first().unwrap_or(&range.end), parts)
}
