//! Reads one piece of a file with the grammar; where it does not follow the grammar, a second time, around its mistakes.

use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pairs;

use super::explain::Mistake;
use super::nesting;
use super::piece::Piece;
use crate::diagnostic::Diagnostic;
use crate::syntax::grammar::{Grammar, Rule, is_of_second_reading};
use crate::syntax::lower;
use crate::syntax::tree::TreeBuilder;

/// Maximum number of mistakes reported for a piece.
const MAX_MISTAKES: usize = 40;

/// Maximum number of constructs that are read separately to explain a mistake at one place.
const MAX_READINGS: usize = 3;

/// A place where the second reading found something other than what was expected.
struct Gap {
    /// The token at which it was found.
    at: usize,
    /// The token after the skipped text.
    end: usize,
    /// The constructs that can be read separately and extend up to there, each with the byte where it starts: first those
    /// before it, then those around it, from the inside out.
    around: Vec<(Rule, usize)>,
    /// Whether there is unexpected text, rather than only something missing.
    is_junk: bool,
    /// The sign that is missing there, if nothing else is wrong.
    lost: Option<Rule>,
}

impl Piece<'_> {
    /// Adds the piece to a tree, and reports what is wrong with it.
    pub(in crate::syntax) fn read(&self, tree: &mut TreeBuilder<'_>) -> Vec<Diagnostic> {
        if let Some(index) = nesting::too_deep_at(self.outline, self.tokens.clone()) {
            tree.error(Rule::error, &self.outline.tokens[self.tokens.clone()]);
            return vec![lower::too_deep(self.span(&(index..index + 1)))];
        }
        let start = self.start();
        match Grammar::parse(self.rule, self.text()) {
            Ok(pairs) => {
                tree.pairs(pairs, |at| start + at, &self.outline.tokens);
                Vec::new()
            }
            Err(error) => self.read_again(&self.mistake(&error, start), tree),
        }
    }

    /// Reads the piece around its mistakes, of which the first is known.
    fn read_again(&self, first: &Mistake, tree: &mut TreeBuilder<'_>) -> Vec<Diagnostic> {
        let marked = format!("\n{}", self.text());
        let start = self.start();
        let place = |at: usize| start + at.saturating_sub(1);
        let Ok(pairs) = Grammar::parse(self.rule, &marked) else {
            tree.error(Rule::error, &self.outline.tokens[self.tokens.clone()]);
            return vec![first.explain(self)];
        };
        let gaps = self.gaps(pairs.clone(), place);
        match self.is_list()
            && pairs
                .clone()
                .flatten()
                .any(|pair| pair.as_rule() == Rule::rest)
        {
            true => self.salvage(first, tree),
            false => tree.pairs(pairs, place, &self.outline.tokens),
        }
        let mut diagnostics = vec![first.explain(self)];
        for gap in self.mistakes_of(&gaps, first.at) {
            if diagnostics.len() == MAX_MISTAKES {
                let last = diagnostics.pop().expect("there are many");
                diagnostics.push(last.help("there may be more mistakes behind this one: it is the last that was looked for here"));
                break;
            }
            let mistake = self.mistake_in(gap);
            diagnostics.extend(mistake.map(|mistake| mistake.explain(self)));
        }
        diagnostics
    }

    /// Whether what stands before a mistake could mean something else without what stands after it.
    fn is_list(&self) -> bool {
        matches!(
            self.rule,
            Rule::theory_piece
                | Rule::components_piece
                | Rule::hidden_piece
                | Rule::automaton_piece
                | Rule::monitor_piece
                | Rule::trait_piece
                | Rule::type_piece
        )
    }

    /// Adds what stands before the first mistake, if that is a whole by itself.
    fn salvage(&self, first: &Mistake, tree: &mut TreeBuilder<'_>) {
        let start = self.start();
        let tokens = &self.outline.tokens;
        let before = &self.outline.text[start..self.byte_of(first.at)];
        match Grammar::parse(self.rule, before) {
            Ok(pairs) => {
                tree.pairs(pairs, |at| start + at, tokens);
                tree.error(Rule::extra, &tokens[first.at..self.tokens.end]);
            }
            Err(_) => tree.error(Rule::error, &tokens[self.tokens.clone()]),
        }
    }

    /// The places of a second reading where something else stands than should.
    fn gaps(&self, pairs: Pairs<'_, Rule>, place: impl Fn(usize) -> usize) -> Vec<Gap> {
        let mut open: Vec<(Rule, usize)> = Vec::new();
        let mut closed = None;
        let mut gaps = Vec::new();
        for event in pairs.tokens() {
            match event {
                pest::Token::Start { rule, pos } => open.push((rule, place(pos.pos()))),
                pest::Token::End { rule, pos } => {
                    let node = open.pop().expect("it was opened");
                    if is_of_second_reading(rule) && rule != Rule::begin {
                        let around = closed.iter().chain(open.iter().rev());
                        let around = around.filter_map(|&(rule, start)| Some((unit(rule)?, start)));
                        let (at, end) = (self.token_at(node.1), place(pos.pos()));
                        gaps.push(Gap {
                            at,
                            end: self.token_from(end),
                            around: around.take(MAX_READINGS).collect(),
                            is_junk: end > node.1,
                            lost: lost(rule),
                        });
                    } else {
                        closed = Some(node);
                    }
                }
            }
        }
        gaps
    }

    /// The places after the first that are separate mistakes, and not consequences of what directly precedes them.
    fn mistakes_of<'g>(&self, gaps: &'g [Gap], first: usize) -> impl Iterator<Item = &'g Gap> {
        // For the grammar, the skipped text before the first mistake begins at the mistake, but for people it does not.
        let mut passed = first;
        gaps.iter().filter(move |gap| {
            let is_new = gap.at > passed;
            passed = passed.max(gap.end);
            is_new
        })
    }

    /// The mistake at a place, found by reading the constructs that extend up to there; none if that explains nothing.
    fn mistake_in(&self, gap: &Gap) -> Option<Mistake> {
        let here = |expected| Mistake {
            at: gap.at,
            expected,
        };
        if gap.lost.is_some() {
            return Some(here(gap.lost.into_iter().collect()));
        }
        let itself = (unit_of_piece(self.rule), self.byte_of(gap.at));
        let mut found = gap
            .around
            .iter()
            .chain([&itself])
            .filter_map(|&(rule, start)| {
                let text = &self.outline.text[start..self.end()];
                let error = Grammar::parse(rule, text).err()?;
                let mistake = self.mistake(&error, start);
                let is_here = gap.at <= mistake.at && mistake.at <= gap.end;
                is_here.then_some(mistake)
            });
        let mut mistake = found.next().unwrap_or_else(|| here(Vec::new()));
        let before = self.tokens.start..mistake.at;
        nesting::retain_possible(self.rule, self.outline, before, &mut mistake.expected);
        (gap.is_junk || !mistake.expected.is_empty()).then_some(mistake)
    }

    /// The result of pest on a text that starts at a byte of the file.
    fn mistake(&self, error: &Error<Rule>, start: usize) -> Mistake {
        let offset = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        Mistake {
            at: self.token_at(start + offset),
            expected,
        }
    }
}

