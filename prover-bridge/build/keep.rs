//! Keeping the solver's library where an installed `ioa` finds it after the checkout is gone.
//!
//! `cargo install` copies the program alone. The library therefore lies in a folder of the user's as well, which the
//! program is told about when it is linked.

use std::env;
use std::path::{Path, PathBuf};

use crate::link_into;

/// The folder of this version of the library among the data of the user, where the platform has such a folder.
fn folder(version: &str) -> Option<PathBuf> {
    let data = match env::var("CARGO_CFG_TARGET_FAMILY").ok()?.as_str() {
        "unix" => absolute("XDG_DATA_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))?,
        _ => absolute("LOCALAPPDATA")?,
    };
    Some(data.join("ioa").join(version))
}

/// A folder that the environment names, unless it is relative: a build has no place of its own to start from.
fn absolute(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(name)?);
    path.is_absolute().then_some(path)
}

/// Puts the library into the user's folder, if this is a build that could be installed, and tells which folder that is.
/// Where the folder cannot be written the program still works beside its library and within the checkout.
pub(crate) fn keep(library: &Path, version: &str) -> Option<PathBuf> {
    if env::var("PROFILE").is_ok_and(|profile| profile != "release") {
        return None;
    }
    let folder = folder(version)?;
    let kept = std::fs::create_dir_all(&folder)
        .map_err(|e| format!("cannot create {}: {e}", folder.display()))
        .and_then(|()| link_into(library, &folder));
    match kept {
        Ok(()) => Some(folder),
        Err(why) => {
            println!(
                "cargo:warning=an installed ioa will need this checkout for its solver: {why}"
            );
            None
        }
    }
}
