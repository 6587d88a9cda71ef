//! What two texts have in common, line by line, and what not, in the unified form that `diff -u` made common.
//!
//! Myers' algorithm ("An O(ND) difference algorithm and its variations", 1986) finds the shortest difference, in time
//! that grows with the square of its length: seconds, where one line of a file becomes fifty thousand. So lines that
//! stand once in either text are matched first, as in Cohen's patience diff; his is the idea that such lines are
//! seldom matched wrongly. Myers' algorithm then looks at what lies between two of them, if that is not much.

use std::collections::BTreeMap;
use std::ops::Range;

use similar::algorithms::{Capture, DiffHook, NoFinishHook, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{ChangeTag, DiffOp, group_diff_ops};

/// Lines of a diff around each change.
const CONTEXT: usize = 3;

/// So many lines between two matches, in both texts together, are compared; more than that are shown as replaced.
const MAX_COMPARED: usize = 400;

/// The unified diff of two texts with their titles; empty for equal ones.
pub(super) fn unified(old: (&str, &str), new: (&str, &str)) -> String {
    let (old_lines, new_lines) = (lines(old.1), lines(new.1));
    let hunks = group_diff_ops(changes(&old_lines, &new_lines), CONTEXT);
    let mut out = String::new();
    for hunk in hunks.iter().filter(|ops| !ops.is_empty()) {
        if out.is_empty() {
            out.push_str(&format!("--- {}\n+++ {}\n", old.0, new.0));
        }
        out.push_str(&format!("{}\n", UnifiedHunkHeader::new(hunk)));
        for op in hunk {
            for (tag, lines) in op.iter_slices(&old_lines, &new_lines) {
                lines.iter().for_each(|line| push_line(&mut out, tag, line));
            }
        }
    }
    out
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn push_line(out: &mut String, tag: ChangeTag, line: &str) {
    out.push_str(&format!("{tag}{line}"));
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

/// How the old lines become the new ones.
fn changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut found = Replace::new(Capture::new());
    let (mut old_at, mut new_at) = (0, 0);
    let ends = [(old.len(), new.len())];
    for (old_end, new_end) in common(old, new).into_iter().chain(ends) {
        between(&mut found, (old, old_at..old_end), (new, new_at..new_end));
        if old_end < old.len() {
            let Ok(()) = found.equal(old_end, new_end, 1);
        }
        (old_at, new_at) = (old_end + 1, new_end + 1);
    }
    let Ok(()) = found.finish();
    found.into_inner().into_ops()
}

/// Compares the lines between two matches.
fn between(
    found: &mut Replace<Capture>,
    (old, old_part): (&[&str], Range<usize>),
    (new, new_part): (&[&str], Range<usize>),
) {
    let Ok(()) = match old_part.len() + new_part.len() {
        0 => Ok(()),
        1..=MAX_COMPARED => {
            let mut found = NoFinishHook::new(found);
            myers::diff(&mut found, old, old_part, new, new_part)
        }
        _ => found
            .delete(old_part.start, old_part.len(), new_part.start)
            .and_then(|()| found.insert(old_part.end, new_part.start, new_part.len())),
    };
}

/// Lines that match, in the order of both texts: those at the start and at the end, and between them the longest
/// sequence of lines that stand once in either text.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let alike = |(old, new): &(&&str, &&str)| old == new;
    let start = old.iter().zip(new).take_while(alike).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = ends.take_while(alike).count();
    let middle = longest_rising(&once_in_both(
        &old_rest[..old_rest.len() - end],
        &new_rest[..new_rest.len() - end],
    ));
    let middle = middle
        .into_iter()
        .map(|(old, new)| (old + start, new + start));
    let behind = (1..=end)
        .rev()
        .map(|back| (old.len() - back, new.len() - back));
    (0..start)
        .map(|at| (at, at))
        .chain(middle)
        .chain(behind)
        .collect()
}

/// The lines that stand once in either text, with their positions, in the order of the first.
fn once_in_both(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let new_places = places(new);
    let old_places = places(old);
    let once = old.iter().enumerate().filter_map(|(at, line)| {
        let only = |places: &BTreeMap<&str, Option<usize>>| places.get(line).copied().flatten();
        Some((only(&old_places).map(|_| at)?, only(&new_places)?))
    });
    once.collect()
}

/// Where each line stands; none if that is in several places.
fn places<'t>(lines: &[&'t str]) -> BTreeMap<&'t str, Option<usize>> {
    let mut places = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        places
            .entry(*line)
            .and_modify(|place| *place = None)
            .or_insert(Some(at));
    }
    places
}

