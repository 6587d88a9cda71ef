//! The largest inductive subset of candidates.

use std::collections::BTreeMap;

use crate::common::{CONS, GLOBAL1, REFINEMENT, model};
use finite::{Interpretation, Universe};
use ioa_lang::core::{Invariant, Model};
use prover_bridge::{
    Kind, Options, Slice, SliceOf, SmallInstance, Stated, Target, houdini, interpretations, prove,
    slice,
};

const CANDIDATES: &str = "
invariant TooStrong of Global1: \\A b: Ballot (b \\notin dead)
invariant Decided of Global1: \\A i: Node (i \\in decided => \\E b: Ballot (b \\in succeeded))
invariant DecidedInitiated of Global1: decided \\subseteq initiated
invariant Unfailing of Global1: failed = {}
invariant Same of Global1: \\A b: Ballot \\A c: Ballot (b \\in succeeded /\\ c \\in succeeded => val[b] = val[c])
invariant Voted of Global1: \\A i: Node \\A b: Ballot (b \\in voted[i] => b \\in ballots)
";

fn kept(model: &Model, candidates: &[Invariant], stated: Stated) -> Vec<String> {
    let automaton = model.automaton_named("Global1").expect("Global1");
    let found = houdini(model, automaton, candidates, stated, &Options::default());
    assert_eq!(found.undecided, Vec::<usize>::new());
    found
        .kept
        .iter()
        .map(|i| candidates[*i].name.to_string())
        .collect()
}

fn with_candidates() -> (Model, Vec<Invariant>) {
    let mut model = model(&[CONS, GLOBAL1, REFINEMENT, CANDIDATES]);
    let is_candidate = |i: &Invariant| !i.name.starts_with("Inv") && i.automaton.0 == 1;
    let candidates = model
        .invariants
        .iter()
        .filter(|i| is_candidate(i))
        .cloned()
        .collect();
    model.invariants.retain(|i| !is_candidate(i));
    (model, candidates)
}

#[test]
fn falsehoods_are_dropped_and_lemmas_are_kept() {
    let (model, mut candidates) = with_candidates();
    assert_eq!(
        kept(&model, &candidates, Stated::Assumed),
        ["Decided", "DecidedInitiated", "Voted"]
    );
    // With the stated invariants among the candidates the same are found without assuming anything.
    candidates.extend(
        model
            .invariants
            .iter()
            .filter(|i| i.automaton.0 == 1)
            .cloned(),
    );
    assert_eq!(
        kept(&model, &candidates, Stated::Ignored),
        [
            "Decided",
            "DecidedInitiated",
            "Voted",
            "Inv1",
            "Inv2",
            "Inv3",
            "Inv4",
            "Inv5"
        ]
    );
}

#[test]
fn a_candidate_that_needs_a_dropped_one_is_dropped_too() {
    let (model, _) = with_candidates();
    let without: Vec<Invariant> = model
        .invariants
        .iter()
        .filter(|i| ["Inv3", "Inv5"].contains(&&*i.name))
        .cloned()
        .collect();
    assert_eq!(kept(&model, &without, Stated::Ignored), ["Inv3", "Inv5"]);
    assert_eq!(kept(&model, &[], Stated::Ignored), Vec::<String>::new());
}

/// Whether these candidates are inductive by themselves, by proving them as invariants.
fn is_inductive(model: &Model, chosen: &[&Invariant]) -> bool {
    let target = Target {
        model,
        invariants: chosen.to_vec(),
        simulations: Vec::new(),
        automata: Vec::new(),
    };
    let report = prove(&target, &Options::default(), &|| std::time::Duration::ZERO);
    report
        .outcomes
        .iter()
        .filter(|o| !matches!(o.obligation.kind, Kind::Definedness(_)))
        .all(|o| o.is_proved())
}

