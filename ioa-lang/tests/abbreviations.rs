//! Terms are written by the names that an automaton gives them, wherever they stand.

use ioa_lang::Sources;
use ioa_lang::core::AutomatonId;
use ioa_lang::diagnostic::has_errors;
use ioa_lang::print::{self, Abbreviations, Context};

const TEXT: &str = "
type Node
type Drink = enumeration of tea, soup
let price(d: Drink) = if d = tea then 3 else 5
automaton A
  signature internal go
  states
    n, m: Nat,
    choice: Null[Drink],
    held: Set[Node],
    prices: Array[Drink, Nat]
  let change(k: Nat) = max(k, n) - min(k, n)
  let others(a: Node) = size({b: Node where b ~= a})
  let total = n + m
  let one = 1
  let first = n
  let idle = n = 0
  transitions internal go eff n := total
";

/// A formula about the automaton, written with the names.
fn named(formula: &str) -> String {
    let mut sources = Sources::default();
    sources.add("a.ioa", format!("{TEXT}\ninvariant I of A: {formula}"));
    let loaded = ioa_lang::load(&sources);
    assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
    let model = &loaded.model;
    let stated = &model.invariants[0];
    let context = Context::automaton(model, stated.automaton, &stated.locals);
    let names = loaded.names.named_expressions(AutomatonId(0));
    let text = Abbreviations::new(model, names).expr(&context, &stated.formula);
    let plain = print::expr(model, &context, &stated.formula);
    // What is read is the same as what was written.
    match formula == text {
        true => text,
        false => format!("{text} for {plain}"),
    }
}

#[test]
fn a_named_term_is_written_by_its_name() {
    for formula in [
        r"\A d: Drink (choice = embed(d) => n = price(d))",
        "choice ~= nil => price(choice.val) <= total + 2 * m",
        "change(total) = 3",
        "change(change(m)) = n",
        r"\A a: Node (a \in held => others(a) = m)",
        "price(tea) = price(soup)",
    ] {
        assert_eq!(named(formula), formula);
    }
}

#[test]
fn what_only_looks_like_one_is_written_as_it_is() {
    // Not every part of the term is the same.
    let other = r"\A d: Drink (n = (if d = tea then 3 else 4))";
    assert_eq!(named(other), other);
    // Both places of the parameter have to be taken by the same.
    let two = r"max(m, n) - min(3, n) = 2";
    assert_eq!(named(two), two);
    // What stands for a parameter must not be bound within the term.
    let bound = r"\A a: Node (m = size({b: Node where b ~= b}))";
    assert_eq!(named(bound), bound);
}

#[test]
fn variables_constants_and_formulas_have_no_other_names() {
    assert_eq!(named("n = 1"), "n = 1");
    assert_eq!(named("n = 0 => m = 0"), "n = 0 => m = 0");
}
