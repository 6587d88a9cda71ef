//! One canonical layout for IOA text: what `ioa fmt` writes.
//!
//! The layout works on the lossless tree of the file, whose tokens it gathers with the comments between them (`tokens`),
//! never on what the text means, so that nothing is lost that a
//! person wrote. `layout` says for each rule of the grammar where a line may be broken, in the algebra of `doc`; a
//! rule that it does not know gets its tokens in a row, with sensible spaces. `render` then breaks lines that are too
//! long at their outermost places.
//!
//! What changes: white space, signs (Unicode becomes ASCII), `Type` (becomes `type`), the separators between declarations
//! (`,`), and trailing separators and the parentheses of `randomBool()`, which are dropped.

mod doc;
mod layout;
mod render;
mod tokens;

use crate::diagnostic::{Diagnostic, has_errors};
use crate::source::FileId;
use crate::syntax;

pub use doc::WIDTH;

/// Writes a file in the canonical layout. Formatting the result again gives the same text.
///
/// # Errors
/// The mistakes of a file that cannot be parsed: what is not understood cannot be laid out.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = syntax::parse(file, text);
    if has_errors(&parsed.diagnostics) {
        return Err(parsed.diagnostics);
    }
    let mut tokens = tokens::Tokens::new(&parsed.tree);
    let doc = layout::file(&parsed.tree, &tokens);
    tokens.hand_over_comments(&doc);
    Ok(render::render(&doc, &tokens))
}
