//! Somebody's files, files that cannot be, and no files at all.

use super::*;
use crate::fixture::Mounted;
use fathom_core::EngineKind;
use fathom_platform::unix::fs::FileExt as _;
use std::fs;

/// Somebody's file of so many bytes, all written.
fn foreign(size_bytes: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(folder.path()).unwrap().join("mine");
    fs::write(&path, vec![42; size_bytes as usize]).unwrap();
    (folder, path)
}

#[test]
fn a_file_that_is_only_read_is_not_changed() {
    let (_folder, path) = foreign(MIB);
    let (prepared, laid_bytes) = prepare_psync(&plan(vec![job(Op::Read, None)], &[&path])).unwrap();
    assert_eq!((only_window(&prepared), laid_bytes), ((0, MIB), 0));
    assert_eq!(prepared.caveats, []);
    assert!(!prepared.targets[0].made_by_fathom);
    drop(prepared);
    assert_eq!(fs::read(&path).unwrap(), vec![42; MIB as usize]);
}

#[test]
fn holes_that_are_read_make_the_result_invalid() {
    let (_folder, path) = foreign(0);
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(MIB).unwrap();
    file.write_all_at(&[1; 4096], 0).unwrap();
    let (prepared, laid_bytes) = prepare_psync(&plan(vec![job(Op::Read, None)], &[&path])).unwrap();
    assert_eq!(laid_bytes, 0);
    assert_eq!(prepared.caveats, [doubts::sparse(&path, MIB - 4096, MIB)]);
    let head = Job {
        size: Some(Bytes(4096)),
        ..job(Op::Read, None)
    };
    let (prepared, _) = prepare_psync(&plan(vec![head], &[&path])).unwrap();
    assert_eq!(prepared.caveats, []);
}

#[test]
fn a_file_is_written_only_by_permission() {
    let (_folder, path) = foreign(MIB);
    let mut plan = plan(vec![job(Op::Write, None)], &[&path]);
    assert_eq!(
        refusal(&plan)[..2],
        [
            format!("cannot open {} for writing", path.display()),
            "the file exists (1048576 bytes) and was not created by fathom, or was changed since"
                .into(),
        ]
    );
    assert_eq!(fs::read(&path).unwrap(), vec![42; MIB as usize]);
    plan.permissions.overwrite = true;
    let (prepared, laid_bytes) = prepare_psync(&plan).unwrap();
    assert_eq!((only_window(&prepared), laid_bytes), ((0, MIB), 0));
    drop(prepared);
    assert!(path.exists());
}

/// A job that fills the file from its beginning to its end.
fn filler(size: u64) -> Job {
    let mut filler = job(Op::Write, Some(size));
    filler.fresh = true;
    filler.kinds[0].random = Percent(0.0);
    filler
}

#[test]
fn a_fresh_file_is_not_laid_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(folder.path()).unwrap().join("new");
    let jobs = vec![filler(MIB), job(Op::Read, Some(MIB))];
    let (prepared, laid_bytes) = prepare_psync(&plan(jobs, &[&path])).unwrap();
    assert_eq!((prepared.targets[0].size_bytes, laid_bytes), (MIB, 0));
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
}

#[test]
fn somebodys_file_is_made_fresh_only_by_permission() {
    let (_folder, path) = foreign(2 * MIB);
    let mut plan = plan(vec![filler(MIB)], &[&path]);
    assert_eq!(
        refusal(&plan)[1],
        "the file exists (2097152 bytes) and was not created by fathom, or was changed since"
    );
    plan.permissions.overwrite = true;
    let (prepared, laid_bytes) = prepare_psync(&plan).unwrap();
    assert_eq!((only_window(&prepared), laid_bytes), ((0, MIB), 0));
    // It is emptied when its phase begins, not before.
    assert_eq!(fs::metadata(&path).unwrap().len(), 2 * MIB);
}

