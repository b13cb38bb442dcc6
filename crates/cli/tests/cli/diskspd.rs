//! `fathom diskspd`: DISKSPD's words in, DISKSPD's report out.

use crate::command::Cli;
use crate::document::read;

/// A simulated disk that serves each request in 10 ms; the same result in every run.
const SIM: [&str; 5] = ["diskspd", "--engine", "sim", "--sim-service-time", "10ms"];

/// The whole report from the results on.
const RESULTS: &str = include_str!("diskspd.txt");

fn simulated<'a>(own: &[&'a str], theirs: &'a str) -> Vec<&'a str> {
    let mut words = SIM.to_vec();
    words.extend(own);
    words.extend(theirs.split(' '));
    words
}

#[test]
fn the_report_is_diskspd_s() {
    let theirs = "-c1G -b8K -d5 -W0 -h -L -D -o8 -r -w0 /data/io.dat";
    let (ended, _) = Cli::new(simulated(&["--quiet"], theirs)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let (asked, results) = ended.stdout.split_once("Results for").expect("results");
    let results: Vec<&str> = results
        .lines()
        .take_while(|line| !line.starts_with("note"))
        .collect();
    let expected = RESULTS.strip_prefix("Results for").expect("its title");
    assert_eq!(results.join("\n").trim_end(), expected.trim_end());
    let command = asked.lines().nth(1);
    assert_eq!(
        command,
        Some(format!("Command Line: diskspd {theirs}").as_str())
    );
}

#[test]
fn xml_begins_with_its_root_and_can_be_run_again() {
    let theirs = "-c1G -b8K -d2 -W0 -Rxml -si -t2 /data/io.dat";
    let (ended, _) = Cli::new(simulated(&["--quiet"], theirs)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(ended.stdout.lines().next(), Some("<Results>"));
    let again = simulated(&["--quiet"], "-Xresult.xml -d1 -Rtext");
    let (ended, _) = Cli::new(again).file("result.xml", &ended.stdout).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let duration = ended
        .stdout
        .lines()
        .find(|line| line.starts_with("\tduration"));
    assert_eq!(duration, Some("\tduration: 1s"));
}

#[test]
fn notes_are_told_and_the_result_can_be_had_in_our_forms() {
    let notes = "\
note: approximated: `-c64K`: a file of this size that Fathom made is used again, where DISKSPD \
makes it anew; a new one is filled with data, where DISKSPD leaves zeros
note: ignored: `-x`: Linux has neither; `--engine` before the options chooses the engine
";
    let own = ["--no-live", "--output", "json:r.json"];
    let words = simulated(&own, "-c64K -x -b4K -d1 -W0 /data/io.dat");
    let (ended, folder) = Cli::new(words).end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), ""));
    let told: Vec<&str> = ended.stderr.lines().take(2).collect();
    assert_eq!(told, notes.lines().collect::<Vec<_>>());
    let result = read(&folder.path().join("r.json"));
    assert_eq!(result["provenance"]["workload"]["name"], "diskspd");
}

#[test]
fn what_the_result_is_worth_is_told_beside_the_report() {
    let words = simulated(&["--no-live"], "-c64K -b4K -d5 -W0 /data/io.dat");
    let (ended, _folder) = Cli::new(words).end();
    let told = ended.stderr.split_once("QUALIFIED").map(|(_, told)| told);
    let verdict =
        "   diskspd: virtual time: the numbers describe a model of storage, not a device \
         [simulated]
            try: measure the real storage before you rely on these numbers
\
         note: the CPUs were not sampled individually; their usage prints as 0
";
    assert_eq!((ended.status, told), (Some(0), Some(verdict)));
}

#[test]
fn what_diskspd_refuses_is_refused_at_its_place() {
    let stderr = "\
error: the number of threads is a number of at least 1
 --> command line:1:9
  |
1 | diskspd -t0 -q x
  |         ^^^
  = help: as in `-t8`

error: `-q` is no option of DISKSPD
 --> command line:1:13
  |
1 | diskspd -t0 -q x
  |             ^^
  = help: the letters are ?:aBbcCdDefFghiIjlLnNoOpPrRsStTvwWxXyzZ
";
    Cli::new(["diskspd", "-t0", "-q", "x"]).check(3, "", stderr);
    let stderr = "error: `r:\\temp\\io.dat` cannot be used here: it is a Windows path
 --> command \
                  line:1:17
  |
1 | diskspd -h -c1G r:\\temp\\io.dat
  |                 \
                  ^^^^^^^^^^^^^^
  = help: `--map-drive r=DIR` or `--target PATH` before the \
                  options, or a path of Linux
";
    let words = ["diskspd", "-h", "-c1G", "r:\\temp\\io.dat"];
    Cli::new(words).check(3, "", stderr);
}

