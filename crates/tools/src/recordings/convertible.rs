//! Recordings that are not text: each is refused by its name, with the command that converts it.

use fathom_core::rows;

/// A form, how it begins or what its name ends in, and the way out.
struct KnownFile {
    begin: &'static [u8],
    ending: &'static str,
    what: &'static str,
    remedy: &'static str,
}

impl KnownFile {
    const fn new(
        begin: &'static [u8],
        ending: &'static str,
        what: &'static str,
        remedy: &'static str,
    ) -> Self {
        Self {
            begin,
            ending,
            what,
            remedy,
        }
    }
}

static FORMS: &[KnownFile] = rows! { KnownFile;
    new(b"", ".blg", "a binary log of Performance Monitor",
        "convert it on Windows: relog FILE.blg -f CSV -o FILE.csv");
    new(b"", ".etl", "a trace of Windows",
        "record counters: typeperf -si 10 -o FILE.csv \"\\PhysicalDisk(*)\\*\"");
    new(b"\x96\xd5", "", "a daily file of sar",
        "convert it where it was recorded: sadf -d FILE -- -d > FILE.csv");
    new(b"\xd5\x96", "", "a daily file of sar, of a machine of another byte order",
        "convert it where it was recorded: sadf -d FILE -- -d > FILE.csv");
    new(b"\xef\xbe\xed\xfe", "", "a raw log of atop", "convert it: atop -r FILE -P DSK > FILE.txt");
    new(b"", ".raw", "a raw file of collectl", "convert it: collectl -p FILE -sD -P > FILE.txt");
    new(b"", ".raw.gz", "a raw file of collectl", "convert it: collectl -p FILE -sD -P > FILE.txt");
    new(b"PK\x03\x04", "", "an archive of zip, or a workbook of Excel",
        "unpack it, or save the sheet as CSV");
    new(b"\x28\xb5\x2f\xfd", "", "packed with zstd", "unpack it: zstd -dc FILE | fathom need -");
    new(b"\xfd7zXZ\0", "", "packed with xz", "unpack it: xz -dc FILE | fathom need -");
    new(b"BZh", "", "packed with bzip2", "unpack it: bzip2 -dc FILE | fathom need -");
};

/// What a file is, and what to do with it.
pub(super) type KindAndRemedy = Option<(&'static str, &'static str)>;

/// What a file is by its first bytes.
pub(super) fn by_begin(begin: &[u8]) -> KindAndRemedy {
    let mut forms = FORMS.iter().filter(|form| !form.begin.is_empty());
    let form = forms.find(|form| begin.starts_with(form.begin))?;
    Some((form.what, form.remedy))
}

/// What a file is by its name.
pub(super) fn by_name(file: &str) -> KindAndRemedy {
    let file = file.to_ascii_lowercase();
    let mut forms = FORMS.iter().filter(|form| !form.ending.is_empty());
    let form = forms.find(|form| file.ends_with(form.ending))?;
    Some((form.what, form.remedy))
}
