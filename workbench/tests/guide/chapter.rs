//! One chapter: its blocks from first to last, in a folder of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, Sources, load, syntax};
use tempfile::TempDir;

use super::page::{self, Block};
use super::{console, listing, values};

/// What came of a chapter.
#[derive(Debug, Default)]
pub(crate) struct Chapter {
    pub(crate) name: String,
    /// Where it does not tell the truth.
    pub(crate) complaints: Vec<String>,
    /// The chapter as it would be true.
    pub(crate) updated: String,
    /// The rules of the grammar that its listings use.
    pub(crate) rules: BTreeSet<String>,
    /// The codes of the diagnostics that it shows.
    pub(crate) codes: BTreeSet<Code>,
    /// The codes that have a section of their own in it, with those that the section shows.
    pub(crate) explained: BTreeMap<String, BTreeSet<Code>>,
}

/// A chapter while it is tried.
struct Trial {
    chapter: Chapter,
    folder: TempDir,
    /// The files so far, by name.
    files: BTreeMap<String, String>,
    /// The code that the section at hand is about.
    section: Option<String>,
}

/// What a block of IOA text is to be.
enum Role<'a> {
    /// A file, which replaces an older one of the same name; it may be read together with others.
    File(&'a str, Vec<&'a str>),
    /// The continuation of a file.
    Continued(&'a str),
    /// An aside that is read together with some files, and then forgotten.
    Beside(Vec<&'a str>),
    /// Formulas that are true in the start state of a file's automaton.
    True(&'a str),
}

impl Role<'_> {
    fn of(block: &Block) -> Role<'_> {
        let remark = block.remark().unwrap_or_default();
        let words: Vec<&str> = remark
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .collect();
        match words[..] {
            [file] if is_file(file) => Role::File(file, Vec::new()),
            [file, "with", ref files @ ..] => Role::File(file, without_and(files)),
            [file, "continued"] => Role::Continued(file),
            ["true", "in", file] => Role::True(file),
            ["beside", ref files @ ..] => Role::Beside(
                files
                    .iter()
                    .copied()
                    .filter(|word| *word != "and")
                    .collect(),
            ),
            _ => Role::Beside(Vec::new()),
        }
    }
}

fn without_and<'a>(files: &[&'a str]) -> Vec<&'a str> {
    files
        .iter()
        .copied()
        .filter(|word| *word != "and")
        .collect()
}

fn is_file(word: &str) -> bool {
    [".ioa", ".ndr", ".toml"]
        .iter()
        .any(|end| word.ends_with(end))
}

impl Chapter {
    /// Tries every block of a chapter.
    pub(crate) fn try_out(name: &str, text: &str) -> Self {
        let mut trial = Trial {
            chapter: Self {
                name: name.to_owned(),
                ..Self::default()
            },
            folder: tempfile::tempdir().expect("a temporary folder"),
            files: BTreeMap::new(),
            section: None,
        };
        let blocks = page::blocks(text);
        let texts: Vec<String> = blocks
            .iter()
            .map(|block| {
                trial.section = page::code_of_section(text, block);
                trial.block(block)
            })
            .collect();
        trial.chapter.updated = page::with_texts(text, &blocks, &texts);
        trial.chapter
    }
}

impl Trial {
    /// Tries a block, and says what should stand there.
    fn block(&mut self, block: &Block) -> String {
        let (complaints, updated) = match block.language.as_str() {
            "ioa" => self.ioa(block),
            "console" => {
                let shown = Code::ALL.iter().copied();
                shown
                    .filter(|code| block.text.contains(&format!("[{code}]")))
                    .for_each(|code| self.show(code));
                console::compare(&block.text, self.folder.path())
            }
            "toml" => (self.manifest(block), block.text.clone()),
            "text" => {
                // A session of the debugger is a file; any other text is only shown.
                if let Some(name) = block.remark().filter(|name| name.ends_with(".txt")) {
                    self.write(name, block.text.clone());
                }
                (Vec::new(), block.text.clone())
            }
            other => (
                vec![format!("a block of `{other}` is never tried")],
                block.text.clone(),
            ),
        };
        let place = format!("{}:{}", self.chapter.name, block.lines.start + 1);
        self.chapter.complaints.extend(
            complaints
                .into_iter()
                .map(|complaint| format!("{place}: {complaint}")),
        );
        updated
    }

    fn manifest(&mut self, block: &Block) -> Vec<String> {
        match block.remark() {
            Some(name) if is_file(name) => {
                self.write(name, block.text.clone());
                Vec::new()
            }
            _ => vec!["the first line names no file, such as `# ioa.toml`".into()],
        }
    }

