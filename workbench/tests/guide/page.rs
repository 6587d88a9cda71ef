//! A chapter as Markdown: the code blocks in it, and how to put others in their places.

use std::ops::Range;

/// A fenced block of code.
#[derive(Debug)]
pub(crate) struct Block {
    /// The word behind the fence.
    pub(crate) language: String,
    /// The lines inside the fences, as indices from 0.
    pub(crate) lines: Range<usize>,
    /// What stands there.
    pub(crate) text: String,
}

impl Block {
    /// The remark in the first line, where that is a comment: `% counter.ioa`, or `# ioa.toml` in a manifest.
    pub(crate) fn remark(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let sign = match self.language.as_str() {
            "ioa" | "text" => "% ",
            _ => "# ",
        };
        first.strip_prefix(sign).map(str::trim)
    }
}

/// The blocks of a page, in order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let lines: Vec<&str> = page.lines().collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let inside = lines[at..]
            .iter()
            .take_while(|line| !line.starts_with("```"))
            .count();
        let text = lines[at..at + inside]
            .iter()
            .map(|line| format!("{line}\n"))
            .collect();
        blocks.push(Block {
            language: language.trim().to_owned(),
            lines: at..at + inside,
            text,
        });
        at += inside + 1;
    }
    blocks
}

/// The code in the heading of the section in which a block stands, if that starts with one: `## E201: an unknown name`.
pub(crate) fn code_of_section(page: &str, block: &Block) -> Option<String> {
    let before: Vec<&str> = page.lines().take(block.lines.start).collect();
    let heading = before
        .iter()
        .rev()
        .find_map(|line| line.strip_prefix("## "))?;
    let (code, _) = heading.split_once(':')?;
    let is_code = code.len() == 4 && code[1..].bytes().all(|digit| digit.is_ascii_digit());
    is_code.then(|| code.to_owned())
}

/// A text with each `‹..›×N` in it written out: N times what stands between the signs, on the same line.
pub(crate) fn written_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('‹');
    out.extend(parts.next());
    for part in parts {
        let (repeated, rest) = part.split_once("›×").expect("`‹` is closed by `›×N`");
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (times, rest) = rest.split_at(digits);
        out.push_str(&repeated.repeat(times.parse().expect("a number stands behind `×`")));
        out.push_str(rest);
    }
    out
}

/// The page with other texts in its blocks.
pub(crate) fn with_texts(page: &str, blocks: &[Block], texts: &[String]) -> String {
    let lines: Vec<&str> = page.lines().collect();
    let mut out = String::new();
    let mut at = 0;
    for (block, text) in blocks.iter().zip(texts) {
        lines[at..block.lines.start]
            .iter()
            .for_each(|line| out.extend([line, "\n"]));
        out.push_str(text);
        at = block.lines.end;
    }
    lines[at..].iter().for_each(|line| out.extend([line, "\n"]));
    out
}

#[test]
fn blocks_are_found_and_replaced() {
    let page = "a\n```ioa\n% x.ioa\ntype N\n```\nb\n```console\n$ ls\n```\n";
    let found = blocks(page);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0].lines.clone(), found[0].remark()),
        (2..4, Some("x.ioa"))
    );
    assert_eq!(
        (&*found[1].language, &*found[1].text),
        ("console", "$ ls\n")
    );
    let same: Vec<String> = found.iter().map(|block| block.text.clone()).collect();
    assert_eq!(with_texts(page, &found, &same), page);
    let other = with_texts(page, &found, &["new\n".into(), String::new()]);
    assert_eq!(other, "a\n```ioa\nnew\n```\nb\n```console\n```\n");
}

#[test]
fn repetitions_are_written_out() {
    assert_eq!(written_out("a = 1\n"), "a = 1\n");
    assert_eq!(written_out("{‹1, ›×3 2}‹~›×2x"), "{1, 1, 1,  2}~~x");
}
