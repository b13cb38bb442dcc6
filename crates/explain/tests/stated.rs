//! What several results of a paste, or numbers in the text around them, show together. The outputs
//! have the layout of the tools, with numbers of our own. Each rule also has sound texts.

use fathom_explain::answer::Answer;
use fathom_explain::explanation::explain;

fn answer(paste: &str) -> Answer {
    explain(paste.as_bytes(), "paste", None).answer
}

/// The first line of an answer.
#[track_caller]
fn check(paste: &str, headline: &str) {
    assert_eq!(answer(paste).headline, headline, "{paste}");
}

/// The codes of findings and notes.
#[track_caller]
fn codes(paste: &str, expected: &[&str]) {
    let answer = answer(paste);
    let all = answer.findings.iter().chain(&answer.notes);
    let found: Vec<&str> = all.map(|one| one.code).collect();
    assert_eq!(found, expected, "{paste}");
}

/// That a rule finds nothing.
#[track_caller]
fn codes_without(paste: &str, code: &str) {
    let answer = answer(paste);
    let all = answer.findings.iter().chain(&answer.notes);
    let found: Vec<&str> = all.map(|one| one.code).filter(|own| *own == code).collect();
    assert_eq!(found, [""; 0], "{paste}");
}

const OLD: &str = "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz \
                   avgqu-sz   await r_await w_await  svctm  %util\n";
const NEW: &str = "Device r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await \
                   wareq-sz f/s f_await aqu-sz %util\n";

/// An output of dd of `seconds` for 4 GiB.
fn dd(command: &str, seconds: f64) -> String {
    format!(
        "$ {command}\n4096+0 records in\n4096+0 records out\n4294967296 bytes (4.3 GB, 4.0 GiB) \
         copied, {seconds} s, 9 MB/s\n"
    )
}

/// An output of fio for random reads of 4 KiB at a depth of 8.
fn fio(name: &str, iops: u32, mean: f64, p50: u32) -> String {
    format!(
        "{name}: (groupid=0, jobs=1): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  read: \
         IOPS={iops}, BW=31.3MiB/s (32.8MB/s)(938MiB/30001msec)\n     lat (usec): min=70, \
         max=2100, avg={mean}, stdev=2.00\n    clat percentiles (usec):\n     |  1.00th=[   71], \
         50.00th=[{p50:5}], 99.00th=[  900]\n"
    )
}

const FIO: &str = "$ fio --name=a --rw=randread --bs=4k --ioengine=libaio --iodepth=8 --direct=1 \
                   --filename=/dev/sdq\n";

#[test]
fn operands_of_dd_decide_the_direction_and_flags_belong_to_one() {
    // What goes to /dev/zero is dropped: a read, which no flag of the output makes durable.
    let read = dd("dd if=/data/x of=/dev/zero bs=1M oflag=dsync", 40.0);
    codes(&read, &["page_cache"]);
    let direct = dd("dd if=/data/x of=/dev/null bs=1M oflag=direct", 40.0);
    codes(&direct, &["page_cache"]);
    let sound = dd("dd if=/data/x of=/dev/null bs=1M iflag=direct", 40.0);
    codes(&sound, &[]);
    let write = dd(
        "dd if=/data/y of=/data/x bs=1M iflag=direct oflag=direct,dsync",
        80.0,
    );
    codes(&write, &["flush"]);
}

#[test]
fn suggested_commands_move_what_was_moved_and_no_more_than_is_safe() {
    let decide = |command: &str| {
        let paste = dd(command, 40.0).replace("4096+0", "1048576+0");
        let answer = answer(&paste);
        answer.findings.first().map(|one| one.decide.clone())
    };
    assert_eq!(
        decide("dd if=/dev/zero of=/data/x bs=4k count=130k conv=fsync").as_deref(),
        Some("dd if=/dev/zero of=/data/x bs=1M count=520 conv=fsync")
    );
    assert_eq!(
        decide("dd if=/dev/zero of=/data/x bs=8k conv=fsync").as_deref(),
        Some("dd if=/dev/zero of=/data/x bs=1M count=4096 conv=fsync")
    );
}

