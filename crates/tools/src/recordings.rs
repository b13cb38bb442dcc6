//! What monitors wrote down about devices, all turned into one [`Recording`]: our own files, the
//! text and JSON of iostat, sar and sadf, vmstat, exports of CloudWatch, Azure Monitor and
//! Windows' Performance Monitor.

mod azure_monitor;
mod cloudwatch;
mod columns;
mod instants;
mod iostat;
mod own;
mod perfmon;
mod readings;
mod sadf;
mod sar;
mod table;
mod vmstat;
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
        return own::read(&source);
    }
    if let Some(form) = FORMS.iter().find(|form| (form.is)(&source)) {
        return (form.read)(&source);
    }
    let first = text.lines().next().unwrap_or_default();
    let refusal = source.refuse(first, "this is no recording of devices");
    let remedy = "give a file of `fathom watch --record`, or the text of `iostat -x` or `sar -d`; \
                  docs/need.md lists what else is read";
    Err(Box::new(refusal.with(remedy)))
}

/// A form in which others write.
struct Form {
    is: fn(&Text) -> bool,
    read: fn(&Text) -> Result<Recording, Box<Diagnostic>>,
}

/// Those with the clearest marks first.
const FORMS: [Form; 9] = [
    Form {
        is: |source| sadf::is_json(&source.text),
        read: sadf::read_json,
    },
    Form {
        is: |source| cloudwatch::is_json(&source.text),
        read: cloudwatch::read_json,
    },
    Form {
        is: sadf::is_lines,
        read: sadf::read_lines,
    },
    Form {
        is: perfmon::is_csv,
        read: perfmon::read,
    },
    Form {
        is: cloudwatch::is_csv,
        read: cloudwatch::read_csv,
    },
    Form {
        is: azure_monitor::is_csv,
        read: azure_monitor::read,
    },
    Form {
        is: |source| vmstat::is_vmstat(&source.text),
        read: vmstat::read,
    },
    Form {
        is: |source| iostat::is_iostat(&source.text),
        read: iostat::read,
    },
    Form {
        is: |source| sar::is_sar(&source.text),
        read: sar::read,
    },
];
