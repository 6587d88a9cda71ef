//! A second solver: every obligation is given to another program too, and the two answers are compared.

use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use session::finding::{Finding, Item, Kind, Opinion, Scope, Verdict};
use session::host::Host;
use session::numbers::{counted, duration};
use session::pipeline::proof::Request;
use session::pipeline::scripts::Script;
use session::story::Story;
use session::study::BadInput;

use crate::console::Console;

/// Which second solver, and how far it may go.
#[derive(Clone, Debug)]
pub struct Second {
    /// The program: a path, or a name that is looked for where programs are.
    pub program: PathBuf,
    /// Time for each obligation.
    pub timeout: Duration,
}

/// The second solver that is known here, which is told to try harder at quantifiers than it does by itself.
const CVC5: &str = "cvc5";
const INSTANTIATE: &str = "--full-saturate-quant";

/// What the program answered.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Unsat,
    Sat,
    /// It gave up.
    Unknown,
    Timeout,
    /// Nothing that a solver would say.
    Confused(String),
}

impl Second {
    /// Checks that the program can be run at all.
    ///
    /// # Errors
    /// It cannot.
    pub fn check(&self) -> Result<(), BadInput> {
        let mut command = Command::new(&self.program);
        command.arg("--version");
        let answer = limited(command, self.timeout);
        answer.map(|_| ()).map_err(|error| {
            let name = self.program.display();
            let help = match error.kind() {
                ErrorKind::NotFound => {
                    "; install it (the Debian package is cvc5), or name another with --second-solver"
                }
                _ => "",
            };
            BadInput::message(format!(
                "cannot run the second solver {name}: {error}{help}"
            ))
        })
    }