/// The longest part of a sequence in which the second numbers rise, found by the piles of patience sorting.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The last pair of a shortest rising part for each length, and for each pair the one before it.
    let mut tops: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (index, (_, new)) in pairs.iter().enumerate() {
        let pile = tops.partition_point(|&top| pairs[top].1 < *new);
        before[index] = pile.checked_sub(1).map(|below| tops[below]);
        match tops.get_mut(pile) {
            Some(top) => *top = index,
            None => tops.push(index),
        }
    }
    let last = tops.last().copied();
    let mut part: Vec<_> = std::iter::successors(last, |&index| before[index])
        .map(|index| pairs[index])
        .collect();
    part.reverse();
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The new text, made of the old one and the diff between them.
    fn patched(old: &str, diff: &str) -> String {
        let (mut rest, mut line) = (old.split_inclusive('\n'), 1);
        let mut new = String::new();
        let mut changes = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(change) = changes.next() {
            let (sign, text) = change.split_at(1);
            let is_last = changes.peek().is_some_and(|next| next.starts_with('\\'));
            let text = if is_last { text.trim_end() } else { text };
            match sign {
                "@" => {
                    let range = change.split(['-', ' ']).nth(2).expect("a range");
                    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
                    let start: usize = start.parse().expect("a number");
                    let start = if count == "0" { start + 1 } else { start };
                    new.extend(rest.by_ref().take(start - line));
                    line = start;
                }
                "+" => new.push_str(text),
                " " | "-" => {
                    assert_eq!(rest.next(), Some(text));
                    line += 1;
                    if sign == " " {
                        new.push_str(text);
                    }
                }
                _ => {}
            }
        }
        new.extend(rest);
        new
    }

    /// All texts of up to four lines out of three, with and without the end of the last.
    fn small_texts() -> Vec<String> {
        let mut texts = vec![String::new()];
        for from in [0, 1, 4, 13] {
            let shorter = texts[from..].to_vec();
            texts.extend(
                shorter
                    .iter()
                    .flat_map(|text| ["a\n", "b\n", "\n"].map(|line| text.clone() + line)),
            );
        }
        let unended: Vec<String> = texts
            .iter()
            .flat_map(|text| text.strip_suffix('\n'))
            .map(str::to_owned)
            .collect();
        texts.extend(unended);
        texts
    }

    #[test]
    fn the_old_text_and_the_diff_make_the_new_one() {
        let texts = small_texts();
        for old in &texts {
            for new in &texts {
                let diff = unified(("old", old), ("new", new));
                assert_eq!(patched(old, &diff), *new, "{old:?}\n{diff}");
            }
        }
    }

    #[test]
    fn what_did_not_change_is_not_shown() {
        let old: String = (0..1000).map(|n| format!("line {n}\n")).collect();
        let new = old
            .replace("line 500\n", "line  500\n")
            .replace("line 7\n", "");
        let diff = unified(("old", &old), ("new", &new));
        assert!(diff.starts_with(
            "--- old\n+++ new\n@@ -5,7 +5,6 @@\n line 4\n line 5\n line 6\n-line 7\n line 8\n"
        ));
        assert!(diff.contains("\n@@ -498,7 +497,7 @@\n"), "{diff}");
        assert_eq!(diff.lines().count(), 2 + 8 + 9);
        assert_eq!(unified(("old", &old), ("new", &old)), "");
    }

    /// Myers' algorithm alone would take minutes.
    #[test]
    fn one_line_may_become_very_many() {
        let words: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
        let (line, lines) = (words.join(" ") + "\n", words.join("\n") + "\n");
        for (old, new) in [(&line, &lines), (&lines, &line)] {
            let diff = unified(("old", old), ("new", new));
            assert_eq!(patched(old, &diff), *new);
        }
        let indented: String = words.iter().map(|word| format!("  {word}\n")).collect();
        let diff = unified(("old", &lines), ("new", &indented));
        assert_eq!(patched(&lines, &diff), indented);
    }
}
