//! How operators bind: the formula as written, and how it was read.

mod support;

use support::{formula, messages};

/// Checks pairs of a formula and its reading.
fn check(cases: &[(&str, &str)]) {
    for (text, reading) in cases {
        assert_eq!(&formula(text), reading, "for `{text}`");
    }
}

#[test]
fn from_the_loosest_to_the_tightest() {
    check(&[
        ("a <=> b => c", "(Iff a (Implies b c))"),
        ("a => b => c", "(Implies a (Implies b c))"),
        (r"a /\ b => c \/ d", r"(Implies (And a b) (Or c d))"),
        (r"~ a = b /\ c", "(And (not (Eq a b)) c)"),
        ("~~a", "(not (not a))"),
        (r"x \in s |- y", r"(In x (Append s y))"),
        ("s |- a + b", "(Append s (Add a b))"),
        ("s |- a |- b", "(Append (Append s a) b)"),
        ("a -| b -| s", "(Prepend a (Prepend b s))"),
        ("s || t = u", "(Eq (Concat s t) u)"),
        ("a - b + c", "(Add (Sub a b) c)"),
        (r"s \U t \I u - v", "(Sub (Intersection (Union s t) u) v)"),
        ("a + b * c", "(Add a (Mul b c))"),
        ("a * b ** c ** d", "(Mul a (Pow b (Pow c d)))"),
        ("-a * b", "(Mul (neg a) b)"),
        ("a - -b[i].f", "(Sub a (neg (field (index b i) f)))"),
        ("a'[i][j].val", "(field (index (index a' i) j) val)"),
        ("-a[i]:Int * 2", "(Mul (neg ((index a i) : Int)) 2)"),
        ("a - {}:Set[T] - b", "(Sub (Sub a ((set) : Set[T])) b)"),
        ("((a + b):Nat):Int", "(((Add a b) : Nat) : Int)"),
    ]);
}

#[test]
fn parentheses_group_what_would_not_group_itself() {
    check(&[
        (r"(a /\ b) \/ c", "(Or (And a b) c)"),
        (r"a /\ (b \/ c)", "(And a (Or b c))"),
        ("(a = b) = c", "(Eq (Eq a b) c)"),
        ("a = (~b)", "(Eq a (not b))"),
        ("(a => b) => c", "(Implies (Implies a b) c)"),
    ]);
}

#[test]
fn quantifiers_nest_and_end_at_their_parenthesis() {
    check(&[
        (r"\A x: T (p) /\ q", "(And (forall x:T p) q)"),
        (
            r"\A x, y: T \E z: Set[U] (p)",
            "(forall x:T y:T (exists z:Set[U] p))",
        ),
        (r"a => \E q: Q (b)", "(Implies a (exists q:Q b))"),
        (r"~\A x: T (p)", "(not (forall x:T p))"),
    ]);
}

#[test]
fn a_conditional_term_reaches_as_far_as_it_can() {
    check(&[
        ("if p then a else b + c", "(if p a (Add b c))"),
        ("1 + if p then a else b + c", "(Add 1 (if p a (Add b c)))"),
        ("if p then a else if q then b else c", "(if p a (if q b c))"),
        ("(if p then a else b) + c", "(Add (if p a b) c)"),
    ]);
}

#[test]
fn the_longest_token_wins() {
    check(&[
        ("a<=>b", "(Iff a b)"),
        ("a<=b", "(Le a b)"),
        ("a<-b", "(Lt a (neg b))"),
        ("a-|b", "(Prepend a b)"),
        ("a~=b", "(Ne a b)"),
        ("~(a=b)", "(not (Eq a b))"),
        (r"a\/b", "(Or a b)"),
        ("inside", "inside"),
        ("fix", "fix"),
        ("elsewhere", "elsewhere"),
        ("n''", "n''"),
        ("Node#12", "Node#12"),
    ]);
}

#[test]
fn unicode_is_read_as_ascii() {
    check(&[
        (
            "∀ x: T ∃ y: U (x ∈ s ⇒ ¬(y ∉ t))",
            r"(forall x:T (exists y:U (Implies (In x s) (not (NotIn y t)))))",
        ),
        ("a ∧ b ⇔ c", "(Iff (And a b) c)"),
        ("a ∨ b", "(Or a b)"),
        (
            "s ∪ t ∩ u ⊆ ∅",
            "(SubsetEq (Intersection (Union s t) u) (set))",
        ),
        ("a ≠ b", "(Ne a b)"),
        ("a ≤ b", "(Le a b)"),
        ("a ≥ b", "(Ge a b)"),
    ]);
}

#[test]
fn brackets_of_all_kinds() {
    check(&[
        ("{} = {a, b,}", "(Eq (set) (set a b))"),
        (
            "{x: Set[T] where p} = [a, b]",
            "(Eq (those x:Set[T] p) (tuple a b))",
        ),
        ("f() = f(a, g(b))", "(Eq (f) (f a (g b)))"),
        ("enabled(send(x))", "(enabled (send x))"),
        (r"x \subset y % a comment", "(Subset x y)"),
    ]);
}

#[test]
fn what_needs_parentheses_is_refused_without_them() {
    let mixed = [r"`/\` and `\/` are mixed without parentheses"];
    assert_eq!(messages(r"a /\ b \/ c"), mixed);
    assert_eq!(messages(r"a \/ b /\ c"), mixed);
    assert_eq!(messages(r"a /\ b /\ c \/ d"), mixed);
    let chained = ["comparisons cannot be chained"];
    assert_eq!(messages("a < b < c"), chained);
    assert_eq!(messages(r"a = b \in c"), chained);
    assert_eq!(
        messages("a = ~b"),
        ["`~` binds looser than the operator before it"]
    );
}
