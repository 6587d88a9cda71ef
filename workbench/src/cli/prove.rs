//! `ioa prove`: invariants and simulations, for every size.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use interpreter::trace::About;
use prover_bridge::Spent;

use session::pipeline::liveness;
use session::pipeline::proof::{Method, Replayed, Request, Shown, WORK, auto};
use session::pipeline::scripts::{Script, say_fragments, scripts};
use session::study::{BadInput, Study};

use super::answer::Answer;
use crate::args::ProveArgs;
use crate::console::Console;
use crate::files::Made;
use crate::reading;
use crate::report::graph::{self, Graph};
use crate::report::terminal;
use crate::restart;
use crate::second_opinion::{self, Second};

/// Proves what the flags say.
///
/// # Errors
/// Bad input; a folder that cannot be written.
pub(super) fn run(args: &ProveArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = reading::study(&args.common.inputs)?;
    let setup = args.common.setup();
    study.check_sorts(&setup)?;
    let mut answer = Answer::about(&study);
    let request = request(args, setup.threads);
    if args.auto {
        let efforts = auto::Effort::all(args.budget);
        let found = auto::auto((&study, &setup), &request, &efforts, console)?;
        answer.findings = found.findings;
        write_graph(args.graph.as_deref(), &mut answer);
        answer.closing = format!("\n{}", found.text);
        return Ok(answer);
    }
    let second = args.second_opinion.then(|| Second {
        program: args.second_solver.clone(),
        timeout: Duration::from_millis(u64::from(args.second_timeout)),
    });
    if let Some(second) = &second {
        second.check()?;
    }
    let proof = auto::prove_and_sort((&study, &setup), &request, console)?;
    answer.findings = proof.findings;
    if args.fragments {
        say_fragments(&study, &request, &mut answer.findings);
    }
    answer.spent = parts(proof.spent);
    answer
        .spent
        .extend(proof.sorting.map(|time| ("executions", time)));
    write_graph(args.graph.as_deref(), &mut answer);
    if let Some(path) = &args.trace {
        write_trace(
            (&study, &args.common.inputs),
            &proof.shown,
            path,
            &mut answer,
        );
    }
    let folder = args.smt_dir.as_deref();
    let scripts = match second.is_some() || folder.is_some() {
        true => scripts(&study, &request, &answer.findings),
        false => Vec::new(),
    };
    let kept = folder.map(|folder| write(&scripts, folder, &mut answer));
    if let Some(second) = &second {
        let (asked, started) = ((scripts.as_slice(), folder), Instant::now());
        second_opinion::ask(second, &request, asked, &mut answer.findings, console)?;
        answer.spent.push(("second opinion", started.elapsed()));
    }
    let undecided = liveness::undecided(&study, |property| {
        let automaton = &study.model.automaton(property.automaton).name;
        let asked = request.automaton.as_ref();
        let named = request.only.iter().any(|name| **name == *property.name);
        (request.only.is_empty() || named) && asked.is_none_or(|name| **name == **automaton)
    });
    answer.findings.extend(undecided);
    if args.obligations || args.cores || args.fragments || second.is_some() {
        answer.closing = terminal::items(&answer.findings, console.style);
    }
    if args.cores && !proof.uses.is_empty() {
        let lines: String = proof
            .uses
            .iter()
            .map(|line| format!("  {line}\n"))
            .collect();
        answer.closing.push_str(&format!(
            "these headings say what the proofs use, and keep them to it:\n{lines}"
        ));
    }
    answer
        .closing
        .push_str(&terminal::recalled(&answer.findings));
    let repeated = proof.repeated.map(|repeated| repeated.to_string());
    answer.closing.push_str(&repeated.unwrap_or_default());
    if let (Some(kept), Some(folder)) = (kept, folder) {
        say_kept(&kept, folder, &mut answer);
    }
    Ok(answer)
}

/// What the flags ask for.
fn request(args: &ProveArgs, threads: usize) -> Request {
    Request {
        only: args.only.clone(),
        check: args.check.clone(),
        automaton: args.common.automaton.clone(),
        timeout: Duration::from_millis(u64::from(args.timeout)),
        work: args.rlimit.unwrap_or(WORK),
        apart: args.rlimit.is_some(),
        cores: args.cores || args.graph.is_some(),
        all: args.all,
        threads,
        until: None,
        repeat: args.repeat,
        method: match (args.bmc, args.k_induction) {
            (Some(steps), _) => Method::Bounded(steps),
            (None, Some(k)) => Method::KInduction(k),
            (None, None) => Method::Induction,
        },
    }
}

/// Writes the first counterexample that the executor can go through.
fn write_trace(
    (study, inputs): (&Study, &[PathBuf]),
    shown: &[Shown],
    path: &Path,
    answer: &mut Answer,
) {
    let mut replayed = shown.iter().filter_map(|shown| {
        let replayed = Replayed::of(study, &shown.states)?;
        Some((&shown.what, replayed))
    });
    let Some((what, Replayed { instance, trace })) = replayed.next() else {
        answer.closing.push_str(
            "no trace is written: there is no counterexample to induction that the executor can go through; \
             an execution that violates something is written by the command that shows it, with --trace\n",
        );
        return;
    };
    let about = About {
        description: what.clone(),
        inputs: reading::named(inputs),
        ..About::default()
    };
    answer.write_trace((&instance, &trace), (&about, what), path);
}

/// Writes what the proofs need, where that is asked for.
fn write_graph(file: Option<&Path>, answer: &mut Answer) {
    let Some(file) = file else {
        return;
    };
    let graph = Graph::of_proofs(&answer.findings).unwrap_or_default();
    let (text, made) = match file.extension().is_some_and(|end| end == "mmd") {
        true => (graph::mermaid(&graph), Made::ProofDiagram),
        false => (graph::dot(&graph), Made::ProofGraph),
    };
    answer.try_write(file, &text, made);
}

/// What the time went to, in words.
fn parts(spent: Spent) -> Vec<(&'static str, Duration)> {
    let earlier = restart::earlier();
    let given_up = (!earlier.is_zero()).then_some(("what was given up", earlier));
    let parts = [
        ("proofs", spent.proofs),
        ("counterexamples", spent.counterexamples),
        ("warnings", spent.warnings),
    ];
    given_up.into_iter().chain(parts).collect()
}

/// What became of the obligations that were to be written.
#[derive(Default)]
struct Kept {
    /// How many were written.
    files: usize,
    /// Which of them have no reading in logic, a line each.
    without: String,
}

/// Writes every obligation that has a reading in logic as an SMT-LIB file of its own, up to the first that cannot be written.
fn write(scripts: &[Script], folder: &Path, answer: &mut Answer) -> Kept {
    let mut kept = Kept::default();
    for script in scripts {
        match &script.text {
            Ok(text) => {
                let file = folder.join(&script.file);
                if !answer.try_write(&file, text, Made::Script) {
                    break;
                }
                kept.files += 1;
            }
            Err(reason) => {
                let line = format!("{} is not written: {reason}\n", script.name);
                kept.without.push_str(&line);
            }
        }
    }
    kept
}

/// Says which obligations were written, and which were not.
fn say_kept(kept: &Kept, folder: &Path, answer: &mut Answer) {
    let number = kept.files;
    let closing = &mut answer.closing;
    closing.push_str(&kept.without);
    closing.push_str(&format!(
        "wrote {number} obligations to {}\n",
        folder.display()
    ));
}
