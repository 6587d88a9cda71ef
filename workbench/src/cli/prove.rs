//! `ioa prove`: invariants and simulations, for every size.

use std::time::Duration;

use super::args::ProveArgs;
use super::{Answer, Console};
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
        timeout: Duration::from_millis(u64::from(args.timeout)),
        resource_limit: args.rlimit.unwrap_or(0),
        cores: args.cores,
        threads: usize::try_from(args.common.threads).unwrap_or(1),
    };
    answer.findings = proof::prove(&study, &request, console)?;
    if args.obligations || args.cores {
        answer.closing = terminal::items(&answer.findings, console.style);
    }
    Ok(answer)
}
