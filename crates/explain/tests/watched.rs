//! What is said of devices that were watched, and of words around an output. The columns are those
//! of the tools, with numbers of our own.

use fathom_explain::explanation::explain;

/// The first line of an answer, and the codes of what is found.
#[track_caller]
fn check(paste: &str, headline: &str, codes: &[&str]) {
    let answer = explain(paste.as_bytes(), "paste", None).answer;
    let found: Vec<&str> = answer.findings.iter().map(|one| one.code).collect();
    assert_eq!(
        (answer.headline.as_str(), found.as_slice()),
        (headline, codes),
        "{paste}"
    );
}

const OLD: &str = "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz \
                   avgqu-sz   await r_await w_await  svctm  %util\n";

#[test]
fn a_disk_that_stalls_is_named_beside_one_that_does_not() {
    check(
        &format!(
            "{OLD}\
             sda  0.00 0.00 21.00 14.00 310.00 120.00 24.57 0.02  0.58  0.71  0.39  0.40   1.40\n\
             sdb 0.00 0.00 1.00 3.00 4.00 30.00 17.00 2.60 650.00 700.00 633.33 250.00 100.00\n\
             dm-3 0.00 0.00 0.00 2.00 0.00 12.00 12.00 1.30 640.00 0.00 640.00 500.00 100.00\n"
        ),
        "sdb stalls: each of its 4.00 requests a second takes 650 ms, and sda needs 710 µs. (1 of \
         3 results)",
        &["slow_disk"],
    );
}

#[test]
fn a_busy_hard_disk_is_told_from_flash() {
    let row = |device: &str, util: &str| format!("{OLD}{device} {util}\n");
    check(
        &row(
            "sdc",
            "0.00 90.00 0.00 110.00 0.00 900.00 16.36 0.97 8.60 0.00 8.60 8.60 99.10",
        ),
        "sdc was busy 99 % of the time with 110.0 writes a second of 8.18 KiB, hardly more than \
         one at a time: the pace of one hard disk.",
        &["disk_busy"],
    );
    // A fast drive that has a request all the time is not full.
    check(
        &row(
            "nvme0n1",
            "0.00 0.00 52000.00 0.00 208000.00 0.00 8.00 5.20 0.10 0.10 0.00 0.01 100.00",
        ),
        "Nothing in these reports shows a limit.",
        &[],
    );
    check(
        &row(
            "sdd",
            "0.00 0.00 12.00 9.00 96.00 80.00 16.76 0.02 0.90 1.10 0.63 0.60 1.26",
        ),
        "Nothing in these reports shows a limit.",
        &[],
    );
}

#[test]
fn a_full_disk_is_compared_with_its_calm_time() {
    check(
        "01:00:01 AM DEV tps rd_sec/s wr_sec/s avgrq-sz avgqu-sz await svctm %util\n\
         01:01:01 AM sdb 80.00 0.00 48000.00 600.00 2.00 25.00 2.00 16.00\n\
         01:02:01 AM sdb 400.00 4800.00 0.00 12.00 40.00 100.00 2.50 100.00\n",
        "sdb was saturated with 400.0 requests a second of 6 KiB, and 40.0 waited: small requests \
         fill it, not the amount of data.",
        &["disk_busy"],
    );
}

#[test]
fn one_reader_at_a_time_is_told_from_a_limit() {
    check(
        "Device r/s rkB/s r_await rareq-sz w/s wkB/s w_await wareq-sz aqu-sz %util\n\
         sdb 2200.00 8800.00 0.35 4.00 20.00 80.00 0.80 4.00 0.79 75.00\n",
        "Hardly more than one read is in flight on sdb, so the latency of 350 µs sets the rate.",
        &["one_at_a_time"],
    );
}

#[test]
fn unlike_disks_and_starved_ones_are_different_things() {
    let pair = |other: &str| {
        format!(
            "{OLD}\
             sda 0.00 0.00 300.00 0.00 38400.00 0.00 256.00 2.00 6.67 6.67 0.00 3.33 100.00\n\
             {other}\n"
        )
    };
    check(
        &pair("sdb 0.00 0.00 200.00 0.00 25600.00 0.00 256.00 2.00 10.00 10.00 0.00 5.00 100.00"),
        "sdb serves 200.0 requests a second and sda serves 300.0, of the same size, and both are \
         full. (1 of 2 results)",
        &["unequal_disks"],
    );
    check(
        &format!(
            "{OLD}\
             sda 0.00 0.00 60000.00 0.00 240000.00 0.00 8.00 30.00 0.50 0.50 0.00 0.02 100.00\n\
             sdb 0.00 0.00 30000.00 0.00 120000.00 0.00 8.00 12.00 0.40 0.40 0.00 0.03 99.50\n"
        ),
        "sdb has 12.0 requests in flight and sda has 30.0: the host does not keep sdb busy. (1 of \
         2 results)",
        &["unequal_disks"],
    );
}

