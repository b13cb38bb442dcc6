//! What is said of outputs in their true shapes, with numbers of our own.

use fathom_explain::explanation::explain;

/// The codes of what is said, the worst first, each with its certainty.
fn said(paste: &str) -> Vec<String> {
    let answer = explain(paste.as_bytes(), "paste", None).answer;
    let all = answer.findings.iter().chain(&answer.notes);
    all.map(|one| format!("{} {}", one.code, one.certainty.word()))
        .collect()
}

#[track_caller]
fn check(paste: &str, expected: &[&str]) {
    assert_eq!(said(paste), expected, "{paste}");
}

#[test]
fn a_load_without_a_result_is_explained_by_its_options() {
    check(
        "[global]\nrw=read\nbs=256k\ndirect=0\n[a]\nsize=8G\nioengine=libaio\niodepth=8\n",
        &["page_cache suspected", "depth shown"],
    );
    check(
        "fio --name=a --rw=randread --direct=1 --ioengine=libaio --iodepth=64 --numjobs=8 \
         --size=40G",
        &["queueing suspected"],
    );
    check(
        "diskspd -c9G -b64K -t4 -w100 -Sh -Zr d:\\test.dat",
        &["short shown", "new_file suspected"],
    );
    check(
        "diskspd -c9G -b64K -t4 -w0 -d90 -Sh d:\\test.dat",
        &["compressible suspected"],
    );
    // One request at a time on a file that is large, with direct I/O: nothing to say.
    check(
        "fio --name=a --rw=randread --bs=8k --direct=1 --size=40G --runtime=60",
        &[],
    );
}

#[test]
fn fragments_are_read() {
    check(
        "     lat (usec): min=0, max=840, avg= 1.20, stdev= 0.98\n",
        &["memory shown"],
    );
    check(
        "     lat (usec): min=61, max=840, avg=88.20, stdev= 9.98\n",
        &[],
    );
    check(
        "  WRITE: bw=412MiB/s (432MB/s), 412MiB/s-412MiB/s (432MB/s-432MB/s), io=24.1GiB \
         (25.9GB), run=60002-60002msec\n",
        &["no_latency shown", "fact shown", "link suspected"],
    );
    check(
        "$ sysbench fileio --file-total-size=6G --file-test-mode=rndrw run\nThroughput:\n    read, \
         MiB/s:                  5.31\n    written, MiB/s:               3.54\n",
        &["page_cache cannot tell", "fact shown"],
    );
}

#[test]
fn the_smallest_latency_shows_memory_where_direct_is_not_shown() {
    let job = |least: u32| {
        format!(
            "w: (groupid=0, jobs=4): err= 0: pid=77: Mon Jan  5 10:00:00 2026\n  write: \
             IOPS=512k, BW=2000MiB/s (2097MB/s)(117GiB/60001msec); 0 zone resets\n     lat \
             (nsec): min={least}, max=9000k, avg=6800.10, stdev=120.00\n"
        )
    };
    check(&job(1700), &["memory shown"]);
    check(&job(5300), &[]);
}

#[test]
fn what_is_memory_by_its_name_is_named() {
    let paste = |target: &str| {
        format!(
            "$ fio --name=a --filename={target} --rw=randread --direct=1 --runtime=30\na: \
             (groupid=0, jobs=1): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  read: IOPS=41.0k, \
             BW=160MiB/s (168MB/s)(4805MiB/30001msec)\n    clat (usec): min=14, max=210, \
             avg=23.10, stdev= 2.00\n     lat (usec): min=14, max=211, avg=23.40, stdev= 2.00\n"
        )
    };
    check(&paste("/dev/zram0"), &["memory shown"]);
    check(
        &paste("/dev/nvme0n1"),
        &["one_at_a_time shown", "fast_read suspected"],
    );
}

