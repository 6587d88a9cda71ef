//! Mistakes and violations as SARIF 2.1.0, the form in which code hosts show what an analysis found beside the source.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use session::finding::{self, Finding, Status, Verdict};
use session::study::Remark;

use super::defects::{defects, is_told_elsewhere, violation};

/// The document: what is wrong with the texts, and at the formula that is false each finding that does not come to what is
/// wanted: that it holds, or what the study expects of its name.
#[must_use]
pub fn render(
    remarks: &[Remark],
    findings: &[Finding],
    expect: &BTreeMap<String, Verdict>,
) -> String {
    let status = |finding| finding::status_of(finding, findings, expect);
    let defects = defects(findings);
    // Where several findings show one defect, the best of them is told.
    let is_best = |at| violation(at, &defects).is_none_or(|defect| defect.best() == at);
    let failed = findings.iter().enumerate().filter(|(at, finding)| {
        status(finding) != Status::Holds && !is_told_elsewhere(finding) && is_best(*at)
    });
    let failed = failed.map(|(_, finding)| of_finding(finding));
    let results = remarks.iter().map(of_remark).chain(failed);
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "ioa", "version": env!("CARGO_PKG_VERSION") } },
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<Value>>(),
        }],
    });
    format!("{document:#}\n")
}

fn of_remark(remark: &Remark) -> Value {
    let mut text = remark.message.clone();
    for help in &remark.help {
        text.push_str(&format!("\nhelp: {help}"));
    }
    let place = remark.file.as_deref().map(|file| {
        let position = remark.line.zip(remark.column);
        location(file, position)
    });
    json!({
        "ruleId": remark.code.unwrap_or("input"),
        "level": remark.severity,
        "message": { "text": text },
        "locations": place.into_iter().collect::<Vec<Value>>(),
    })
}

fn of_finding(finding: &Finding) -> Value {
    let stories = finding.stories.iter();
    let blame = stories.clone().flat_map(|story| &story.blame).next();
    let place = blame.and_then(|blame| placed(&blame.location));
    let headline = stories.map(|story| story.headline.as_str()).next();
    let mut text = headline.unwrap_or(&finding.summary).to_owned();
    if let Some(command) = &finding.replay {
        text.push_str(&format!("\nsee it again: {command}"));
    }
    let level = match finding.status() {
        Status::Violation | Status::BadInput => "error",
        _ => "warning",
    };
    json!({
        "ruleId": finding.verdict.word(),
        "level": level,
        "message": { "text": format!("{} {}: {text}", finding.kind.word(), finding.name) },
        "locations": place.into_iter().collect::<Vec<Value>>(),
    })
}

/// A place that is written as `file:line:column`.
fn placed(text: &str) -> Option<Value> {
    let mut parts = text.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(location(parts.next()?, Some((line, column))))
}

fn location(file: &str, position: Option<(usize, usize)>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": file.replace('\\', "/") } });
    if let Some((line, column)) = position {
        place["region"] = json!({ "startLine": line, "startColumn": column });
    }
    json!({ "physicalLocation": place })
}
