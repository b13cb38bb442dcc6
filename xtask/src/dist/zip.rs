//! A ZIP archive of a few files, deflated, with the same bytes every time (APPNOTE 6.3, without its
//! extensions for files of 4 GiB).

use std::io::Write as _;

use anyhow::{Context, Result};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// What an unpacker has to know: deflate, of version 2.0.
const VERSION: u16 = 20;
const DEFLATE: u16 = 8;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// The first day that the format knows, 1 January 1980: bits for year, month and day.
const DATE: u16 = 1 << 5 | 1;

/// Packs files by their names.
pub(super) fn of(files: &[(&str, &[u8])]) -> Result<Vec<u8>> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes)?;
        let packed = encoder.finish()?;
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut facts = Vec::new();
        for half in [VERSION, FLAGS, DEFLATE, 0, DATE] {
            facts.extend(half.to_le_bytes());
        }
        facts.extend(crc.sum().to_le_bytes());
        facts.extend(size(packed.len())?);
        facts.extend(size(bytes.len())?);
        facts.extend(u16::try_from(name.len())?.to_le_bytes());
        facts.extend([0; 2]);
        let at = size(archive.len())?;
        archive.extend(b"PK\x03\x04");
        archive.extend(&facts);
        archive.extend(name.as_bytes());
        archive.extend(packed);
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION.to_le_bytes());
        directory.extend(facts);
        // Comment, disk, attributes.
        directory.extend([0; 10]);
        directory.extend(at);
        directory.extend(name.as_bytes());
    }
    let (start, bytes) = (size(archive.len())?, size(directory.len())?);
    let count = u16::try_from(files.len())?.to_le_bytes();
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count.repeat(2));
    archive.extend(bytes);
    archive.extend(start);
    archive.extend([0; 2]);
    Ok(archive)
}

fn size(bytes: usize) -> Result<[u8; 4]> {
    let bytes = u32::try_from(bytes).context("a ZIP archive ends at 4 GiB")?;
    Ok(bytes.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn another_program_reads_what_was_packed() {
        let text = "text ".repeat(1000);
        let files = [("a/first.txt", text.as_bytes()), ("second", b"".as_slice())];
        let bytes = of(&files).unwrap();
        assert_eq!(of(&files).unwrap(), bytes);
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let script = "import sys, zipfile\n\
                      z = zipfile.ZipFile(sys.argv[1])\n\
                      assert z.testzip() is None\n\
                      for i in z.infolist(): print(i.filename, i.file_size, i.date_time[:3])\n";
        let told = Command::new("python3")
            .args(["-c", script])
            .arg(file.path())
            .output();
        let Ok(told) = told else {
            return;
        };
        let expected = "a/first.txt 5000 (1980, 1, 1)\nsecond 0 (1980, 1, 1)\n";
        assert_eq!(String::from_utf8_lossy(&told.stdout), expected);
    }
}