#[test]
fn a_suggested_run_without_an_end_has_one() {
    let decide = |options: &str| {
        let paste = format!("fio --name=a --rw=read --bs=1M --iodepth=4 {options}\n");
        let first = answer(&paste).findings.into_iter().next();
        first.map(|one| one.decide).unwrap_or_default()
    };
    let ends = |text: &str| text.contains("--io_size=4g");
    let runs = [
        "--size=100%",
        "--size=1t",
        "--size=1t --runtime=60",
        "--size=1g",
    ];
    let found = runs.map(|options| ends(&decide(options)));
    assert_eq!(found, [true, true, false, false]);
}

#[test]
fn writes_one_at_a_time_are_named_as_reads_are() {
    check(
        &format!(
            "{NEW}sdc 0.00 0.00 0.00 0.00 0.00 0.00 2000.00 8000.00 0.00 0.00 0.45 4.00 0.00 0.00 \
             0.90 95.00\n"
        ),
        "Hardly more than one write is in flight on sdc, so the latency of 450 µs sets the rate.",
    );
}

#[test]
fn several_drives_are_counted_before_memory_is_blamed() {
    let run = |text: &str| {
        format!(
            "{text}\na: (groupid=0, jobs=64): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  read: \
             IOPS=9.8M, BW=37.3GiB/s (40.0GB/s)(2238GiB/60001msec)\n     lat (usec): min=30, \
             max=20240, avg=813.01, stdev=36.58\n"
        )
    };
    codes(&run("Eight NVMe drives of PCIe 4."), &[]);
    check(
        &run("Two NVMe drives of PCIe 4."),
        "This probably measured memory, not the disk: 2 drives do not move 40,051 MB/s.",
    );
    codes(&run("One drive, one machine."), &["memory"]);
}

#[test]
fn a_rate_above_all_disks_of_the_paste_is_not_theirs() {
    let disks = "$ hdparm -t /dev/sda\n/dev/sda:\n Timing buffered disk reads: 600 MB in  3.00 \
                 seconds = 200.00 MB/sec\n\n";
    let read = |seconds| dd("dd if=/dev/sda1 of=/dev/null bs=1M", seconds);
    check(
        &format!("{disks}{}", read(5.0)),
        "A cache, or data that is not on the disk, gave 859.0 MB/s: the disk of this load gives \
         209.7 MB/s at most. (1 of 2 results)",
    );
    // As much as it gives, and a drive that hdparm does not fill.
    let flash = disks.replace("200.00", "1400.00");
    for sound in [
        format!("{disks}{}", read(20.0)),
        format!("{flash}{}", read(1.5)),
    ] {
        codes_without(&sound, "faster_than_disks");
    }
    // Other disks, which nobody measured, and a pool or array whose members are not named.
    for (text, target) in [
        ("The old disk, and the new one:", "/dev/nvme0n1"),
        ("Why is sda 3x slower than the SSD?", "/mnt/ssd/big"),
        ("RAID 10 of disks, all like this one:", "/dev/md0"),
        ("4x 8TB disks in a pool of zfs", "/pool/x"),
    ] {
        let read = dd(
            &format!("dd if={target} of=/dev/null bs=1M iflag=direct"),
            2.0,
        );
        codes_without(&format!("{text}\n{disks}{read}"), "faster_than_disks");
    }
}

#[test]
fn a_mean_that_stalls_make_is_not_the_queue() {
    codes(
        &format!("{FIO}{}", fio("a", 8000, 1000.1, 980)),
        &["queueing"],
    );
    codes(&format!("{FIO}{}", fio("a", 8000, 1000.1, 90)), &[]);
}

