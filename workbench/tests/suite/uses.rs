//! `uses`: what proofs may assume.

use std::fs;

use crate::lock::LOCK;
use crate::sandbox::{Answer, Sandbox, answered_but, refused};

/// What the lock implements, more of what is true of it, and how its proof goes.
const MORE: &str = "\
automaton Spec
  signature
    internal take, give
  states
    held: Bool := false
  transitions
    internal take
      pre ~held
      eff held := true
    internal give
      pre held
      eff held := false
invariant Few of Lock: inside <= taken
invariant Free of Spec: held \\/ ~held
forward simulation from Lock to Spec: (Lock.inside = 1) <=> Spec.held
  proof
    for internal take do fire internal take od
    for internal give do fire internal give od
";

/// The lock, which forgets who was inside when it is given back, and all that is said of it.
fn text() -> String {
    let lock = LOCK.replace("inside := inside - 1", "inside := 0");
    format!("{lock}{MORE}")
}

/// The lock with other headings.
fn lock(changes: &[(&str, &str)]) -> Sandbox {
    let mut text = text();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    let s = Sandbox::new();
    s.write("lock.ioa", text);
    s
}

fn prove(s: &Sandbox, more: &[&str]) -> Answer {
    s.ioa(&[&["prove", "lock.ioa"], more].concat())
}

