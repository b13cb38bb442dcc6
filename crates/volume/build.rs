//! Packs the catalogue, a sixth of its size, into the program.

#![expect(
    clippy::disallowed_methods,
    reason = "it writes to the folder of the build alone, where nobody keeps anything"
)]

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

/// The files of the folder `catalog/`, those first that others refer to.
const FILES: [&str; 16] = [
    "sources.csv",
    "aws/volumes.csv",
    "aws/instances.csv",
    "aws/prices.csv",
    "aws/machine_prices.csv",
    "azure/volumes.csv",
    "azure/instances.csv",
    "azure/prices.csv",
    "azure/machine_prices.csv",
    "gcp/volumes.csv",
    "gcp/instances.csv",
    "gcp/disk_limits.csv",
    "gcp/prices.csv",
    "gcp/machine_prices.csv",
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
        let text = fs::read_to_string(&file)?;
        packed.write_all(text.as_bytes())?;
        write!(list, "({path:?}, {}), ", text.len())?;
    }
    fs::write(Path::new(&out).join("catalog.deflate"), packed.finish()?)?;
    fs::write(Path::new(&out).join("catalog.rs"), list + "]")?;
    Ok(())
}
