//! What DISKSPD's own tests of its profile parser hold fast, document by document: the verdict, and
//! what the elements come to.

use fathom_diskspd::profile::{
    Cache, Content, MapFlush, Order, Ranges, Target, ThreadTarget, Throttle, TimeSpan,
};
use fathom_diskspd::{self as diskspd, Profile};
use fathom_tools::{Diagnostic, Surroundings};
use std::io;
use std::path::Path;

/// A profile of these parts.
fn document(beside: &str, spans: &[&str]) -> String {
    let spans = spans.iter();
    let spans = spans.map(|span| format!("<TimeSpan>{span}</TimeSpan>\n"));
    let spans = spans.collect::<Vec<_>>().concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Profile>{beside}<TimeSpans>\n{spans}\
         </TimeSpans></Profile>\n"
    )
}

/// Targets with these elements each, beside a path.
fn targets(targets: &[&str]) -> String {
    let targets = targets.iter();
    let targets = targets.map(|target| format!("<Target><Path></Path>{target}</Target>"));
    format!(
        "<Targets>{}</Targets>",
        targets.collect::<Vec<_>>().concat()
    )
}

/// A profile of one time span with one target.
fn of_target(elements: &str) -> String {
    document("", &[&targets(&[elements])])
}

fn taken(text: &str) -> Profile {
    match diskspd::read_profile(text, "a.xml") {
        Ok(input) => input.profile,
        Err(found) => panic!("{text}\n{}", found[0]),
    }
}

fn refused(text: &str) -> String {
    match diskspd::read_profile(text, "a.xml") {
        Ok(_) => panic!("{text} is taken"),
        Err(found) => found[0].message.clone(),
    }
}

fn one(text: &str) -> Target {
    let profile = taken(text);
    let [span] = profile.spans.as_slice() else {
        panic!("{text}: {} time spans", profile.spans.len());
    };
    let [target] = span.targets.as_slice() else {
        panic!("{text}: {} targets", span.targets.len());
    };
    target.clone()
}

#[test]
fn files_are_made_before_in_three_ways() {
    let ways = [
        "UseMaxSize",
        "CreateOnlyFilesWithConstantSizes",
        "CreateOnlyFilesWithConstantOrZeroSizes",
    ];
    for way in ways {
        let element = format!("<PrecreateFiles>{way}</PrecreateFiles>");
        let profile = taken(&document(&element, &[&targets(&[""])]));
        assert_eq!(profile.precreate.as_deref(), Some(way));
    }
    let element = "<PrecreateFiles>Always</PrecreateFiles>";
    let message = refused(&document(element, &[&targets(&[""])]));
    assert_eq!(message, "`Always` is no way to make files before");
}

#[test]
fn writes_carry_what_the_target_and_its_time_span_say() {
    let content = |inner: &str| {
        one(&of_target(&format!(
            "<WriteBufferContent>{inner}</WriteBufferContent>"
        )))
        .content
    };
    let buffer = |file: Option<&str>| Content::Buffer {
        bytes: 223_311,
        file: file.map(str::to_owned),
    };
    let source = |file: &str| {
        format!(
            "<Pattern>random</Pattern><RandomDataSource><SizeInBytes>223311</SizeInBytes>{file}\
             </RandomDataSource>"
        )
    };
    assert_eq!(content("<Pattern>sequential</Pattern>"), Content::Counting);
    assert_eq!(content("<Pattern>zero</Pattern>"), Content::Zero);
    assert_eq!(content(&source("")), buffer(None));
    let file = "<FilePath>x:\\foo\\bar.dat</FilePath>";
    assert_eq!(content(&source(file)), buffer(Some("x:\\foo\\bar.dat")));
    // DISKSPD fills no buffer without a size.
    assert_eq!(content("<Pattern>random</Pattern>"), Content::Counting);
    let span = format!(
        "<RandomWriteData>true</RandomWriteData>{}",
        targets(&[
            "",
            "<WriteBufferContent><Pattern>zero</Pattern></WriteBufferContent>"
        ])
    );
    let profile = taken(&document("", &[&span]));
    let contents = profile.spans[0].targets.iter();
    let contents: Vec<Content> = contents.map(|target| target.content.clone()).collect();
    assert_eq!(contents, [Content::Random, Content::Zero]);
    let message = refused(&of_target("<RandomWriteData>true</RandomWriteData>"));
    assert_eq!(
        message,
        "`<RandomWriteData>` does not belong into `<Target>`"
    );
}

