//! Files of ours: made, laid out, used again, extended, removed.

use super::*;
use crate::plan::MadeFiles;
use fathom_core::EngineKind;
use fathom_core::spec::{BlockForm, Compat, Data, Fill};
use fathom_load::verify::check;
use fathom_platform::unix::fs::FileExt as _;
use std::fs;

/// A folder, and the file that a run makes in it.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(folder.path()).unwrap();
    (folder, path.join("fathom-data.dat"))
}

/// A new file that can be read too: its mark has a sum of its content.
fn readable(path: &Path) -> File {
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(true);
    options.open(path).unwrap()
}

/// Marks a file as kept, if the file system can.
fn mark_kept(file: &File, path: &Path) -> bool {
    let size_bytes = file.metadata().unwrap().len();
    let kept = fathom_device::mark::Purpose::Kept;
    fathom_device::mark::mark(file, path, kept, size_bytes).unwrap()
}

#[test]
fn a_file_in_a_directory_is_made_and_removed() {
    let (folder, path) = folder();
    let plan = plan(vec![job(Op::Read, Some(2 * MIB))], &[folder.path()]);
    let (prepared, laid_bytes) = prepare_psync(&plan).unwrap();
    assert_eq!(laid_bytes, 2 * MIB);
    assert_eq!(fs::metadata(&path).unwrap().len(), 2 * MIB);
    let target = &prepared.targets[0];
    assert_eq!((&target.path, target.kind), (&path, Some(TargetKind::File)));
    assert_eq!((target.reads, target.writes), (true, false));
    assert_eq!(only_window(&prepared), (0, 2 * MIB));
    assert_eq!(prepared.caveats, []);
    let file = File::open(&path).unwrap();
    assert_eq!(extent::hole_bytes(&file, 0, 2 * MIB).unwrap(), 0);
    target.confirm(&file).unwrap();
    let info = &prepared.infos[0];
    let facts = (info.path.as_str(), info.kind.as_str(), info.size_bytes);
    assert_eq!(facts, (path.to_str().unwrap(), "file", 2 * MIB));
    assert!(info.made_by_fathom && !info.file_system.is_empty());
    drop(prepared);
    assert!(!path.exists());
}

/// A file is made without a name first, so that the name of its descriptor says that it is gone.
#[test]
fn what_lies_below_a_file_that_was_made_is_known() {
    let (_dir, path) = folder();
    let plan = plan(vec![job(Op::Read, Some(4096))], &[&path]);
    let (prepared, _) = prepare_psync(&plan).unwrap();
    let target = &prepared.targets[0];
    let mounts = Topology::of_path(&System::live().unwrap(), &target.path).unwrap();
    assert_eq!(target.topology.as_ref(), Some(&mounts));
    assert_eq!(mounts.path, target.path.canonicalize().unwrap());
}

#[test]
fn a_kept_file_is_used_again_and_extended() {
    let (folder, path) = folder();
    let with_size = |size| Plan {
        made_files: MadeFiles::Kept,
        ..plan(vec![job(Op::Write, size)], &[folder.path()])
    };
    let first = prepare_psync(&with_size(Some(2 * MIB))).unwrap();
    drop(first);
    let content = fs::read(&path).unwrap();
    let file = File::open(&path).unwrap();
    if !fathom_device::mark::is_marked(&file, &path).unwrap() {
        fathom_testing::skip("the scratch file system has no extended attributes");
        return;
    }

    let (again, laid_bytes) = prepare_psync(&with_size(Some(2 * MIB))).unwrap();
    assert_eq!(laid_bytes, 0);
    drop(again);
    assert!(fs::read(&path).unwrap() == content);

    // Less is used of it, the rest stays.
    let (part, laid_bytes) = prepare_psync(&with_size(Some(MIB))).unwrap();
    assert_eq!((only_window(&part), laid_bytes), ((0, MIB), 0));
    drop(part);
    let (whole, laid_bytes) = prepare_psync(&with_size(None)).unwrap();
    assert_eq!((only_window(&whole), laid_bytes), ((0, 2 * MIB), 0));
    drop(whole);

    let (larger, laid_bytes) = prepare_psync(&with_size(Some(3 * MIB))).unwrap();
    assert_eq!((only_window(&larger), laid_bytes), ((0, 3 * MIB), MIB));
    drop(larger);
    assert_eq!(fs::metadata(&path).unwrap().len(), 3 * MIB);

    // A file of an earlier run stays, even if this one would not keep its own.
    let plan = plan(vec![job(Op::Read, None)], &[folder.path()]);
    drop(prepare_psync(&plan).unwrap());
    assert!(path.exists());

    // Cut short by a crash: what is missing is seen, and the rest stays.
    let file = fs::OpenOptions::new().read(true).write(true).open(&path);
    let file = file.unwrap();
    file.set_len(MIB).unwrap();
    file.set_len(3 * MIB).unwrap();
    fathom_device::mark::renew(&file, &path).unwrap();
    let (repaired, laid_bytes) = prepare_psync(&plan).unwrap();
    assert_eq!(
        (only_window(&repaired), laid_bytes),
        ((0, 3 * MIB), 2 * MIB)
    );
    assert_eq!(repaired.caveats, []);
    assert!(fs::read(&path).unwrap()[..MIB as usize] == content[..MIB as usize]);
}

