//! The values of a parameter that satisfy what is said of them for all values of another variable are looked up as sets, and
//! are those that interpretation finds.

mod visits;

use std::collections::BTreeSet;
use std::sync::Arc;

use finite::Ranges;
use interpreter::{Instance, Rows};
use native::Native;
use visits::{FIRST, compare, invariants, model, universe};

/// The first guess of a range; here there are no integers.
const GUESS: finite::Range = visits::GUESSES[0];

/// How many terms are looked up in the code of a model.
fn tables(text: &str) -> usize {
    let model = model(text);
    let ranges = Ranges::of(&model, FIRST, |_| Some(GUESS));
    let universe = universe(&model).with_ranges(ranges);
    let instance = Instance::new(Arc::clone(&model), universe);
    let (rows, asked) = (Rows::new(&instance, FIRST), invariants(&model));
    let steps = Native::new(&instance, FIRST, &asked, rows).expect("it can be run");
    steps.report().tables
}

/// A model of one action that puts a mark beside a line where a condition holds.
fn marking(condition: &str) -> String {
    format!(
        r"
type Line = enumeration of a, b, c, d, e
let near(i: Line, j: Line) = (i = a /\ j \in {{b, c}}) \/ (i = b /\ j = c) \/ (i = c /\ j = e) \/ (i = d /\ j \in {{a, e}})
let after(i: Line, j: Line) = (i = b /\ j = a) \/ (i = c /\ j \in {{a, b}}) \/ (i = d /\ j \in {{a, b, c}}) \/ (i = e /\ j ~= e)
automaton Marks
  signature internal mark(i: Line, k: Line), drop(i: Line)
  states marks: Array[Line, Null[Line]] := constant(nil), on: Set[Line] := {{}}, last: Line := a
  transitions
    internal mark(i, k)
      pre {condition}
      eff marks[i] := embed(k); on := insert(k, on); last := i
    internal drop(i)
      pre i \in on /\ i ~= last
      eff on := delete(i, on); marks[i] := nil
invariant Some of Marks: on ~= {{}}
"
    )
}

/// Whether machine code with so many tables finds what interpretation finds.
fn agrees(condition: &str, expected: usize) {
    let text = marking(condition);
    let (found, packed, left) = compare(&text, GUESS, 1_500);
    assert_eq!((left, packed.outgrown), (0, 0), "{condition}");
    assert!(found.fired[0] > 0 && found.levels.len() > 2, "{condition}");
    assert_eq!(
        found.broken_invariants(),
        BTreeSet::from([0]),
        "{condition}"
    );
    assert_eq!(tables(&text), expected, "{condition}");
}

#[test]
fn what_is_said_for_all_values_of_another_variable_is_an_intersection() {
    agrees(
        r"marks[i] = nil /\ (\A q: Line (marks[q] = nil \/ (~near(marks[q].val, k) /\ (near(q, i) => marks[q].val ~= k))))",
        1,
    );
}

#[test]
fn sets_are_looked_up_where_the_other_values_depend_on_the_parameter() {
    agrees(
        r"marks[i] = nil /\ (\A q: Line (after(i, q) => marks[q] ~= nil /\ ~near(marks[q].val, i))) /\ k ~= last",
        1,
    );
}

#[test]
fn sets_are_looked_up_for_the_elements_of_a_set_of_the_state() {
    agrees(
        r"k \notin on /\ (\A q: Line (q \in on => ~near(q, k) /\ (near(q, i) \/ near(k, q) \/ near(i, k) \/ q = last)))",
        1,
    );
}

/// A term that may have no value is evaluated where the model says so, and only there.
#[test]
fn what_may_have_no_value_is_not_looked_up() {
    let text = marking(
        r"\A q: Line (q \in on => ~near(marks[q].val, k) /\ ~near(q, k) /\ (near(q, i) \/ near(k, i) \/ q = i))",
    );
    let (found, _, _) = compare(&text, GUESS, 1_500);
    assert!(!found.stuck.is_empty());
    assert_eq!(tables(&text), 0);
}

/// What says little is computed faster than it is looked up.
#[test]
fn what_is_cheap_is_not_looked_up() {
    agrees(r"\A q: Line (q \in on => q ~= k)", 0);
}

/// A model of messages of `values` values, which are taken where a condition holds.
fn taking(values: &str, condition: &str) -> String {
    format!(
        r"
type Line = enumeration of {values}
type Message = tuple of from: Line, to: Line, odd: Bool
let near(i: Line, j: Line) = (i = a /\ j \in {{b, c}}) \/ (i = b /\ j = c) \/ (i = c /\ j = e) \/ (i = d /\ j \in {{a, e}})
automaton Messages
  signature internal send(m: Message), take(m: Message)
  states sent: Set[Message] := {{}}, last: Line := a, mark: Array[Line, Bool] := constant(false)
  transitions
    internal send(m)
      pre near(m.from, m.to) /\ m \notin sent /\ (m.odd => mark[m.from])
      eff sent := insert(m, sent); last := m.to
    internal take(m)
      pre m \in sent /\ {condition}
      eff sent := delete(m, sent); mark[m.to] := ~mark[m.to]
invariant Some of Messages: sent ~= {{}}
"
    )
}

