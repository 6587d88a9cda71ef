//! A model that tests of proofs share.

/// A lock, its holder, and how often it was taken.
pub(crate) const LOCK: &str = "\
automaton Lock
  signature
    internal take, give
  states
    held: Bool := false,
    inside: Nat := 0,
    taken: Nat := 0
  transitions
    internal take
      pre ~held
      eff held := true; inside := inside + 1; taken := taken + 1
    internal give
      pre held
      eff held := false; inside := inside - 1
invariant One of Lock: inside <= 1
invariant Held of Lock: held <=> inside = 1
";
