//! Models that nobody should write: as deep and as long as the parser lets them be. Loading them, copying, hashing and
//! printing what was loaded, and dropping it, all end soon on a small stack.

use std::fmt::Write;
use std::thread;

use ioa_lang::core::{AutomatonId, fingerprint};
use ioa_lang::print::{self, Context};
use ioa_lang::{Diagnostic, Severity, Sources, load};

/// What loading finds wrong, on a stack of 2 MiB.
fn diagnostics(text: String) -> Vec<Diagnostic> {
    let work = move || {
        let mut sources = Sources::new();
        sources.add("model", text);
        let loaded = load(&sources);
        let model = loaded.model.clone();
        assert_eq!(fingerprint(&model), fingerprint(&loaded.model));
        for invariant in &model.invariants {
            let context = Context::automaton(&model, invariant.automaton, &invariant.locals);
            assert!(!print::expr(&model, &context, &invariant.formula).is_empty());
        }
        assert!(
            model
                .automata
                .get(AutomatonId(0).index())
                .is_none_or(|a| !a.name.is_empty())
        );
        let mut errors = loaded.diagnostics;
        errors.retain(|d| d.severity == Severity::Error);
        errors
    };
    let thread = thread::Builder::new().stack_size(2 << 20);
    let thread = thread.spawn(work).expect("a thread");
    thread.join().expect("no panic and no overflow")
}

