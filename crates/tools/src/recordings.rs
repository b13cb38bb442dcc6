//! What monitors wrote down about devices: our own files, the text of iostat and of sar, all
//! turned into one [`Recording`].

mod columns;
mod iostat;
mod own;
mod sar;
mod words;

use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use words::Text;

/// Reads a recording, whoever made it; `file` names it in errors.
///
/// # Errors
///
/// A text that is no recording of any kind, or the first line of one that cannot be understood.
pub fn read(text: &str, file: &str) -> Result<Recording, Box<Diagnostic>> {
    let source = Text::new(text, file);
    if own::is_own(text) {
        own::read(&source)
    } else if iostat::is_iostat(text) {
        iostat::read(&source)
    } else if sar::is_sar(text) {
        sar::read(&source)
    } else {
        let first = text.lines().next().unwrap_or_default();
        let refusal = source.refuse(first, "this is no recording of devices");
        let remedy =
            "give a file of `fathom watch --record`, or the text of `iostat -x` or `sar -d`";
        Err(Box::new(refusal.with(remedy)))
    }
}
