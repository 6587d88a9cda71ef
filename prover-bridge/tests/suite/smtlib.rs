//! Obligations written as files are answered alike by the stand-alone solver.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{CONS, GLOBAL1, REFINEMENT, model, paxos_with, prove_all};
use ioa_lang::core::Model;
use prover_bridge::{Target, Verdict, smt_lib, z3_program};

/// What the stand-alone solver answers to a script.
fn stand_alone(script: &str) -> String {
    let program = z3_program().expect("the wheel carries the program");
    let mut child = Command::new(program)
        .args(["-in", "-T:60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 runs");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(script.as_bytes())
        .expect("a script is read");
    let output = child.wait_with_output().expect("z3 ends");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Compares all verdicts; says how many were `unsat` and how many `sat`.
fn compare(model: &Model) -> (usize, usize) {
    let target = Target::everything(model);
    let (mut unsat, mut sat) = (0, 0);
    for outcome in prove_all(model).outcomes {
        let expected = match outcome.verdict {
            Verdict::Proved(_) | Verdict::Vacuous(_) => "unsat",
            Verdict::Refuted(_) => "sat",
            Verdict::ProvedIf(condition) => panic!("{}: {condition}", outcome.obligation.name),
            Verdict::Unknown(reason) => panic!("{}: {reason}", outcome.obligation.name),
        };
        let script = smt_lib(&target, &outcome.obligation).expect("a script");
        assert_eq!(
            stand_alone(&script),
            expected,
            "{}\n{script}",
            outcome.obligation.name
        );
        *(if expected == "sat" {
            &mut sat
        } else {
            &mut unsat
        }) += 1;
    }
    (unsat, sat)
}

#[test]
fn all_of_paxos() {
    assert_eq!(compare(&model(&[CONS, GLOBAL1, REFINEMENT])), (66, 0));
}

/// A step and an invariant over types that are more than one symbol or not of sorts alone.
#[test]
fn every_type_has_a_script() {
    let text = |invariant: &str| {
        format!(
            "type Item = union of num: Int, name: String
             type Mode = enumeration of calm, busy
             automaton A
               signature internal go(k: Int, t: String)
               states r: Real := 0, c: Char := 'a', s: String := \"a\", m: Map[Int, Int] := empty,
                 b: Mset[Mode] := {{}}, u: Item := num(1), p: Seq[Mode] := {{}}
               transitions internal go(k, t)
                 pre k > 0
                 eff r := r / 2 + 1; m[k] := k; b := insert(calm, b); p := p |- busy; u := name(t);
                   if c < 'y' then c := 'y' fi; if s < t then s := t fi
             invariant I of A: {invariant}"
        )
    };
    let holds = "0 <= r /\\ r < 2 /\\ 'a' <= c /\\ \"a\" <= s /\\ \\A k: Int (defined(m, k) => m[k] > 0) \
                 /\\ busy \\notin b /\\ calm \\notin p";
    assert_eq!(compare(&model(&[&text(holds)])).1, 0);
    for fails in [
        "r < 1",
        "c = 'a'",
        "s = \"a\"",
        "\\A k: Int (~defined(m, k))",
        "calm \\notin b",
        "p = {}",
        "u = num(1)",
    ] {
        assert_eq!(compare(&model(&[&text(fails)])).1, 1, "{fails}");
    }
}

#[test]
fn a_refuted_simulation() {
    let idle = paxos_with(
        "if b \\in Global1.succeeded /\\ Cons.chosen = {} then",
        "if false then",
    );
    assert_eq!(compare(&idle), (65, 1));
}

#[test]
fn a_script_stands_alone_and_names_its_assertions() {
    let model = model(&["type Node
        automaton A
          signature internal join(n': Node)
          states members: Set[Node] := {}
          transitions internal join(n') eff members := insert(n', members)
        invariant Few of A: \\A n: Node \\A m: Node (n \\in members /\\ m \\in members => n = m)"]);
    let target = Target::everything(&model);
    let listed = prover_bridge::obligations(&target);
    let script = smt_lib(&target, &listed[1]).expect("a script");
    assert_eq!(stand_alone(&script), "sat");
    assert_eq!(
        script,
        "; A.Few / join
; What the answers would mean:
;   unsat    nothing contradicts it: it would be proved for every size of the sorts, if what it assumes can be
;   sat      something contradicts it: it would not be proved, by what the solver found or at all
;   unknown  neither
(set-info :smt-lib-version 2.6)
(set-logic ALL)
(declare-sort sort.Node 0)
(declare-fun A.members (sort.Node) Bool)
(declare-fun A.join.n~!0 () sort.Node)
(assert (! (forall ((n!0 sort.Node))
  (! (forall ((m!1 sort.Node))
       (! (=> (and (A.members n!0) (A.members m!1)) (= n!0 m!1)) :weight 0))
     :weight 0))
  :named |0: Few before|))
(assert (! (not (forall ((n!0 sort.Node))
       (! (forall ((m!1 sort.Node))
            (! (=> (and (or (= n!0 A.join.n~!0) (A.members n!0))
                        (or (= m!1 A.join.n~!0) (A.members m!1)))
                   (= n!0 m!1))
               :weight 0))
          :weight 0)))
  :named |1: denied|))
(check-sat)
"
    );
}
