//! fio's servers and clients: members that wait for a coordinator, and hosts that are told apart.

use crate::command::{Cli, Ended};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use tempfile::TempDir;

mod hostile;

/// A folder with servers, which end with it.
struct Servers(TempDir);

impl Drop for Servers {
    fn drop(&mut self) {
        let files = std::fs::read_dir(self.0.path()).into_iter().flatten();
        let files = files.flatten().map(|entry| entry.path());
        for file in files.filter(|path| path.extension().is_some_and(|one| one == "pid")) {
            // Those that a test has ended itself are gone.
            let _ = number(&file).map(|pid| kill_process(pid, Signal::KILL));
        }
    }
}

fn number(file: &std::path::Path) -> Option<Pid> {
    let text = std::fs::read_to_string(file).ok()?;
    Pid::from_raw(text.trim().parse().ok()?)
}

impl Servers {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        std::fs::write(place.path("data"), vec![1; 256 << 10]).expect("a file");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn token(&self) -> String {
        format!("--token-file={}", self.path("secret").display())
    }

    /// Starts a server that listens at a socket of this name.
    fn start(&self, name: &str, pid_file: &str) -> Ended {
        let server = format!("--server=sock:{}", self.path(name).display());
        let daemon = format!("--daemonize={}", self.path(pid_file).display());
        self.end(&[&server, &daemon, &self.token()])
    }

    fn client(&self, name: &str) -> String {
        format!("--client=sock:{}", self.path(name).display())
    }

    /// fio with these words; the folder reads `PLACE`.
    fn end(&self, words: &[&str]) -> Ended {
        let (ended, _folder) = Cli::new(["fio"].iter().chain(words)).end();
        let place = self.0.path().display().to_string();
        Ended {
            stdout: ended.stdout.replace(&place, "PLACE"),
            stderr: ended.stderr.replace(&place, "PLACE"),
            ..ended
        }
    }

    /// Sixty-four reads by each of these clients.
    fn read(&self, clients: &[&str], words: &[&str]) -> Ended {
        let clients: Vec<String> = clients.iter().map(|name| self.client(name)).collect();
        let file = format!("--filename={}", self.path("data").display());
        let job = [
            "--name=r",
            "--rw=read",
            "--bs=4k",
            "--size=256k",
            "--no-save",
        ];
        let mut all: Vec<&str> = clients.iter().map(String::as_str).collect();
        all.extend(job);
        all.push(&file);
        all.extend(words);
        self.end(&all)
    }
}

fn silent(status: i32) -> Ended {
    Ended {
        status: Some(status),
        signal: None,
        stdout: String::new(),
        stderr: String::new(),
    }
}

#[test]
fn clients_of_servers_are_told_apart_and_together() {
    let place = Servers::new();
    assert_eq!(place.start("a", "a.pid"), silent(0));
    assert_eq!(place.start("b", "b.pid"), silent(0));
    let mode = std::fs::metadata(place.path("secret")).expect("it was made");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    let token = place.token();
    let words = [&token, "--output-format=json", "--lat_percentiles=1"];
    let ended = place.read(&["a", "b"], &words);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document: Value = serde_json::from_str(&ended.stdout).expect("fio's JSON");
    let rows = document["client_stats"].as_array().expect("rows");
    let told = rows.iter().map(|row| {
        let of = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let read = &row["read"];
        let percentiles = read["lat_ns"]["percentile"].as_object();
        (
            of("jobname"),
            of("hostname"),
            row["job options"]["bs"].as_str().is_some(),
            row["eta"].is_null(),
            read["total_ios"].as_u64(),
            read["clat_ns"]["N"].as_u64(),
            percentiles.map(serde_json::Map::len),
        )
    });
    let row = |name: &str, host: &str, has_options, ios| {
        let (name, host) = (name.to_owned(), host.to_owned());
        (
            name,
            host,
            has_options,
            true,
            Some(ios),
            Some(ios),
            Some(17),
        )
    };
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            row("r", "PLACE/a", true, 64),
            row("r", "PLACE/b", true, 64),
            row("All clients", "PLACE/b", false, 128),
        ]
    );
    assert!(document["jobs"].is_null());
}

