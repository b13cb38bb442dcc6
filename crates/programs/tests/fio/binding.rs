//! `--target` in the place of the files that jobs name.

use super::run;

const JOBS: &str = "[a]\nfilename=/dev/md0\nsize=1m\n[b]\nfilename=/dev/md0:/mnt/x\nsize=1m\n";

/// The targets of each job, or what is wrong.
fn bound(targets: &[&str], jobs: &str) -> Result<Vec<Vec<String>>, String> {
    let words: Vec<String> = targets.iter().map(|to| format!("--target={to}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let run = run(&words, &[("x.fio", jobs)]).map_err(|found| {
        let found = &found[0];
        let remedy = found.remedy.as_deref().unwrap_or_default();
        format!("{}; {remedy}", found.message)
    })?;
    let phases = run.translation.workload.phases;
    let jobs = phases.into_iter().flat_map(|phase| phase.jobs);
    Ok(jobs.map(|job| job.targets).collect())
}

#[test]
fn files_that_jobs_name_are_bound_to_others() {
    let lists = |found: &[&[&str]]| {
        let list = |one: &&[&str]| one.iter().map(ToString::to_string).collect::<Vec<_>>();
        Ok(found.iter().map(list).collect::<Vec<_>>())
    };
    let one = "[a]\nfilename=/dev/md0\nsize=1m\n[b]\nfilename=/dev/md0\nsize=1m\n";
    assert_eq!(bound(&["/t"], one), lists(&[&["/t"], &["/t"]]));
    let both = ["/dev/md0=/t", "/mnt/x=/u"];
    assert_eq!(bound(&both, JOBS), lists(&[&["/t"], &["/t", "/u"]]));
    let folder = lists(&[&["/folder/md0"], &["/folder/md0", "/folder/x"]]);
    assert_eq!(bound(&["/folder"], JOBS), folder);
    let rest = ["/dev/md0=/t", "/folder"];
    assert_eq!(bound(&rest, JOBS), lists(&[&["/t"], &["/t", "/folder/x"]]));
    // One without a name takes the path as before.
    let none = "[a]\nsize=1m\n";
    assert_eq!(bound(&["/t"], none), lists(&[&["/t"]]));
}

#[test]
fn a_path_that_could_be_for_several_files_or_for_none_is_refused() {
    let refused = |targets: &[&str]| bound(targets, JOBS).expect_err("refused");
    assert_eq!(
        refused(&["/t"]),
        "one path stands for the files `/dev/md0` and `/mnt/x`; \
         --target=NAME=PATH for each of them, or a folder"
    );
    assert_eq!(
        refused(&["/t", "/u"]),
        "it is not said which path is for the file `/dev/md0`; \
         --target=NAME=PATH for each of them, or a folder"
    );
    let unknown = run(&["--target=/dev/md1=/t"], &[("x.fio", JOBS)]).expect_err("refused");
    let drawn = "\
error: no job has a file called `/dev/md1`
 --> --target:1:1
  |
1 | /dev/md1=/t
  | ^^^^^^^^
  = help: a name as `filename` has it";
    assert_eq!(unknown[0].to_string(), drawn);
}
