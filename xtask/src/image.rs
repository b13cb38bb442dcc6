//! The live image: Debian's kernel, a few of its programs and the static binary, as an ISO image,
//! as a unified kernel image, and as kernel and initrd for a start over the network.

mod initrd;
mod iso;
mod library;
mod listing;
mod modules;
pub mod network;
mod packages;
mod tree;
mod uki;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, Result, bail, ensure};

use crate::dist::{self, Release, program};
use crate::{built, metadata};
pub use initrd::tree;
pub use library::{add as add_program, load as add_libraries};
pub use packages::Packages;
pub use tree::Tree;

/// Largest ISO image, in bytes.
const LARGEST_BYTES: u64 = 100_000_000;

/// The default command line of the kernel: messages go to both consoles.
pub const OPTIONS: &str = "quiet panic=30 console=ttyS0,115200 console=tty0";

/// Programs that make it, with the Debian packages that have them.
const NEEDED: [(&str, &str); 8] = [
    ("apt-get", "apt"),
    ("dpkg-deb", "dpkg"),
    ("depmod", "kmod"),
    ("zstd", "zstd"),
    ("objcopy", "binutils"),
    ("xorriso", "xorriso"),
    ("mcopy", "mtools"),
    (iso::GRUB, "grub-common"),
];

/// The files of an image, all in one folder.
#[derive(Clone, Debug)]
pub struct Files {
    /// Where they are.
    pub folder: PathBuf,
    stem: String,
}

impl Files {
    fn new(folder: PathBuf, release: &Release) -> Self {
        let stem = format!("fathom-live-{}-{}", release.version, std::env::consts::ARCH);
        Self { folder, stem }
    }

    /// The one with this ending.
    pub fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", self.stem))
    }

    fn write(&self, ending: &str, bytes: &[u8]) -> Result<String> {
        let path = self.path(ending);
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        println!("{:9} {} bytes", ending, bytes.len());
        Ok(format!("{}{ending}", self.stem))
    }
}

/// `image [--binary FILE]`; true when everything was made.
pub fn run(words: &[&str]) -> Result<bool> {
    build(built::named(words)?.as_deref()).map(|_| true)
}

/// What is missing here to make it, as a sentence.
fn missing() -> Option<String> {
    let mut missing = NEEDED.iter().filter(|(name, _)| !program::is_there(name));
    let (name, package) = missing.next()?;
    Some(format!("{name} is missing (package {package})"))
}

/// Makes everything, with a static binary that is there already or a new one.
pub fn build(binary: Option<&Path>) -> Result<(Files, PathBuf)> {
    ensure!(
        std::env::consts::ARCH == "x86_64",
        "the live image is for x86-64 so far"
    );
    if let Some(missing) = missing() {
        bail!("{missing}");
    }
    let release = Release::of_head()?;
    let target = metadata::members()?.target_directory;
    let binary = match binary {
        Some(file) => file.to_owned(),
        None => dist::binary::build(&release)?,
    };
    let program = fs::read(&binary).with_context(|| binary.display().to_string())?;
    let packages = Packages::gather(&target.join("image"), &[])?;
    let files = Files::new(target.join("image-files"), &release);
    fs::create_dir_all(&files.folder)?;
    let kernel = packages.kernel()?;
    let tree = initrd::tree(&packages, &kernel, program, &[])?;
    let initrd = initrd::pack(&tree, release.epoch_s)?;
    let image = fs::read(&kernel.image)?;
    let mut made = vec![
        files.write(".vmlinuz", &image)?,
        files.write(".initrd", &initrd)?,
        files.write(".ipxe", network::script(&files.stem).as_bytes())?,
        files.write(".efi", &uki::make(&packages, &image, &initrd)?)?,
        files.write(".iso", &iso::make(&packages, &release, &image, &initrd)?)?,
        files.write(
            ".contents.txt",
            listing::contents(&packages, &tree)?.as_bytes(),
        )?,
        files.write(".licences.txt", listing::licences(&packages)?.as_bytes())?,
    ];
    made.sort();
    let size = fs::metadata(files.path(".iso"))?.len();
    ensure!(
        size < LARGEST_BYTES,
        "the ISO image has {size} bytes, more than {LARGEST_BYTES}"
    );
    dist::sums::write(&files.folder, &made)?;
    println!("in {}", files.folder.display());
    Ok((files, binary))
}

/// Gives every file and folder below a path the time of the release.
fn stamp(folder: &Path, epoch_s: u64) -> Result<()> {
    let time = UNIX_EPOCH + std::time::Duration::from_secs(epoch_s);
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            stamp(&path, epoch_s)?;
        } else {
            fs::File::options()
                .write(true)
                .open(&path)?
                .set_modified(time)?;
        }
    }
    fs::File::open(folder)?.set_modified(time)?;
    Ok(())
}
