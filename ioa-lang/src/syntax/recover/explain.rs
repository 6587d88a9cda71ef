//! What the grammar expected and what it found, in words.

use std::collections::BTreeSet;

use super::expectation::{Expectation, expectation};
use super::hints;
use super::nesting::{self, OpenConstruct};
use super::piece::Piece;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::grammar::Rule;
use crate::syntax::outline::Outline;
use crate::syntax::token::TokenKind;
use crate::syntax::words::is_reserved;

/// More than this many alternatives help nobody.
const MAX_ALTERNATIVES: usize = 4;

/// A place where a piece does not follow the grammar.
#[derive(Clone, Debug)]
pub(in crate::syntax) struct Mistake {
    /// The token that does not fit; the end of the piece where something is missing there.
    pub(in crate::syntax) at: usize,
    /// The rules of which one should have matched.
    pub(in crate::syntax) expected: Vec<Rule>,
}

impl Mistake {
    /// What closes the construct that is still open where the piece ends.
    pub(in crate::syntax) fn missing_closer(&self) -> Option<&'static str> {
        self.expected.iter().find_map(|rule| closer(*rule))
    }

    /// Puts the mistake in words.
    pub(in crate::syntax) fn explain(&self, piece: &Piece<'_>) -> Diagnostic {
        if let Some(separator) = self.missing_separator(piece) {
            return self.explain_separator(piece, separator);
        }
        let expectations = self.expectations(piece);
        let label = self.label(piece, &expectations);
        let outline = piece.outline;
        let (span, message) = if hints::is_found(piece, self.at, &expectations) {
            let span = piece.span(&(self.at..self.at + 1));
            (span, format!("{label}, found {}", found(outline, self.at)))
        } else if let Some(last) = self.at.checked_sub(1) {
            let end = piece.span(&(last..self.at)).end as usize;
            let message = format!("{label} after {}", found(outline, last));
            (Span::new(piece.file, end, end), message)
        } else {
            (
                Span::new(piece.file, 0, 0),
                "there is nothing here".to_owned(),
            )
        };
        let diagnostic = Diagnostic::error(Code::Unexpected, span, message).label(label);
        let diagnostic = self.point_at_opener(piece, diagnostic);
        match hints::hint(piece, self.at, &expectations) {
            Some(hint) => diagnostic.help(hint),
            None => diagnostic,
        }
    }

    fn explain_separator(&self, piece: &Piece<'_>, separator: &str) -> Diagnostic {
        let what = match separator {
            ";" => "statements",
            _ => "declarations",
        };
        let span = piece.span(&(self.at..self.at + 1));
        let found = found(piece.outline, self.at);
        Diagnostic::error(
            Code::NoSeparator,
            span,
            format!("expected `{separator}` before {found}"),
        )
        .label(format!("expected `{separator}` before this"))
        .help(format!("{what} are separated by `{separator}`"))
    }

    fn label(&self, piece: &Piece<'_>, expectations: &[Expectation]) -> String {
        let words = expectations.iter().flat_map(|e| match e {
            Expectation::Action => ["`input`", "`output`", "`internal`"]
                .map(String::from)
                .to_vec(),
            _ => vec![in_words(e, piece, self.at)],
        });
        match alternatives(words.collect()) {
            Some(words) => format!("expected {words}"),
            None => "this does not belong here".into(),
        }
    }

    /// The separator that is missing between this token and what stands before it, if that is what is wrong.
    pub(in crate::syntax) fn missing_separator(&self, piece: &Piece<'_>) -> Option<&'static str> {
        let outline = piece.outline;
        if self.at >= piece.tokens.end || !outline.starts_line(self.at) {
            return None;
        }
        let separator = separator(piece, self.at);
        let rule = match separator {
            "," => Rule::comma,
            _ => Rule::semicolon,
        };
        let starts = match separator {
            // What is declared there is a keyword, which is another mistake.
            "," if outline.token(self.at + 1) == ":" => !is_reserved(outline.token(self.at)),
            "," => outline.token(self.at + 1) == "(",
            _ => true,
        };
        let separated = matches!(outline.before(self.at), "," | ";");
        let missing = self.expected.contains(&rule) && starts && !separated;
        (missing && outline.starts_statement(self.at))
            .then_some(separator)
            .filter(|s| !s.is_empty())
    }

    /// What was expected, without alternatives that are correct but not helpful.
    fn expectations(&self, piece: &Piece<'_>) -> Vec<Expectation> {
        let all: BTreeSet<_> = self
            .expected
            .iter()
            .filter_map(|rule| expectation(*rule))
            .collect();
        let ends = all.contains(&Expectation::End);
        let after_term = all.contains(&Expectation::Operator);
        let starts_term = all.contains(&Expectation::Term);
        let starts = starts_term || all.contains(&Expectation::Name);
        let useful = |e: &Expectation| match e {
            Expectation::Separator(sign) => {
                !starts && (!ends || separator(piece, self.at) == *sign)
            }
            Expectation::Name => !starts_term,
            Expectation::Token(token) => match token.as_str() {
                "so that" | "ensuring" | "provided" | "initially" | "." | "[" => false,
                "where" => !after_term,
                "(" => !after_term && !starts_term,
                "if" | "{" => !starts_term,
                _ => true,
            },
            _ => true,
        };
        match all.iter().any(useful) {
            true => all.iter().filter(|e| useful(e)).cloned().collect(),
            false => all.into_iter().collect(),
        }
    }

    /// Shows what was opened and not closed, where that is what is missing.
    fn point_at_opener(&self, piece: &Piece<'_>, diagnostic: Diagnostic) -> Diagnostic {
        let Some(closer) = self.missing_closer() else {
            return diagnostic;
        };
        let found = piece.outline.token(self.at);
        let cut_short = self.at == piece.tokens.end
            || is_reserved(found)
            || matches!(found, ")" | "]" | "}" | ";" | ":=");
        let open = nesting::open_before(piece.outline, piece.tokens.start..self.at);
        let opener = open.iter().rev().find(|(open, _)| closes(closer, *open));
        match opener {
            Some((_, index)) if cut_short => {
                let text = piece.outline.token(*index);
                let label = format!("this `{text}` has no `{closer}`");
                diagnostic.related(piece.span(&(*index..*index + 1)), label)
            }
            _ => diagnostic,
        }
    }
}

