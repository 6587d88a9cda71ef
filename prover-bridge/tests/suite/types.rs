//! Proofs and refutations about reals, characters, strings, maps, multisets and unions.

use crate::common::{counterexample, model, prove_all, unproved};

/// An automaton with these variables, this effect of its one step, and this invariant.
fn stated(states: &str, step: &str, invariant: &str) -> String {
    format!(
        "type Node
         type Item = union of num: Int, name: String
         automaton A
           signature internal go(n: Node, k: Int, t: String)
           states {states}
           transitions internal go(n, k, t) {step}
         invariant I of A: {invariant}"
    )
}

/// What is not proved of it.
fn check(states: &str, step: &str, invariant: &str) -> String {
    unproved(&prove_all(&model(&[&stated(states, step, invariant)])))
}

/// The counterexample to the step's keeping the invariant.
fn refuted(states: &str, step: &str, invariant: &str) -> String {
    let model = model(&[&stated(states, step, invariant)]);
    counterexample(&prove_all(&model), &model, "A.I / go")
}

#[test]
fn reals() {
    let (states, step) = ("x: Real := 0", "eff x := x / 2 + 1");
    assert_eq!(check(states, step, "0 <= x /\\ x < 2"), "");
    let shown = refuted(states, step, "0 <= x /\\ x < 1");
    assert!(shown.contains("x = "), "{shown}");
    let zero = check("x: Real := 1", "eff x := 1 / x", "x ~= 0.5");
    assert!(zero.contains("A.go is defined: refuted"), "{zero}");
}

#[test]
fn characters_and_strings() {
    let text = "s: String := \"b\", c: Char := 'b'";
    let up = "eff if s < t then s := t fi; if c < 'y' then c := 'y' fi";
    assert_eq!(check(text, up, "\"a\" < s /\\ 'a' < c"), "");
    let shown = refuted(text, "eff s := t", "\"a\" < s");
    assert!(shown.contains("s = \"\""), "{shown}");
    let total = "s = t \\/ s < t \\/ t < s";
    assert_eq!(
        check(text, &format!("pre ~({total}) eff c := 'a'"), "c = 'b'"),
        "A.I / go: vacuous: A.go has no step\n"
    );
}

#[test]
fn maps() {
    let (states, step) = ("m: Map[Node, Int] := empty", "pre k > 0 eff m[n] := k");
    let positive = "\\A j: Node (defined(m, j) => m[j] > 0)";
    assert_eq!(check(states, step, positive), "");
    assert_eq!(check(states, "eff m := remove(m, n)", positive), "");
    let shown = refuted(states, "eff m[n] := k", positive);
    assert!(shown.contains("m = [Node#0 -> 0]"), "{shown}");
    let lookup = check(states, "eff m[n] := m[n] + 1", "true");
    assert_eq!(lookup, "A.go is defined: refuted\n");
    let strings = "m: Map[String, Int] := empty, s: Set[String] := {}";
    let both = "eff m[t] := k; s := insert(t, s)";
    assert_eq!(
        check(strings, both, "\\A u: String (defined(m, u) => u \\in s)"),
        ""
    );
}

#[test]
fn multisets() {
    let (states, step) = (
        "b: Mset[Node] := {}, u: Nat := 0",
        "eff b := insert(n, b); u := u + 1",
    );
    assert_eq!(check(states, step, "size(b) = u"), "");
    assert_eq!(
        check(states, step, "\\A j: Node (count(j, b) <= size(b))"),
        ""
    );
    let shown = refuted(states, step, "\\A j: Node (count(j, b) < 2)");
    assert!(shown.contains("b = {Node#0, Node#0}"), "{shown}");
    assert_eq!(check(states, "eff b := delete(n, b)", "size(b) <= u"), "");
}

#[test]
fn unions() {
    let (states, step) = (
        "x: Item := num(0)",
        "eff if k > 3 then x := num(k) else x := name(t) fi",
    );
    let large = "tag(x) = num => x.num = 0 \\/ x.num > 3";
    assert_eq!(check(states, step, large), "");
    let shown = refuted(states, "eff x := num(k)", large);
    assert!(shown.contains("x = num(1)"), "{shown}");
    let wrong = check(states, "eff x := num(x.num + 1)", "true");
    assert_eq!(wrong, "A.go is defined: refuted\n");
    let packed = "xs: Set[Item] := {}";
    assert_eq!(
        check(
            packed,
            "eff xs := insert(num(k), xs)",
            "name(\"a\") \\notin xs"
        ),
        ""
    );
}

/// Of records with three numbers there are more than are ever listed: the members of a collection of them get names instead.
#[test]
fn collections_of_more_values_than_can_be_listed() {
    let declared = |states: &str, step: &str, invariant: &str| {
        let stated = stated(states, step, invariant);
        format!("type Reply = tuple of from: Node, tag, value, round: Int\n{stated}")
    };
    let refuted = |states: &str, step: &str, invariant: &str| {
        let model = model(&[&declared(states, step, invariant)]);
        counterexample(&prove_all(&model), &model, "A.I / go")
    };
    let set = "s: Set[Reply] := {}";
    let add = "eff s := insert([n, k, 0, 1], s)";
    let shown = refuted(set, add, "\\A r: Reply (r \\in s => r.tag < 5)");
    assert!(shown.contains("[Node#0, 5, 0, 1]"), "{shown}");
    let known = refuted(
        "s: Set[Reply] := {}, last: Int := 0",
        "pre \\E r: Reply (r \\in s /\\ r.value = k) eff last := k",
        "last >= 0",
    );
    assert!(known.contains("s = {[Node#0, 0, -1, 0]}"), "{known}");
    let bag = refuted(
        "s: Mset[Reply] := {}",
        "eff s := insert([n, 7, k, 0], s)",
        "\\A r: Reply (r \\in s => r.value = 0)",
    );
    assert!(bag.contains("[Node#0, 7, 1, 0]"), "{bag}");
    let map = refuted(
        "m: Map[Reply, Int] := empty",
        "eff m := update(m, [n, k, k, k], k)",
        "\\A r: Reply (defined(m, r) => m[r] = 0)",
    );
    assert!(map.contains("[Node#0, 1, 1, 1] -> 1"), "{map}");
    // What holds is still proved: that no collection with few members breaks it says nothing by itself.
    let holds = declared(set, add, "\\A r: Reply (r \\in s => r.round = 1)");
    assert_eq!(unproved(&prove_all(&model(&[&holds]))), "");
}
