//! `--watch`: commands that are repeated when their files change, and files beside a folder.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::sandbox::{Sandbox, refused};

/// A lamp that may be broken.
const LAMP: &str = "\
automaton Lamp
  signature internal flip
  states on: Bool := false, flips: Nat := 0
  transitions internal flip eff on := ~on; flips := flips + 1
";

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that is being repeated, and all that it has said.
struct Watching {
    process: Child,
    said: Arc<Mutex<String>>,
}

impl Watching {
    fn begin(s: &Sandbox, args: &str) -> Self {
        let mut process = s
            .command(&args.split_whitespace().collect::<Vec<_>>())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("ioa runs");
        let said = Arc::default();
        collect(process.stdout.take().expect("a pipe"), &said);
        collect(process.stderr.take().expect("a pipe"), &said);
        Self { process, said }
    }

    fn said(&self) -> String {
        self.said.lock().expect("no reader panics").clone()
    }

    /// Waits until something has been said so often, and the rounds are at rest so often.
    fn awaits(&self, what: &str, times: usize) {
        let started = Instant::now();
        while self.said().matches(what).count() < times {
            let waited = started.elapsed();
            assert!(waited < PATIENCE, "no {what:?} in\n{}", self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Interrupts it; it has to end soon, as an interrupted command does.
    fn interrupt(mut self) -> String {
        let process = self.process.id().to_string();
        let sent = Command::new("kill").args(["-INT", &process]).status();
        assert!(sent.expect("kill runs").success());
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("a status") {
                break status;
            }
            assert!(
                started.elapsed() < PATIENCE,
                "it does not end: {}",
                self.said()
            );
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(130), "{}", self.said());
        self.said()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Adds what comes through a pipe to what was said, line by line.
fn collect(pipe: impl Read + Send + 'static, said: &Arc<Mutex<String>>) {
    let said = Arc::clone(said);
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            let mut said = said.lock().expect("no reader panics");
            said.push_str(&line);
            said.push('\n');
        }
    });
}

#[test]
fn a_file_that_breaks_shows_its_mistakes_and_one_that_is_mended_its_contents() {
    let s = Sandbox::new();
    s.write("lamp.ioa", LAMP);
    let watching = Watching::begin(&s, "check lamp.ioa --watch");
    watching.awaits("one file is watched", 1);
    s.replace("lamp.ioa", ":= ~on", ":= ~off");
    watching.awaits("lamp.ioa has changed", 1);
    watching.awaits("unknown name `off`", 1);
    watching.awaits("one file is watched", 2);
    s.write("lamp.ioa", LAMP);
    watching.awaits("lamp.ioa: 1 automaton (Lamp)", 2);
    watching.awaits("one file is watched", 3);
    // What is saved as it was is no reason to begin again.
    s.write("lamp.ioa", LAMP);
    std::thread::sleep(Duration::from_secs(1));
    let said = watching.interrupt();
    assert_eq!(said.matches("has changed").count(), 2, "{said}");
}

#[test]
fn a_proof_is_tried_again_and_a_study_follows_what_its_manifest_names() {
    let s = Sandbox::new();
    s.write("lamp.ioa", LAMP);
    s.write("claims.ioa", "invariant Claim of Lamp: flips > 0\n");
    let manifest = |sources: &str| {
        s.write(
            "ioa.toml",
            format!("[study]\nname = \"lamp\"\nsources = [{sources}]\n[prove]\n"),
        );
    };
    manifest("\"lamp.ioa\"");
    let watching = Watching::begin(&s, "verify . --watch --report report");
    watching.awaits("2 files are watched", 1);
    manifest("\"lamp.ioa\", \"claims.ioa\"");
    watching.awaits("ioa.toml has changed", 1);
    watching.awaits("3 files are watched", 1);
    s.write("claims.ioa", "invariant Claim of Lamp: flips >= 0\n");
    watching.awaits("claims.ioa has changed", 1);
    watching.awaits("3 files are watched", 2);
    manifest("nothing at all");
    watching.awaits("one file is watched", 1);
    let said = watching.interrupt();
    let violated = said.find("violated").expect(&said);
    assert!(
        said.rfind("proved").is_some_and(|at| at > violated),
        "{said}"
    );
}

#[test]
fn what_goes_on_for_long_ends_when_a_file_changes_and_when_the_user_wants_it() {
    let s = Sandbox::new();
    let effect = ["n := n * m + 1; m := m * n + n"; 14].join("; ");
    let hard = format!(
        "automaton A\n  signature internal hard\n  states n: Int := 1, m: Int := 1\n  \
         transitions internal hard eff {effect}\ninvariant Hard of A: n <= m * m\n"
    );
    s.write("a.ioa", &hard);
    let watching = Watching::begin(&s, "prove a.ioa --timeout 600000 --watch");
    std::thread::sleep(Duration::from_millis(1500));
    s.write("a.ioa", format!("{hard}% more\n"));
    // What follows was found so far, or the solver does not stop and it is lost.
    watching.awaits("interrupted", 1);
    watching.awaits("a.ioa has changed", 1);
    std::thread::sleep(Duration::from_millis(1500));
    let said = watching.interrupt();
    let second = said
        .split("a.ioa has changed")
        .nth(1)
        .expect("a second round");
    assert!(second.contains("interrupted"), "{said}");
    assert!(!said.contains("watched"), "{said}");
}

#[test]
fn there_is_no_one_document_of_many_rounds() {
    let s = Sandbox::new();
    s.write("lamp.ioa", LAMP);
    let answer = s.ioa(&["check", "lamp.ioa", "--watch", "--json"]);
    refused(&answer, "cannot be used with");
}

#[test]
fn files_beside_a_folder_belong_to_its_study() {
    let s = Sandbox::new();
    s.write(
        "extra/thought.ioa",
        "invariant Thought of Cons: \\A v: Value (v \\in chosen => v \\in proposed)\n",
    );
    let args = [
        "prove",
        ".",
        "extra/thought.ioa",
        "--only",
        "Thought",
        "--json",
    ];
    let answer = s.ioa(&args);
    assert_eq!(
        answer.json()["results"][0]["verdict"],
        "proved",
        "{answer:?}"
    );
    // The other way round it is the same study, which still has its own sizes.
    let explored = s.ioa(&[
        "explore",
        "extra/thought.ioa",
        ".",
        "--automaton",
        "Cons",
        "--only",
        "Thought",
    ]);
    assert_eq!(explored.code, Some(0), "{explored:?}");
    assert!(
        explored.out.contains("Ballot=3 Node=3 Value=2"),
        "{explored:?}"
    );
    s.write(
        "extra/thought.ioa",
        "invariant Thought of Cons: chosen = {}\n",
    );
    let violated = s.ioa(&["explore", ".", "extra/thought.ioa", "--automaton", "Cons"]);
    assert_eq!(violated.code, Some(1), "{violated:?}");
    assert!(
        violated
            .out
            .contains("see it again: ioa explore . extra/thought.ioa"),
        "{violated:?}"
    );
}

#[test]
fn what_is_named_twice_or_too_much_is_refused() {
    let s = Sandbox::new();
    s.write(
        "extra/ioa.toml",
        "[study]\nname = \"x\"\nsources = [\"x.ioa\"]\n",
    );
    refused(
        &s.ioa(&["check", ".", "extra"]),
        ". and extra are two folders",
    );
    refused(
        &s.ioa(&["check", ".", "extra/../cons.ioa"]),
        "cons.ioa is named twice",
    );
    refused(
        &s.ioa(&["check", "cons.ioa", "./cons.ioa"]),
        "./cons.ioa is named twice",
    );
    refused(
        &s.ioa(&["check", ".", "missing.ioa"]),
        "cannot open missing.ioa",
    );
}