/// Where files stay, they are somebody's data: what only reads them changes nothing, and what
/// writes does so to what is missing alone.
#[test]
fn of_a_kept_file_nothing_goes_that_was_written() {
    let (_folder, path) = folder();
    let plan = |op| Plan {
        made_files: MadeFiles::Kept,
        ..plan(vec![job(op, Some(3 * MIB))], &[&path])
    };
    let mut content = vec![42; 3 * MIB as usize];
    let file = readable(&path);
    // Two holes, and an end within a page.
    let holes = [64 << 10..128 << 10, 256 << 10..260 << 10];
    let written = [0..64 << 10, 128 << 10..256 << 10, 260 << 10..2 * MIB + 100];
    for part in written.clone() {
        file.write_all_at(&content[..(part.end - part.start) as usize], part.start)
            .unwrap();
    }
    for hole in holes.clone() {
        content[hole.start as usize..hole.end as usize].fill(0);
    }
    if !mark_kept(&file, &path) {
        fathom_testing::skip("the scratch file system has no extended attributes");
        return;
    }
    if extent::hole_bytes(&file, 0, 2 * MIB).unwrap() == 0 {
        fathom_testing::skip("the scratch file system does not tell of holes");
        return;
    }
    let shorter = Plan {
        made_files: MadeFiles::Kept,
        ..super::plan(vec![job(Op::Read, Some(2 * MIB))], &[&path])
    };
    let (read, laid_bytes) = prepare_psync(&shorter).unwrap();
    let sparse = doubts::sparse(&path, 68 << 10, 2 * MIB);
    assert_eq!((laid_bytes, &read.caveats[..]), (0, &[sparse][..]));
    drop(read);
    assert!(fs::read(&path).unwrap() == content[..2 * MIB as usize + 100]);

    let (write, laid_bytes) = prepare_psync(&plan(Op::Write)).unwrap();
    let missing = (68 << 10) + MIB - 100;
    assert_eq!((laid_bytes, &write.caveats[..]), (missing, &[][..]));
    drop(write);
    let after = fs::read(&path).unwrap();
    assert_eq!(after.len() as u64, 3 * MIB);
    for part in written {
        let part = part.start as usize..part.end as usize;
        assert!(after[part.clone()] == content[part]);
    }
    for hole in holes {
        let part = &after[hole.start as usize..hole.end as usize];
        assert!(
            part.chunks(512)
                .all(|part| part.iter().any(|byte| *byte != 0))
        );
    }
}

/// fio tells blocks with its headers, and of a pattern, from written ones by nothing.
#[test]
fn nothing_that_was_laid_passes_for_what_fio_wrote() {
    let pattern = Data {
        fill: Fill::Pattern("deadbeef".parse().unwrap()),
        ..Data::PLAIN
    };
    let cases = [
        (BlockForm::FioCrc32c, Data::PLAIN),
        (BlockForm::FioCrc32c, pattern),
        (BlockForm::Fathom, pattern),
    ];
    for (verify_as, data) in cases {
        let (_folder, path) = folder();
        let writes = Job {
            verify: Verify::ReadWritten,
            compat: Compat {
                verify_as,
                ..Compat::default()
            }
            .boxed(),
            data,
            ..job(Op::Write, Some(MIB))
        };
        let kept = Plan {
            made_files: MadeFiles::Kept,
            ..plan(vec![writes], &[&path])
        };
        let (prepared, laid_bytes) = prepare_psync(&kept).unwrap();
        assert_eq!(laid_bytes, MIB);
        assert!(!prepared.targets[0].stamped);
        let begins = [&[0xca, 0xac][..], &[0xde, 0xad, 0xbe, 0xef]];
        let content = fs::read(&path).unwrap();
        let passes = |block: &&[u8]| begins.iter().any(|begin| block.starts_with(begin));
        assert!(
            content.chunks(4096).filter(passes).count() < 8,
            "{verify_as:?}"
        );
    }
}

