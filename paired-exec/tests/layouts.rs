//! A paired run depends on its seed alone, however the states of its automata lie in memory.

mod common;

use finite::Ranges;
use interpreter::Instance;
use interpreter::run::{How, Options};
use ioa_lang::Sources;
use paired_exec::{Driver, Report, run};
use test_support::generate::{self, Drafts};

/// Numbers are passed to high actions: parameters, literals, terms over both states and own variables, and choices.
const NUMBERS: &str = r"
automaton Low
  signature
    internal put(k: Nat), drop, note(z: Int)
    output   show(k: Nat)
  states b: Nat := 0, all: Seq[Nat] := {}, mark: Int := 0
  transitions
    internal put(k) pre k < 4 /\ len(all) < 3 eff b := k; all := all |- k
    internal drop pre all ~= {} eff all := tail(all)
    internal note(z) pre -3 < z /\ z < 3 eff mark := z
    output show(k) pre all ~= {} /\ k = head(all) eff b := 0
automaton High
  signature
    internal set(k: Nat), add(k: Nat, n: Nat), mark(z: Int), pick
    output   show(k: Nat)
  states m: Nat := 0, sum: Nat := 0, sign: Int := 0, last: Null[Nat] := nil
  transitions
    internal set(k) eff m := k
    internal add(k, n) eff sum := mod(sum + k * n, 7)
    internal mark(z) eff sign := z
    internal pick
      choose c: Nat
      pre c < 6
      eff last := choose x where x = nil \/ x = embed(c)
    output show(k) eff m := 0
invariant Small of High: m < 4 /\ sum < 7

forward simulation from Low to High:
  High.m = Low.b /\ High.sign = Low.mark /\ puts <= 6
  proof
    states puts: Nat := 0
    initially High.m := 0
    for internal put(k: Nat) do
      puts := mod(puts + 1, 7);
      fire internal set(k);
      fire internal add(High.m + 2, puts);
      fire internal pick using k for c, embed(k) for last
    od
    for internal drop do fire internal add(3, len(Low.all)) od
    for internal note(z: Int) do fire internal mark(z) od
    for output show(k: Nat) do fire output show(k) od
";

fn with_ranges(instance: &Instance) -> Option<Instance> {
    let simulation = &instance.model().simulations[0];
    let of = |automaton| {
        Ranges::of(instance.model(), automaton, |place| {
            let mut range = place.guess();
            range.high = 4 * range.high + 3;
            range.low = if place.is_amount() { 0 } else { -4 };
            Some(range)
        })
    };
    let ranges = of(simulation.low)?.and(of(simulation.high)?);
    Some(instance.in_ranges(Some(ranges)))
}

/// What a run comes to, where nothing is said in terms of what is compiled.
fn told(report: &Report) -> String {
    let failure = report.failure.as_ref();
    let failure = failure.map(|f| (f.step, &f.low, &f.high, &f.high_state, &f.own));
    let Report {
        low,
        high_steps,
        branches,
        ..
    } = report;
    format!("{} {high_steps} {branches:?} {failure:?}", low.steps)
}

/// How many runs in ranges, which nothing outgrows, were like those without, and how many of these failed.
fn compared(instance: &Instance) -> (u64, u64) {
    let (mut same, mut failed) = (0, 0);
    for seed in 0..6 {
        let Some(other) = with_ranges(instance) else {
            break;
        };
        let made = |instance: &Instance| {
            let options = Options { seed, steps: 60 };
            run(
                instance,
                0,
                Driver::Random(How::default()),
                options,
                &mut (),
            )
        };
        let (Ok(expected), Ok(found)) = (made(instance), made(&other)) else {
            break;
        };
        if other.range_overflows().is_empty() {
            assert_eq!(told(&found), told(&expected), "seed {seed}");
            same += 1;
            failed += u64::from(expected.failure.is_some());
        }
    }
    (same, failed)
}

#[test]
fn numbers_reach_the_high_automaton_in_all_ranges() {
    let text = NUMBERS
        .replace("self", "mark")
        .replace(", z: Int := 0", ", mark: Int := 0");
    let of = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let mut sources = Sources::new();
        sources.add("numbers", text.replace(from, to));
        common::instance(&sources, &[])
    };
    assert_eq!(compared(&of("", "")), (6, 0));
    for (from, to) in [
        ("m < 4 /\\ sum < 7", "m < 3 /\\ sum < 7"),
        ("sum < 7", "sum < 6"),
        ("fire internal set(k)", "fire internal set(k + 1)"),
        ("mark(z) od", "mark(z + 1) od"),
        ("fire output show(k) od", "fire output show(k + 1) od"),
        ("puts <= 6", "puts < 6"),
    ] {
        let (same, failed) = compared(&of(from, to));
        assert!(same == 6 && failed > 2, "{to}: {same} {failed}");
    }
}

#[test]
fn random_pairs_are_run_alike_in_all_ranges() {
    let drafts = Drafts::of_parts(9);
    let (mut same, mut failed) = (0, 0);
    for seed in 0..600 {
        let made = generate::forward(&drafts.draft(seed));
        let mut sources = Sources::new();
        sources.add("pair", made.text.clone());
        let loaded = ioa_lang::load(&sources);
        let mut found = loaded.diagnostics.iter();
        if found.any(|d| d.severity == ioa_lang::Severity::Error) {
            continue;
        }
        let (more, wrong) = compared(&common::instance(&sources, &made.sizes));
        same += more;
        failed += wrong;
    }
    println!("{same} runs, of which {failed} failed");
    assert!(same > 500 && failed > 100, "{same} {failed}");
}
