//! What is said of variables whose values are not packed.

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
