//! The mark on files that Fathom made, an extended attribute, by which a later run knows that it
//! may overwrite them.
//!
//! It says which file it is on: inode, birth time, size and name. On a copy, under another name or
//! with another length it means nothing, and neither does it on a file that carries the signature
//! of a file system or a database by now: such a file is somebody's.
//!
//! On a file that stays it also says what was in it when its run ended: the time of the last
//! change,
//! and a sum over blocks that a key of the mark's own picks. A file that its owner has filled in
//! place since is the owner's, also where the tool that filled it has set the old time again. A run
//! that is killed leaves a file that stays with a mark that does not fit, so that the next one asks
//! for `--overwrite`.

mod remembered;

use fathom_platform::unix::ffi::OsStrExt as _;
use fathom_platform::unix::fs::{FileExt as _, MetadataExt as _};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use fathom_platform::fs::{Advice, AtFlags, StatxFlags, XattrFlags, fgetxattr, fsetxattr};
use fathom_platform::io::Errno;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::owner::ProcessMark;
use crate::signature::{self, Extent};

/// Name of the extended attribute.
pub const ATTRIBUTE: &str = "user.fathom";
/// Version of its value.
const VERSION: &str = "3";
/// What begins every SQLite database.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

/// Blocks whose content a mark knows, and bytes of each.
const SAMPLES: u64 = 64;
const SAMPLE_BYTES: u64 = 4096;

/// What becomes of a file that Fathom made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It stays until somebody removes it.
    Kept,
    /// The run that made it removes it at its end.
    Scratch,
}

impl Purpose {
    const fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Scratch => "scratch",
        }
    }
}

/// What a mark says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    purpose: Purpose,
    inode: u64,
    born_ns: i128,
    /// Of a kept file its length, of scratch the most that it will have.
    size_bytes: u64,
    content: Content,
    owner: ProcessMark,
    name: Vec<u8>,
}

/// What a file holds that stays; all zero for scratch, which its run goes on changing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Content {
    /// Time of the last change.
    modified_ns: i128,
    /// Picks the blocks, and begins the sum.
    key: u64,
    /// Sum over these blocks.
    sum: u64,
}

impl Content {
    /// What is in a file now.
    fn of(file: &File, key: u64) -> io::Result<Self> {
        let meta = file.metadata()?;
        let modified_ns = i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec());
        let sum = sum(file, meta.len(), key)?;
        Ok(Self {
            modified_ns,
            key,
            sum,
        })
    }

    fn holds(self, file: &File) -> io::Result<bool> {
        Ok(Self::of(file, self.key)? == self)
    }
}

/// The sum over the blocks that a key picks, each with where it lies. Nothing of them stays in the
/// page cache, where it would answer reads that are measured.
fn sum(file: &File, size_bytes: u64, key: u64) -> io::Result<u64> {
    let blocks = size_bytes.div_ceil(SAMPLE_BYTES);
    let mut block = [0; SAMPLE_BYTES as usize];
    let mut sum = key;
    let _ = fathom_platform::fs::fadvise(file, 0, None, Advice::Random);
    for number in 0..SAMPLES.min(blocks) {
        let picked = xxh3_64_with_seed(&number.to_le_bytes(), key) % blocks;
        let offset = picked * SAMPLE_BYTES;
        let length = SAMPLE_BYTES.min(size_bytes - offset) as usize;
        file.read_exact_at(&mut block[..length], offset)?;
        sum = xxh3_64_with_seed(&block[..length], sum ^ picked);
        let _ = fathom_platform::fs::fadvise(
            file,
            offset,
            NonZeroU64::new(SAMPLE_BYTES),
            Advice::DontNeed,
        );
    }
    let _ = fathom_platform::fs::fadvise(file, 0, None, Advice::Normal);
    Ok(sum)
}