#[test]
fn without_a_word_it_shows_its_options_and_ends_as_diskspd_does() {
    let (asked, _) = Cli::new(["diskspd", "-?"]).end();
    let (ended, _) = Cli::new(["diskspd"]).end();
    assert_eq!((asked.status, asked.stderr.as_str()), (Some(0), ""));
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(3), ""));
    assert_eq!(ended.stdout, asked.stdout);
    // What is wrong with Fathom's own options is Fathom's to say.
    let (ended, _) = Cli::new(["diskspd", "--no-such-option", "-b8K", "x"]).end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(3), ""));
    let (ended, _) = Cli::new(["diskspd", "--engine", "none", "-b8K", "x"]).end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), ""));
}

/// The first line of a report that tells where a load went.
fn place(report: &str) -> Option<String> {
    let path = |line: &str| line.starts_with("\tpath: ").then(|| line.to_owned());
    report.lines().find_map(path)
}

#[test]
fn lines_of_studies_run_as_they_were_pasted() {
    let pasted = "-b8K -d1 -W0 -h -L -o8 -t16 -r -w0 -c64K r:\\temp\\io.dat";
    let own = ["--quiet", "--no-save", "--target", "here.dat"];
    let (ended, _) = Cli::new(simulated(&own, pasted)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(place(&ended.stdout).as_deref(), Some("\tpath: 'here.dat'"));
    let command = format!("Command Line: diskspd {pasted}");
    assert_eq!(ended.stdout.lines().nth(1), Some(command.as_str()));
    // A folder takes each file by its own name.
    let own = ["--quiet", "--no-save", "--target", "."];
    let (ended, _) = Cli::new(simulated(&own, pasted)).end();
    assert_eq!(place(&ended.stdout).as_deref(), Some("\tpath: './io.dat'"));
    let stderr = "\
error: nothing is called `q:\\io.dat`
 --> command line:1:10
  |
1 | --target q:\\io.dat=x
  |          ^^^^^^^^^^^
  = help: the words name r:\\temp\\io.dat
";
    let own = ["--quiet", "--no-save", "--target", "q:\\io.dat=x"];
    Cli::new(simulated(&own, pasted)).check(3, "", stderr);
}

#[test]
fn paths_of_windows_are_found_where_their_drive_is_in_a_profile_too() {
    let words = "--map r:=. --quiet --no-save -c64K -b4K -d1 -W0 r:\\temp.dat";
    let (ended, folder) = Cli::new(simulated(&[], words)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let path = |line: &str| line.starts_with("\tpath: ").then(|| line.to_owned());
    let asked = ended.stdout.lines().find_map(path);
    assert_eq!(asked.as_deref(), Some("\tpath: './temp.dat'"));
    drop(folder);
    let profile = "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>R:\\a\\b.dat</Path>\
                   <FileSize>65536</FileSize></Target></Targets></TimeSpan></TimeSpans></Profile>";
    let words = simulated(&[], "--map r:=. --quiet --no-save -Xp.xml -d1 -W0");
    let (ended, _folder) = Cli::new(words).file("p.xml", profile).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let asked = ended.stdout.lines().find_map(path);
    assert_eq!(asked.as_deref(), Some("\tpath: './a/b.dat'"));
}

#[test]
fn what_is_remarked_is_no_part_of_the_report() {
    let theirs = "-c1G -b8K -d5 -W0 -h -L -D -o8 -r -w0 /data/io.dat";
    let (ended, _) = Cli::new(simulated(&["--no-live"], theirs)).end();
    let notes = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("note: "))
            .count()
    };
    assert_eq!((ended.status, notes(&ended.stdout)), (Some(0), 0));
    let remark = "note: 3992 requests say nothing about percentiles from 3-nines on: fewer than \
                  ten lie beyond, so these rows rest on chance";
    assert!(
        ended.stderr.lines().any(|line| line == remark),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_profile_is_shown_without_a_run() {
    let (ended, _) = Cli::new(["diskspd", "-b8K", "-r", "-Rpxml", "*1"]).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(
        (lines[0], lines[lines.len() - 1]),
        ("<Profile>", "</Profile>")
    );
}

/// The rows of the table below a title: thread, requests, deviation, file.
fn rows(report: &str, title: &str) -> Vec<(u64, u64, String, String)> {
    let (_, table) = report.split_once(title).expect("a table");
    let lines = table.lines().skip(2);
    let rows = lines.take_while(|line| !line.starts_with('-'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let number = |at: usize| cells[at].parse().expect("a number");
        (
            number(0),
            number(2),
            cells[6].to_owned(),
            cells[8].to_owned(),
        )
    })
    .collect()
}

#[test]
fn a_pool_of_threads_has_a_row_for_each_of_its_targets() {
    let theirs = "-c64K -b4K -d4 -W0 -h -L -D -F2 -o1 -r /data/a.dat /data/b.dat /data/c.dat";
    let (ended, _) = Cli::new(simulated(&["--quiet"], theirs)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let told = rows(&ended.stdout, "Total IO\n");
    let row = |thread: u64, name: &str| {
        let file = format!("/data/{name}.dat (64KiB)");
        (thread, 399, "0.43".to_owned(), file)
    };
    let threads = [0, 1];
    let expected = threads.map(|thread| ["a", "b", "c"].map(|name| row(thread, name)));
    assert_eq!(told, expected.concat());
    // With a queue for all targets, its places are shared.
    let theirs = "-c64K -b4K -d4 -W0 -h -L -D -F1 -O2 -r /data/a.dat /data/b.dat";
    let (ended, _) = Cli::new(simulated(&["--quiet"], theirs)).end();
    let told = rows(&ended.stdout, "Total IO\n");
    let total: u64 = told.iter().map(|(_, ios, ..)| ios).sum();
    assert_eq!((told.len(), total), (2, 798));
}

/// Titles of the charts of latency, each with its last row.
fn charts(report: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in report.lines() {
        let title = line.split_once("atency distribution:");
        if let Some((_, path)) = title {
            found.push((path.trim().to_owned(), String::new()));
        } else if let (true, Some((_, row))) = (line.starts_with("    max |"), found.last_mut()) {
            line["    max |".len()..].trim().clone_into(row);
        }
    }
    found
}

#[test]
fn a_pool_of_threads_has_the_latencies_of_each_of_its_targets() {
    let theirs = "-c64K -b4K -d4 -W0 -h -L -F2 -o1 -r -w50 -z1 /data/a.dat /data/b.dat";
    let (ended, _) = Cli::new(simulated(&["--quiet"], theirs)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let row = |path: &str| (path.to_owned(), ["10.000"; 3].join(" |     "));
    assert_eq!(
        charts(&ended.stdout),
        [row("/data/a.dat"), row("/data/b.dat"), row("")]
    );
    // One target has no chart beside that of all.
    let theirs = "-c64K -b4K -d4 -W0 -h -L -F2 -o1 -r /data/a.dat";
    let (ended, _) = Cli::new(simulated(&["--quiet"], theirs)).end();
    let reads = "10.000 |        N/A |     10.000".to_owned();
    assert_eq!(charts(&ended.stdout), [(String::new(), reads)]);
}

/// The values of an attribute in all elements of a name, as they follow each other.
fn values(xml: &str, element: &str, attribute: &str) -> Vec<String> {
    let begin = format!("<{element} ");
    let elements = xml.split(&begin).skip(1);
    let value = |element: &str| {
        let (_, rest) = element.split_once(&format!("{attribute}=\""))?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    elements.filter_map(value).collect()
}

#[test]
fn every_thread_has_the_buckets_of_each_of_its_targets() {
    let buckets = |theirs: &str| {
        let (ended, _) = Cli::new(simulated(&["--quiet"], theirs)).end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        let parts: Vec<Vec<String>> = ended
            .stdout
            .split("<Thread>")
            .map(|part| {
                let targets = part.split("<Target>").skip(1);
                targets
                    .map(|target| values(target, "Bucket", "Read").join(" "))
                    .collect()
            })
            .collect();
        parts[1..].to_vec()
    };
    let alike =
        |threads: usize, targets: usize| vec![vec!["99 100 100 100".to_owned(); targets]; threads];
    let pool = "-c64K -b4K -d4 -W0 -h -D -F2 -o1 -r -Rxml /data/a.dat /data/b.dat";
    assert_eq!(buckets(pool), alike(2, 2));
    let apart = "-c64K -b4K -d4 -W0 -h -D -t3 -o1 -r -Rxml /data/a.dat";
    assert_eq!(buckets(apart), alike(3, 1));
}

/// The texts of all elements of a name, as they follow each other.
fn texts<'a>(xml: &'a str, element: &str) -> Vec<&'a str> {
    let (begin, end) = (format!("<{element}>"), format!("</{element}>"));
    let elements = xml.split(&begin).skip(1);
    elements
        .filter_map(|rest| Some(rest.split_once(&end)?.0))
        .collect()
}

/// VMFleet (microsoft/diskspd, c361eed) calls these lines, with a number of its sweep in the place
/// of each, and adds up what it finds in the XML: requests and bytes of all targets over the time
/// of the span, percentiles by their position among the buckets, means, and the buckets of IOPS.
#[test]
fn the_lines_of_vmfleet_run_and_say_what_its_scripts_read() {
    let files = "/data/testfile1.dat /data/testfile2.dat";
    for line in [
        "-n -h -t1 -o8 -b4k -r4k -w30 -W1 -d4 -C1 -D -L",
        "-Z20M -z -h -t1 -o8 -g1000 -b4k -s4k -w30 -W1 -C1 -d4 -D -L -Rtext",
    ] {
        let words = format!("-c1M {line} {files}");
        let (ended, _) = Cli::new(simulated(&["--quiet"], &words)).end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        let titles: Vec<String> = charts(&ended.stdout).into_iter().map(|one| one.0).collect();
        assert_eq!(titles, ["/data/testfile1.dat", "/data/testfile2.dat", ""]);
    }
    let line = "-Z20M -z -h -t1 -o8 -b4k -r4k -w30 -W1 -C1 -d4 -D -L -Rxml";
    let words = format!("-c1M {line} {files}");
    let (ended, _) = Cli::new(simulated(&["--quiet"], &words)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let xml = &ended.stdout;
    let sum = |names: [&str; 2]| -> u64 {
        let found = names.into_iter().flat_map(|name| texts(xml, name));
        found
            .map(|text| text.parse::<u64>().expect("a number"))
            .sum()
    };
    // Two targets with eight requests each, 10 ms long, for 4 s.
    assert_eq!(texts(xml, "TestTimeSeconds"), ["4.00"]);
    assert_eq!(sum(["ReadCount", "WriteCount"]), 6400);
    assert_eq!(sum(["ReadBytes", "WriteBytes"]), 6400 * 4096);
    let latency = texts(xml, "Bucket");
    for percentile in [50, 90, 99] {
        let bucket = latency[percentile];
        let found = ["Percentile", "ReadMilliseconds", "WriteMilliseconds"];
        let found: Vec<&str> = found
            .into_iter()
            .flat_map(|name| texts(bucket, name))
            .collect();
        assert_eq!(found, [percentile.to_string().as_str(), "10.000", "10.000"]);
    }
    for mean in ["AverageReadMilliseconds", "AverageWriteMilliseconds"] {
        assert_eq!(texts(xml, mean), ["10.000"]);
    }
    let of_span = xml
        .split("<Thread>")
        .next()
        .expect("what is before the threads");
    assert_eq!(values(of_span, "Bucket", "Total"), ["1600"; 4]);
}

#[test]
fn files_of_others_are_spared_and_ours_stay() {
    let stderr = "error: cannot open DIR/mine for writing
  because: the file exists (8192 bytes) \
                  and was not created by fathom, or was changed since
  try:     --overwrite if \
                  you mean to destroy its contents, or another name
";
    let words = ["diskspd", "--quiet", "-b4K", "-w100", "-Zr", "-d1", "mine"];
    Cli::new(words).file("mine", [7; 8192]).check(1, "", stderr);
    let words = "diskspd --quiet -c64K -b4K -w100 -Zr -d1 -W0 -Sb new";
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let length = std::fs::metadata(folder.path().join("new"))
        .expect("it stays")
        .len();
    assert_eq!(length, 65_536);
}

#[test]
fn writes_carry_parts_of_what_a_file_holds() {
    let held: Vec<u8> = (0..3000_u16).flat_map(u16::to_le_bytes).collect();
    let line = "diskspd --quiet --engine psync -c64K -b4K -w100 -s -Z8K,pages -d1 -W0 -Sb new";
    let (ended, folder) = Cli::line(line).file("pages", &held).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let source = "\t\twrite buffer size: 8KiB\n\t\twrite buffer source: 'pages'\n";
    assert_eq!(ended.stdout.matches(source).count(), 1);
    let written = std::fs::read(folder.path().join("new")).expect("it stays");
    // What is kept of a shorter file is all of it again and again.
    let kept: Vec<u8> = held.iter().copied().cycle().take(8192).collect();
    let place = |block: &[u8]| kept.windows(4096).position(|part| part == block);
    let places: Vec<usize> = written.chunks(4096).filter_map(place).collect();
    assert_eq!((written.len(), places.len()), (65_536, 16));
    let different: std::collections::BTreeSet<&usize> = places.iter().collect();
    assert!(different.len() > 8, "{places:?}");
    let stderr = "error: cannot read the content of writes from none
  because: no such file or \
                  directory
  try:     set `data_file` to a readable file (DISKSPD: -Z<size>,FILE)
";
    let line = "diskspd --quiet --engine psync -c64K -b4K -w100 -Z8K,none -d1 -W0 -Sb new";
    Cli::line(line).check(3, "", stderr);
}
