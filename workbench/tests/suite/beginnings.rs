//! `ioa new`: studies and simulations to begin with.

use crate::sandbox::{Sandbox, refused};

/// A template, what its table names, and a change by which its proof is lost.
struct Case {
    template: &'static str,
    claim: &'static str,
    file: &'static str,
    change: (&'static str, &'static str),
    /// The exit status after the change.
    code: i32,
}

const CASES: [Case; 5] = [
    Case {
        template: "lock",
        claim: "Server to Lock",
        file: "server.ioa",
        // Where the token is when somebody holds it is said no more.
        change: ("~free /\\ c = d", "c = d"),
        code: 3,
    },
    Case {
        template: "messages",
        claim: "System to Service",
        file: "system.ioa",
        // The server carries each request out twice.
        change: ("count := count + 1", "count := count + 2"),
        code: 1,
    },
    Case {
        template: "register",
        claim: "Caches to Register",
        file: "caches.ioa",
        // Other copies stay where a process writes.
        change: ("q ~= p => cache[q] = nil", "q = p => cache[q] = nil"),
        code: 1,
    },
    Case {
        template: "ring",
        claim: "OneStation",
        file: "ring.ioa",
        // A station keeps the token that it passes on.
        change: ("eff token := false", "eff token := true"),
        code: 1,
    },
    Case {
        template: "empty",
        claim: "Bounded",
        file: "model.ioa",
        change: ("pre count < 10", "pre count < 11"),
        code: 1,
    },
];

#[test]
fn each_template_verifies_as_it_stands_and_fails_when_it_is_broken() {
    let s = Sandbox::new();
    for case in &CASES {
        let new = s.ioa(&["new", "--template", case.template, case.template]);
        assert_eq!(new.code, Some(0), "{new:?}");
        let laid_out = s.ioa(&["fmt", "--check", case.template]);
        assert_eq!(laid_out.code, Some(0), "{laid_out:?}");
        let verified = s.ioa(&["verify", case.template]);
        assert_eq!(verified.code, Some(0), "{verified:?}");
        assert!(verified.out.contains(case.claim), "{verified:?}");
        assert_eq!(verified.err, "", "a template has nothing to be warned of");
        let file = format!("{}/{}", case.template, case.file);
        s.replace(&file, case.change.0, case.change.1);
        let broken = s.ioa(&["verify", case.template]);
        assert_eq!(broken.code, Some(case.code), "{broken:?}");
    }
}

#[test]
fn a_new_study_is_a_lock_and_is_never_written_over() {
    let s = Sandbox::new();
    assert_eq!(s.ioa(&["new", "my-lock"]).code, Some(0));
    assert!(s.path("my-lock/server.ioa").is_file());
    refused(&s.ioa(&["new", "my-lock"]), "is there already");
    refused(&s.ioa(&["new", "a b"]), "does not name a study");
    refused(&s.ioa(&["new"]), "<NAME>");
    refused(&s.ioa(&["new", "--template", "lok", "x"]), "lock");
}

const PAIR: &str = "\
type Node
automaton Spec
  signature input ask(n: Node) output tell(n: Node) internal settle(n: Node)
  states asked: Set[Node] := {}, settled: Set[Node] := {}
  transitions
    input ask(n) eff asked := insert(n, asked)
    internal settle(n) pre n \\in asked eff settled := insert(n, settled)
    output tell(n) pre n \\in settled
automaton Desk(n: Node)
  signature input ask(const n) output tell(const n) internal work
  states asked: Bool := false, done: Bool := false
  transitions
    input ask(n) eff asked := true
    internal work pre asked eff done := true
    output tell(n) pre done
automaton Office
  components D[n: Node]: Desk(n)
automaton Same
  signature input ask(n: Node) output tell(n: Node)
  states asked: Set[Node] := {}, settled: Nat := 0
  transitions
    input ask(n) eff asked := insert(n, asked)
    output tell(n) pre n \\in asked
";

/// The skeleton is read as it is printed, and laid out as `ioa fmt` would; what nothing matches is said.
#[test]
fn a_skeleton_of_a_simulation_is_legal_and_names_what_is_missing() {
    let s = Sandbox::new();
    s.write("pair.ioa", PAIR);
    for (low, said) in [
        ("Office", "for internal D[n].work ignore"),
        ("Same", "Spec.asked = Same.asked"),
    ] {
        let skeleton = s.ioa(&["new", "simulation", low, "Spec", "pair.ioa"]);
        assert_eq!(skeleton.code, Some(0), "{skeleton:?}");
        assert!(skeleton.out.contains(said), "{skeleton:?}");
        assert!(skeleton.out.contains("Still to be related"), "{skeleton:?}");
        assert!(skeleton.out.contains("Spec.settled"), "{skeleton:?}");
        s.write("skeleton.ioa", skeleton.out);
        let checked = s.ioa(&["check", "pair.ioa", "skeleton.ioa"]);
        assert_eq!(checked.code, Some(0), "{checked:?}");
        assert_eq!(s.ioa(&["fmt", "--check", "skeleton.ioa"]).code, Some(0));
        // It claims what is not so, and proves nothing by itself.
        let proved = s.ioa(&["prove", "pair.ioa", "skeleton.ioa"]);
        assert_ne!(proved.code, Some(0), "{proved:?}");
        let again = ["new", "simulation", low, "Spec", "pair.ioa", "skeleton.ioa"];
        refused(&s.ioa(&again), "is stated already");
    }
    let nobody = ["new", "simulation", "Ofice", "Spec", "pair.ioa"];
    refused(&s.ioa(&nobody), "did you mean Office");
}
