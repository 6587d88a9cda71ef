//! `ioa infer`: likely invariants from runs.

use session::finding::Verdict;
use session::host::Stopwatch;
use session::instances::Instances;
use session::pipeline::candidates;
use session::pipeline::sift::sift;
use session::study::BadInput;

use super::answer::Answer;
use crate::args::InferArgs;
use crate::console::Console;
use crate::files::{self, Made};
use crate::reading;

/// Proposes invariants from the runs that the flags say.
///
/// # Errors
/// Bad input; runs of several automata; a file that cannot be written.
pub(super) fn run(args: &InferArgs, console: &Console) -> Result<Answer, BadInput> {
    let started = Stopwatch::start(console);
    let study = reading::study(&args.common.inputs)?;
    let setup = args.common.setup();
    let instances = Instances::new(&study, &setup);
    let mut answer = Answer::about(&study, console);
    let plans = candidates::plans(&study, &setup, &args.driver.driver())?;
    let (instance, report) = candidates::propose(&study, &instances, &plans, setup.seed, console)?;
    let mut finding = candidates::finding(&study, &instance, &report);
    let mut inductive = String::new();
    if args.inductive {
        sift(&study, &report, &mut finding, (setup.threads, console))?;
        let names = finding
            .items
            .iter()
            .filter(|i| i.verdict == Some(Verdict::Proved));
        let names: Vec<&str> = names.map(|i| &*i.name).collect();
        inductive = format!("inductive together, for every size: {}\n", names.join(", "));
    }
    finding.seconds = Some(started.seconds());
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