/// Whether machine code with so many tables finds what interpretation finds of messages of two and of eight words.
fn agrees_on_messages(condition: &str, are_expected: impl Fn(usize) -> bool) {
    let eight = "a, b, c, d, e, f, g, h";
    for values in ["a, b, c, d, e", "a, b, c, d, e, f", eight] {
        let text = taking(values, condition);
        let (found, packed, left) = compare(&text, GUESS, 1_500);
        assert_eq!((left, packed.outgrown), (0, 0), "{condition}");
        assert!(found.fired[1] > 0 && found.levels.len() > 2, "{condition}");
        assert_eq!(
            found.broken_invariants(),
            BTreeSet::from([0]),
            "{condition}"
        );
        let tables = tables(&text);
        assert!(are_expected(tables), "{values} {condition}: {tables}");
    }
}

#[test]
fn sets_of_several_words_are_looked_up() {
    agrees_on_messages(r"near(m.to, last) /\ m.odd = mark[m.to]", |n| n == 2);
    agrees_on_messages(
        r"near(m.from, last) /\ (\A q: Line (mark[q] => ~near(q, m.to)))",
        |n| n == 2,
    );
}

#[test]
fn what_may_have_no_value_is_not_looked_up_in_several_words() {
    let text = taking(
        "a, b, c, d, e",
        r"near(m.to, last) /\ div(1, if near(m.from, last) then 1 else 0) = 1",
    );
    let (found, _, _) = compare(&text, GUESS, 1_500);
    assert!(!found.stuck.is_empty());
    assert_eq!(tables(&text), 1);
}

/// What is said of the members of a set is looked up for all of them at once, as far as it depends on little.
#[test]
fn the_members_of_a_set_that_matter_are_looked_up() {
    let conditions = [
        r"(\A n: Message (n \in sent => ~(n.from = m.to /\ near(n.to, m.from))))",
        r"(\E n: Message (n \in sent /\ n.to = m.from /\ (n.odd \/ near(n.from, last))))",
        r"size({q: Line where (\E n: Message (n \in sent /\ n.to = q /\ near(n.from, m.to)))}) > 1",
        // What is said of the marks depends on too much, and is evaluated for those members that are left.
        r"(\E n: Message (n \in sent /\ n.from = m.to /\ ~near(n.to, m.from) /\ mark[n.to] = mark[n.from]))",
        r"(\A n: Message (n \in sent /\ near(n.from, m.to) => (mark[n.to] \/ n.odd = m.odd)))",
    ];
    for condition in conditions {
        // What is said of a message that is sent depends on it alone, and needs no table.
        agrees_on_messages(condition, |n| n > 0);
    }
}

/// A term that may have no value is evaluated for all members.
#[test]
fn what_may_have_no_value_is_said_of_one_member_after_the_other() {
    let text = taking(
        "a, b, c, d, e",
        r"(\E n: Message (n \in sent /\ near(n.from, m.to) /\ div(1, if n.odd then 1 else 0) = 1))",
    );
    let (found, _, _) = compare(&text, GUESS, 1_500);
    assert!(!found.stuck.is_empty());
    assert_eq!(tables(&text), 0);
}

#[test]
fn what_is_looked_up_does_not_hide_that_what_is_written_before_it_stops() {
    let text = marking(r"(c \in on /\ i = e => marks[i].val ~= k) /\ near(i, k)");
    let (found, _, left) = compare(&text, GUESS, 1_500);
    assert_eq!(left, 0);
    assert!(!found.stuck.is_empty());
}

/// A model of steps that choose among the values of a type with nearly a million, or with more than can be tried.
fn choosing(variable: &str, condition: &str) -> String {
    format!(
        r"
type Line = enumeration of a, b, c, d, e, f, g
type Many = enumeration of q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q20, q21, q22, q23
automaton Chooses
  signature internal turn(k: Line), rest
  states {variable}, last: Line := a, turns: Set[Line] := {{}}
  transitions
    internal turn(k)
      pre k \notin turns /\ size(turns) < 3
      eff x := choose y where {condition}; last := k; turns := insert(k, turns)
    internal rest
      pre size(turns) = 3
      eff turns := {{}}
invariant Some of Chooses: last \in {{a, b, c}}
"
    )
}

#[test]
fn values_that_are_put_together_are_those_of_interpretation() {
    let array = "x: Array[Line, Line] := constant(a)";
    for (variable, condition) in [
        (
            array,
            r"\A i: Line (y[y[i]] = i) /\ y[k] = last /\ y[a] = k",
        ),
        (array, r"\A i: Line (y[i] = x[i] \/ (y[i] = k /\ i = k))"),
        (array, r"\A i: Line (y[i] = (if i = k then last else x[i]))"),
        ("x: Set[Many] := {}", r"size(y) = 1 /\ ~(y \subseteq x)"),
        (
            "x: Array[Many, Bool] := constant(false)",
            r"\A i: Many (y[i] => i = q3 \/ i = q7) /\ (y[q3] <=> k = b)",
        ),
    ] {
        let text = choosing(variable, condition);
        // Where a step might have too many results, it is interpreted.
        let (found, packed, _) = compare(&text, GUESS, 400);
        assert_eq!(packed.outgrown, 0, "{condition}");
        assert!(found.fired[0] > 0 && found.levels.len() > 1, "{condition}");
        assert_eq!(
            found.broken_invariants(),
            BTreeSet::from([0]),
            "{condition}"
        );
    }
}
