//! Cheap conditions on a parameter, which are tested for all its values at once, leave the values that interpretation finds.

mod visits;

use std::collections::BTreeSet;

use visits::{GUESSES, compare};

/// A model in which clients put letters into boxes, and owners take them where a condition holds.
fn boxes(condition: &str) -> String {
    format!(
        r"
type Owner = enumeration of a, b, c, d, e
type Letter = union of bill: Owner, note: Bool
automaton Boxes
  signature internal put(i: Owner, k: Owner), write(i: Owner, k: Owner), take(i: Owner, k: Owner)
  states
    box: Array[Owner, Seq[Letter]] := constant({{}}),
    friend: Array[Owner, Null[Owner]] := constant(nil),
    seen: Set[Owner] := {{}},
    turns: Nat := 0
  transitions
    internal put(i, k)
      pre len(box[i]) < 2 /\ k = a /\ turns < 3
      eff box[i] := box[i] |- bill(k); turns := turns + 1
    internal write(i, k)
      pre len(box[i]) = 1 /\ friend[i] = nil /\ k = b
      eff box[i] := box[i] |- note(true); friend[k] := embed(i)
    internal take(i, k)
      pre {condition} /\ k \in {{c, d}}
      eff
        box[i] := tail(box[i]);
        seen := insert(i, seen);
        if friend[i] ~= nil then friend[k] := friend[i]; friend[i] := nil fi
invariant Few of Boxes: size(seen) < 2
"
    )
}

/// Holds machine code to interpretation, and says whether a step stops in some state.
fn stops(condition: &str) -> bool {
    let mut outgrown = 0;
    let found = GUESSES.map(|guess| {
        let (found, packed, left) = compare(&boxes(condition), guess, 2_500);
        assert_eq!(left, 0, "{condition}");
        outgrown += packed.outgrown;
        found
    });
    assert!(outgrown > 0, "one of the guesses is too narrow");
    let [found, ..] = found;
    assert!(found.fired.iter().all(|fired| *fired > 0), "{condition}");
    assert!(found.levels.len() > 3, "{condition}");
    let broken = found.broken_invariants();
    assert_eq!(broken, BTreeSet::from([0]), "{condition}");
    !found.stuck.is_empty()
}

#[test]
fn what_could_stop_is_asked_only_where_what_is_written_before_it_holds() {
    assert!(!stops(
        r"box[i] ~= {} /\ tag(head(box[i])) = bill /\ head(box[i]).bill ~= i"
    ));
    assert!(!stops(
        r"box[i] ~= {} /\ friend[i] ~= nil /\ friend[i].val \notin seen"
    ));
    assert!(!stops(
        r"len(box[i]) > 0 /\ (friend[i] = nil \/ friend[i].val = k)"
    ));
}

#[test]
fn what_stops_is_not_hidden_by_what_is_written_after_it() {
    assert!(stops(
        r"(i \in seen => head(box[i]) ~= note(true)) /\ box[i] ~= {}"
    ));
    assert!(stops(r"box[i] ~= {} /\ head(box[i]).bill ~= i"));
    assert!(stops(
        r"box[i] ~= {} /\ (i \in seen => friend[i].val ~= i) /\ len(box[i]) < 2"
    ));
    assert!(stops(r"box[i] ~= {} /\ (i \in seen => friend[i].val ~= i)"));
}

#[test]
fn divisions_are_not_tested_for_all_values() {
    assert!(!stops(
        r"box[i] ~= {} /\ (turns = 0 \/ mod(len(box[i]), turns) < 2)"
    ));
    assert!(stops(r"box[i] ~= {} /\ div(2, 2 - len(box[i])) < 3"));
}