#[test]
fn a_kept_file_is_stamped_once_whatever_the_seed() {
    let (folder, path) = folder();
    let with_seed = |seed| {
        let mut both = verified(job(Op::Write, Some(MIB)));
        both.kinds.push(job(Op::Read, None).kinds.remove(0));
        let mut plan = plan(vec![both], &[folder.path()]);
        plan.workload.seed = Some(seed);
        plan.made_files = MadeFiles::Kept;
        plan
    };
    for (seed, expected) in [(1, MIB), (1, 0), (2, 0)] {
        let (prepared, laid_bytes) = prepare_psync(&with_seed(seed)).unwrap();
        // The mark of a file that stays holds for the content it has when its run lets go of it.
        drop(prepared);
        if !fathom_device::mark::is_marked(&File::open(&path).unwrap(), &path).unwrap() {
            fathom_testing::skip("the scratch file system has no extended attributes");
            return;
        }
        assert_eq!(laid_bytes, expected, "seed {seed}");
        let content = fs::read(&path).unwrap();
        assert_eq!(check(&content, 0, Some(1)).wrong, 0, "seed {seed}");
    }
}

#[test]
fn what_is_only_read_to_be_checked_is_never_written() {
    let (folder, path) = folder();
    let reads = |paths: &[&Path]| plan(vec![verified(job(Op::Read, Some(MIB)))], paths);
    for target in [folder.path(), &path] {
        let refused = prepare_psync(&reads(&[target])).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "cannot verify {}: it does not exist, and the jobs on it only read what another \
                 run wrote",
                path.display()
            )
        );
    }
    // Too short, without a stamp, full of holes, and even if it is ours.
    let file = readable(&path);
    file.set_len(MIB / 2).unwrap();
    let marked = mark_kept(&file, &path);
    for target in [folder.path(), &path] {
        if target == folder.path() && !marked {
            fathom_testing::skip("the scratch file system has no extended attributes");
            continue;
        }
        let (prepared, laid_bytes) = prepare_psync(&reads(&[target])).unwrap();
        assert_eq!((only_window(&prepared), laid_bytes), ((0, MIB), 0));
        drop(prepared);
        assert_eq!(fs::read(&path).unwrap(), vec![0; MIB as usize / 2]);
    }
}

#[test]
fn without_the_right_to_write_nothing_is_made_or_opened_for_writing() {
    let (folder, path) = folder();
    let of = |op, paths: &[&Path]| {
        let mut plan = plan(vec![job(op, Some(MIB))], paths);
        plan.permissions.read_only = true;
        plan.permissions.overwrite = true;
        prepare_psync(&plan).map(|(_, laid_bytes)| laid_bytes)
    };
    let refused = format!(
        "cannot open {} for writing: --read-only allows no write",
        path.display()
    );
    for target in [folder.path(), &path] {
        for op in [Op::Read, Op::Write] {
            let error = of(op, &[target]).unwrap_err().to_string();
            assert_eq!(error, refused);
        }
    }
    let file = readable(&path);
    file.set_len(2 * MIB).unwrap();
    let _ = mark_kept(&file, &path);
    assert_eq!(of(Op::Read, &[&path]).unwrap(), 0);
    assert!(of(Op::Write, &[&path]).is_err());
    assert_eq!(fs::read(&path).unwrap(), vec![0; 2 * MIB as usize]);
}

