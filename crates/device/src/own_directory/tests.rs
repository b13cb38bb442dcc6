use super::*;
use std::fs;

const NAME: &str = "fathom-files";

fn made(folder: &Path) -> OwnDirectory {
    match OwnDirectory::make(folder, NAME).unwrap() {
        Standing::Made(made) => made,
        other => panic!("{other:?}"),
    }
}

/// Says that a process made the directory that is gone.
fn orphan(path: &Path) {
    use fathom_platform::unix::fs::MetadataExt as _;

    let inode = fs::metadata(path).unwrap().ino();
    fs::write(
        path.join(".fathom"),
        format!("{HEAD} {inode} another boot 1 1"),
    )
    .unwrap();
}

/// What becomes of an attempt, in a word or with its reason.
fn standing(folder: &Path) -> String {
    match OwnDirectory::make(folder, NAME).unwrap() {
        Standing::Made(made) => {
            assert!(made.remove());
            "made".to_owned()
        }
        Standing::Busy => "busy".to_owned(),
        Standing::Foreign(why) => why,
    }
}

#[test]
fn it_is_made_once_and_removed_when_nothing_else_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let own = made(folder.path());
    assert_eq!(standing(folder.path()), "busy");
    fs::write(own.path().join("mine"), "").unwrap();
    assert!(!own.remove());
    fs::remove_file(own.path().join("mine")).unwrap();
    assert!(own.remove());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_somebody_made_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    fs::write(&path, "mine").unwrap();
    assert_eq!(standing(folder.path()), "it is no directory");
    fs::remove_file(&path).unwrap();
    fathom_platform::unix::fs::symlink("/", &path).unwrap();
    assert_eq!(standing(folder.path()), "it is no directory");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let unmarked = "no mark in it says that a run of Fathom made it";
    assert_eq!(standing(folder.path()), unmarked);
    // That of another directory, as in a copy.
    fs::write(path.join(".fathom"), format!("{HEAD} 1 another boot 1 1")).unwrap();
    assert_eq!(standing(folder.path()), unmarked);
}

#[test]
fn what_a_killed_run_left_is_removed_unless_something_else_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    fs::create_dir_all(path.join("t0/b1/d7")).unwrap();
    fs::write(path.join("t0/b1/f5"), "x").unwrap();
    orphan(&path);
    assert!(is_left(&path));
    for (odd, is_link) in [("t0/b1/notes", false), ("t0/f9", true), ("t0/f01", false)] {
        let place = path.join(odd);
        if is_link {
            fathom_platform::unix::fs::symlink("/etc/passwd", &place).unwrap();
        } else {
            fs::write(&place, "mine").unwrap();
        }
        let why = format!("a run that was killed left it, and Fathom did not make `{odd}` in it");
        assert_eq!(standing(folder.path()), why);
        assert_eq!(remove_left(&path).unwrap(), None);
        fs::remove_file(&place).unwrap();
    }
    assert_eq!(standing(folder.path()), "made");
    fs::create_dir_all(path.join("t0")).unwrap();
    fs::write(path.join("t0/r12"), "seven b").unwrap();
    orphan(&path);
    assert_eq!(remove_left(&path).unwrap(), Some(7));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

fn joined(folder: &Path, member: u32) -> OwnDirectory {
    match OwnDirectory::share(folder, NAME, member).unwrap() {
        Standing::Made(made) => made,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_last_of_those_who_share_it_removes_it() {
    let folder = tempfile::tempdir().unwrap();
    let members = [0, 1, 2].map(|member| joined(folder.path(), member));
    let path = folder.path().join(NAME);
    fs::create_dir(path.join("t0")).unwrap();
    assert_eq!(standing(folder.path()), "busy");
    let removed = members.each_ref().map(OwnDirectory::remove);
    assert_eq!(removed, [false, false, true]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_a_member_left_that_died_goes_with_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let members = [0, 1].map(|member| joined(folder.path(), member));
    let path = folder.path().join(NAME);
    let owner = ProcessMark::own().to_string();
    let (rest, began) = owner.rsplit_once(' ').unwrap();
    // Another process had this one's number.
    let dead = format!("{rest} {began}0");
    let text = fs::read_to_string(path.join(".fathom.1")).unwrap();
    fs::write(path.join(".fathom.1"), text.replace(&owner, &dead)).unwrap();
    fs::create_dir(path.join("t0")).unwrap();
    fs::write(path.join("t0/f7"), "x").unwrap();
    assert!(!is_left(&path), "a member is in it");
    assert!(members[0].remove());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_was_kept_is_nobodys_and_a_second_member_of_one_number_takes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let own = joined(folder.path(), 0);
    fs::create_dir(path.join("t0")).unwrap();
    let twice = OwnDirectory::share(folder.path(), NAME, 0).unwrap_err();
    assert_eq!(twice.kind(), io::ErrorKind::AlreadyExists);
    assert!(path.join("t0").exists() && path.join(".fathom.0").exists());
    own.leave();
    let unmarked = "no mark in it says that a run of Fathom made it";
    assert_eq!(standing(folder.path()), unmarked);
    assert_eq!(remove_left(&path).unwrap(), None);
    assert!(path.join("t0").exists());
}
