//! What DISKSPD's own tests of its two reports hold fast: each line of a target, and a result of
//! known counts, in text and in XML.

use fathom_core::Op;
use fathom_core::fixture::{self, JobPlan, Stream};
use fathom_core::result::{ProcessorUse, RunResult, TargetInfo};
use fathom_diskspd::layout::{input_text, text, xml};
use fathom_diskspd::profile::{Cache, Content, MapFlush, Ranges, Target, Throttle, TimeSpan};
use fathom_diskspd::{Profile, xml::profile_element};

const GB: u64 = 1 << 30;

fn profile(span: TimeSpan) -> Profile {
    Profile {
        spans: vec![span],
        ..Profile::default()
    }
}

/// The lines of a target whose threads are told elsewhere.
fn lines(target: &Target) -> Vec<String> {
    let span = TimeSpan {
        threads: 1,
        targets: vec![target.clone()],
        ..TimeSpan::default()
    };
    let text = input_text(&profile(span), &[]);
    let lines = text.lines().skip_while(|line| *line != "\tpath: ''");
    let lines = lines.filter_map(|line| line.strip_prefix("\t\t"));
    lines.map(str::to_owned).collect()
}

/// The lines of a target as it is by default.
const PLAIN: [&str; 9] = [
    "think time: 0ms",
    "burst size: 0",
    "using software cache",
    "using hardware write cache, writethrough off",
    "performing read test",
    "block size: 64KiB",
    "using sequential I/O (stride: 64KiB)",
    "number of outstanding I/O operations per thread: 2",
    "IO priority: normal",
];

/// Where lines differ from the plain ones.
enum Edit {
    /// This line in the place of the plain one with the number.
    Instead(usize, &'static str),
    /// These lines before the plain one with the number, 9 for the end.
    Before(usize, &'static [&'static str]),
}
use Edit::{Before, Instead};

fn edited(edits: &[Edit]) -> Vec<String> {
    let mut lines = Vec::new();
    for number in 0..=PLAIN.len() {
        let mut plain = PLAIN.get(number).copied();
        for edit in edits {
            match edit {
                Before(at, more) if *at == number => lines.extend_from_slice(more),
                Instead(at, line) if *at == number => plain = Some(line),
                _ => {}
            }
        }
        lines.extend(plain);
    }
    lines.into_iter().map(str::to_owned).collect()
}

