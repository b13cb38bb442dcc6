//! `fathom convert`: a workload in other formats, with every loss named.

use crate::command::Cli;
use fathom_testing::skip;
use std::process::Command;

const OLTP: &str = "\
name = \"oltp\"
[[phase]]
name = \"oltp\"
duration = \"60s\"
warm_up = \"10s\"
[[phase.job]]
name = \"oltp\"
target = \"/data/io.dat\"
size = \"10GiB\"
block_size = \"8KiB\"
read = 70
threads = 4
queue_depth = 8
";

const NOTES: &str = "\
ignored: `keep`: fio leaves the files that it made, where Fathom removes its own; unlink=1 would \
remove yours as well
ignored: `name`: a job file has no name, description or source but in comments
";

fn told(notes: &str) -> String {
    let lines = notes.lines().map(|line| format!("writing: {line}\n"));
    lines.collect::<Vec<_>>().concat()
}

#[test]
fn a_workload_as_a_job_file() {
    let stdout = "\
; oltp, by fathom convert
; ignored: `keep`: fio leaves the files that it made, where Fathom removes its own; unlink=1 would
;   remove yours as well
; ignored: `name`: a job file has no name, description or source but in comments
[global]
group_reporting
randrepeat=0
continue_on_error=all
ioengine=io_uring

[oltp]
filename=/data/io.dat
size=10g
numjobs=4
iodepth=8
rw=randrw
rwmixread=70
bs=8k
norandommap
direct=1
overwrite=1
refill_buffers
ramp_time=10s
runtime=60s
time_based
";
    Cli::new(["convert", "oltp.toml", "--to", "fio"])
        .file("oltp.toml", OLTP)
        .check(0, stdout, &told(NOTES));
}

#[test]
fn a_command_line_as_a_command_line() {
    let words = "convert --from fio --to diskspd -- fio --name=x --filename=/data/io.dat --size=1g \
                 --rw=randread --bs=4k --ioengine=libaio --iodepth=16 --direct=1 --runtime=30 \
                 --time_based --norandommap --invalidate=0";
    let stdout = "diskspd -c1G -b4K -r -Su -Zr -t1 -o16 -d30 -W0 -z137 -n -L /data/io.dat\n";
    let notes = "\
ignored: `engine`: DISKSPD hands requests over in one way, but to files that are mapped
ignored: `name`: DISKSPD has no names for workloads, phases and jobs, and no description or source
";
    Cli::line(words).check(0, stdout, &told(notes));
}

#[test]
fn a_different_load_is_written_only_where_that_is_meant() {
    let zipf = format!("{OLTP}distribution = {{ zipf = {{ theta = 1.1 }} }}\n");
    let stderr = "\
writing: refused: `distribution`: DISKSPD has ranges only; it is uniform
writing: ignored: `keep`: DISKSPD leaves the files that it made, where Fathom removes its own
writing: ignored: `name`: DISKSPD has no names for workloads, phases and jobs, and no description \
or source
";
    let error = "error: the format `diskspd` cannot express this workload
  because: the settings \
                 refused above would change the load; nothing is written
  try:     use --lossy to \
                 write an approximation
";
    let convert = ["convert", "zipf.toml", "--to", "diskspd", "-o", "line"];
    let folder =
        Cli::new(convert)
            .file("zipf.toml", &zipf)
            .check(2, "", &format!("{stderr}{error}"));
    assert!(!folder.path().join("line").exists());
    let lossy = convert.into_iter().chain(["--lossy"]);
    let folder = Cli::new(lossy)
        .file("zipf.toml", &zipf)
        .check(0, "", stderr);
    let line = std::fs::read_to_string(folder.path().join("line")).expect("it was written");
    assert_eq!(
        line,
        "diskspd -c10G -b8K -w30 -r -Su -Zr -t4 -o8 -d60 -W10 -z -n -L /data/io.dat\n"
    );
}

#[test]
fn several_phases_are_no_command_line() {
    let stderr = "error: the format `diskspd` cannot express this workload
  because: a command \
                  line of DISKSPD is one phase, and these are 7; use --to diskspd-xml
";
    Cli::new(["convert", "quick", "--to", "diskspd"]).check(2, "", stderr);
}

