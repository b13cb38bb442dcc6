//! What the door lets through: whole answers, and that nothing changed where it stays shut.

use super::*;
use fathom_platform::unix::fs::{PermissionsExt as _, symlink};
use fathom_platform::unix::net::UnixListener;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// Opens, and says what came of it: `new`, `there`, or the refusal without the path.
fn answer(door: &Door, path: &Path, existing: Existing) -> String {
    match door.open(path, existing) {
        Ok(opened) if opened.is_new => "new".to_owned(),
        Ok(_) => "there".to_owned(),
        Err(error) => error.cause(),
    }
}

#[test]
fn each_thing_has_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("full", b"words"),
        ("target", b"data"),
        ("app.db", b"SQLite format 3\0 and more"),
    ] {
        fs::write(path(name), bytes).unwrap();
    }
    symlink(path("full"), path("link")).unwrap();
    symlink(path("target"), path("link to target")).unwrap();
    symlink(path("nothing"), path("dangling")).unwrap();
    symlink("/dev/zero", path("link to device")).unwrap();
    fs::hard_link(path("target"), path("other name")).unwrap();
    let _socket = UnixListener::bind(path("socket")).unwrap();
    let door = Door::beside([path("target"), path("target to come")]);
    let missing = "no such file or directory";
    let cases = [
        (path("new"), "new", "new"),
        (path("empty"), "there", "there"),
        (path("full"), "the file exists (5 bytes)", "there"),
        (path("link"), "the file exists (5 bytes)", "there"),
        (path("target"), "it is a target of the run", ""),
        (path("other name"), "it is a target of the run", ""),
        (path("link to target"), "it is a target of the run", ""),
        (path("target to come"), "it is a target of the run", ""),
        (path("app.db"), "it is an SQLite database", ""),
        (path("dangling"), "it is a symbolic link to nothing", ""),
        (path("socket"), "it is a socket", ""),
        (folder.path().to_owned(), "it is a directory", ""),
        (path("nowhere/file"), missing, ""),
        (PathBuf::from("/dev/null"), "there", "there"),
        (PathBuf::from("/dev/zero"), "it is a character device", ""),
        (path("link to device"), "it is a character device", ""),
        (
            PathBuf::from("/dev/fathom-mistyped"),
            "it would be a file of the kernel's own file system devtmpfs",
            "",
        ),
        (
            PathBuf::from("/proc/self/comm"),
            "it would be a file of the kernel's own file system proc",
            "",
        ),
        (
            PathBuf::from("/sys/fathom-mistyped"),
            "it would be a file of the kernel's own file system sysfs",
            "",
        ),
    ];
    for (path, kept, replaced) in cases {
        assert_eq!(answer(&door, &path, Existing::Kept), kept, "{path:?}");
        if path.ends_with("new") {
            fs::remove_file(&path).unwrap();
        }
        for existing in [Existing::Replaced, Existing::Extended] {
            let expected = if replaced.is_empty() { kept } else { replaced };
            assert_eq!(answer(&door, &path, existing), expected, "{path:?}");
            if path.ends_with("new") {
                fs::remove_file(&path).unwrap();
            }
        }
    }
    let texts = ["full", "target"].map(|name| fs::read_to_string(path(name)).unwrap());
    assert_eq!(texts, ["words", "data"]);
}

#[test]
fn a_file_is_written_whole_or_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result");
    let door = Door::default();
    let text = || fs::read_to_string(&path).unwrap();
    door.write(&path, b"first", Existing::Kept).unwrap();
    let refused = door.write(&path, b"2", Existing::Kept).unwrap_err();
    assert_eq!(
        (refused.cause().as_str(), text().as_str()),
        ("the file exists (5 bytes)", "first")
    );
    door.write(&path, b"2", Existing::Replaced).unwrap();
    assert_eq!(text(), "2");
    let other = folder.path().join("another name");
    fs::hard_link(&path, &other).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    // A disk that is full in the middle of it.
    let mut opened = door.open(&path, Existing::Replaced).unwrap();
    let full = opened.replace(|file| {
        file.write_all(b"half of what")?;
        Err::<(), _>(io::Error::from(io::ErrorKind::StorageFull))
    });
    assert_eq!(full.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(text(), "2");
    let link = folder.path().join("link");
    symlink(&path, &link).unwrap();
    door.write(&link, b"third", Existing::Replaced).unwrap();
    assert_eq!(text(), "third");
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&other).unwrap(), "2");
    for name in [other, link] {
        fs::remove_file(name).unwrap();
    }
    door.open(&path, Existing::Extended)
        .unwrap()
        .file
        .write_all(b" and more")
        .unwrap();
    assert_eq!(text(), "third and more");
    assert_eq!(
        door.create_new(&path).unwrap_err().cause(),
        "the file exists (14 bytes)"
    );
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert_eq!(names.len(), 1);
}