    fn ioa(&mut self, block: &Block) -> (Vec<String>, String) {
        let (name, context, before) = match Role::of(block) {
            Role::File(name, context) => (name, context, String::new()),
            Role::Continued(name) => (name, Vec::new(), self.file(name)),
            Role::Beside(files) => ("aside.ioa", files, String::new()),
            Role::True(name) => {
                let model = self.file(name);
                let complaints = values::compare(&block.text, &model, self.folder.path());
                self.learn(&format!("invariant I of A: {}", conjunction(&block.text)));
                return (complaints, block.text.clone());
            }
        };
        let mut sources = Sources::new();
        for file in &context {
            sources.add(*file, self.file(file));
        }
        let text = before.clone() + &page::written_out(&block.text);
        let id = sources.add(name, text.clone());
        let loaded = load(&sources);
        let above = before.lines().count();
        let mut here: Vec<(usize, &Diagnostic)> = Vec::new();
        let mut elsewhere = Vec::new();
        for diagnostic in &loaded.diagnostics {
            self.show(diagnostic.code);
            let line = (sources.location(diagnostic.span).line - 1).checked_sub(above);
            match line.filter(|_| diagnostic.span.file == id) {
                Some(line) => here.push((line, diagnostic)),
                None => elsewhere.push(format!("outside of the block: {}", diagnostic.message)),
            }
        }
        self.learn(&text);
        let (mut complaints, updated) = listing::compare(&block.text, &here);
        complaints.extend(elsewhere);
        if name != "aside.ioa" {
            self.write(name, text);
        }
        (complaints, updated)
    }

    /// Remembers that a diagnostic is shown.
    fn show(&mut self, code: Code) {
        self.chapter.codes.insert(code);
        if let Some(section) = &self.section {
            let explained = self.chapter.explained.entry(section.clone());
            explained.or_default().insert(code);
        }
    }

    /// Remembers the constructs of a text.
    fn learn(&mut self, text: &str) {
        self.chapter.rules.extend(syntax::rules_used(text));
    }

    fn file(&self, name: &str) -> String {
        let file = self.files.get(name);
        file.unwrap_or_else(|| panic!("{}: there is no file {name} yet", self.chapter.name))
            .clone()
    }

    fn write(&mut self, name: &str, text: String) {
        fs::write(self.folder.path().join(name), &text).expect("a file can be written");
        self.files.insert(name.to_owned(), text);
    }
}

/// The formulas of a block as one.
fn conjunction(formulas: &str) -> String {
    let lines = formulas
        .lines()
        .map(|line| line.split('%').next().unwrap_or_default().trim());
    let parts: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(|line| format!("({line})"))
        .collect();
    parts.join(" /\\ ")
}

#[test]
fn a_chapter_that_does_not_tell_the_truth_is_found_out() {
    let complaints = |page: &str| Chapter::try_out("t.md", page).complaints;
    assert_eq!(
        complaints("```ioa\ntype N  % warning: the type `N` is never used\n```\n"),
        Vec::<String>::new()
    );
    assert_eq!(
        complaints("```ioa\ntype N  % error: no\n```\n")[0],
        "t.md:2: line 1: not found: error: no"
    );
    assert!(complaints("```ioa\ntype N\ntype N\n```\n")[0].contains("line 2: not expected: error"));
    let model = "```ioa\n% m.ioa\nautomaton A\n  signature internal a\n  states x: Int := 0\n  transitions internal a pre x = 0\n```\n";
    let with = |more: &str| complaints(&format!("{model}{more}"));
    assert_eq!(
        with("```ioa\n% true in m.ioa\nx = 0\n```\n"),
        Vec::<String>::new()
    );
    assert!(with("```ioa\n% true in m.ioa\nx = 0\nx = 1\n```\n")[0].contains("not true: x = 1"));
    assert_eq!(
        with("```ioa\n% beside m.ioa\ninvariant I of A: x = 0\n```\n"),
        Vec::<String>::new()
    );
    assert_eq!(
        with("```console\n$ ioa check m.ioa\nm.ioa: 1 automaton (A)\n```\n"),
        Vec::<String>::new()
    );
    assert_eq!(
        with("```console\n$ ioa check m.ioa\nm.ioa: 2 automata\n```\n").len(),
        1
    );
    assert_eq!(
        with("```console\n$ ioa check m.ioa --bad\n...\n```\n").len(),
        1
    );
    assert_eq!(complaints("```python\n1\n```\n").len(), 1);
}
