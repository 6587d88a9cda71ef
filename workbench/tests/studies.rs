//! Every case study comes to what its `ioa.toml` expects.

mod common;

use workbench::finding;

#[test]
fn every_case_study_comes_to_what_it_expects() {
    let studies = common::studies();
    assert!(!studies.is_empty(), "no case study was found");
    for folder in studies {
        let study = common::load(&folder);
        let findings = common::verify(&study);
        let status = finding::status(&findings, &study.manifest.expect);
        assert_eq!(
            status,
            finding::Status::Holds,
            "{}",
            common::summary(&findings)
        );
    }
}