fn with_invariant(formula: &str) -> String {
    format!(
        "automaton A signature internal step(p: Bool)
         states p: Bool := true, n: Nat := 0, i: Int := 0, a: Array[Int, Int] := constant(0), s: Set[Int] := {{}},
           q: Seq[Int] := {{}}
         transitions internal step(b) pre b /\\ ~b
         invariant I of A: {formula}"
    )
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn what_the_parser_accepts_is_not_too_deep() {
    let levels = 190;
    let binders = |open: &dyn Fn(usize) -> String| -> String { (0..levels).map(open).collect() };
    let formulas = [
        nested("(", "p", ")", levels),
        nested("~", "p", "", levels),
        nested("p => ", "p", "", levels),
        nested("n + ", "n", "", levels) + " = 0",
        nested("n ** ", "n", "", levels) + " = 0",
        nested("p /\\ ", "p", "", levels),
        nested("(p \\/ ", "p", ")", levels / 2),
        nested("a[", "i", "]", levels) + " = 0",
        nested("abs(", "i", ")", levels - 1) + " = 0",
        nested("i - (", "n - n", ")", levels / 2) + " = 0",
        nested("insert(1, ", "{}", ")", levels) + " = s",
        format!("({}) = 0", nested("if p then n else ", "n", "", levels)),
        format!(
            "{}p{}",
            binders(&|k| format!("\\A x{k}: Int (")),
            ")".repeat(levels)
        ),
        format!("{}(p)", binders(&|k| format!("\\E x{k}: Int "))),
    ];
    for formula in formulas {
        assert_eq!(
            diagnostics(with_invariant(&formula)),
            [],
            "{}..",
            &formula[..30]
        );
    }
}

#[test]
fn long_chains_of_connectives_are_flat() {
    for junction in ["/\\", "\\/"] {
        let operands: Vec<String> = (0..5_000).map(|k| format!("~(i = {k})")).collect();
        let chain = operands.join(&format!(" {junction} "));
        assert_eq!(diagnostics(with_invariant(&chain)), []);
        let within = format!("p => \\A x: Int (p \\/ ({chain}))");
        assert_eq!(diagnostics(with_invariant(&within)), []);
    }
}

#[test]
fn long_chains_of_associative_operators_are_shallow() {
    let operands = |operand: &dyn Fn(usize) -> String, sign: &str| -> String {
        let operands: Vec<String> = (0..5_000).map(operand).collect();
        operands.join(&format!(" {sign} "))
    };
    let chains = [
        operands(&|k| format!("i * {k}"), "+") + " = i",
        operands(&|k| format!("{k}"), "*") + " = i",
        operands(&|k| format!("{{{k}}}"), "\\U") + " = s",
        operands(&|_| "{}".into(), "\\U") + " = s",
        "s = ".to_owned() + &operands(&|_| "s".into(), "\\I"),
        operands(&|k| format!("(q |- {k})"), "||") + " = q",
    ];
    for chain in chains {
        assert_eq!(
            diagnostics(with_invariant(&chain)),
            [],
            "{}..",
            &chain[..30]
        );
    }
}

#[test]
fn long_chains_of_other_operators_are_refused_with_a_way_out() {
    for chain in [operands_of("-", "i"), operands_of("|-", "q")] {
        let found = diagnostics(with_invariant(&chain));
        let messages: Vec<&str> = found.iter().map(|d| &*d.message).collect();
        assert_eq!(messages, ["nested deeper than 200 levels"]);
        assert!(found[0].help[1].starts_with("`a - b - c` is `a - (b + c)`"));
    }
    assert_eq!(
        diagnostics(with_invariant("s \\U s \\U s - s - s - s = s")),
        []
    );
}

fn operands_of(sign: &str, first: &str) -> String {
    format!("{first} {} = {first}", format!("{sign} i ").repeat(5_000))
}

#[test]
fn deep_statements_with_deep_terms_in_deep_literals_are_no_trouble() {
    let levels = 95;
    let term = nested("abs(", "i", ")", levels);
    let literal = format!("{{{}, {term}}}", vec!["1"; 200].join(", "));
    let effect = nested("if p then ", &format!("s := {literal}"), " fi", levels);
    let text = format!(
        "automaton A signature internal step states p: Bool, i: Int, s: Set[Int]
         transitions internal step eff {effect}"
    );
    assert_eq!(diagnostics(text), []);
}

#[test]
fn sugar_that_copies_its_arguments_cannot_explode() {
    let mut formula = String::from("s");
    for k in 0..60 {
        formula = format!("{{x{k}: Int where {formula} \\subset s}}");
    }
    let found = diagnostics(with_invariant(&format!("{formula} = s")));
    let messages: Vec<&str> = found.iter().map(|d| &*d.message).collect();
    assert_eq!(messages, ["this expands to too large a formula"]);
}

#[test]
fn named_expressions_cannot_explode() {
    let mut wide = String::from("let f0(n: Nat) = n\n");
    let mut deep = String::from("let f0(n: Nat) = n\n");
    for k in 1..1_000 {
        writeln!(wide, "let f{k}(n: Nat) = f{0}(n) + f{0}(n)", k - 1).expect("a string");
        writeln!(deep, "let f{k}(n: Nat) = f{}(n) + 1", k - 1).expect("a string");
    }
    let messages = |text| -> Vec<String> {
        let found: Vec<Diagnostic> = diagnostics(text);
        found.into_iter().map(|d| d.message).collect()
    };
    assert_eq!(messages(wide), ["this expands to too large a formula"]);
    assert_eq!(
        messages(deep),
        ["this expands to a term that is nested too deeply"]
    );
}

#[test]
fn long_declarations_are_no_trouble() {
    let many = 5_000;
    let mut text = String::from("type T0 = Set[Int]\n");
    for k in 1..many {
        writeln!(text, "type T{k} = T{}", k - 1).expect("a string");
    }
    let values: Vec<String> = (0..many).map(|k| format!("v{k}")).collect();
    let states: Vec<String> = (0..many).map(|k| format!("x{k}: E := v{k}")).collect();
    let actions: Vec<String> = (0..many).map(|k| format!("a{k}")).collect();
    let clauses: String = (0..many)
        .map(|k| format!("internal a{k} eff x{k} := v0 "))
        .collect();
    writeln!(text, "type E = enumeration of {}", values.join(", ")).expect("a string");
    writeln!(
        text,
        "automaton A signature internal {} states last: T{} := {{}}, {} transitions {clauses}",
        actions.join(", "),
        many - 1,
        states.join(", ")
    )
    .expect("a string");
    assert_eq!(diagnostics(text), []);
}

#[test]
fn long_circles_are_reported_once() {
    let many = 5_000;
    let mut text = String::new();
    for k in 0..many {
        writeln!(text, "type T{k} = Set[T{}]", (k + 1) % many).expect("a string");
    }
    let found = diagnostics(text);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "the type `T0` contains itself");
}

#[test]
fn many_mistakes_take_no_long_search() {
    let states: Vec<String> = (0..5_000)
        .map(|k| format!("variable{k}: Int := 0"))
        .collect();
    let mut text = format!(
        "automaton A signature internal i states {} transitions",
        states.join(", ")
    );
    for k in 0..5_000 {
        write!(text, " internal i pre variible{k} = 0").expect("a string");
    }
    let found = diagnostics(text);
    assert_eq!(found.len(), 5_000);
    assert_eq!(found[0].help, ["did you mean `variable0`?"]);
}