#[test]
fn only_what_was_made_here_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
    fs::write(&old, "words").unwrap();
    let door = Door::default();
    for path in [&new, &old] {
        door.open(path, Existing::Replaced).unwrap().take_back();
    }
    assert_eq!([new.exists(), old.exists()], [false, true]);
    let opened = door.open(&new, Existing::Replaced).unwrap();
    fs::rename(&old, &new).unwrap();
    opened.take_back();
    assert_eq!(fs::read_to_string(&new).unwrap(), "words");
}

/// A database as its header says it.
fn header(application_id: u32) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    bytes[..16].copy_from_slice(SQLITE);
    bytes[68..72].copy_from_slice(&application_id.to_be_bytes());
    bytes
}

#[test]
fn the_history_is_kept_in_no_other_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, bytes) in [
        ("ours", header(7)),
        ("theirs", header(8)),
        ("unnamed", header(0)),
        ("text", b"words".to_vec()),
        ("empty", Vec::new()),
        ("guarded", header(7)),
    ] {
        fs::write(path(name), bytes).unwrap();
    }
    symlink(path("ours"), path("link")).unwrap();
    symlink(path("text"), path("guarded-wal")).unwrap();
    let theirs = "it is the database of another program".to_owned();
    let cases = [
        ("new", false, Ok(path("new"))),
        ("empty", false, Ok(path("empty"))),
        ("ours", false, Ok(path("ours"))),
        ("link", false, Ok(path("ours"))),
        ("unnamed", true, Ok(path("unnamed"))),
        ("unnamed", false, Err(theirs.clone())),
        ("theirs", true, Err(theirs.clone())),
        ("guarded", true, Err(theirs)),
        (
            "text",
            true,
            Err("the file exists (5 bytes) and is no history".to_owned()),
        ),
        (".", true, Err("it is a directory".to_owned())),
    ];
    for (name, is_ours, expected) in cases {
        let found = Door::default().history(&path(name), 7, &|_| is_ours);
        assert_eq!(found.map_err(|error| error.cause()), expected, "{name}");
    }
    let beside = Door::beside([path("ours")]);
    let found = beside.history(&path("ours"), 7, &|_| true);
    assert_eq!(found.unwrap_err().cause(), "it is a target of the run");
}

#[test]
fn a_folder_is_made_where_files_are_kept_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let door = Door::default();
    let deep = folder.path().join("a/b/c");
    door.make_folder(&deep).unwrap();
    assert!(deep.is_dir());
    door.make_folder(&deep).unwrap();
    let again = door.make_new_folder(&deep).map_err(|error| error.cause());
    assert!(again.is_err(), "it is there");
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let cause = door.make_folder(&file).unwrap_err().cause();
    assert_eq!(cause, "it is a regular file");
    for kernel in [
        "/dev/fathom-test",
        "/dev/fathom-test/deep",
        "/proc/fathom-test",
    ] {
        let refused = door.make_folder(Path::new(kernel)).unwrap_err();
        assert!(matches!(refused.shut, Shut::KernelFile(_)), "{kernel}");
        assert!(!Path::new(kernel).exists());
    }
}

#[test]
fn a_file_that_comes_and_goes_is_no_link_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shared");
    let is_over = AtomicBool::new(false);
    let dangling = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                fs::write(&path, "x").unwrap();
                fs::remove_file(&path).unwrap();
            }
        });
        let looks = (0..20_000).map(|_| super::look(&path));
        let dangling = looks.filter(|found| matches!(found, Err(Shut::Dangling)));
        let dangling = dangling.count();
        is_over.store(true, Ordering::Relaxed);
        dangling
    });
    assert_eq!(dangling, 0);
}
