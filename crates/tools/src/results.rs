//! Results that other programs have written, as Fathom's own result type.
//!
//! The crate of each program has a file for each of its formats. Only what a source says is taken;
//! of the fields that cannot be left out, those it says nothing about are listed by their names in
//! [`Origin::Imported`](fathom_core::result::Origin). A latency from issue to completion is a
//! service time, and nothing becomes a response time. `docs/import.md` says what is taken from
//! where.

pub mod draft;
pub(crate) mod encoding;
pub mod format;
pub mod instant;
pub mod place;

pub use encoding::decode;
pub use format::{Import, Parse, ResultFile, ResultFormat};
