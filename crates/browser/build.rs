//! Formulas are walked by recursion: a module gets a stack that is as deep as that of the threads
//! elsewhere.

const STACK: usize = 64 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let family = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    if family.split(',').any(|one| one == "wasm") {
        println!("cargo::rustc-link-arg-bins=-zstack-size={STACK}");
    }
}