#[test]
fn a_file_that_may_be_written_gets_no_holes_and_stamps_where_they_are_checked() {
    let (_folder, path) = foreign(0);
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(2 * MIB)
        .unwrap();
    let windowed = |job: Job| Job {
        offset: Bytes(MIB),
        ..job
    };
    let mut plain = plan(vec![windowed(job(Op::Write, None))], &[&path]);
    plain.permissions.overwrite = true;
    assert_eq!(prepare_psync(&plain).unwrap().1, MIB);
    assert_eq!(prepare_psync(&plain).unwrap().1, 0);
    let mut both = verified(windowed(job(Op::Write, None)));
    both.kinds.push(job(Op::Read, None).kinds.remove(0));
    let mut stamped = plan(vec![both], &[&path]);
    stamped.permissions.overwrite = true;
    assert_eq!(prepare_psync(&stamped).unwrap().1, MIB);
    assert_eq!(prepare_psync(&stamped).unwrap().1, 0);
    // What no job uses stays as it was.
    assert_eq!(
        fs::read(&path).unwrap()[..MIB as usize],
        vec![0; MIB as usize]
    );
}

/// What it has stays, to the last byte.
#[test]
fn somebodys_file_grows_only_by_permission_to_write_it() {
    let (_folder, path) = foreign(MIB + 100);
    let mut longer = plan(vec![job(Op::Write, Some(2 * MIB))], &[&path]);
    assert_eq!(
        refusal(&longer)[1],
        "the file exists (1048676 bytes) and was not created by fathom, or was changed since"
    );
    longer.permissions.overwrite = true;
    let (prepared, laid_bytes) = prepare_psync(&longer).unwrap();
    let found = (only_window(&prepared), laid_bytes);
    assert_eq!(found, ((0, 2 * MIB), MIB - 100));
    drop(prepared);
    let content = fs::read(&path).unwrap();
    assert_eq!(content.len() as u64, 2 * MIB);
    assert!(content[..MIB as usize + 100] == vec![42; MIB as usize + 100]);

    // What only reads is refused as before.
    longer.workload.phases[0].jobs = vec![job(Op::Read, Some(3 * MIB))];
    assert_eq!(refusal(&longer)[1], "it has 2 MiB, the job needs 3 MiB");
}

#[test]
fn bytes_before_the_used_part_of_somebodys_file_stay() {
    let (_folder, path) = foreign(0);
    let mut content = vec![7; 100];
    fs::write(&path, &content).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(MIB).unwrap();
    let mut writer = job(Op::Write, None);
    writer.offset = Bytes(100);
    writer.kinds[0].block_size = Bytes(10);
    writer.kinds[0].align = Bytes(10);
    writer.kinds[0].random = Percent(0.0);
    let mut plan = plan(vec![writer], &[&path]);
    plan.permissions.overwrite = true;
    let (_, laid_bytes) = prepare_psync(&plan).unwrap();
    // The first block holds data, so that nothing of it was never written.
    assert_eq!(laid_bytes, MIB - 4096);
    content.resize(4096, 0);
    assert_eq!(fs::read(&path).unwrap()[..4096], content);
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let (folder, path) = foreign(MIB);
    let name = path.display();
    assert_eq!(
        refusal(&plan(vec![job(Op::Read, Some(2 * MIB))], &[&path])),
        [
            format!("cannot use {name} for job `main`"),
            "it has 1 MiB, the job needs 2 MiB".into(),
            format!("use --size 1MiB or less, or use a new target instead of {name}"),
        ]
    );
    fs::write(&path, "").unwrap();
    assert_eq!(
        refusal(&plan(vec![job(Op::Read, None)], &[&path])),
        [
            format!("cannot use {name}"),
            "it has 0 bytes, and the workload does not define a size".into(),
            "set --size to the number of bytes to use, such as --size 1GiB".into(),
        ]
    );
    let absent = folder.path().join("absent");
    assert_eq!(
        refusal(&plan(vec![job(Op::Read, None)], &[&absent])),
        [
            format!("cannot use {}", absent.display()),
            "it must be created, and the workload does not define its size".into(),
            "set --size to the number of bytes to use, such as --size 1GiB".into(),
        ]
    );
    assert!(!absent.exists());
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let parent = folder.path().join("absent");
    let path = parent.join("file");
    let [thing, because, _] = refusal(&plan(vec![job(Op::Read, Some(MIB))], &[&path]));
    assert_eq!(
        [thing, because],
        [
            format!("cannot create {}", path.display()),
            format!("{} is not an existing directory", parent.display()),
        ]
    );
}

