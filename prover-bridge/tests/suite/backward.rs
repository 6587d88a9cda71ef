//! Backward simulations: a specification that chooses early is implemented by an automaton that chooses late.

use crate::common::{counterexample, model, prove_all, unproved};

/// Both begin and then show a colour. `Late` chooses it when it shows it, `Early` when it begins, so that no forward
/// simulation leads from the first to the second: once begun, `Early` can only show what it has chosen.
const AUTOMATA: &str = "type Colour = enumeration of red, green, blue
type Phase = enumeration of idle, begun, over
automaton Late
  signature output begin, show(c: Colour) internal rest
  states phase: Phase := idle
  transitions
    output begin pre phase = idle eff phase := begun
    output show(c) pre phase = begun eff phase := over
    internal rest pre phase = over
automaton Early
  signature output begin, show(c: Colour)
  states phase: Phase := idle, chosen: Null[Colour] := nil
  transitions
    output begin pre phase = idle eff phase := begun; chosen := choose x where x ~= nil
    output show(c) pre phase = begun /\\ chosen = embed(c) eff phase := over; chosen := nil
invariant Chosen of Early: phase = begun <=> chosen ~= nil
";

const RELATION: &str = "Late.phase = Early.phase";

const BLOCK: &str = "
  proof
    states last: Null[Colour] := nil
    initially
      Early.phase := Late.phase;
      if Late.phase = begun then Early.chosen := embed(red) fi
    for output begin do
      last := Early.chosen;
      Early.phase := idle;
      Early.chosen := nil;
      fire output begin using last for x
    od
    for output show(c: Colour) do
      Early.phase := begun;
      Early.chosen := embed(c);
      fire output show(c)
    od
    for internal rest ignore";

fn stated(automata: &str, relation: &str, block: &str) -> String {
    format!("{automata}backward simulation from Late to Early: {relation}{block}")
}

/// What is not proved of it.
fn check(text: &str) -> String {
    unproved(&prove_all(&model(&[text])))
}

#[test]
fn a_forward_simulation_fails() {
    let text = format!(
        "{AUTOMATA}forward simulation from Late to Early: {RELATION}
         proof
           for output begin do fire output begin using embed(red) for x od
           for output show(c) do fire output show(c) od
           for internal rest ignore"
    );
    assert_eq!(check(&text), "Late to Early / show: refuted\n");
}

#[test]
fn a_backward_one_is_proved_with_and_without_a_witness() {
    assert_eq!(check(&stated(AUTOMATA, RELATION, BLOCK)), "");
    assert_eq!(check(&stated(AUTOMATA, RELATION, "")), "");
}

/// Each way to break it, and what must notice, with a witness and without.
fn broken(from: &str, to: &str, with: &str, without: &str) {
    let whole = stated(AUTOMATA, RELATION, BLOCK);
    assert_eq!(whole.matches(from).count(), 1, "{from}");
    assert_eq!(
        check(&whole.replace(from, to)),
        with,
        "with a witness: {to}"
    );
    let bare = stated(AUTOMATA, RELATION, "");
    if bare.contains(from) {
        assert_eq!(check(&bare.replace(from, to)), without, "without: {to}");
    }
}

#[test]
fn what_is_related_to_a_start_state_has_to_be_one() {
    let text = stated(
        AUTOMATA,
        "Late.phase = Early.phase \\/ Late.phase = idle",
        "",
    );
    assert!(
        check(&text).contains("Late to Early / start: refuted"),
        "{}",
        check(&text)
    );
}

#[test]
fn every_low_state_has_to_be_related() {
    let no = "Late to Early / every low state is related: refuted\n";
    let text = stated(AUTOMATA, &format!("{RELATION} /\\ Late.phase ~= over"), "");
    assert_eq!(check(&text), no);
}

#[test]
fn the_earlier_state_has_to_lead_to_the_later_one() {
    let no = "Late to Early / begin: refuted\n";
    // The colour that is chosen is not the later one.
    broken("using last for x", "using embed(red) for x", no, "");
    // The state that `begin` is fired in is not related to the low one.
    broken("Early.phase := idle;", "Early.phase := over;", no, "");
    // An action of another trace.
    broken(
        "for internal rest ignore",
        "for internal rest do Early.phase := begun; Early.chosen := embed(red); fire output show(red) od",
        "Late to Early / rest: refuted\n",
        "",
    );
}

#[test]
fn the_specification_has_to_allow_it() {
    let no = "Late to Early / begin: refuted\n";
    // `Early` never chooses blue, though it may be in a state where it did.
    broken(
        "where x ~= nil",
        "where x ~= nil /\\ x ~= embed(blue)",
        no,
        no,
    );
}

#[test]
fn high_invariants_are_used_and_owed() {
    // Without the invariant, a state related to a start state may have chosen already.
    let text = stated(AUTOMATA, RELATION, BLOCK);
    let without = text.replace(
        "invariant Chosen of Early: phase = begun <=> chosen ~= nil",
        "",
    );
    assert!(check(&without).contains("Late to Early / start: refuted"));
    // With a false one, the earlier state does not satisfy it.
    let owed = check(&text.replace(
        "Early.chosen := embed(c);\n      fire",
        "Early.chosen := nil;\n      fire",
    ));
    assert_eq!(owed, "Late to Early / show: refuted\n");
}

#[test]
fn the_counterexample_shows_both_ends() {
    let text =
        stated(AUTOMATA, RELATION, BLOCK).replace("using last for x", "using embed(red) for x");
    let model = model(&[&text]);
    let shown = counterexample(&prove_all(&model), &model, "Late to Early / begin");
    for part in [
        "before  Late.phase = idle",
        "before  Early.phase = idle",
        "fires  output Early.begin()",
        "after  Late.phase = begun",
        "after  Early.chosen = embed(green)",
        "fails  Arrival",
    ] {
        assert!(shown.contains(part), "no {part:?} in\n{shown}");
    }
}

#[test]
fn what_a_backward_block_may_not_do() {
    let refused = |from: &str, to: &str| {
        let text = stated(AUTOMATA, RELATION, BLOCK);
        assert_eq!(text.matches(from).count(), 1, "{from}");
        let mut sources = ioa_lang::Sources::new();
        sources.add("late.ioa", text.replace(from, to));
        let loaded = ioa_lang::load(&sources);
        loaded
            .diagnostics
            .iter()
            .map(|d| d.message.clone())
            .collect::<String>()
    };
    let late = refused(
        "fire output show(c)",
        "fire output show(c); Early.phase := over",
    );
    assert!(late.contains("`fire` one"), "{late}");
    let scratch = refused(
        ": Late.phase = Early.phase",
        ": Late.phase = Early.phase /\\ last = nil",
    );
    assert!(scratch.contains("`last` cannot be read here"), "{scratch}");
}
