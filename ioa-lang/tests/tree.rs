//! The lossless tree: whatever the text, its tree says the same, byte for byte, and gives back the places of what it says.

use std::fs;
use std::path::{Path, PathBuf};

use ioa_lang::syntax::tree::Kind;
use ioa_lang::syntax::{Parsed, parse};
use ioa_lang::{FileId, Span};

/// Every IOA text of the project.
fn texts() -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() && (name == "target" || name.starts_with('.')) => {}
                _ if path.is_dir() => folders.push(path),
                Some("ioa" | "ndr") => {
                    let text = fs::read_to_string(&path).expect("a text");
                    texts.push((path, text));
                }
                _ => {}
            }
        }
    }
    assert!(texts.len() > 50, "the texts were not found");
    texts
}

/// Reads a text, and looks at what holds for every tree.
#[track_caller]
fn read(text: &str) -> Parsed {
    let parsed = parse(FileId(0), text);
    assert_eq!(parsed.tree.text(), text);
    for node in parsed.tree.root().descendants() {
        let starts_with_blank = node
            .first_child_or_token()
            .is_some_and(|first| matches!(first.kind(), Kind::WHITESPACE | Kind::COMMENT));
        assert!(
            !starts_with_blank || node.kind() == Kind::file,
            "{:?} starts with a blank",
            node.kind()
        );
    }
    for found in &parsed.diagnostics {
        assert!(found.span.end as usize <= text.len(), "{found:?}");
    }
    parsed
}

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("a small number") % bound.max(1)
    }
}

#[test]
fn a_text_without_mistakes_has_no_errors_in_its_tree() {
    for (path, text) in texts() {
        let parsed = read(&text);
        let kinds = parsed.tree.root().descendants().map(|node| node.kind());
        let errors = kinds.filter(|kind| matches!(kind, Kind::error | Kind::missing | Kind::extra));
        let errors = errors.count();
        if parsed.diagnostics.is_empty() {
            assert_eq!(errors, 0, "{}", path.display());
        }
        let unknown = |kind: &Kind| *kind == Kind::unknown;
        let tokens = parsed.tree.root().descendants_with_tokens();
        let unknown = tokens.map(|token| token.kind()).filter(unknown).count();
        assert!(
            unknown == 0 || !parsed.diagnostics.is_empty(),
            "{}",
            path.display()
        );
    }
}

#[test]
fn mutated_texts_are_kept_byte_for_byte() {
    let mut numbers = Numbers(7);
    let pieces = [
        "", " ", "\n", "%", ";", ",", ":=", ":", "(", ")", "[", "]", "{", "}", "if ", " then ",
        " else ", " fi ", "do ", " od ", "\"", "'", "\\", "\\A", "#", "for ", "pre ", "eff ",
        "type ", "é", "\u{1A}", "\0",
    ];
    for (_, text) in texts() {
        for _ in 0..6 {
            let mut text = text.clone();
            for _ in 0..3 {
                let start = text.floor_char_boundary(numbers.below(text.len()));
                let end = text.ceil_char_boundary((start + numbers.below(5)).min(text.len()));
                text.replace_range(start..end, pieces[numbers.below(pieces.len())]);
            }
            read(&text);
        }
    }
}

#[test]
fn random_texts_are_kept_byte_for_byte() {
    let mut numbers = Numbers(11);
    let words = [
        "automaton A ",
        "signature ",
        "states ",
        "transitions ",
        "input a(x: T) ",
        "pre ",
        "eff ",
        "if ",
        "then ",
        "elseif ",
        "else ",
        "fi ",
        "x := y",
        "; ",
        "for i: N in s do ",
        "while a do ",
        "od ",
        "(",
        ")",
        "x: T ",
        ", ",
        "fire ",
        "det do yield ",
        "choose ",
        "where ",
        "so that ",
        "proof ",
        "invariant I of A: ",
        "\\A x: T (",
        "% c\n",
        "\n",
        "\u{FEFF}",
        "é",
        "::=",
        "7a",
        "\"s",
        "let f = ",
        "tasks {",
        "components ",
        "hidden ",
    ];
    for _ in 0..400 {
        let count = numbers.below(60);
        let text: String = (0..count)
            .map(|_| words[numbers.below(words.len())])
            .collect();
        read(&text);
        let bytes: Vec<u8> = (0..count)
            .map(|_| u8::try_from(numbers.below(256)).expect("a byte"))
            .collect();
        read(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn what_is_understood_stands_around_what_is_not() {
    let text = "automaton A\n  signature\n    internal t\n  states\n    x: Int := 0, y: Bool := + , z: Int := 1\n  \
                transitions\n    internal t\n      pre x = )\n      eff x := 1; y := (; z := 2\n";
    let parsed = read(text);
    let ioa_lang::syntax::ast::Item::Automaton(automaton) = &parsed.items[0] else {
        panic!("an automaton was written");
    };
    let states: Vec<&str> = automaton
        .states
        .iter()
        .map(|state| &*state.name.name)
        .collect();
    assert_eq!(states, ["x", "y", "z"]);
    assert_eq!(automaton.transitions[0].effect.len(), 3);
    assert_eq!(parsed.diagnostics.len(), 3, "{:?}", parsed.diagnostics);
}

#[test]
fn a_span_leads_to_its_node_and_up_from_there() {
    let text = "type T % a comment\ninvariant I of A: x = f(y)\n";
    let parsed = read(text);
    let start = text.find("f(y)").expect("it is there");
    let node = parsed.tree.covering(Span::new(FileId(0), start, start + 4));
    assert_eq!(
        (node.kind(), node.text().to_string()),
        (Kind::named, "f(y)".to_owned())
    );
    let above: Vec<Kind> = node.ancestors().map(|node| node.kind()).collect();
    assert_eq!(
        above,
        [
            Kind::named,
            Kind::expr,
            Kind::invariant_piece,
            Kind::item,
            Kind::file
        ]
    );
}
