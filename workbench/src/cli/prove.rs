//! `ioa prove`: invariants and simulations, for every size.

use std::path::Path;
use std::time::Duration;

use prover_bridge::{Target, smt_lib};

use super::Answer;
use crate::args::ProveArgs;
use crate::console::Console;
use crate::files::{self, Made};
use crate::finding::Scope;
use crate::pipeline::liveness;
use crate::pipeline::proof::{self, Request};
use crate::report::terminal;
use crate::study::{BadInput, Study};

/// Proves what the flags say.
///
/// # Errors
/// Bad input; a folder that cannot be written.
pub(super) fn run(args: &ProveArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = Study::load(&args.common.inputs)?;
    let mut answer = Answer::about(&study, console);
    let request = Request {
        only: args.only.clone(),
        automaton: args.common.automaton.clone(),
        timeout: Duration::from_millis(u64::from(args.timeout)),
        resource_limit: args.rlimit.unwrap_or(0),
        cores: args.cores,
        threads: usize::try_from(args.common.threads).unwrap_or(1),
    };
    answer.findings = proof::prove(&study, &request, console)?;
    let unchecked = liveness::unchecked(&study, &Scope::UNBOUNDED, |property| {
        let automaton = &study.model.automaton(property.automaton).name;
        let asked = request.automaton.as_ref();
        let named = request.only.iter().any(|name| **name == *property.name);
        (request.only.is_empty() || named) && asked.is_none_or(|name| **name == **automaton)
    });
    answer.findings.extend(unchecked);
    if args.obligations || args.cores {
        answer.closing = terminal::items(&answer.findings, console.style);
    }
    if let Some(folder) = &args.smt_dir {
        answer
            .closing
            .push_str(&write_scripts(&study, &request, folder)?);
    }
    Ok(answer)
}

/// Writes every obligation asked for as an SMT-LIB file of its own; says how many there are, and which have no reading
/// in logic.
fn write_scripts(study: &Study, request: &Request, folder: &Path) -> Result<String, BadInput> {
    let target = Target::everything(&study.model);
    let mut said = String::new();
    let mut written = 0;
    for (number, obligation) in (1..).zip(proof::wanted_obligations(study, request, &target)) {
        match smt_lib(&target, &obligation) {
            Ok(script) => {
                let name = format!("{number:03}-{}.smt2", file_name(&obligation.name));
                let text = format!("; Obligation {}\n{script}", obligation.name);
                files::write_whole(&folder.join(name), &text, Made::Script)
                    .map_err(BadInput::message)?;
                written += 1;
            }
            Err(reason) => {
                said.push_str(&format!("{} is not written: {reason}\n", obligation.name));
            }
        }
    }
    said.push_str(&format!(
        "wrote {written} obligations to {}\n",
        folder.display()
    ));
    Ok(said)
}

/// A name with only such characters as every file system takes.
fn file_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '.' {
                c
            } else {
                '-'
            }
        })
        .collect();
    plain
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}
