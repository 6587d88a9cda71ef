//! Tells the loader where an `ioa` finds the solver's library: beside itself, where an installed one is kept, or where it
//! was fetched.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix") {
        let apple = env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple");
        search(if apple { "@loader_path" } else { "$ORIGIN" });
        for folder in ["DEP_IOA_Z3_KEPT_DIR", "DEP_IOA_Z3_LIB_DIR"] {
            if let Ok(folder) = env::var(folder) {
                search(&folder);
            }
        }
    }
}

/// Adds a folder to those in which the loader looks; it takes the first that has the library.
fn search(folder: &str) {
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{folder}");
}
