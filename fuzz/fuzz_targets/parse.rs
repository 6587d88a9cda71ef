//! Any text gets a syntax tree and diagnostics, each with a place inside the text, and these can be shown.
#![no_main]

use ioa_lang::Sources;
use ioa_lang::diagnostic::render;
use ioa_lang::syntax::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut sources = Sources::new();
    let file = sources.add("fuzz.ioa", text);
    let parsed = parse(file, text);
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
    }
    let _ = render(&parsed.diagnostics, &sources, false);
});
