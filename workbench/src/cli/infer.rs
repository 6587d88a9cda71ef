//! `ioa infer`: likely invariants from runs.

use std::time::Instant;

use super::Answer;
use crate::args::InferArgs;
use crate::console::Console;
use crate::files::{self, Made};
use crate::finding::Verdict;
use crate::instances::Instances;
use crate::pipeline::candidates;
use crate::study::{BadInput, Study};

/// Proposes invariants from the runs that the flags say.
///
/// # Errors
/// Bad input; runs of several automata; a file that cannot be written.
pub(super) fn run(args: &InferArgs, console: &Console) -> Result<Answer, BadInput> {
    let started = Instant::now();
    let study = Study::load(&args.common.inputs)?;
    let instances = Instances::new(&study, &args.common);
    let mut answer = Answer::about(&study, console);
    let plans = candidates::plans(&study, &args.common, &args.driver)?;
    let (instance, report) =
        candidates::propose(&study, &instances, &plans, args.common.seed, console)?;
    let mut finding = candidates::finding(&study, &instance, &report);
    let mut inductive = String::new();
    if args.inductive {
        let threads = usize::try_from(args.common.threads).unwrap_or(1);
        candidates::sift(&study, &report, &mut finding, (threads, console))?;
        let names = finding
            .items
            .iter()
            .filter(|i| i.verdict == Some(Verdict::Proved));
        let names: Vec<&str> = names.map(|i| &*i.name).collect();
        inductive = format!("inductive together, for every size: {}\n", names.join(", "));
    }
    finding.seconds = Some(started.elapsed().as_secs_f64());
    answer.closing = match &args.output {
        Some(path) => {
            files::write_whole(path, &report.to_ioa(), Made::Candidates)
                .map_err(BadInput::message)?;
            format!(
                "wrote {} candidates to {}\n",
                report.candidates.len(),
                path.display()
            )
        }
        None => format!("\n{}", report.to_ioa()),
    };
    answer.closing.push_str(&inductive);
    answer.findings.push(finding);
    Ok(answer)
}
