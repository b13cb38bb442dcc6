//! `fathom image`.

use super::ReplaceArgs;
use clap::Args;
use fathom_image::site::PLACES;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Put keys and a job into a live image, without building it anew
///
/// A new image is written that has the files of a folder; the old one stays as it is. It may have
/// those of another site, which the new one does not get.
#[derive(Args, Debug)]
pub(crate) struct ImageArgs {
    /// The image: an ISO image, a unified kernel image (.efi), or an initrd
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// The folder
    #[arg(long, value_name = "FOLDER", long_help = site_help())]
    pub(crate) site: PathBuf,
    /// The new image [default: `-site` before the ending of the old one's name]
    #[arg(short = 'o', long, alias = "out", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
}

/// What may be in the folder.
fn site_help() -> String {
    let mut text = String::from("The folder, with some of these:\n\n");
    let width = PLACES.iter().map(|place| place.name.len()).max();
    let width = width.unwrap_or(0);
    for place in PLACES {
        let _ = writeln!(text, "  {:<width$}  {}", place.name, place.about);
    }
    text
}
