//! Finding Z3: in a folder that the user names, or in the pinned wheel, fetched on first use.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The wheel whose headers equal the pinned bindings.
const WHEEL: &str = "z3-solver==5.3.3.0";
/// The name of a folder that holds this version and no other.
pub(crate) const FOLDER: &str = "z3-solver-5.3.3.0";

/// Where the parts of a Z3 are.
pub(crate) struct Solver {
    /// The shared library.
    pub(crate) library: PathBuf,
    /// The stand-alone program, where there is one.
    pub(crate) program: Option<PathBuf>,
}

/// The library in a folder that the user names, with the program beside it or in the `bin` next to it.
pub(crate) fn given(dir: &Path, library: &str) -> Result<Solver, String> {
    let path = dir.join(library);
    if !path.is_file() {
        return Err(format!(
            "IOA_Z3_DIR is {}, where there is no {library}.\n\
             Name the folder that holds it (Z3 4.13.3 or later), or unset IOA_Z3_DIR to have the pinned one fetched.",
            dir.display()
        ));
    }
    let programs = [dir.join("z3"), dir.join("../bin/z3")];
    Ok(Solver {
        library: absolute(&path),
        program: programs.iter().find(|p| p.is_file()).map(|p| absolute(p)),
    })
}

/// The pinned wheel under `cache`, installed there if it is not yet.
pub(crate) fn pinned(cache: &Path, library: &str) -> Result<Solver, String> {
    let home = cache.join(FOLDER);
    if !home.is_dir() {
        install(cache, &home)?;
    }
    let path = home.join("z3/lib").join(library);
    if !path.is_file() {
        return Err(format!(
            "{} is not there though {} is: remove that folder and build again",
            path.display(),
            home.display()
        ));
    }
    let program = home.join("bin/z3");
    Ok(Solver {
        library: absolute(&path),
        program: program.is_file().then(|| absolute(&program)),
    })
}

/// Installs the wheel under a name of this process's own, then renames it: whatever stands under the final name is
/// complete, and of two builds at once the second finds the first one's result.
fn install(cache: &Path, home: &Path) -> Result<(), String> {
    let mut temporary = OsString::from(home);
    temporary.push(format!(".partial-{}", std::process::id()));
    let temporary = PathBuf::from(temporary);
    fs::create_dir_all(cache).map_err(|e| format!("cannot create {}: {e}", cache.display()))?;
    let installed = pip_install(&temporary).and_then(|()| {
        fs::rename(&temporary, home).or_else(|e| {
            if home.is_dir() {
                return Ok(());
            }
            Err(format!("cannot move Z3 to {}: {e}", home.display()))
        })
    });
    // After a rename there is nothing left to remove, and after a failure what remains is of no use.
    let _ = fs::remove_dir_all(&temporary);
    installed
}

fn pip_install(target: &Path) -> Result<(), String> {
    let output = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-input"])
        .args([
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary",
            ":all:",
        ])
        .arg("--target")
        .arg(target)
        .arg(WHEEL)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| explain(&format!("python3 could not be run ({e})")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(explain(&format!("python3 -m pip failed:\n{}", said.trim())))
}

fn explain(what: &str) -> String {
    format!(
        "Z3 is needed and could not be fetched: {what}\n\n\
         Z3 comes from the Python package {WHEEL}, fetched once by\n    \
             python3 -m pip install --no-deps --only-binary :all: --target DIR {WHEEL}\n\
         Do one of these and build again:\n  \
           - install python3 with pip (Debian: apt install python3-pip) and connect to the network once;\n  \
           - or point IOA_Z3_DIR at a folder that holds libz3 (Z3 4.13.3 or later)."
    )
}

/// The path with its folder made absolute; the file's own name stays, since a loader looks for it.
fn absolute(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(|p| p.canonicalize().ok());
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}
