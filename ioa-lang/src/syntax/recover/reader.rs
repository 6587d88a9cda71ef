//! Reads a file item by item, and an item piece by piece, into a tree.

use super::characters;
use super::explain;
use super::hints;
use super::piece::Piece;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};
use crate::syntax::grammar::Rule;
use crate::syntax::outline::{Outline, Tokens};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Tree, TreeBuilder};
use crate::syntax::words;

/// A file being read.
pub(in crate::syntax) struct Reader<'a> {
    file: FileId,
    outline: &'a Outline<'a>,
    tree: TreeBuilder<'a>,
    diagnostics: Vec<Diagnostic>,
    unread: Vec<Span>,
}

/// What was read of a file.
pub(in crate::syntax) struct Read {
    pub(in crate::syntax) tree: Tree,
    /// What does not follow the grammar.
    pub(in crate::syntax) diagnostics: Vec<Diagnostic>,
    /// The pieces of text with a mistake in them.
    pub(in crate::syntax) unread: Vec<Span>,
}

impl<'a> Reader<'a> {
    pub(in crate::syntax) fn new(file: FileId, outline: &'a Outline<'a>) -> Self {
        Self {
            file,
            outline,
            tree: TreeBuilder::new(outline.text),
            diagnostics: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// The tree of the file.
    pub(in crate::syntax) fn read(mut self) -> Read {
        let (stray, items) = self.outline.items();
        self.stray(stray, "a declaration", hints::ITEM);
        for item in items {
            self.node(Rule::item, item.start, |reader| reader.item(item));
        }
        self.turned_text();
        self.end()
    }

    /// The tree of a text that is one formula.
    pub(in crate::syntax) fn formula(mut self) -> Read {
        self.piece(Rule::formula_piece, self.outline.all());
        self.end()
    }

    fn end(self) -> Read {
        Read {
            tree: self.tree.finish(),
            diagnostics: self.diagnostics,
            unread: self.unread,
        }
    }

    /// A node that starts with a token.
    fn node(&mut self, kind: Rule, first: usize, inside: impl FnOnce(&mut Self)) {
        let start = self.outline.bytes(&(first..first + 1)).start;
        self.tree.open(kind, start);
        inside(self);
        self.tree.close();
    }

    /// Refuses misleading characters inside comments and literals. Elsewhere they are ordinary mistakes.
    fn turned_text(&mut self) {
        let outline = self.outline;
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
                self.diagnostics
                    .push(Diagnostic::error(Code::Deceptive, span, message));
            }
        }
    }

    /// Records text that was not fully understood.
    fn mark_unread(&mut self, tokens: &Tokens) {
        let span = self.span(tokens);
        self.unread.push(span);
    }

    fn item(&mut self, item: Tokens) {
        if let Some(meant) = self.outline.misspelt_item(item.start) {
            return self.misspelt(item, meant);
        }
        let rule = match self.outline.word(item.start) {
            "automaton" => return self.automaton(item, Rule::automaton_piece),
            "monitor" => return self.automaton(item, Rule::monitor_piece),
            "forward" | "backward" => return self.simulation(item),
            "type" | "Type" => Rule::type_piece,
            "assumes" | "uses" | "imports" => Rule::theory_piece,
            "invariant" => Rule::invariant_piece,
            "schedule" => Rule::schedule_piece,
            "vocabulary" => Rule::vocabulary_piece,
            "let" => Rule::let_piece,
            "liveness" => Rule::liveness_piece,
            _ => Rule::trait_piece,
        };
        self.piece(rule, item);
    }

    /// Reads an item whose keyword is misspelt, for the mistakes inside it.
    fn misspelt(&mut self, item: Tokens, meant: &str) {
        let first = item.start..item.start + 1;
        let message = format!(
            "expected a declaration, found {}",
            explain::found(self.outline, item.start)
        );
        let diagnostic = Diagnostic::error(Code::NoDeclaration, self.span(&first), message)
            .label("expected a declaration");
        self.diagnostics
            .push(diagnostic.help(format!("did you mean `{meant}`?")));
        if words::has_sections(meant) {
            let (heading, sections) = self.outline.sections(item);
            self.error(&heading);
            for section in sections {
                self.section(section);
            }
        } else {
            self.error(&item);
        }
    }

    /// Text that cannot be understood at all.
    fn error(&mut self, tokens: &Tokens) {
        self.mark_unread(tokens);
        (self.tree).error(Rule::error, &self.outline.tokens[tokens.clone()]);
    }

    fn piece(&mut self, rule: Rule, tokens: Tokens) {
        let piece = Piece {
            file: self.file,
            outline: self.outline,
            rule,
            tokens: tokens.clone(),
        };
        let found = piece.read(&mut self.tree);
        if !found.is_empty() {
            self.mark_unread(&tokens);
        }
        self.diagnostics.extend(found);
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
        self.error(&tokens);
        let first = tokens.start..tokens.start + 1;
        let found = explain::found(self.outline, tokens.start);
        let message = format!("expected {expected}, found {found}");
        let diagnostic = Diagnostic::error(Code::NoDeclaration, self.span(&first), message)
            .label(format!("expected {expected}"));
        let hint = hints::nearest_keyword(self.outline.word(tokens.start));
        self.diagnostics
            .push(diagnostic.help(hint.unwrap_or_else(|| help.to_string())));
    }

    /// An automaton or a monitor, with the rule of its heading.
    fn automaton(&mut self, item: Tokens, rule: Rule) {
        let (heading, sections) = self.outline.sections(item);
        self.piece(rule, heading);
        for section in sections {
            self.section(section);
        }
    }

    fn section(&mut self, section: Tokens) {
        let rule = match self.outline.word(section.start) {
            "signature" => return self.clauses(section, Rule::signature_piece),
            "transitions" => return self.clauses(section, Rule::clause_piece),
            "states" => Rule::states_piece,
            "let" => Rule::let_piece,
            "tasks" => Rule::tasks_piece,
            "schedule" => Rule::inner_schedule_piece,
            "components" => Rule::components_piece,
            "hot" | "cold" => Rule::heat_piece,
            _ => Rule::hidden_piece,
        };
        self.piece(rule, section);
    }

    /// A keyword, and after it pieces that start with the kind of an action.
    fn clauses(&mut self, section: Tokens, rule: Rule) {
        self.node(Rule::section, section.start, |reader| {
            let (first, rest) = (section.start, section.start + 1..section.end);
            reader.tree.tokens(&reader.outline.tokens[first..=first]);
            let (stray, clauses) = reader.outline.clauses(rest);
            reader.stray(stray, "`input`, `output` or `internal`", hints::KIND);
            for clause in clauses {
                reader.piece(rule, clause);
            }
        });
    }

    fn simulation(&mut self, item: Tokens) {
        let mut words = item.clone();
        let proof_at = words.find(|&index| self.outline.word(index) == "proof");
        let head = item.start..proof_at.unwrap_or(item.end);
        self.piece(Rule::simulation_piece, head);
        if let Some(at) = proof_at {
            self.node(Rule::section, at, |reader| reader.proof(at..item.end));
        }
    }

    fn proof(&mut self, section: Tokens) {
        let first = section.start;
        (self.tree).tokens(&self.outline.tokens[first..=first]);
        let (stray, parts) = self.outline.proof_parts(first + 1..section.end);
        self.stray(stray, "`states`, `initially` or `for`", hints::PROOF);
        for part in parts {
            let rule = match self.outline.word(part.start) {
                "states" => Rule::proof_states_piece,
                "initially" => Rule::proof_start_piece,
                _ => Rule::entry_piece,
            };
            self.piece(rule, part);
        }
    }
}
