//! The `ioa` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    workbench::cli::main()
}
