//! Input that nobody should write: every case ends, soon, on a small stack, with a diagnostic and not with a crash.

use std::thread;

use ioa_lang::diagnostic::{has_errors, render};
use ioa_lang::format::format;
use ioa_lang::syntax::{Parsed, parse};
use ioa_lang::{FileId, Sources};

/// Parses, renders and drops on a stack of 2 MiB.
fn read(text: &str) -> Parsed {
    let text = text.to_string();
    let thread = thread::Builder::new().stack_size(2 << 20);
    let read = move || {
        let mut sources = Sources::new();
        let file = sources.add("hostile.ioa", text.clone());
        let parsed = parse(file, &text);
        assert_eq!(parsed.clone().items, parsed.items);
        assert_eq!(
            render(&parsed.diagnostics, &sources, false).is_empty(),
            parsed.diagnostics.is_empty()
        );
        parsed
    };
    thread
        .spawn(read)
        .expect("a thread")
        .join()
        .expect("no panic and no overflow")
}

fn first_message(text: &str) -> String {
    let parsed = read(text);
    assert!(has_errors(&parsed.diagnostics), "no complaint");
    parsed.diagnostics[0].message.clone()
}

fn invariant(formula: &str) -> String {
    format!("invariant I of A: {formula}")
}

const TOO_DEEP: &str = "nested deeper than 200 levels";

#[test]
fn deep_nesting_is_refused() {
    let many = 10_000;
    let cases = [
        "(".repeat(many),
        format!("{}x{}", "(".repeat(many), ")".repeat(many)),
        "[".repeat(many),
        "{".repeat(many),
        format!("{}x{}", "f(".repeat(many), ")".repeat(many)),
        format!("x{}", "[x".repeat(many)),
        format!("{}x", "~".repeat(many)),
        format!("{}x", "- ".repeat(many)),
        format!("{}x", "x => ".repeat(many)),
        format!("{}x", "x -| ".repeat(many)),
        format!("{}x", "x ** ".repeat(many)),
        format!("{}x", "x = ~ ".repeat(many)),
        format!("{}x", "x |- ".repeat(many)),
        format!("x{}", "[i]".repeat(many)),
        format!("x{}", ".f".repeat(many)),
        format!("{}(x)", r"\A x: T ".repeat(many)),
        format!("{}x", r"\A x: T (".repeat(many)),
        format!("{}x", "if ".repeat(many)),
        format!("{}x", "if a then ".repeat(many)),
        format!("{}x", "if a then b else ".repeat(many)),
        format!("{}x", "{x: T where ".repeat(many)),
        format!(r"\A x: {}T", "Set[".repeat(many)),
    ];
    for case in cases {
        assert_eq!(
            first_message(&invariant(&case)),
            TOO_DEEP,
            "for {}..",
            &case[..20]
        );
    }
}

#[test]
fn depth_is_reported_once_for_a_piece() {
    let queue = format!("{}x", "x |- ".repeat(10_000));
    assert_eq!(read(&invariant(&queue)).diagnostics.len(), 1);
    let two = format!("{} {}", invariant(&queue), invariant(&queue));
    assert_eq!(read(&two).diagnostics.len(), 2);
}

#[test]
fn deep_blocks_are_refused() {
    let cases = [
        "if a then ",
        "if a then else ",
        "for x: T in s do ",
        "while a do ",
    ];
    for case in cases {
        let text = format!("schedule S of A do {}", case.repeat(10_000));
        assert_eq!(first_message(&text), TOO_DEEP, "for {case}");
    }
}

#[test]
fn what_is_deep_but_allowed_is_read() {
    let nested = format!("{}x{}", "(".repeat(150), ")".repeat(150));
    assert_eq!(read(&invariant(&nested)).diagnostics, []);
    for junction in [r"x = y /\ ", r"x = y \/ ", r"~ x = - y /\ "] {
        let chain = format!("{}x", junction.repeat(10_000));
        assert_eq!(read(&invariant(&chain)).diagnostics, []);
    }
    let brackets = format!("{}x{}", "f({[".repeat(60), "]})".repeat(60));
    assert_eq!(read(&invariant(&brackets)).diagnostics, []);
    let blocks = format!(
        "schedule S of A do {}x := 1{} od",
        "if a then ".repeat(150),
        " fi".repeat(150)
    );
    assert_eq!(read(&blocks).diagnostics, []);
}

#[test]
fn many_conditionals_side_by_side_are_not_deep() {
    let terms = "x := if a then b else c; ".repeat(1000);
    let stmts = "if a then x := y else x := z fi; ".repeat(1000);
    let text = format!("schedule S of A do {terms} {stmts} od");
    assert_eq!(read(&text).diagnostics, []);
}

/// Each of these would take minutes if it took the square of its length.
#[test]
fn one_item_of_very_many_parts_is_laid_out_at_once() {
    let many = 30_000;
    let list = |separator: &str, part: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = (0..many).map(part).collect();
        parts.join(separator)
    };
    let branches = list(" ", &|n| format!("elseif x = {n} then x := {n}"));
    let texts = [
        invariant(&format!("{} = 0", list(" + ", &|_| "x".to_owned()))),
        invariant(&list(r" /\ ", &|n| format!(r"(x = {n} \/ y)"))),
        format!(
            "type E = enumeration of {}",
            list(", ", &|n| format!("v{n}"))
        ),
        format!("schedule S of A do if x then y := 1 {branches} fi od"),
        format!(
            "schedule S of A do {} od",
            list("; ", &|n| format!("x := {n}"))
        ),
        format!("schedule S of A do x := 1 {} od", ";".repeat(many)),
        format!("schedule S of A do x := 1 {} od", "; % why\n".repeat(many)),
    ];
    for text in texts {
        let tidy = format(FileId(0), &text).expect("there is no mistake");
        assert_eq!(format(FileId(0), &tidy), Ok(tidy));
    }
}