    /// What people call it.
    fn name(&self) -> String {
        let name = self.program.file_stem().unwrap_or(self.program.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn ask(&self, script: &str) -> io::Result<(Answer, f64)> {
        let mut file = tempfile::Builder::new().suffix(".smt2").tempfile()?;
        file.write_all(script.as_bytes())?;
        let started = Instant::now();
        let mut command = Command::new(&self.program);
        if self.name() == CVC5 {
            command.arg(INSTANTIATE);
        }
        command.arg(file.path());
        let answer = match limited(command, self.timeout)? {
            Some(said) => read(&said),
            None => Answer::Timeout,
        };
        Ok((answer, started.elapsed().as_secs_f64()))
    }
}

/// Asks the second solver about every script, notes its answers in the findings, and adds one for all that it disagrees
/// about. `folder` is where the scripts are, if they are kept.
///
/// # Errors
/// The program cannot be run, or a script cannot be written.
pub fn ask(
    second: &Second,
    request: &Request,
    (scripts, folder): (&[Script], Option<&Path>),
    findings: &mut Vec<Finding>,
    console: &Console,
) -> Result<(), BadInput> {
    let progress = console.begins("asking the second solver", None);
    let answers = all(second, scripts, request.threads).map_err(|error| {
        BadInput::message(format!("cannot ask {}: {error}", second.program.display()))
    })?;
    drop(progress);
    let mut disputes = Vec::new();
    for (script, answer) in scripts.iter().zip(answers) {
        let mut items = findings.iter_mut().flat_map(|finding| &mut finding.items);
        let item = items.find(|item| item.name == script.name);
        if let (Some(item), Some((answer, seconds))) = (item, answer) {
            let opinion = opinion(second, item, &answer, seconds);
            if opinion.agrees == Some(false) {
                disputes.push(dispute(item, &opinion, question(script, folder)));
            }
            item.opinion = Some(opinion);
        }
    }
    findings
        .iter_mut()
        .for_each(|finding| sum_up(finding, second));
    if !disputes.is_empty() {
        findings.push(disagreement(second, disputes));
    }
    Ok(())
}

/// An answer and the seconds that it took; none where there is no script.
type Timed = Option<(Answer, f64)>;

/// The answers to the scripts, in their order, and how long they took; none where there is no script.
fn all(second: &Second, scripts: &[Script], threads: usize) -> io::Result<Vec<Timed>> {
    let threads = threads.clamp(1, scripts.len().max(1));
    let share = |first: usize| -> io::Result<Vec<(usize, Timed)>> {
        let mine = scripts.iter().enumerate().skip(first).step_by(threads);
        let ask = |(position, script): (usize, &Script)| {
            let answer = script.text.as_ref().ok().map(|text| second.ask(text));
            Ok((position, answer.transpose()?))
        };
        mine.map(ask).collect()
    };
    let mut answers = Vec::new();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|first| scope.spawn(move || share(first)))
            .collect();
        answers.extend(share(0)?);
        for other in others {
            match other.join() {
                Ok(more) => answers.extend(more?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok::<(), io::Error>(())
    })?;
    answers.sort_by_key(|(position, _)| *position);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// Runs a program that may take so long, and returns what it said; nothing where it did not end in time.
fn limited(mut command: Command, limit: Duration) -> io::Result<Option<String>> {
    // A file takes whatever is said, where a pipe that nobody reads would hold the program up.
    let mut said = tempfile::tempfile()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(said.try_clone()?)
        .spawn()?;
    let started = Instant::now();
    while child.try_wait()?.is_none() {
        if started.elapsed() > limit {
            // It may just have ended by itself.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
    said.rewind()?;
    let mut text = Vec::new();
    said.take(MOST_SAID).read_to_end(&mut text)?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}

/// How long a look at a program is away from the next.
const PAUSE: Duration = Duration::from_millis(2);

/// Of what a program says, no more bytes are read.
const MOST_SAID: u64 = 1 << 16;

/// What a program meant by what it said.
fn read(said: &str) -> Answer {
    let lines = || said.lines().map(str::trim);
    match lines().find(|line| matches!(*line, "sat" | "unsat" | "unknown")) {
        Some("sat") => Answer::Sat,
        Some("unsat") => Answer::Unsat,
        Some(_) => Answer::Unknown,
        None => Answer::Confused(lines().find(|line| !line.is_empty()).unwrap_or("").into()),
    }
}

/// What the second solver's answer says about ours.
fn opinion(second: &Second, item: &Item, answer: &Answer, seconds: f64) -> Opinion {
    let ours = match item.verdict {
        Some(Verdict::Proved | Verdict::Conditional | Verdict::Vacuous) => Some(Answer::Unsat),
        Some(Verdict::Refuted) => Some(Answer::Sat),
        _ => None,
    };
    let is_answer = matches!(answer, Answer::Sat | Answer::Unsat);
    let agrees = ours.filter(|_| is_answer).map(|ours| ours == *answer);
    let name = second.name();
    let text = match (agrees, answer) {
        (Some(true), _) => format!("{name} agrees"),
        (Some(false), answer) => format!("{name} DISAGREES: {}", answer.word()),
        (None, Answer::Timeout) => {
            let limit = duration(second.timeout.as_secs_f64());
            format!("{name}: no answer within {limit}")
        }
        (None, Answer::Confused(said)) => {
            format!("{name} gave an answer that is none of sat, unsat and unknown: {said}")
        }
        (None, answer) => format!("{name}: {}", answer.word()),
    };
    Opinion {
        solver: name,
        answer: answer.word(),
        agrees,
        text,
        seconds,
    }
}

impl Answer {
    fn word(&self) -> &'static str {
        match self {
            Self::Unsat => "unsat",
            Self::Sat => "sat",
            Self::Unknown => "unknown",
            Self::Timeout => "timeout",
            Self::Confused(_) => "error",
        }
    }
}

/// Where the script of a dispute is, or how it is to be had.
fn question(script: &Script, folder: Option<&Path>) -> String {
    let file = &script.file;
    match folder {
        Some(folder) => format!("the question is in {}", folder.join(file).display()),
        None => format!("with --smt-dir FOLDER, the same command writes the question, as {file}"),
    }
}

/// What two solvers say about one obligation that cannot both be right.
fn dispute(item: &Item, opinion: &Opinion, question: String) -> Story {
    let verdict = item.verdict.map_or("unknown", Verdict::word);
    let headline = format!("two solvers contradict each other about {}", item.name);
    Story {
        notes: vec![
            format!("ioa, with Z3: {verdict}"),
            format!("{}: {}", opinion.solver, opinion.answer),
            question,
        ],
        ..Story::bare(headline, Vec::new())
    }
}

/// The finding that says that there is a disagreement.
fn disagreement(second: &Second, disputes: Vec<Story>) -> Finding {
    let name = second.name();
    let mut finding = Finding::new(
        Kind::Opinion,
        name.clone(),
        "",
        Verdict::Error,
        Scope::UNBOUNDED,
    );
    finding.summary = format!(
        "{name} DISAGREES about {}: one of the two solvers, or the encoding, is wrong",
        counted(disputes.len() as u64, "obligation")
    );
    finding.stories = disputes;
    finding
}

/// Says in a finding how far the second solver agrees. What it denies is not established.
fn sum_up(finding: &mut Finding, second: &Second) {
    let opinions: Vec<&Opinion> = finding
        .items
        .iter()
        .filter_map(|i| i.opinion.as_ref())
        .collect();
    if opinions.is_empty() {
        return;
    }
    let count = |agrees: bool| opinions.iter().filter(|o| o.agrees == Some(agrees)).count();
    let (agreed, denied, name) = (count(true), count(false), second.name());
    let said = match (agreed, denied) {
        (_, 1..) => format!("{name} DISAGREES about {denied}"),
        (0, _) => format!("{name} confirms none"),
        (all, _) if all == finding.items.len() => format!("{name} agrees"),
        (some, _) => format!("{name} agrees on {some} of {}", finding.items.len()),
    };
    if denied > 0 && finding.verdict == Verdict::Proved {
        finding.verdict = Verdict::Unknown;
    }
    finding.figures.insert("confirmed", agreed as u64);
    finding.summary.push_str(&format!("; {said}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_line_of_its_own() {
        assert_eq!(read("unsat\n"), Answer::Unsat);
        assert_eq!(read("(warning: no logic)\nsat\n"), Answer::Sat);
        assert_eq!(read("unknown\n"), Answer::Unknown);
        let error = "(error \"unsat is not a command\")";
        assert_eq!(read(error), Answer::Confused(error.into()));
    }
}
