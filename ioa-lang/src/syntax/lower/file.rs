//! The items of a file, from the pieces that they were read in.

use super::item::empty_automaton;
use super::{Builder, Ident, Lowered};
use crate::source::{Name, Span};
use crate::syntax::ast::{AutomatonItem, Item, ProofItem};
use crate::syntax::view::{self, AutomatonPart, Heading, ProofPart, ShortItem, View};

impl Builder {
    /// The syntax of an item.
    pub(super) fn item(&self, item: view::Item<'_>, lowered: &mut Lowered) {
        let before = lowered.items.len();
        match item.heading() {
            Heading::Automaton(heading) => {
                let mut automaton = self.piece(heading, lowered, Self::automaton);
                self.automaton_parts(item, lowered, &mut automaton);
                lowered.items.push(Item::Automaton(Box::new(automaton)));
            }
            Heading::Simulation(heading) => {
                let mut simulation = self.piece(heading, lowered, Self::simulation);
                simulation.proof = item.section().map(|section| {
                    let mut proof = empty_proof(self.span(section.keyword()));
                    self.proof_parts(item, lowered, &mut proof);
                    proof
                });
                lowered.items.push(Item::Simulation(simulation));
            }
            Heading::ShortItem(heading) => {
                let items = self.piece(heading, lowered, Self::short_item);
                lowered.items.extend(items);
            }
            Heading::Unread(_) => self.without_heading(item, lowered),
        }
        if lowered.items.len() == before {
            lowered.unread.push(self.span(item));
        }
    }

    /// Reads a piece, and remembers whether something is wrong with it.
    fn piece<'t, V: View<'t>, T>(
        &self,
        piece: V,
        lowered: &mut Lowered,
        read: impl FnOnce(&Self, V) -> T,
    ) -> T {
        let before = self.diagnostics.borrow().len();
        self.too_deep.set(false);
        let result = read(self, piece);
        if self.diagnostics.borrow().len() > before {
            lowered.unread.push(self.span(piece));
        }
        result
    }

    /// An item that is one piece.
    fn short_item(&self, item: ShortItem<'_>) -> Vec<Item> {
        vec![match item {
            ShortItem::Assumption(it) => {
                let theories = self.theories(it.theories()).into_iter();
                return theories.map(Item::Theory).collect();
            }
            ShortItem::TypeDeclaration(it) => Item::Type(self.type_item(it)),
            ShortItem::Let(it) => Item::Let(self.let_item(it)),
            ShortItem::Invariant(it) => Item::Invariant(self.invariant(it)),
            ShortItem::Liveness(it) => Item::Liveness(self.liveness(it)),
            ShortItem::Schedule(it) => Item::Schedule(self.schedule(it)),
            ShortItem::Vocabulary(it) => Item::Vocabulary(self.vocabulary(it)),
        }]
    }

    /// The sections after a heading that was not understood are read for their mistakes alone.
    fn without_heading(&self, item: view::Item<'_>, lowered: &mut Lowered) {
        let span = self.span(item);
        let name = Ident {
            name: Name::from(""),
            span,
        };
        self.automaton_parts(item, lowered, &mut empty_automaton(name, span));
        self.proof_parts(item, lowered, &mut empty_proof(span));
    }

    fn automaton_parts(
        &self,
        item: view::Item<'_>,
        lowered: &mut Lowered,
        automaton: &mut AutomatonItem,
    ) {
        for part in item.pieces().filter_map(AutomatonPart::cast) {
            self.piece(part, lowered, |b, part| b.automaton_part(part, automaton));
        }
    }

    fn automaton_part(&self, part: AutomatonPart<'_>, automaton: &mut AutomatonItem) {
        match part {
            AutomatonPart::Signature(it) => automaton.signature.extend(self.signature(it)),
            AutomatonPart::Clause(it) => automaton.transitions.extend(self.clause(it)),
            AutomatonPart::States(it) => {
                automaton.states.extend(self.states(Some(it.block())));
                automaton.so_that = self.optional(it.so_that().or(it.initially()));
            }
            AutomatonPart::Let(it) => automaton.lets.push(self.let_item(it)),
            AutomatonPart::Tasks(it) => automaton.tasks.extend(self.tasks(it)),
            AutomatonPart::InnerSchedule(it) => {
                let span = self.span(it.keyword());
                automaton.schedule = Some(self.schedule_body(it.body(), span));
            }
            AutomatonPart::Components(it) => {
                let components = automaton.components.get_or_insert_default();
                components.extend(self.components(it));
            }
            AutomatonPart::Heat(it) => self.heat(it, automaton),
            AutomatonPart::Hidden(it) => automaton.hidden.extend(self.hidden(it)),
        }
    }

    fn proof_parts(&self, item: view::Item<'_>, lowered: &mut Lowered, proof: &mut ProofItem) {
        for part in item.pieces().filter_map(ProofPart::cast) {
            self.piece(part, lowered, |b, part| match part {
                ProofPart::ProofStates(it) => proof.states.extend(b.states(Some(it.block()))),
                ProofPart::ProofStart(it) => proof.initially.extend(b.stmts(it.body())),
                ProofPart::Entry(it) => proof.entries.extend(b.proof_entry(it)),
            });
        }
    }
}

fn empty_proof(span: Span) -> ProofItem {
    ProofItem {
        states: Vec::new(),
        initially: Vec::new(),
        entries: Vec::new(),
        span,
    }
}
