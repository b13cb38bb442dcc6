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
    match OwnDirectory::share(folder, NAME, member, &mut || false).unwrap() {
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

/// The text of a mark, of a process that is gone.
fn dead(mark: &Path) -> String {
    let owner = ProcessMark::own().to_string();
    let (rest, began) = owner.rsplit_once(' ').unwrap();
    // Another process had this one's number.
    let dead = format!("{rest} {began}0");
    fs::read_to_string(mark).unwrap().replace(&owner, &dead)
}

#[test]
fn who_joins_waits_until_a_removal_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let first = joined(folder.path(), 0);
    let mark = fs::read(path.join(".fathom.0")).unwrap();
    first.leave();
    fs::write(path.join(".fathom.removal"), mark).unwrap();
    let share = |waits: &mut dyn FnMut() -> bool| {
        OwnDirectory::share(folder.path(), NAME, 1, waits).unwrap()
    };
    let never = share(&mut || false);
    assert!(matches!(never, Standing::Busy), "{never:?}");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 1, "its mark is gone");
    let mut waited = 0;
    let standing = share(&mut || {
        waited += 1;
        match waited {
            3 => fs::remove_dir_all(&path).unwrap(),
            _ => assert!(path.join(".fathom.1").exists() || waited > 3),
        }
        waited < 9
    });
    let Standing::Made(own) = standing else {
        panic!("{standing:?}");
    };
    assert!(own.remove());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_removal_is_called_off_where_a_member_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let [first, second] = [0, 1].map(|member| joined(folder.path(), member));
    // Of a member of this host that died while it removed the directory.
    let mark = dead(&path.join(".fathom.0"));
    fs::write(path.join(".fathom.removal"), mark).unwrap();
    assert!(!first.remove());
    assert!(path.join(".fathom.1").exists());
    assert!(second.remove());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn members_that_come_and_go_keep_their_files_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for member in 0..4 {
            let folder = folder.path();
            scope.spawn(move || {
                for round in 0..200 {
                    let mut left = 1_000_000;
                    let mut waits = || {
                        std::thread::yield_now();
                        left -= 1;
                        left > 0
                    };
                    let standing = OwnDirectory::share(folder, NAME, member, &mut waits).unwrap();
                    let Standing::Made(own) = standing else {
                        panic!("{member} {round}: {standing:?}");
                    };
                    let file = folder.join(NAME).join(format!("f{member}"));
                    fs::write(&file, "").unwrap();
                    std::thread::yield_now();
                    fs::remove_file(&file).unwrap();
                    own.remove();
                }
            });
        }
    });
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_a_member_left_that_died_goes_with_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let members = [0, 1].map(|member| joined(folder.path(), member));
    let path = folder.path().join(NAME);
    let mark = dead(&path.join(".fathom.1"));
    fs::write(path.join(".fathom.1"), mark).unwrap();
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
    let twice = OwnDirectory::share(folder.path(), NAME, 0, &mut || false).unwrap_err();
    assert_eq!(twice.kind(), io::ErrorKind::AlreadyExists);
    assert!(path.join("t0").exists() && path.join(".fathom.0").exists());
    own.leave();
    let unmarked = "no mark in it says that a run of Fathom made it";
    assert_eq!(standing(folder.path()), unmarked);
    assert_eq!(remove_left(&path).unwrap(), None);
    assert!(path.join("t0").exists());
}