#[test]
fn threads_are_pinned_with_groups_or_without() {
    let pinned = |inner: &str| {
        let span = format!("{}<Affinity>{inner}</Affinity>", targets(&[""]));
        document("", &[&span])
    };
    let of_group = |group: u32, processor: u32| {
        format!("<AffinityGroupAssignment Group=\"{group}\" Processor =\"{processor}\"/>")
    };
    let both = |group, processor| pinned(&(of_group(0, 2) + &of_group(group, processor)));
    assert_eq!(taken(&both(1, 32)).spans[0].affinity, [(0, 2), (1, 32)]);
    refused(&both(1, 300));
    refused(&both(70_000, 32));
    let old = |processor: u32| format!("<AffinityAssignment>{processor}</AffinityAssignment>");
    assert_eq!(
        taken(&pinned(&(old(1) + &old(31)))).spans[0].affinity,
        [(0, 1), (0, 31)]
    );
    refused(&pinned(&(old(1) + &of_group(0, 2))));
    refused(&pinned(""));
}

#[test]
fn threads_of_a_pool_choose_their_targets() {
    let chosen = "<Weight>100</Weight><ThreadTargets>\
                  <ThreadTarget><Thread>0</Thread><Weight>200</Weight></ThreadTarget>\
                  <ThreadTarget><Thread>1</Thread><Weight>50</Weight></ThreadTarget>\
                  <ThreadTarget><Thread>2</Thread></ThreadTarget></ThreadTargets>";
    let all = targets(&[chosen, "<Weight>100</Weight>"]);
    let pool = |count: &str| format!("<ThreadCount>{count}</ThreadCount>");
    let queue = "<RequestCount>6</RequestCount>";
    let profile = taken(&document("", &[&format!("{}{queue}{all}", pool("4"))]));
    let of = |thread, weight| ThreadTarget { thread, weight };
    let span = &profile.spans[0];
    assert_eq!((span.threads, span.outstanding), (4, 6));
    let found: Vec<_> = span
        .targets
        .iter()
        .map(|t| (t.weight, t.thread_targets.clone()))
        .collect();
    let first = vec![of(0, Some(200)), of(1, Some(50)), of(2, None)];
    assert_eq!(found, [(100, first), (100, Vec::new())]);
    // What was read is written, and read again.
    let again = diskspd::xml::profile_element(&profile).render();
    assert_eq!(taken(&again), profile);
    refused(&document("", &[&format!("{}{queue}{all}", pool("2"))]));
    refused(&document("", &[&format!("{}{all}", pool("4"))]));
    refused(&document("", &[&format!("{queue}{all}")]));
    let none = targets(&["<Weight>0</Weight>"]);
    refused(&document("", &[&format!("{}{queue}{none}", pool("4"))]));
}

#[test]
fn a_rate_is_in_bytes_a_millisecond_or_in_requests() {
    let rate = |unit: &str, rate: &str| {
        of_target(&format!(
            "<BlockSize>131072</BlockSize><Throughput{unit}>{rate}</Throughput>"
        ))
    };
    let found = |unit, number| {
        let target = one(&rate(unit, number));
        (
            target.throttle,
            target
                .throttle
                .map(|rate| rate.bytes_per_ms(target.block_bytes)),
        )
    };
    let iops = Some(Throttle::Iops(10));
    assert_eq!(
        found(" unit=\"IOPS\"", "10"),
        (iops, Some(128 * 1024 * 10 / 1000))
    );
    let bytes = |rate| (Some(Throttle::BytesPerMs(rate)), Some(u64::from(rate)));
    assert_eq!(found(" unit=\"BPMS\"", "1500"), bytes(1500));
    assert_eq!(found("", "1024"), bytes(1024));
    for (unit, number) in [
        (" unit=\"FRUIT\"", "1500"),
        (" unit=\"IOPS\"", "FRUIT"),
        (" unit=\"BPMS\"", "FRUIT"),
        ("", "FRUIT"),
        (" per=\"s\"", "10"),
    ] {
        refused(&rate(unit, number));
    }
}

