//! Tables of findings.

use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table, presets};
use session::finding::{Finding, Status, Verdict};
use session::numbers::{count, duration};

use super::super::overview;
use super::{Style, paint, push_line, push_wrapped};

/// The findings as a table.
#[must_use]
pub fn table(findings: &[Finding], style: Style) -> String {
    let mut table = plain_table(style);
    table.set_header(["what", "name", "verdict", "scope", "evidence", "time"]);
    for finding in findings {
        table.add_row([
            Cell::new(finding.kind.word()),
            Cell::new(&finding.name),
            verdict_cell(finding.verdict, style),
            Cell::new(finding.scope.words()),
            Cell::new(&finding.summary),
            Cell::new(finding.seconds.map(duration).unwrap_or_default()),
        ]);
    }
    format!("{table}\n")
}

fn plain_table(style: Style) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(style.width.unwrap_or(140).max(60));
    if style.color {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

fn verdict_cell(verdict: Verdict, style: Style) -> Cell {
    let cell = Cell::new(verdict.word());
    if !style.color {
        return cell;
    }
    match verdict.status() {
        Status::Holds => cell.fg(Color::Green),
        Status::NotEstablished | Status::Interrupted => {
            cell.fg(Color::Yellow).add_attribute(Attribute::Bold)
        }
        Status::Violation | Status::BadInput => cell.fg(Color::Red).add_attribute(Attribute::Bold),
    }
}

/// The findings' items, such as the obligations of a proof, as a table.
#[must_use]
pub fn items(findings: &[Finding], style: Style) -> String {
    let mut table = plain_table(style);
    let items = || findings.iter().flat_map(|f| &f.items);
    let is_second = items().any(|item| item.opinion.is_some());
    let mut header = vec!["item", "verdict", "", "cost", "time"];
    header.extend(is_second.then_some("second opinion"));
    table.set_header(header);
    for item in items() {
        let figures: Vec<String> = item
            .figures
            .iter()
            .map(|(n, v)| format!("{n} {}", count(*v)))
            .collect();
        let mut row = vec![
            Cell::new(&item.name),
            item.verdict
                .map_or_else(|| Cell::new(""), |v| verdict_cell(v, style)),
            Cell::new(&item.text),
            Cell::new(figures.join(", ")),
            Cell::new(item.seconds.map(duration).unwrap_or_default()),
        ];
        let opinion = item.opinion.as_ref().map_or("", |opinion| &opinion.text);
        row.extend(is_second.then(|| Cell::new(opinion)));
        table.add_row(row);
    }
    format!("{table}\n")
}

/// All findings of a study: what was established, and a row for each claim.
#[must_use]
pub fn overview(findings: &[Finding], style: Style) -> String {
    let overview = overview::overview(findings);
    let stages = overview.stages();
    let mut table = plain_table(style);
    table.set_header(
        [""].into_iter()
            .chain(stages.iter().map(|stage| stage.word())),
    );
    for subject in &overview.subjects {
        let name = Cell::new(&subject.name);
        let mut row = vec![match style.color {
            true => name.add_attribute(Attribute::Bold),
            false => name,
        }];
        row.extend(
            stages
                .iter()
                .map(|s| Cell::new(subject.looked[*s as usize].join("\n"))),
        );
        table.add_row(row);
        for claim in &subject.claims {
            let mut row = vec![Cell::new(format!("  {}", claim.name))];
            row.extend(
                stages
                    .iter()
                    .map(|stage| match claim.verdicts[*stage as usize] {
                        Some(verdict) => verdict_cell(verdict, style),
                        None => Cell::new(""),
                    }),
            );
            table.add_row(row);
        }
    }
    let mut out = String::new();
    for sentence in &overview.sentences {
        push_wrapped(&mut out, "", &paint(sentence, "1", style), style);
    }
    push_line(&mut out, &table.to_string());
    for line in overview.beside.iter().chain(&overview.open) {
        push_wrapped(&mut out, "", line, style);
    }
    out
}