/// A change of a target, and what becomes of its lines.
type Case = (fn(&mut Target), &'static [Edit]);

/// Each by itself.
const APART: &[Case] = &[
    (|_| {}, &[]),
    (
        |t| t.thread_stride_bytes = 100 << 10,
        &[Before(8, &["thread stride size: 100KiB"])],
    ),
    (
        |t| t.max_bytes = Some(2000 << 10),
        &[Before(8, &["max file size: 1.95MiB"])],
    ),
    (
        |t| t.base_bytes = 2 << 20,
        &[Before(8, &["base file offset: 2MiB"])],
    ),
    (
        |t| t.throttle = Some(Throttle::BytesPerMs(1000)),
        &[Before(9, &["throughput rate-limited to 1000 B/ms"])],
    ),
    (
        |t| t.throttle = Some(Throttle::Iops(1000)),
        &[Before(9, &["throughput rate-limited to 1000 IOPS"])],
    ),
    (
        |t| t.write_percent = 30,
        &[Instead(4, "performing mix test (read/write ratio: 70/30)")],
    ),
    (
        |t| t.content = source(None),
        &[Before(
            4,
            &[
                "write buffer size: 11.77MiB",
                "write buffer source: random fill",
            ],
        )],
    ),
];

const RANDOM: Edit = Instead(6, "using random I/O (alignment: 64KiB)");
const LOCAL: Edit = Instead(2, "local software cache disabled, remote cache enabled");

/// Each on a target of random requests.
const AT_RANDOM: &[Case] = &[
    (
        |t| t.content = source(Some("x:\\foo\\bar.dat")),
        &[
            RANDOM,
            Before(
                4,
                &[
                    "write buffer size: 11.77MiB",
                    "write buffer source: 'x:\\foo\\bar.dat'",
                ],
            ),
        ],
    ),
    (
        |t| t.cache = Cache::Uncached,
        &[RANDOM, Instead(2, "software cache disabled")],
    ),
    (
        |t| (t.cache, t.write_through) = (Cache::Uncached, true),
        &[
            RANDOM,
            Instead(2, "software cache disabled"),
            Instead(3, "hardware write cache disabled, writethrough on"),
        ],
    ),
    (
        |t| t.write_through = true,
        &[
            RANDOM,
            Instead(
                3,
                "hardware and software write caches disabled, writethrough on",
            ),
        ],
    ),
    (|t| t.cache = Cache::LocalUncached, &[RANDOM, LOCAL]),
    (
        |t| t.memory_mapped = true,
        &[RANDOM, Before(4, &["memory mapped I/O enabled"])],
    ),
    (
        |t| mapped(t, MapFlush::View),
        &[
            RANDOM,
            Before(
                4,
                &["memory mapped I/O enabled, flush mode: FlushViewOfFile"],
            ),
        ],
    ),
    (
        |t| mapped(t, MapFlush::NonVolatile),
        &[
            RANDOM,
            Before(
                4,
                &["memory mapped I/O enabled, flush mode: FlushNonVolatileMemory"],
            ),
        ],
    ),
    (
        |t| mapped(t, MapFlush::NonVolatileNoDrain),
        &[
            RANDOM,
            Before(
                4,
                &["memory mapped I/O enabled, flush mode: FlushNonVolatileMemory with no drain"],
            ),
        ],
    ),
    (
        |t| (t.cache, t.temporary_hint) = (Cache::LocalUncached, true),
        &[
            RANDOM,
            LOCAL,
            Before(8, &["using FILE_ATTRIBUTE_TEMPORARY hint"]),
        ],
    ),
    (
        |t| {
            t.cache = Cache::LocalUncached;
            (t.random_access_hint, t.temporary_hint) = (true, true);
        },
        &[
            RANDOM,
            LOCAL,
            Before(
                8,
                &[
                    "using FILE_FLAG_RANDOM_ACCESS hint",
                    "using FILE_ATTRIBUTE_TEMPORARY hint",
                ],
            ),
        ],
    ),
    (
        |t| (t.cache, t.sequential_scan_hint) = (Cache::LocalUncached, true),
        &[
            RANDOM,
            LOCAL,
            Before(8, &["using FILE_FLAG_SEQUENTIAL_SCAN hint"]),
        ],
    ),
];

fn source(file: Option<&str>) -> Content {
    Content::Buffer {
        bytes: 12_341_234,
        file: file.map(str::to_owned),
    }
}

fn mapped(target: &mut Target, flush: MapFlush) {
    target.memory_mapped = true;
    target.flush = Some(flush);
}

#[test]
fn a_target_has_a_line_for_each_of_its_settings() {
    for (index, (change, edits)) in APART.iter().enumerate() {
        let mut target = Target::default();
        change(&mut target);
        assert_eq!(lines(&target), edited(edits), "case {index}");
    }
    for (index, (change, edits)) in AT_RANDOM.iter().enumerate() {
        let mut target = Target::default();
        target.order.random_percent = 100;
        change(&mut target);
        assert_eq!(lines(&target), edited(edits), "random case {index}");
    }
}

#[test]
fn a_distribution_is_told_with_its_rest() {
    let of = |ranges: Ranges| {
        let mut target = Target::default();
        target.order.ranges = ranges;
        lines(&target)
    };
    let percent = Ranges::Percent(vec![(10, 10), (10, 10), (0, 10)]);
    let expected = [Before(
        9,
        &[
            "IO Distribution:",
            "    10% of IO => [ 0% -  10%) of target",
            "    10% of IO => [10% -  20%) of target",
            "     0% of IO => [20% -  30%) of target",
            "    80% of IO => [30% - 100%) of target",
        ],
    )];
    assert_eq!(of(percent), edited(&expected));
    let absolute = Ranges::Absolute(vec![(10, GB), (10, GB), (0, 100 * GB)]);
    let expected = [Before(
        9,
        &[
            "IO Distribution:",
            "    10% of IO => [     0    -      1GiB)",
            "    10% of IO => [     1GiB -      2GiB)",
            "     0% of IO => [     2GiB -    102GiB)",
            "    80% of IO => [   102GiB -       end)",
        ],
    )];
    assert_eq!(of(absolute), edited(&expected));
}

#[test]
fn a_profile_of_defaults_is_told_whole() {
    let span = TimeSpan {
        targets: vec![Target::default()],
        ..TimeSpan::default()
    };
    let told = input_text(&profile(span), &[]);
    let of_target = edited(&[Before(
        8,
        &["threads per file: 1", "using I/O Completion Ports"],
    )]);
    let of_target = format!("\t\t{}\n", of_target.join("\n\t\t"));
    assert_eq!(
        told,
        format!(
            "\nCommand Line: \n\nInput parameters:\n\n\ttimespan:   1\n\t-------------\n\t\
             duration: 10s\n\twarm up time: 5s\n\tcool down time: 0s\n\trandom seed: 0\n\tpath: \
             ''\n{of_target}\n"
        )
    );
}

const MIB: u64 = 1 << 20;

/// 120 s of 6 reads of 4 MiB together and 10 writes of 2 MiB together, by one thread; one read in
/// each of the first ten seconds, for the series.
fn run(path: &str, processors: Vec<ProcessorUse>) -> RunResult {
    let streams = vec![
        Stream::sequential(Op::Read, 65_536, vec![1; 10]),
        Stream::sequential(Op::Write, 65_536, vec![0; 10]),
    ];
    let mut run = fixture::run(
        "run",
        &[("timespan 1", vec![JobPlan::closed("t", 2, streams)])],
    );
    let host = &mut run.provenance.host;
    host.hostname.clear();
    host.cpus = processors.len() as u32;
    "2026-01-02T03:04:05Z".clone_into(&mut run.provenance.started_at);
    let known = run.provenance.targets.remove(0);
    run.provenance.targets = vec![TargetInfo {
        path: path.to_owned(),
        size_bytes: 10 * MIB,
        ..known
    }];
    let phase = &mut run.phases[0];
    phase.measured_ns = 120_000_000_000;
    phase.process.processors = processors;
    let job = &mut phase.jobs[0];
    (job.threads, job.targets) = (1, vec![path.to_owned()]);
    for (op, ios, bytes) in [(Op::Read, 6, 4 * MIB), (Op::Write, 10, 2 * MIB)] {
        let found = job.ops[op].as_mut().expect("it is there");
        (found.ios, found.bytes) = (ios, bytes);
    }
    run
}

/// A processor at 30 % for programs, 25 % in the kernel.
fn busy() -> ProcessorUse {
    ProcessorUse {
        user_percent: 30.0,
        kernel_percent: 25.0,
        idle_percent: 45.0,
        ..ProcessorUse::default()
    }
}

/// A table of requests, by the cells of its one line.
fn table(title: &str, cells: &str) -> String {
    let rule = "-".repeat(91);
    format!(
        "\n{title} IO\nthread |       bytes     |     I/Os     |    MiB/s   |  I/O per s | \
         IopsStdDev |  file\n{rule}\n     0 | {cells} | testfile1.dat (10MiB)\n{rule}\ntotal:   \
         {cells}\n"
    )
}

#[test]
fn a_result_of_known_counts_is_laid_out_so() {
    let span = TimeSpan {
        iops_bucket_ms: Some(1000),
        ..TimeSpan::default()
    };
    let told = text(&run("testfile1.dat", vec![busy()]), &profile(span), &[]);
    let asterisks = "*".repeat(79);
    let rule = "-".repeat(40);
    let expected = format!(
        "\nCommand Line: \n\nInput parameters:\n\n\ttimespan:   1\n\t-------------\n\tduration: \
         10s\n\twarm up time: 5s\n\tcool down time: 0s\n\tgathering IOPS at intervals of \
         1000ms\n\trandom seed: 0\n\nSystem information:\n\n\tcomputer name: \n\tstart time: \
         2026/01/02 03:04:05 UTC\n\n\tcpu count:\t\t1\n\tcore count:\t\t1\n\tgroup \
         count:\t\t1\n\tnode count:\t\t1\n\tsocket count:\t\t1\n\theterogeneous \
         cores:\tn\n\n\tactive power scheme:\t\n\nResults for timespan \
         1:\n{asterisks}\n\nactual test time:\t120.00s\nthread count:\t\t1\n\nCPU |  Usage |  \
         User  | Kernel |  Idle\n{rule}\n   0|  55.00%|  30.00%|  25.00%|  \
         45.00%\n{rule}\navg.|  55.00%|  30.00%|  25.00%|  45.00%\n{}{}{}",
        table(
            "Total",
            "        6291456 |           16 |       0.05 |       0.13 |       0.00"
        ),
        table(
            "Read",
            "        4194304 |            6 |       0.03 |       0.05 |       0.00"
        ),
        table(
            "Write",
            "        2097152 |           10 |       0.02 |       0.08 |       0.00"
        ),
    );
    assert_eq!(told, expected);
}

/// The element of a target with this rate.
fn target_element(rate: &str) -> String {
    format!(
        "<Target>\n  <Path>testfile1.dat</Path>\n  <BlockSize>65536</BlockSize>\n  \
         <BaseFileOffset>0</BaseFileOffset>\n  <SequentialScan>false</SequentialScan>\n  \
         <RandomAccess>false</RandomAccess>\n  <TemporaryFile>false</TemporaryFile>\n  \
         <UseLargePages>false</UseLargePages>\n  <DisableOSCache>true</DisableOSCache>\n  \
         <WriteThrough>true</WriteThrough>\n  <WriteBufferContent>\n    \
         <Pattern>sequential</Pattern>\n  </WriteBufferContent>\n  \
         <ParallelAsyncIO>false</ParallelAsyncIO>\n  <StrideSize>65536</StrideSize>\n  \
         <InterlockedSequential>false</InterlockedSequential>\n  \
         <ThreadStride>0</ThreadStride>\n  <MaxFileSize>0</MaxFileSize>\n  \
         <RequestCount>2</RequestCount>\n  <WriteRatio>0</WriteRatio>\n  \
         <Throughput{rate}</Throughput>\n  <ThreadsPerFile>1</ThreadsPerFile>\n  \
         <IOPriority>3</IOPriority>\n  <Weight>1</Weight>\n</Target>\n"
    )
}

fn uncached(throttle: Option<Throttle>) -> Target {
    Target {
        path: "testfile1.dat".to_owned(),
        cache: Cache::Uncached,
        write_through: true,
        throttle,
        ..Target::default()
    }
}

/// Lines with so many more blanks before them.
fn indented(text: &str, blanks: usize) -> String {
    let blanks = " ".repeat(blanks);
    let lines = text.lines().map(|line| [&blanks, line, "\n"].concat());
    lines.collect()
}

/// The element of a profile of one time span.
fn profile_text(iops: bool, target: &str) -> String {
    let target = indented(target, 8);
    format!(
        "<Profile>\n  <Progress>0</Progress>\n  <ResultFormat>text</ResultFormat>\n  \
         <Verbose>false</Verbose>\n  <TimeSpans>\n    <TimeSpan>\n      \
         <CompletionRoutines>false</CompletionRoutines>\n      \
         <MeasureLatency>false</MeasureLatency>\n      \
         <CalculateIopsStdDev>{iops}</CalculateIopsStdDev>\n      \
         <DisableAffinity>false</DisableAffinity>\n      <Duration>10</Duration>\n      \
         <Warmup>5</Warmup>\n      <Cooldown>0</Cooldown>\n      <ThreadCount>0</ThreadCount>\n\
         \x20     <RequestCount>0</RequestCount>\n      <IoBucketDuration>1000\
         </IoBucketDuration>\n      \
         <RandSeed>0</RandSeed>\n      <Targets>\n{target}      </Targets>\n    </TimeSpan>\n  \
         </TimeSpans>\n</Profile>\n"
    )
}

#[test]
fn a_profile_is_written_as_an_element() {
    let of = |target: Target| {
        let targets = vec![target];
        let span = TimeSpan {
            targets,
            ..TimeSpan::default()
        };
        profile_element(&profile(span)).render()
    };
    for (throttle, rate) in [
        (None, ">0"),
        (Some(Throttle::Iops(1000)), " unit=\"IOPS\">1000"),
        (Some(Throttle::BytesPerMs(1000)), ">1000"),
    ] {
        let expected = profile_text(false, &target_element(rate));
        assert_eq!(of(uncached(throttle)), expected);
    }
    let plain = target_element(">0").replace("testfile1.dat", "").replace(
        "  <DisableOSCache>true</DisableOSCache>\n  <WriteThrough>true</WriteThrough>\n",
        "",
    );
    let expected = profile_text(false, &plain);
    assert_eq!(
        of(Target::default()).replace("<Path/>", "<Path></Path>"),
        expected
    );
}

/// A processor of the result in XML.
fn cpu(group: u32, id: u32, shares: [&str; 4]) -> String {
    format!(
        "<CPU>\n  <Socket>0</Socket>\n  <Node>0</Node>\n  <Group>{group}</Group>\n  \
         <Core>0</Core>\n  <EfficiencyClass>0</EfficiencyClass>\n  <Id>{id}</Id>\n{}</CPU>\n",
        of_shares(shares)
    )
}

fn of_shares([usage, user, kernel, idle]: [&str; 4]) -> String {
    format!(
        "  <UsagePercent>{usage}</UsagePercent>\n  <UserPercent>{user}</UserPercent>\n  \
         <KernelPercent>{kernel}</KernelPercent>\n  <IdlePercent>{idle}</IdlePercent>\n"
    )
}

/// The series of one read a second.
fn of_iops() -> String {
    let bucket = |second: u32| {
        let zeros = |side: &str| {
            [
                "MinLatencyMilliseconds",
                "MaxLatencyMilliseconds",
                "AvgLatencyMilliseconds",
            ]
            .map(|name| format!(" {side}{name}=\"0.000\""))
            .concat()
                + &format!(" {side}LatencyStdDev=\"0.000\"")
        };
        format!(
            "  <Bucket SampleMillisecond=\"{second}000\" Read=\"1\" Write=\"0\" \
             Total=\"1\"{}{}/>\n",
            zeros("Read"),
            zeros("Write")
        )
    };
    let buckets: String = (1..=10).map(bucket).collect();
    format!(
        "<Iops>\n  <ReadIopsStdDev>0.000</ReadIopsStdDev>\n  \
         <WriteIopsStdDev>0.000</WriteIopsStdDev>\n  <IopsStdDev>0.000\
         </IopsStdDev>\n{buckets}</Iops>\n"
    )
}

#[test]
fn a_result_of_known_counts_is_written_so() {
    let idle = |number| ProcessorUse {
        number,
        core: 32,
        idle_percent: 100.0,
        ..ProcessorUse::default()
    };
    let mut run = run("testfile1.dat", vec![busy(), idle(64), idle(65)]);
    run.provenance.version = "1.0".to_owned();
    let span = TimeSpan {
        iops_bucket_ms: Some(1000),
        targets: vec![uncached(Some(Throttle::Iops(1000)))],
        ..TimeSpan::default()
    };
    let told = xml(&run, &profile(span));
    let iops = of_iops();
    let none = ["0.00", "0.00", "0.00", "100.00"];
    let masks = "    <Group Group=\"0\" Mask=\"0x1\"/>\n    <Group Group=\"1\" Mask=\"0x3\"/>\n";
    let system = format!(
        "<System>\n  <ComputerName/>\n  <Tool>\n    <Version>Fathom 1.0</Version>\n    \
         <VersionDate/>\n  </Tool>\n  <RunTime>2026/01/02 03:04:05 UTC</RunTime>\n  \
         <ProcessorTopology Heterogeneous=\"false\">\n    <Group Group=\"0\" \
         MaximumProcessors=\"1\" ActiveProcessors=\"1\" ActiveProcessorMask=\"0x1\"/>\n    <Group \
         Group=\"1\" MaximumProcessors=\"2\" ActiveProcessors=\"2\" \
         ActiveProcessorMask=\"0x3\"/>\n    <Node Node=\"0\">\n{}    </Node>\n    <Socket \
         Socket=\"0\">\n{}    </Socket>\n    <Core Group=\"0\" Core=\"0\" Mask=\"0x1\" \
         EfficiencyClass=\"0\"/>\n    <Core Group=\"1\" Core=\"0\" Mask=\"0x3\" \
         EfficiencyClass=\"0\"/>\n  </ProcessorTopology>\n</System>\n",
        indented(masks, 2),
        indented(masks, 2)
    );
    let cpus = [
        cpu(0, 0, ["55.00", "30.00", "25.00", "45.00"]),
        cpu(1, 0, none),
        cpu(1, 1, none),
        format!(
            "<Average>\n{}</Average>\n",
            of_shares(["18.33", "10.00", "8.33", "81.67"])
        ),
    ];
    let thread = format!(
        "<Thread>\n  <Id>0</Id>\n  <Target>\n    <Path>testfile1.dat</Path>\n    \
         <BytesCount>6291456</BytesCount>\n    <FileSize>10485760</FileSize>\n    \
         <IOCount>16</IOCount>\n    <ReadBytes>4194304</ReadBytes>\n    \
         <ReadCount>6</ReadCount>\n    <WriteBytes>2097152</WriteBytes>\n    \
         <WriteCount>10</WriteCount>\n{}  </Target>\n</Thread>\n",
        indented(&iops, 4)
    );
    let expected = format!(
        "<Results>\n{}{}  <TimeSpan>\n    <TestTimeSeconds>120.00</TestTimeSeconds>\n    \
         <ThreadCount>1</ThreadCount>\n    <RequestCount>0</RequestCount>\n    \
         <ProcCount>3</ProcCount>\n    <CpuUtilization>\n{}    </CpuUtilization>\n{}{}  \
         </TimeSpan>\n</Results>\n",
        indented(&system, 2),
        indented(
            &profile_text(true, &target_element(" unit=\"IOPS\">1000")),
            2
        ),
        indented(&cpus.concat(), 6),
        indented(&iops, 4),
        indented(&thread, 4)
    );
    assert_eq!(told, expected);
}