#[test]
fn what_fills_a_disk_is_no_reader_that_waits() {
    let streams = "Device r/s rkB/s r_await w/s wkB/s w_await aqu-sz %util\n\
                   sda 1560.00 199680.00 1.15 0.00 0.00 0.00 1.79 99.00\n";
    check(streams, "Nothing in these reports shows a limit.", &[]);
    // A burst within a long interval is no disk that stalls.
    check(
        "Device r/s rkB/s r_await w/s wkB/s w_await aqu-sz %util\n\
         sda 0.00 0.00 0.00 10.00 400.00 300.00 3.00 6.00\n",
        "Nothing in these reports shows a limit.",
        &[],
    );
    // A volume of a network has no head.
    check(
        "Device r/s rkB/s r_await w/s wkB/s w_await aqu-sz %util\n\
         vdb 0.00 0.00 0.00 200.00 1600.00 5.00 1.00 99.00\n",
        "vdb was busy 99 % of the time with 200.0 writes a second of 8 KiB, hardly more than one \
         at a time: each takes 5.00 ms.",
        &["disk_busy"],
    );
    // The same disk before and after a change is not two disks.
    check(
        "Device r/s rkB/s r_await w/s wkB/s w_await aqu-sz %util\n\
         sda 200.00 25600.00 10.00 0.00 0.00 0.00 2.00 100.00\n\n\
         With another scheduler:\n\n\
         Device r/s rkB/s r_await w/s wkB/s w_await aqu-sz %util\n\
         sda 280.00 35840.00 7.10 0.00 0.00 0.00 2.00 100.00\n",
        "Nothing in these reports shows a limit.",
        &[],
    );
}

#[test]
fn lines_of_a_pool_are_read_by_what_they_count() {
    check(
        "              capacity     operations     bandwidth\n\
         pool        alloc   free   read  write   read  write\n\
         ----------  -----  -----  -----  -----  -----  -----\n\
         tank         400G  1.1T     10  4.0K  40.0K  32.0M\n\
         \x20 mirror     400G  1.1T     10  4.0K  40.0K  32.0M\n\
         \x20   sda         -      -      5    256  20.0K  32.0M\n\
         \x20   sdb         -      -      5    256  20.0K  32.0M\n",
        "tank counts writes before ZFS joins them: 4,096 of 8 KiB become 256.0 of 128 KiB on sda.",
        &[],
    );
    check(
        "tank 1500000000000 500000000000 60 10 250000 300000\n\
         tank 1500000000000 500000000000 130 40 500000 2500000\n",
        "The first line of zpool iostat is the average for each second since the pool was \
         imported; the lines after it are of the interval.",
        &[],
    );
}

#[test]
fn words_around_an_output_are_used() {
    let output = "Jobs: 8 (f=8): [w(8)][100.0%][w=3200KiB/s][w=800 IOPS][eta 00m:00s]\n\
                  x: (groupid=0, jobs=8): err= 0: pid=136: Fri Nov 11 10:49:38 2022\n\
                  \x20 write: IOPS=800, BW=3200KiB/s (3277kB/s)(937MiB/300017msec)\n\
                  \x20    lat (msec): min=2, max=71, avg=10.00, stdev=6.00\n";
    check(
        &format!("It starts with 5K IOPS, then it drops to 800 IOPS.\n{output}"),
        "The rate falls after a fast start: a write cache is full, or a burst is used up.",
        &["falls"],
    );
    check(
        output,
        "Nothing is wrong. 800.0 requests a second with 8 outstanding: the latency of 10.0 ms is \
         mostly the wait in the queue.",
        &[],
    );
    check(
        &format!("rate(node_disk_write_time_seconds_total[5m]) shows 8 s.\n{output}"),
        "Nothing is wrong. 800.0 requests a second with 8 outstanding: the latency of 10.0 ms is \
         mostly the wait in the queue.",
        &[],
    );
}

#[test]
fn commands_with_a_contradiction_are_answered_before_they_run() {
    check(
        "fio --name=a --filename=/dev/nvme0n1 --rw=randread --direct=1 --bssplit=512/10:64k/90 \
         --runtime=60\nfio: pid=1, err=22/file:io_u.c:1: Invalid argument\n",
        "The run failed: direct I/O of 512 B does not fit into sectors of 4 KiB (Invalid \
         argument).",
        &["errors"],
    );
    check(
        "fio --name=a --filename=/dev/sda:/dev/sdb --rw=randread --bs=4k --direct=1 --iodepth=8 \
         --ioengine=libaio --numjobs=4 --runtime=60",
        "All 4 jobs use the same 2 devices in turn, and each has one queue for all of them.",
        &["shared_devices"],
    );
    check(
        "dd if=/dev/urandom of=/data/x bs=1M count=4096",
        "This would measure /dev/urandom: one processor makes its random bytes.",
        &["source"],
    );
    check(
        "mpirun -np 64 ior -b 4G -t 4k -w -F -z -o /mnt/x",
        "This is a command or job file without its output. Each task of IOR moves its own -b bytes \
         and then waits: the rate falls when the fast tasks are done, and the slowest task decides \
         the result.",
        &[],
    );
    check(
        "ioping -c 10 -i 0.1 -D /data",
        "This is a command or job file without its output. A few requests within a few seconds \
         show what the storage did in that moment: averages of such runs differ by chance.",
        &[],
    );
}