#[test]
fn terse_lines_are_those_of_each_client_and_of_all() {
    let place = Servers::new();
    place.start("a", "a.pid");
    place.start("b", "b.pid");
    let token = place.token();
    let told = |clients: &[&str]| {
        let ended = place.read(clients, &[&token, "--output-format=terse"]);
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        let field = |line: &str, at: usize| line.split(';').nth(at).map(str::to_owned);
        let lines = ended.stdout.lines();
        let told = lines.map(|line| (field(line, 2), field(line, 5)));
        told.collect::<Vec<_>>()
    };
    let line = |name: &str, kib: &str| (Some(name.to_owned()), Some(kib.to_owned()));
    assert_eq!(told(&["a"]), [line("r", "256")]);
    assert_eq!(
        told(&["a", "b"]),
        [
            line("r", "256"),
            line("r", "256"),
            line("All clients", "512")
        ]
    );
}

#[test]
fn nothing_is_run_for_who_does_not_know_the_secret() {
    let place = Servers::new();
    place.start("a", "a.pid");
    std::fs::write(place.path("other"), "another secret, long enough").expect("a file");
    let own = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(place.path("other"), own).expect("a mode");
    let other = format!("--token-file={}", place.path("other").display());
    let ended = place.read(&["a"], &[&other]);
    let host = rustix::system::uname();
    let host = host.nodename().to_string_lossy();
    let expected = format!(
        "localhost (rank 0) is refused: {host} has another token\nlocalhost (rank 0) is missing: \
         {host} has another token\nnothing is measured: no member came\nerror: nothing was \
         measured\n  because: no member came\n  try:     fix the cause above, or use \
         --allow-missing to measure with the other members\n"
    );
    assert_eq!((ended.status, ended.stderr), (Some(4), expected));
    let ended = place.read(&["a"], &[]);
    let home = "server.token is not there. A server is a `fathom` too: the protocol is not that of \
                other programs\n  try:     copy that file from a server's host, or set \
                --token-file FILE\n";
    assert_eq!(ended.status, Some(2));
    assert_eq!(ended.stderr.split('/').next_back(), Some(home));
}

#[test]
fn a_server_that_is_gone_is_named_and_its_socket_taken_over() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let busy = place.start("a", "b.pid");
    let said = "error: cannot listen at PLACE/a\n  because: address already in use\n  try:     \
                another --server=HOST,PORT, or an end of what listens there\n";
    assert_eq!((busy.status, busy.stderr.as_str()), (Some(4), said));
    let pid = number(&place.path("a.pid")).expect("it runs");
    kill_process(pid, Signal::KILL).expect("it runs");
    while UnixStream::connect(place.path("a")).is_ok() {
        std::thread::yield_now();
    }
    let token = place.token();
    let ended = place.read(&["a"], &[&token]);
    let said = "localhost (rank 0) is missing: connection refused\nnothing is measured: no member \
                came\nerror: nothing was measured\n  because: no member came\n  try:     fix the \
                cause above, or use --allow-missing to measure with the other members\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), said));
    assert_eq!(place.start("a", "a.pid"), silent(0));
    assert_eq!(place.read(&["a"], &[&token]).status, Some(0));
}

#[test]
fn a_file_that_holds_no_number_is_not_taken_for_one() {
    let place = Servers::new();
    std::fs::write(place.path("notes"), "dear diary").expect("a file");
    let ended = place.start("a", "notes");
    let said = "error: cannot write the number of the server to PLACE/notes\n  because: the file \
                exists (10 bytes)\n  try:     another --daemonize=FILE, or an end of the server of \
                that number\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), said));
    let kept = std::fs::read_to_string(place.path("notes")).expect("it is there");
    assert_eq!(kept, "dear diary");
}

