//! A file as the outline cut it: items, sections, and the pieces that the grammar reads.

use super::define::{Parts, View};
use super::item::{
    Assumption, Automaton, Invariant, Let, Liveness, Schedule, Simulation, TypeDeclaration,
    Vocabulary,
};
use super::section::{
    Clause, Components, Entry, Heat, Hidden, InnerSchedule, ProofStart, ProofStates, Signature,
    States, Tasks,
};
use crate::syntax::tree::{Kind, Node};

views! {
    /// An item, with its sections if it has some.
    Item = item { heading: first Heading, section: optional Section }
    /// A keyword, and the pieces below it.
    Section = section { keyword: first Node }
    /// Text that could not be understood at all.
    Unread = error {}
}

choices! {
    /// What an item starts with.
    Heading = Automaton | Simulation | ShortItem | Unread;
    /// An item that is one piece.
    ShortItem = TypeDeclaration | Let | Assumption | Invariant | Liveness | Schedule | Vocabulary;
    /// A section of an automaton, or a part of one.
    AutomatonPart = Signature | States | Clause | Let | Tasks | InnerSchedule | Components | Heat | Hidden;
    /// A part of a proof block.
    ProofPart = ProofStates | ProofStart | Entry;
}

impl<'t> Item<'t> {
    /// The pieces that it was read in, and the keywords between them.
    pub(crate) fn pieces(self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.0.inner().flat_map(|part| match part.kind() {
            Kind::section => part.inner().collect(),
            _ => vec![part],
        })
    }
}
