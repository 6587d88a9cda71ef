//! Numbers of elements at any size of the sorts: what is known about them suffices for the usual proofs, and nothing false
//! is ever proved of them.

use crate::common::{model, prove_all, unproved};

/// Proves what the text states and lists what is not proved.
fn check(text: &str) -> String {
    unproved(&prove_all(&model(&[text])))
}

/// Voters that vote once, who are counted in `count`.
fn election(counted: &str, invariant: &str) -> String {
    format!(
        "type Node
         automaton A
           signature internal vote(n: Node), rest
           states voted: Array[Node, Bool] := constant(false), count: Nat := 0, round: Nat := 0
           transitions
             internal vote(n) pre ~voted[n] eff voted[n] := true; count := count + {counted}
             internal rest eff round := round + 1
         invariant Counted of A: {invariant}"
    )
}

#[test]
fn sets_by_what_their_elements_satisfy() {
    let exact = "count = size({n: Node where voted[n]})";
    assert_eq!(check(&election("1", exact)), "");
    assert_eq!(check(&election("2", exact)), "A.Counted / vote: refuted\n");
    let some = "count > 0 => \\E n: Node (voted[n])";
    assert_eq!(check(&election("1", &format!("{exact} /\\ ({some})"))), "");
    let at_most = "size({n: Node where voted[n]}) <= size({n: Node where true})";
    assert_eq!(check(&election("1", at_most)), "");
    let below = "size({n: Node where voted[n]}) < size({n: Node where true})";
    assert_ne!(check(&election("1", below)), "");
}

#[test]
fn sets_that_depend_on_bound_variables() {
    let text = |step: &str, wanted: &str| {
        format!(
            "type Node type Ballot
             automaton A
               signature internal vote(n: Node, b: Ballot)
               states votes: Array[Ballot, Set[Node]] := constant({{}}),
                      tally: Array[Ballot, Nat] := constant(0)
               transitions
                 internal vote(n, b) pre n \\notin votes[b] eff votes[b] := insert(n, votes[b]); {step}
             invariant Counted of A: \\A b: Ballot (tally[b] {wanted} size({{n: Node where n \\in votes[b]}}))"
        )
    };
    let step = "tally[b] := tally[b] + 1";
    assert_eq!(check(&text(step, "=")), "");
    assert_eq!(check(&text(step, "<=")), "");
    assert_eq!(check(&text(step, "<")), "A.Counted / start: refuted\n");
    let wrong = "tally[b] := tally[b] + 2";
    assert_eq!(check(&text(wrong, "=")), "A.Counted / vote: refuted\n");
    assert_eq!(
        check(&text(wrong, "<")),
        "A.Counted / start: refuted\nA.Counted / vote: refuted\n"
    );
}

#[test]
fn unions_intersections_and_differences() {
    let text = |step: &str, invariant: &str| {
        format!(
            "type Node
             automaton A
               signature internal join(S: Set[Node])
               states members: Set[Node] := {{}}, others: Set[Node], count: Int := 0
               transitions internal join(S) pre size(S) = 2 eff {step}
             invariant Counted of A: {invariant}"
        )
    };
    let union = "count := count + size(S - members); members := members \\U S";
    assert_eq!(check(&text(union, "count = size(members)")), "");
    let wrong = "count := count + size(S); members := members \\U S";
    assert_eq!(
        check(&text(wrong, "count = size(members)")),
        "A.Counted / join: refuted\n"
    );
    assert_eq!(check(&text(wrong, "count >= size(members)")), "");
    let both = "size(members \\U others) + size(members \\I others) = size(members) + size(others)";
    assert_eq!(check(&text(union, both)), "");
    let one = "size(members \\U others) = size(members) + size(others)";
    assert_ne!(check(&text(union, one)), "");
}

#[test]
fn equal_sets_have_one_size() {
    let text = |relation: &str| {
        format!(
            "type Node
             automaton A
               signature output join(n: Node)
               states members: Set[Node] := {{}}, count: Nat := 0
               transitions output join(n) eff members := insert(n, members); count := size(members)
             automaton B
               signature output join(n: Node)
               states present: Set[Node] := {{}}, count: Nat := 0
               transitions output join(n) eff present := present \\U {{n}}; count := size(present)
             forward simulation from A to B: {relation}
               proof for output join(n: Node) do fire output join(n) od"
        )
    };
    let same = "A.members = B.present /\\ A.count = B.count";
    assert_eq!(check(&text(same)), "");
    let less = "A.members \\subseteq B.present /\\ A.count = B.count";
    assert_eq!(check(&text(less)), "A to B / join: refuted\n");
    let at_most = "A.members \\subseteq B.present /\\ A.count <= B.count";
    assert_eq!(check(&text(at_most)), "");
}

