//! Every diagnostic of the check, by fixtures.

mod common;

#[test]
fn each_mistake_is_reported_where_it_stands() {
    common::verify_folder("tests/check", |sources| ioa_lang::load(sources).diagnostics);
}
