//! Terms and statements as deep as the front end lets them be are run, or refused, on an ordinary stack.

use finite::Universe;
use interpreter::run::{self, Ending, Options};
use ioa_lang::{Sources, load};

/// As many levels as the front end accepts of the text that `level` puts around another.
fn deepest(
    core: &str,
    level: impl Fn(usize, &str) -> String,
    model: impl Fn(&str) -> String,
) -> (usize, String) {
    let accepted = |depth: usize| {
        let inner = (0..depth).fold(core.to_owned(), |inner, n| level(n, &inner));
        let mut sources = Sources::new();
        sources.add("deep", model(&inner));
        let errors = ioa_lang::diagnostic::has_errors(&load(&sources).diagnostics);
        (!errors).then(|| model(&inner))
    };
    let depths = [400, 200, 190, 150, 100, 60, 30];
    let found = depths
        .into_iter()
        .find_map(|depth| Some((depth, accepted(depth)?)));
    found.expect("some depth is accepted")
}

fn finishes(text: &str) {
    let instance = crate::common::instance(crate::common::model(&[text]), &[]);
    assert_eq!(instance.errors().next(), None);
    let automaton = instance.model().automaton_named("Deep").unwrap();
    let options = Options { seed: 1, steps: 3 };
    let report = run::random(&instance, automaton, options, &mut ()).unwrap();
    assert!(matches!(
        report.ending,
        Ending::StepLimit | Ending::NothingNew
    ));
}

#[test]
fn deep_terms_and_statements_run() {
    let effect = |body: &str| {
        format!(
            "automaton Deep\n  signature internal go\n  states x: Bool := true, n: Nat := 0, s: Seq[Nat] := {{}}\n  \
             transitions internal go eff {body}"
        )
    };
    let not = deepest(
        "x",
        |_, inner| format!("~({inner})"),
        |e| effect(&format!("x := {e}")),
    );
    let sum = deepest(
        "n",
        |_, inner| format!("(1 + {inner})"),
        |e| effect(&format!("n := {e}")),
    );
    let branch = deepest(
        "n",
        |_, inner| format!("(if x then {inner} else 0)"),
        |e| effect(&format!("n := {e}")),
    );
    let forall = deepest(
        "x",
        |n, inner| format!("\\E y{n}: Bool (y{n} /\\ {inner})"),
        |e| effect(&format!("x := {e}")),
    );
    let statement = deepest("n := 1", |_, inner| format!("if x then {inner} fi"), effect);
    for (depth, text) in [not, sum, branch, forall, statement] {
        assert!(depth >= 30, "{depth}");
        finishes(&text);
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused_before_there_is_an_instance() {
    let model = crate::common::model(&[
        "type Node\nautomaton A\n  signature internal go\n  states s: Set[Node]\n  transitions internal go",
    ]);
    for size in [0, 5_000, u64::MAX] {
        assert!(
            Universe::new(
                &model,
                model.every_setting(),
                &[("Node".to_owned(), size)].into()
            )
            .is_err()
        );
    }
}

#[test]
fn chains_of_thousands_of_connectives_run() {
    let chain = |junction: &str, operand: &dyn Fn(usize) -> String| {
        let operands: Vec<String> = (0..5_000).map(operand).collect();
        operands.join(junction)
    };
    let all = chain(r" /\ ", &|k| format!("n ~= {}", k + 10));
    let any = chain(r" \/ ", &|k| format!("n = {k}"));
    let value = ["e0", "e1", "e2", "e3"];
    let lifted = chain(r" \/ ", &|k| format!("e = {}", value[k % 3]));
    finishes(&format!(
        "type E = enumeration of e0, e1, e2, e3
         automaton Deep
           signature internal go
           states n: Nat := 0, some: Set[E] := {{}}
           transitions internal go
             pre {all} /\\ ({any})
             eff some := {{e: E where {lifted}}};
                 if \\E e: E (e = e3 /\\ ({lifted})) then n := 1 fi"
    ));
}
