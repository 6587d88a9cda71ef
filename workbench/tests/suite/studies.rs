//! Every case study comes to what its `ioa.toml` expects.

use std::process::Command;

use session::finding;

#[test]
fn every_case_study_comes_to_what_it_expects() {
    let studies = crate::common::studies();
    assert!(!studies.is_empty(), "no case study was found");
    for folder in studies {
        let study = crate::common::load(&folder);
        let findings = crate::common::verify(&study);
        let status = finding::status(&findings, &study.manifest.expect);
        assert_eq!(
            status,
            finding::Status::Holds,
            "{}",
            crate::common::summary(&findings)
        );
    }
}

#[test]
fn no_case_study_is_warned_about() {
    for folder in crate::common::studies() {
        let output = Command::new(env!("CARGO_BIN_EXE_ioa"))
            .args(["check", "--deep"])
            .arg(&folder)
            .output()
            .expect("ioa runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{folder:?}");
        let found = String::from_utf8_lossy(&output.stdout);
        assert!(!found.contains("not inspected"), "{found}");
    }
}

#[test]
fn every_case_study_is_laid_out_as_the_formatter_does() {
    for folder in crate::common::studies() {
        let output = Command::new(env!("CARGO_BIN_EXE_ioa"))
            .args(["fmt", "--check"])
            .arg(&folder)
            .output()
            .expect("ioa runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{folder:?}: {said}");
    }
}
