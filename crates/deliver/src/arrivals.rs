//! What others have delivered, on the side that collects: files out of folders, archives and
//! mailboxes, whatever of them holds a result.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::{Message, MessageParser, MimeHeaders as _};

/// Bytes that an archive is unpacked to at most; a result of days has some 100 MB.
const LARGEST_BYTES: u64 = 1 << 30;
/// Of a packed one, this multiple of its length, or this number of bytes if that is more.
const MOST_TIMES: u64 = 200;
const FREE_BYTES: u64 = 64 << 20;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Where it comes from, as `mbox, mail 3: run.json`.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// All files below a folder, in the order of their names. Links are not followed, so that no file
/// is read twice and none from elsewhere.
///
/// # Errors
///
/// Of the system, with the path.
pub fn folder(path: &Path) -> io::Result<Vec<PathBuf>> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let entries = fs::read_dir(path).map_err(named)?;
    let mut entries: Vec<fs::DirEntry> = entries.collect::<io::Result<_>>().map_err(named)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        let kind = entry.file_type().map_err(named)?;
        if kind.is_dir() {
            found.extend(folder(&entry.path())?);
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The files in an archive of tar, packed or not, or in a mail or mailbox; none where the bytes are
/// neither.
///
/// # Errors
///
/// Of an archive that is damaged or cut, or of a file in it that is too large.
pub fn arrived(name: &str, bytes: &[u8]) -> io::Result<Option<Vec<Arrived>>> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut head = Vec::new();
        // What cannot be unpacked is none of ours, and whoever reads results says so.
        let read = GzDecoder::new(bytes).take(512).read_to_end(&mut head);
        return match read {
            Ok(_) if is_tar(&head) => {
                archive(name, GzDecoder::new(bytes), packed_most(bytes)).map(Some)
            }
            _ => Ok(None),
        };
    }
    if is_tar(bytes) {
        return archive(name, bytes, LARGEST_BYTES).map(Some);
    }
    if bytes.starts_with(b"From ") {
        let mails = MessageIterator::new(bytes).enumerate();
        let mut found = Vec::new();
        for (index, mail) in mails {
            let mail = mail.map_err(|error| io::Error::other(format!("{error:?}")))?;
            let name = format!("{name}, mail {}", index + 1);
            found.extend(
                MessageParser::default()
                    .parse(mail.contents())
                    .iter()
                    .flat_map(|mail| attached(&name, mail)),
            );
        }
        return Ok(Some(found));
    }
    Ok(mail(bytes).map(|mail| attached(name, &mail)))
}

/// By the mark that all of its forms since 1988 carry.
fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// What an archive may unpack to: results are text, of which gzip makes a tenth to a fiftieth.
fn packed_most(bytes: &[u8]) -> u64 {
    let most = (bytes.len() as u64).saturating_mul(MOST_TIMES);
    most.clamp(FREE_BYTES, LARGEST_BYTES)
}

fn archive(name: &str, bytes: impl Read, most: u64) -> io::Result<Vec<Arrived>> {
    let mut found = Vec::new();
    // Also what stands between the files, as names of any length.
    let mut rest = bytes.take(most);
    for entry in tar::Archive::new(&mut rest).entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path()?.display().to_string();
        let name = format!("{name}, {path}");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        found.push(Arrived { name, bytes });
    }
    if rest.limit() == 0 {
        let most = most >> 20;
        return Err(io::Error::other(format!(
            "it unpacks to more than {most} MiB"
        )));
    }
    Ok(found)
}

/// A single mail: text that begins with the lines that every mail has.
fn mail(bytes: &[u8]) -> Option<Message<'_>> {
    let is_header = |line: &[u8]| {
        let colon = line.iter().position(|byte| *byte == b':');
        colon.is_some_and(|colon| {
            let name = &line[..colon];
            colon > 0
                && name
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        })
    };
    let first = bytes.split(|byte| *byte == b'\n').next()?;
    if !is_header(first) {
        return None;
    }
    let mail = MessageParser::default().parse(bytes)?;
    mail.from().and(mail.date()).is_some().then_some(mail)
}

fn attached(name: &str, mail: &Message<'_>) -> Vec<Arrived> {
    let parts = mail.attachments();
    let named = parts.map(|part| Arrived {
        name: format!(
            "{name}: {}",
            part.attachment_name().unwrap_or("an attachment")
        ),
        bytes: part.contents().to_vec(),
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    fn archived() -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, content) in [("in/a.json", "{}"), ("in/b.html", "<p>")] {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            builder
                .append_data(&mut header, path, content.as_bytes())
                .expect("memory");
        }
        builder.into_inner().expect("memory")
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    const MAIL: &str = "From: lab@example.com\nTo: storage@example.com\n\
        Date: Sun, 22 Nov 2026 19:00:00 +0000\nSubject: fathom\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=\"x\"\n\n--x\nContent-Type: text/plain\n\n\
        From here\n\
        --x\nContent-Type: application/json\nContent-Disposition: attachment; filename=\"a.json\"\n\
        Content-Transfer-Encoding: base64\n\ne30K\n--x--\n";

    fn found(bytes: &[u8]) -> Option<Vec<(String, String)>> {
        let found = arrived("it", bytes).expect("whole");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let pair = |one: Arrived| (one.name, text(&one.bytes));
        found.map(|found| found.into_iter().map(pair).collect())
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(name, bytes): &(&str, &str)| ((*name).to_owned(), (*bytes).to_owned());
        pairs.iter().map(owned).collect()
    }

    #[test]
    fn files_come_out_of_archives_and_mails() {
        let in_archive = Some(pairs(&[("it, in/a.json", "{}"), ("it, in/b.html", "<p>")]));
        assert_eq!(found(&archived()), in_archive);
        assert_eq!(found(&packed(&archived())), in_archive);
        assert_eq!(
            found(MAIL.as_bytes()),
            Some(pairs(&[("it: a.json", "{}\n")]))
        );
        let envelope = "From lab@example.com Sun Nov 22 19:00:00 2026\n";
        let escaped = MAIL.replace("\nFrom here", "\n>From here");
        let mbox = format!("{envelope}{escaped}\n{envelope}{escaped}\n");
        let expected = [
            ("it, mail 1: a.json", "{}\n"),
            ("it, mail 2: a.json", "{}\n"),
        ];
        assert_eq!(found(mbox.as_bytes()), Some(pairs(&expected)));
    }

    #[test]
    fn what_is_neither_stays_what_it_is() {
        for bytes in [
            &b""[..],
            b"{\"a\": 1}",
            b"fio: a word\n{}",
            b"name: x\nno mail",
            &packed(b"{}"),
        ] {
            assert_eq!(found(bytes), None, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn an_archive_that_was_cut_is_said() {
        let whole = archived();
        arrived("it", &whole[..700]).expect_err("it was cut");
        let whole = packed(&whole);
        arrived("it", &whole[..whole.len() - 20]).expect_err("it was cut");
    }

    #[test]
    fn a_folder_is_read_in_order_without_its_links() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("b")).expect("made");
        for name in ["c.json", "b/z.json", "a.json"] {
            fs::write(path(name), "{}").expect("written");
        }
        fathom_platform::unix::fs::symlink(place.path(), path("b/loop")).expect("linked");
        let found = folder(place.path()).expect("readable");
        assert_eq!(found, [path("a.json"), path("b/z.json"), path("c.json")]);
    }
}