/// Processes that a process has started and not awaited.
fn children(of: Pid) -> usize {
    let path = format!("/proc/{0}/task/{0}/children", of.as_raw_nonzero());
    let text = std::fs::read_to_string(path).expect("it runs");
    text.split_whitespace().count()
}

#[test]
fn who_says_nothing_gets_no_process_and_keeps_nobody_out() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let call = || UnixStream::connect(place.path("a")).expect("it listens");
    let silent: Vec<UnixStream> = std::iter::repeat_with(call).take(100).collect();
    let ended = place.read(&["a"], &[&place.token()]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let server = number(&place.path("a.pid")).expect("its number");
    assert_eq!((children(server), silent.len()), (0, 100));
}

#[test]
fn a_server_that_only_reads_writes_for_nobody() {
    let place = Servers::new();
    let server = format!("--server=sock:{}", place.path("a").display());
    let daemon = format!("--daemonize={}", place.path("a.pid").display());
    let ended = place.end(&[&server, &daemon, &place.token(), "--readonly"]);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert_eq!(place.read(&["a"], &[&place.token()]).status, Some(0));
    let file = format!("--filename={}", place.path("data").display());
    let job = [
        "--name=w",
        "--rw=write",
        "--bs=4k",
        "--size=256k",
        "--no-save",
    ];
    let mut words = vec![place.client("a"), place.token(), file];
    words.extend(job.map(str::to_owned));
    words.push("--overwrite".to_owned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(place.end(&words).status, Some(4));
    let kept = std::fs::read(place.path("data")).expect("a file");
    assert!(kept.iter().all(|byte| *byte == 1));
}

#[test]
fn what_a_server_has_no_use_for_is_refused() {
    let cases = [
        (
            &["--server", "--name=a"][..],
            "a server runs what its clients send, and no jobs of its own",
        ),
        (
            &["--server", "--client=b"],
            "a server runs what its clients send, and no jobs of its own",
        ),
        (
            &["--daemonize=f"],
            "only a server goes on in the background",
        ),
        (
            &["--server", "--output=f"],
            "a server has no use for an option of this call",
        ),
        (
            &["--server=vsock:1"],
            "sockets of virtual machines are not served",
        ),
    ];
    for (words, expected) in cases {
        let (ended, _folder) = Cli::new(["fio"].iter().chain(words)).end();
        let first = ended.stderr.lines().next();
        let expected = format!("error: {expected}");
        assert_eq!((ended.status, first), (Some(2), Some(expected.as_str())));
    }
}

#[test]
fn hosts_are_reached_one_way() {
    let (ended, _folder) = Cli::line("fio --client=a --client=b,8765 --name=r --size=4k").end();
    let said = "error: some clients are servers, and some are not\n  because: hosts without a port \
                use ssh\n  try:     use --token-file, so that all of them are servers\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), said));
}

#[test]
fn a_shell_can_name_the_secret_for_calls_as_they_are() {
    let place = Servers::new();
    let token = place.path("secret").display().to_string();
    let call = |words: &[&str]| {
        let cli = Cli::new(["fio"].iter().chain(words));
        cli.with("FATHOM_SERVER_TOKEN", &token).end().0
    };
    let server = format!("--server=sock:{}", place.path("a").display());
    let daemon = format!("--daemonize={}", place.path("a.pid").display());
    assert_eq!(call(&[&server, &daemon]), silent(0));
    let file = format!("--filename={}", place.path("data").display());
    let job = ["--name=r", "--rw=read", "--size=256k", "--no-save", &file];
    let client = place.client("a");
    let words: Vec<&str> = [client.as_str()].into_iter().chain(job).collect();
    let read = call(&[&words[..], &["--output-format=terse"]].concat());
    let kib = read.stdout.split(';').nth(5);
    assert_eq!(
        (read.status, read.stderr.as_str(), kib),
        (Some(0), "", Some("256"))
    );
}

#[test]
fn the_number_of_a_server_that_runs_stays() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let number = std::fs::read_to_string(place.path("a.pid")).expect("a number");
    let second = place.start("b", "a.pid");
    assert_eq!(second.status, Some(4));
    let kept = std::fs::read_to_string(place.path("a.pid")).expect("a number");
    assert_eq!(kept, number);
    // Nobody would find the second: it has not stayed.
    assert!(UnixStream::connect(place.path("b")).is_err());
}

