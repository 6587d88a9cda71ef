//! Items and the headings of items.

use pest::iterators::Pair;

use super::{Builder, action_kind, expected, parts};
use crate::source::Span;
use crate::syntax::ast::{
    AutomatonItem, Ident, InvariantItem, ProofEntryItem, ScheduleItem, SimulationItem, StateDecl,
    Stmt, TheoryItem, TypeDefinition, TypeItem,
};
use crate::syntax::grammar::Rule;

impl Builder {
    /// `type ..`
    pub(in crate::syntax) fn type_item(&self, pair: Pair<'_, Rule>) -> TypeItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let definition = parts.next().map(|part| self.type_definition(part));
        TypeItem {
            name,
            definition: definition.unwrap_or(TypeDefinition::Sort),
            span,
        }
    }

    fn type_definition(&self, pair: Pair<'_, Rule>) -> TypeDefinition {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::enumeration => {
                TypeDefinition::Enumeration(parts(pair).map(|name| self.ident(&name)).collect())
            }
            Rule::tuple => TypeDefinition::Tuple(self.binders(expected(parts(pair).next()))),
            Rule::union_of => {
                self.unsupported(span, "a union type");
                TypeDefinition::Alias(super::error_type(span))
            }
            _ => TypeDefinition::Alias(self.type_expr(pair)),
        }
    }

    /// `assumes ..` or `uses ..`, which may list several theories.
    pub(in crate::syntax) fn theory_items(&self, pair: Pair<'_, Rule>) -> Vec<TheoryItem> {
        self.theories(expected(parts(pair).next()))
    }

    fn theories(&self, pair: Pair<'_, Rule>) -> Vec<TheoryItem> {
        parts(pair).map(|part| self.theory(part)).collect()
    }

    fn theory(&self, pair: Pair<'_, Rule>) -> TheoryItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let args = super::parts(expected(parts.next()));
        TheoryItem {
            name,
            args: args.map(|part| self.type_expr(part)).collect(),
            span,
        }
    }

    /// The heading of an automaton, with the theories that it assumes.
    pub(in crate::syntax) fn automaton(
        &self,
        pair: Pair<'_, Rule>,
    ) -> (AutomatonItem, Vec<TheoryItem>) {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let mut theories = Vec::new();
        for part in parts {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::theories => theories.extend(self.theories(part)),
                Rule::parameters => self.unsupported(span, "an automaton with parameters"),
                _ => self.unsupported(span, "`where` in the heading of an automaton"),
            }
        }
        (empty_automaton(name, span), theories)
    }

    /// `invariant Name of A: P`
    pub(in crate::syntax) fn invariant(&self, pair: Pair<'_, Rule>) -> InvariantItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let mut next = || expected(parts.next());
        InvariantItem {
            name: self.ident(&next()),
            automaton: self.ident(&next()),
            formula: self.expr(next()),
            span,
        }
    }

    /// `forward simulation from Low to High: P`, without its proof block.
    pub(in crate::syntax) fn simulation(&self, pair: Pair<'_, Rule>) -> SimulationItem {
        let start = self.span(&pair);
        let mut parts = parts(pair);
        let mut next = || expected(parts.next());
        let (low, high) = (self.ident(&next()), self.ident(&next()));
        SimulationItem {
            span: Span {
                end: high.span.end,
                ..start
            },
            low,
            high,
            relation: self.expr(next()),
            proof: None,
        }
    }

    /// `states ..` of a proof block.
    pub(in crate::syntax) fn proof_states(&self, pair: Pair<'_, Rule>) -> Vec<StateDecl> {
        self.states_block(expected(parts(pair).next()))
    }

    /// `initially ..` of a proof block.
    pub(in crate::syntax) fn proof_start(&self, pair: Pair<'_, Rule>) -> Vec<Stmt> {
        self.stmts(expected(parts(pair).next()))
    }

    /// `for internal step(k: Int) do .. od`; none where a mistake in its heading was reported.
    pub(in crate::syntax) fn proof_entry(&self, pair: Pair<'_, Rule>) -> Option<ProofEntryItem> {
        let start = self.span(&pair);
        let (mut kind, mut name, mut formals, mut body) = (None, None, Vec::new(), Vec::new());
        let mut end = start.end;
        for part in parts(pair) {
            let part_end = self.span(&part).end;
            match part.as_rule() {
                Rule::kind => kind = Some(action_kind(part)),
                Rule::name => (name, end) = (Some(self.ident(&part)), part_end),
                Rule::formals => (formals, end) = (self.formals(part).0, part_end),
                Rule::stmts => body = self.stmts(part),
                _ => {}
            }
        }
        Some(ProofEntryItem {
            kind: expected(kind),
            name: name?,
            formals,
            body,
            span: Span { end, ..start },
        })
    }

    /// `schedule Name of Automaton ..`
    pub(in crate::syntax) fn schedule(&self, pair: Pair<'_, Rule>) -> ScheduleItem {
        let start = self.span(&pair);
        let mut parts = parts(pair);
        let mut next = || expected(parts.next());
        let (name, automaton) = (self.ident(&next()), self.ident(&next()));
        let span = Span {
            end: automaton.span.end,
            ..start
        };
        ScheduleItem {
            name,
            automaton,
            body: self.schedule_body(next(), span),
            span,
        }
    }
}

fn empty_automaton(name: Ident, span: Span) -> AutomatonItem {
    AutomatonItem {
        name,
        signature: Vec::new(),
        states: Vec::new(),
        so_that: None,
        transitions: Vec::new(),
        tasks: Vec::new(),
        schedule: None,
        span,
    }
}
