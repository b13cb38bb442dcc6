//! Results that other programs have written, as Fathom's own result type.
//!
//! [`RESULT_FORMS`] is the table of all forms, one file each. Only what a source says is taken;
//! of the fields that cannot be left out, those it says nothing about are listed by their names in
//! [`Origin::Imported`](fathom_core::result::Origin). The latency of fio (`clat`) and that of
//! DISKSPD are service times, issue to completion; nothing becomes a response time.
//! `docs/import.md` says what is taken from where.

mod diskspd_load;
mod diskspd_text;
mod diskspd_xml;
mod draft;
mod encoding;
mod fio_json;
mod fio_log;
mod fio_options;
mod form;
mod instant;
mod place;

pub use encoding::decode;
pub use form::{Import, Parse, RESULT_FORMS, ResultFile, ResultForm, detect, read};
