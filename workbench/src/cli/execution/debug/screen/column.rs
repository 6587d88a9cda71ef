//! Texts in a pane that may be too small for them: what is cut off is counted, and the most important ones stay.

use ratatui::style::Style;
use ratatui::text::Line;

/// A text with its colour, which takes a row or more.
pub(super) struct Entry {
    text: String,
    style: Style,
}

impl Entry {
    pub(super) fn new(text: impl Into<String>, style: impl Into<Style>) -> Self {
        Self {
            text: text.into(),
            style: style.into(),
        }
    }
}

/// What a pane shows of its texts.
pub(super) struct Column {
    /// Its rows.
    pub(super) rows: Vec<Line<'static>>,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

impl Column {
    /// The rows of some texts that always stay, and those of others after as many as are scrolled out of sight. They are scrolled
    /// no further than to the last one.
    pub(super) fn of(
        (stay, others): (&[Entry], &[Entry]),
        scrolled: &mut usize,
        (width, height): (usize, usize),
    ) -> Self {
        let (stay, others) = (wrapped(stay, width), wrapped(others, width));
        let most = match others.is_empty() {
            true => height,
            // A row of the others, and the mark after it.
            false => height.saturating_sub(2),
        };
        let is_cut = stay.len() > most;
        let mut rows = part(&stay, 0, most);
        let height = height - rows.len();
        *scrolled = (*scrolled).min(farthest(others.len(), height));
        let is_cut = is_cut || others.len() > height;
        rows.extend(part(&others, *scrolled, height));
        Self { rows, is_cut }
    }
}

/// As many rows from one on as there is room for. Those before and after are counted.
fn part(rows: &[Line<'static>], from: usize, height: usize) -> Vec<Line<'static>> {
    let mut shown = Vec::new();
    if from > 0 {
        shown.push(Line::from(format!("... {from} before")));
    }
    let rest = &rows[from..];
    let room = height.saturating_sub(shown.len());
    if rest.len() <= room {
        shown.extend_from_slice(rest);
    } else {
        let fitting = room.saturating_sub(1);
        shown.extend_from_slice(&rest[..fitting]);
        shown.push(Line::from(format!("... {} more", rest.len() - fitting)));
    }
    shown.truncate(height);
    shown
}

/// How many rows are scrolled out of sight where the last one is the last that is shown.
fn farthest(rows: usize, height: usize) -> usize {
    match rows <= height {
        true => 0,
        false => (rows + 1).saturating_sub(height).min(rows),
    }
}

/// Texts as rows that are no wider than this.
fn wrapped(entries: &[Entry], width: usize) -> Vec<Line<'static>> {
    let rows = entries.iter().flat_map(|entry| {
        let rows = textwrap::wrap(&entry.text, width.max(1)).into_iter();
        rows.map(|row| Line::styled(row.into_owned(), entry.style))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown of so many texts that stay, and of so many others.
    fn shown(counts: (usize, usize), scrolled: &mut usize, height: usize) -> (Vec<String>, bool) {
        let entries = |name: &str, count: usize| -> Vec<Entry> {
            let all = (1..=count).map(|n| Entry::new(format!("{name}{n}"), Style::new()));
            all.collect()
        };
        let (stay, others) = (entries("s", counts.0), entries("o", counts.1));
        let column = Column::of((&stay, &others), scrolled, (20, height));
        let rows = column.rows.iter().map(ToString::to_string);
        (rows.collect(), column.is_cut)
    }

    #[test]
    fn what_does_not_fit_is_counted_and_scrolled_to() {
        let rows = |counts, mut scrolled, height| shown(counts, &mut scrolled, height).0;
        assert_eq!(rows((1, 2), 5, 3), ["s1", "o1", "o2"]);
        assert_eq!(rows((1, 5), 0, 4), ["s1", "o1", "o2", "... 3 more"]);
        assert_eq!(
            rows((1, 5), 1, 4),
            ["s1", "... 1 before", "o2", "... 3 more"]
        );
        assert_eq!(rows((1, 5), 9, 4), ["s1", "... 3 before", "o4", "o5"]);
        assert_eq!(
            rows((5, 5), 0, 5),
            ["s1", "s2", "... 3 more", "o1", "... 4 more"]
        );
        assert!(shown((1, 5), &mut 9, 4).1 && !shown((1, 2), &mut 9, 3).1);
        let mut scrolled = 9;
        shown((1, 5), &mut scrolled, 4);
        assert_eq!(scrolled, 3, "one key scrolls back again");
    }

    #[test]
    fn no_room_is_too_small() {
        for (height, scrolled) in (0..6).flat_map(|h| (0..6).map(move |s| (h, s))) {
            let (rows, _) = shown((3, 4), &mut { scrolled }, height);
            assert!(rows.len() <= height, "{rows:?}");
        }
    }
}
