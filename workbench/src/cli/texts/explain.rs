//! `ioa explain`: what the code of a message means, as the guide says it.

use ioa_lang::diagnostic::Code;
use session::study::BadInput;

use crate::args::ExplainArgs;
use crate::cli::Answer;

/// The guide's chapter on codes: a section for each.
const CHAPTER: &str = include_str!("../../../../docs/guide/23-codes.md");

/// Shows the section of a code.
///
/// # Errors
/// There is no such code.
pub(in crate::cli) fn run(args: &ExplainArgs) -> Result<Answer, BadInput> {
    let unknown = || {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        BadInput::message(format!(
            "there is no code {}; there are {}",
            args.code,
            names.join(", ")
        ))
    };
    let code = Code::named(&args.code).ok_or_else(unknown)?;
    Ok(Answer {
        closing: plain(section(code)),
        ..Answer::default()
    })
}

/// A section as people read it in a terminal: its code indented, and no marks of Markdown.
fn plain(section: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for line in section.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let indent = if is_code && !line.is_empty() {
            "    "
        } else {
            ""
        };
        let line = line.strip_prefix("## ").unwrap_or(line);
        out.extend([indent, line, "\n"]);
    }
    out
}

/// The section of a code: from its heading to the next.
fn section(code: Code) -> &'static str {
    let heading = format!("## {code}");
    let start = CHAPTER.find(&heading).unwrap_or(CHAPTER.len());
    let section = &CHAPTER[start..];
    let end = section[2.min(section.len())..].find("\n## ");
    &section[..end.map_or(section.len(), |end| end + 3)]
}