/// The union of all inductive subsets, which is inductive itself.
fn largest_inductive(model: &Model, candidates: &[Invariant]) -> Vec<usize> {
    let mut union = std::collections::BTreeSet::new();
    for mask in 0_u32..1 << candidates.len() {
        let members = (0..candidates.len()).filter(|i| mask >> i & 1 == 1);
        let members: Vec<usize> = members.collect();
        let chosen: Vec<&Invariant> = members.iter().map(|i| &candidates[*i]).collect();
        if is_inductive(model, &chosen) {
            union.extend(members);
        }
    }
    union.into_iter().collect()
}

#[test]
fn the_result_is_the_union_of_all_inductive_subsets() {
    // With all lamps out none can go on, which takes three candidates to say; without `Third` all of them break.
    let text = "automaton Lamps\n signature\n  internal go, dim\n states\n  a: Bool := false,\n  b: Bool := false,\n  \
                c: Bool := false\n transitions\n  internal go\n   eff a := b; b := c\n  internal dim\n   \
                pre c\n   eff a := true\n\
                invariant Both of Lamps: ~a /\\ ~b\n\
                invariant First of Lamps: ~b\n\
                invariant Third of Lamps: ~c\n\
                invariant Cycle of Lamps: a \\/ ~a\n\
                invariant Wish of Lamps: a\n\
                invariant Hope of Lamps: ~a \\/ b\n";
    let mut model = model(&[text]);
    let all = std::mem::take(&mut model.invariants);
    let automaton = model.automaton_named("Lamps").expect("Lamps");
    for without in [None, Some("Third")] {
        let mut candidates = all.clone();
        candidates.retain(|c| Some(&*c.name) != without);
        let options = Options::default();
        let found = houdini(&model, automaton, &candidates, Stated::Ignored, &options);
        let names = |kept: &[usize]| -> Vec<String> {
            let kept = kept.iter().map(|i| candidates[*i].name.to_string());
            kept.collect()
        };
        let expected = largest_inductive(&model, &candidates);
        assert_eq!(names(&found.kept), names(&expected), "without {without:?}");
        assert_eq!(found.undecided, Vec::<usize>::new());
    }
}

/// The slice for the last invariant of a model in instances of these sizes, and the names of the candidates in it: what is needed,
/// and what is kept.
fn sliced(text: &str, without: &[&str], sizes: &[Vec<u32>]) -> Option<[Vec<String>; 2]> {
    let sizes = sizes.iter().cloned();
    let instances: Vec<SmallInstance> = sizes.map(SmallInstance::Sized).collect();
    sliced_in(&model(&[text]), without, &instances)
}

fn sliced_in(
    model: &Model,
    without: &[&str],
    instances: &[SmallInstance],
) -> Option<[Vec<String>; 2]> {
    let mut model = model.clone();
    let mut candidates = std::mem::take(&mut model.invariants);
    let goal = candidates.pop().expect("a goal");
    candidates.retain(|c| !without.contains(&&*c.name));
    let of = SliceOf {
        candidates: &candidates,
        goals: std::slice::from_ref(&goal),
        needed: &[],
    };
    let options = Options::default();
    let found = slice(&model, goal.automaton, of, instances, &options);
    let names = |at: Vec<usize>| -> Vec<String> {
        at.iter()
            .map(|at| candidates[*at].name.to_string())
            .collect()
    };
    match found {
        Slice::Found { needed, kept } => Some([names(needed), names(kept)]),
        Slice::Broken => None,
        Slice::Undecided => panic!("a small instance is decided"),
    }
}

#[test]
fn a_slice_has_what_the_goal_needs_and_there_is_none_where_a_step_breaks_it() {
    let text = "automaton Lamps\n signature\n  internal go, dim\n states\n  a: Bool := false,\n  b: Bool := false,\n  \
                c: Bool := false,\n  d: Bool := false\n transitions\n  internal go\n   eff a := b; b := c\n  \
                internal dim\n   pre c\n   eff c := d; a := true\n\
                invariant Cycle of Lamps: a \\/ ~a\n\
                invariant Wish of Lamps: a\n\
                invariant Third of Lamps: ~c\n\
                invariant Hope of Lamps: ~a \\/ b\n\
                invariant Fourth of Lamps: ~d\n\
                invariant Both of Lamps: ~a /\\ ~b\n";
    let one = [Vec::new()];
    let [needed, kept] = sliced(text, &[], &one).expect("the goal holds with the third lamp");
    // The third lamp goes on by nothing, for it would have to be on already.
    assert_eq!(needed, ["Third"]);
    assert_eq!(kept, ["Cycle", "Third", "Hope", "Fourth"]);
    assert_eq!(sliced(text, &["Third"], &one), None);
}

