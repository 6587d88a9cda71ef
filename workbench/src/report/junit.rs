//! Findings as JUnit XML, for build servers: a test case for each.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use session::finding::{self, Finding, Status, Verdict};
use session::study::Remark;

use super::terminal::{self, Style};

/// How counterexamples are written: in full, for nobody can ask a build server for more.
const PLAIN: Style = Style {
    color: false,
    width: None,
    full: true,
    all: true,
};

/// What is wrong with the texts, and the findings of a command about a study, given what they were expected to come to. Where
/// there is neither, that the texts are right is a case, since a suite without cases says nothing.
///
/// # Errors
/// Why there is no such document.
pub fn render(
    study: &str,
    remarks: &[Remark],
    findings: &[Finding],
    expect: &BTreeMap<String, Verdict>,
) -> Result<String, String> {
    let mut suite = TestSuite::new(study);
    let mistakes = remarks.iter().filter(|remark| remark.severity == "error");
    suite.add_test_cases(mistakes.map(mistake));
    suite.add_test_cases(
        findings
            .iter()
            .map(|finding| case(finding, findings, expect)),
    );
    if suite.test_cases.is_empty() {
        suite.add_test_case(TestCase::new(
            "the texts are right",
            TestCaseStatus::success(),
        ));
    }
    let mut report = Report::new("ioa");
    report.add_test_suite(suite);
    report.to_string().map_err(|e| e.to_string())
}

/// A mistake in a text, or in what was asked.
fn mistake(remark: &Remark) -> TestCase {
    let place = [remark.line, remark.column].into_iter().flatten();
    let place: String = place.map(|number| format!(":{number}")).collect();
    let file = remark.file.as_deref().unwrap_or("input");
    let mut failed = TestCaseStatus::non_success(NonSuccessKind::Error);
    failed.set_type(remark.code.unwrap_or("input"));
    failed.set_message(&*remark.message);
    failed.set_description(remark.help.join("\n"));
    TestCase::new(format!("{file}{place}"), failed)
}

fn case(finding: &Finding, all: &[Finding], expect: &BTreeMap<String, Verdict>) -> TestCase {
    let mut case = TestCase::new(name(finding), status(finding, all, expect));
    case.set_classname(&*finding.automaton);
    if let Some(seconds) = finding.seconds {
        case.set_time(Duration::from_secs_f64(seconds.max(0.0)));
    }
    case.set_system_out(format!("{}: {}", finding.verdict.word(), finding.summary));
    case
}

/// What was asked, by which means, and at which sizes.
fn name(finding: &Finding) -> String {
    let scope = finding.scope.words();
    let by = finding.stage.map_or("", |stage| stage.word());
    let how = [by, &scope].into_iter().filter(|part| !part.is_empty());
    let how: Vec<&str> = how.collect();
    match how[..] {
        [] => format!("{} {}", finding.kind.word(), finding.name),
        _ => format!(
            "{} {} ({})",
            finding.kind.word(),
            finding.name,
            how.join(", ")
        ),
    }
}

/// A case fails if its verdict is not the one that is wanted: that it holds, or what the study expects of its name.
fn status(
    finding: &Finding,
    all: &[Finding],
    expect: &BTreeMap<String, Verdict>,
) -> TestCaseStatus {
    let kind = match finding::status_of(finding, all, expect) {
        Status::Holds => return TestCaseStatus::success(),
        Status::BadInput => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let mut failed = TestCaseStatus::non_success(kind);
    failed.set_type(finding.verdict.word());
    failed.set_message(&*finding.summary);
    failed.set_description(terminal::failures(std::slice::from_ref(finding), PLAIN));
    failed
}