#[test]
fn a_share_of_random_requests_needs_no_alignment() {
    let ratio = |beside: &str, ratio: &str| {
        of_target(&format!("{beside}<RandomRatio>{ratio}</RandomRatio>"))
    };
    let order = |random_percent, stride_bytes| Order {
        random_percent,
        ..Order::sequential(stride_bytes)
    };
    assert_eq!(one(&ratio("", "50")).order, order(50, 65_536));
    assert_eq!(
        one(&ratio("<BlockSize>8192</BlockSize>", "50")).order,
        order(50, 8192)
    );
    assert_eq!(
        one(&ratio("<Random>8192</Random>", "50")).order,
        order(50, 8192)
    );
    for number in ["0", "100", "-100", "200", "junk"] {
        refused(&ratio("", number));
    }
    let stride = "<StrideSize>8192</StrideSize>";
    let message = refused(&ratio(stride, "50"));
    assert_eq!(
        message,
        "`<StrideSize>`, which is sequential, excludes `<RandomRatio>`"
    );
    let message = refused(&of_target(&format!("{stride}<Random>8192</Random>")));
    assert_eq!(
        message,
        "`<StrideSize>`, which is sequential, excludes `<Random>`"
    );
    refused(&of_target(
        "<InterlockedSequential>true</InterlockedSequential><Random>512</Random>",
    ));
}

fn ranges(form: &str, list: &[(u32, u64)]) -> String {
    let range = |(io, of): &(u32, u64)| format!("<Range IO=\"{io}\">{of}</Range>");
    let list: String = list.iter().map(range).collect();
    of_target(&format!(
        "<Random>65536</Random><Distribution><{form}>{list}</{form}></Distribution>"
    ))
}

#[test]
fn ranges_in_bytes_leave_the_rest_to_the_end_of_the_target() {
    const GB: u64 = 1 << 30;
    let list = vec![(10, GB), (10, GB), (0, 100 * GB)];
    let target = one(&ranges("Absolute", &list));
    assert_eq!(target.order.ranges, Ranges::Absolute(list));
    // As DISKSPD writes it: with its rest.
    let whole = [(10, GB), (90, 0)];
    let target = one(&ranges("Absolute", &whole));
    assert_eq!(target.order.ranges, Ranges::Absolute(vec![(10, GB)]));
    refused(&ranges("Absolute", &[(10, 10)]));
    refused(&ranges("Absolute", &[(10, GB), (10, 0), (80, GB)]));
    refused(&ranges(
        "Absolute",
        &[(10, 10 * GB), (80, 10 * GB), (20, 10 * GB)],
    ));
    refused(&ranges("Absolute", &[(10, GB), (50, 0)]));
    refused(&ranges("Absolute", &[]));
}

#[test]
fn ranges_in_percent_come_to_the_whole_target() {
    let list = vec![(10, 10), (10, 10), (0, 10)];
    let target = one(&ranges("Percent", &list));
    assert_eq!(target.order.ranges, Ranges::Percent(list));
    let whole = vec![(90, 10), (10, 90)];
    let target = one(&ranges("Percent", &whole));
    assert_eq!(target.order.ranges, Ranges::Percent(whole));
    for list in [
        &[(10, 10), (10, 0), (80, 10)][..],
        &[(10, 10), (90, 0)],
        &[(10, 10), (80, 10), (20, 80)],
        &[(10, 10), (80, 10), (10, 10)],
        &[(10, 10), (10, 80), (10, 10)],
    ] {
        refused(&ranges("Percent", list));
    }
    // The command line knows the rule as well.
    let line = |ranges: &str| {
        let line = format!("diskspd -r -rdpct{ranges} /data/a");
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        diskspd::read(&words, &Files("")).is_ok()
    };
    assert_eq!(
        (line("10/10:80/10:10/10"), line("10/10:80/10:10/80")),
        (false, true)
    );
}

#[test]
fn what_the_schema_has_once_is_there_once_and_nothing_else_is() {
    for elements in [
        "<BlockSize>4096</BlockSize><BlockSize>8192</BlockSize>",
        "<Path>again</Path>",
        "<BlockSize unit=\"KiB\">4</BlockSize>",
        "words",
        "<BlockSize>5000000000</BlockSize>",
        "<Name>a</Name>",
        "<WriteBufferContent>zero</WriteBufferContent>",
        "<Distribution/>",
        "<SequentialScan>yes</SequentialScan>",
    ] {
        refused(&of_target(elements));
    }
    for beside in [
        "<ResultFormat>XML</ResultFormat>",
        "<ETW><Disk>true</Disk></ETW>",
        "<ETW><DiskIO>yes</DiskIO></ETW>",
        "<Verbose>true</Verbose><Verbose>true</Verbose>",
    ] {
        refused(&document(beside, &[&targets(&[""])]));
    }
    refused(&document("", &["<Duration>1</Duration>"]));
    refused(&document("", &["<Targets/>"]));
    refused(&document("", &[]));
}

