//! Commands as lines of text: what is read, and what is said about mistakes.

use debugger::{Command, HELP};

fn refused(line: &str) -> String {
    let bad = Command::parse(line).expect_err("a mistake");
    bad.render(false)
}

#[test]
fn every_command_that_is_explained_is_read() {
    for entry in HELP {
        let arguments = match entry.usage {
            "" => "",
            "I J" => "0 1",
            "N" | "[N]" => "1",
            _ => "a",
        };
        let arguments = if entry.name == "path" {
            "0 1"
        } else {
            arguments
        };
        let arguments = if entry.name == "help" {
            "go"
        } else {
            arguments
        };
        for name in [Some(entry.name), entry.short].into_iter().flatten() {
            let line = format!("{name} {arguments}");
            let read = Command::parse(&line);
            let read = read.unwrap_or_else(|bad| panic!("{line}: {}", bad.render(false)));
            let is_quit = read == Some(Command::Quit);
            assert_eq!(is_quit, entry.name == "quit", "{line}");
        }
    }
}

#[test]
fn a_mistake_is_pointed_at() {
    let cases = [
        ("forwad", "did you mean `forward`?"),
        ("xyzzy", "`help` lists the commands"),
        ("go", "`go` wants a number"),
        ("go three", "`three` is no number"),
        ("go -1", "`-1` is no number"),
        (
            "go 99999999999999999999999",
            "is more than can be counted here",
        ),
        ("state 3", "`state` takes no arguments"),
        ("diff 1", "`diff` wants a number"),
        ("random 1000000000", "at most 100000 steps"),
        ("eval   ", "`eval` wants term"),
        ("help nothing", "no command is named `nothing`"),
    ];
    for (line, says) in cases {
        let said = refused(line);
        assert!(said.contains(says) && said.contains('^'), "{line}: {said}");
    }
}

#[test]
fn blanks_and_comments_are_no_commands() {
    for line in ["", "   ", "% go 3", "  % a comment"] {
        assert_eq!(Command::parse(line).expect("nothing is wrong"), None);
    }
}