#[test]
fn runs_that_do_not_differ_are_compared_first() {
    let pair = |second: u32| {
        let [a, b] = [8000, second].map(|rate| fio("a", rate, 8e6 / f64::from(rate), 900));
        format!("Before:\n{FIO}{a}\nAfter:\n{FIO}{b}")
    };
    check(&pair(8160), "The 2 runs do not differ in rate: +2.0 %.");
    check(&pair(7760), "The 2 runs do not differ in rate: -3.0 %.");
    // Farther apart than runs vary, and a load that the tool limits.
    codes(&pair(8800), &["queueing"]);
    codes(
        &pair(8160).replace("--iodepth=8", "--iodepth=8 --rate_iops=8000"),
        &["rate_limit", "queueing"],
    );
    // A number that is certainly of something else comes first.
    let zero = |seconds| dd("dd if=/dev/zero of=/data/x count=8388608", seconds);
    let faulty = format!("one:\n{}\ntwo:\n{}", zero(20.0), zero(20.2));
    check(
        &faulty,
        "This is the speed of memory, at least in part: the clock stopped before the data was on \
         the disk.",
    );
}

#[test]
fn busy_time_is_held_against_the_other_columns() {
    let row = |values: &str| format!("{OLD}{values}\n");
    check(
        &row("sdb 0.00 0.00 90.00 0.00 360.00 0.00 8.00 0.97 10.80 10.80 0.00 1.00 9.00"),
        "Either the reads of sdb come in bursts, or its %util of 9.0 % is wrong: 90.0 a second of \
         10.8 ms each, one at a time, would keep it busy nearly all the time.",
    );
    check(
        &row("vdb 0.00 0.00 900.00 700.00 9000.00 7000.00 20.00 3.00 1.90 1.90 1.90 0.70 138.00"),
        "%util of vdb is 138 %, and a share of time is 100 % at most: its accounting is wrong, and \
         it says nothing here.",
    );
    // A clock that is somewhat late.
    codes_without(
        &row(
            "sda 2.00 0.00 120.00 200.00 960.00 1600.00 16.00 23.26 72.69 60.50 80.00 3.10 103.20",
        ),
        "busy_time",
    );
    // A reader with pauses, rounding, writes in bursts, fast requests, and two or three reads at a
    // time for a third of it.
    for sound in [
        "sda 2.00 0.00 40.00 0.00 960.00 0.00 48.00 0.90 22.50 22.50 0.00 8.80 35.20",
        "sdb 0.00 0.00 200.00 0.00 25600.00 0.00 256.00 0.92 4.60 4.60 0.00 2.06 41.20",
        "sdb 0.00 0.00 40.00 0.00 160.00 0.00 8.00 0.43 10.80 10.80 0.00 10.00 43.00",
        "sdb 0.00 0.00 90.00 0.00 360.00 0.00 8.00 0.97 10.80 10.80 0.00 11.00 97.20",
        "sdb 0.00 0.00 0.00 90.00 0.00 360.00 8.00 0.97 10.80 0.00 10.80 1.00 9.00",
        "nvme0n1 0.00 0.00 9000.00 0.00 36000.00 0.00 8.00 0.90 0.10 0.10 0.00 0.01 40.00",
    ] {
        codes_without(&row(sound), "busy_time");
    }
}

#[test]
fn a_layer_that_waits_above_idle_disks_is_named() {
    let both = |wait: f64, util: f64| {
        format!(
            "{NEW}md3 0.00 0.00 0.00 0.00 0.00 0.00 20.00 82.00 0.00 0.00 {wait} 4.10 0.00 0.00 \
             30.00 5.00\nsdc 0.00 0.00 0.00 0.00 0.00 0.00 9.00 80.00 0.00 0.00 6.00 8.00 2.00 \
             9.00 0.05 {util}\n"
        )
    };
    check(
        &both(1500.0, 4.0),
        "A request waits 1.50 s in md3, and sdc needs 6.00 ms and is 4 % busy: the time seems \
         to be lost above the disk. (1 of 2 results)",
    );
    // A disk that is busy, a wait that is its own, a volume of a network, a disk with another load,
    // and two disks.
    let slow = both(1500.0, 4.0);
    let rows: Vec<&str> = slow.lines().collect();
    for sound in [
        both(1500.0, 60.0),
        both(40.0, 4.0),
        slow.replace("md3", "rbd0"),
        slow.replace("md3", "drbd1"),
        slow.replace("80.00 0.00", "40.00 0.00"),
        format!("{slow}{}\n", rows[2].replace("sdc", "sdd")),
    ] {
        let found = answer(&sound).findings;
        let found = found
            .iter()
            .filter(|one| one.sentence.starts_with("Both have the same"));
        assert_eq!(found.count(), 0, "{sound}");
    }
}