#[test]
fn another_file_under_the_same_name_is_noticed() {
    let (folder, path) = foreign(MIB);
    let (prepared, _) = prepare_psync(&plan(vec![job(Op::Read, None)], &[&path])).unwrap();
    let other = folder.path().join("other");
    fs::write(&other, vec![1; MIB as usize]).unwrap();
    fs::rename(&other, &path).unwrap();
    let error = prepared.targets[0]
        .confirm(File::open(&path).unwrap())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "cannot use {}: it changed since it was checked",
            path.display()
        )
    );
}

#[test]
fn engines_without_storage_need_no_file() {
    let null = Path::new("null");
    let prepared =
        |plan: &Plan, engine| prepare(plan, engine, None, &Control::new(), &mut Laid::default());
    let sized = plan(vec![job(Op::Write, Some(MIB))], &[null]);
    let first = prepared(&sized, EngineKind::Null).unwrap();
    assert_eq!(
        (first.targets[0].kind, only_window(&first)),
        (None, (0, MIB))
    );
    assert_eq!(first.infos[0].kind, "none");
    let unsized_job = plan(vec![job(Op::Write, None)], &[null]);
    let simulated = prepared(&unsized_job, EngineKind::Sim).unwrap();
    let volume_bytes = unsized_job.engine.volume.size_bytes;
    assert_eq!(only_window(&simulated), (0, volume_bytes));
    let error = prepared(&unsized_job, EngineKind::Null).unwrap_err();
    assert_eq!(
        [error.to_string(), error.remedy()],
        [
            "cannot use null: it has no size of its own, and the workload does not define one",
            "set --size to the number of bytes to use, such as --size 1GiB",
        ]
    );
    let too_large = plan(vec![job(Op::Write, Some(volume_bytes + 1))], &[null]);
    let error = prepared(&too_large, EngineKind::Sim).unwrap_err();
    assert!(matches!(error, PrepareError::TooSmall { .. }), "{error}");
    assert!(!null.exists());
}

#[test]
fn the_null_device_is_as_large_as_the_workload_says() {
    let device = Path::new("/dev/null");
    let sized = plan(vec![job(Op::Write, Some(MIB))], &[device]);
    let (prepared, laid_bytes) = prepare_psync(&sized).unwrap();
    assert_eq!((only_window(&prepared), laid_bytes), ((0, MIB), 0));
    assert_eq!(prepared.targets[0].kind, Some(TargetKind::CharDevice));
    assert_eq!(
        refusal(&plan(vec![job(Op::Write, None)], &[device])),
        [
            "cannot use /dev/null",
            "it has no size of its own, and the workload does not define one",
            "set --size to the number of bytes to use, such as --size 1GiB",
        ]
    );
}

#[test]
fn refused_direct_io_is_known_before_anything_is_laid_out() {
    let Some(ramfs) = Mounted::new("ramfs", "mode=755") else {
        fathom_testing::skip("no right to mount a ramfs");
        return;
    };
    let path = fs::canonicalize(ramfs.path()).unwrap().join("file");
    let mut direct = job(Op::Read, Some(MIB));
    direct.durability.direct = true;
    let plan = plan(vec![direct], &[&path]);
    assert_eq!(
        refusal(&plan),
        [
            format!("cannot open {} for direct reads", path.display()),
            "the file system does not support direct I/O (O_DIRECT)".into(),
            "use --no-direct to measure through the page cache, or another target".into(),
        ]
    );
    assert!(!path.exists());
}