#[test]
fn roles_are_bound_to_paths() {
    let words = "convert iris-full --to native --target /dev/x,wij=/dev/y,journal=/z";
    let (ended, _) = Cli::line(words).end();
    let targets: Vec<&str> = ended
        .stdout
        .lines()
        .filter(|line| line.starts_with("targets"))
        .collect();
    let (x, y) = ("targets = [\"/dev/x\"]", "targets = [\"/dev/y\"]");
    assert_eq!(targets, [x, y, x, "targets = [\"/z\"]"]);
    let stderr = "error: no job would use /dev/y
  because: no job has that role, or all have \
                  their own targets
  try:     omit it, or use another role
";
    let words = "convert ms-oltp --to fio --target wij=/dev/y";
    Cli::line(words).check(2, "", stderr);
}

#[test]
fn what_is_read_is_known_by_its_text_or_by_its_name() {
    let fio = "[x]\nrw=read\nsize=1m\nfilename=/data/x\n";
    for (name, words) in [
        ("x.fio", vec!["convert", "x.fio", "--to", "native"]),
        ("plain", vec!["convert", "plain", "--to", "native"]),
        (
            "odd.toml",
            vec!["convert", "odd.toml", "--from", "fio", "--to", "native"],
        ),
    ] {
        let (ended, _) = Cli::new(words).file(name, fio).end();
        let source = ended.stdout.lines().find(|line| line.starts_with("source"));
        assert_eq!(
            (ended.status, source),
            (Some(0), Some("source = \"fio\"")),
            "{name}"
        );
    }
    let stderr = "\
error: unknown option `iodeph`
 --> x.fio:2:1
  |
2 | iodeph=4
  | ^^^^^^
  = help: did you mean `iodepth`?
  = help: docs/dialects/fio.md lists all options
";
    Cli::new(["convert", "x.fio", "--to", "native"])
        .file("x.fio", "[x]\niodeph=4\n")
        .check(2, "", stderr);
    let stderr = "\
error: cannot read nowhere.fio
  because: no such file or directory
  try:     a file, or one of the names that `fathom profiles` lists
";
    Cli::new(["convert", "./nowhere.fio", "--to", "native"]).check(
        2,
        "",
        &stderr.replace("nowhere.fio", "./nowhere.fio"),
    );
    let stderr = "error: iometer has no command lines
  try:     give a file name, or --from \
                  diskspd, fio, iotest or dd
";
    Cli::new(["convert", "--from", "iometer", "--to", "fio", "--", "x"]).check(2, "", stderr);
}

/// Away from the machine a load is read all the same; only a share of a target needs its size.
#[test]
fn sizes_of_targets_elsewhere_are_assumed_where_they_are_needed() {
    let words = "convert --from diskspd --to fio -- -b8K -r -d10 /data/there";
    let (ended, _) = Cli::line(words).end();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let sized = |text: &str| text.lines().any(|line| line.starts_with("size="));
    assert!(!sized(&ended.stdout), "{}", ended.stdout);
    let words = words.replace(" --to", " --assume-size 8GiB --to");
    let (ended, _) = Cli::line(words).end();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let words = "convert --from fio --to native -- --name=a --filename=/data/there --rw=randread \
                 --size=50%";
    let stderr = "\
error: a size in percent of a target that is not there
 --> command line:1:47
  |
1 | --name=a --filename=/data/there --rw=randread --size=50%
  |                                               ^^^^^^^^^^
  = help: in bytes, or --assume-size with the size of the target
";
    Cli::line(words).check(2, "", stderr);
    let words = words.replace(" --to", " --assume-size 8GiB --to");
    let (ended, _) = Cli::line(words).end();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let halved = ended.stdout.lines().any(|line| line.contains("4GiB"));
    assert!(halved, "{}", ended.stdout);
}

