//! A panic on purpose.

use napi_derive::napi;

/// Panics, and so shows what becomes of a panic.
#[napi(catch_unwind)]
pub(crate) fn panic_on_purpose() {
    panic!("it was asked for");
}