#[test]
fn a_proof_needs_no_more_than_it_says() {
    let s = lock(&[
        ("One of Lock:", "One of Lock uses Held:"),
        ("Held of Lock:", "Held of Lock uses One:"),
        ("internal take do", "internal take uses Held, One do"),
        ("internal give do", "internal give uses Held, One do"),
    ]);
    let answer = prove(&s, &["--cores"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(!answer.out.contains("Few and") && !answer.out.contains("and Few"));
    // What is written for other solvers is what was asked.
    let folder = s.path("obligations");
    prove(&s, &["--smt-dir", "obligations"]);
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let script = fs::read_to_string(&path).expect("a script");
        if script.contains("Obligation Lock.One / take") {
            assert!(script.contains("Held before") && script.contains("One before"));
            assert!(!script.contains("Few before"), "{script}");
            seen += 1;
        }
    }
    assert_eq!(seen, 1);
}

#[test]
fn a_proof_that_may_not_use_what_it_needs_fails() {
    let s = lock(&[("One of Lock:", "One of Lock uses Few:")]);
    let answer = prove(&s, &["--only", "One"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(answer.out.contains("Lock.One / take is not established"));
    assert!(
        answer.out.contains("may assume only Few, as `uses` says"),
        "{answer:?}"
    );
    // In the first state what may not be used is false.
    assert!(
        answer.out.contains("held   = false\n       inside = 1"),
        "{answer:?}"
    );
    let s = lock(&[("internal take do", "internal take uses Few, Free do")]);
    let answer = prove(&s, &["--only", "Lock to Spec"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(
        answer
            .out
            .contains("Lock to Spec / take is not established"),
        "{answer:?}"
    );
    assert_eq!(prove(&lock(&[]), &[]).code, Some(0));
}

#[test]
fn what_is_used_and_not_established_is_named() {
    let s = lock(&[
        ("One of Lock:", "One of Lock uses Held:"),
        (
            "Held of Lock: held <=> inside = 1",
            "Held of Lock uses Held: held <=> inside = 1 /\\ taken < 3",
        ),
    ]);
    let answer = prove(&s, &[]);
    assert!(answer.out.contains("proved, if Held is"), "{answer:?}");
}

#[test]
fn the_headings_that_are_offered_suffice() {
    let s = lock(&[]);
    let answer = prove(&s, &["--cores"]);
    let lines = answer
        .out
        .lines()
        .filter(|line| line.starts_with("  ") && line.contains(" uses "));
    let mut text = text();
    let mut count = 0;
    for line in lines {
        let (heading, uses) = line.trim().split_once(" uses ").expect("names");
        for end in [":", " do"] {
            let found = format!("{heading}{end}");
            if text.contains(&found) {
                text = text.replace(&found, &format!("{heading} uses {uses}{end}"));
                count += 1;
            }
        }
    }
    assert!(count >= 3, "{}", answer.out);
    s.write("lock.ioa", &text);
    let again = prove(&s, &["--cores"]);
    assert_eq!(again.code, Some(0), "{text}{again:?}");
    assert!(!again.out.contains("these headings"), "{again:?}");
    // The formatter keeps them.
    assert_eq!(s.ioa(&["fmt", "lock.ioa"]).code, Some(0));
    let kept = fs::read_to_string(s.path("lock.ioa")).expect("a text");
    assert_eq!(
        kept.matches(" uses ").count(),
        text.matches(" uses ").count()
    );
    assert_eq!(prove(&s, &[]).code, Some(0));
    assert_eq!(s.ioa(&["fmt", "--check", "lock.ioa"]).code, Some(0));
}

#[test]
fn a_search_for_lemmas_is_not_kept_to_those_of_a_person() {
    let s = lock(&[("One of Lock:", "One of Lock uses Few:")]);
    let answer = prove(&s, &["--only", "One", "--auto"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
}

#[test]
fn names_that_mean_nothing_there_are_refused() {
    let s = lock(&[("One of Lock:", "One of Lock uses Helt:")]);
    refused(&s.ioa(&["check", "lock.ioa"]), "did you mean `Held`");
    let s = lock(&[("One of Lock:", "One of Lock uses Free:")]);
    refused(
        &s.ioa(&["check", "lock.ioa"]),
        "Free is an invariant of Spec",
    );
    let s = lock(&[("internal take do", "internal take uses One, Gone do")]);
    refused(&s.ioa(&["check", "lock.ioa"]), "unknown invariant `Gone`");
    for broken in [
        "One of Lock uses:",
        "One of Lock uses Held,:",
        "One of Lock uses Held",
        "uses One of Lock:",
    ] {
        let s = lock(&[("One of Lock:", broken)]);
        refused(&s.ioa(&["check", "lock.ioa"]), "error[E");
    }
}

#[test]
fn what_proofs_need_is_drawn() {
    let s = lock(&[]);
    prove(&s, &["--graph", "needs.dot"]);
    let dot = fs::read_to_string(s.path("needs.dot")).expect("a graph");
    let node = |name: &str| {
        let label = format!("[label=\"{name}\"");
        let line = dot
            .lines()
            .find(|line| line.contains(&label))
            .expect("a node");
        line.trim()
            .split(' ')
            .next()
            .expect("its number")
            .to_owned()
    };
    let arrow =
        |user: &str, used: &str| dot.contains(&format!("{} -> {};", node(user), node(used)));
    assert!(
        arrow("One", "Held") && arrow("Lock to Spec", "Held"),
        "{dot}"
    );
    assert!(
        !arrow("One", "Few") && !arrow("Held", "Held") && !arrow("Free", "One"),
        "{dot}"
    );
    prove(&s, &["--graph", "needs.mmd"]);
    let diagram = fs::read_to_string(s.path("needs.mmd")).expect("a diagram");
    assert_eq!(diagram.matches("-->").count(), dot.matches("->").count());
    // The user's own file is not overwritten.
    s.write("own.dot", "digraph mine {}");
    let answer = prove(&s, &["--graph", "own.dot"]);
    answered_but(&answer, "proved", "is there already");
    // Lemmas that are found have the claims that need them.
    prove(&s, &["--only", "One", "--auto", "--graph", "found.dot"]);
    let found = fs::read_to_string(s.path("found.dot")).expect("a graph");
    assert!(
        found.contains("label=\"One\"") && found.contains("->"),
        "{found}"
    );
}

#[test]
fn the_page_of_a_study_shows_what_its_proofs_need() {
    let s = lock(&[]);
    let manifest = "[study]\nname = \"lock\"\nsources = [\"lock.ioa\"]\n[prove]\n";
    s.write(
        "study/lock.ioa",
        fs::read(s.path("lock.ioa")).expect("a text"),
    );
    let page = |more: &str| {
        s.write("study/ioa.toml", format!("{manifest}{more}"));
        let answer = s.ioa(&["verify", "study", "--report", "out"]);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        fs::read_to_string(s.path("out/report.html")).expect("a page")
    };
    let plain = page("");
    assert!(plain.contains("What implements what") && !plain.contains("What each proof needs"));
    assert!(plain.contains("SHA-256") && plain.contains(" and Z3 "));
    assert!(plain.contains("<span class=\"keyword\">automaton</span>"));
    let drawn = page("cores = true");
    assert!(
        drawn.contains("What each proof needs") && drawn.contains("forward simulation: proved")
    );
    // What goes wrong is linked to its place.
    s.write(
        "study/lock.ioa",
        text().replace("inside <= 1", "inside <= 0"),
    );
    s.ioa(&["verify", "study", "--report", "out"]);
    let wrong = fs::read_to_string(s.path("out/report.html")).expect("a page");
    assert!(!wrong.contains("is expected"), "{wrong}");
    s.write(
        "study/ioa.toml",
        format!("{manifest}[expect]\nHeld = \"violated\"\n"),
    );
    s.ioa(&["verify", "study", "--report", "out"]);
    let unmet = fs::read_to_string(s.path("out/report.html")).expect("a page");
    assert!(unmet.contains("but violated is expected"), "{unmet}");
    let link = wrong
        .split("href=\"#")
        .nth(1)
        .and_then(|link| link.split('"').next());
    let link = link.expect("a link");
    assert!(wrong.contains(&format!("id=\"{link}\"")), "{link}");
}