#[test]
fn progress_lines_are_a_series() {
    let head = "$ fio --name=a --rw=randwrite --direct=1 --ioengine=psync --bs=8k --size=40G \
                --numjobs=8 --runtime=80 --group_reporting\na: (g=0): rw=randwrite, bs=(R) \
                8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, ioengine=psync, \
                iodepth=1\n...\nStarting 8 threads\n";
    let line = |percent: &str, rate: &str, eta: &str| {
        format!("Jobs: 8 (f=8): [w(8)][{percent}%][w={rate}MiB/s][w={rate}k IOPS][eta {eta}]\n")
    };
    let fell = [
        line("25.0", "300", "01m:00s"),
        line("50.0", "300", "00m:40s"),
        line("75.0", "40", "00m:20s"),
        line("100.0", "40", "00m:00s"),
    ];
    check(&format!("{head}{}", fell.concat()), &["burst shown"]);
    let rose = [
        line("25.0", "100", "01m:00s"),
        line("50.0", "300", "00m:40s"),
        line("75.0", "300", "00m:20s"),
        line("100.0", "300", "00m:00s"),
    ];
    check(&format!("{head}{}", rose.concat()), &["warm_up shown"]);
    let level = [
        line("25.0", "300", "01m:00s"),
        line("50.0", "310", "00m:40s"),
        line("75.0", "290", "00m:20s"),
        line("100.0", "300", "00m:00s"),
    ];
    check(&format!("{head}{}", level.concat()), &[]);
}

#[test]
fn durable_copies_are_flush_bound_and_not_cached() {
    check(
        "# dd if=/dev/vg/a of=image bs=4k oflag=dsync\n12000+0 records in\n12000+0 records \
         out\n49152000 bytes (49 MB, 47 MiB) copied, 41.2 s, 1.2 MB/s\n",
        &["flush shown"],
    );
}

#[test]
fn units_and_versions_are_named() {
    check(
        "64+0 records in\n64+0 records out\n67108864 bytes (64.0MB) copied, 12.500000 seconds, \
         5.1MB/s\n",
        &["fact shown"],
    );
    let fio = |version: &str| {
        format!(
            "a: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, \
             ioengine=psync, iodepth=1\nfio-{version}\nStarting 1 process\n\na: (groupid=0, \
             jobs=1): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  read: IOPS=8000, BW=31.3MiB/s \
             (32.8MB/s)(938MiB/30001msec)\n     lat (usec): min=70, max=910, avg=124.10, stdev= \
             2.00\n\n"
        )
    };
    check(&fio("3.36"), &["one_at_a_time shown"]);
    let two = format!("{}{}", fio("3.36"), fio("4.1"));
    check(&two, &["one_at_a_time shown", "fact shown"]);
}

#[test]
fn the_counters_of_an_array_show_its_penalty() {
    let paste = |reads: u32| {
        format!(
            "w: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, \
             ioengine=libaio, iodepth=4\nfio-3.36\nStarting 1 process\n\nw: (groupid=0, jobs=1): \
             err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  write: IOPS=900, BW=3600KiB/s \
             (3686kB/s)(105MiB/30001msec); 0 zone resets\n     lat (usec): min=900, max=21000, \
             avg=4400.10, stdev=120.00\n     issued rwts: total=0,27000,0,0 \
             short=0,0,0,0\n\nDisk stats (read/write):\n    md0: ios=40/27000, merge=0/0, \
             ticks=0/0, in_queue=0, util=0.00%, aggrios=9000/18000, aggrmerge=0/0, \
             aggrticks=4000/4000, aggrin_queue=8000, aggrutil=90.00%\n  sda: ios={reads}/27000, \
             merge=0/0, ticks=0/0, in_queue=0, util=90.00%\n  sdb: ios={reads}/27000, merge=0/0, \
             ticks=0/0, in_queue=0, util=90.00%\n"
        )
    };
    check(&paste(26_900), &["raid suspected"]);
    // A mirror writes twice and reads nothing.
    check(&paste(100), &[]);
}

#[test]
fn percentiles_of_writes_are_not_those_of_commits() {
    let paste = |sync: &str| {
        format!(
            "$ fio --name=w --rw=randwrite --direct=1 --fdatasync=1 --bs=8k --size=20G \
             --runtime=30\nw: (groupid=0, jobs=1): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  \
             write: IOPS=900, BW=7200KiB/s (7373kB/s)(211MiB/30001msec); 0 zone resets\n     lat \
             (usec): min=20, max=2100, avg=44.10, stdev=12.00\n{sync}"
        )
    };
    check(&paste(""), &["flush shown", "percentile shown"]);
    let flushes = "  fsync/fdatasync/sync_file_range:\n    sync (usec): min=700, max=9000, \
                   avg=1020.00, stdev=80.00\n";
    check(&paste(flushes), &["flush shown"]);
}

