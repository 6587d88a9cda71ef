//! Any two texts are checked together without a panic, and what is wrong with them can be shown.
#![no_main]

use ioa_lang::diagnostic::{render, summary};
use ioa_lang::{Sources, load};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (first, second) = text.split_once('\0').unwrap_or((text, ""));
    let mut sources = Sources::new();
    sources.add("first.ioa", first);
    sources.add("second.ioa", second);
    let loaded = load(&sources);
    let _ = render(&loaded.diagnostics, &sources, false);
    let _ = summary(&loaded.diagnostics);
});