/// Every profile as a job file, and what fio itself says of it.
#[test]
fn fio_accepts_every_job_file() {
    if Command::new("fio").arg("--version").output().is_err() {
        return skip("fio is not installed");
    }
    let json = Cli::new(["profiles", "--json"]).stdout();
    let list = crate::document::listed(&json, "profiles");
    for entry in list {
        let name = entry["name"].as_str().expect("a name");
        let words = ["convert", name, "--to", "fio", "--lossy", "-o", "job.fio"];
        let (ended, folder) = Cli::new(words).end();
        let profiles = fathom_tools::profiles::PROFILES.iter();
        let mut found = profiles.filter(|profile| profile.name == name);
        let workload = found.next().expect("it is listed").workload();
        let workload = workload.expect("it was tried by its own tests");
        let mut jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
        if jobs.any(|job| job.files.is_some()) {
            // fio's job files ask for bytes.
            assert_eq!(ended.status, Some(2), "{name}: {}", ended.stderr);
            continue;
        }
        assert_eq!(ended.status, Some(0), "{name}: {}", ended.stderr);
        let checked = Command::new("fio")
            .args(["--parse-only", "job.fio"])
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        assert_eq!(
            (checked.status.code(), said.as_str()),
            (Some(0), ""),
            "{name}"
        );
    }
}

#[test]
fn the_form_is_said_by_the_output_too() {
    let (ended, folder) = Cli::new(["convert", "random-read-4k", "--to", "fio"]).end();
    let read = |folder: &tempfile::TempDir| {
        std::fs::read_to_string(folder.path().join("job")).expect("a job file")
    };
    let expected = ended.stdout;
    let words = ["convert", "random-read-4k", "--output", "fio:job"];
    let folder = {
        let (told, folder) = Cli::in_folder(folder, words).end();
        assert_eq!((told.status, told.stdout.as_str()), (Some(0), ""));
        folder
    };
    assert_eq!(read(&folder), expected);
    let (told, folder) = Cli::in_folder(folder, ["convert", "random-read-4k", "-o", "fio"]).end();
    assert_eq!(told.stdout, expected);
    let cases = [
        (
            vec!["-o", "fio:job", "--to", "native"],
            "--output requests fio and --to requests native",
        ),
        (vec!["-o", "job"], "a file name alone does not show it"),
    ];
    let mut folder = folder;
    for (more, because) in cases {
        let words = ["convert", "random-read-4k"].into_iter().chain(more);
        let stderr = format!(
            "error: the output format is ambiguous\n  because: {because}\n  try:     use one of \
             them, as in --output fio:FILE\n"
        );
        folder = Cli::in_folder(folder, words).check(2, "", &stderr);
    }
}

#[test]
fn drives_of_windows_are_found_in_every_dialect() {
    let icf = include_str!("../../../programs/tests/corpus/iometer/file-server.icf");
    let fio = "[a]\nfilename=r\\:\\temp\\io.dat\nrw=read\nsize=1M\n";
    let xml = "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>R:\\temp\\io.dat</Path>\
               </Target></Targets></TimeSpan></TimeSpans></Profile>";
    let targets = |words: &[&str], file: (&str, &str)| {
        let common = "convert --to native --assume-size 1GiB --map-drive r=/mnt/r --map d:=/mnt/d";
        let (ended, _) = Cli::new(common.split(' ').chain(words.iter().copied()))
            .file(file.0, file.1)
            .end();
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        let lines = ended
            .stdout
            .lines()
            .filter(|line| line.starts_with("targets = "));
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        lines.first().cloned().unwrap_or_default()
    };
    let here = "targets = [\"/mnt/r/temp/io.dat\"]";
    assert_eq!(targets(&["a.fio"], ("a.fio", fio)), here);
    assert_eq!(targets(&["a.xml"], ("a.xml", xml)), here);
    let line = ["--from", "diskspd", "--", "-b8K", "r:\\temp\\io.dat"];
    assert_eq!(targets(&line, ("a", "")), here);
    let file = "targets = [\"/mnt/d/iobw.tst\"]";
    assert_eq!(targets(&["a.icf"], ("a.icf", icf)), file);
}

#[test]
fn what_starts_the_tasks_is_taken_with_the_words() {
    let lines = |words: &str, line: &str| {
        let (told, _) = Cli::line(words).end();
        told.stdout.lines().filter(|one| *one == line).count()
    };
    // A job for each task of two phases, and one of all threads.
    let ior = "convert --from ior -- mpirun -n 8 ior -t 1m -b 1g -o /data/file";
    assert_eq!(lines(ior, "[[phase.job]]"), 16);
    let mdtest = "convert --from mdtest -- mpirun -n 8 mdtest -F -C -n 1000 -d /data";
    assert_eq!(lines(mdtest, "threads = 8"), 1);
}
