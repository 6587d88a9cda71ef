//! The items of a file.

use super::automaton::AutomatonItem;
use super::claim::{InvariantItem, LivenessItem, SimulationItem};
use super::declaration::{LetItem, TheoryItem, TypeItem, VocabularyItem};
use super::schedule::ScheduleItem;

/// A top-level item of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `type T`, `type T = ..`
    Type(TypeItem),
    /// `let f(a, b: Nat) = e`
    Let(LetItem),
    /// `assumes TotalOrder(Ballot)`; `uses` and `imports` are read alike.
    Theory(TheoryItem),
    /// `vocabulary V ..` or `Name(I, J): trait ..`
    Vocabulary(VocabularyItem),
    /// `automaton A ..`
    Automaton(Box<AutomatonItem>),
    /// `invariant I of A: P`
    Invariant(InvariantItem),
    /// `liveness L of A: always eventually P` or `liveness L of A: P leads to Q`
    Liveness(LivenessItem),
    /// `forward simulation from Low to High: P` or `backward simulation ..`
    Simulation(SimulationItem),
    /// `schedule S of A ..`
    Schedule(ScheduleItem),
}
