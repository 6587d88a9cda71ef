//! How the screen is drawn.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::column::{Column, Entry};
use super::{PLAIN, Screen};
use crate::report::terminal;

/// From this width on, the run, the choices and the state stand beside each other.
const WIDE: u16 = 140;

/// The keys that are always shown.
const KEYS: &str = "<- -> step  up/down choose  Enter take  : command  z zoom  ? all keys  q quit";

impl Screen<'_> {
    /// Draws all of it.
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        let room = frame.area().height.saturating_sub(2);
        let answer = match self.is_zoomed {
            true => room,
            false => self.height_of_answer(frame.area().width).min(room / 2),
        };
        let rows = [1, room - answer, answer, 1].map(Constraint::Length);
        let [title, body, answer, keys] = Layout::vertical(rows).areas(frame.area());
        self.draw_title(frame, title);
        if !self.is_zoomed {
            self.draw_body(frame, body);
        }
        self.draw_answer(frame, answer);
        self.draw_keys(frame, keys);
    }

    /// How high the last answer is with its frame, where it is so wide.
    fn height_of_answer(&self, width: u16) -> u16 {
        let lines = self.answer.text.lines().map(Line::from);
        let rows = rows(lines, width).max(1) + 2;
        u16::try_from(rows).unwrap_or(u16::MAX)
    }

    fn draw_body(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [run, choices, state] = if area.width >= WIDE {
            Layout::horizontal([Constraint::Ratio(1, 3); 3]).areas(area)
        } else {
            // Steps are one line each, and variables are wrapped.
            let columns = [Constraint::Ratio(5, 8), Constraint::Ratio(3, 8)];
            let [left, state] = Layout::horizontal(columns).areas(area);
            let [run, choices] = Layout::vertical([Constraint::Ratio(1, 2); 2]).areas(left);
            [run, choices, state]
        };
        self.draw_run(frame, run);
        self.draw_choices(frame, choices);
        self.draw_state(frame, state);
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect) {
        let (at, of) = self.session.debugger.position();
        let (run, runs) = self.session.debugger.run_number();
        let title = format!(" {}   step {at} of {of}   run {run} of {runs}", self.name);
        let style = Style::new().add_modifier(Modifier::REVERSED);
        frame.render_widget(Paragraph::new(title).style(style), area);
    }

    /// The steps around the cursor.
    fn draw_run(&self, frame: &mut Frame<'_>, area: Rect) {
        let (at, of) = self.session.debugger.position();
        let before = self.events.iter().take_while(|event| event.number < at);
        let first = window(before.count(), self.events.len() + 1, area);
        let start = (0, "the first state", at == 0);
        let events = self.events.iter();
        let events = events.map(|event| (event.number, event.title.as_str(), event.is_here));
        let lines = std::iter::once(start).chain(events).skip(first);
        let lines = lines.take(usize::from(area.height));
        let lines: Vec<Line<'_>> = lines
            .map(|(number, title, is_here)| marked(&format!("{number:>4} {title}"), is_here))
            .collect();
        let title = format!(" run: {} ", session::numbers::counted(of as u64, "step"));
        frame.render_widget(Paragraph::new(lines).block(boxed(title)), area);
    }

    /// The steps that can be taken around the chosen one.
    fn draw_choices(&self, frame: &mut Frame<'_>, area: Rect) {
        let first = window(self.selected, self.choices.len(), area);
        let shown = self.choices.iter().enumerate().skip(first);
        let mut lines: Vec<Line<'_>> = shown
            .take(usize::from(area.height))
            .map(|(at, (number, title))| {
                marked(&format!("{number:>4} {title}"), at == self.selected)
            })
            .collect();
        if self.choices.is_empty() {
            lines.push(Line::from("no step can be taken"));
        }
        lines.extend(self.trouble.as_deref().map(Line::from));
        let title = format!(" enabled: {} ", self.choices.len());
        frame.render_widget(Paragraph::new(lines).block(boxed(title)), area);
    }

    /// What is not to be missed in the state, and its variables.
    fn draw_state(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let debugger = &self.session.debugger;
        let (shown, title) = match self.shows_all {
            true => (debugger.full_state(), "all variables"),
            false => (debugger.last_step(), "what changed"),
        };
        let text = terminal::frame(&shown, PLAIN);
        // The first line says which state it is, and so does the list of steps.
        let values = text.lines().skip(1).map(str::trim_start);
        let values: Vec<Entry> = values.map(|text| Entry::new(text, Style::new())).collect();
        let noticed = self.noticed();
        let inside = boxed("").inner(area);
        let size = (usize::from(inside.width), usize::from(inside.height));
        let column = Column::of((&noticed, &values), &mut self.scrolled, size);
        let title = match column.is_cut {
            true => format!(" {title} (j: more) "),
            false => format!(" {title} "),
        };
        frame.render_widget(Paragraph::new(column.rows).block(boxed(title)), area);
    }

    /// What is not to be missed in a state: which invariants are violated, and what is watched.
    fn noticed(&mut self) -> Vec<Entry> {
        let debugger = &mut self.session.debugger;
        let mut noticed = match debugger.violated() {
            Ok(names) => {
                let names = names.iter().map(|name| format!("violated: {name}"));
                names.map(|text| Entry::new(text, Color::Red)).collect()
            }
            Err(why) => vec![Entry::new(why, Style::new())],
        };
        let watched = debugger.watched().into_iter().map(|watched| {
            let was = watched.was.map(|was| format!("   (was {was})"));
            let was = was.unwrap_or_default();
            let text = format!("watch: {} = {}{was}", watched.term, watched.value);
            Entry::new(text, Color::Cyan)
        });
        noticed.extend(watched);
        noticed
    }

    fn draw_answer(&self, frame: &mut Frame<'_>, area: Rect) {
        let style = match self.answer.is_mistake {
            true => Style::new().fg(Color::Red),
            false => Style::new(),
        };
        let all = self.answer.text.lines();
        let lines: Vec<Line<'_>> = all.skip(self.answer.scrolled).map(Line::from).collect();
        let room = usize::from(area.height.saturating_sub(2));
        let title = match rows(lines.iter().cloned(), area.width) > room {
            true => " answer (PgDn: more, z: zoom) ",
            false => " answer ",
        };
        let text = Paragraph::new(lines).style(style);
        let text = text.wrap(Wrap { trim: false });
        frame.render_widget(text.block(boxed(title)), area);
    }

    /// The keys or, while a command is typed, that.
    fn draw_keys(&self, frame: &mut Frame<'_>, area: Rect) {
        let Some(input) = &self.input else {
            frame.render_widget(Paragraph::new(KEYS), area);
            return;
        };
        let width = usize::from(area.width.saturating_sub(2));
        let hidden = input.chars().count().saturating_sub(width);
        let visible: String = input.chars().skip(hidden).collect();
        let text = Line::from(format!(":{visible}"));
        let column = u16::try_from(text.width()).unwrap_or(u16::MAX);
        frame.render_widget(Paragraph::new(text), area);
        if area.width > 0 {
            let column = column.min(area.width - 1);
            frame.set_cursor_position((area.x + column, area.y));
        }
    }
}

/// The first line of a list that is shown, so that a line of it can be seen with some after it.
fn window(line: usize, lines: usize, area: Rect) -> usize {
    let rows = usize::from(area.height.saturating_sub(2)).max(1);
    let first = (line + 1).saturating_sub(rows - rows / 3);
    first.min(lines.saturating_sub(rows))
}

/// How many rows lines take in a frame of this width, about: where a line is broken depends on its words.
fn rows<'t>(lines: impl Iterator<Item = Line<'t>>, width: u16) -> usize {
    let inside = usize::from(width.saturating_sub(2)).max(1);
    lines.map(|line| line.width().div_ceil(inside).max(1)).sum()
}

fn boxed<'t>(title: impl Into<Line<'t>>) -> Block<'t> {
    Block::bordered().title(title)
}

/// A line of a list. The one that counts is inverse, and has a mark that is seen without colours too.
fn marked(text: &str, is_marked: bool) -> Line<'static> {
    match is_marked {
        true => Line::styled(format!(">{text}"), Modifier::REVERSED),
        false => Line::from(format!(" {text}")),
    }
}