#[test]
fn clients_can_be_named_in_a_file_and_one_with_two_rows_has_a_sum() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let clients = format!("sock:{}  # here\n", place.path("a").display());
    std::fs::write(place.path("clients"), clients).expect("a file");
    let client = format!("--client={}", place.path("clients").display());
    let file = format!("--filename={}", place.path("data").display());
    let job = ["--rw=read", "--size=128k", "--stonewall", &file];
    let token = place.token();
    let words = [
        client.as_str(),
        &token,
        "--no-save",
        "--output-format=terse",
    ];
    let jobs = [&["--name=p"][..], &job, &["--name=q"], &job].concat();
    let ended = place.end(&[&words[..], &jobs].concat());
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let lines = ended.stdout.lines();
    let told = lines.map(|line| {
        line.split(';')
            .skip(2)
            .step_by(3)
            .take(2)
            .collect::<Vec<_>>()
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [["p", "128"], ["q", "128"], ["All clients", "256"]]
    );
}

#[test]
fn what_servers_have_no_use_for_is_refused_to_their_clients() {
    let words = "fio --client=a,8765 --per-host=2 --name=r --size=4k";
    let (ended, _folder) = Cli::line(words).end();
    let said = "error: --per-host has nothing to change\n  because: each client is a server, which \
                is one member\n  try:     without --per-host; --client more than once for more \
                members\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), said));
}

#[test]
fn what_is_on_other_machines_is_not_looked_for_on_this_one() {
    let begin = "fio --client=a --name=r --filename=data --rw=read";
    let whole = "add size=, as in `size=1g`: sizes on other hosts are not known here";
    let share = "in bytes: sizes on other hosts are not known here";
    for (words, expected) in [
        (&[][..], ("the job `r` has no size", whole)),
        (
            &["--size=50%"],
            ("a size in percent of a target that is not there", share),
        ),
        (
            &["--size=1m", "--offset=25%"],
            ("an offset in percent of a target that is not there", share),
        ),
        (
            &["--size=1m", "--allow_file_create=0"],
            (
                "whether data is there on other hosts is not known here",
                "without allow_file_create=0",
            ),
        ),
    ] {
        let cli = Cli::new(begin.split(' ').chain(words.iter().copied()));
        let (ended, _folder) = cli.file("data", [0; 8192]).end();
        let mut lines = ended.stderr.lines();
        let first = lines.next().and_then(|line| line.strip_prefix("error: "));
        let last = lines.next_back();
        let last = last.and_then(|line| line.strip_prefix("  = help: "));
        let told = (first.unwrap_or_default(), last.unwrap_or_default());
        assert_eq!((ended.status, told), (Some(2), expected));
    }
}

#[test]
fn hosts_in_a_file_of_servers_are_not_passed_over() {
    let cli = Cli::new(["fio", "--client=hosts", "--name=r", "--size=4k"]);
    let (ended, _folder) = cli.file("hosts", "a,8765 # with a port\n\nb\n").end();
    let said = "error: some clients are servers, and some are not\n  because: hosts without a port \
                use ssh\n  try:     use --token-file, so that all of them are servers\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), said));
}

/// All of a target for a time, whose size is of no account: that of each host.
#[test]
fn a_whole_target_for_a_time_needs_no_size() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let file = format!("--filename={}", place.path("data").display());
    let (client, token) = (place.client("a"), place.token());
    let ended = place.end(&[
        &client,
        &token,
        "--name=r",
        "--rw=read",
        "--time_based",
        "--runtime=1",
        "--no-save",
        "--output-format=terse",
        &file,
    ]);
    let kib: Option<u64> = ended
        .stdout
        .split(';')
        .nth(5)
        .and_then(|kib| kib.parse().ok());
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert!(kib > Some(0), "{kib:?}");
}

