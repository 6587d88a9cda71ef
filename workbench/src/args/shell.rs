//! The commands that make `ioa` at home in a shell.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// `ioa completions`
#[derive(Args, Clone, Debug)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `ioa man`
#[derive(Args, Clone, Debug)]
pub struct ManArgs {
    /// The folder to write into; it is made if it is not there.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}