#[test]
fn sets_within_sets() {
    let text = |wanted: &str| {
        format!(
            "type Node
             automaton A
               signature internal add(S: Set[Node])
               states family: Set[Set[Node]] := {{}}
               transitions internal add(S) pre size(S) > 1 eff family := insert(S, family)
             invariant Large of A: \\A S: Set[Node] (S \\in family => size(S) > {wanted})"
        )
    };
    assert_eq!(check(&text("1")), "");
    assert_eq!(check(&text("0")), "");
    assert_eq!(check(&text("2")), "A.Large / add: refuted\n");
}

#[test]
fn a_size_within_a_description() {
    let text = |most: u32| {
        format!(
            "type Node type Ballot
             automaton A
               signature internal vote(n: Node, b: Ballot)
               states votes: Array[Ballot, Set[Node]] := constant({{}})
               transitions internal vote(n, b) eff votes[b] := insert(n, votes[b])
             invariant Few of A:
               size({{b: Ballot where size({{n: Node where n \\in votes[b]}}) > {most}}}) =
               size({{b: Ballot where votes[b] ~= {{}}}})"
        )
    };
    assert_eq!(check(&text(0)), "");
    assert_eq!(check(&text(1)), "A.Few / vote: refuted\n");
}

#[test]
fn multisets() {
    let text = |invariant: &str| {
        format!(
            "type Node
             automaton A
               signature internal add(n: Node), drop(n: Node)
               states bag: Mset[Node] := {{}}, seen: Mset[Node] := {{}}
               transitions
                 internal add(n) eff bag := insert(n, bag); seen := insert(n, seen)
                 internal drop(n) pre n \\in bag eff bag := delete(n, bag)
             invariant Within of A: bag \\subseteq seen
             invariant Counted of A: {invariant}"
        )
    };
    assert_eq!(check(&text("size(bag \\I seen) <= size(seen)")), "");
    assert_eq!(
        check(&text("size(seen - bag) = size(seen) - size(bag \\I seen)")),
        ""
    );
    assert_ne!(check(&text("size(bag \\I seen) < size(seen)")), "");
    assert_ne!(check(&text("size(seen - bag) > 0")), "");
}

#[test]
fn sizes_over_few_values_are_counted() {
    let text = |wanted: u32| {
        format!(
            "type Color = enumeration of red, green, blue
             automaton A
               signature internal paint(c: Color)
               states s: Set[Color] := {{red}}
               transitions internal paint(c) pre size({{d: Color where d ~= c /\\ d \\in s}}) < {wanted} eff s := insert(c, s)
             invariant Few of A: size(s) <= 2 /\\ red \\in s
             invariant Rest of A: size({{c: Color where c \\notin s}}) = 3 - size(s)"
        )
    };
    assert_eq!(check(&text(2)), "");
    assert_eq!(check(&text(3)), "A.Few / paint: refuted\n");
}

/// What is known about sizes is true: where the elements of all sets are known, no other size than the right one is
/// provable, of any of the ways in which a set is described.
#[test]
fn no_wrong_size_is_proved() {
    let sets = ["{}", "{1}", "{1, 2}", "{2, 3}", "{1, 2, 3}"];
    type Bits = fn(u8, u8) -> u8;
    let ways: [(&str, Bits); 5] = [
        ("s \\U t", |s, t| s | t),
        ("s \\I t", |s, t| s & t),
        ("s - t", |s, t| s & !t),
        ("{x: Int where x \\in s /\\ x ~= 1}", |s, _| s & !1),
        ("insert(2, {x: Int where x \\in t \\/ x \\in s})", |s, t| {
            s | t | 2
        }),
    ];
    let masks = [0u8, 1, 3, 6, 7];
    for (way, bits) in ways {
        for (s, t) in [(0, 2), (2, 3), (4, 1)] {
            let right = bits(masks[s], masks[t]).count_ones();
            let (s, t) = (sets[s], sets[t]);
            let unproved = check(&format!(
                "automaton A
                   signature internal rest
                   states s: Set[Int] := {s}, t: Set[Int] := {t}
                   transitions internal rest
                 invariant Known of A: s = {s} /\\ t = {t}
                 invariant Other of A: size({way}) ~= {right}"
            ));
            assert!(
                unproved.contains("A.Other / start") && !unproved.contains("A.Known"),
                "size({way}) ~= {right} for {s} and {t}: {unproved}"
            );
        }
    }
}

