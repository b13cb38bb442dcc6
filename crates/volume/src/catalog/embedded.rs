//! The files of the folder `catalog/`, in the program: packed, as 2 MB of text are a tenth of it.

use super::CatalogFile;
use flate2::read::DeflateDecoder;
use std::io::Read as _;
use std::sync::OnceLock;

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/catalog.deflate"));
/// Their paths and bytes, in the order in which they are packed.
#[expect(clippy::unreadable_literal, reason = "a program wrote them")]
static LIST: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// The paths of all files, those first that others refer to.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    LIST.iter().map(|(path, _)| *path)
}

/// All files, those first that others refer to.
pub(super) fn files() -> impl Iterator<Item = CatalogFile<'static>> {
    let mut rest = text();
    LIST.iter().map(move |(path, bytes)| {
        let (text, after) = rest.split_at(*bytes);
        rest = after;
        CatalogFile { path, text }
    })
}

/// The texts of all files, unpacked once.
fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut text = String::with_capacity(LIST.iter().map(|(_, bytes)| bytes).sum());
        DeflateDecoder::new(PACKED)
            .read_to_string(&mut text)
            .expect("the build packed it");
        text
    })
}