#[test]
fn flushes_set_the_pace_only_if_they_fill_the_time() {
    let row = |each: f64| {
        format!(
            "{NEW}sdc 0.00 0.00 0.00 0.00 0.00 0.00 60.00 480.00 0.00 0.00 0.50 8.00 50.00 {each} \
             0.90 88.00\n"
        )
    };
    check(
        &row(16.0),
        "Flushes set the pace, it seems: 50.0 a second for 60.0 writes, and each takes 16.0 ms.",
    );
    codes(&row(0.4), &["fact"]);
}

#[test]
fn requests_that_are_no_longer_merged_are_told_from_smaller_ones() {
    let table = |rate: f64, kilobytes: f64, merges: f64| {
        format!(
            "{NEW}nvme3n1 {rate} {kilobytes} {merges} 0.00 0.05 8.00 0.00 0.00 0.00 0.00 0.00 0.00 \
             0.00 0.00 0.80 99.00\n"
        )
    };
    let pair = |merges| {
        format!(
            "of before\n{}\nand of now\n{}",
            table(500.0, 128_000.0, merges),
            table(18_000.0, 72_000.0, 0.0)
        )
    };
    check(
        &pair(31_500.0),
        "The reads of nvme3n1 are no longer merged: their size falls from 256 KiB to 4 KiB, and \
         the rate from 131.1 to 73.7 MB/s. (1 of 2 results)",
    );
    // The application asks for less, and two loads of which the second is another one.
    codes_without(&pair(0.0), "unmerged");
    let copy = table(180.0, 184_320.0, 720.0);
    codes_without(
        &format!(
            "A copy:\n{copy}\nThe database:\n{}",
            table(150.0, 1200.0, 0.0)
        ),
        "unmerged",
    );
}

#[test]
fn reads_with_the_writes_of_members_are_those_of_parity() {
    let table = |text: &str, last: f64| {
        let row = |name: &str, read: f64| {
            format!(
                "{name} 200.00 {read} 0.00 0.00 0.40 32.00 4000.00 400000.00 0.00 0.00 0.50 100.00 \
                 0.00 0.00 2.00 80.00\n"
            )
        };
        let rows = [row("sdb", 24_000.0), row("sdc", 25_000.0), row("sdd", last)];
        format!("{text}\n{NEW}{}", rows.concat())
    };
    check(
        &table("md on RAID-5, only writes", 24_500.0),
        "If these are the members of the RAID with parity that the text names, they read back what \
         is missing of a stripe: 6 % of the bytes written.",
    );
    // One member reads for somebody else; no parity is named.
    codes(&table("md on RAID-5, only writes", 90_000.0), &["fact"]);
    codes(&table("md on RAID-10, only writes", 24_500.0), &["fact"]);
    let mixed = table("md on RAID-6", 24_500.0).replace("400000.00", "72000.00");
    codes(&mixed, &["fact"]);
    let before = "Three independent data disks. We had RAID 5 before.";
    codes(&table(before, 24_500.0), &["fact"]);
}

#[test]
fn a_pool_that_is_nearly_full_is_named() {
    let pool = |command: &str, used: &str, free: &str| {
        format!(
            "{command}\n              capacity     operations     bandwidth\npool        alloc   \
             free   read  write   read  write\n----------  -----  -----  -----  -----  -----  \
             -----\ntank        {used}  {free}    120  4.20K  1.20M   210M\n----------  -----  \
             -----  -----  -----  -----  -----\n"
        )
    };
    check(
        &pool("# zpool iostat tank 5", "9.71T", "310G"),
        "tank is 97.0 % full (310 GiB free), which probably slows its writes.",
    );
    check(
        &pool("# zpool iostat tank 5", "7.10T", "2.90T"),
        "If this is the first report of zpool iostat, it is the average since the pool was \
         imported; later ones are of the interval.",
    );
    check(
        &pool("# zpool iostat tank", "7.10T", "2.90T"),
        "Without an interval zpool iostat reports the average since the pool was imported.",
    );
    codes(&pool("# zpool iostat -y tank 5", "7.10T", "2.90T"), &[]);
    // A scrub of a full pool, which only reads.
    let reads = pool("# zpool iostat -y tank 5", "9.71T", "310G").replace("4.20K", "0");
    codes(&reads.replace("210M", "0"), &[]);
    codes(&reads.replace("210M", "24.0K"), &[]);
}

