//! Gives the WebAssembly module a stack as large as that of a native program: the default of 1 MiB is too small for
//! deeply nested programs. And it leaves names out.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=16777216");
        // The names of functions are a tenth of what is downloaded, and the profile's `strip` leaves them in.
        println!("cargo::rustc-link-arg-cdylib=--strip-all");
    }
}
