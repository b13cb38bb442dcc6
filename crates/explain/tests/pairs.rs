//! Findings about several results in one paste, and of what lies above the disk.

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

/// A run of fio with direct I/O on a block device: operation, block size in KiB, depth, IOPS.
fn fio(op: &str, kib: u64, depth: u64, rate: u64) -> String {
    let name = if op.ends_with("read") {
        "read"
    } else {
        "write"
    };
    let mib = rate * kib / 1024;
    let us = 1e6 * depth as f64 / rate as f64;
    format!(
        "$ fio --name=j --filename=/dev/sdz --rw={op} --bs={kib}k --direct=1 --ioengine=libaio \
         --iodepth={depth} --runtime=60 --time_based\nj: (g=0): rw={op}, bs=(R) {kib}KiB-{kib}KiB, \
         (W) {kib}KiB-{kib}KiB, (T) {kib}KiB-{kib}KiB, ioengine=libaio, iodepth={depth}\nj: \
         (groupid=0, jobs=1): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  {name}: IOPS={rate}, \
         BW={mib}MiB/s ({mib}MB/s)({}MiB/60001msec)\n     lat (usec): min={:.0}, max={:.0}, \
         avg={us:.2}, stdev= 9.00\n",
        mib * 60,
        us / 2.0,
        us * 3.0,
    )
}

#[test]
fn depth_that_gives_no_more_is_named() {
    let paste = fio("randread", 4, 1, 7000) + &fio("randread", 4, 32, 7900);
    check(
        &paste,
        &[
            "no_scaling suspected",
            "one_at_a_time shown",
            "queueing shown",
        ],
    );
    let paste = fio("randread", 4, 1, 7000) + &fio("randread", 4, 32, 97_000);
    check(
        &paste,
        &[
            "one_at_a_time shown",
            "queueing shown",
            "loads_differ suspected",
        ],
    );
}

#[test]
fn one_rate_of_different_loads_is_a_limit() {
    let paste = fio("read", 128, 32, 2840) + &fio("write", 128, 32, 2850);
    check(&paste, &["plateau suspected", "queueing shown"]);
    let paste = fio("read", 128, 32, 2840) + &fio("write", 128, 32, 1850);
    check(&paste, &["queueing shown"]);
}

#[test]
fn writes_in_sequence_that_are_far_slower_are_named() {
    let paste = fio("read", 1024, 8, 1900) + &fio("write", 1024, 8, 90);
    check(&paste, &["slow_writes suspected", "queueing shown"]);
}

#[test]
fn the_pace_of_a_disk_and_the_speed_of_a_cache_are_named() {
    check(
        &fio("randread", 4, 1, 128),
        &["one_at_a_time shown", "seeks suspected"],
    );
    check(&fio("randread", 4, 1, 9100), &["one_at_a_time shown"]);
    check(
        &fio("randread", 4, 1, 61_000),
        &["one_at_a_time shown", "fast_read suspected"],
    );
}

#[test]
fn layers_above_the_disk_are_named() {
    let mount = "server:/export on /mnt type nfs4 (rw,relatime,vers=4.2)\n";
    check(
        &(mount.to_owned() + &fio("randwrite", 4, 1, 310)),
        &["layers suspected", "one_at_a_time shown"],
    );
    check(&fio("randwrite", 4, 1, 310), &["one_at_a_time shown"]);
}

#[test]
fn a_read_in_a_dataset_may_be_of_memory() {
    let run = fio("randread", 8, 1, 17_000).replace("/dev/sdz", "/tank/f");
    check(
        &format!("# zfs get recordsize tank\n{run}"),
        &["arc suspected", "records suspected", "one_at_a_time shown"],
    );
}

#[test]
fn a_mapped_device_is_compared_with_the_one_below() {
    check(
        "/dev/sda:\n Timing buffered disk reads: 1512 MB in  3.00 seconds = 504.00 MB/sec\n\n\
         /dev/mapper/home:\n Timing buffered disk reads: 360 MB in  3.01 seconds = 119.60 MB/sec\n",
        &["same_load suspected", "fact shown", "link suspected"],
    );
}

#[test]
fn a_command_in_a_loop_is_that_of_each_result() {
    let result = |second: u32| {
        format!(
            "128+0 records in\n128+0 records out\n134217728 bytes (134 MB) copied, {second} s, \
             1 MB/s\n"
        )
    };
    let results = [1, 2, 3].map(result).concat();
    let expected = [
        "not_flushed suspected",
        "short shown",
        "compressible suspected",
    ];
    let line = "# for i in 1 2 3 ; do dd if=/dev/zero of=f$i bs=1M count=128 ; done\n";
    check(&(line.to_owned() + &results), &expected);
    let lines = "for i in 1 2 3\ndo\n  dd if=/dev/zero of=f$i bs=1M count=128\ndone\n";
    check(&(lines.to_owned() + &results), &expected);
}

#[test]
fn samples_that_are_all_one_count_requests() {
    let samples = "   iops        : min=    1, max=    1, avg= 1.00, stdev= 0.00, samples=9000\n";
    check(
        &(fio("randread", 4, 1, 7000) + samples),
        &["one_at_a_time shown", "fact shown"],
    );
}

#[test]
fn requests_of_a_gigabyte_are_few() {
    check(
        "diskspd.exe -c64G -d900 -b1G -w100 -Zr -Sh -r512 F:\\f.dat",
        &["short shown", "new_file suspected"],
    );
    check("diskspd.exe -d900 -b1M -w100 -Zr -Sh -r F:\\f.dat", &[]);
}

#[test]
fn as_many_requests_as_a_core_can_make_are_named() {
    check(
        &fio("randwrite", 4, 8, 638_000),
        &["processor suspected", "queueing shown"],
    );
    check(&fio("randwrite", 4, 8, 238_000), &["queueing shown"]);
}