#[test]
fn a_limit_that_the_text_states_is_the_answer() {
    let run = |text: &str, seconds| {
        format!(
            "{text}\n{}",
            dd("dd if=/dev/zero of=/data/x bs=1M oflag=direct", seconds)
        )
    };
    check(
        &run("io.max: 8:0 wbps=104857600", 41.0),
        "The rate, 104.8 MB/s, is near a limit that the text states: 104.9 MB/s.",
    );
    let on = |device: &str, text: &str| run(text, 41.0).replace("of=/data/x", device);
    check(
        &on("of=/dev/sda1", "io.max: 8:0 wbps=104857600"),
        "The rate, 104.8 MB/s, is the limit that the text states: 104.9 MB/s.",
    );
    check(
        &run("The volume is provisioned with 105 MB/s.", 41.0),
        "The rate, 104.8 MB/s, is near a limit that the text states: 105.0 MB/s.",
    );
    let nodes = "The nodes have 10 GbE, and the volume is on Ceph.";
    check(
        &run(nodes, 3.75),
        "The rate, 1,145 MB/s, is what the link gives that the text names (1,250 MB/s), if it is \
         crossed.",
    );
    // A limit of reads, one that is far, a rate that is no limit, and what people write of others,
    // of hopes, and of what they ask.
    for sound in [
        "io.max: 8:0 rbps=104857600",
        "limited to 400 MB/s",
        "I have 105 MB/s",
        "It is limited to 105 MB/s, why?",
        "The drive is not limited by any quota; 105 MB/s was what I had hoped for.",
        "A P30, which is limited to 840 MBps.",
        "There is no limit: 105 MB/s per client is what we size for.",
        "The SAN is capped at 105 MB/s per LUN for others, ours has no cap.",
        "Queue limit 32. 105 MB/s per user is the goal.",
        "provisioned: thin. 105 MB/s measured on the old SAN.",
        "Before, it gave 105 MB/s; quota says 105 MB/s free",
    ] {
        codes_without(&run(sound, 41.0), "cap");
    }
    // Limits of another device, and links that a local load does not cross.
    for sound in [
        "io.max: 8:16 wbps=104857600 is set for the backup on sdb.",
        "The cloud disk (vdb) has bps_wr=104857600, but I test sdc.",
    ] {
        codes_without(&on("of=/dev/sdc", sound), "cap");
    }
    for (device, text) in [
        ("of=/dev/nvme0n1", nodes),
        (
            "of=/data/x",
            "2 x 10 Gbit/s NICs, local NVMe (no network storage)",
        ),
        (
            "of=/data/x",
            "10GbE switch in the rack. Local array of 4 SSDs",
        ),
    ] {
        let paste = run(text, 3.75).replace("of=/data/x", device);
        codes_without(&paste, "cap");
    }
}

#[test]
fn a_link_on_which_all_requests_take_the_same_time_is_the_limit() {
    let run = |p5: u32| {
        format!(
            "$ fio --name=a --rw=read --bs=4M --iodepth=4 --direct=1 --runtime=20 \
             --filename=/dev/nvme0n1\na: (g=0): rw=read, bs=(R) 4096KiB-4096KiB, (W) \
             4096KiB-4096KiB, (T) 4096KiB-4096KiB, ioengine=psync, iodepth=4\nfio-3.36\nStarting 1 \
             process\na: (groupid=0, jobs=1): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  read: \
             IOPS=98, BW=393MiB/s (412MB/s)(7860MiB/20006msec)\n     lat (usec): min=8000, \
             max=17113, avg=10180.02, stdev=25.59\n    clat percentiles (usec):\n     |  5.00th=[\
             {p5}], 50.00th=[10159], 95.00th=[10180], 99.00th=[10290]\n"
        )
    };
    check(
        &run(10_150),
        "The rate is what one lane of PCI Express 2, or USB at 5 Gbit/s gives, and every request \
         took the same time.",
    );
    let two = [run(10_150), run(10_150).replace("nvme0n1", "nvme1n1")];
    check(
        &two.concat(),
        "The 2 runs do not differ in rate: +0.0 %. The rate is what one lane of PCI Express 2, or \
         USB at 5 Gbit/s gives, and every request took the same time.",
    );
    check(
        &run(8_200),
        "The queue depth was 1, not 4: the engine psync makes one request at a time.",
    );
}

