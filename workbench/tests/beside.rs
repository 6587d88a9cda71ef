//! What stands in the files beside an automaton is nothing to it: neither what can be proved of it nor what can be
//! reached depends on what other automata ask of their parameters or assume in their headings.

mod sandbox;

use sandbox::{Answer, Sandbox};
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

/// In what two sets of files differ that should not, when `ioa` is asked.
fn difference(first: &[(&str, &str)], second: &[(&str, &str)]) -> Option<String> {
    let commands: [&[&str]; 3] = [
        &["prove", "--automaton", "Own", "--timeout", "2000"],
        &[
            "explore",
            "--automaton",
            "Own",
            "--keep-going",
            "--sort",
            "Node=1",
        ],
        &[
            "explore",
            "--automaton",
            "Own",
            "--keep-going",
            "--sort",
            "Node=2",
        ],
    ];
    let asked = |command: &[&str], files: &[(&str, &str)]| {
        let sandbox = Sandbox::new();
        files
            .iter()
            .for_each(|(name, text)| sandbox.write(name, text));
        let mut args = command.to_vec();
        args.push("--json");
        args.extend(files.iter().map(|(name, _)| *name));
        said(&sandbox.ioa(&args))
    };
    commands.into_iter().find_map(|command| {
        let (a, b) = (asked(command, first), asked(command, second));
        (a != b).then(|| format!("ioa {}: {a:?}\nbut {b:?}", command.join(" ")))
    })
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

#[test]
fn what_stands_beside_an_automaton_is_nothing_to_it() {
    hold(|draft| {
        let made = generate::beside(draft);
        let own = ("own.ioa", &*made.own);
        let how = difference(&[own], &[own, ("others.ioa", &made.others)])?;
        Some((how, format!("{}{}", made.own, made.others)))
    });
}

#[test]
fn what_components_ask_of_their_parameters_is_nothing_to_a_composition() {
    hold(|draft| {
        let made = generate::beside(draft);
        let claims = |files: &[(&str, &str)]| {
            let sandbox = Sandbox::new();
            files
                .iter()
                .for_each(|(name, text)| sandbox.write(name, text));
            let answer = sandbox.ioa(&["prove", files[0].0, "--automaton", "Own", "--json"]);
            let (_, verdicts) = said(&answer);
            verdicts
                .into_iter()
                .filter(|v| v.contains("Claim"))
                .collect::<Vec<_>>()
        };
        let (own, composed) = (
            claims(&[("own.ioa", &made.own)]),
            claims(&[("composed.ioa", &made.composed)]),
        );
        let how = (own != composed).then(|| format!("{own:?}\nbut {composed:?}"))?;
        Some((how, format!("{}{}", made.own, made.composed)))
    });
}
