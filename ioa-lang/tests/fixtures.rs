//! Every diagnostic of the parser, and of a check of the results, by fixtures.

mod common;

use ioa_lang::{Diagnostic, Sources, load, syntax};

#[test]
fn each_mistake_of_syntax_is_reported_where_it_stands() {
    common::verify_folder("tests/fixtures", |sources: &Sources| -> Vec<Diagnostic> {
        let parsed = sources
            .iter()
            .map(|(id, file)| syntax::parse(id, &file.text));
        parsed.flat_map(|parsed| parsed.diagnostics).collect()
    });
}

#[test]
fn each_mistake_of_meaning_is_reported_where_it_stands() {
    common::verify_folder("tests/check", |sources| load(sources).diagnostics);
}