fn targets_of_the_blend() -> Vec<Target> {
    let strided = |cache| Target {
        block_bytes: 200,
        write_percent: 85,
        priority: 2,
        order: Order {
            interlocked: true,
            ..Order::sequential(2222)
        },
        cache,
        ..Target::default()
    };
    vec![
        Target {
            block_bytes: 100,
            outstanding: 123,
            order: Order {
                random_percent: 100,
                ..Order::sequential(234)
            },
            base_bytes: 333,
            cache: Cache::Uncached,
            write_through: true,
            file_bytes: Some(56),
            max_bytes: Some(561),
            write_percent: 84,
            burst: Some(86),
            think_ms: Some(88),
            sequential_scan_hint: true,
            random_access_hint: true,
            large_pages: true,
            throttle: Some(Throttle::BytesPerMs(60)),
            ..Target::default()
        },
        strided(Cache::Cached),
        Target {
            temporary_hint: true,
            ..strided(Cache::LocalUncached)
        },
        Target {
            write_through: true,
            ..strided(Cache::Uncached)
        },
    ]
}

#[test]
fn a_broad_blend_of_elements_is_read() {
    let first = "<BlockSize>100</BlockSize><RequestCount>123</RequestCount>\
                 <Random>234</Random><BaseFileOffset>333</BaseFileOffset>\
                 <DisableOSCache>true</DisableOSCache><WriteThrough>true</WriteThrough>\
                 <FileSize>56</FileSize><MaxFileSize>561</MaxFileSize>\
                 <WriteRatio>84</WriteRatio><BurstSize>86</BurstSize><ThinkTime>88</ThinkTime>\
                 <SequentialScan>true</SequentialScan><RandomAccess>true</RandomAccess>\
                 <UseLargePages>true</UseLargePages><Throughput>60</Throughput>";
    let strided = "<BlockSize>200</BlockSize><WriteRatio>85</WriteRatio>\
                   <IOPriority>2</IOPriority><StrideSize>2222</StrideSize>\
                   <InterlockedSequential>true</InterlockedSequential>";
    let local = format!(
        "{strided}<DisableLocalCache>true</DisableLocalCache>\
                         <TemporaryFile>true</TemporaryFile>"
    );
    let all = format!("{strided}<DisableAllCache>true</DisableAllCache>");
    let span = format!(
        "<Duration>10</Duration><Warmup>20</Warmup><Cooldown>30</Cooldown>\
         <RandSeed>40</RandSeed><ThreadCount>50</ThreadCount>\
         <DisableAffinity>true</DisableAffinity><MeasureLatency>true</MeasureLatency>{}",
        targets(&[first, strided, &local, &all])
    );
    let profile = taken(&document(
        "<Verbose>true</Verbose><Progress>15</Progress>",
        &[&span],
    ));
    let expected = Profile {
        verbose: true,
        progress: 15,
        spans: vec![TimeSpan {
            duration_s: 10,
            warm_up_s: 20,
            cool_down_s: 30,
            seed: 40,
            threads: 50,
            no_affinity: true,
            measure_latency: true,
            targets: targets_of_the_blend(),
            ..TimeSpan::default()
        }],
        ..Profile::default()
    };
    assert_eq!(profile, expected);
}

#[test]
fn a_blend_of_what_does_not_go_together_is_refused_by_each_rule() {
    let pool = "<ThreadCount>50</ThreadCount>";
    for (span, target) in [
        (pool, "<ThreadsPerFile>3344</ThreadsPerFile>"),
        ("", "<Random>234</Random><ThreadStride>4433</ThreadStride>"),
        (
            "",
            "<Random>234</Random><ParallelAsyncIO>true</ParallelAsyncIO>",
        ),
        (
            "<CompletionRoutines>true</CompletionRoutines>",
            "<Throughput>60</Throughput>",
        ),
    ] {
        let refused = refused(&document("", &[&format!("{span}{}", targets(&[target]))]));
        assert_ne!(refused, "");
    }
    // Each by itself is taken.
    let alone = "<ThreadsPerFile>3344</ThreadsPerFile><ThreadStride>4433</ThreadStride>\
                 <ParallelAsyncIO>true</ParallelAsyncIO>";
    let target = one(&of_target(alone));
    let found = (target.threads, target.thread_stride_bytes, target.parallel);
    assert_eq!(found, (3344, 4433, true));
    let routines = "<CompletionRoutines>true</CompletionRoutines>";
    let profile = taken(&document("", &[&format!("{routines}{}", targets(&[""]))]));
    assert!(profile.spans[0].completion_routines);
}

