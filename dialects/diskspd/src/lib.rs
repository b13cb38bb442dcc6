//! DISKSPD 2.2: its command line and its XML profiles.
//!
//! An input goes through three steps: the words or elements are read to a [`Profile`], with
//! DISKSPD's own verdict on each; what they contradict is found; and the profile is translated,
//! with a note for whatever is not as DISKSPD does it. [`ROWS`] is the list of all options.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod argv;
mod beside;
mod call;
mod check;
mod coverage;
mod effective;
pub(crate) mod import;
mod input;
pub mod layout;
mod number;
mod options;
mod processor_group;
pub mod profile;
mod program;
mod source;
mod tracing;
mod translation;
pub(crate) mod write;
pub mod xml;

pub use coverage::{counts, coverage, usage};
pub use input::{Input, detect, read, read_profile, translate, translate_words, wants_help};
pub use number::display_size;
pub use options::{OptionForm, ROWS};
pub use profile::Profile;
pub use program::PROGRAM;
