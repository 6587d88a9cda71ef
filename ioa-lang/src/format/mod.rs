//! One canonical layout for IOA text: what `ioa fmt` writes.
//!
//! The text is cut into pieces and parsed like any other; the layout works on the parse trees of the grammar and on the
//! tokens with the comments between them (`tokens`), never on what the text means, so that nothing is lost that a
//! person wrote. `layout` says for each rule of the grammar where a line may be broken, in the algebra of `doc`; a
//! rule that it does not know gets its tokens in a row, with sensible spaces. `render` then breaks lines that are too
//! long at their outermost places.
//!
//! What changes: white space, signs (Unicode becomes ASCII), `Type` (becomes `type`), the separators between
//! declarations (`,`), and separators with nothing behind them, which are dropped, as are the parentheses of
//! `randomBool()`.

mod doc;
mod layout;
mod render;
mod tokens;

use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax;

/// Lines are broken so that they are at most this wide, where there is a place to break them.
pub const WIDTH: usize = 100;

/// Writes a file in the canonical layout. Formatting the result again gives the same text.
///
/// # Errors
/// The mistakes of a file that cannot be parsed: what is not understood cannot be laid out.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let cuts = syntax::cut(file, text)?;
    if let Some(rest) = text.strip_prefix('\u{FEFF}') {
        // What marks the order of bytes is no part of the text.
        return format(file, rest);
    }
    let pieces = layout::parse(text, cuts);
    let mut tokens = tokens::Tokens::new(text, &pieces);
    let doc = layout::file(&pieces, &tokens);
    tokens.hand_over_comments(&doc);
    Ok(render::render(&doc, &tokens))
}