#[test]
fn mapped_files_are_flushed_in_three_ways() {
    let mapped = |flush: &str| {
        one(&of_target(&format!(
            "<MemoryMappedIo>true</MemoryMappedIo>{flush}"
        )))
    };
    for (words, flush) in [
        ("", None),
        ("ViewOfFile", Some(MapFlush::View)),
        ("NonVolatileMemory", Some(MapFlush::NonVolatile)),
        (
            "NonVolatileMemoryNoDrain",
            Some(MapFlush::NonVolatileNoDrain),
        ),
    ] {
        let element = match words {
            "" => String::new(),
            words => format!("<FlushType>{words}</FlushType>"),
        };
        let target = mapped(&element);
        assert_eq!((target.memory_mapped, target.flush), (true, flush));
    }
    refused(&of_target("<FlushType>ViewOfFile</FlushType>"));
}

/// One file, which is a profile.
struct Files<'a>(&'a str);

impl Surroundings for Files<'_> {
    fn size_bytes(&self, _: &Path) -> Option<u64> {
        Some(1 << 30)
    }

    fn read(&self, _: &Path) -> io::Result<String> {
        Ok(self.0.to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

/// The paths of each time span of a profile with these, beside words of a command line.
fn substituted(spans: &[&[&str]], words: &str) -> Result<Vec<Vec<String>>, Vec<Diagnostic>> {
    let spans: Vec<String> = spans
        .iter()
        .map(|paths| {
            let paths = paths.iter();
            let paths = paths.map(|path| format!("<Target><Path>{path}</Path></Target>"));
            format!("<Targets>{}</Targets>", paths.collect::<String>())
        })
        .collect();
    let spans: Vec<&str> = spans.iter().map(String::as_str).collect();
    let text = document("", &spans);
    let line = format!("diskspd -Xa.xml {words}");
    let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let profile = diskspd::read(&argv, &Files(&text))?.profile;
    let paths = |span: TimeSpan| span.targets.into_iter().map(|target| target.path).collect();
    Ok(profile.spans.into_iter().map(paths).collect())
}

#[test]
fn places_of_a_profile_are_filled_by_number_and_all_of_them() {
    let found = |spans: &[&[&str]], words: &str| {
        let paths = substituted(spans, words).expect("it is taken");
        let paths: Vec<String> = paths.into_iter().map(|paths| paths.join(" ")).collect();
        paths.join(" | ")
    };
    assert_eq!(found(&[&["foo.bin"]], ""), "foo.bin");
    assert_eq!(found(&[&["*1"]], "foo.bin"), "foo.bin");
    assert_eq!(found(&[&["*1", "*1"]], "foo.bin"), "foo.bin foo.bin");
    assert_eq!(
        found(&[&["*1", "*2"]], "foo.bin bar.bin"),
        "foo.bin bar.bin"
    );
    assert_eq!(found(&[&["*1"], &["*1"]], "foo.bin"), "foo.bin | foo.bin");
    assert_eq!(
        found(&[&["*1"], &["*2"]], "foo.bin bar.bin"),
        "foo.bin | bar.bin"
    );
    // Shown, a profile may leave its places open.
    assert_eq!(found(&[&["*1"]], "-Rp"), "*1");
    for (paths, words) in [
        (&["*"][..], ""),
        (&["*foo"], ""),
        (&["*1foo"], ""),
        (&["**1"], ""),
        (&["*-1"], ""),
        (&["*0"], "-Rp"),
        (&["*1"], ""),
        (&["*1"], "foo.bin bar.bin"),
        (&["*1", "*2"], "foo.bin"),
        (&["foo.bin"], "bar.bin"),
    ] {
        let found = substituted(&[paths], words);
        assert!(found.is_err(), "{paths:?} with {words:?} is {found:?}");
    }
}
