//! What lies on devices and in files.

use std::path::Path;

use anyhow::Result;

use crate::siege::lab::devices::on;
use crate::siege::random::Random;

pub(crate) const KIB: usize = 1024;
pub(crate) const MIB: usize = 1024 * KIB;

/// Size of most devices that are attacked.
pub(crate) const DEVICE: usize = 8 * MIB;

/// Bytes of which no page is like another; most of each repeats, which costs less to make.
pub(crate) fn noise(seed: u64, length: usize) -> Vec<u8> {
    let piece = Random::new(seed).bytes(64 * KIB);
    let mut bytes = piece.repeat(length.div_ceil(piece.len()));
    bytes.truncate(length);
    for (number, page) in bytes.chunks_exact_mut(4 * KIB).enumerate() {
        page[..8].copy_from_slice(&(number as u64 ^ seed).to_le_bytes());
    }
    bytes
}

/// The image that a program of the system makes, as far as it reaches on one of our devices.
pub(crate) fn image(folder: &Path, line: &str, size_bytes: usize) -> Result<Vec<u8>> {
    let path = folder.join("image");
    std::fs::File::create(&path)?.set_len(size_bytes as u64)?;
    let made = on(line, &path);
    let bytes = made.and_then(|_| Ok(std::fs::read(&path)?));
    std::fs::remove_file(&path)?;
    let mut bytes = bytes?;
    bytes.truncate(DEVICE);
    Ok(bytes)
}

/// ext4 that does nothing by itself.
pub(crate) const EXT4: &str = "mkfs.ext4 -q -F -O ^has_journal -E lazy_itable_init=0,nodiscard";

/// A master boot record with one partition of Linux from 1 MiB on, which holds these bytes.
pub(crate) fn partitioned(inside: &[u8]) -> Vec<u8> {
    const START: usize = MIB;
    let mut disk = vec![0; START];
    disk.extend_from_slice(inside);
    let entry = &mut disk[446..462];
    entry[4] = 0x83;
    entry[8..12].copy_from_slice(&((START / 512) as u32).to_le_bytes());
    entry[12..16].copy_from_slice(&((inside.len() / 512) as u32).to_le_bytes());
    disk[510..512].copy_from_slice(&[0x55, 0xaa]);
    disk
}

/// A database of SQLite with one empty table, of a program with this number (0: none given).
pub(crate) fn database(application: u32) -> Vec<u8> {
    const PAGE: usize = 4096;
    let sql = b"CREATE TABLE notes(t)";
    let name = b"notes";
    let mut record = vec![6, 23, 23, 23, 1, (13 + 2 * sql.len()) as u8];
    record.extend_from_slice(b"table");
    record.extend_from_slice(name);
    record.extend_from_slice(name);
    record.push(2);
    record.extend_from_slice(sql);
    let mut cell = vec![record.len() as u8, 1];
    cell.extend_from_slice(&record);

    let mut pages = vec![0; 2 * PAGE];
    pages[..16].copy_from_slice(b"SQLite format 3\0");
    pages[16..18].copy_from_slice(&(PAGE as u16).to_be_bytes());
    pages[18..24].copy_from_slice(&[1, 1, 0, 64, 32, 32]);
    let mut number = |at: usize, value: u32| {
        pages[at..at + 4].copy_from_slice(&value.to_be_bytes());
    };
    number(24, 1); // changes
    number(28, 2); // pages
    number(40, 1); // version of the schema
    number(44, 4); // its format
    number(56, 1); // UTF-8
    number(68, application);
    number(92, 1);
    number(96, 3_040_000);
    let at = PAGE - cell.len();
    pages[100] = 13; // a leaf of a table
    pages[103..105].copy_from_slice(&1_u16.to_be_bytes());
    pages[105..107].copy_from_slice(&(at as u16).to_be_bytes());
    pages[108..110].copy_from_slice(&(at as u16).to_be_bytes());
    pages[at..PAGE].copy_from_slice(&cell);
    pages[PAGE] = 13;
    pages[PAGE + 5..PAGE + 7].copy_from_slice(&(PAGE as u16).to_be_bytes());
    pages
}