/// Accounts between which money is sent, some of it on its way; what `step` does besides.
fn bank(step: &str, invariant: &str) -> String {
    format!(
        "type Account
         automaton A
           signature internal open(a: Account, n: Nat), send(a, b: Account, n: Nat), take(a: Account), other(a, b: Account)
           states
             balance: Array[Account, Nat] := constant(0),
             debt: Array[Account, Int] := constant(0),
             total: Nat := 0,
             flying: Nat := 0
           transitions
             internal open(a, n)
               eff balance[a] := balance[a] + n; total := total + n
             internal send(a, b, n)
               pre n <= balance[a]
               eff balance[a] := balance[a] - n; flying := flying + n; debt[a] := debt[a] - n; debt[b] := debt[b] + n
             internal take(a)
               eff balance[a] := balance[a] + flying; flying := 0
             internal other(a, b) eff {step}
         invariant Kept of A: {invariant}"
    )
}

#[test]
fn the_numbers_in_an_array_are_added_up() {
    let kept = "sum(balance) + flying = total";
    let swap = "if a ~= b then balance := assign(assign(balance, a, balance[b]), b, balance[a]) fi";
    // That the difference is defined follows from the sum.
    let close = "total := total - balance[a]; balance[a] := 0";
    for step in ["", swap, close] {
        assert_eq!(check(&bank(step, kept)), "", "{step}");
    }
    assert_eq!(check(&bank(swap, "sum(debt) = 0")), "");
    for wrong in ["balance[a] := balance[b]", "balance[b] := 0", "flying := 0"] {
        let refuted = "A.Kept / other: refuted\n";
        assert_eq!(check(&bank(wrong, kept)), refuted, "{wrong}");
    }
    let forgotten = "balance := constant(0)";
    assert_eq!(check(&bank(forgotten, "sum(debt) = 0")), "");
    assert_ne!(check(&bank(forgotten, kept)), "");
    assert_eq!(
        check(&bank("debt[b] := debt[b] + 1", "sum(debt) = 0")),
        "A.Kept / other: refuted\n"
    );
}

#[test]
fn a_sum_of_natural_numbers_bounds_each_and_a_sum_of_integers_does_not() {
    let kept = "sum(balance) + flying = total";
    let each = format!("{kept} /\\ (\\A a: Account (balance[a] <= total))");
    assert_eq!(check(&bank("", &each)), "");
    let two =
        format!("{kept} /\\ (\\A a, b: Account (a ~= b => balance[a] + balance[b] <= total))");
    assert_eq!(check(&bank("", &two)), "");
    // With one account, these two are the same.
    let twice = format!("{kept} /\\ (\\A a, b: Account (balance[a] + balance[b] <= total))");
    assert_ne!(check(&bank("", &twice)), "");
    let below = "sum(debt) = 0 /\\ (\\A a: Account (debt[a] <= 0))";
    assert_ne!(check(&bank("", below)), "");
    // Where no integer is below zero, what is said of natural numbers is true of them: this step is never taken.
    let step = |least: &str| {
        format!(
            "if sum(debt) = 0 /\\ debt[a] > 0 /\\ (\\A c: Account (debt[c] >= {least})) then flying := flying + 1 fi"
        )
    };
    assert_eq!(check(&bank(&step("0"), kept)), "");
    assert_eq!(check(&bank(&step("-1"), kept)), "A.Kept / other: refuted\n");
}

#[test]
fn a_constant_is_added_up_as_often_as_there_are_elements() {
    let text = |start: &str| {
        format!(
            "type Node
             automaton A
               signature internal pass(i, j: Node)
               states held: Array[Node, Nat] := constant({start})
               transitions internal pass(i, j)
                 pre held[i] > 0
                 eff held[i] := held[i] - 1; held[j] := held[j] + 1
             invariant Two of A: sum(held) = 2 * size({{n: Node where true}})"
        )
    };
    assert_eq!(check(&text("2")), "");
    assert_eq!(check(&text("1")), "A.Two / start: refuted\n");
}

#[test]
fn the_sum_of_what_an_undefined_term_makes_proves_nothing() {
    // Where it is not defined, a difference is a `Nat` below zero: no fact about sums may turn that into a contradiction.
    let text = "type Node
         automaton A
           signature internal go(i, j: Node)
           states a, b: Array[Node, Nat] := constant(0), wrong: Bool := false
           transitions internal go(i, j)
             eff for k: Node where true do a[k] := b[k] - 5; b[k] := b[k] - 3 od; if sum(a) <= sum(b) then wrong := true else wrong := true fi
         invariant Right of A: ~wrong";
    assert!(check(text).contains("Right"), "{}", check(text));
}