#[test]
fn what_suffices_with_few_elements_only_is_not_enough_with_more() {
    let text = "type Node\nautomaton One\n signature\n  internal take(n: Node)\n states\n  s: Set[Node] := {},\n  \
                t: Set[Node] := {}\n transitions\n  internal take(n)\n   pre t = {}\n   eff s := insert(n, s); t := {n}\n\
                invariant Few of One: (t = {} => s = {}) \\/ \\E a, b, c, d: Node \
                (a ~= b /\\ a ~= c /\\ a ~= d /\\ b ~= c /\\ b ~= d /\\ c ~= d)\n\
                invariant Empty of One: t = {} => s = {}\n\
                invariant Single of One: \\A m, n: Node (m \\in s /\\ n \\in s => m = n)\n";
    let needed = |without: &[&str], sizes: &[Vec<u32>]| {
        sliced(text, without, sizes).map(|[needed, _]| needed)
    };
    let named = |name: &str| Some(vec![name.to_owned()]);
    assert_eq!(needed(&["Empty"], &[vec![3]]), named("Few"));
    assert_eq!(needed(&["Few"], &[vec![3], vec![4]]), named("Empty"));
    assert_eq!(needed(&["Empty"], &[vec![3], vec![4]]), None);
    let both = needed(&[], &[vec![3], vec![4]]).expect("the goal is inductive");
    assert!(both.contains(&"Empty".to_owned()), "{both:?}");
}

#[test]
fn each_meaning_of_an_operator_is_an_instance_of_its_own() {
    let text = "type Node\nvocabulary Marks\n operators\n  marked: Node -> Bool\nend\nimports Marks\nautomaton Takes\n \
                signature\n  internal take(n: Node)\n states\n  s: Set[Node] := {},\n  t: Set[Node] := {}\n transitions\n  \
                internal take(n)\n   pre marked(n) /\\ t = {}\n   eff s := insert(n, s); t := {n}\n\
                invariant Never of Takes: s = {}\n\
                invariant First of Takes: t = {} => s = {}\n\
                invariant Single of Takes: \\A m, n: Node (m \\in s /\\ n \\in s => m = n)\n";
    let model = model(&[text]);
    let sizes = BTreeMap::from([("Node".to_owned(), 2)]);
    let universe = Universe::sized(&model, model.every_setting(), &sizes).expect("sizes");
    let meanings = interpretations(&model, &universe, 10, &Options::default()).expect("meanings");
    let interpreted = |interpretation: Interpretation| {
        let universe = universe.clone().interpreted(&model, interpretation);
        SmallInstance::Interpreted(universe.expect("tables that fit"))
    };
    let instances: Vec<SmallInstance> = meanings.found.into_iter().map(interpreted).collect();
    // None of the two is marked, or one, or both.
    assert_eq!(instances.len(), 3);
    let mut alone: Vec<Option<Vec<String>>> = Vec::new();
    for instance in &instances {
        let instance = std::slice::from_ref(instance);
        alone.push(sliced_in(&model, &["First"], instance).map(|[needed, _]| needed));
    }
    // Where none is marked nothing is taken, and nothing is needed.
    let enough: Vec<&Vec<String>> = alone.iter().flatten().collect();
    assert_eq!(enough, [&Vec::<String>::new()]);
    let all = sliced_in(&model, &[], &instances).expect("the goal is inductive");
    assert_eq!(all, [["First"], ["First"]]);
    let together = [SmallInstance::Sized(vec![2])];
    assert_eq!(sliced_in(&model, &[], &together), Some(all));
}
