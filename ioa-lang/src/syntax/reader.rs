//! Reads a file item by item, and an item piece by piece.

use std::ops::Range;

use super::Parsed;
use super::ast::{AutomatonItem, Expr, Item, ProofItem};
use super::build::Builder;
use super::characters;
use super::explain;
use super::grammar::Rule;
use super::hints;
use super::outline::{Outline, Tokens};
use super::piece::{Pair, Piece};
use super::token::TokenKind;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// A file being read.
pub(super) struct Reader<'a> {
    file: FileId,
    outline: Outline<'a>,
    parsed: Parsed,
    cuts: Vec<Cut>,
}

/// A piece of the text that one rule of the grammar reads.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The rule.
    pub(crate) rule: Rule,
    /// The bytes of the piece, from its first to its last token.
    pub(crate) bytes: Range<usize>,
    /// Whether an item starts here.
    pub(crate) starts_item: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Self {
        Self {
            file,
            outline: Outline::new(text),
            parsed: Parsed::default(),
            cuts: Vec::new(),
        }
    }

    /// What the file says, and how it was cut into pieces.
    pub(super) fn read(mut self) -> (Parsed, Vec<Cut>) {
        let (stray, items) = self.outline.items();
        self.stray(stray, "a declaration", hints::ITEM);
        for item in items {
            let before = self.parsed.items.len();
            let cuts = self.cuts.len();
            self.item(item.clone());
            if let Some(first) = self.cuts.get_mut(cuts) {
                first.starts_item = true;
            }
            if self.parsed.items.len() == before {
                self.mark_unread(&item);
            }
        }
        self.turned_text();
        (self.parsed, self.cuts)
    }

    /// Refuses characters that make a text look other than it is, inside of comments and literals. Elsewhere they are
    /// mistakes like any other.
    fn turned_text(&mut self) {
        let outline = &self.outline;
        let stray = |at: usize| {
            let token = outline
                .tokens
                .binary_search_by_key(&at, |token| token.start);
            token.is_ok_and(|index| outline.tokens[index].kind == TokenKind::Unknown)
        };
        for (at, c) in outline.text.char_indices() {
            if characters::turns_text(c) && !stray(at) {
                let span = Span::new(self.file, at, at + c.len_utf8());
                let message = format!(
                    "this text is not what it looks like: it has {}",
                    characters::describe(c)
                );
                self.parsed
                    .diagnostics
                    .push(Diagnostic::error(span, message));
            }
        }
    }

    /// The formula that all of the text is, with what is wrong with it.
    pub(super) fn formula(mut self) -> (Option<Expr>, Vec<Diagnostic>) {
        let formula = self.piece(Rule::formula_piece, self.outline.all(), Builder::formula);
        (formula, self.parsed.diagnostics)
    }

    /// Remembers where there is text that was not understood in full.
    fn mark_unread(&mut self, tokens: &Tokens) {
        let span = self.span(tokens);
        self.parsed.unread.push(span);
    }

    fn item(&mut self, item: Tokens) {
        if let Some(meant) = self.outline.misspelt_item(item.start) {
            return self.misspelt(item, meant);
        }
        match self.outline.word(item.start) {
            "type" | "Type" => self.whole(Rule::type_piece, item, |b, p| {
                vec![Item::Type(b.type_item(p))]
            }),
            "assumes" | "uses" | "imports" => self.whole(Rule::theory_piece, item, |b, p| {
                b.theory_items(p).into_iter().map(Item::Theory).collect()
            }),
            "invariant" => self.whole(Rule::invariant_piece, item, |b, p| {
                vec![Item::Invariant(b.invariant(p))]
            }),
            "schedule" => self.whole(Rule::schedule_piece, item, |b, p| {
                vec![Item::Schedule(b.schedule(p))]
            }),
            "automaton" => self.automaton(item),
            "forward" | "backward" => self.simulation(item),
            "vocabulary" => self.whole(Rule::vocabulary_piece, item, |b, p| {
                vec![Item::Vocabulary(b.vocabulary(p))]
            }),
            "let" => self.whole(Rule::let_piece, item, |b, p| vec![Item::Let(b.let_item(p))]),
            "liveness" => self.whole(Rule::liveness_piece, item, |b, p| {
                vec![Item::Liveness(b.liveness(p))]
            }),
            _ => self.whole(Rule::trait_piece, item, |b, p| {
                vec![Item::Vocabulary(b.vocabulary(p))]
            }),
        }
    }

    /// Reads an item whose keyword is misspelt, for the mistakes inside it.
    fn misspelt(&mut self, item: Tokens, meant: &str) {
        let first = item.start..item.start + 1;
        let message = format!(
            "expected a declaration, found {}",
            explain::found(&self.outline, item.start)
        );
        let diagnostic =
            Diagnostic::error(self.span(&first), message).label("expected a declaration");
        self.parsed
            .diagnostics
            .push(diagnostic.help(format!("did you mean `{meant}`?")));
        if meant == "automaton" {
            let (_, sections) = self.outline.sections(item);
            for section in sections {
                self.section(section, &mut None);
            }
        }
    }

    /// Reads an item that is one piece.
    fn whole(&mut self, rule: Rule, item: Tokens, build: impl Fn(&Builder, Pair<'_>) -> Vec<Item>) {
        let items = self.piece(rule, item, build);
        self.parsed.items.extend(items.into_iter().flatten());
    }

    fn piece<T>(
        &mut self,
        rule: Rule,
        tokens: Tokens,
        build: impl Fn(&Builder, Pair<'_>) -> T,
    ) -> Option<T> {
        let piece = Piece {
            file: self.file,
            outline: &self.outline,
            rule,
            tokens: tokens.clone(),
        };
        self.cuts.push(Cut {
            rule,
            bytes: self.outline.bytes(&tokens),
            starts_item: false,
        });
        let read = piece.read(build);
        if !read.diagnostics.is_empty() {
            self.mark_unread(&tokens);
        }
        self.parsed.diagnostics.extend(read.diagnostics);
        read.result
    }

    fn span(&self, tokens: &Tokens) -> Span {
        let bytes = self.outline.bytes(tokens);
        Span::new(self.file, bytes.start, bytes.end)
    }

    /// Reports tokens that stand where nothing may stand.
    fn stray(&mut self, tokens: Tokens, expected: &str, help: &str) {
        if tokens.is_empty() {
            return;
        }
        self.mark_unread(&tokens);
        let first = tokens.start..tokens.start + 1;
        let found = explain::found(&self.outline, tokens.start);
        let message = format!("expected {expected}, found {found}");
        let diagnostic =
            Diagnostic::error(self.span(&first), message).label(format!("expected {expected}"));
        let hint = hints::nearest_keyword(self.outline.word(tokens.start));
        self.parsed
            .diagnostics
            .push(diagnostic.help(hint.unwrap_or_else(|| help.to_string())));
    }

    fn automaton(&mut self, item: Tokens) {
        let (heading, sections) = self.outline.sections(item);
        let mut automaton = self.piece(Rule::automaton_piece, heading, Builder::automaton);
        for section in sections {
            self.section(section, &mut automaton);
        }
        let automaton = automaton.map(|automaton| Item::Automaton(Box::new(automaton)));
        self.parsed.items.extend(automaton);
    }

    /// Reads a section. Where the heading was not understood, it is read for its mistakes alone.
    fn section(&mut self, section: Tokens, automaton: &mut Option<AutomatonItem>) {
        let keyword = self.outline.word(section.start);
        let rest = section.start + 1..section.end;
        match keyword {
            "signature" => self.signature(rest, automaton),
            "transitions" => self.transitions(rest, automaton),
            "states" => {
                let states = self.piece(Rule::states_piece, section, Builder::states);
                if let (Some(a), Some((states, so_that))) = (automaton, states) {
                    a.states.extend(states);
                    a.so_that = so_that;
                }
            }
            "let" => {
                let named = self.piece(Rule::let_piece, section, Builder::let_item);
                if let Some(a) = automaton {
                    a.lets.extend(named);
                }
            }
            "tasks" => {
                let tasks = self.piece(Rule::tasks_piece, section, Builder::tasks);
                if let Some(a) = automaton {
                    a.tasks.extend(tasks.into_iter().flatten());
                }
            }
            "schedule" => {
                let schedule =
                    self.piece(Rule::inner_schedule_piece, section, Builder::inner_schedule);
                if let Some(a) = automaton {
                    a.schedule = schedule;
                }
            }
            "components" => {
                let components = self.piece(Rule::components_piece, section, Builder::components);
                if let Some(a) = automaton {
                    let all = a.components.get_or_insert_default();
                    all.extend(components.into_iter().flatten());
                }
            }
            _ => {
                let hidden = self.piece(Rule::hidden_piece, section, Builder::hidden);
                if let Some(a) = automaton {
                    a.hidden.extend(hidden.into_iter().flatten());
                }
            }
        }
    }

    fn signature(&mut self, section: Tokens, automaton: &mut Option<AutomatonItem>) {
        let (stray, entries) = self.outline.clauses(section);
        self.stray(stray, "`input`, `output` or `internal`", hints::KIND);
        for entry in entries {
            let entries = self.piece(Rule::signature_piece, entry, Builder::signature);
            if let Some(a) = automaton {
                a.signature.extend(entries.into_iter().flatten());
            }
        }
    }

    fn transitions(&mut self, section: Tokens, automaton: &mut Option<AutomatonItem>) {
        let (stray, clauses) = self.outline.clauses(section);
        self.stray(stray, "`input`, `output` or `internal`", hints::KIND);
        for clause in clauses {
            let clause = self.piece(Rule::clause_piece, clause, Builder::clause);
            if let Some(a) = automaton {
                a.transitions.extend(clause.flatten());
            }
        }
    }

    fn simulation(&mut self, item: Tokens) {
        let proof_at = item
            .clone()
            .find(|&index| self.outline.word(index) == "proof");
        let head = item.start..proof_at.unwrap_or(item.end);
        let simulation = self.piece(Rule::simulation_piece, head, Builder::simulation);
        let proof = proof_at.map(|at| self.proof(at..item.end));
        if let Some(mut simulation) = simulation {
            simulation.proof = proof;
            self.parsed.items.push(Item::Simulation(simulation));
        }
    }

    fn proof(&mut self, tokens: Tokens) -> ProofItem {
        let mut proof = ProofItem {
            states: Vec::new(),
            initially: Vec::new(),
            entries: Vec::new(),
            span: self.span(&(tokens.start..tokens.start + 1)),
        };
        let (stray, parts) = self.outline.proof_parts(tokens.start + 1..tokens.end);
        self.stray(stray, "`states`, `initially` or `for`", hints::PROOF);
        for part in parts {
            self.proof_part(part, &mut proof);
        }
        proof
    }

    fn proof_part(&mut self, part: Tokens, proof: &mut ProofItem) {
        match self.outline.word(part.start) {
            "states" => {
                let states = self.piece(Rule::proof_states_piece, part, Builder::proof_states);
                proof.states.extend(states.into_iter().flatten());
            }
            "initially" => {
                let stmts = self.piece(Rule::proof_start_piece, part, Builder::proof_start);
                proof.initially.extend(stmts.into_iter().flatten());
            }
            _ => {
                let entry = self.piece(Rule::entry_piece, part, Builder::proof_entry);
                proof.entries.extend(entry.flatten());
            }
        }
    }
}