#[test]
fn a_guest_that_is_faster_than_its_disk_has_the_memory_of_the_host() {
    let run = |rate: &str, bytes: &str| {
        format!(
            "$ fio --filename=/dev/vdb --direct=1 --rw=randread --bs=4k --ioengine=sync --size=4G \
             --runtime=60 --time_based --name=t\n\
             \x20 READ: bw={rate}, {rate}-{rate}, io={bytes}, run=60001-60001msec\n"
        )
    };
    check(
        &run("250MiB/s (262MB/s)", "14.6GiB (15.7GB)"),
        "The host's memory probably answered: 15.6 µs for each request is too short for a guest \
         and a disk.",
        &["host_cache"],
    );
    check(
        &run("40MiB/s (41.9MB/s)", "2400MiB (2517MB)"),
        "Nothing is wrong with this result: 10,240 reads a second (41.9 MB/s): random 4 KiB, depth \
         1, direct I/O.",
        &[],
    );
}

#[test]
fn two_volumes_of_kbench_are_compared() {
    check(
        "================================\n\
         FIO Benchmark Comparsion Summary\n\
         For: local vs replicated\n\
         Size: 30G\n\
         Quick Mode: disabled\n\
         ================================\n\
         \x20 local vs replicated : Change\n\
         IOPS (Read/Write)\n\
         \x20 Random: 100,000 / 60,000 vs 20,000 / 12,000 : -80.00% / -80.00%\n\
         Latency in ns (Read/Write)\n\
         \x20 Random: 90,000 / 40,000 vs 900,000 / 800,000 : 900.00% / 1900.00%\n",
        "The same load is 5.00 times slower at \"replicated\" than at \"local\".",
        &["same_load"],
    );
}

#[test]
fn what_failed_is_no_question_of_speed() {
    check(
        "fio --name=a --rw=write --bs=1M --size=1G --direct=1 --filename=/mnt/x --numjobs=8\n\
         a: (g=0): rw=write, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB, \
         ioengine=sync, iodepth=1\n\
         fio-3.32\nStarting 8 processes\n\
         fio: pid=2, err=1/file:filesetup.c:1, func=open(/mnt/x), error=Operation not permitted\n",
        "Nothing was measured: fio ended with error 1.",
        &["errors", "same_blocks"],
    );
    check(
        "Block Size | 4k            (IOPS) | 64k           (IOPS)\n\
         \x20 ------   | ---            ----  | ----           ----\n\
         Read       |                   () |                   ()\n\
         Write      |                   () |                   ()\n",
        "No number in the output is above zero: nothing was measured.",
        &[],
    );
    check(
        "# dd if=/dev/zero of=/data/x bs=1M count=4096 oflag=direct\n\
         4294967296 bytes (4.3 GB, 4.0 GiB) copied, 12.0 s, 358 MB/s\n\
         [3581.17] print_req_error: I/O error, dev sda, sector 4472632\n",
        "The kernel reports errors of sda: it, its cable or its link probably fails.",
        &["device_errors"],
    );
    check(
        &format!("{OLD}dm-7 0.00 0.00 0.00 0.00 0.00 0.00 0.00 2.00 0.00 0.00 0.00 0.00 100.00\n"),
        "dm-7 has a request all the time and ends none: requests hang.",
        &["hung"],
    );
    // Only discards, and a drive without a medium.
    check(
        "Device r/s rkB/s r_await w/s wkB/s w_await d/s dkB/s d_await aqu-sz %util\n\
         sda 0.00 0.00 0.00 0.00 0.00 0.00 40.00 160000.00 24.00 0.96 100.00\n",
        "Nothing in these reports shows a limit.",
        &[],
    );
    check(
        "# dd if=/dev/zero of=/data/x bs=1M count=4096 oflag=direct\n\
         4294967296 bytes (4.3 GB, 4.0 GiB) copied, 12.0 s, 358 MB/s\n\
         blk_update_request: I/O error, dev fd0, sector 0\n",
        "Nothing is wrong with this result: 341.3 writes a second (357.9 MB/s): sequential 1 MiB, \
         depth 1, direct I/O.",
        &[],
    );
}

#[test]
fn a_wait_above_an_idle_disk_is_told_from_a_full_one() {
    check(
        "00:00:01 DEV tps rd_sec/s wr_sec/s avgrq-sz avgqu-sz await svctm %util\n\
         00:10:01 dev253-2 3000.00 3000.00 21000.00 8.00 300.00 100.00 0.10 30.00\n",
        "dev253-2 had a request 30 % of the time, and still 300.0 of them waited 100 ms each.",
        &["above_disk"],
    );
}

#[test]
fn a_device_on_a_line_of_its_own_is_read() {
    check(
        &format!(
            "{OLD}sda\n  0.00 0.00 0.00 330.00 0.00 3300.00 20.00 1.22 3.70 0.00 3.70 2.40 80.00\n"
        ),
        "sda was busy 80 % of the time with 330.0 writes a second of 10 KiB, hardly more than one \
         at a time: the pace of one hard disk.",
        &["disk_busy"],
    );
}
