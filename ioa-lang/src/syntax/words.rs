//! The words that mean something to the grammar: one table, from which the lexer, the outline, the hints and an editor
//! have theirs. A test holds the grammar to it.

use Start::{Item, Nothing, Section};

/// The constructs that a word may start, for the outline of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// An item of a file, if a name or a formula follows it.
    Item,
    /// A section of an automaton.
    Section,
    /// Nothing that the outline knows of.
    Nothing,
}

/// A word that means something to the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// How it is written.
    pub text: &'static str,
    /// Whether it can never be a name. Other words mean something in a few places only.
    pub is_reserved: bool,
    /// What it may start. A schedule is an item as well as a section, and stands here as a section.
    pub start: Start,
}

const fn reserved(text: &'static str, start: Start) -> Word {
    Word {
        text,
        is_reserved: true,
        start,
    }
}

const fn free(text: &'static str) -> Word {
    Word {
        text,
        is_reserved: false,
        start: Nothing,
    }
}

/// All words, in alphabetical order.
pub const WORDS: &[Word] = &[
    reserved("Type", Item),
    free("always"),
    free("any"),
    free("asserts"),
    reserved("assumes", Item),
    reserved("automaton", Item),
    free("axioms"),
    free("backward"),
    reserved("choose", Nothing),
    free("cold"),
    reserved("components", Section),
    reserved("const", Nothing),
    reserved("det", Nothing),
    reserved("do", Nothing),
    reserved("eff", Nothing),
    reserved("else", Nothing),
    reserved("elseif", Nothing),
    free("end"),
    reserved("ensuring", Nothing),
    reserved("enumeration", Nothing),
    free("eventually"),
    reserved("false", Nothing),
    reserved("fi", Nothing),
    reserved("fire", Nothing),
    reserved("for", Nothing),
    free("forward"),
    free("from"),
    reserved("hidden", Section),
    free("hot"),
    reserved("if", Nothing),
    reserved("ignore", Nothing),
    reserved("imports", Item),
    reserved("in", Nothing),
    free("includes"),
    reserved("initially", Nothing),
    reserved("input", Nothing),
    reserved("internal", Nothing),
    free("introduces"),
    reserved("invariant", Item),
    free("leads"),
    reserved("let", Item),
    reserved("liveness", Item),
    free("local"),
    free("monitor"),
    reserved("od", Nothing),
    reserved("of", Nothing),
    free("operators"),
    reserved("output", Nothing),
    reserved("pre", Nothing),
    reserved("proof", Nothing),
    reserved("provided", Nothing),
    reserved("schedule", Section),
    reserved("signature", Section),
    free("simulation"),
    free("so"),
    reserved("states", Section),
    free("strong"),
    reserved("tasks", Section),
    free("that"),
    reserved("then", Nothing),
    free("to"),
    free("trait"),
    reserved("transitions", Section),
    reserved("true", Nothing),
    reserved("tuple", Nothing),
    reserved("type", Item),
    free("types"),
    reserved("union", Nothing),
    reserved("uses", Item),
    reserved("using", Nothing),
    reserved("vocabulary", Item),
    free("weight"),
    reserved("where", Nothing),
    reserved("while", Nothing),
    free("with"),
    reserved("yield", Nothing),
];

/// What is known about a word; none if it can be a name everywhere. This is asked many times of every word of a text: the first
/// letters decide most comparisons.
pub(super) fn known(text: &str) -> Option<&'static Word> {
    let first = text.as_bytes().first()?;
    let found = WORDS.binary_search_by(|word| {
        let letters = word.text.as_bytes()[0].cmp(first);
        letters.then_with(|| word.text.cmp(text))
    });
    found.ok().map(|index| &WORDS[index])
}

/// Whether a word can never be a name.
pub(super) fn is_reserved(text: &str) -> bool {
    known(text).is_some_and(|word| word.is_reserved)
}

/// Whether a section of an automaton may start with a word.
pub(super) fn starts_section(text: &str) -> bool {
    known(text).is_some_and(|word| word.start == Section)
}

/// Whether an item may start with a word, and with no other section or item.
pub(super) fn starts_item(text: &str) -> bool {
    known(text).is_some_and(|word| word.start == Item)
}

/// Whether an item that starts with a word has the sections of an automaton.
pub(super) fn has_sections(text: &str) -> bool {
    matches!(text, "automaton" | "monitor")
}

/// The words that can never be names.
pub(super) fn all_reserved() -> impl Iterator<Item = &'static str> {
    WORDS
        .iter()
        .filter(|word| word.is_reserved)
        .map(|word| word.text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pest::Parser;

    use super::{WORDS, all_reserved, known};
    use crate::syntax::grammar::{Grammar, Rule};

    #[test]
    fn the_words_are_sorted() {
        assert!(WORDS.is_sorted_by(|one, next| one.text < next.text));
        assert!(known("states").is_some() && known("state").is_none());
    }

    #[test]
    fn the_grammar_reserves_the_same_words() {
        for word in WORDS {
            let is_name = Grammar::parse(Rule::name, word.text);
            let is_name = is_name.is_ok_and(|read| read.as_str() == word.text);
            assert_eq!(is_name, !word.is_reserved, "{}", word.text);
            let is_reserved = Grammar::parse(Rule::reserved, word.text);
            let is_reserved = is_reserved.is_ok_and(|read| read.as_str() == word.text);
            assert_eq!(is_reserved, word.is_reserved, "{}", word.text);
        }
    }

    /// The words that stand in the grammar's keywords and in its list of reserved words are those of the table.
    #[test]
    fn the_table_has_the_words_of_the_grammar() {
        let grammar = include_str!("ioa.pest");
        let keywords = grammar.lines().filter(|line| line.starts_with("k_"));
        let list = grammar.split("reserved = @{").nth(1).unwrap_or_default();
        let list = list.split("id_end").next().unwrap_or_default();
        let mut words: BTreeSet<String> = keywords.flat_map(quoted).map(str::to_owned).collect();
        for line in list.lines() {
            let quoted: Vec<&str> = quoted(line).collect();
            match quoted[..] {
                [first, ref ends @ ..] if line.contains("~ (") => {
                    words.extend(ends.iter().map(|end| format!("{first}{end}")));
                }
                ref whole => words.extend(whole.iter().map(ToString::to_string)),
            }
        }
        let known: BTreeSet<String> = WORDS.iter().map(|word| word.text.to_owned()).collect();
        assert_eq!(words, known);
    }

    #[test]
    fn the_guide_lists_the_keywords() {
        let guide = include_str!("../../../docs/guide/16-dialects.md");
        let list = guide
            .split("\n## Keywords\n")
            .nth(1)
            .expect("there is a list");
        let listed: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        assert_eq!(listed, all_reserved().collect::<Vec<_>>());
    }

    fn quoted(line: &str) -> impl Iterator<Item = &str> {
        line.split('"').skip(1).step_by(2)
    }
}
