//! The commands about whole studies.

use std::path::PathBuf;

use clap::Args;

use super::{Common, LengthArgs, TimeArgs};

/// `ioa verify`
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// The folder for the report (report.html and report.json).
    #[arg(long, value_name = "FOLDER", default_value = "ioa-report")]
    pub report: PathBuf,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

/// `ioa new`
#[derive(Args, Clone, Debug)]
pub struct NewArgs {
    /// The folder to make; the study is called as it is.
    #[arg(value_name = "NAME")]
    pub folder: PathBuf,
    /// Print one JSON document and nothing else.
    #[arg(long)]
    pub json: bool,
}
