//! The sources in the page: highlighted, with an anchor for each line, and links to places in them.

use ioa_lang::FileId;
use ioa_lang::syntax::{self, tree::Kind};
use maud::{Markup, html};
use sha2::{Digest, Sha256};

/// How many digits of a hash are shown.
const DIGITS: usize = 16;

/// The sources: file name and text.
pub(super) fn sources(sources: &[(String, String)]) -> Markup {
    html! {
        section {
            h2 { "Sources" }
            @for (name, text) in sources {
                details {
                    summary { code { (name) } " " span.how { "SHA-256 " (hash(text)) } }
                    pre.source {
                        @for (i, line) in lines(text).iter().enumerate() {
                            span.line id={ (name) ":" (i + 1) } {
                                @for (class, piece) in line {
                                    @match class { Some(class) => span class=(class) { (piece) }, None => (piece) }
                                }
                                "\n"
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A place such as `lock.ioa:12:5`, as a link to the line if that is a source of the page.
pub(super) fn place(location: &str, sources: &[(String, String)]) -> Markup {
    let line = location.rsplit_once(':').map_or(location, |(line, _)| line);
    let file = line.rsplit_once(':').map_or(line, |(file, _)| file);
    html! {
        @if sources.iter().any(|(name, _)| name == file) {
            a href={ "#" (line) } { (location) }
        } @else {
            (location)
        }
    }
}

/// What a text is known by: the beginning of its hash.
fn hash(text: &str) -> String {
    let digits = Sha256::digest(text.as_bytes());
    let digits: String = digits.iter().map(|byte| format!("{byte:02x}")).collect();
    digits[..DIGITS].to_owned()
}

/// A part of a line, with its class if it is highlighted.
type Piece = (Option<&'static str>, String);

/// The lines of a text, in parts.
fn lines(text: &str) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new()];
    let tree = syntax::parse(FileId(0), text).tree;
    let elements = tree.root().descendants_with_tokens();
    for token in elements.filter_map(|element| element.into_token()) {
        let class = class(token.kind());
        for (i, part) in token.text().split('\n').enumerate() {
            if i > 0 {
                lines.push(Vec::new());
            }
            let part = part.trim_end_matches('\r');
            match lines.last_mut() {
                Some(line) if !part.is_empty() => line.push((class, part.to_owned())),
                _ => {}
            }
        }
    }
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

fn class(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::COMMENT => Some("remark"),
        Kind::number | Kind::decimal | Kind::literal => Some("constant"),
        Kind::action_kind | Kind::reserved => Some("keyword"),
        // The rules of keywords are named after them.
        kind => format!("{kind:?}").starts_with("k_").then_some("keyword"),
    }
}

#[cfg(test)]
mod tests {
    use super::{lines, place};

    #[test]
    fn a_highlighted_text_is_the_text() {
        let text =
            "% a remark\r\nautomaton A\n\n  signature internal go(n: Nat) where n < 3\n ?? <&>\n";
        let shown: Vec<String> = lines(text)
            .into_iter()
            .map(|line| line.into_iter().map(|(_, part)| part).collect())
            .collect();
        assert_eq!(shown, text.lines().collect::<Vec<_>>());
        let keyword = (Some("keyword"), "automaton".to_owned());
        assert_eq!(lines(text)[1][0], keyword);
        assert_eq!(lines(text)[0][0].0, Some("remark"));
    }

    #[test]
    fn places_are_links_where_the_source_is_shown() {
        let sources = [("a:b.ioa".to_owned(), String::new())];
        let linked = place("a:b.ioa:3:14", &sources).into_string();
        assert_eq!(linked, "<a href=\"#a:b.ioa:3\">a:b.ioa:3:14</a>");
        assert_eq!(
            place("other.ioa:3:14", &sources).into_string(),
            "other.ioa:3:14"
        );
    }
}