#[test]
fn a_flat_rate_at_a_limit_is_that_of_the_catalogue() {
    let paste = |iops: &str, rate: &str, deviation: &str| {
        format!(
            "r: (g=0): rw=randread, bs=(R) 16.0KiB-16.0KiB, (W) 16.0KiB-16.0KiB, (T) \
             16.0KiB-16.0KiB, ioengine=libaio, iodepth=16\nfio-3.36\nStarting 1 process\n\nr: \
             (groupid=0, jobs=1): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  read: IOPS={iops}, \
             BW={rate}MiB/s ({rate}MB/s)(2822MiB/60001msec)\n     lat (usec): min=400, max=21000, \
             avg=5310.00, stdev=120.00\n   iops        : min= 2990, max= 3030, avg={iops}.00, \
             stdev={deviation}, samples=120\n"
        )
    };
    let explained = explain(paste("3010", "47.0", "9.00").as_bytes(), "paste", None);
    let first = &explained.answer.findings[0];
    assert_eq!(
        (first.code, first.headline.as_str()),
        (
            "cap",
            "The rate is near a limit of 3,000 IOPS: aws gp2 in its burst, aws gp3 at its base \
             rate, azure premium-ssd-v2 at its base rate, and 4 more."
        )
    );
    check(&paste("3010", "47.0", "900.00"), &["queueing shown"]);
}

#[test]
fn small_requests_in_sequence_do_not_measure_throughput() {
    let load = "fio --name=a --rw=read --direct=1 --size=40G --runtime=60 --bs=";
    check(&format!("{load}4k"), &["default_block suspected"]);
    check(&format!("{load}1m"), &[]);
}

#[test]
fn the_table_of_bonnie_is_read() {
    let paste = "Version  1.98       ------Sequential Output------ --Sequential Input- --Random-\n\
                 Concurrency   1     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--\n\
                 Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP\n\
                 Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP\n\
                 host1           64G   512  98 204800  31 90000  18  1100  97 307200  22 410.5  9";
    let explained = explain(paste.as_bytes(), "paste", None);
    assert_eq!(
        explained.answer.measured,
        [
            "writes of 209.7 MB/s",
            "reads of 314.6 MB/s",
            "410.5 requests a second, reads and writes not separated",
        ]
    );
}

#[test]
fn a_load_that_would_measure_memory_is_named_before_it_runs() {
    check(
        r".\diskspd.exe -d30 -F1 -w100 -o1 -Sb -b1M -Zr -c40G \\server\share\f",
        &["not_flushed suspected", "fact shown", "new_file suspected"],
    );
    check(
        "fio --name=a --rw=randwrite --bs=8k --size=40G --runtime=60 --fsync=1",
        &[],
    );
}

#[test]
fn flushes_that_are_counted_beside_writes_set_the_pace() {
    let cut = "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\nExtra file open flags: \
               directio\n128 files, 16MiB each\nBlock size 16KiB\nDoing random write test\n\n[ 1s \
               ] reads: 0.00 MiB/s writes: 1.20 MiB/s fsyncs: 9600.00/s latency (ms,95%): \
               0.110\n[ 2s ] reads: 0.00 MiB/s writes: 1.00 MiB/s fsyncs: 8000.00/s latency \
               (ms,95%): 0.130\n";
    check(cut, &["flush suspected"]);
    let iostat = |flushes: &str| {
        format!(
            "Device  r/s  rkB/s  w/s  wkB/s  w_await  f/s  f_await  aqu-sz  %util\nsda  0.00  \
             0.00  900.00  3600.00  0.60  {flushes}  1.40  1.20  96.00\n"
        )
    };
    check(&iostat("450.00"), &["flush suspected", "fact shown"]);
    check(&iostat("9.00"), &["fact shown"]);
}

