//! The items of a file, from the pieces that they were read in.

use super::item::empty_automaton;
use super::{Builder, Ident, Lowered};
use crate::source::{Name, Span};
use crate::syntax::ast::{AutomatonItem, Item, ProofItem};
use crate::syntax::tree::{Kind, Node};

impl Builder {
    /// The syntax of an item.
    pub(super) fn item(&self, item: Node<'_>, lowered: &mut Lowered) {
        if item.kind() != Kind::item {
            return;
        }
        let before = lowered.items.len();
        let sections = item.inner().filter(|part| part.kind() == Kind::section);
        let mut pieces = item.inner().filter(|part| part.kind() != Kind::section);
        let Some(first) = pieces.next() else {
            return;
        };
        match first.kind() {
            Kind::automaton_piece | Kind::monitor_piece => {
                let mut automaton = self.piece(first, lowered, Self::automaton);
                self.sections(item, lowered, &mut automaton);
                lowered.items.push(Item::Automaton(Box::new(automaton)));
            }
            Kind::simulation_piece => {
                let mut simulation = self.piece(first, lowered, Self::simulation);
                simulation.proof = sections.map(|proof| self.proof(proof, lowered)).next();
                lowered.items.push(Item::Simulation(simulation));
            }
            Kind::error => self.without_heading(item, lowered),
            _ => {
                let items = self.piece(first, lowered, Self::short_item);
                lowered.items.extend(items);
            }
        }
        if lowered.items.len() == before {
            lowered.unread.push(self.span(&item));
        }
    }

    /// Reads a piece, and remembers whether something is wrong with it.
    fn piece<'t, T>(
        &self,
        piece: Node<'t>,
        lowered: &mut Lowered,
        read: impl FnOnce(&Self, Node<'t>) -> T,
    ) -> T {
        let before = self.diagnostics.borrow().len();
        self.too_deep.set(false);
        let result = read(self, piece);
        if self.diagnostics.borrow().len() > before {
            lowered.unread.push(self.span(&piece));
        }
        result
    }

    /// An item that is one piece.
    fn short_item(&self, piece: Node<'_>) -> Vec<Item> {
        match piece.kind() {
            Kind::type_piece => vec![Item::Type(self.type_item(piece))],
            Kind::let_piece => vec![Item::Let(self.let_item(piece))],
            Kind::theory_piece => {
                let theories = self.theory_items(piece).into_iter();
                theories.map(Item::Theory).collect()
            }
            Kind::invariant_piece => vec![Item::Invariant(self.invariant(piece))],
            Kind::liveness_piece => vec![Item::Liveness(self.liveness(piece))],
            Kind::schedule_piece => vec![Item::Schedule(self.schedule(piece))],
            _ => vec![Item::Vocabulary(self.vocabulary(piece))],
        }
    }

    /// The sections behind a heading that was not understood are read for their mistakes alone.
    fn without_heading(&self, item: Node<'_>, lowered: &mut Lowered) {
        let span = self.span(&item);
        let name = Ident {
            name: Name::from(""),
            span,
        };
        let mut nobody = empty_automaton(name, span);
        self.sections(item, lowered, &mut nobody);
        let mut nothing = empty_proof(span);
        for section in item.inner().filter(|part| part.kind() == Kind::section) {
            self.proof_parts(section, lowered, &mut nothing);
        }
    }

    fn sections(&self, item: Node<'_>, lowered: &mut Lowered, automaton: &mut AutomatonItem) {
        for part in item.inner() {
            if part.kind() == Kind::section {
                for piece in part.inner() {
                    self.piece(piece, lowered, |b, piece| b.section(piece, automaton));
                }
            } else {
                self.piece(part, lowered, |b, piece| b.section(piece, automaton));
            }
        }
    }

    fn section(&self, piece: Node<'_>, automaton: &mut AutomatonItem) {
        match piece.kind() {
            Kind::signature_piece => automaton.signature.extend(self.signature(piece)),
            Kind::clause_piece => automaton.transitions.extend(self.clause(piece)),
            Kind::states_piece => {
                let (states, so_that) = self.states(piece);
                automaton.states.extend(states);
                automaton.so_that = so_that;
            }
            Kind::let_piece => automaton.lets.push(self.let_item(piece)),
            Kind::tasks_piece => automaton.tasks.extend(self.tasks(piece)),
            Kind::inner_schedule_piece => automaton.schedule = Some(self.inner_schedule(piece)),
            Kind::components_piece => {
                let components = automaton.components.get_or_insert_default();
                components.extend(self.components(piece));
            }
            Kind::heat_piece => self.heat(piece, automaton),
            Kind::hidden_piece => automaton.hidden.extend(self.hidden(piece)),
            _ => {}
        }
    }

    /// A proof block.
    fn proof(&self, section: Node<'_>, lowered: &mut Lowered) -> ProofItem {
        let keyword = section.inner().next();
        let mut proof = empty_proof(self.span(&keyword.unwrap_or(section)));
        self.proof_parts(section, lowered, &mut proof);
        proof
    }

    fn proof_parts(&self, section: Node<'_>, lowered: &mut Lowered, proof: &mut ProofItem) {
        for piece in section.inner() {
            self.piece(piece, lowered, |b, piece| match piece.kind() {
                Kind::proof_states_piece => proof.states.extend(b.proof_states(piece)),
                Kind::proof_start_piece => proof.initially.extend(b.proof_start(piece)),
                Kind::entry_piece => proof.entries.extend(b.proof_entry(piece)),
                _ => {}
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
