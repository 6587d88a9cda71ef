//! The ioa binary.
fn main() {}
