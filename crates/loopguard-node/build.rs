//! Tells the linker that Node itself brings the symbols of its interface.

fn main() {
    napi_build::setup();
}
