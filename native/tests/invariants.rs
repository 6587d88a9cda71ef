//! Invariants whose code takes several functions are false where interpretation finds them false.

mod visits;

use std::fmt::Write;

use visits::{GUESSES, compare};

/// Sets of words of which there are many, and sequences of these: what is said of them takes much code.
const NOTES: &str = r"
type Word = tuple of one: Nat, two: Nat, three: Nat
automaton Notes
  signature internal write(n: Nat), read
  states
    notes: Set[Word] := {},
    kept: Seq[Word] := {}
  transitions
    internal write(n)
      pre n < 4 /\ size(notes) < 3
      eff notes := insert([n, mod(n * n, 3), n + 1], notes); kept := kept |- [n, 0, n]
    internal read
      pre len(kept) > 1
      eff kept := tail(kept)
";

#[test]
fn invariants_in_several_functions_are_false_where_interpretation_finds_them_false() {
    let mut text = NOTES.to_owned();
    for n in 0..40 {
        let (small, large) = (n % 5, n / 5);
        let of = match n % 3 {
            0 => format!(r"\A w: Word (w \in notes => w.one + {small} ~= w.three + {large})"),
            1 => format!(r"(\E w: Word (w \in kept /\ w.one = {small})) => len(kept) ~= {large}"),
            _ => format!(r"kept ~= {{}} => head(kept).one - {small} < last(kept).three + {large}"),
        };
        writeln!(text, "invariant I{n} of Notes: {of}").expect("a string takes all");
    }
    let mut outgrown = 0;
    for guess in GUESSES {
        let (found, packed, _) = compare(&text, guess, 400);
        outgrown += packed.outgrown;
        let broken = found.broken_invariants();
        assert!((5..35).contains(&broken.len()), "{broken:?}");
    }
    assert!(outgrown > 0, "one of the guesses is too narrow");
}