/// A number that nobody can know beforehand.
fn new_key() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl Mark {
    fn write(&self) -> Vec<u8> {
        let Content {
            modified_ns,
            key,
            sum,
        } = self.content;
        let mut value = format!(
            "{VERSION} {} {} {} {} {modified_ns} {key} {sum} {} ",
            self.purpose.word(),
            self.inode,
            self.born_ns,
            self.size_bytes,
            self.owner
        )
        .into_bytes();
        value.extend(&self.name);
        value
    }

    fn parse(value: &[u8]) -> Option<Self> {
        let mut words = value.splitn(13, |byte| *byte == b' ');
        let mut word = || words.next();
        let text = |word: Option<&[u8]>| Some(std::str::from_utf8(word?).ok()?.to_owned());
        if text(word())? != VERSION {
            return None;
        }
        let purpose = match text(word())?.as_str() {
            "kept" => Purpose::Kept,
            "scratch" => Purpose::Scratch,
            _ => return None,
        };
        Some(Self {
            purpose,
            inode: text(word())?.parse().ok()?,
            born_ns: text(word())?.parse().ok()?,
            size_bytes: text(word())?.parse().ok()?,
            content: Content {
                modified_ns: text(word())?.parse().ok()?,
                key: text(word())?.parse().ok()?,
                sum: text(word())?.parse().ok()?,
            },
            owner: {
                let words: Option<Vec<String>> = (0..4).map(|_| text(word())).collect();
                ProcessMark::parse(&words?.join(" "))?
            },
            name: word()?.to_owned(),
        })
    }

    fn read(file: &File) -> io::Result<Option<Self>> {
        let mut value = [0_u8; 1024];
        match fgetxattr(file, ATTRIBUTE, &mut value) {
            Ok(length) => Ok(value.get(..length).and_then(Self::parse)),
            Err(Errno::NOTSUP | Errno::NOSYS) => Ok(remembered::recall(file)),
            // No such attribute, or a value longer than ours.
            Err(Errno::NODATA | Errno::RANGE) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Whether it was put on this file, and the file is still what it was.
    fn holds(&self, file: &File, path: &Path) -> io::Result<bool> {
        let meta = file.metadata()?;
        let fits = match self.purpose {
            Purpose::Kept => meta.len() == self.size_bytes,
            Purpose::Scratch => meta.len() <= self.size_bytes,
        };
        let is_the_file = inode(file)? == self.inode
            && born_ns(file)? == self.born_ns
            && name(path)?.as_bytes() == self.name;
        if !fits || !is_the_file || carries_something(file, meta.len())? {
            return Ok(false);
        }
        match self.purpose {
            Purpose::Kept => self.content.holds(file),
            Purpose::Scratch => Ok(true),
        }
    }
}

/// Marks an open file as made by Fathom. `Ok(false)` where the file system has no extended
/// attributes: the file then counts as someone else's from the next process on, and this one
/// remembers its scratch.
///
/// # Errors
///
/// What the system said.
pub fn mark(file: &File, path: &Path, purpose: Purpose, size_bytes: u64) -> io::Result<bool> {
    mark_as(own(), file, &name(path)?, purpose, size_bytes)
}

/// Puts the mark on a file anew, for the length and the content that it has now: one that stays
/// goes on staying, scratch goes on being scratch of who made it. What has no mark gets none.
///
/// # Errors
///
/// What the system said.
pub fn renew(file: &File, path: &Path) -> io::Result<()> {
    let Some(old) = Mark::read(file)? else {
        return Ok(());
    };
    let length = file.metadata()?.len();
    let size_bytes = match old.purpose {
        Purpose::Kept => length,
        Purpose::Scratch => length.max(old.size_bytes),
    };
    mark_as(&old.owner, file, &name(path)?, old.purpose, size_bytes).map(drop)
}

/// Whether it is scratch of this process.
///
/// # Errors
///
/// What the system said.
pub fn is_own_scratch(file: &File, path: &Path) -> io::Result<bool> {
    match Mark::read(file)? {
        Some(mark) if mark.purpose == Purpose::Scratch && mark.owner == *own() => {
            mark.holds(file, path)
        }
        _ => Ok(false),
    }
}

/// Whether it is scratch of this process, whatever became of the file.
pub(crate) fn is_scratch_of(file: &File, owner: &ProcessMark) -> io::Result<bool> {
    let mark = Mark::read(file)?;
    Ok(mark.is_some_and(|mark| mark.purpose == Purpose::Scratch && mark.owner == *owner))
}

/// This process, asked for once. Whoever asks before a file is made has it marked the sooner
/// afterwards: a process that is killed in between leaves a file that nobody knows.
pub fn own() -> &'static ProcessMark {
    static OWN: OnceLock<ProcessMark> = OnceLock::new();
    OWN.get_or_init(ProcessMark::own)
}

/// Marks an open file that has this name, or will have.
pub(crate) fn mark_as(
    owner: &ProcessMark,
    file: &File,
    name: &OsStr,
    purpose: Purpose,
    size_bytes: u64,
) -> io::Result<bool> {
    let content = match purpose {
        Purpose::Kept => Content::of(file, new_key())?,
        Purpose::Scratch => Content::default(),
    };
    let mark = Mark {
        purpose,
        content,
        inode: inode(file)?,
        born_ns: born_ns(file)?,
        size_bytes,
        owner: owner.clone(),
        name: name.as_bytes().to_owned(),
    };
    match fsetxattr(file, ATTRIBUTE, &mark.write(), XattrFlags::empty()) {
        Ok(()) => Ok(true),
        Err(Errno::NOTSUP | Errno::NOSYS) => {
            if purpose == Purpose::Scratch {
                remembered::remember(file, mark)?;
            }
            Ok(false)
        }
        Err(errno) => Err(errno.into()),
    }
}

/// Whether an open file, which `path` leads to, carries a mark that is its own.
///
/// # Errors
///
/// What the system said.
pub fn is_marked(file: &File, path: &Path) -> io::Result<bool> {
    Mark::read(file)?.map_or(Ok(false), |mark| mark.holds(file, path))
}

/// Whether it is the scratch of a run whose process is certainly gone.
///
/// # Errors
///
/// What the system said.
pub fn is_left_behind(file: &File, path: &Path) -> io::Result<bool> {
    match Mark::read(file)? {
        Some(mark) if mark.purpose == Purpose::Scratch && mark.owner.is_gone() => {
            mark.holds(file, path)
        }
        _ => Ok(false),
    }
}

/// When a file was made; 0 where the file system does not say.
pub(crate) fn born_ns(file: &File) -> io::Result<i128> {
    let found = fathom_platform::fs::statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::BTIME);
    if matches!(found, Err(Errno::NOSYS)) {
        return Ok(created_ns(file));
    }
    let found = found?;
    if found.stx_mask & StatxFlags::BTIME.bits() == 0 {
        return Ok(0);
    }
    let born = found.stx_btime;
    Ok(i128::from(born.tv_sec) * 1_000_000_000 + i128::from(born.tv_nsec))
}