#[test]
fn long_numbers_are_refused() {
    let digits = "9".repeat(1_000_000);
    assert_eq!(
        first_message(&invariant(&digits)),
        "a number has at most 1000 digits, since it takes too long to compute with more"
    );
    assert_eq!(
        first_message(&invariant("Node#99999999999")),
        "the index of an element is a number below 4294967296"
    );
}

#[test]
fn bytes_that_mean_nothing_are_refused() {
    assert_eq!(
        first_message("\0"),
        "expected a declaration, found the character U+0000"
    );
    assert_eq!(
        first_message("type \u{1A}"),
        "expected a name, found the character U+001A"
    );
    let junk: String = (0..100_000u32)
        .filter_map(|n| char::from_u32(n * 7919 % 0x3000))
        .collect();
    assert!(has_errors(&read(&junk).diagnostics));
    let words = "input := fi ; ( od } automaton type \\A % \n schedule states pre eff invariant "
        .repeat(500);
    assert!(has_errors(&read(&words).diagnostics));
}

#[test]
fn nothing_is_nothing() {
    for text in [
        "",
        "\u{FEFF}",
        " \t\r\n",
        "% only a comment",
        "\u{FEFF}% and a mark\r\n",
    ] {
        let parsed = read(text);
        assert!(
            parsed.items.is_empty() && parsed.diagnostics.is_empty(),
            "for {text:?}"
        );
    }
}

#[test]
fn compositions_of_compositions_end() {
    let one = "automaton A0 signature internal t transitions internal t\n".to_owned();
    let twice = |i: usize| format!("automaton A{} components x: A{i}; y: A{i}\n", i + 1);
    let mut sources = Sources::new();
    let doubled: String = (0..60).map(twice).collect();
    sources.add("doubled.ioa", one + &doubled);
    let loaded = ioa_lang::load(&sources);
    let errors: Vec<&str> = loaded.diagnostics.iter().map(|d| &*d.message).collect();
    assert_eq!(errors, ["a composition of too many components"]);
}

#[test]
fn an_item_may_start_where_a_trait_has_its_parameters() {
    first_message("Ring(a,\ntype Node\nI): trait\n  introduces right: I -> I");
    first_message("type Node\nRing(\ntype: trait\n  introduces right: I -> I");
    first_message("automaton A(\nautomaton B(I): trait");
    first_message("Ring(type Node, Rong(I): trait): trait\n  introduces right: I -> I");
}

#[test]
fn a_text_may_end_anywhere() {
    let text = include_str!("../../case-studies/paxos/global1.ioa");
    let refinement = include_str!("../../case-studies/paxos/refinement.ioa");
    for text in [text, refinement] {
        for (end, _) in text.char_indices().step_by(3) {
            read_here(&text[..end]);
        }
    }
}

/// Any token of a text may be missing, doubled or replaced.
#[test]
fn a_text_may_lack_any_word() {
    let text = include_str!("../../case-studies/paxos/contention.ndr");
    let starts = text.match_indices(char::is_whitespace).map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    for pair in starts.windows(2).filter(|pair| pair[1] > pair[0] + 1) {
        let (before, word, after) = (&text[..pair[0]], &text[pair[0]..pair[1]], &text[pair[1]..]);
        for middle in ["", " fi (", word] {
            read_here(&format!("{before}{middle}{word}{after}"));
            read_here(&format!("{before}{middle}{after}"));
        }
    }
}

fn read_here(text: &str) {
    let mut sources = Sources::new();
    let file = sources.add("cut.ioa", text);
    let parsed = parse(file, text);
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.span.end as usize <= text.len());
    }
}

#[test]
fn line_ends_tabs_and_marks_do_not_matter() {
    let text = include_str!("../../case-studies/paxos/global1.ioa");
    let count = |text: &str| {
        let parsed = read(text);
        assert_eq!(parsed.diagnostics, []);
        parsed.items.len()
    };
    let crlf = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
    assert_eq!(count(&crlf), count(text));
    assert_eq!(count(&text.replace("  ", "\t")), count(text));
}

#[test]
fn a_character_that_is_not_what_it_seems_is_named() {
    let cases = [
        ("\u{430}utomaton A", "U+0430, which looks like `a`"),
        ("type A\u{200B}B", "U+200B, which is invisible"),
        (
            "type e\u{301}",
            "U+0301, which combines with the one before it",
        ),
        (
            "type \u{202E}A",
            "U+202E, which changes the direction of text",
        ),
        ("type \u{FF21}", "U+FF21, which looks like `A`"),
        (
            "type A % safe \u{2066} text",
            "not what it looks like: it has the character U+2066",
        ),
    ];
    for (text, expected) in cases {
        let parsed = read(text);
        let messages: Vec<&String> = parsed.diagnostics.iter().map(|d| &d.message).collect();
        let [message] = messages[..] else {
            panic!("{text:?}: {messages:?}");
        };
        assert!(message.contains(expected), "{text:?}: {message}");
    }
}

#[test]
fn the_same_name_in_two_files_is_reported_at_the_second() {
    let mut sources = Sources::new();
    sources.add("one.ioa", "type Node");
    sources.add("two.ioa", "type Node\r\ntype Node\0");
    let loaded = ioa_lang::load(&sources);
    let twice = loaded
        .diagnostics
        .iter()
        .find(|d| d.message.contains("declared twice"));
    let place = sources.location(twice.expect("it is reported").span);
    assert_eq!(place.file, "two.ioa");
    assert!(render(&loaded.diagnostics, &sources, false).contains("one.ioa"));
}
