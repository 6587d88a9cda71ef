//! `prove --all`: counterexamples to induction for several reasons.

use crate::sandbox::{Answer, Sandbox};

/// A lock that may be given back while a client still holds it, or while it is on its way to one: no execution does either.
const LOCKS: &str = "\
type Client

automaton Locks
  signature
    internal grant(c: Client), take(c: Client), release(c: Client), back(c: Client)
  states
    free: Bool := true,
    granted: Set[Client] := {},
    holds: Array[Client, Bool] := constant(false),
    returned: Set[Client] := {}
  transitions
    internal grant(c)
      pre free
      eff free := false; granted := insert(c, granted)
    internal take(c)
      pre c \\in granted
      eff granted := delete(c, granted); holds[c] := true
    internal release(c)
      pre holds[c]
      eff holds[c] := false; returned := insert(c, returned)
    internal back(c)
      pre c \\in returned
      eff returned := delete(c, returned); free := true

invariant Free of Locks: free => granted = {} /\\ \\A c: Client (~holds[c])
";

fn prove(more: &[&str]) -> Answer {
    let s = Sandbox::new();
    s.write("locks.ioa", LOCKS);
    s.ioa(&[&["prove", "locks.ioa"], more].concat())
}

const ANOTHER: &str = "Locks.Free / back is not established, for another reason too";

#[test]
fn a_step_that_fails_for_two_reasons_is_shown_twice() {
    let answer = prove(&["--all"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert_eq!(answer.out.matches(ANOTHER).count(), 1, "{answer:?}");
    // A relation is shown by its tuples.
    for reason in ["granted  = {Client#0}", "holds    = {Client#0}"] {
        assert!(answer.out.contains(reason), "{answer:?}");
    }
    // Each of them is sorted: an invariant is offered that excludes it.
    for lemma in ["granted", "holds"] {
        let is_about = |line: &&str| line.contains("invariant Lemma") && line.contains(lemma);
        assert!(answer.out.lines().any(|line| is_about(&line)), "{answer:?}");
    }
    // The command that is printed shows the same.
    let replayed = answer.replay();
    let replay: Vec<&str> = replayed.iter().skip(1).map(String::as_str).collect();
    assert!(replay.contains(&"--all"), "{replay:?}");
}

#[test]
fn one_is_shown_where_not_all_are_asked_for() {
    let answer = prove(&[]);
    assert!(answer.out.contains("Locks.Free / back is not established"));
    assert!(!answer.out.contains(ANOTHER), "{answer:?}");
    let stories = |answer: &Answer| {
        let document = answer.json();
        let finding = &document["results"][0];
        finding["stories"].as_array().map(Vec::len)
    };
    assert_eq!(stories(&prove(&["--json"])), Some(1));
    assert_eq!(stories(&prove(&["--json", "--all"])), Some(2));
}