#[test]
fn two_runs_in_one_directory_do_not_share_a_file() {
    let (folder, path) = folder();
    let plan = plan(vec![job(Op::Write, Some(MIB))], &[folder.path()]);
    let (first, _) = prepare_psync(&plan).unwrap();
    let (second, _) = prepare_psync(&plan).unwrap();
    let other = format!("fathom-data.{}.dat", std::process::id());
    assert_eq!(first.targets[0].path, path);
    assert_eq!(second.targets[0].path, path.with_file_name(other));
    drop((first, second));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_of_ours_in_use_is_not_used_by_name() {
    let (folder, path) = folder();
    let jobs = vec![job(Op::Write, Some(MIB))];
    let first = prepare_psync(&plan(jobs.clone(), &[&path])).unwrap();
    if !fathom_device::mark::is_marked(&File::open(&path).unwrap(), &path).unwrap() {
        fathom_testing::skip("the scratch file system has no extended attributes");
        return;
    }
    assert_eq!(
        refusal(&plan(jobs, &[&path])),
        [
            format!("cannot use {}", path.display()),
            "another run of fathom is using it".into(),
            "wait for it, or use another target".into(),
        ]
    );
    drop((first, folder));
}

#[test]
fn roles_get_a_file_each_and_jobs_share_them() {
    let (folder, data) = folder();
    let with_targets = |name: &str, targets: &[&str], size| Job {
        name: name.into(),
        targets: targets.iter().map(|&target| target.into()).collect(),
        ..job(Op::Write, Some(size))
    };
    let jobs = vec![
        with_targets("a", &["@data"], MIB),
        with_targets("b", &["@log"], MIB),
        with_targets("c", &["@log", "@data"], 2 * MIB),
    ];
    let (prepared, laid_bytes) = prepare_psync(&plan(jobs, &[folder.path()])).unwrap();
    let paths: Vec<&Path> = prepared.targets.iter().map(|t| t.path.as_path()).collect();
    assert_eq!(paths, [&*data, &*data.with_file_name("fathom-log.dat")]);
    assert_eq!(laid_bytes, 4 * MIB);
    let window = |len| Window { start: 0, len };
    let uses: Vec<_> = prepared.jobs[0]
        .iter()
        .map(|job| job.targets.clone())
        .collect();
    assert_eq!(
        uses,
        [
            vec![(0, window(MIB))],
            vec![(1, window(MIB))],
            vec![(1, window(2 * MIB)), (0, window(2 * MIB))],
        ]
    );
}

#[test]
fn offset_and_window_make_the_size() {
    let (folder, path) = folder();
    let windowed = Job {
        offset: Bytes(MIB),
        window: Some(Bytes(MIB)),
        ..job(Op::Read, None)
    };
    let (prepared, laid_bytes) = prepare_psync(&plan(vec![windowed], &[folder.path()])).unwrap();
    assert_eq!(laid_bytes, 2 * MIB);
    assert_eq!(only_window(&prepared), (MIB, 2 * MIB));
    assert_eq!(fs::metadata(&path).unwrap().len(), 2 * MIB);
}

#[test]
fn an_interrupted_layout_leaves_nothing() {
    let (folder, path) = folder();
    let plan = plan(vec![job(Op::Read, Some(MIB))], &[folder.path()]);
    let control = Control::new();
    control.interrupt();
    let error = prepare(
        &plan,
        EngineKind::Psync,
        None,
        &control,
        &mut Laid::default(),
    )
    .unwrap_err();
    assert!(error.is_interrupt());
    assert!(!path.exists());
}

#[test]
fn a_file_system_with_too_little_room_is_left_alone() {
    let (folder, path) = folder();
    let jobs = vec![job(Op::Read, Some(1 << 55))];
    let error = prepare_psync(&plan(jobs, &[folder.path()])).unwrap_err();
    let PrepareError::NoRoom {
        path: found,
        needed_bytes,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((found, *needed_bytes), (&path, 1 << 55));
    assert!(error.is_environment());
    assert!(!path.exists());
}

#[test]
fn what_could_not_be_made_leaves_nothing_also_where_files_stay() {
    let (folder, path) = folder();
    let both = [path, folder.path().join("other")];
    for made_files in [MadeFiles::Kept, MadeFiles::Lent, MadeFiles::Removed] {
        let jobs = vec![job(Op::Read, Some(MIB)), job(Op::Read, Some(1 << 60))];
        let mut too_large = plan(jobs, &[&both[0], &both[1]]);
        too_large.made_files = made_files;
        let found = prepare_psync(&too_large).expect_err("it does not have that much space");
        assert!(matches!(found, PrepareError::NoRoom { .. }), "{found}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 0, "{left:?}");
    }
}

#[test]
fn the_words_about_too_little_room() {
    let error = |replays| PrepareError::NoRoom {
        path: "/data/f".into(),
        needed_bytes: 10 << 30,
        available_bytes: 4 << 30,
        reserve_bytes: 1 << 30,
        replays,
    };
    assert_eq!(
        [
            error(false).to_string(),
            error(false).remedy(),
            error(true).remedy()
        ],
        [
            "cannot lay out /data/f: 10 GiB are needed, 4 GiB are free, and 1 GiB must stay free \
             for others",
            "use --size 3GiB or less, a target on another file system, or free some space",
            "use --replay-pack to leave out regions without requests, or a larger target",
        ]
    );
}
