//! What the solver does not answer with all premises is asked with few; and of what was not asked for, only what is used
//! is proved.

use std::time::Duration;

use crate::common::{CONS, GLOBAL1, REFINEMENT, model, prove_all, unproved};
use ioa_lang::core::Model;
use prover_bridge::{Kind, Options, Report, Target, prove};

const LAMPORT: [&str; 3] = [
    include_str!("../../../case-studies/lamport-paxos/consensus.ioa"),
    include_str!("../../../case-studies/lamport-paxos/paxos.ioa"),
    include_str!("../../../case-studies/lamport-paxos/refinement.ioa"),
];

#[test]
fn premises_that_lead_astray_are_left_out() {
    let report = prove_all(&model(&LAMPORT));
    assert_eq!(unproved(&report), "");
    assert!(report.established.iter().all(|established| *established));
}

#[test]
fn few_premises_prove_nothing_that_is_false() {
    // With any sets of acceptors for quorums, what a quorum chose says nothing about another one.
    let weaker = LAMPORT[1].replace("assumes Quorums", "assumes Subsets");
    let model = model(&[LAMPORT[0], &weaker, LAMPORT[2]]);
    let options = Options {
        timeout: Duration::from_secs(1),
        ..Options::default()
    };
    let report = prove(&Target::everything(&model), &options, &|| Duration::ZERO);
    let unproved = unproved(&report);
    for name in [
        "Paxos.Consistency / phase2b",
        "Paxos to Consensus / phase2b",
    ] {
        assert!(unproved.contains(&format!("{name}: ")), "{unproved}");
    }
}

/// The report on the obligations of one invariant.
fn only(model: &Model, invariant: &str) -> Report {
    let target = Target::everything(model);
    let named = target.invariants.iter().position(|i| &*i.name == invariant);
    let asked = |kind: Kind| match kind {
        Kind::Initiation { invariant } | Kind::Consecution { invariant, .. } => {
            Some(invariant) == named
        }
        _ => false,
    };
    let options = Options {
        only: Some(&asked),
        ..Options::default()
    };
    prove(&target, &options, &|| Duration::ZERO)
}

/// The invariants that a report calls established.
fn established(model: &Model, report: &Report) -> Vec<String> {
    let stated = model.invariants.iter().zip(&report.established);
    let kept = stated.filter(|(_, established)| **established);
    kept.map(|(i, _)| i.name.to_string()).collect()
}

#[test]
fn only_what_a_proof_uses_is_proved_with_it() {
    let model = model(&[CONS, GLOBAL1, REFINEMENT]);
    let report = only(&model, "Inv5");
    assert!(report.is_proved());
    assert_eq!(established(&model, &report), ["Inv5"]);
    let names = |report: &Report| -> Vec<String> {
        let outcomes = report.outcomes.iter();
        outcomes.map(|o| o.obligation.name.clone()).collect()
    };
    assert!(names(&report).iter().all(|name| name.contains("Inv5")));
    assert_eq!(report.outcomes.len(), 9);
}

#[test]
fn what_uses_something_false_is_not_proved_by_asking_for_it_alone() {
    let model = model(&["automaton A
           signature internal go
           states x: Int := 0, y: Int := 0
           transitions internal go eff y := x; x := x + 1
         invariant Below of A: x < 3
         invariant Asked of A: y < 3
         invariant Other of A: x >= 0"]);
    let report = only(&model, "Asked");
    assert_eq!(
        unproved(&report),
        "A.Below / go: refuted\n\
         A.Asked / go: proved, if Below is\n"
    );
    assert!(established(&model, &report).is_empty());
}

/// `Third` needs `Second`, which needs `First`, which a step breaks.
const CHAIN: &str = "automaton A
           signature internal go
           states x: Int := 0, y: Int := 0, z: Int := 0
           transitions internal go eff z := y; y := x; x := x + 1
         invariant First of A: x < 3
         invariant Second of A: y < 3
         invariant Third of A: z < 3";

#[test]
fn a_condition_is_an_invariant_that_fails_by_itself() {
    assert_eq!(
        unproved(&prove_all(&model(&[CHAIN]))),
        "A.First / go: refuted\n\
         A.Second / go: proved, if First is\n\
         A.Third / go: proved, if First is\n"
    );
}

#[test]
fn invariants_that_need_each_other_wait_for_what_fails() {
    // Each of the two needs the other, and both need what is broken.
    let text = CHAIN.replace("z := y; y := x;", "z := y + x - 3; y := z + x - 3;");
    assert_eq!(
        unproved(&prove_all(&model(&[&text]))),
        "A.First / go: refuted\n\
         A.Second / go: proved, if First is\n\
         A.Third / go: proved, if First is\n"
    );
}