/// The separator that is missing where the second reading went on without one.
fn lost(rule: Rule) -> Option<Rule> {
    match rule {
        Rule::lost => Some(Rule::semicolon),
        Rule::lost_decl => Some(Rule::comma),
        _ => None,
    }
}

/// The rule by which a construct is read separately, if there is one.
fn unit(rule: Rule) -> Option<Rule> {
    Some(match rule {
        Rule::assignment | Rule::fire | Rule::if_stmt | Rule::for_stmt | Rule::while_stmt => {
            Rule::stmt_unit
        }
        Rule::state_decl => Rule::decl_unit,
        Rule::sig_entry => Rule::entry_unit,
        Rule::pre => Rule::pre_unit,
        Rule::task => Rule::task_unit,
        Rule::elseif
        | Rule::where_clause
        | Rule::choosing
        | Rule::ensuring
        | Rule::provided
        | Rule::so_that
        | Rule::initially => rule,
        _ => return None,
    })
}

/// The parts of a piece, by its rule, that can be read separately.
fn unit_of_piece(rule: Rule) -> Rule {
    match rule {
        Rule::states_piece | Rule::proof_states_piece => Rule::decl_unit,
        Rule::signature_piece => Rule::entry_unit,
        Rule::tasks_piece => Rule::task_unit,
        _ => Rule::stmt_unit,
    }
}