#[test]
fn tools_that_measure_flushes_alone_are_read() {
    let pveperf = [
        "CPU BOGOMIPS:      41000.00",
        "REGEX/SECOND:      2100000",
        "HD SIZE:           93.00 GB (/dev/mapper/pve-root)",
        "BUFFERED READS:    141.00 MB/sec",
        "AVERAGE SEEK TIME: 9.10 ms",
        "FSYNCS/SECOND:     31.50",
        "DNS EXT:           44.00 ms",
    ];
    check(&pveperf.join("\n"), &["flush shown"]);
    let postgres = [
        "5 seconds per test",
        "O_DIRECT supported on this platform for open_datasync and open_sync.",
        "",
        "Compare file sync methods using one 8kB write:",
        "(in wal_sync_method preference order, except fdatasync is Linux's default)",
        "        open_datasync                       801.250 ops/sec    1248 usecs/op",
        "        fdatasync                           795.100 ops/sec    1258 usecs/op",
        "        fsync_writethrough                              n/a",
        "",
        "Compare file sync methods using two 8kB writes:",
        "        fdatasync                           412.000 ops/sec    2427 usecs/op",
        "",
        "Non-sync'ed 8kB writes:",
        "        write                            310000.000 ops/sec       3 usecs/op",
    ];
    check(&postgres.join("\n"), &["flush shown"]);
    check(
        r#"{"level":"warn","msg":"slow fdatasync","took":"1.31s","expected-duration":"1s"}"#,
        &["flush shown"],
    );
}

#[test]
fn times_of_zero_are_of_memory() {
    check(
        "4 KiB <<< . (NTFS C:): request=1 time=0 us\n4 KiB <<< . (NTFS C:): request=2 time=0 us\n",
        &["memory shown", "fact shown"],
    );
}

#[test]
fn a_cache_that_could_not_be_emptied_is_named() {
    check(
        "fio: cache invalidation of /dev/vdc failed: Permission denied\n",
        &["page_cache suspected", "layers suspected"],
    );
}

fn dd(command: &str, bytes: u64, seconds: &str) -> String {
    let blocks = bytes / 1024;
    format!(
        "{command}\n{blocks}+0 records in\n{blocks}+0 records out\n{bytes} bytes copied, \
         {seconds} s, 1 MB/s\n"
    )
}

#[test]
fn the_same_command_in_two_folders_is_compared() {
    let command = "dd if=/dev/urandom of=x bs=1k count=100000 oflag=direct";
    let local = dd(&format!("root@h:/var# {command}"), 102_400_000, "20.0");
    let share = |seconds| {
        dd(
            &format!("root@h:/mnt/share# {command}"),
            102_400_000,
            seconds,
        )
    };
    let said = |paste: &str| {
        let answer = explain(paste.as_bytes(), "paste", None).answer;
        let all = answer.findings.into_iter().chain(answer.notes);
        let of_it = all.filter(|one| one.code == "same_load");
        of_it
            .map(|one| (one.headline, one.results))
            .collect::<Vec<_>>()
    };
    let headline = "The same load is 4.00 times slower in /mnt/share than in /var: the way to the \
                    storage costs it.";
    let both = format!("{local}{}", share("80.0"));
    assert_eq!(said(&both), [(headline.to_owned(), vec![1])]);
    let answer = explain(both.as_bytes(), "paste", None).answer;
    assert_eq!(answer.headline, headline);
    assert_eq!(said(&format!("{local}{}", share("24.0"))), []);
    // Other data can be the reason.
    let zeros = local.replace("urandom", "zero");
    assert_eq!(said(&format!("{zeros}{}", share("80.0"))), []);
}

#[test]
fn buffered_writes_that_wait_have_left_the_page_cache() {
    let command = "dd if=/dev/zero of=/mnt/x bs=1k count=100000";
    check(
        &dd(command, 102_400_000, "14.5"),
        &[
            "default_block suspected",
            "far_writes suspected",
            "compressible suspected",
        ],
    );
    check(
        &dd(command, 102_400_000, "1.5"),
        &[
            "not_flushed suspected",
            "default_block suspected",
            "short shown",
            "compressible suspected",
        ],
    );
}

