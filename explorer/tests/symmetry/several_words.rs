//! Elements in messages, in sequences, sets, multisets and maps of them, and in what holds these, packed in several words.

use finite::Ranges;
use interpreter::{Instance, Location};
use ioa_lang::core::AutomatonId;

use super::{Pieces, compare, study};
use explorer::symmetry::Symmetry;

const DECLARATIONS: &str = "type Node
type Kind = enumeration of ask, tell, stop
type Message = tuple of kind: Kind, from: Node, to: Node, hint: Null[Node]
type Note = union of note: Message, owner: Node
type Box = tuple of owner: Null[Node], mail: Seq[Message], seen: Set[Message]
automaton A
  signature
    internal a(n: Node, m: Node), b(n: Node, m: Node), c(n: Node, m: Node)
  states
    sent: Set[Message] := {},
    bag: Mset[Message] := {},
    answers: Map[Message, Node] := empty,
    channel: Array[Node, Seq[Message]] := constant({}),
    notes: Array[Node, Seq[Note]] := constant({}),
    desk: Box := [nil, {}, {}]
  transitions
";

/// What the effects of a random automaton are made of.
const EFFECTS: [&str; 10] = [
    "sent := insert([ask, n, m, nil], sent)",
    "sent := insert([tell, m, n, embed(n)], delete([ask, n, m, nil], sent))",
    "bag := insert([stop, n, n, embed(m)], bag)",
    "bag := delete([stop, m, m, embed(n)], bag)",
    "answers := update(update(empty, [ask, m, n, nil], n), [tell, n, n, embed(m)], m)",
    "channel[n] := channel[n] |- [tell, n, m, embed(m)]",
    "channel[m] := channel[n]; channel[n] := {}",
    "notes[m] := notes[m] |- note([stop, n, m, nil]) |- owner(n)",
    "desk.mail := desk.mail |- [ask, m, m, nil]; desk.owner := embed(n)",
    "desk.seen := sent; desk.mail := channel[m]",
];

const CONDITIONS: [&str; 6] = [
    "n ~= m",
    "[ask, n, m, nil] \\notin sent",
    "desk.owner = embed(n)",
    "~defined(answers, [ask, n, n, nil])",
    "\\A k: Node (len(channel[k]) = 0)",
    "size(desk.seen) < 2",
];

const CLAIMS: [&str; 4] = [
    "size(sent) < 2",
    "\\A k: Node (len(channel[k]) < 2)",
    "\\A k: Node ([stop, k, k, embed(k)] \\notin bag)",
    "\\A k: Node (desk.owner = embed(k) => [ask, k, k, nil] \\notin sent)",
];

/// Keeps what there is small.
const BOUND: &str = "size(sent) + size(bag) + len(desk.mail) < 2 /\\ (\\A k: Node (len(channel[k]) < 2 /\\ len(notes[k]) < 2 /\\
        \\A j: Node (k = j \\/ channel[k] = {} \\/ channel[j] = {})))";

/// What random automata are made of.
const PIECES: Pieces = Pieces {
    declarations: DECLARATIONS,
    bound: BOUND,
    conditions: &CONDITIONS,
    effects: &EFFECTS,
    claims: &CLAIMS,
};

/// The automaton with the packing that a search begins with.
pub(crate) fn packed(text: &str, size: u64) -> (Instance, AutomatonId) {
    let (instance, automaton) = study(&[text], "A", &[("Node", size)]);
    let ranges = Ranges::of(instance.model(), automaton, |_| Some(finite::GUESS));
    let universe = instance.universe().clone().with_ranges(ranges);
    let model = std::sync::Arc::clone(instance.model());
    (Instance::new(model, universe), automaton)
}

#[test]
fn random_automata_with_messages_in_several_words_have_the_same_answers() {
    let (mut full, mut reduced) = (0, 0);
    for seed in 1..=12 {
        let (instance, automaton) = packed(&PIECES.drawn(seed), 3);
        let layout = instance.layout(automaton);
        for variable in layout.ids() {
            let location = layout.location(variable);
            assert!(matches!(location, Location::Limbs(_)), "{location:?}");
        }
        let symmetry = Symmetry::of(&instance, automaton, &[0, 1, 2, 3]);
        assert_eq!(symmetry.order(), 6, "{:?}", symmetry.sorts());
        let (all, some) = compare(&instance, automaton);
        assert!(instance.range_overflows().is_empty());
        (full, reduced) = (full + all, reduced + some);
    }
    assert!(reduced * 3 < full, "{reduced} of {full}");
}
