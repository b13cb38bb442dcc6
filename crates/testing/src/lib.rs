//! What the tests of several crates share.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod skip;

pub use skip::skip;
