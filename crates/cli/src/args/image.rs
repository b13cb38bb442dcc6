//! `fathom image`.

use super::ReplaceArgs;
use clap::Args;
use fathom_image::site::PLACES;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ImageArgs {
    /// Image: an ISO image, a unified kernel image (.efi) or an initrd
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// The folder
    #[arg(long, value_name = "FOLDER", long_help = site_help())]
    pub(crate) site: PathBuf,
    /// New image [default: the old name with `-site` before its extension]
    #[arg(short = 'o', long, alias = "out", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
}

/// What may be in the folder.
fn site_help() -> String {
    let mut text = String::from("Folder that may contain:\n\n");
    let width = PLACES.iter().map(|place| place.name.len()).max();
    let width = width.unwrap_or(0);
    for place in PLACES {
        let _ = writeln!(text, "  {:<width$}  {}", place.name, place.about);
    }
    text
}
