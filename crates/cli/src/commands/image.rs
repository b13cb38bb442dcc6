//! `fathom image`: the keys and the job of a site into a live image.

use super::print;
use crate::args::ImageArgs;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::figure::plural;
use fathom_device::{Door, Existing};
use fathom_image::site::{self, JOB, PLACES};
use fathom_image::{Archive, Job, slot};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &ImageArgs) -> Result<Exit, Error> {
    let files = gather(&args.site)?;
    let mut image = fathom_device::input::read(&args.image)
        .map_err(|error| cannot_read(&args.image, &error))?;
    slot::fill(&mut image, archive(&files)).map_err(|error| {
        let thing = format!("cannot put a site into {}", args.image.display());
        Problem::new(Exit::Usage, thing)
            .because(error.to_string())
            .remedy("an image as `cargo xtask image` makes them, or smaller files")
    })?;
    let output = args.output.clone().unwrap_or_else(|| beside(&args.image));
    let existing = Existing::replaced_if(args.replace.overwrite);
    Door::beside([&args.image, &args.site])
        .write(&output, &image, existing)
        .map_err(|error| {
            let thing = format!("cannot write {}", output.display());
            Problem::of_door(thing, &error, Some("--replace-results")).otherwise("another file")
        })?;
    let count = plural(files.len() as u64, "file");
    print(&format!(
        "{}: {count} of {}\n",
        output.display(),
        args.site.display()
    ))
}

/// A file of a site: where the system has it, its permissions, and what is in it.
struct SiteFile {
    path: String,
    mode: u32,
    bytes: Vec<u8>,
}

/// All files of the folder, each of which the system looks for.
fn gather(folder: &Path) -> Result<Vec<SiteFile>, Problem> {
    let mut files = Vec::new();
    for name in names(folder, "")? {
        let path = folder.join(&name);
        let Some((place, at)) = site::place(&name) else {
            return Err(unknown(&path));
        };
        let bytes =
            fathom_device::input::read(&path).map_err(|error| cannot_read(&path, &error))?;
        if at == JOB {
            check_job(&path, &bytes)?;
        }
        files.push(SiteFile {
            path: at,
            mode: place.mode,
            bytes,
        });
    }
    if files.is_empty() {
        let thing = format!("there is nothing in {}", folder.display());
        return Err(Problem::new(Exit::Usage, thing).remedy(wanted()));
    }
    Ok(files)
}

/// The names of the files in a folder and in the folders in it, in their order.
fn names(folder: &Path, below: &str) -> Result<Vec<String>, Problem> {
    let entries = fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| cannot_read(folder, &error))?;
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            names.extend(self::names(&entry.path(), &format!("{name}/"))?);
        } else {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// An invalid job is reported here, and not by a server without a keyboard.
fn check_job(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let thing = || format!("{} is no job", path.display());
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Problem::new(Exit::Usage, thing()).because("it is no text"))?;
    let job = Job::of_text(text);
    job.map(drop).map_err(|error| {
        Problem::new(Exit::Usage, thing())
            .because(error.to_string())
            .remedy("docs/image.md says what a job is")
    })
}

/// The files after the head of a slot, with the folders that they are in.
fn archive(files: &[SiteFile]) -> Archive {
    let mut archive = slot::archive();
    let mut folders = BTreeSet::new();
    for file in files {
        for (cut, _) in file.path.match_indices('/') {
            folders.insert(&file.path[..cut]);
        }
    }
    for folder in folders {
        // OpenSSH takes keys from folders that are root's alone.
        let mode = if folder.starts_with("root") {
            0o700
        } else {
            0o755
        };
        archive.folder(folder, mode);
    }
    for file in files {
        archive.file(&file.path, file.mode, &file.bytes);
    }
    archive
}

/// `live.iso` becomes `live-site.iso`.
fn beside(image: &Path) -> PathBuf {
    let mut name = OsString::from(image.file_stem().unwrap_or_default());
    name.push("-site");
    if let Some(ending) = image.extension() {
        name.push(".");
        name.push(ending);
    }
    image.with_file_name(name)
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Problem {
    let thing = format!("cannot read {}", path.display());
    Problem::new(Exit::Usage, thing).because(system_words(error))
}

fn unknown(path: &Path) -> Problem {
    let thing = format!("{} has no place in an image", path.display());
    Problem::new(Exit::Usage, thing).remedy(wanted())
}

fn wanted() -> String {
    PLACES.map(|place| place.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_image_lies_beside_the_old_one() {
        for (image, expected) in [
            ("/a/live.iso", "/a/live-site.iso"),
            (
                "fathom-live-0.1.0-x86_64.efi",
                "fathom-live-0.1.0-x86_64-site.efi",
            ),
            ("initrd", "initrd-site"),
        ] {
            assert_eq!(beside(Path::new(image)), Path::new(expected));
        }
    }

    #[test]
    fn a_site_is_a_folder_of_known_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("ssh")).unwrap();
        fs::write(path("ssh/id_ed25519"), "key").unwrap();
        fs::write(path("netrc"), "machine a").unwrap();
        let told = |files: Vec<SiteFile>| -> Vec<String> {
            let files = files.into_iter();
            files
                .map(|file| format!("{} {:o}", file.path, file.mode))
                .collect()
        };
        let expected = ["root/.netrc 600", "root/.ssh/id_ed25519 600"];
        assert_eq!(told(gather(folder.path()).unwrap()), expected);
        fs::write(path("fathom.toml"), "job = \"quick\"\n").unwrap();
        let because = "the job quick has no `target`, as serial:S3EV0001; nothing was changed";
        let refused = gather(folder.path()).err().unwrap();
        assert_eq!(refused.because.as_deref(), Some(because));
        fs::remove_file(path("fathom.toml")).unwrap();
        fs::write(path("id_rsa"), "key").unwrap();
        let refused = gather(folder.path()).err().unwrap();
        let expected = format!("{} has no place in an image", path("id_rsa").display());
        assert_eq!(refused.thing, expected);
    }
}