/// fio's clients write the logs of their servers, each with the host at the end of its name.
#[test]
fn logs_of_servers_are_written_where_they_were_asked_for() {
    let place = Servers::new();
    place.start("a", "a.pid");
    place.start("b", "b.pid");
    let log = |name: &str| format!("--{name}={}", place.path("l").display());
    let words = [
        &place.token(),
        &log("write_lat_log"),
        &log("write_bw_log"),
        "--log_offset=1",
        "--numjobs=2",
        "--thread",
        "--output-format=terse",
    ];
    let ended = place.read(&["a", "b", "a"], &words);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let server = |name: &str| place.path(name).display().to_string().replace('/', "_");
    let hosts = [server("a"), server("b"), format!("{}.2", server("a"))];
    let mut expected = Vec::new();
    for host in &hosts {
        for kind in ["bw", "clat", "lat", "slat"] {
            expected.extend([1, 2].map(|thread| format!("l_{kind}.{thread}.log.{host}")));
        }
    }
    expected.sort();
    let entries = std::fs::read_dir(place.0.path())
        .expect("a folder")
        .flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut logs: Vec<String> = names.filter(|name| name.starts_with("l_")).collect();
    logs.sort();
    assert_eq!(logs, expected);
    // Every request of every thread, in the order of its offsets; psync has no submission.
    let offsets: Vec<String> = (0..64).map(|n: u64| (n * 4096).to_string()).collect();
    for name in logs {
        let text = std::fs::read_to_string(place.path(&name)).expect("a log");
        let fields = text.lines().map(|line| line.split(", ").nth(4));
        let told: Vec<&str> = fields.flatten().collect();
        let expected = if name.starts_with("l_slat") {
            &[][..]
        } else {
            &offsets
        };
        assert_eq!(told, expected, "{name}");
    }
}

/// The job files of two clients, each with a section of its own: so many KiB are read.
fn two_files(place: &Servers) -> [String; 2] {
    let file = |name: &str, size: &str| {
        let path = place.path(&format!("{name}.fio"));
        let data = place.path("data");
        let text = format!(
            "[global]\nrw=read\nfilename={}\n[{name}]\nbs={size}\nsize=128k\n",
            data.display()
        );
        std::fs::write(&path, text).expect("a job file");
        path.display().to_string()
    };
    [file("p", "4k"), file("q", "8k")]
}

