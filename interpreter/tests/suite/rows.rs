//! Rows that others have made: which of them are states.

use interpreter::{Executor, Instance, Rows};
use ioa_lang::core::AutomatonId;

use crate::common::{instance, model};

/// The variables of both lie in the same words and cells, and differ in what they hold.
const TWO: &str = "
type Node
type Colour = enumeration of red, green, blue
type Pair = tuple of left: Nat, right: Seq[Node]
automaton A
  signature internal go
  states c: Colour := blue, d: Null[Node] := nil, s: Seq[Node] := {}, m: Map[Node, Seq[Node]] := empty,
         p: Pair := [3, {}], b: Mset[Node] := {}, n: Nat := 3, a: Array[Node, Seq[Node]] := constant({})
  transitions internal go
automaton B
  signature internal go
  states c: Colour := red, d: Null[Node] := nil, s: Seq[Colour] := {} |- blue, m: Seq[Nat] := {} |- 3,
         p: Int := 0 - 3, b: Mset[Colour] := insert(blue, {}), n: Int := 0 - 7, a: Array[Bool, Seq[Node]] := constant({})
  transitions internal go
";

fn row(instance: &Instance, automaton: usize) -> (Vec<u64>, Rows<'_>) {
    let automaton = AutomatonId::at(automaton);
    let rows = Rows::new(instance, automaton);
    let mut executor = Executor::new(instance, automaton).expect("it can be run");
    let start = executor.starts().expect("a start state").remove(0);
    let mut row = Vec::new();
    rows.push(&start.state, &mut row);
    (row, rows)
}

#[test]
fn only_values_of_their_types_make_a_state() {
    let instance = instance(model(&[TWO]), &[("Node", 2)]);
    let ((mine, rows), (theirs, other)) = (row(&instance, 0), row(&instance, 1));
    assert_eq!(mine.len(), theirs.len());
    assert!(rows.check().is_state(&mine));
    // Bits: two for the colour, of which 3 is none, two for a node or nil, of which 3 is none.
    for (bits, is_state) in [
        (0b0000, true),
        (0b1001, true),
        (0b0011, false),
        (0b1100, false),
    ] {
        let changed = [&[bits], &mine[1..]].concat();
        assert_eq!(rows.check().is_state(&changed), is_state, "{bits:b}");
    }
    // Bits that no state uses.
    for bit in 4..64 {
        let changed = [&[mine[0] | 1 << bit], &mine[1..]].concat();
        assert!(!rows.check().is_state(&changed), "{bit}");
    }
    // Names of no cell.
    let unknown = [&mine[..1], &vec![77; mine.len() - 1]].concat();
    assert!(!rows.check().is_state(&unknown));
    // Cells of other types, by the names that they have.
    for (name, cell) in other.cells().named() {
        rows.cells().restore(name, cell);
    }
    assert!(rows.cells().are_named_right());
    let mut check = rows.check();
    for at in 1..mine.len() {
        let mut changed = mine.clone();
        changed[at] = theirs[at];
        let is_state = changed == mine;
        assert_eq!(check.is_state(&changed), is_state, "cell {at}");
    }
    assert!(check.is_state(&mine));
}

#[test]
fn equal_cells_cannot_have_two_names() {
    let instance = instance(model(&[TWO]), &[("Node", 2)]);
    let (_, rows) = row(&instance, 0);
    let (name, cell) = rows.cells().named().swap_remove(0);
    rows.cells().restore(name.wrapping_add(1), cell);
    assert!(!rows.cells().are_named_right());
}

#[test]
fn an_encoded_row_means_the_same_beside_other_tables() {
    let instance = instance(model(&[TWO]), &[("Node", 2)]);
    let ((mine, rows), (theirs, other)) = (row(&instance, 0), row(&instance, 1));
    let mut words = Vec::new();
    rows.encode(&mine, &mut words);
    // In another process there are no cells yet.
    let elsewhere = Rows::new(&instance, AutomatonId::at(0));
    let decoded = elsewhere.decode(&words).expect("a state");
    assert_eq!(elsewhere.state(&decoded), rows.state(&mine));
    let mut again = Vec::new();
    elsewhere.encode(&decoded, &mut again);
    assert_eq!(again, words);
    // Nothing less or more is a state, and no state of an automaton with other types.
    for length in 0..words.len() {
        assert_eq!(elsewhere.decode(&words[..length]), None, "{length}");
    }
    assert_eq!(elsewhere.decode(&[&words[..], &[0]].concat()), None);
    let mut foreign = Vec::new();
    other.encode(&theirs, &mut foreign);
    assert_eq!(elsewhere.decode(&foreign), None);
    let mut huge = words.clone();
    huge[1] = u64::MAX;
    assert_eq!(elsewhere.decode(&huge), None);
    huge[0] |= 1 << 60;
    assert_eq!(elsewhere.decode(&[&huge[..1], &words[1..]].concat()), None);
}