/// The same as `std` knows it.
fn created_ns(file: &File) -> i128 {
    let created = file.metadata().and_then(|meta| meta.created()).ok();
    let since = created.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos().cast_signed())
}

/// The number of an open file on its file system.
fn inode(file: &File) -> io::Result<u64> {
    fathom_platform::identity(file).map(|(_, inode)| inode)
}

/// The last component of a path, links followed.
fn name(path: &Path) -> io::Result<OsString> {
    let path = std::fs::canonicalize(path)?;
    Ok(path.file_name().unwrap_or_default().to_owned())
}

/// Whether a file system, a partition table, a volume manager or a database is in it by now.
fn carries_something(file: &File, size_bytes: u64) -> io::Result<bool> {
    let mut begin = [0; SQLITE.len()];
    let is_database = file.read_at(&mut begin, 0)? == begin.len() && begin == *SQLITE;
    Ok(is_database || !signature::detect(file, Extent::whole(size_bytes))?.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A marked file of 1 MiB in a folder; none where there are no extended attributes.
    fn marked(purpose: Purpose) -> Option<(tempfile::TempDir, std::path::PathBuf)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fathom-data.dat");
        fs::write(&path, vec![1; 1 << 20]).unwrap();
        let file = File::open(&path).unwrap();
        if !mark(&file, &path, purpose, 1 << 20).unwrap() {
            fathom_testing::skip("the temporary directory has no extended attributes");
            return None;
        }
        Some((folder, path))
    }

    fn is_ours(path: &Path) -> bool {
        is_marked(&File::open(path).unwrap(), path).unwrap()
    }

    #[test]
    fn a_marked_file_is_known_again_until_it_is_somebody_elses() {
        let Some((folder, path)) = marked(Purpose::Kept) else {
            return;
        };
        assert!(is_ours(&path));
        let link = folder.path().join("link");
        fathom_platform::unix::fs::symlink(&path, &link).unwrap();
        assert!(is_ours(&link));

        let moved = folder.path().join("db.img");
        fs::rename(&path, &moved).unwrap();
        assert!(!is_ours(&moved));
        fs::rename(&moved, &path).unwrap();
        assert!(is_ours(&path));

        let copied = std::process::Command::new("cp")
            .args(["--preserve=all"])
            .args([&path, &moved])
            .status();
        assert!(copied.unwrap().success());
        assert!(!is_ours(&moved));
        fs::rename(&moved, &path).unwrap();
        assert!(!is_ours(&path));
    }

    #[test]
    fn a_file_that_its_owner_has_filled_in_place_is_the_owners() {
        // As `dd conv=notrunc`, and as tools that set the old time again.
        for sets_time in [false, true] {
            let Some((_folder, path)) = marked(Purpose::Kept) else {
                return;
            };
            let before = fs::metadata(&path).unwrap().modified().unwrap();
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.write_all_at(&vec![2; 1 << 20], 0).unwrap();
            if sets_time {
                file.set_modified(before).unwrap();
            } else {
                // The clock of a file system may not have moved on yet.
                file.set_modified(before + std::time::Duration::from_millis(4))
                    .unwrap();
            }
            assert!(!is_ours(&path), "{sets_time}");
            renew(&File::open(&path).unwrap(), &path).unwrap();
            assert!(is_ours(&path), "{sets_time}");
        }
    }

    #[test]
    fn a_time_of_its_own_is_enough() {
        let Some((_folder, path)) = marked(Purpose::Kept) else {
            return;
        };
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        let before = file.metadata().unwrap().modified().unwrap();
        file.set_modified(before + std::time::Duration::from_secs(1))
            .unwrap();
        assert!(!is_ours(&path));
    }

    #[test]
    fn another_length_or_a_signature_ends_it() {
        let changes: [fn(&File); 4] = [
            |file| file.set_len(4096).unwrap(),
            |file| file.set_len(2 << 20).unwrap(),
            |file| file.write_all_at(SQLITE, 0).unwrap(),
            |file| file.write_all_at(b"SWAPSPACE2", 4086).unwrap(),
        ];
        for (index, change) in changes.into_iter().enumerate() {
            let Some((_folder, path)) = marked(Purpose::Kept) else {
                return;
            };
            change(&fs::OpenOptions::new().write(true).open(&path).unwrap());
            assert!(!is_ours(&path), "{index}");
        }
    }

    #[test]
    fn scratch_is_left_behind_when_its_owner_is_gone() {
        let Some((_folder, path)) = marked(Purpose::Scratch) else {
            return;
        };
        let file = fs::OpenOptions::new()
            .write(true)
            .read(true)
            .open(&path)
            .unwrap();
        assert!(!is_left_behind(&file, &path).unwrap());
        let gone = ProcessMark::parse("another boot 1 1").unwrap();
        let name = path.file_name().unwrap();
        let mark = |purpose| mark_as(&gone, &file, name, purpose, 1 << 20).unwrap();
        mark(Purpose::Scratch);
        assert!(is_left_behind(&file, &path).unwrap());
        // Its layout was under way.
        file.set_len(4096).unwrap();
        assert!(is_left_behind(&file, &path).unwrap());
        file.write_all_at(SQLITE, 0).unwrap();
        assert!(!is_left_behind(&file, &path).unwrap());
        file.write_all_at(&[0; 16], 0).unwrap();
        mark(Purpose::Kept);
        assert!(!is_left_behind(&file, &path).unwrap());
    }

    #[test]
    fn a_file_system_without_marks_has_them_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["scratch.dat", "other.dat"].map(|name| folder.path().join(name));
        for path in [&path, &other] {
            fs::write(path, vec![1; 4096]).unwrap();
        }
        let file = File::open(&path).unwrap();
        assert_eq!(remembered::recall(&file), None);
        let mark = Mark {
            purpose: Purpose::Scratch,
            content: Content::default(),
            inode: inode(&file).unwrap(),
            born_ns: born_ns(&file).unwrap(),
            size_bytes: 4096,
            owner: own().clone(),
            name: b"scratch.dat".to_vec(),
        };
        let longer = Mark {
            size_bytes: 8192,
            ..mark.clone()
        };
        remembered::remember(&file, mark).unwrap();
        remembered::remember(&file, longer.clone()).unwrap();
        // By another handle, and nothing of another file.
        let again = File::open(&path).unwrap();
        assert_eq!(remembered::recall(&again), Some(longer.clone()));
        assert_eq!(remembered::recall(&File::open(&other).unwrap()), None);
        assert!(longer.holds(&again, &path).unwrap());
        fs::rename(&path, folder.path().join("mine.dat")).unwrap();
        assert!(
            !longer
                .holds(&again, &folder.path().join("mine.dat"))
                .unwrap()
        );
    }

    #[test]
    fn a_mark_of_another_form_means_nothing() {
        let Some((_folder, path)) = marked(Purpose::Kept) else {
            return;
        };
        let file = File::open(&path).unwrap();
        for value in [
            "1",
            "",
            "3 kept 1",
            "2 kept 1 1 1 a b 1 1 name",
            "3 lost 1 1 1 1 1 1 a b 1 1 name",
        ] {
            fsetxattr(&file, ATTRIBUTE, value.as_bytes(), XattrFlags::empty()).unwrap();
            assert!(!is_ours(&path), "{value}");
        }
    }
}