#[test]
fn a_layer_between_two_devices_is_named() {
    let run = |device: &str, rate: &str| {
        format!(
            "$ sudo hdparm -t {device}\n\n{device}:\n Timing buffered disk reads: 300 MB in  3.00 \
             seconds = {rate} MB/sec\n"
        )
    };
    let pair = |upper: &str| {
        format!(
            "An SSD with LUKS\n{}{}",
            run(upper, "60.00"),
            run("/dev/sda", "240.00")
        )
    };
    for upper in ["/dev/vg0/root", "/dev/mapper/root", "/dev/dm-0"] {
        check(
            &pair(upper),
            &format!(
                "The same load is 4.00 times slower on {upper} than on /dev/sda: a layer between \
                 them probably costs it, and the paste names disk encryption."
            ),
        );
    }
    check(
        &pair("/dev/sdb"),
        "The same load is 4.00 times slower on /dev/sdb than on /dev/sda: another device.",
    );
}

#[test]
fn a_finding_names_the_job_that_it_is_of() {
    let group = |name: &str, number: u32, rate: &str, system: &str, slat: &str| {
        format!(
            "{name}: (groupid={number}, jobs=8): err= 0: pid=7: Mon Jan  5 10:00:00 2026\n  read: \
             IOPS={rate}, BW=31.3MiB/s (32.8MB/s)(938MiB/30001msec)\n    slat (usec): min=1, \
             max=99, avg={slat}, stdev=1.00\n     lat (usec): min=70, max=910, avg=424.10, \
             stdev=2.00\n  cpu          : usr=2.00%, sys={system}%, ctx=9, majf=0, minf=9\n"
        )
    };
    let head = "a: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, \
                ioengine=libaio, iodepth=32\nb: (g=1): rw=randread, bs=(R) 4096B-4096B, (W) \
                4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32\nfio-3.36\nStarting 16 \
                processes\n";
    check(
        &format!(
            "{head}{}{}",
            group("a", 0, "610k", "40.00", "2.1"),
            group("b", 1, "90k", "96.00", "60.0")
        ),
        "The processor was the limit of b, not the storage: 90,000 requests a second, where a made \
         610,000 with less of it.",
    );
}

#[test]
fn intervals_of_iostat_are_all_counted() {
    let reports = "Device r/s w/s rkB/s wkB/s r_await w_await aqu-sz %util\nsda 900.00 0.00 \
                   9000.00 \
                   0.00 0.40 0.00 0.36 35.00\n\nDevice r/s w/s rkB/s wkB/s r_await w_await aqu-sz \
                   %util\nsda 100.00 0.00 1000.00 0.00 0.40 0.00 0.04 4.00\n";
    check(
        &format!("$ iostat -xy 5 2\n{reports}"),
        "No disk was busy all the time: sda, the busiest, had a request 35 % of it.",
    );
    check(
        &format!("$ iostat -x 5 2\n{reports}"),
        "No disk was busy all the time: sda, the busiest, had a request 4 % of it.",
    );
}

#[test]
fn diskspd_without_its_tables_is_recognised() {
    check(
        "Command Line: diskspd.exe -b8K -d60 -o4 -t8 -h -r -w25 d:\\io.dat\n\nInput \
         parameters:\n\n\ttimespan:   1\n\t-------------\n\tduration: 60s\n\tpath: \
         'd:\\io.dat'\n\t\tblock size: 8KiB\n\nResults for timespan 1:\nactual test time:       \
         60.00s\nthread count:           8\n",
        "The tables of this output of DISKSPD are missing (Total IO, Read IO, Write IO): \
         paste them too.",
    );
}
