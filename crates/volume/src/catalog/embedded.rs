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
    paths()
        .zip(texts())
        .map(|(path, text)| CatalogFile { path, text })
}

/// The texts of all files, unpacked once.
fn texts() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let mut packed = DeflateDecoder::new(PACKED);
        let text = |(path, bytes): &(&str, usize)| {
            let mut text = String::with_capacity(*bytes);
            let mut own = packed.by_ref().take(*bytes as u64);
            own.read_to_string(&mut text).expect("the build packed it");
            if path.ends_with("machine_prices.csv") {
                unfolded(&text)
            } else {
                text
            }
        };
        LIST.iter().map(text).collect()
    })
}

/// The rows of a matrix that `folded` in `build.rs` made, in blocks of one region and one tail.
fn unfolded(folded: &str) -> String {
    let mut lines = folded.lines();
    let counts = lines.next().unwrap_or_default().split(' ');
    let mut counts = counts.map(|count| count.parse().expect("the build wrote a number"));
    let mut next = || counts.next().unwrap_or(0);
    let (regions, tails, names) = (next(), next(), next());
    let mut take = |count: usize| lines.by_ref().take(count).collect::<Vec<_>>();
    let (regions, tails, names, marks) = (take(regions), take(tails), take(names), take(names));
    let mut blocks = vec![String::new(); regions.len() * tails.len()];
    for (name, marks) in names.iter().zip(marks) {
        let known = marks.bytes().enumerate().filter(|(_, mark)| *mark != b'.');
        for (region, mark) in known {
            let tail = usize::from(mark - b'A');
            let block = &mut blocks[region * tails.len() + tail];
            let is_first = block.is_empty();
            let price = lines.next().unwrap_or_default();
            let parts = [name, ",", price, ",", regions[region], ",", tails[tail]];
            for part in &parts[..if is_first { 7 } else { 3 }] {
                *block += part;
            }
            *block += "\n";
        }
    }
    let heads = "name,hour,region,currency,as_of,source,confidence\n";
    [
        heads,
        &blocks.concat(),
        &lines.collect::<Vec<_>>().join("\n"),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::machine_prices::every_row;

    /// The files of the folder as they are.
    macro_rules! text {
        ($cloud:literal) => {
            include_str!(concat!(
                "../../../../catalog/",
                $cloud,
                "/machine_prices.csv"
            ))
        };
    }

    #[test]
    fn a_matrix_of_prices_has_every_row_of_its_file() {
        let mut seen = 0;
        let texts = [text!("aws"), text!("azure"), text!("gcp")];
        let packed = files().filter(|file| file.path.ends_with("machine_prices.csv"));
        for (text, file) in texts.into_iter().zip(packed) {
            let (own, packed) = (every_row(text), every_row(file.text));
            assert_eq!(own, packed, "{}", file.path);
            seen += own.len();
        }
        assert_eq!(seen, 87_580);
    }
}
