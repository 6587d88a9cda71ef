//! What is formatted keeps its meaning, what is said about it, and its comments; formatting it again changes nothing.
#![no_main]

use ioa_lang::core::fingerprint;
use ioa_lang::format::format;
use ioa_lang::{FileId, Sources, load};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(once) = format(FileId(0), text) else {
        return;
    };
    let twice = format(FileId(0), &once);
    assert_eq!(
        twice.as_ref(),
        Ok(&once),
        "formatting again changes the text"
    );
    let (before, after) = (loaded(text), loaded(&once));
    assert_eq!(after.1, before.1, "other things are said about it:\n{once}");
    assert_eq!(after.0, before.0, "the meaning changed:\n{once}");
});

/// The fingerprint of a model, and what is said about it.
fn loaded(text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::new();
    sources.add("fuzz.ioa", text);
    let loaded = load(&sources);
    let messages = loaded
        .diagnostics
        .into_iter()
        .map(|diagnostic| diagnostic.message);
    (
        format!("{:?}", fingerprint(&loaded.model)),
        messages.collect(),
    )
}
