//! Packs the catalogue, a sixth of its size, into the program.

#![expect(
    clippy::disallowed_methods,
    reason = "it writes to the folder of the build alone, where nobody keeps anything"
)]

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

/// The files of the folder `catalog/`, those first that others refer to.
const FILES: [&str; 30] = [
    "sources.csv",
    "aws/volumes.csv",
    "aws/instances.csv",
    "aws/instance_store.csv",
    "aws/prices.csv",
    "aws/machine_prices.csv",
    "aws/terms.csv",
    "azure/volumes.csv",
    "azure/instances.csv",
    "azure/instance_store.csv",
    "azure/prices.csv",
    "azure/machine_prices.csv",
    "azure/series_disks.csv",
    "azure/terms.csv",
    "gcp/volumes.csv",
    "gcp/instances.csv",
    "gcp/disk_limits.csv",
    "gcp/series_disks.csv",
    "gcp/instance_store.csv",
    "gcp/prices.csv",
    "gcp/machine_prices.csv",
    "gcp/terms.csv",
    "rds/volumes.csv",
    "rds/instances.csv",
    "rds/prices.csv",
    "rds/machine_prices.csv",
    "oci/volumes.csv",
    "alibaba/volumes.csv",
    "local/volumes.csv",
    "local/links.csv",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../catalog");
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    let mut list = "&[".to_owned();
    for path in FILES {
        let file = folder.join(path);
        println!("cargo::rerun-if-changed={}", file.display());
        let mut text = fs::read_to_string(&file)?;
        if path.ends_with("machine_prices.csv") {
            text = folded(&text);
        }
        packed.write_all(text.as_bytes())?;
        write!(list, "({path:?}, {}), ", text.len())?;
    }
    fs::write(Path::new(&out).join("catalog.deflate"), packed.finish()?)?;
    fs::write(Path::new(&out).join("catalog.rs"), list + "]")?;
    Ok(())
}

/// A table of machine prices as a matrix, which packs to half the size of its rows.
///
/// The first line has the numbers of regions, tails (what follows the region in a row) and
/// machines, each of which is a line below. A line for each machine then has a letter for each
/// region: the tail of its price, `.` for no price. The prices follow, machine by machine, and last
/// the rows that the matrix has no cell for.
fn folded(text: &str) -> String {
    let mut tails: Vec<&str> = Vec::new();
    let mut prices: BTreeMap<&str, BTreeMap<&str, (usize, &str)>> = BTreeMap::new();
    let (mut region, mut tail) = ("", "");
    let mut rest = String::new();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    for row in rows.skip(1).filter(|line| !line.is_empty()) {
        let mut cells = row.splitn(4, ',');
        let mut next = || cells.next().unwrap_or_default();
        let (name, hour, place, after) = (next(), next(), next(), next());
        if !place.is_empty() {
            (region, tail) = (place, after);
        }
        let number = tails
            .iter()
            .position(|known| *known == tail)
            .unwrap_or_else(|| {
                tails.push(tail);
                tails.len() - 1
            });
        let known = prices.entry(name).or_default();
        if known.contains_key(region) || number > 24 {
            let _ = writeln!(rest, "{name},{hour},{region},{tail}");
        } else {
            known.insert(region, (number, hour));
        }
    }
    // Neighbours of similar prices share more digits: the machine that most regions have decides.
    let usual = prices
        .values()
        .max_by_key(|of| of.len())
        .cloned()
        .unwrap_or_default();
    let mut regions: Vec<&str> = prices.values().flat_map(|of| of.keys().copied()).collect();
    regions.sort_by_key(|region| (usual.get(region).map(|(_, hour)| *hour), *region));
    regions.dedup();
    let mut lines = vec![format!(
        "{} {} {}",
        regions.len(),
        tails.len(),
        prices.len()
    )];
    lines.extend(
        regions
            .iter()
            .chain(&tails)
            .chain(prices.keys())
            .map(ToString::to_string),
    );
    lines.extend(prices.values().map(|of| {
        let letter = |region| {
            of.get(region)
                .map_or('.', |(tail, _)| char::from(b'A' + *tail as u8))
        };
        regions.iter().map(letter).collect()
    }));
    for of in prices.values() {
        lines.extend(
            regions
                .iter()
                .filter_map(|region| Some(of.get(region)?.1.to_owned())),
        );
    }
    lines.join("\n") + "\n" + &rest
}