#[test]
fn single_writes_without_a_cache_are_slow_and_records_cost_more_than_a_request() {
    let paste = |folder: &str, write: u32| {
        let job = |mode: &str, word: &str, mean: u32| {
            format!(
                "$ fio --name=a --filename={folder}/a --rw={mode} --bs=4k --direct=1 --size=40G \
                 --runtime=60 --time_based\na: (groupid=0, jobs=1): err= 0: pid=7: Mon Jan  5 \
                 10:00:00 2026\n  {word}: IOPS={}, BW=1KiB/s (1kB/s)(400MiB/60001msec); 0 zone \
                 resets\n     lat (usec): min=90, max={}, avg={mean}.00, stdev=12.00\n",
                1_000_000 / mean,
                mean * 3,
            )
        };
        job("randread", "read", 200) + &job("randwrite", "write", write)
    };
    check(&paste("/data", 900), &["one_at_a_time shown"]);
    check(
        &paste("/data", 9000),
        &["slow_writes suspected", "one_at_a_time shown"],
    );
    check(
        &format!("$ zfs list\n{}", paste("/tank", 900)),
        &["records suspected", "one_at_a_time shown"],
    );
}

/// The first line of the answer.
fn headline(paste: &str) -> String {
    explain(paste.as_bytes(), "paste", None).answer.headline
}

#[test]
fn what_the_text_around_two_runs_says_is_named() {
    let run = |heading: &str, rate: &str| {
        format!(
            "{heading}\n\n# dd if=/dev/zero of=/data/x bs=1M count=4096 oflag=direct\n4096+0 \
             records in\n4096+0 records out\n4294967296 bytes (4.3 GB, 4.0 GiB) copied, {rate}\n\n"
        )
    };
    let pair = run("### with scheduler a ###", "84.2 s, 51.0 MB/s")
        + &run("### with scheduler b ###", "9.03 s, 476 MB/s");
    assert_eq!(
        headline(&pair),
        "The same load is 9.32 times slower at \"with scheduler a\" than at \"with scheduler b\"."
    );
}

#[test]
fn runs_beside_each_other_share_a_limit() {
    let paste = "# hdparm -t /dev/sda\n/dev/sda:\n Timing buffered disk reads: 210 MB in  3.00 \
                 seconds =  70.00 MB/sec\n# hdparm -t /dev/sda & hdparm -t /dev/sdb\n/dev/sda:\n \
                 Timing buffered disk reads: 120 MB in  3.00 seconds =  40.00 MB/sec\n/dev/sdb:\n \
                 Timing buffered disk reads: 123 MB in  3.00 seconds =  41.00 MB/sec\n";
    assert_eq!(
        headline(paste),
        "Run at the same time, each is 1.75 times slower than one alone: they share a limit. (2 \
         of 3 results)"
    );
    // Both wait for each other, or neither does.
    let apart = paste.replace(" & hdparm -t /dev/sdb", "");
    assert_eq!(
        headline(&apart),
        "The same load was 1.75 times slower once, and nothing in the text that fathom knows \
         explains it."
    );
}

#[test]
fn buffered_reads_that_are_slower_than_direct_ones_are_no_limit_of_the_disk() {
    let run = |flag: &str, time: &str| {
        format!(
            "# echo 3 > /proc/sys/vm/drop_caches\n# dd if=/dev/sdx of=/dev/null bs=1M \
             count=2048{flag}\n2048+0 records in\n2048+0 records out\n2147483648 bytes (2.1 GB) \
             copied, {time}\n"
        )
    };
    let paste = run("", "18.1 s, 119 MB/s") + &run(" iflag=direct", "10.2 s, 211 MB/s");
    check(&paste, &["buffered shown"]);
}

#[test]
fn an_old_dd_is_read_with_the_time_of_the_shell() {
    let paste = "$ time dd if=/dev/zero of=/data/x bs=1M count=512 oflag=direct\n512+0 records \
                 in\n512+0 records out\n\nreal    0m41.500s\nuser    0m0.010s\n";
    let reading = fathom_explain::read(paste.as_bytes(), &|_| Vec::new());
    let rate = reading.evidence[0].rate().map(f64::round);
    assert_eq!(rate, Some(12_936_648.0));
}

#[test]
fn direct_io_that_a_file_system_refuses_is_named() {
    let paste = "[global]\nioengine=libaio\ndirect=1\nsize=4g\n[w]\nrw=write\nbs=1m\n\n$ fio \
                 job.fio\nfio: io_u error on file x: Invalid argument: write offset=0, \
                 buflen=1048576\n";
    check(paste, &["errors suspected"]);
}
