//! Tells the loader where an installed `ioa` finds the solver's library: beside itself, or where it was fetched.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix") {
        let beside = match env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple")
        {
            true => "@loader_path",
            false => "$ORIGIN",
        };
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{beside}");
        if let Ok(folder) = env::var("DEP_IOA_Z3_LIB_DIR") {
            println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{folder}");
        }
    }
}
