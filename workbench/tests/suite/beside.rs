//! What stands in the files beside an automaton is nothing to it: neither what can be proved of it nor what can be
//! reached depends on what other automata ask of their parameters or assume in their headings.

use crate::sandbox::{Answer, Sandbox};
use serde_json::Value as Json;
use test_support::generate::{self, Draft, Drafts};

/// Automata of a campaign, each asked about three times.
const AUTOMATA: u64 = 16;

/// How often it is tried to make one that differs smaller.
const ATTEMPTS: usize = 60;

/// What a command has to say of the automaton: its exit status and its verdicts, or its messages.
fn said(answer: &Answer) -> (Option<i32>, Vec<String>) {
    let document: Json = serde_json::from_str(&answer.out).unwrap_or_default();
    let results = document["results"].as_array().into_iter().flatten();
    let verdict = |result: &Json| {
        let figures = &result["figures"];
        format!(
            "{} {} {} {} {}",
            result["kind"],
            result["name"],
            result["verdict"],
            figures["distinct_states"],
            figures["generated_states"]
        )
    };
    let verdicts: Vec<String> = results.map(verdict).collect();
    match verdicts.is_empty() {
        true => (answer.code, vec![answer.err.clone()]),
        false => (answer.code, verdicts),
    }
}

/// What `ioa` says of `Own` in some files.
fn ask(command: &[&str], files: &[(&str, &str)]) -> (Option<i32>, Vec<String>) {
    let sandbox = Sandbox::new();
    files
        .iter()
        .for_each(|(name, text)| sandbox.write(name, text));
    let mut args = command.to_vec();
    args.extend(["--automaton", "Own", "--json"]);
    args.extend(files.iter().map(|(name, _)| *name));
    said(&sandbox.ioa(&args))
}

/// How the answers of a command differ once others stand beside `Own`.
fn between(command: &[&str], draft: &Draft) -> Option<(String, String)> {
    let made = generate::beside(draft);
    let own = ("own.ioa", &*made.own);
    let alone = ask(command, &[own]);
    let beside = ask(command, &[own, ("others.ioa", &made.others)]);
    let how = (alone != beside).then(|| format!("{alone:?}\nbut {beside:?}"))?;
    Some((how, format!("{}{}", made.own, made.others)))
}

/// Judges drafts, and panics with the smallest for which there is a difference.
fn hold(difference: impl Fn(&Draft) -> Option<(String, String)>) {
    let drafts = Drafts::of_parts(2);
    for seed in 0..AUTOMATA {
        if difference(&drafts.draft(seed)).is_none() {
            continue;
        }
        let smallest = drafts.shrunk(seed, ATTEMPTS, |draft| difference(draft).is_some());
        let (how, text) = difference(&smallest).expect("the smallest one still differs");
        panic!("seed {seed}: {how}\n{text}");
    }
}

/// The solver needs far less for what is asked here.
const PROVE: [&str; 3] = ["prove", "--timeout", "5000"];

#[test]
fn what_can_be_proved_does_not_depend_on_what_stands_beside() {
    hold(|draft| between(&PROVE, draft));
}

#[test]
fn what_can_be_reached_does_not_depend_on_what_stands_beside() {
    hold(|draft| {
        let explore = ["explore", "--keep-going", "--sort", "Node=1"];
        between(&explore, draft)
    });
}

#[test]
fn what_can_be_proved_does_not_depend_on_what_components_ask_of_their_parameters() {
    hold(|draft| {
        let made = generate::beside(draft);
        let claims = |text: &str| {
            let (_, verdicts) = ask(&PROVE, &[("own.ioa", text)]);
            let claims = verdicts.into_iter().filter(|v| v.contains("Claim"));
            claims.collect::<Vec<_>>()
        };
        let (own, composed) = (claims(&made.own), claims(&made.composed));
        // Where no parameters satisfy what is asked there is no component, and so no step.
        let is_other = |(own, composed): (&String, &String)| {
            own != composed && !composed.contains("\"vacuous\"")
        };
        let differs = own.len() != composed.len() || own.iter().zip(&composed).any(is_other);
        let how = differs.then(|| format!("{own:?}\nbut {composed:?}"))?;
        Some((how, format!("{}{}", made.own, made.composed)))
    });
}
