//! How states are packed: what is said of variables that are not, and elements of sets that have numbers.

use super::Sandbox;

#[test]
fn why_a_variable_is_not_packed_is_what_hinders_it() {
    let wide = r"
type Node
type View = tuple of seen: Array[Node, Set[Node]], by: Node
automaton Views
  signature internal send(i: Node), take
  states wire: Seq[View] := {}, last: Null[View] := nil, known: Array[Node, Set[Node]] := constant({})
  transitions
    internal send(i)
      pre wire = {}
      eff known[i] := insert(i, known[i]); wire := wire |- [known, i]
    internal take
      pre wire ~= {}
      eff last := embed(head(wire)); wire := tail(wire)
";
    let s = Sandbox::with("views.ioa", wide);
    let small = s.explore("views.ioa --sort Node=3 --keep-going --states 20 --coverage");
    assert!(!small.out.contains("is not packed"), "{small:?}");
    let large = s.explore("views.ioa --sort Node=9 --keep-going --states 20 --coverage");
    let reason = |whole: &str| format!("{whole}[View] is packed only where a value of View fits");
    large.says(0, &format!("wire is not packed: {}", reason("Seq")));
    large.says(0, &format!("last is not packed: {}", reason("Null")));
    for wrong in ["of any length", "known is not packed"] {
        assert!(!large.out.contains(wrong), "{large:?}");
    }
}

/// Pages that nodes write one after the other and send to all; a page has thousands of values, of which few are written.
const PAGES: &str = r"
type Node
type Page = tuple of by: Node, to: Node, number: Nat, names: Seq[Node]
type Mail = union of page: Page, receipt: Page
automaton Pages
  signature internal write(i: Node, k: Node), read(p: Page, k: Node), throw(p: Page), lose(m: Mail)
  states sent: Set[Mail] := {}, kept: Array[Node, Mset[Page]] := constant({}), written: Array[Node, Nat] := constant(0)
  transitions
    internal write(i, k)
      pre i ~= k /\ written[i] < 2 /\ size(sent) < 3
      eff sent := insert(page([i, k, written[i], {} |- i |- k]), sent); written[i] := written[i] + 1
    internal read(p, k)
      pre page(p) \in sent /\ p.to = k
      eff sent := insert(receipt(p), delete(page(p), sent)); kept[k] := insert(p, kept[k])
    internal throw(p)
      pre receipt(p) \in sent /\ p \in kept[p.to]
      eff sent := delete(receipt(p), sent); kept[p.to] := delete(p, kept[p.to]); kept[p.by] := insert(p, kept[p.by])
    internal lose(m)
      pre m \in sent /\ tag(m) = page
      eff sent := delete(m, sent)
invariant Named of Pages: \A p: Page (page(p) \in sent => head(p.names) = p.by)
invariant Few of Pages: \A i: Node (size(kept[i]) < 3)
";

/// The sentence about all states, and what is said of a violation.
fn told(s: &Sandbox, flags: &str) -> (String, String, String) {
    let said = s.explore(&format!("pages.ioa --sort Node=3 --allow-deadlock {flags}"));
    let states = said
        .out
        .lines()
        .find_map(|line| line.split_once(" generated"));
    let states = states
        .expect("a count of states")
        .0
        .rsplit(" \u{2506} ")
        .next();
    let run = said.out.split_once("is violated").map(|(_, run)| run);
    let run = run.and_then(|run| run.split_once("see it again"));
    (
        states.expect("a count of states").to_owned(),
        run.map(|(run, _)| run.to_owned()).unwrap_or_default(),
        said.out,
    )
}

#[test]
fn elements_that_have_numbers_change_nothing_but_the_room_that_states_take() {
    let s = Sandbox::with("pages.ioa", PAGES);
    // Counted where elements had no numbers.
    let states = "110,249 states, 457,471";
    let mut first = None;
    for flags in [
        "--no-symmetry --threads 1",
        "--no-symmetry --threads 2",
        "--no-symmetry --no-native --threads 2",
        "--no-symmetry --disk files",
        "--symmetry --threads 1",
        "--symmetry --threads 2",
    ] {
        let (found, run, text) = told(&s, &format!("--keep-going {flags}"));
        assert_eq!(found, states, "{flags}: {text}");
        assert!(
            text.contains("the elements of Set[Mail] are numbered"),
            "{text}"
        );
        assert!(
            text.contains("the elements of Mset[Page] are numbered"),
            "{text}"
        );
        if !flags.contains("--symmetry") {
            assert!(run.contains("size(kept[i])"), "{text}");
            let first = first.get_or_insert_with(|| run.clone());
            assert_eq!(run, *first, "{flags}: {text}");
        }
    }
}

#[test]
fn a_search_that_is_taken_up_goes_on_with_the_numbers_that_it_had() {
    let s = Sandbox::with("pages.ioa", PAGES);
    for (kept, again) in [("--checkpoint c", "--resume c"), ("--disk d", "--disk d")] {
        let (states, _, text) = told(&s, &format!("--keep-going {kept} --depth 9"));
        assert!(
            text.contains("stopped at the bound on depth"),
            "{states}: {text}"
        );
        let (states, run, text) = told(&s, &format!("--keep-going {again}"));
        assert_eq!(states, "110,249 states, 457,471", "{text}");
        assert!(run.contains("size(kept[i])"), "{text}");
        assert!(
            text.contains("the elements of Set[Mail] are numbered"),
            "{text}"
        );
    }
}

#[test]
fn where_too_many_elements_occur_they_have_no_numbers() {
    let many = r"
type Pair = tuple of x: Nat, y: Nat, z: Nat
automaton Many
  signature internal put(x: Nat, y: Nat)
  states all: Set[Pair] := {}
  transitions
    internal put(x, y)
      pre x < 70 /\ y < 70 /\ size(all) < 1
      eff all := insert([x, y, x + y], all)
invariant Sum of Many: \A p: Pair (p \in all => p.z = p.x + p.y)
";
    let s = Sandbox::with("many.ioa", many);
    let said = s.explore("many.ioa --allow-deadlock --keep-going --coverage");
    said.says(0, "4,901 states");
    said.says(0, "all is not packed");
}
