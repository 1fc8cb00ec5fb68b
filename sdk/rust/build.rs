//! Keeps the version of the compiler, which is what a native program has for a runtime.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(compiler).arg("--version").output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    // `rustc 1.90.0 (1159e78c4 2025-09-14)`
    let version = said.unwrap_or_default();
    let version = version.split_whitespace().nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=WIRELAB_RUST_VERSION={version}");
}
