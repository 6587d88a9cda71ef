//! Provides the solver: fetches the pinned Z3 once, and tells the linker and the dependants where it is.
//!
//! Z3 comes from Python's `z3-solver` wheel, which carries the shared library and the stand-alone program. It is put
//! into the ignored folder `.z3` of the workspace, once for all profiles and targets. Whoever has a library of their
//! own names its folder in `IOA_Z3_DIR`; nothing is fetched then.

#[path = "build/fetch.rs"]
mod fetch;
#[path = "build/keep.rs"]
mod keep;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;

use fetch::Solver;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build/fetch.rs");
    println!("cargo:rerun-if-changed=build/keep.rs");
    println!("cargo:rerun-if-env-changed=IOA_Z3_DIR");
    if let Err(message) = provide() {
        // Every line is marked, since Cargo shows the output of a failed script as it stands.
        eprintln!("\nerror: {message}\n");
        exit(1);
    }
}

fn provide() -> Result<(), String> {
    let manifest = variable("CARGO_MANIFEST_DIR")?;
    let root = Path::new(&manifest)
        .parent()
        .ok_or("the package is not inside a workspace")?;
    let solver = match env::var_os("IOA_Z3_DIR") {
        Some(dir) => fetch::given(Path::new(&dir), &library_name()?)?,
        None => fetch::pinned(&root.join(".z3"), &library_name()?)?,
    };
    // Cargo adds search folders inside the target folder to the loader's path when it runs programs, tests and
    // documentation tests; hence a link to the library in here rather than the wheel's own folder.
    let out = PathBuf::from(variable("OUT_DIR")?);
    link_into(&solver.library, &out)?;
    announce(&solver, &out);
    if env::var_os("IOA_Z3_DIR").is_none()
        && let Some(folder) = keep::keep(&solver.library, fetch::FOLDER)
    {
        println!("cargo:kept_dir={}", folder.display());
    }
    Ok(())
}

fn announce(solver: &Solver, out: &Path) {
    let folder = solver.library.parent().unwrap_or(out);
    println!("cargo:rerun-if-changed={}", solver.library.display());
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    println!("cargo:lib_dir={}", folder.display());
    if let Some(program) = &solver.program {
        println!("cargo:rustc-env=IOA_Z3_PROGRAM={}", program.display());
        println!("cargo:program={}", program.display());
    }
}

/// Hard-links (or, on another file system, copies) the library into `folder`, under each of its names: the linker asks
/// for `libz3.so`, the loader for the versioned name that the library bears inside.
fn link_into(library: &Path, folder: &Path) -> Result<(), String> {
    let home = library.parent().unwrap_or(folder);
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or("libz3").to_owned();
    let entries = fs::read_dir(home).map_err(|e| format!("cannot read {}: {e}", home.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(&stem) {
            replace(&entry.path(), &folder.join(name))?;
        }
    }
    Ok(())
}

fn replace(source: &Path, target: &Path) -> Result<(), String> {
    let failed = |e| {
        format!(
            "cannot put {} at {}: {e}",
            source.display(),
            target.display()
        )
    };
    if target.exists() {
        fs::remove_file(target).map_err(failed)?;
    }
    // A link to a symbolic link would be a symbolic link that leads nowhere.
    let source = source.canonicalize().map_err(failed)?;
    fs::hard_link(&source, target)
        .or_else(|_| fs::copy(&source, target).map(|_| ()))
        .map_err(failed)
}

fn library_name() -> Result<String, String> {
    Ok(match variable("CARGO_CFG_TARGET_OS")?.as_str() {
        "macos" => "libz3.dylib",
        "windows" => "libz3.lib",
        _ => "libz3.so",
    }
    .to_owned())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set; this script is run by Cargo"))
}