#[test]
fn each_client_has_the_jobs_of_the_files_behind_it() {
    let place = Servers::new();
    place.start("a", "a.pid");
    place.start("b", "b.pid");
    let [p, q] = two_files(&place);
    let (a, b, token) = (place.client("a"), place.client("b"), place.token());
    let log = format!("--write_iops_log={}", place.path("l").display());
    let words = [&a, &p, &a, &q, &token, "--no-save", &log];
    let ended = place.end(&words);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    // The second run on a host has logs of its own.
    let name = place.path("a").display().to_string().replace('/', "_");
    let lines = ["", ".2"].map(|end| {
        let log = place.path(&format!("l_iops.1.log.{name}{end}"));
        let text = std::fs::read_to_string(log).expect("a log");
        text.lines().count()
    });
    assert_eq!(lines, [32, 16]);
    let words = [&a, &p, &b, &q, &token, "--no-save"];
    let ended = place.end(&[&words[..], &["--output-format=json"]].concat());
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document: Value = serde_json::from_str(&ended.stdout).expect("fio's JSON");
    let rows = document["client_stats"].as_array().expect("rows");
    let told = rows.iter().map(|row| {
        let of = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        (
            of("jobname"),
            of("hostname"),
            row["read"]["total_ios"].as_u64(),
        )
    });
    let row = |name: &str, host: &str, ios| (name.to_owned(), format!("PLACE/{host}"), Some(ios));
    let expected = [
        row("p", "a", 32),
        row("q", "b", 16),
        row("All clients", "b", 48),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let options = document["global options"].as_array().expect("options");
    let hosts = options.iter().map(|one| one["hostname"].as_str());
    assert_eq!(
        hosts.collect::<Vec<_>>(),
        [Some("PLACE/a"), Some("PLACE/b")]
    );
    let runs = document["fathom"].as_array().map(Vec::len);
    assert_eq!(runs, Some(2));
}

#[test]
fn a_client_that_cannot_be_reached_does_not_take_the_others_reports() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let [p, q] = two_files(&place);
    let (a, b, token) = (place.client("a"), place.client("b"), place.token());
    let words = [&a, &p, &b, &q, &token, "--no-save", "--output-format=terse"];
    let ended = place.end(&words);
    let fields = |line: &str| {
        let fields = line.split(';').skip(2).step_by(3).take(2);
        fields.map(str::to_owned).collect::<Vec<_>>()
    };
    let told: Vec<_> = ended.stdout.lines().map(fields).collect();
    assert_eq!(
        (ended.status, told),
        (Some(4), vec![vec!["p".to_owned(), "128".to_owned()]])
    );
    let said = "localhost (rank 0) is missing: no such file or directory\nnothing is measured: no \
                member came\nerror: nothing was measured\n  because: no member came\n  try:     \
                fix the cause above, or use --allow-missing to measure with the other members\n";
    assert_eq!(ended.stderr, said);
}

#[test]
fn what_several_runs_cannot_do_is_refused_before_any_begins() {
    let place = Servers::new();
    let [p, q] = two_files(&place);
    let (a, b, token) = (place.client("a"), place.client("b"), place.token());
    let result = place.path("result").display().to_string();
    let output = format!("--output={result}");
    let end = |words: &[&str]| {
        let all = [a.as_str(), &p, &b, &q, &token, "--no-save", &output];
        place.end(&[&all[..], words].concat())
    };
    let own = "\n  because: clients with jobs of their own are runs of their own\n  try:     ";
    for (words, thing, rest) in [
        (
            &["--print"][..],
            "--print shows one workload",
            format!("{own}a call for each of them\n"),
        ),
        (
            &["--status-interval=1"],
            "many hosts report at the end",
            "\n  because: they do not travel to where the results of all are\n  try:     \
             without --status-interval\n"
                .to_owned(),
        ),
    ] {
        let ended = end(words);
        let said = format!("error: {thing}{rest}");
        assert_eq!((ended.status, ended.stderr), (Some(2), said));
    }
    assert!(!std::path::Path::new(&result).exists());
    assert_eq!(end(&["--parse-only"]), silent(0));
}

#[test]
fn clients_with_jobs_of_their_own_are_ended_as_one_and_told_of() {
    let place = Servers::new();
    place.start("a", "a.pid");
    place.start("b", "b.pid");
    let [p, q] = two_files(&place);
    let (a, b, token) = (place.client("a"), place.client("b"), place.token());
    let log = format!("--write_iops_log={}", place.path("l").display());
    let words = format!("fio {a} {p} {b} {q} {token} {log} --no-save --output-format=terse");
    let endless = ["--time_based", "--runtime=1h", "--rate_iops=100000"];
    let running = Cli::new(words.split(' ').chain(endless)).start();
    let logged = |server: &str| {
        let host = place.path(server).display().to_string().replace('/', "_");
        let log = place.path(&format!("l_iops.1.log.{host}"));
        std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
    };
    while !(logged("a") && logged("b")) {
        std::thread::yield_now();
    }
    running.send(Signal::INT);
    let (ended, _folder) = running.end();
    let names = ended.stdout.lines().map(|line| line.split(';').nth(2));
    let names: Vec<_> = names.flatten().collect();
    assert_eq!(
        (ended.status, names),
        (Some(130), vec!["p", "q", "All clients"])
    );
}