/// The token at an index, in words.
pub(in crate::syntax) fn found(outline: &Outline<'_>, index: usize) -> String {
    let token = outline.token(index);
    let kind = outline.tokens.get(index).map(|token| token.kind);
    match kind {
        None => "the end of the file".into(),
        Some(TokenKind::Word) if is_reserved(token) => format!("the keyword `{token}`"),
        Some(TokenKind::Unknown) => hints::describe_unknown(token),
        Some(_) if token.chars().count() > 40 => {
            format!("`{}..`", token.chars().take(30).collect::<String>())
        }
        Some(_) => format!("`{token}`"),
    }
}

fn closer(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::k_fi => Some("fi"),
        Rule::k_od => Some("od"),
        Rule::rparen => Some(")"),
        Rule::rbracket => Some("]"),
        Rule::rbrace => Some("}"),
        _ => None,
    }
}

fn closes(closer: &str, open: OpenConstruct) -> bool {
    match open {
        OpenConstruct::Statement => closer == "fi",
        OpenConstruct::Loop => closer == "od",
        OpenConstruct::Bracket => matches!(closer, ")" | "]" | "}"),
        OpenConstruct::Term => false,
    }
}

/// The sign that separates the parts of a piece at this place.
fn separator(piece: &Piece<'_>, at: usize) -> &'static str {
    let words = (piece.tokens.start..at)
        .rev()
        .map(|index| piece.outline.word(index));
    let mut sections =
        words.filter(|word| matches!(*word, "eff" | "pre" | "so" | "initially" | "states" | "do"));
    use Rule::{
        clause_piece, entry_piece, inner_schedule_piece, proof_start_piece, proof_states_piece,
        schedule_piece, signature_piece, states_piece,
    };
    match (piece.rule, sections.next()) {
        (signature_piece, _)
        | (
            states_piece | proof_states_piece | schedule_piece | inner_schedule_piece,
            Some("states"),
        ) => ",",
        (
            clause_piece | entry_piece | schedule_piece | inner_schedule_piece,
            Some("eff" | "do"),
        )
        | (proof_start_piece, _) => ";",
        _ => "",
    }
}

/// `a`, `a or b`, `a, b or c`.
fn alternatives(mut words: Vec<String>) -> Option<String> {
    words.truncate(MAX_ALTERNATIVES);
    let last = words.pop()?;
    match words.is_empty() {
        true => Some(last),
        false => Some(format!("{} or {last}", words.join(", "))),
    }
}

fn in_words(expectation: &Expectation, piece: &Piece<'_>, at: usize) -> String {
    match expectation {
        Expectation::Name => "a name".into(),
        Expectation::Type => "a type".into(),
        Expectation::Term if wants_formula(piece, at) => "a formula".into(),
        Expectation::Term => "a term".into(),
        Expectation::Number => "a number".into(),
        Expectation::Action => "an action".into(),
        Expectation::Statement => "a statement".into(),
        Expectation::Token(token) => format!("`{token}`"),
        Expectation::Separator(sign) => format!("`{sign}`"),
        Expectation::Operator => "an operator".into(),
        Expectation::End => format!("the end of {}", whole(piece.rule)),
    }
}

/// Whether what stands before asks for a formula and not for any term.
fn wants_formula(piece: &Piece<'_>, at: usize) -> bool {
    match piece.outline.before(at) {
        "hot" | "cold" => piece.rule == Rule::heat_piece,
        "pre" | "where" | "if" | "elseif" | "while" | "that" | "initially" | "ensuring"
        | "provided" | "~" | "/\\" | "\\/" | "=>" | "<=>" => true,
        ":" => matches!(
            piece.rule,
            Rule::invariant_piece | Rule::liveness_piece | Rule::simulation_piece
        ),
        _ => false,
    }
}

fn whole(rule: Rule) -> &'static str {
    match rule {
        Rule::type_piece => "the type declaration",
        Rule::theory_piece => "the line",
        Rule::let_piece => "the definition",
        Rule::automaton_piece | Rule::monitor_piece => "the heading",
        Rule::heat_piece => "the condition",
        Rule::signature_piece => "the signature",
        Rule::states_piece | Rule::proof_states_piece => "the states",
        Rule::clause_piece => "the clause",
        Rule::tasks_piece => "the tasks",
        Rule::inner_schedule_piece | Rule::schedule_piece => "the schedule",
        Rule::invariant_piece => "the invariant",
        Rule::liveness_piece => "the liveness property",
        Rule::formula_piece => "the formula",
        Rule::simulation_piece => "the relation",
        Rule::vocabulary_piece => "the vocabulary",
        Rule::trait_piece => "the trait",
        Rule::components_piece => "the components",
        Rule::hidden_piece => "what is hidden",
        _ => "the entry",
    }
}
