//! `ioa infer`: likely invariants from runs and small instances.

use session::finding::Verdict;
use session::host::Stopwatch;
use session::numbers::counted;
use session::pipeline::candidates::{self, Proposal, Standing, Thoroughness};
use session::pipeline::proof::auto::{check_goal, relevant};
use session::pipeline::sift::{Asked, sift};
use session::study::{BadInput, Study};

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
    if let Some(path) = &args.output {
        files::may_be_written(path, Made::Candidates).map_err(BadInput::message)?;
    }
    let study = reading::study(&args.common.inputs)?;
    let setup = args.common.setup();
    let study = study.evaluable(&setup).unwrap_or(study);
    let mut answer = Answer::about(&study);
    let naming = args.focus.naming();
    let mut how = Thoroughness::THOROUGH;
    if args.quick {
        how = how.quickly();
    }
    if let Some(seconds) = args.bound.time {
        how = how.lasting(seconds);
    }
    let console = &match args.bound.time {
        // The comparison with the candidates has as much time as the search for them.
        Some(seconds) if args.stated || args.why.is_some() => console.within(Some(2.0 * seconds)),
        _ => *console,
    };
    if let Some(memory) = args.memory {
        how = how.within(memory);
    }
    if let Some(formula) = &args.possible {
        let proposal = candidates::separating((&study, &setup), (formula, &naming), how, console)?;
        let mut finding = candidates::finding(&study, &proposal);
        finding.seconds = Some(started.seconds());
        show(args, &study, &proposal, &mut answer);
        answer.findings.push(finding);
        return Ok(answer);
    }
    let plans = candidates::plans(&study, &setup, &args.driver.driver())?;
    if let Some(formula) = &args.why {
        let asked = (&plans[..], &naming);
        answer.findings = candidates::why((&study, &setup), formula, asked, how, console)?;
        return Ok(answer);
    }
    if let (Some(name), Some(plan)) = (&args.purpose, plans.first()) {
        check_goal(&study, name, plan.drive.automaton(&study))?;
    }
    let asked = (&plans[..], &naming);
    let mut proposal = candidates::propose((&study, &setup), asked, how, console)?;
    if let Some(name) = &args.purpose {
        relevant(&study, name, &mut proposal, (setup.threads, console))?;
    }
    let mut finding = candidates::finding(&study, &proposal);
    let mut inductive = String::new();
    if args.inductive {
        sift(
            &study,
            &proposal,
            &mut finding,
            Asked::All,
            (setup.threads, console),
        );
        let items = finding.items.iter();
        let proved = items.filter(|i| i.verdict == Some(Verdict::Proved));
        let names: Vec<&str> = proved.map(|i| &*i.name).collect();
        if !names.is_empty() {
            inductive = format!("inductive together, for every size: {}\n", names.join(", "));
        }
    }
    finding.seconds = Some(started.seconds());
    show(args, &study, &proposal, &mut answer);
    answer.closing.push_str(&inductive);
    if args.stated {
        let recalled = candidates::recalled(&study, &proposal, how.budget.seconds, console);
        answer.closing.push_str(&stated(&proposal, &recalled));
    }
    answer.findings.push(finding);
    Ok(answer)
}

/// Shows the candidates as text, or writes them.
fn show(args: &InferArgs, study: &Study, proposal: &Proposal, answer: &mut Answer) {
    let text = proposal.to_ioa(study);
    let Some(path) = &args.output else {
        answer.closing = format!("\n{text}");
        return;
    };
    let number = counted(proposal.learnt.lemmas.len() as u64, "candidate");
    answer.write((&number, Made::Candidates), path, &text);
    // What cannot be written is shown.
    if !answer.unwritten.is_empty() {
        answer.closing = format!("\n{text}");
    }
}

/// Which of the stated invariants the candidates say, a line each.
fn stated(proposal: &Proposal, recalled: &[(String, Standing)]) -> String {
    let lemmas = proposal.learnt.lemmas.iter();
    let names: Vec<String> = lemmas.map(|l| l.invariant.name.to_string()).collect();
    let line =
        |(name, standing): &(String, Standing)| format!("  {name}: {}\n", standing.words(&names));
    match recalled {
        [] => "\nno invariants are stated\n".to_owned(),
        _ => format!(
            "\nof the invariants that are stated:\n{}",
            recalled.iter().map(line).collect::<String>()
        ),
    }
}
